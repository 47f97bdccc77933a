"""The frontier of one worker: nothing that a page changes is reported before the page is kept."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest
from pytest import MonkeyPatch
from redis import Redis

from frontier.frontier_contract import CLOSED, NEW, RESCORED, fill, names, seen, url, where
from frontier_redis.conftest import Workers
from scenthound.core import model
from scenthound.core.model import Candidate, Inlink, Score, ScoredLink
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.redis import worker as worker_module
from scenthound.frontier.redis.frontier import RedisFrontier
from scenthound.frontier.redis.server import ServerClock
from scenthound.frontier.redis.worker import WorkerFrontier

A1, A2, B1, B2, C1 = map(url, ("a1", "a2", "b1", "b2", "c1"))


Worker = Callable[..., WorkerFrontier]


@pytest.fixture
def worker(workers: Workers) -> Worker:
    return workers.holding_back


def sent(frontier: WorkerFrontier, **scores: float) -> WorkerFrontier:
    """The frontier, after it has reported these URLs."""
    fill(frontier, **scores)
    frontier.send()
    return frontier


def leased_by(frontier: WorkerFrontier, now: float = 0.0) -> list[str]:
    return names(frontier.lease(9, now))


def test_a_worker_killed_telling_loses_no_link(worker: Worker, monkeypatch: MonkeyPatch) -> None:
    one = sent(worker(1), a1=0.9)
    for _ in range(2):
        assert leased_by(one, 1.0) == ["a1"]
        one.ack(A1)
        one.add([seen(B1, 0.5)])
        killed_before, one = one, worker(1)  # a worker of the same name begins
        assert where(one, B1) is None

    def killed(self: RedisFrontier, closings: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(RedisFrontier, "close_all", killed)
        killed_before.send()
    again = worker(1)
    assert sorted(leased_by(again, 1.0)) == ["a1", "b1"]  # the page again, and its link


def test_closed_is_closed_here_before_it_is_reported(worker: Worker) -> None:
    one, two = sent(worker(1), a1=0.9), worker(2)
    leased_by(one)
    one.ack(A1)
    one.ack(A2)  # a name that the page calls its own: never seen before
    assert one.is_closed(A1) and one.is_closed(A2) and not two.is_closed(A2)
    assert one.add([seen(A2, 0.7), seen(A1, 0.7)]) == [CLOSED, CLOSED]
    one.send()
    assert two.is_closed(A1) and two.is_closed(A2)
    assert len(two) == 0


def test_what_becomes_of_links_is_known_before_they_are_sent(worker: Worker) -> None:
    one, two = worker(1), worker(2)
    assert one.add([seen(A1, 0.9), seen(A2, 0.8), seen(A1, 0.7)]) == [NEW, NEW, RESCORED]
    assert len(two) == 0 and leased_by(two) == []
    assert two.add([seen(A1, 0.1)]) == [NEW]  # no worker has reported it
    one.send()
    two.send()
    best, both = two.peek(2)
    assert (best.url, best.score.value) == (A2, 0.8)
    assert both.score.value == pytest.approx((0.9 + 0.7 + 0.1) / 3)
    assert one.add([seen(A1, 0.5)]) == [RESCORED]
    one.reweight(lambda score: Score(score.value / 2))  # what is not sent yet too
    one.send()
    assert [each.score.value for each in one.peek(9)] == pytest.approx([0.4, 2.2 / 8])


def test_pages_of_other_workers_have_their_number_above(worker: Worker) -> None:
    one, two = worker(1), worker(2)
    one.add([ScoredLink(A1, 1, Inlink(7, Score(0.9), "from one"))])
    one.send()
    two.add([ScoredLink(A1, 1, Inlink(7, Score(0.5), "from two"))])
    two.send()
    assert sources(*one.peek(1)) == {7: "from one", model.global_page_number(2, 7): "from two"}
    assert sources(*two.peek(1)) == {7: "from two", model.global_page_number(1, 7): "from one"}
    number = model.global_page_number(2, 7)
    assert (model.worker_of(number), model.local_page_number(number), model.worker_of(7)) == (
        2,
        7,
        0,
    )


def sources(candidate: Candidate) -> dict[int, str]:
    return {inlink.source: inlink.anchor for inlink in candidate.inlinks}


def test_a_redirect_is_reported_with_the_rest(worker: Worker) -> None:
    one, two = sent(worker(1), a1=0.9, b2=0.1), worker(2)
    assert names([candidate for candidate in [one.take(A1, 0.0)] if candidate]) == ["a1"]
    assert one.redirect(A1, B1) is NEW
    assert where(two, B1) is None and where(two, A1) == "leased"
    one.send()
    assert where(two, A1) == "closed"
    moved = two.take(B1, 1.0)
    assert moved is not None and moved.redirects == (A1,) and moved.score.value == 0.9


def test_a_redirect_to_what_was_fetched_closes_and_no_more(worker: Worker) -> None:
    one = sent(worker(1), a1=0.9, b1=0.8, c1=0.1)
    leased_by(one)
    one.ack(B1)
    for moved in (A1, C1):  # the second time the server knows it
        assert one.redirect(moved, B1) is CLOSED
        one.send()
        assert where(one, moved) == "closed"


def test_only_recent_admissions_are_remembered(worker: Worker, monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "_REMEMBERED", 2)
    one = worker(1)
    assert one.add([seen(each, 0.5) for each in (A1, A2, B1)]) == [NEW, NEW, NEW]
    assert one.add([seen(B2, 0.5)]) == [NEW]
    assert list(one._known) == [A2, B1, B2]


def test_while_nothing_waits_pages_under_way_count(worker: Worker) -> None:
    one, two = sent(worker(1), a1=0.9), worker(2)
    leased_by(one)
    assert len(two) == 1  # its links may wait soon
    one.ack(A1)
    assert len(two) == 1
    one.send()
    assert len(one) == len(two) == 0


def test_a_host_rests_from_the_time_that_the_crawl_says(server: Redis, crawl: str) -> None:
    clock = ServerClock(server, crawl, local=lambda: time.time() + 600.0)  # the machine is ahead
    on_server = RedisFrontier(
        server, crawl, politeness=PolitenessPolicy(2.0, per_host=1), now=clock()
    )
    one = WorkerFrontier(on_server, 1, clock)
    fill(one, a1=0.9, a2=0.8)
    one.send()
    now = clock()
    assert one.take(A1, now) is not None
    one.record_response(A1, now + 1.0)
    free_at = one.next_time(now + 1.0)
    assert free_at is not None and free_at - now == pytest.approx(3.0, abs=0.01)


def times_asked(monkeypatch: MonkeyPatch, name: str) -> list[float]:
    """When the server was asked by this method, whose last argument is the time."""
    asked, method = list[float](), getattr(RedisFrontier, name)

    def noted(self: RedisFrontier, *given: Any) -> Any:
        asked.append(given[-1])
        return method(self, *given)

    monkeypatch.setattr(RedisFrontier, name, noted)
    return asked


def test_seeds_are_asked_for_now_and_then_only(worker: Worker, monkeypatch: MonkeyPatch) -> None:
    one = sent(worker(1, PolitenessPolicy(delay=5.0)), a1=0.9, a2=0.8)
    assert one.take(A1, 0.0) is not None
    asked = times_asked(monkeypatch, "take")
    found = [one.take(A2, at) for at in (0.1, 0.2, 0.3, 0.4, 5.0)]
    assert [each is not None for each in found] == [False, False, False, False, True]
    assert asked == [0.1, 0.4, 5.0]


def test_with_no_budget_the_server_is_asked_less(worker: Worker, monkeypatch: MonkeyPatch) -> None:
    one = sent(worker(1), a1=0.9)
    asked = times_asked(monkeypatch, "next_time")
    times = [0.02 * turn for turn in range(50)]
    assert [one.next_time(now) for now in times] == times
    assert len(asked) == 4
    assert leased_by(one, 1.0) == ["a1"]
    assert one.next_time(1.01) == 1.05  # there is nothing more: it looks again a little later


def test_what_is_done_and_not_closed_yet_is_not_asked_for(worker: Worker) -> None:
    one = sent(
        worker(1, PolitenessPolicy(delay=1.0, per_host=1, pages_per_host=2)),
        a1=0.9,
        a2=0.8,
        a3=0.7,
        b1=0.1,
    )  # a1 and a3, not a2
    assert leased_by(one) == ["a1", "b1"]
    one.record_response(A1, 0.0)
    one.ack(A1)
    one.ack(A2)  # it is another name of a1
    assert one.lease(9, 1.5) == []
    assert one.draw(random.Random(1), 1.5) is None
    one.send()
    assert one.lease(9, 2.0) == []  # it rests as if it had been asked
    assert leased_by(one, 3.0) == ["a3"]
