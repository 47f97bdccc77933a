"""The table of hosts: who has something to offer, and whose turn it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import fields
from operator import attrgetter

from scenthound.frontier.sqlite_host_row import Host
from scenthound.frontier.sqlite_schema import BUSY, FREE, GREEDY, READY, RESTING

_FIELDS = tuple(field.name for field in fields(Host))
_ROW = f"SELECT {', '.join(_FIELDS)} FROM frontier_hosts"
_WRITTEN = attrgetter(*_FIELDS[1:])
_LOOKED_UP_AT_ONCE = 8
_FIND = f"{_ROW} WHERE name IN ({', '.join('?' * _LOOKED_UP_AT_ONCE)})"
_INSERT = "INSERT INTO frontier_hosts (name) VALUES (?)"
_WRITE = f"""
    UPDATE frontier_hosts SET {", ".join(f"{name} = ?" for name in _FIELDS[1:-1])} WHERE id = ?
"""
_TOP = f"{_ROW} WHERE turn = ? ORDER BY best DESC, best_id LIMIT 1"
_ANY = "SELECT 1 FROM frontier_hosts WHERE turn = ? LIMIT 1"
_TOPS = """
    SELECT -best, best_id, id FROM frontier_hosts WHERE turn = ? ORDER BY best DESC, best_id
"""
# The planner would take the index of turns, and go through all hosts that rest or are greedy.
_WAKE = f"""
    UPDATE frontier_hosts INDEXED BY frontier_resting
    SET turn = CASE WHEN had > ? THEN {GREEDY} ELSE {FREE} END
    WHERE turn = {RESTING} AND next_at <= ?
"""
_FORGIVE = f"""
    UPDATE frontier_hosts INDEXED BY frontier_greedy SET turn = {FREE}
    WHERE turn = {GREEDY} AND had <= ?
"""
_FIRST_FREE = f"""
    SELECT next_at FROM frontier_hosts INDEXED BY frontier_resting
    WHERE turn = {RESTING} AND next_at IS NOT NULL ORDER BY next_at LIMIT 1
"""
_FAIR_RESTING = f"""
    SELECT 1 FROM frontier_hosts INDEXED BY frontier_resting
    WHERE turn = {RESTING} AND next_at <= ? AND had <= ? LIMIT 1
"""
_FAIR_BUSY = f"SELECT 1 FROM frontier_hosts WHERE turn = {BUSY} AND had <= ? LIMIT 1"
_BEST = f"""(best, best_id) = (
        SELECT score, frontier_urls.id FROM frontier_urls
        WHERE frontier_urls.host = frontier_hosts.id AND state = {READY}
        ORDER BY score DESC, frontier_urls.id LIMIT 1
    )"""
_FIND_BEST = f"UPDATE frontier_hosts SET {_BEST} WHERE turn IS NOT NULL"
_FORGET_LEASES = f"""
    UPDATE frontier_hosts SET ready = ready + leased, leased = 0, busy = 0, {_BEST}
    WHERE leased > 0
"""
_REST_ALL = """
    UPDATE frontier_hosts SET next_at = MAX(next_at, ? + MAX(delay, ?)) WHERE next_at IS NOT NULL
"""
_TURN = f"""
    CASE WHEN best_id IS NULL THEN NULL WHEN next_at > :now THEN {RESTING}
    WHEN had > :limit THEN {GREEDY} ELSE {FREE} END
"""
_TURN_ALL = f"UPDATE frontier_hosts SET turn = {_TURN} WHERE turn IS NOT {_TURN}"


class Hosts:
    """Rows by name and number, and the next host whose turn it is."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @property
    def count(self) -> int:
        """How many hosts are known; rows are never deleted, so the last one's number says it."""
        ((last,),) = self._connection.execute("SELECT MAX(id) FROM frontier_hosts")
        return int(last or 0)

    def named(self, names: Iterable[str]) -> dict[str, Host]:
        """The rows of these hosts; those unknown so far are created."""
        wanted = list(dict.fromkeys(names))
        found: dict[str, Host] = {}
        for start in range(0, len(wanted), _LOOKED_UP_AT_ONCE):
            some = wanted[start : start + _LOOKED_UP_AT_ONCE]
            padded = some + some[-1:] * (_LOOKED_UP_AT_ONCE - len(some))
            for row in self._connection.execute(_FIND, padded):
                found[row[0]] = Host(*row)
        for name in wanted:
            if name not in found:
                number = self._connection.execute(_INSERT, (name,)).lastrowid
                found[name] = Host(name, id=int(number or 0))
        return found

    def numbered(self, number: int) -> Host:
        """The row with this number, which must exist."""
        return Host(*self._connection.execute(f"{_ROW} WHERE id = ?", (number,)).fetchone())

    def write(self, hosts: Iterable[Host]) -> None:
        """Write rows that are there."""
        self._connection.executemany(_WRITE, map(_WRITTEN, hosts))

    def top(self, turn: int) -> Host | None:
        """The host with the best URL among those with this turn."""
        row = self._connection.execute(_TOP, (turn,)).fetchone()
        return None if row is None else Host(*row)

    def top_exists(self, turn: int) -> bool:
        """Is there a host with this turn?"""
        return self._connection.execute(_ANY, (turn,)).fetchone() is not None

    def tops(self, turn: int) -> Iterator[tuple[float, int, int]]:
        """Negative best score, its URL's number and the host's number, best first."""
        return self._connection.execute(_TOPS, (turn,))

    def ready_counts(self, turn: int) -> Iterator[tuple[int, int]]:
        """Number and count of ready URLs of all hosts with this turn, in a fixed order."""
        query = """
            SELECT id, ready FROM frontier_hosts WHERE turn = ? ORDER BY best DESC, best_id
        """
        return self._connection.execute(query, (turn,))

    def wake(self, now: float, limit: float) -> None:
        """Those that have rested enough may be asked, unless they had more than ``limit`` pages."""
        self._connection.execute(_WAKE, (limit, now))

    def forgive(self, limit: float) -> None:
        """Those that have had no more than ``limit`` pages are no longer greedy."""
        self._connection.execute(_FORGIVE, (limit,))

    def first_free(self) -> float | None:
        """When the first of the resting hosts may be asked; None where none rests."""
        row: tuple[float] | None = self._connection.execute(_FIRST_FREE).fetchone()
        return None if row is None else row[0]

    def find_best(self) -> None:
        """Look up the best URL of every host that has one again."""
        self._connection.execute(_FIND_BEST)

    def forget_leases(self) -> None:
        """What was leased is ready again, as the table of URLs says already."""
        self._connection.execute(_FORGET_LEASES)

    def rest_all(self, now: float, delay: float) -> None:
        """Every host that was ever asked rests from ``now`` on."""
        self._connection.execute(_REST_ALL, (now, delay))

    def turn_all(self, now: float, limit: float) -> None:
        """Find the turn of every host; none is busy."""
        self._connection.execute(_TURN_ALL, {"now": now, "limit": limit})

    def fair_one_is_due(self, until: float, limit: float) -> bool:
        """Is there one that had at most ``limit`` pages, busy or resting no longer than that?"""
        if self._connection.execute(_FAIR_RESTING, (until, limit)).fetchone() is not None:
            return True
        return self._connection.execute(_FAIR_BUSY, (limit,)).fetchone() is not None

    def with_at_least(self, had: int) -> list[Host]:
        """The hosts that have had as many pages and still have something to offer."""
        query = f"{_ROW} WHERE had >= ? AND ready > 0"
        return [Host(*row) for row in self._connection.execute(query, (had,)).fetchall()]

    def busiest(self, most: int) -> list[Host]:
        """Those that have had most pages, at most so many; of equals those with most that waits."""
        query = f"{_ROW} ORDER BY had DESC, ready DESC, id LIMIT ?"
        return [Host(*row) for row in self._connection.execute(query, (most,)).fetchall()]

    def sums(self) -> tuple[int, int]:
        """Ready URLs and pages had, over all hosts."""
        query = "SELECT COALESCE(SUM(ready), 0), COALESCE(SUM(had), 0) FROM frontier_hosts"
        ready, had = self._connection.execute(query).fetchone()
        return ready, had
