"""The book of stored pages: where each lies, and which page was there before with its content."""

from __future__ import annotations

import json
import sqlite3

from scenthound.store.exchange import Original, Position

BLOCKS = 4
"""Fingerprints that differ in fewer bits than this have one of their blocks in common."""

_BLOCK_BITS = 16
_BLOCK_MASK = (1 << _BLOCK_BITS) - 1
_SIGN = 1 << 63
_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS pages (
        n INTEGER PRIMARY KEY, url TEXT NOT NULL, at REAL NOT NULL,
        payload_digest BLOB NOT NULL,
        segment INTEGER, offset INTEGER, length INTEGER)""",
    "CREATE INDEX IF NOT EXISTS pages_by_digest ON pages (payload_digest)",
    """CREATE TABLE IF NOT EXISTS fingerprints (
        block INTEGER NOT NULL, n INTEGER NOT NULL, fingerprint INTEGER NOT NULL,
        PRIMARY KEY (block, n)) WITHOUT ROWID""",
    "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)
_RECORD = "INSERT INTO pages (n, url, at, payload_digest) VALUES (?, ?, ?, ?)"
_PLACE = "UPDATE pages SET segment = ?, offset = ?, length = ? WHERE n = ?"
_POSITION = "SELECT segment, offset, length FROM pages WHERE n = ? AND segment IS NOT NULL"
_SAME_DIGEST = "SELECT n FROM pages WHERE payload_digest = ? ORDER BY n LIMIT 1"
_SAME_BLOCK = "SELECT n, fingerprint FROM fingerprints WHERE block = ? ORDER BY n"
_SET = "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value"


class Ledger:
    """Stored pages by number, and facts about the crawl by name.

    Everything happens in the caller's transaction; nothing is committed here.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        for statement in _SCHEMA:
            database.execute(statement)

    def record(self, n: int, url: str, at: float, digest: bytes, fingerprint: int | None) -> None:
        """Enter a page.

        Parameters
        ----------
        n : its number in the journal, entered once.
        url, at : its URL, and when it was fetched.
        digest : see ``payload_digest``.
        fingerprint : its 64-bit fingerprint; None for a page that is never a near copy.
        """
        self._database.execute(_RECORD, (n, url, at, digest))
        if fingerprint is not None:
            rows = [(block, n, _signed(fingerprint)) for block in _blocks(fingerprint)]
            self._database.executemany("INSERT INTO fingerprints VALUES (?, ?, ?)", rows)

    def place(self, n: int, position: Position) -> None:
        """Say where page ``n`` was written."""
        self._database.execute(_PLACE, (*position, n))

    def position(self, n: int) -> Position | None:
        """Where page ``n`` lies; None before it was placed, and for a page that is not there."""
        row = self._database.execute(_POSITION, (n,)).fetchone()
        return None if row is None else Position(*row)

    def url_of(self, n: int) -> str:
        """The URL of page ``n``; KeyError where there is none."""
        return self.original(n)[0]

    def original(self, n: int) -> Original:
        """URL and time of page ``n``, as a copy of it names it; KeyError where there is none."""
        row = self._database.execute("SELECT url, at FROM pages WHERE n = ?", (n,)).fetchone()
        if row is None:
            raise KeyError(n)
        return str(row[0]), float(row[1])

    def exact_copy(self, digest: bytes) -> int | None:
        """The first page with the same content to the byte; None where there is none."""
        row = self._database.execute(_SAME_DIGEST, (digest,)).fetchone()
        return None if row is None else int(row[0])

    def near_copy(self, fingerprint: int, distance: int = BLOCKS - 1) -> int | None:
        """The first page whose fingerprint differs in at most ``distance`` (0 to 3) bits."""
        if not 0 <= distance < BLOCKS:
            raise ValueError(f"the distance must be 0 to {BLOCKS - 1}, not {distance}")
        found = (
            self._near_in_block(block, fingerprint, distance) for block in _blocks(fingerprint)
        )
        return min((n for n in found if n is not None), default=None)

    def set(self, key: str, value: object) -> None:
        """Keep ``value``, as JSON, under ``key``; replaces what was there."""
        self._database.execute(_SET, (key, json.dumps(value, allow_nan=False)))

    def get(self, key: str) -> object:
        """What was kept under ``key``; None where nothing was."""
        row = self._database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else json.loads(row[0])

    def _near_in_block(self, block: int, fingerprint: int, distance: int) -> int | None:
        mine = _signed(fingerprint)
        for n, other in self._database.execute(_SAME_BLOCK, (block,)):
            if hamming_distance(mine, other) <= distance:
                return int(n)
        return None


def hamming_distance(one: int, other: int) -> int:
    """In how many of 64 bits two fingerprints differ; they may be signed or not, both alike."""
    return ((one ^ other) & (2 * _SIGN - 1)).bit_count()


def _blocks(fingerprint: int) -> list[int]:
    """The four blocks, each marked with its place."""
    return [
        place << _BLOCK_BITS | (fingerprint >> place * _BLOCK_BITS) & _BLOCK_MASK
        for place in range(BLOCKS)
    ]


def _signed(fingerprint: int) -> int:
    """SQLite's integers have a sign."""
    return fingerprint - 2 * _SIGN if fingerprint >= _SIGN else fingerprint
