"""The SQLite database of a crawl folder, and the ledger in it: where each page lies, and which
page it is a copy of.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from scenthound.core.errors import FolderError
from scenthound.storage.files import os_errors_as
from scenthound.storage.folder import lock_holder
from scenthound.storage.warc_writer import Original, WarcPosition

PROGRESS = "progress"
"""The key in the ledger of how far everything was committed."""
APPLICATION = int.from_bytes(b"Scnt", "big")
VERSION = 1
BUSY_TIMEOUT_S = 5.0
"""How long to wait for another connection that is writing."""
_SIDE_FILES = ("-wal", "-journal")
"""Files of SQLite's beside the database, with what is not yet in it or was to be undone."""
_NOT_OURS = "is not a database of Scenthound; choose another folder."
_DAMAGED = "is damaged: put a whole copy back, or start a new crawl."

_PRAGMAS: Mapping[str, int | str] = {
    # With NORMAL the last commits may be lost with the power in WAL mode, and their pages are then
    # cut off the WARC files.
    "synchronous": "FULL",
    "cache_size": -64_000,
    "journal_size_limit": 64_000_000,
    "temp_store": "MEMORY",
}


def open_database(
    path: Path, new: bool, pragmas: Mapping[str, int | str] | None = None
) -> sqlite3.Connection:
    """The database at ``path``: every commit survives a loss of power.

    Transactions are the caller's: there are none unless ``BEGIN`` is executed. The connection
    may be used from several threads, by one at a time.

    Parameters
    ----------
    path : the file; its folder is there.
    new : make it. Without that it must be there.
    pragmas : settings of SQLite in addition to ours, or instead of them.

    FolderError where it is missing, there already, not ours, of another version, damaged, in use,
    or cannot be written.
    """
    _check_presence(path, new)
    with _connection(path, "") as database:
        for name, value in {**_PRAGMAS, **(pragmas or {})}.items():
            database.execute(f"PRAGMA {name} = {value}")
        database.execute("BEGIN IMMEDIATE")  # so it can be written after this
        if new:
            database.execute(f"PRAGMA application_id = {APPLICATION}")
            database.execute(f"PRAGMA user_version = {VERSION}")
        else:
            _check_marks(database, path)
            if read_pragma(database, "quick_check(1)") != "ok":  # takes some seconds a gigabyte
                raise FolderError(f"{path} {_DAMAGED}")
        database.execute("COMMIT")
        # Only now: until here a kill leaves an empty file, or none.
        database.execute("PRAGMA journal_mode = WAL")
        return database


def read_database(path: Path) -> sqlite3.Connection:
    """The database at ``path``, to read only: also while another process crawls.

    Where none does, and everything was written to the file itself when the last one ended, SQLite
    may assume that nothing changes: it then needs no files of its own beside it, so that the folder
    may be one that cannot be written.

    FolderError where it is missing, not ours, of another version or damaged.
    """
    _check_presence(path, new=False)
    beside = [path.with_name(path.name + ending) for ending in _SIDE_FILES]
    written = any(os.path.exists(file) and file.stat().st_size for file in beside)
    at_rest = lock_holder(path.parent) is None and not written
    mode = "?immutable=1" if at_rest else "?mode=ro"
    with _connection(path, mode) as database:
        _check_marks(database, path)
        return database


@contextmanager
def _connection(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """A new connection; it is closed on an error, and SQLite's errors become a FolderError."""
    address = f"file:{quote(os.fsencode(path.resolve()))}{mode}"
    try:
        database = sqlite3.connect(
            address, BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False, uri=True
        )
        try:
            yield database
        except BaseException:
            database.close()
            raise
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        if is_busy(error):
            problem = f"{path} is in use by another program: end that first."
        elif name == "SQLITE_NOTADB":
            problem = f"{path} {_NOT_OURS}"
        elif name.startswith("SQLITE_CORRUPT"):
            problem = f"{path} {_DAMAGED}"
        else:
            problem = f"the crawl database {path} cannot be used: {error}."
        raise FolderError(problem) from None


def _check_presence(path: Path, new: bool) -> None:
    """An empty file counts as none: SQLite leaves one when it is killed before its first commit."""
    with os_errors_as(FolderError, f"the crawl database {path} cannot be used"):
        there = path.exists() and path.stat().st_size > 0
    if new and there:
        raise FolderError(f"{path.parent} holds a crawl already; choose another --out folder.")
    if not new and not there:
        raise FolderError(
            f"{path.parent} has no {path.name}, so the crawl cannot be read; put the file back, or "
            "start a new crawl."
        )


def _check_marks(database: sqlite3.Connection, path: Path) -> None:
    if read_pragma(database, "application_id") != APPLICATION:
        raise FolderError(f"{path} {_NOT_OURS}")
    version = read_pragma(database, "user_version")
    if version != VERSION:
        raise FolderError(
            f"{path} has format version {version}, this Scenthound reads {VERSION}: use the "
            "version of Scenthound that wrote it."
        )


def has_table(database: sqlite3.Connection, name: str) -> bool:
    """Is there a table of that name?"""
    found = database.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,))
    return found.fetchone() is not None


def read_pragma(database: sqlite3.Connection, name: str) -> Any:
    """The value of a setting of SQLite, or the result of a check."""
    ((value,),) = database.execute(f"PRAGMA {name}")
    return value


def is_busy(error: Exception) -> bool:
    """Has another connection locked the database for longer than one waits?"""
    name = getattr(error, "sqlite_errorname", "")
    return bool(name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")))


# The ledger of stored pages: where each lies, and which earlier page has the same content.

_BLOCK_MASK = (1 << 16) - 1
"""The lowest bits of a fingerprint, by which it is found."""
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
        new = "INSERT INTO pages (n, url, at, payload_digest) VALUES (?, ?, ?, ?)"
        self._database.execute(new, (n, url, at, digest))
        if fingerprint is not None:
            row = fingerprint & _BLOCK_MASK, n, _signed(fingerprint)
            self._database.execute("INSERT INTO fingerprints VALUES (?, ?, ?)", row)

    def place(self, n: int, position: WarcPosition) -> None:
        """Say where page ``n`` was written."""
        place = "UPDATE pages SET segment = ?, offset = ?, length = ? WHERE n = ?"
        self._database.execute(place, (*position, n))

    def position(self, n: int) -> WarcPosition | None:
        """Where page ``n`` lies; None before it was placed, and for a page that is not there."""
        placed = "SELECT segment, offset, length FROM pages WHERE n = ? AND segment IS NOT NULL"
        row = self._database.execute(placed, (n,)).fetchone()
        return None if row is None else WarcPosition(*row)

    def original(self, n: int) -> Original:
        """URL and time of page ``n``, as a copy of it names it; KeyError where there is none."""
        row = self._database.execute("SELECT url, at FROM pages WHERE n = ?", (n,)).fetchone()
        if row is None:
            raise KeyError(n)
        return str(row[0]), float(row[1])

    def exact_copy(self, digest: bytes) -> int | None:
        """The first page with the same content to the byte; None where there is none."""
        same = "SELECT n FROM pages WHERE payload_digest = ? ORDER BY n LIMIT 1"
        row = self._database.execute(same, (digest,)).fetchone()
        return None if row is None else int(row[0])

    def near_copy(self, fingerprint: int) -> int | None:
        """The first page with this fingerprint; None where there is none.

        Copies that differ in a bit are not looked for: on a web of 5,885 pages with 1,000 copies
        that found a quarter more of them, and the first pages that were none.
        """
        same = "SELECT min(n) FROM fingerprints WHERE block = ? AND fingerprint = ?"
        block = fingerprint & _BLOCK_MASK
        ((n,),) = self._database.execute(same, (block, _signed(fingerprint)))
        return None if n is None else int(n)

    def set(self, key: str, value: object) -> None:
        """Keep ``value``, as JSON, under ``key``; replaces what was there."""
        text = json.dumps(value, allow_nan=False)
        self._database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, text))

    def get(self, key: str) -> object:
        """What was kept under ``key``; None where nothing was."""
        row = self._database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else json.loads(row[0])


def _signed(fingerprint: int) -> int:
    """SQLite's integers have a sign."""
    return fingerprint - 2 * _SIGN if fingerprint >= _SIGN else fingerprint
