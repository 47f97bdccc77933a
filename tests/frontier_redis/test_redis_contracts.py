"""The frontier on a server keeps both contracts and agrees with both models."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis.stateful import rule
from redis import Redis

from frontier.frontier_contract import MAX, FrontierContract, PoliteContract
from frontier.frontier_model import LEASE_SECONDS, FrontierMachine, PoliteMachine
from scenthound.core.model import Combination
from scenthound.core.protocols import Frontier, PoliteFrontier
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.redis.frontier import RedisFrontier


class Shared:
    """Hypothesis makes its machines itself: here they find the server."""

    client: ClassVar[Redis]
    crawls = itertools.count(1)

    @classmethod
    def crawl(cls) -> str:
        return f"model-{next(cls.crawls)}"


@pytest.fixture(autouse=True, scope="module")
def on_the_server(session_server: Redis) -> Iterator[None]:
    Shared.client = session_server
    yield
    session_server.flushall()


def made(combination: Combination = MAX, **options: Any) -> RedisFrontier:
    return RedisFrontier(Shared.client, Shared.crawl(), combination, **options)


class TestRedisFrontier(FrontierContract, PoliteContract):
    def make(self, combination: Combination = MAX, lease_seconds: float = 10.0) -> Frontier:
        return made(combination, lease_seconds=lease_seconds)

    def polite(self, politeness: PolitenessPolicy, lease_seconds: float = 100.0) -> PoliteFrontier:
        return made(politeness=politeness, lease_seconds=lease_seconds)


class RedisMachine(FrontierMachine):
    def make(self, combination: Combination) -> Frontier:
        return made(combination, lease_seconds=LEASE_SECONDS)


class TestRedisFrontierAgainstTheModel(RedisMachine.TestCase):  # type: ignore[misc, valid-type]
    settings = settings(max_examples=4, stateful_step_count=40, deadline=None)


class PoliteRedisMachine(PoliteMachine):
    partitions = 1

    def make_polite(self, politeness: PolitenessPolicy) -> PoliteFrontier:
        self.crawl = Shared.crawl()
        return self.make_again(politeness, 1.0)

    def make_again(self, politeness: PolitenessPolicy, now: float) -> PoliteFrontier:
        return RedisFrontier(
            Shared.client, self.crawl, politeness=politeness, lease_seconds=LEASE_SECONDS, now=now,
            partitions=self.partitions,
        )  # fmt: skip

    @rule()
    def reopen(self) -> None:
        """The hosts that were being asked rest, and no others: their times are on the server."""
        self.real = self.make_again(self.model.politeness, self.now)
        for record in self.model._records.values():
            if record.awaited:
                host = self.model.host(record)
                host.rest(self.now + max(host.delay, self.model.politeness.delay))
            self.model.put_back(record.url)


class TestRedisFrontierAgainstPoliteHosts(
    PoliteRedisMachine.TestCase  # type: ignore[misc, valid-type]
):
    settings = settings(max_examples=4, stateful_step_count=50, deadline=None)


class PartitionedMachine(PoliteRedisMachine):
    partitions = 3


class TestPartitionsAgainstPoliteHosts(
    PartitionedMachine.TestCase  # type: ignore[misc, valid-type]
):
    settings = settings(max_examples=6, stateful_step_count=50, deadline=None)
