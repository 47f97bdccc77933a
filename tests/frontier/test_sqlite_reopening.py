"""A process may die at any moment: what was committed goes on in the next one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from frontier.frontier_contract import order, seed, seen
from scenthound.core.model import Inlink, Part, Score, Sighting
from scenthound.frontier.combination import Combination
from scenthound.frontier.manners import Manners
from scenthound.frontier.sqlite import PRAGMAS, SqliteFrontier

A1, A2, A3, B1 = "http://a/1", "http://a/2", "http://a/3", "http://b/1"


class Crawl:
    """A database file that is opened, killed and opened again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.connection = self._connect()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None)
        for pragma in PRAGMAS:
            connection.execute(pragma)
        return connection

    def frontier(self, manners: Manners | None = None, now: float = 0.0) -> SqliteFrontier:
        return SqliteFrontier(self.connection, Combination.MEAN, manners or Manners(), now=now)

    def killed(self, manners: Manners | None = None, now: float = 0.0) -> SqliteFrontier:
        """The frontier of the next process; what was not committed is gone."""
        self.connection.close()
        self.connection = self._connect()
        return self.frontier(manners, now)


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[Crawl]:
    crawl = Crawl(tmp_path / "crawl.sqlite")
    yield crawl
    crawl.connection.close()


def test_candidates_come_back_as_they_were(crawl: Crawl) -> None:
    frontier = crawl.frontier()
    parts = (Part("full", 0.1, 0.75), Part("anchor", 1 / 3, 0.25))
    links = [Inlink(n, Score(n / 10, parts[: n % 3]), f"Über {n}") for n in range(1, 8)]
    frontier.add([seed(A1), *(Sighting(A2, 4, link) for link in links), seen(A3, 0.2)])
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
    assert (len(again), again.where(B1), again.peek(2)[1].score.value) == (2, None, 0.8)


def test_leased_urls_wait_again_and_nobody_is_to_blame(crawl: Crawl) -> None:
    frontier = crawl.frontier()
    frontier.add([seen(A1, 0.9), seen(A2, 0.9), seen(B1, 0.1)])
    frontier.lease(1, 0.0)
    frontier.fail(A1, 1.0)
    frontier.lease(2, 1.0)
    frontier.ack(A2)
    again = crawl.killed(now=1.0)
    assert [(c.url, c.attempts) for c in again.lease(3, 1.0)] == [(A1, 1), (B1, 0)]
    assert again.is_closed(A2)


def test_a_retry_is_still_not_due(crawl: Crawl) -> None:
    frontier = crawl.frontier()
    frontier.add([seen(A1, 0.9)])
    frontier.lease(1, 0.0)
    frontier.fail(A1, 50.0)
    again = crawl.killed(now=10.0)
    assert len(again) == 1
    assert again.next_time(10.0) == 50.0
    assert [c.attempts for c in again.lease(1, 50.0)] == [1]


def test_no_host_is_asked_within_one_delay_of_opening(crawl: Crawl) -> None:
    manners = Manners(delay=2.0)
    frontier = crawl.frontier(manners)
    frontier.add([seen(A1, 0.9), seen(A2, 0.8), seen(B1, 0.1)])
    assert frontier.next_time(0.0) == 0.0
    frontier.slow_down("a", 5.0)
    frontier.lease(1, 0.0)
    again = crawl.killed(manners, now=100.0)
    assert again.lease(3, 101.9) == []
    assert again.take(B1, 101.9) is None
    assert again.next_time(101.0) == 102.0
    assert [c.url for c in again.lease(3, 102.0)] == [B1]
    assert again.next_time(103.0) == 105.0
    assert [c.url for c in again.lease(3, 105.0)] == [A1]


def test_a_host_sent_to_rest_still_rests(crawl: Crawl) -> None:
    frontier = crawl.frontier()
    frontier.add([seen(A1, 0.9)])
    frontier.rest("a", 60.0)
    assert crawl.killed(now=10.0).next_time(10.0) == 60.0


def test_budgets_and_shares_count_over_all_processes(crawl: Crawl) -> None:
    frontier = crawl.frontier(Manners(pages_per_host=2))
    frontier.add([seen(A1, 0.9), seen(A2, 0.8), seen(A3, 0.7), seen(B1, 0.1)])
    frontier.lease(1, 0.0)
    frontier.ack(A1)
    again = crawl.killed(Manners(share=0.5))
    assert [c.url for c in again.lease(1, 0.0)] == [B1]
    again = crawl.killed(Manners(pages_per_host=2))
    again.lease(1, 0.0)
    again.ack(A2)
    assert (again.where(A3), again.spent_urls(), again.spent_urls()) == ("spent", 1, 0)
    assert order(again) == [B1]


def test_a_smaller_budget_than_before_sets_urls_aside_at_once(crawl: Crawl) -> None:
    frontier = crawl.frontier()
    frontier.add([seen(A1, 0.9), seen(A2, 0.8), seen(B1, 0.1)])
    frontier.lease(1, 0.0)
    frontier.ack(A1)
    again = crawl.killed(Manners(pages_per_host=1))
    assert (order(again), len(again), again.spent_urls()) == ([B1], 1, 1)


def test_every_url_ever_seen_can_be_explained(crawl: Crawl) -> None:
    frontier = crawl.frontier()
    frontier.add([seen(A1, 0.9), seen(A2, 0.8)])
    (candidate,) = frontier.lease(1, 0.0)
    assert [frontier.where(url) for url in (A1, A2, A3)] == ["leased", "waiting", None]
    frontier.ack(A1)
    again = crawl.killed()
    assert again.candidate(A1) == candidate
    assert again.candidate(A3) is None
    assert [again.where(url) for url in (A1, A2, A3)] == ["closed", "waiting", None]


def test_a_url_given_up_may_be_tried_once_more(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "f.sqlite", isolation_level=None)) as connection:
        frontier = SqliteFrontier(connection)
        frontier.add([seed("a"), seed("b")])
        frontier.lease(2, 0.0)
        frontier.fail("a", 5.0)
        frontier.lease(1, 5.0)
        frontier.fail("a", None)
        frontier.reopen(["a", "b", "never seen"])  # "b" is leased still
        assert (len(frontier), frontier.where("b"), frontier.where("never seen")) == (
            1, "leased", None,
        )  # fmt: skip
        (again,) = frontier.lease(2, 6.0)
        assert (again.url, again.attempts, again.is_seed) == ("a", 0, True)
