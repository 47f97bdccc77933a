"""The table of URLs: every URL ever seen, one row each."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from scenthound.frontier.sqlite_schema import LEASED, READY, RETRY, SPENT
from scenthound.frontier.sqlite_shapes import Shapes
from scenthound.frontier.sqlite_url_row import (
    COLUMNS,
    Key,
    UrlRow,
    columns_of,
    packed_evidence,
    row_of,
    url_key,
)

_OPEN = frozenset({READY, RETRY})
_ROW = f"SELECT {COLUMNS} FROM frontier_urls"
_LOOKED_UP_AT_ONCE = 32
"""Keys in one query. Always as many, so that the statement is prepared once."""
_FIND = f"{_ROW} WHERE key IN ({', '.join('?' * _LOOKED_UP_AT_ONCE)})"
_INSERT = f"INSERT INTO frontier_urls ({COLUMNS}) VALUES ({', '.join('?' * 13)})"
_REWRITE = """
    UPDATE frontier_urls SET score = ?, depth = ?, sightings = ?, parts = ?, inlinks = ?
    WHERE id = ?
"""
_REDO = """
    UPDATE frontier_urls SET depth = ?, sightings = ?, parts = ?, inlinks = ? WHERE id = ?
"""
_MOVE = "UPDATE frontier_urls SET state = ?, due = ?, attempts = attempts + ? WHERE id = ?"
_RENEW = f"UPDATE frontier_urls SET state = {READY}, due = NULL, attempts = 0 WHERE id = ?"
_PLACED = f"""
    SELECT score, id FROM frontier_urls WHERE host = ? AND state = {READY}
    ORDER BY score DESC, id LIMIT 1 OFFSET ?
"""
_IN_ORDER = f"""
    SELECT -score, id FROM frontier_urls WHERE host = ? AND state = {READY}
    ORDER BY score DESC, id
"""
_DUE = f"{_ROW} WHERE due <= ? ORDER BY due LIMIT ?"
_SET_READY_ASIDE = f"UPDATE frontier_urls SET state = {SPENT} WHERE host = ? AND state = {READY}"
_SET_RETRIES_ASIDE = f"""
    UPDATE frontier_urls SET state = {SPENT}, due = NULL
    WHERE due IS NOT NULL AND state = {RETRY} AND host = ?
"""
_FREE_LEASED = f"""
    UPDATE frontier_urls SET state = {READY}, due = NULL
    WHERE due IS NOT NULL AND state = {LEASED}
"""


class Urls:
    """Rows by URL, by number, by time and by order within a host.

    Parameters
    ----------
    connection : where the tables are.
    key : the hash of a URL; URLs with equal keys are told apart by their text.
    """

    def __init__(self, connection: sqlite3.Connection, key: Key = url_key) -> None:
        self._connection = connection
        self._key = key
        self._shapes = Shapes(connection)

    def find(self, urls: Iterable[str]) -> dict[str, UrlRow]:
        """The rows of those URLs that are known; without evidence those that take no more."""
        wanted = {url: self._key(url) for url in urls}
        keys = list(set(wanted.values()))
        found: dict[str, UrlRow] = {}
        for start in range(0, len(keys), _LOOKED_UP_AT_ONCE):
            some = keys[start : start + _LOOKED_UP_AT_ONCE]
            padded = some + some[-1:] * (_LOOKED_UP_AT_ONCE - len(some))
            for raw in self._connection.execute(_FIND, padded):
                if raw[2] in wanted:
                    found[raw[2]] = row_of(raw, self._shapes, needs_evidence=raw[4] in _OPEN)
        return found

    def get(self, url: str) -> UrlRow | None:
        """The row of one URL; None where it was never seen."""
        for raw in self._connection.execute(f"{_ROW} WHERE key = ?", (self._key(url),)):
            if raw[2] == url:
                return row_of(raw, self._shapes)
        return None

    def numbered(self, number: int) -> UrlRow:
        """The row with this number: all numbers from 1 to the last one are taken."""
        raw = self._connection.execute(f"{_ROW} WHERE id = ?", (number,)).fetchone()
        return row_of(raw, self._shapes)

    def state_of(self, url: str) -> int | None:
        """The state of a URL; None where it was never seen."""
        query = "SELECT url, state FROM frontier_urls WHERE key = ?"
        rows = self._connection.execute(query, (self._key(url),))
        return next((state for other, state in rows if other == url), None)

    def insert(self, rows: Iterable[UrlRow]) -> None:
        """Write rows that are new."""
        values = [columns_of(row, self._key(row.url), self._shapes) for row in rows]
        self._connection.executemany(_INSERT, values)

    def rewrite(self, rows: Iterable[UrlRow]) -> None:
        """Write the evidence of rows that are there."""
        values = [
            (r.score, r.depth, r.sightings, *packed_evidence(r, self._shapes), r.id) for r in rows
        ]
        self._connection.executemany(_REWRITE, values)

    def rewrite_unmoved(self, rows: Iterable[UrlRow]) -> None:
        """The same for rows whose score has not changed: the order need not be touched."""
        values = [(r.depth, r.sightings, *packed_evidence(r, self._shapes), r.id) for r in rows]
        self._connection.executemany(_REDO, values)

    def move(self, number: int, state: int, due: float | None = None, failed: bool = False) -> None:
        """Change the state of a row; ``failed`` counts one more attempt."""
        self._connection.execute(_MOVE, (state, due, failed, number))

    def renew(self, number: int) -> None:
        """Make a row ready as if it had never been tried."""
        self._connection.execute(_RENEW, (number,))

    def best(self, host: int) -> tuple[float, int] | tuple[None, None]:
        """Score and number of the host's best ready row, if it has one."""
        row: tuple[float, int] | None = self._connection.execute(_PLACED, (host, 0)).fetchone()
        return (None, None) if row is None else row

    def placed(self, host: int, place: int) -> int:
        """Number of the host's ready row that ``place`` better ones precede."""
        return int(self._connection.execute(_PLACED, (host, place)).fetchone()[1])

    def in_order(self, host: int) -> Iterator[tuple[float, int]]:
        """The host's ready rows, best first, as pairs of negative score and number."""
        return self._connection.execute(_IN_ORDER, (host,))

    def due(self, now: float, most: int) -> list[UrlRow]:
        """Retries that are due and leases that have expired, earliest first, at most ``most``."""
        return [
            row_of(raw, self._shapes)
            for raw in self._connection.execute(_DUE, (now, most)).fetchall()
        ]

    def first_due(self) -> float | None:
        """When the next retry is due or the next lease expires; None where there is none."""
        query = "SELECT MIN(due) FROM frontier_urls WHERE due IS NOT NULL"
        first: float | None = self._connection.execute(query).fetchone()[0]
        return first

    def open_in(self, start: int, stop: int) -> list[UrlRow]:
        """The rows numbered ``start`` up to but not ``stop`` that wait or are leased."""
        query = f"{_ROW} WHERE id >= ? AND id < ? AND state IN ({READY}, {RETRY}, {LEASED})"
        return [
            row_of(raw, self._shapes)
            for raw in self._connection.execute(query, (start, stop)).fetchall()
        ]

    def set_aside(self, host: int) -> int:
        """The host is spent: none of its URLs waits any more. How many did."""
        ready = self._connection.execute(_SET_READY_ASIDE, (host,)).rowcount
        return ready + self._connection.execute(_SET_RETRIES_ASIDE, (host,)).rowcount

    def free_leased(self) -> None:
        """Let all leased rows be ready again."""
        self._connection.execute(_FREE_LEASED)

    def retries(self) -> int:
        """How many rows wait for a retry."""
        query = f"SELECT COUNT(*) FROM frontier_urls WHERE due IS NOT NULL AND state = {RETRY}"
        return int(self._connection.execute(query).fetchone()[0])

    def last_number(self) -> int:
        """The highest number given so far; 0 in an empty table."""
        query = "SELECT COALESCE(MAX(id), 0) FROM frontier_urls"
        return int(self._connection.execute(query).fetchone()[0])
