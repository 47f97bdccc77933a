"""A frontier that is only read: places, ranks and hosts, on a connection that cannot write."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

import pytest

from frontier.frontier_contract import link, order, seen
from scenthound.core.model import Combination, Inlink, ScoredLink
from scenthound.frontier import sqlite_reader as tables
from scenthound.frontier.memory import MemoryFrontier
from scenthound.frontier.politeness import NO_LIMITS, PolitenessPolicy
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.frontier.sqlite_reader import FrontierCounts, FrontierReader, write_waiting

A1, A2, A3, B1 = "http://a/1", "http://a/2", "http://a/3", "http://b/1"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "frontier.sqlite"


@pytest.fixture
def writing(path: Path) -> Iterator[Connection]:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    yield connection
    connection.close()


@pytest.fixture
def reading(path: Path, writing: Connection) -> Iterator[Connection]:
    del writing  # it makes the file
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
    yield connection
    connection.close()


def filled(connection: Connection, politeness: PolitenessPolicy = NO_LIMITS) -> SqliteFrontier:
    frontier = SqliteFrontier(connection, politeness=politeness)
    frontier.add([seen(A1, 0.5), seen(A2, 0.9), seen(A3, 0.5), seen(B1, 0.7)])
    return frontier


def place(
    reading: Connection, url: str, politeness: PolitenessPolicy, now: float = 0.0
) -> tuple[str, str]:
    standing = FrontierReader(reading, politeness, now).status(url)
    assert standing is not None
    return standing.place, standing.host.state


def test_ranks_are_places_in_the_order_of_leasing(writing: Connection, reading: Connection) -> None:
    frontier = filled(writing)
    before = writing.total_changes
    read = FrontierReader(reading, NO_LIMITS, 0.0)
    standings = [read.status(url) for url in order(frontier)]
    assert [s.candidate.url for s in standings if s] == [A2, B1, A1, A3]
    assert [s.better for s in standings if s] == [0, 1, 2, 3]
    assert [s.better_on_host for s in standings if s] == [0, 0, 1, 2]
    assert {(s.waiting, s.place, s.host.state) for s in standings if s} == {
        (4, tables.WAITING, tables.FREE_NOW)
    }
    assert reading.total_changes == 0 and writing.total_changes == before  # nothing is written
    assert read.candidate(A1) == frontier.candidate(A1)
    assert read.place(A1) == tables.WAITING
    unseen = "http://c/"
    assert [read.candidate(unseen), read.place(unseen), read.status(unseen)] == [None] * 3


def test_every_place(writing: Connection, reading: Connection) -> None:
    frontier = filled(writing, PolitenessPolicy(pages_per_host=1))
    frontier.lease(2, 0.0)  # the best of each host
    frontier.fail(B1, 60.0)
    assert place(reading, A2, NO_LIMITS)[0] == tables.UNDER_WAY
    frontier.ack(A2)
    politeness = PolitenessPolicy(pages_per_host=1)
    assert place(reading, A2, politeness) == (tables.DEALT_WITH, tables.IS_SPENT)
    assert place(reading, A1, politeness) == (tables.SET_ASIDE, tables.IS_SPENT)
    standing = FrontierReader(reading, politeness, 0.0).status(B1)
    assert standing is not None and standing.place == tables.RETRYING
    assert (standing.due, standing.candidate.attempts, standing.waiting) == (60.0, 1, 1)
    assert standing.host.state == tables.HAS_NOTHING


def test_a_host_rests_is_busy_and_is_free(writing: Connection, reading: Connection) -> None:
    politeness = PolitenessPolicy(delay=10.0, per_host=1)
    frontier = filled(writing, politeness)
    frontier.lease(1, 100.0)
    assert place(reading, A1, politeness, 100.0) == (tables.WAITING, tables.IS_BUSY)
    frontier.record_response(A2, 101.0)
    frontier.ack(A2)
    assert place(reading, A1, politeness, 105.0) == (tables.WAITING, tables.AT_REST)
    standing = FrontierReader(reading, politeness, 105.0).status(A1)
    assert standing is not None and standing.host.until == 111.0
    assert place(reading, A1, politeness, 111.0) == (tables.WAITING, tables.FREE_NOW)


def test_a_host_has_had_its_share(writing: Connection, reading: Connection) -> None:
    politeness = PolitenessPolicy(share=0.1)
    frontier = filled(writing, politeness)
    frontier.lease(1, 0.0)
    frontier.ack(A2)
    assert place(reading, A1, politeness) == (tables.WAITING, tables.HAD_ITS_SHARE)
    assert place(reading, B1, politeness) == (tables.WAITING, tables.FREE_NOW)


def test_counts_and_the_busiest_hosts(writing: Connection, reading: Connection) -> None:
    frontier = filled(writing, PolitenessPolicy(pages_per_host=1))
    read = FrontierReader(reading, PolitenessPolicy(pages_per_host=1), 0.0)
    assert read.counts() == FrontierCounts(waiting=4, retrying=0, under_way=0, set_aside=0)
    assert [host.name for host in read.busiest(9)] == ["a", "b"]
    assert [each.url for each in frontier.lease(1, 0.0)] == [A2]
    assert read.counts() == FrontierCounts(waiting=3, retrying=0, under_way=1, set_aside=0)
    frontier.ack(A2)
    assert read.counts() == FrontierCounts(waiting=1, retrying=0, under_way=0, set_aside=2)
    assert [(host.name, host.had, host.state) for host in read.busiest(1)] == [
        ("a", 1, tables.IS_SPENT)
    ]


def test_every_url_comes_back_with_what_spoke_for_it() -> None:
    frontier = MemoryFrontier(Combination.MEAN)
    for source in range(1, 4):
        frontier.add(
            ScoredLink(f"http://h{n % 3}.test/{n}", 1, Inlink(source, link(n / 9, source / 9), "a"))
            for n in range(1_100)
        )
    frontier.take("http://h0.test/0", 0.0)
    expected = frontier.peek(2_000)
    connection = sqlite3.connect(":memory:", isolation_level=None)
    write_waiting(connection, [], {})
    assert FrontierReader(connection, NO_LIMITS, 0.0).counts().waiting == 0
    connection = sqlite3.connect(":memory:", isolation_level=None)
    write_waiting(connection, expected, {"h1.test": 7})
    reading = FrontierReader(connection, NO_LIMITS, 0.0)
    for rank in (0, 500, 1_098):
        standing = reading.status(expected[rank].url)
        assert standing is not None and standing.candidate == expected[rank]
        assert (standing.place, standing.better, standing.waiting) == (tables.WAITING, rank, 1_099)
    (host,) = (each for each in reading.busiest(1))
    assert (host.name, host.had, host.waiting, host.state) == ("h1.test", 7, 367, tables.FREE_NOW)
    assert reading.status("http://h0.test/0") is None
