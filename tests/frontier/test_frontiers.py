"""Frontiers in memory and in SQLite keep the contracts and agree with the models."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import pairwise
from pathlib import Path
from sqlite3 import Connection

import pytest
from hypothesis import settings
from pytest import MonkeyPatch

from frontier import frontier_contract as contract
from frontier.frontier_contract import leased, order, seed, seen, where
from frontier.frontier_model import LEASE_SECONDS, FrontierMachine, PoliteMachine
from scenthound.core.model import Combination, Inlink, Part, Score, ScoredLink
from scenthound.core.protocols import Frontier, PoliteFrontier
from scenthound.frontier import sqlite, sqlite_urls
from scenthound.frontier.memory import MemoryFrontier
from scenthound.frontier.politeness import NO_LIMITS, PolitenessPolicy
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.frontier.sqlite_urls import MAX_ANCHOR, url_key
from scenthound.storage.database import open_database


def in_memory() -> Connection:
    return sqlite3.connect(":memory:", isolation_level=None)


class TestSqliteFrontier(contract.FrontierContract, contract.PoliteContract):
    @pytest.fixture(autouse=True)
    def opened(self) -> Iterator[None]:
        with ExitStack() as self.stack:
            yield

    def make(
        self, combination: Combination = contract.MAX, lease_seconds: float = 10.0
    ) -> Frontier:
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


def test_every_url_seen_can_be_explained_and_one_given_up_be_tried_again(crawl: Crawl) -> None:
    frontier = crawl.frontier()
    frontier.add([seen(A1, 0.9), seen(A2, 0.8)])
    (candidate,) = frontier.lease(1, 0.0)
    assert [where(frontier, url) for url in (A1, A2, A3)] == ["leased", "waiting", None]
    frontier.ack(A1)
    again = crawl.killed()
    assert again.candidate(A1) == candidate
    assert again.candidate(A3) is None
    assert [where(again, url) for url in (A1, A2, A3)] == ["closed", "waiting", None]
    b2 = "http://b/2"
    again.add([seed(B1), seed(b2)])
    again.lease(2, 0.0)
    again.fail(B1, 5.0)
    again.lease(1, 5.0)
    again.fail(B1, None)
    again.reopen([B1, b2, A3])  # b2 is leased still, and A3 was never seen
    assert [where(again, url) for url in (B1, b2, A3)] == ["waiting", "leased", None]
    found, _ = again.lease(3, 6.0)
    assert (found.url, found.attempts, found.is_seed) == (B1, 0, True)


class TestMemoryFrontier(contract.FrontierContract):
    def make(
        self, combination: Combination = contract.MAX, lease_seconds: float = 10.0
    ) -> Frontier:
        return MemoryFrontier(combination, lease_seconds)


class MemoryMachine(FrontierMachine):
    def make(self, combination: Combination) -> Frontier:
        return MemoryFrontier(combination, LEASE_SECONDS)


class TestMemoryFrontierAgainstTheModel(MemoryMachine.TestCase):  # type: ignore[misc, valid-type]
    settings = settings(max_examples=20, stateful_step_count=40)


def test_scores_that_keep_changing_and_leases_that_are_answered_do_not_pile_up() -> None:
    frontier = MemoryFrontier(Combination.LAST)
    frontier.add([seen(url, 0.0) for url in "abc"])
    sizes = []
    for i in range(1, 2_501):
        frontier.add([seen("b", float(i))])
        sizes.append(len(frontier._heap))
    assert max(sizes) <= 2 * 3 + 1_000
    assert leased(frontier, 3, 0.0) == ["b", "a", "c"]
    frontier = MemoryFrontier(lease_seconds=10.0)
    timers = []
    for now in range(1_000):
        frontier.add([seen(f"u{now}", 0.5)])
        (candidate,) = frontier.lease(1, float(now))
        frontier.ack(candidate.url)
        timers.append(len(frontier._timers))
    assert max(timers) <= 11


# How SQLite finds things: by index, in order, whatever the hash.


@pytest.fixture
def connection() -> Iterator[Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    yield connection
    connection.close()


def many(count: int, hosts: int) -> list[ScoredLink]:
    rng = random.Random(count)
    return [seen(f"http://h{i % hosts}/{i}", round(rng.random(), 2)) for i in range(count)]


def test_many_urls_come_in_the_order_of_a_sort(connection: Connection) -> None:
    frontier = SqliteFrontier(connection)
    scored_links = many(800, 40)
    for start in range(0, 800, 50):
        frontier.add(scored_links[start : start + 50])
    best = sorted(scored_links, key=lambda s: -s.inlink.score.value if s.inlink else 0.0)
    expected = [s.url for s in best]
    assert order(frontier) == expected
    assert [url for _ in range(16) for url in leased(frontier, 50, 0.0)] == expected


def test_urls_of_one_key_are_told_apart_and_hosts_lie_together(
    connection: Connection, monkeypatch: MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_urls, "url_key", len)
    frontier = SqliteFrontier(connection)
    frontier.add([seen("http://a/1", 0.9), seen("http://a/2", 0.8), seen("http://b/1", 0.7)])
    frontier.add([seen("http://a/2", 0.85)])
    assert leased(frontier, 1, 0.0) == ["http://a/1"]
    frontier.ack("http://a/1")
    frontier.ack("http://a/9")
    closed = [frontier.is_closed(f"http://a/{i}") for i in (1, 2, 3, 9)]
    assert closed == [True, False, False, True]
    assert leased(frontier, 9, 0.0) == ["http://a/2", "http://b/1"]
    assert frontier.candidate("http://a/3") is None
    keys = sorted((url_key(f"http://{host}/{i}"), host) for host in "abcd" for i in range(50))
    assert sum(left[1] != right[1] for left, right in pairwise(keys)) == 3
    assert len(dict(keys)) == 200
    assert all(-(2**63) <= key < 2**63 for key, _ in keys)


def test_long_anchors_and_many_shapes(connection: Connection, monkeypatch: MonkeyPatch) -> None:
    frontier = SqliteFrontier(connection)
    anchors = ["ü" * 500, "\ud800 half", ""]
    frontier.add(
        [ScoredLink("http://a/1", 1, Inlink(2**40, Score(0.5), anchor)) for anchor in anchors]
    )
    (candidate,) = frontier.peek(1)
    assert [i.anchor for i in candidate.inlinks] == ["ü" * MAX_ANCHOR, "? half", ""]
    assert {i.source for i in candidate.inlinks} == {2**40}
    monkeypatch.setattr(sqlite_urls, "_MAX_SHAPES", 16)
    scored_links = [seen(f"http://b/{i}", i / 50, source=i) for i in range(50)]
    frontier.add(scored_links)
    for scored_link in (scored_links[0], scored_links[49]):
        found = frontier.candidate(scored_link.url)
        assert found is not None and found.inlinks == (scored_link.inlink,)


def test_draws_of_few_and_many_retries(connection: Connection, monkeypatch: MonkeyPatch) -> None:
    """Among 400 closed URLs drawing blindly finds nothing."""
    frontier, rng = SqliteFrontier(connection), random.Random(4)
    frontier.add(many(400, 50))
    for url in leased(frontier, 400, 0.0):
        frontier.ack(url)
    left = [f"http://h{i % 2}/left{i}" for i in range(4)]
    frontier.add([seen(url, 0.5) for url in left])
    drawn = [frontier.draw(rng, 0.0) for _ in range(5)]
    assert sorted(c.url for c in drawn if c is not None) == sorted(left)
    assert drawn[4] is None
    for url in left:
        frontier.ack(url)
    monkeypatch.setattr(sqlite, "_WOKEN_AT_ONCE", 20)
    frontier.add(seen(f"http://r{n % 10}/{n}", 0.5) for n in range(50))
    for url in leased(frontier, 50, 0.0):
        frontier.fail(url, 5.0)
    assert len(frontier) == 50
    assert len(frontier.lease(90, 5.0)) == 50


def test_no_statement_of_a_crawl_scans_a_table(connection: Connection) -> None:
    """Every statement is asked for its plan. Opening and rescoring may look at everything."""
    politeness = PolitenessPolicy(delay=1.0, per_host=2, pages_per_host=30, share=0.05)
    frontier = SqliteFrontier(connection, politeness=politeness, lease_seconds=20.0)
    statements: set[str] = set()
    connection.set_trace_callback(statements.add)
    use(frontier)
    connection.set_trace_callback(None)
    plans = {
        s: [step[3] for step in connection.execute(f"EXPLAIN QUERY PLAN {s}")]
        for s in statements
        if s.split()[0] in ("SELECT", "UPDATE")
    }
    assert len({re.sub(r"[\d.e+-]+|'[^']*'", "?", s) for s in plans}) > 20
    for statement, steps in plans.items():
        assert all(step.startswith("SEARCH") for step in steps), (statement, steps)
        if "next_at <=" in statement:
            assert all("frontier_resting" in step for step in steps), (statement, steps)


def use(frontier: SqliteFrontier) -> None:
    """A bit of everything that a crawl does."""
    rng, links = random.Random(1), many(500, 20)
    frontier.add([seed("http://h0/seed")])
    for now in range(60):
        frontier.add(rng.sample(links, 20))
        frontier.next_time(float(now))
        for candidate in frontier.lease(5, float(now)):
            frontier.record_response(candidate.url, now + 0.1)
            if now % 3:
                frontier.ack(candidate.url)
            elif now % 2:
                frontier.put_back(candidate.url)
        drawn = frontier.draw(rng, float(now))
        if drawn is not None:
            frontier.redirect(drawn.url, f"http://h{now % 30}/target{now}")
        taken = frontier.take(f"http://h{now % 20}/{now}", now + 0.5)
        if taken is not None:
            frontier.fail(taken.url, now + 3.0)
        frontier.rest(f"h{now % 20}", now + 2.0)
        frontier.slow_down(f"h{now % 20}", 1.5)
        frontier.peek(10)
        frontier.is_closed("http://h1/1")
