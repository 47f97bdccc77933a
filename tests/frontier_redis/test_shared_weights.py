"""Weights are published by the learner alone, each on top of the last."""

from __future__ import annotations

import numpy as np
import pytest
from redis import Redis

from scenthound.core.errors import SettingsError
from scenthound.core.protocols import FittedWeights, TermCounts
from scenthound.frontier.redis.scripts import Scripts
from scenthound.frontier.redis.sharing import PublishedWeights, SharedTermCounts, SharedWeights

OLD: FittedWeights = {"weights": [0.5, 0.5], "tried_at": 50}
NEW: FittedWeights = {"weights": [0.1, 0.9], "tried_at": 100}


class Member:
    """One worker's view of the weights."""

    def __init__(self, server: Redis, crawl: str, worker: str) -> None:
        self.publishing = SharedWeights(server, crawl, worker)
        self._scripts = Scripts(server)

    def ask(self) -> PublishedWeights:
        name, key, arguments = self.publishing.request_step()
        return self.publishing.receive(self._scripts.run(name, key, *arguments))

    def elected(self) -> bool:
        return self.publishing.lock.acquire()


@pytest.fixture
def one(server: Redis, crawl: str) -> Member:
    return Member(server, crawl, "one")


@pytest.fixture
def two(server: Redis, crawl: str) -> Member:
    return Member(server, crawl, "two")


def test_the_learner_publishes_and_others_hear_of_it_once(one: Member, two: Member) -> None:
    assert two.ask().fitted is None
    assert one.elected() and one.publishing.publish(OLD)
    assert two.ask().fitted == OLD and two.publishing.version == 1
    assert two.ask().fitted is None
    assert one.ask().fitted is None  # its own
    assert one.publishing.publish(NEW)
    assert two.ask().fitted == NEW and two.publishing.version == 2


def test_a_learner_that_lost_its_office_overwrites_nothing(
    one: Member, two: Member, server: Redis
) -> None:
    assert one.elected() and one.publishing.publish(OLD)
    server.delete(one.publishing.lock.key)  # it expired
    two.ask()
    assert two.elected() and two.publishing.publish(NEW)
    assert not one.publishing.publish(OLD)
    server.delete(two.publishing.lock.key)
    assert one.elected()  # once more, but what it knows is old
    assert not one.publishing.publish(OLD)
    assert one.ask().fitted == NEW
    assert one.publishing.publish(OLD) and one.publishing.version == 3


def test_the_server_knows_whether_all_that_waits_was_weighed(one: Member, two: Member) -> None:
    two.ask()
    assert two.publishing.has_all_rescored  # there is nothing new
    assert one.elected() and one.publishing.publish(OLD)
    two.ask()
    assert not two.publishing.has_all_rescored
    one.publishing.has_rescored()
    one.ask()
    two.ask()
    assert two.publishing.has_all_rescored


def test_sums_are_heard_with_the_weights(one: Member, server: Redis, crawl: str) -> None:
    assert one.ask().sums.tolist() == []
    name, key, arguments = SharedTermCounts(server, crawl, "two").share_step(
        0, 1, TermCounts(), np.array([1.0, 2.5])
    )
    Scripts(server).run(name, key, *arguments)
    assert one.ask().sums.tolist() == [1.0, 2.5]


def test_workers_that_weigh_other_parts_are_refused(one: Member, two: Member) -> None:
    one.publishing.agree(["full", "anchor"])
    one.publishing.agree(["full", "anchor"])
    with pytest.raises(SettingsError, match="weigh full, anchor, and this one would weigh full;"):
        two.publishing.agree(["full"])
