"""The frontier on a server: it keeps the contracts, and several workers share it without loss."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest
from hypothesis import settings
from hypothesis.stateful import rule
from pytest import MonkeyPatch
from redis import Redis

from frontier import frontier_contract as contract
from frontier.frontier_contract import fill, names, order, seen, url, where
from frontier.frontier_model import LEASE_SECONDS, FrontierMachine, PoliteMachine
from frontier_redis.conftest import Workers
from scenthound.core.model import Combination, ScoredLink
from scenthound.core.protocols import Admission, Frontier, PoliteFrontier
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.redis.frontier import RedisFrontier
from scenthound.frontier.redis.partitions import Partitions
from scenthound.frontier.redis.scripts import Step

A1, A2, B1, C1 = url("a1"), url("a2"), url("b1"), url("c1")


def test_no_url_is_leased_to_two_and_the_best_goes_first(workers: Workers) -> None:
    one, two = workers("one"), workers("two")
    fill(one, a1=0.9, b1=0.8)
    fill(two, a2=0.7, c1=0.6, c2=0.5)
    assert len(one) == len(two) == 5
    assert names(one.lease(2, 0.0)) == ["a1", "b1"]
    assert names(two.lease(2, 0.0)) == ["a2", "c1"]
    assert names(one.lease(9, 0.0)) == ["c2"]
    assert two.is_closed(A1) and where(two, A1) == "leased"


def test_opening_frees_the_leases_of_the_same_name_and_no_others(workers: Workers) -> None:
    politeness = PolitenessPolicy(delay=2.0)
    one, two = workers("one", politeness), workers("two", politeness)
    fill(one, a1=0.9, a2=0.8, b1=0.5, c1=0.1)
    assert names(one.lease(1, 0.0)) == ["a1"]
    assert names(two.lease(1, 0.0)) == ["b1"]
    assert names(two.lease(1, 0.0)) == ["c1"]
    one.slow_down("a.example", 4.0)
    again = workers("one", politeness, now=5.0)
    assert [where(again, u) for u in (A1, B1)] == ["waiting", "leased"]
    assert again.next_time(5.0) == 9.0  # the host that was being asked rests its own delay
    assert [(c.url, c.attempts) for c in again.lease(3, 9.0)] == [(A1, 0)]


def test_only_who_holds_a_lease_may_change_it(workers: Workers) -> None:
    politeness = PolitenessPolicy(delay=1.0, per_host=1)
    one, two = workers("one", politeness), workers("two", politeness)
    fill(one, a1=0.9, a2=0.8)
    one.lease(1, 0.0)
    assert names(two.lease(1, 11.0)) == ["a1"]  # the lease of the other has expired
    one.record_response(A1, 12.0)
    one.fail(A1, 12.0)
    one.put_back(A1)
    assert where(two, A1) == "leased"
    assert two.lease(1, 13.0) == []  # its host is still busy
    one.ack(A1)  # the page is there, whoever fetched it
    two.ack(A1)
    assert where(two, A1) == "closed"
    assert names(two.lease(1, 14.0)) == ["a2"]


def test_budgets_and_shares_count_over_all_workers(workers: Workers) -> None:
    politeness = PolitenessPolicy(pages_per_host=2)
    one, two = workers("one", politeness), workers("two", politeness)
    fill(one, a1=0.9, a2=0.8, a3=0.7, b1=0.1)
    assert names(one.lease(1, 0.0)) == ["a1"]
    assert names(two.lease(1, 0.0)) == ["a2"]
    assert names(one.lease(1, 0.0)) == ["b1"]
    one.ack(A1)
    two.ack(A2)
    assert (one.exhausted_urls(), two.exhausted_urls(), len(one)) == (0, 1, 0)
    assert one.add([seen(url("a4"), 1.0)]) == [Admission.EXHAUSTED]
    fair = workers("three", PolitenessPolicy(share=0.5))
    fill(fair, a9=0.9, c1=0.1)  # two of two pages were of host a
    assert names(fair.lease(1, 0.0)) == ["c1"]


def between(monkeypatch: MonkeyPatch, act: Callable[[], object]) -> None:
    """Once, after rows were read and before they are written, let another worker act."""
    run_all = Partitions.run_all
    acts = [act]

    def interrupted(self: Partitions, steps: list[Step], *before: Any) -> Any:
        if acts and steps and steps[0][0] == "write":
            acts.pop()()
        return run_all(self, steps, *before)

    monkeypatch.setattr(Partitions, "run_all", interrupted)


def test_links_seen_by_two_at_once_all_count(workers: Workers, monkeypatch: MonkeyPatch) -> None:
    one, two = workers("one"), workers("two")
    one.add([seen(A1, 0.9)])
    between(monkeypatch, lambda: two.add([seen(A1, 0.3, source=2), seen(B1, 0.8, source=2)]))
    batch = [seen(A1, 0.6, source=3), seen(B1, 0.2, source=3), seen(A2, 0.1), seen(B1, 0.2)]
    assert one.add(batch) == [contract.RESCORED, contract.RESCORED, contract.NEW, contract.RESCORED]
    found = {c.url: c for c in two.peek(9)}
    assert found[A1].score.value == pytest.approx(0.6)  # 0.9, 0.3, 0.6
    assert found[B1].score.value == pytest.approx(0.4)  # 0.8, 0.2, 0.2
    assert (found[A1].linked_from, found[B1].linked_from, len(two)) == (3, 3, 3)
    between(monkeypatch, lambda: two.lease(1, 0.0))  # what is leased meanwhile takes no evidence
    assert one.add([seen(A1, 0.1), contract.seed(C1)]) == [contract.CLOSED, contract.NEW]
    assert order(one) == [C1, B1, A2]


def test_scores_change_for_later_evidence_too(workers: Workers, monkeypatch: MonkeyPatch) -> None:
    one, two = workers("one"), workers("two")
    one.add([seen(A1, 0.5), seen(B1, 0.4)])
    between(monkeypatch, lambda: two.add([seen(A1, 0.7)]))
    one.reweight(lambda score: type(score)(-score.value))
    scores = {c.url: c.score.value for c in two.peek(2)}
    assert scores == {B1: -0.4, A1: pytest.approx(-0.6)}


def test_scored_links_of_hosts_spent_meanwhile_go(
    workers: Workers, monkeypatch: MonkeyPatch
) -> None:
    politeness = PolitenessPolicy(pages_per_host=1)
    one, two = workers("one", politeness), workers("two", politeness)
    fill(one, a1=0.9, a2=0.5)
    two.lease(1, 0.0)
    between(monkeypatch, lambda: two.ack(A1))
    late = [seen(A2, 0.9), ScoredLink(url("a3"), 1), seen(B1, 0.1)]
    assert one.add(late) == [Admission.EXHAUSTED, Admission.EXHAUSTED, contract.NEW]
    assert order(one) == [B1]


def test_a_kill_amid_a_redirect_loses_nothing(workers: Workers, monkeypatch: MonkeyPatch) -> None:
    one, two = workers("one"), workers("two")
    fill(one, a1=0.9)
    one.lease(1, 0.0)

    def killed(self: RedisFrontier, closings: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(RedisFrontier, "close_all", killed)
        one.redirect(A1, B1)
    assert names(two.lease(2, 10.0)) == ["a1", "b1"]  # asked again, and no harm done
    assert two.redirect(A1, B1) is contract.CLOSED
    assert two.lease(2, 10.0) == []


def test_shapes_that_were_forgotten_come_again(workers: Workers, server: Redis, crawl: str) -> None:
    one = workers("one")
    one.add([seen(A1, 0.9)])
    server.delete(f"scenthound:{{{crawl}}}:shapes")  # its last second was not on the disk
    one.add([seen(B1, 0.5)])
    (_, other) = workers("two").peek(2)
    assert (other.url, other.score.value) == (B1, 0.5)
    assert [inlink.score.value for inlink in other.inlinks] == [0.5]


def test_what_another_worker_asks_for_is_left_to_that_one(workers: Workers) -> None:
    politeness = PolitenessPolicy(delay=1.0, per_host=1)
    one, two = workers("one", politeness), workers("two", politeness)
    fill(one, a1=0.9, a2=0.8, a3=0.7)
    assert names(one.lease(1, 0.0)) == ["a1"]
    one.record_response(A1, 0.5)
    assert names(two.lease(1, 2.0)) == ["a2"]
    one.ack(A1)
    one.ack(A2)  # a1 says that it is another name of a2
    one.close_all([(A2, True)])
    assert one.lease(1, 4.0) == [] and where(one, A2) == "leased"
    two.record_response(A2, 5.0)
    two.ack(A2)
    assert one.lease(1, 5.9) == []
    assert names(one.lease(1, 6.0)) == ["a3"]


def test_urls_of_a_spent_host_do_not_wait_for_ever(workers: Workers) -> None:
    politeness = PolitenessPolicy(pages_per_host=1)
    one, two = workers("one", politeness), workers("two", politeness)
    fill(one, a1=0.9, a2=0.8, a3=0.7)
    assert names(one.lease(1, 0.0)) == ["a1"]
    partitions = one._partitions
    step = partitions.step_on(A1, "close", 1, b"", "one")
    closed = partitions.run(step)  # and then it is killed
    assert closed == 1 and two.left() == (2, 0)
    two.set_aside_exhausted()
    assert two.left() == (0, 0) and two.exhausted_urls() == 2
    assert [where(two, name) for name in (A1, A2)] == ["closed", "spent"]
    assert partitions.exhausted_hosts() == []


def test_a_repeated_request_has_the_same_answer(workers: Workers, monkeypatch: MonkeyPatch) -> None:
    one, two = workers("one"), workers("two")
    fill(one, a1=0.9, b1=0.8, c1=0.7)
    run_all = Partitions.run_all

    def sent_twice(self: Partitions, steps: list[Step], *before: Any) -> Any:
        if steps and steps[-1][0] == "lease":
            run_all(self, steps, *before)
        return run_all(self, steps, *before)

    monkeypatch.setattr(Partitions, "run_all", sent_twice)
    assert sorted(names(one.lease(2, 0.0))) == ["a1", "b1"]
    assert one.left() == (1, 2)
    assert names(two.lease(2, 0.0)) == ["c1"]
    assert one.lease(2, 0.0) == [] and two.left() == (0, 3)


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


def made(combination: Combination = contract.MAX, **options: Any) -> RedisFrontier:
    return RedisFrontier(Shared.client, Shared.crawl(), combination, **options)


class TestRedisFrontier(contract.FrontierContract, contract.PoliteContract):
    def make(
        self, combination: Combination = contract.MAX, lease_seconds: float = 10.0
    ) -> Frontier:
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
