"""The SQLite frontier keeps both contracts and agrees with both models."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from hypothesis import settings

from frontier.frontier_contract import MAX, FrontierContract, order, seed, seen, where
from frontier.frontier_model import LEASE_SECONDS, FrontierMachine
from frontier.polite_contract import PoliteContract
from frontier.polite_model import PoliteMachine
from scenthound.core.model import Combination, Inlink, Part, Score, ScoredLink
from scenthound.core.protocols import Frontier, PoliteFrontier
from scenthound.frontier.politeness import NO_LIMITS, PolitenessPolicy
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.storage.database import open_database


def in_memory() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None)


class TestSqliteFrontier(FrontierContract, PoliteContract):
    @pytest.fixture(autouse=True)
    def opened(self) -> Iterator[None]:
        with ExitStack() as self.stack:
            yield

    def make(self, combination: Combination = MAX, lease_seconds: float = 10.0) -> Frontier:
        connection = self.stack.enter_context(closing(in_memory()))
        return SqliteFrontier(connection, combination, lease_seconds=lease_seconds)

    def polite(self, politeness: PolitenessPolicy, lease_seconds: float = 100.0) -> PoliteFrontier:
        connection = self.stack.enter_context(closing(in_memory()))
        return SqliteFrontier(connection, politeness=politeness, lease_seconds=lease_seconds)


class SqliteMachine(FrontierMachine):
    def make(self, combination: Combination) -> Frontier:
        self.connection = in_memory()
        return SqliteFrontier(self.connection, combination, lease_seconds=LEASE_SECONDS)

    def teardown(self) -> None:
        self.connection.close()


class TestSqliteFrontierAgainstTheModel(SqliteMachine.TestCase):  # type: ignore[misc, valid-type]
    settings = settings(max_examples=10, stateful_step_count=40, deadline=None)


class PoliteSqliteMachine(PoliteMachine):
    def make_polite(self, politeness: PolitenessPolicy) -> PoliteFrontier:
        self.connection = in_memory()
        return self.make_again(politeness, 1.0)

    def make_again(self, politeness: PolitenessPolicy, now: float) -> PoliteFrontier:
        return SqliteFrontier(
            self.connection, politeness=politeness, lease_seconds=LEASE_SECONDS, now=now
        )

    def teardown(self) -> None:
        self.connection.close()


class TestSqliteFrontierAgainstPoliteHosts(
    PoliteSqliteMachine.TestCase  # type: ignore[misc, valid-type]
):
    settings = settings(max_examples=20, stateful_step_count=50, deadline=None)


# A process may die at any moment: what was committed goes on in the next one.


A1, A2, A3, B1 = "http://a/1", "http://a/2", "http://a/3", "http://b/1"


class Crawl:
    """A database file that is opened, killed and opened again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.connection = open_database(path, new=True)

    def frontier(self, rules: PolitenessPolicy = NO_LIMITS, now: float = 0.0) -> SqliteFrontier:
        return SqliteFrontier(self.connection, Combination.MEAN, rules, now=now)

    def killed(self, rules: PolitenessPolicy = NO_LIMITS, now: float = 0.0) -> SqliteFrontier:
        """The frontier of the next process; what was not committed is gone."""
        self.connection.close()
        self.connection = open_database(self._path, new=False)
        return self.frontier(rules, now)


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[Crawl]:
    crawl = Crawl(tmp_path / "crawl.sqlite")
    yield crawl
    crawl.connection.close()


def test_candidates_come_back_as_they_were(crawl: Crawl) -> None:
    frontier = crawl.frontier()
    parts = (Part("full", 0.1, 0.75), Part("anchor", 1 / 3, 0.25))
    links = [Inlink(n, Score(n / 10, parts[: n % 3]), f"Über {n}") for n in range(1, 8)]
    frontier.add([seed(A1), *(ScoredLink(A2, 4, link) for link in links), seen(A3, 0.2)])
    frontier.lease(1, 0.0)
    frontier.redirect(A1, B1)
    before = frontier.peek(9)
    assert [c.url for c in before] == [B1, A2, A3]
    assert crawl.killed().peek(9) == before


def test_what_was_not_committed_never_happened(crawl: Crawl) -> None:
    frontier = crawl.frontier()
    crawl.connection.execute("BEGIN")
    frontier.add([seen(A1, 0.9), seen(A2, 0.8)])
    crawl.connection.execute("COMMIT")
    crawl.connection.execute("BEGIN")
    frontier.lease(1, 0.0)
    frontier.ack(A1)
    frontier.add([seen(B1, 1.0), seen(A2, 1.0)])
    again = crawl.killed()
    assert order(again) == [A1, A2]
    assert (len(again), where(again, B1), again.peek(2)[1].score.value) == (2, None, 0.8)


def test_no_host_is_asked_within_one_delay_of_opening(crawl: Crawl) -> None:
    politeness = PolitenessPolicy(delay=2.0)
    frontier = crawl.frontier(politeness)
    frontier.add([seen(A1, 0.9), seen(A2, 0.8), seen(B1, 0.1)])
    assert frontier.next_time(0.0) == 0.0
    frontier.slow_down("a", 5.0)
    frontier.lease(1, 0.0)
    again = crawl.killed(politeness, now=100.0)
    assert again.lease(3, 101.9) == []
    assert again.take(B1, 101.9) is None
    assert again.next_time(101.0) == 102.0
    assert [c.url for c in again.lease(3, 102.0)] == [B1]
    assert again.next_time(103.0) == 105.0
    assert [c.url for c in again.lease(3, 105.0)] == [A1]


def test_budgets_and_shares_count_over_all_processes(crawl: Crawl) -> None:
    frontier = crawl.frontier(PolitenessPolicy(pages_per_host=2))
    frontier.add([seen(A1, 0.9), seen(A2, 0.8), seen(A3, 0.7), seen(B1, 0.1)])
    frontier.lease(1, 0.0)
    frontier.ack(A1)
    again = crawl.killed(PolitenessPolicy(share=0.5))
    assert [c.url for c in again.lease(1, 0.0)] == [B1]
    again = crawl.killed(PolitenessPolicy(pages_per_host=2))
    again.lease(1, 0.0)
    again.ack(A2)
    assert (where(again, A3), again.exhausted_urls(), again.exhausted_urls()) == ("spent", 1, 0)
    assert order(again) == [B1]


def test_a_smaller_budget_than_before_sets_urls_aside_at_once(crawl: Crawl) -> None:
    frontier = crawl.frontier()
    frontier.add([seen(A1, 0.9), seen(A2, 0.8), seen(B1, 0.1)])
    frontier.lease(1, 0.0)
    frontier.ack(A1)
    again = crawl.killed(PolitenessPolicy(pages_per_host=1))
    assert (order(again), len(again), again.exhausted_urls()) == ([B1], 1, 1)


def test_every_url_ever_seen_can_be_explained(crawl: Crawl) -> None:
    frontier = crawl.frontier()
    frontier.add([seen(A1, 0.9), seen(A2, 0.8)])
    (candidate,) = frontier.lease(1, 0.0)
    assert [where(frontier, url) for url in (A1, A2, A3)] == ["leased", "waiting", None]
    frontier.ack(A1)
    again = crawl.killed()
    assert again.candidate(A1) == candidate
    assert again.candidate(A3) is None
    assert [where(again, url) for url in (A1, A2, A3)] == ["closed", "waiting", None]


def test_a_url_given_up_may_be_tried_once_more(crawl: Crawl) -> None:
    frontier = crawl.frontier()
    frontier.add([seed(A1), seed(B1)])
    frontier.lease(2, 0.0)
    frontier.fail(A1, 5.0)
    frontier.lease(1, 5.0)
    frontier.fail(A1, None)
    frontier.reopen([A1, B1, A3])  # B1 is leased still, and A3 was never seen
    assert [where(frontier, url) for url in (A1, B1, A3)] == ["waiting", "leased", None]
    (again,) = frontier.lease(2, 6.0)
    assert (again.url, again.attempts, again.is_seed) == (A1, 0, True)
