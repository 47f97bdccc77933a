"""What waits in a frontier in memory, read back from tables."""

from __future__ import annotations

import sqlite3

from frontier.frontier_contract import link
from scenthound.core.model import Combination, Inlink, ScoredLink
from scenthound.frontier.memory import MemoryFrontier
from scenthound.frontier.politeness import NO_LIMITS
from scenthound.frontier.sqlite_reader import FREE_NOW, WAITING, FrontierReader, write_waiting


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
    write_waiting(connection, expected, {"h1.test": 7})
    reading = FrontierReader(connection, NO_LIMITS, 0.0)
    for rank in (0, 500, 1_098):
        standing = reading.status(expected[rank].url)
        assert standing is not None and standing.candidate == expected[rank]
        assert (standing.place, standing.better, standing.waiting) == (WAITING, rank, 1_099)
    (host,) = (each for each in reading.busiest(1))
    assert (host.name, host.had, host.waiting, host.state) == ("h1.test", 7, 367, FREE_NOW)
    assert reading.status("http://h0.test/0") is None


def test_nothing_waits() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    write_waiting(connection, [], {})
    assert FrontierReader(connection, NO_LIMITS, 0.0).counts().waiting == 0
