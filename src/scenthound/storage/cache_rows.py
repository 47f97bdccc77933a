"""The rows of a cache, in a database that is open: looked up, stored, and evicted by size.

How the file is opened, shared and repaired is in ``cache_database``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

APPLICATION = int.from_bytes(b"ScnC", "big")
"""Tells our files from databases of other programs."""
_HOUR_S = 3600.0
_MAX_PENDING_USES = 20_000
"""Uses that are noted at once, where nothing is stored meanwhile."""
_MAX_LOG_BYTES = 5_000_000
_MAX_EVICTED = 10_000_000
"""Bytes evicted at once where a limit is lower than it was, so that no process waits long."""
_ROW_OVERHEAD = 150
"""Bytes of a row besides its content, at most; of a large one also the rest of its last page."""
_PAGE = 4_096
_KEYS_PER_QUERY = 256
# Contents lie apart, so that to note a use does not write a content again. They lie in the order
# they come: what is evicted together lies together, and frees whole pages.
_SCHEMA = (
    """CREATE TABLE entries (
        id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key BLOB NOT NULL,
        hour INTEGER NOT NULL, size INTEGER NOT NULL, UNIQUE (kind, key))""",
    "CREATE INDEX by_hour ON entries (hour)",
    "CREATE TABLE contents (id INTEGER PRIMARY KEY, content BLOB NOT NULL)",
    f"PRAGMA application_id = {APPLICATION}",
)
_ADD_ENTRY = (
    "INSERT INTO entries (kind, key, hour, size) VALUES (?, ?, ?, ?) ON CONFLICT "
    "DO UPDATE SET hour = excluded.hour, size = excluded.size RETURNING id"
)


class CacheRows:
    """The rows of an open database; what was found is noted by the hour, now and then.

    Parameters
    ----------
    database : with the tables of :func:`make_tables`.
    path : of its file.
    limit_bytes : the file's size; beyond it the entries go whose last use is longest ago.
    clock : seconds since 1970.
    """

    def __init__(
        self, database: sqlite3.Connection, path: Path, limit_bytes: int, clock: Callable[[], float]
    ) -> None:
        self.database = database
        self._log = path.with_name(f"{path.name}-wal")
        self._limit = limit_bytes
        self._clock = clock
        self._used: set[int] = set()

    def find(self, kind: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Those of the keys that are known."""
        found: dict[bytes, bytes] = {}
        for start in range(0, len(keys), _KEYS_PER_QUERY):
            chunk = keys[start : start + _KEYS_PER_QUERY]
            rows = self.database.execute(
                "SELECT id, key, content FROM entries JOIN contents USING (id) WHERE kind = ? "
                f"AND key IN ({','.join('?' * len(chunk))}) AND typeof(content) = 'blob'",
                (kind, *chunk),
            )
            for number, key, content in rows:
                found[key] = content
                self._used.add(number)
        if len(self._used) > _MAX_PENDING_USES:
            self.note_uses()
        return found

    def write(self, kind: str, rows: Mapping[bytes, bytes]) -> None:
        """Store rows, where need be in the place of others."""
        database = self.database
        self.note_uses()
        hour = _hour(self._clock())
        with database:  # one transaction: no other process takes the room that is made
            database.execute("BEGIN IMMEDIATE")
            self._make_room(sum(map(row_size, rows.values())))
            for key, content in rows.items():
                values = kind, key, hour, row_size(content)
                ((number,),) = database.execute(_ADD_ENTRY, values).fetchall()
                database.execute("INSERT OR REPLACE INTO contents VALUES (?, ?)", (number, content))
        page = pragma_value(database, "page_size")
        above = pragma_value(database, "page_count") - self._limit // page
        if above > 0:  # by executescript(), since execute() frees one page only
            pages = min(above, _MAX_EVICTED // page)
            database.executescript(f"PRAGMA incremental_vacuum({pages})")
        # While several processes write, SQLite's log never ends by itself.
        if bytes_on_disk([self._log]) > _MAX_LOG_BYTES:
            ((patience,),) = database.execute("PRAGMA busy_timeout")
            database.execute("PRAGMA busy_timeout = 100")  # the next writer tries again
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            database.execute(f"PRAGMA busy_timeout = {patience}")

    def _make_room(self, needed: int) -> None:
        """Delete the rows used longest ago, where there is no room for ``needed`` bytes.

        Some more go than must, so that the next rows find room.
        """
        database = self.database
        pages = pragma_value(database, "page_count") - pragma_value(database, "freelist_count")
        lacking = pages * pragma_value(database, "page_size") + needed - self._limit
        if lacking <= 0:
            return
        surplus = min(lacking + self._limit // 20, needed + _MAX_EVICTED)
        going: list[tuple[int]] = []
        oldest = database.execute("SELECT id, size FROM entries ORDER BY hour, id")
        for number, size in oldest:
            going.append((number,))
            surplus -= size
            if surplus <= 0:
                break
        oldest.close()
        database.executemany("DELETE FROM entries WHERE id = ?", going)
        database.executemany("DELETE FROM contents WHERE id = ?", going)

    def note_uses(self) -> None:
        """Write when the rows that were found were used; one that is gone stays gone."""
        if self._used:
            hour = _hour(self._clock())
            with self.database as database:
                database.execute("BEGIN IMMEDIATE")
                database.executemany(
                    "UPDATE entries SET hour = ? WHERE id = ? AND hour < ?",
                    [(hour, number, hour) for number in self._used],
                )
            self._used.clear()


def make_tables(
    database: sqlite3.Connection, rows: Iterable[tuple[str, bytes, bytes]], now: float
) -> None:
    """Make the tables, in one transaction, with these rows of kind, key and content in them."""
    database.execute("PRAGMA auto_vacuum = INCREMENTAL")  # has no effect after a table
    with database:
        database.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA:
            database.execute(statement)
        for kind, key, content in rows:
            values = kind, key, _hour(now), row_size(content)
            added = database.execute(_ADD_ENTRY, values).fetchall()
            database.execute("INSERT INTO contents VALUES (?, ?)", (*added[0], content))


def _hour(seconds: float) -> int:
    return int(seconds // _HOUR_S)


def row_size(content: bytes) -> int:
    """Bytes of the file that a row takes, at most: small ones share a page."""
    return len(content) + _ROW_OVERHEAD + (_PAGE if len(content) > _PAGE // 4 else 0)


def bytes_on_disk(files: Iterable[Path]) -> int:
    """What files take on the disk; those that are gone meanwhile, such as logs, take nothing."""
    total = 0
    for path in files:
        with suppress(OSError):
            total += path.stat().st_size
    return total


def pragma_value(database: sqlite3.Connection, pragma: str) -> int:
    """A setting or figure of the database that is a number."""
    ((value,),) = database.execute(f"PRAGMA {pragma}")
    return int(value)
