"""How the SQLite frontier finds things: by index, in order, whatever the hash."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Iterator
from itertools import pairwise

import pytest

from frontier.frontier_contract import leased, order, seed, seen
from scenthound.core.model import Inlink, Score, ScoredLink
from scenthound.frontier import sqlite, sqlite_urls
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.frontier.sqlite_urls import MAX_ANCHOR, url_key


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    yield connection
    connection.close()


def many(count: int, hosts: int) -> list[ScoredLink]:
    rng = random.Random(count)
    return [seen(f"http://h{i % hosts}/{i}", round(rng.random(), 2)) for i in range(count)]


def test_many_urls_come_in_the_order_of_a_sort(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection)
    scored_links = many(800, 40)
    for start in range(0, 800, 50):
        frontier.add(scored_links[start : start + 50])
    best = sorted(scored_links, key=lambda s: -s.inlink.score.value if s.inlink else 0.0)
    expected = [s.url for s in best]
    assert order(frontier) == expected
    assert [url for _ in range(16) for url in leased(frontier, 50, 0.0)] == expected


def test_urls_with_the_same_key_are_told_apart(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection, key=lambda url: len(url))
    frontier.add([seen("http://a/1", 0.9), seen("http://a/2", 0.8), seen("http://b/1", 0.7)])
    frontier.add([seen("http://a/2", 0.85)])
    assert leased(frontier, 1, 0.0) == ["http://a/1"]
    frontier.ack("http://a/1")
    frontier.ack("http://a/9")
    closed = [frontier.is_closed(f"http://a/{i}") for i in (1, 2, 3, 9)]
    assert closed == [True, False, False, True]
    assert leased(frontier, 9, 0.0) == ["http://a/2", "http://b/1"]
    assert frontier.candidate("http://a/3") is None


def test_keys_of_one_host_lie_together() -> None:
    keys = sorted((url_key(f"http://{host}/{i}"), host) for host in "abcd" for i in range(50))
    assert sum(left[1] != right[1] for left, right in pairwise(keys)) == 3
    assert len(dict(keys)) == 200
    assert all(-(2**63) <= key < 2**63 for key, _ in keys)


def test_long_anchors_are_cut_and_odd_ones_kept(connection: sqlite3.Connection) -> None:
    frontier = SqliteFrontier(connection)
    anchors = ["ü" * 500, "\ud800 half", ""]
    frontier.add(
        [ScoredLink("http://a/1", 1, Inlink(2**40, Score(0.5), anchor)) for anchor in anchors]
    )
    (candidate,) = frontier.peek(1)
    assert [i.anchor for i in candidate.inlinks] == ["ü" * MAX_ANCHOR, "? half", ""]
    assert {i.source for i in candidate.inlinks} == {2**40}


def test_more_shapes_than_are_held_in_memory(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_urls, "_MAX_SHAPES", 16)
    frontier = SqliteFrontier(connection)
    scored_links = [seen(f"http://a/{i}", i / 50, source=i) for i in range(50)]
    frontier.add(scored_links)
    for scored_link in (scored_links[0], scored_links[49]):
        candidate = frontier.candidate(scored_link.url)
        assert candidate is not None and candidate.inlinks == (scored_link.inlink,)


def test_draw_finds_the_few_that_are_left(connection: sqlite3.Connection) -> None:
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


def test_many_retries_that_are_due_at_once_all_come_back(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_WOKEN_AT_ONCE", 20)
    frontier = SqliteFrontier(connection)
    frontier.add(many(50, 10))
    for url in leased(frontier, 50, 0.0):
        frontier.fail(url, 5.0)
    assert len(frontier) == 50
    assert len(frontier.lease(90, 5.0)) == 50


def test_no_statement_of_a_crawl_scans_a_table(connection: sqlite3.Connection) -> None:
    """Every statement is asked for its plan. Opening and rescoring may look at everything."""
    politeness = PolitenessPolicy(delay=1.0, per_host=2, pages_per_host=30, share=0.05)
    frontier = SqliteFrontier(connection, politeness=politeness, lease_seconds=20.0)
    statements: set[str] = set()
    connection.set_trace_callback(statements.add)
    use(frontier)
    connection.set_trace_callback(None)
    plans = {s: plan(connection, s) for s in statements if s.split()[0] in ("SELECT", "UPDATE")}
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


def plan(connection: sqlite3.Connection, statement: str) -> list[str]:
    return [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]
