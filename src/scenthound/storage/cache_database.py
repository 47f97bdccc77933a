"""A cache between runs: one SQLite file of rows by kind and key, which several processes share.

What the rows are is in ``cache``. A cache never stops a crawl: where it cannot be used, it warns
once, finds nothing and stores nothing.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self, TypeVar

from scenthound.core.errors import FolderError, warn_caller
from scenthound.storage.database import is_busy, read_pragma
from scenthound.storage.files import bytes_on_disk

T = TypeVar("T")
DEFAULT_LIMIT = 2_000_000_000
_APPLICATION = int.from_bytes(b"ScnC", "big")
"""Tells our files from databases of other programs."""
_BUSY_TIMEOUT_S = 2.0
"""How long to wait while another process writes."""
_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",  # the last rows may be lost with the power, not the file
    "PRAGMA cache_size = -16000",
    # The log goes into the file every MB: beside a small cache it would else be the larger one.
    "PRAGMA wal_autocheckpoint = 250",
    "PRAGMA journal_size_limit = 1000000",
)
# Numbers grow with every row, so the smallest ones are those of the oldest rows.
_SCHEMA = """CREATE TABLE entries (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key BLOB NOT NULL, content BLOB NOT NULL,
    UNIQUE (kind, key))"""
_INSERT = "INSERT OR REPLACE INTO entries (kind, key, content) VALUES (?, ?, ?)"
_KEYS_PER_QUERY = 256
_ROW_OVERHEAD = 16_384
"""Bytes that a row may add to the file besides its content: pages of the table and its index."""


@dataclass(frozen=True, slots=True)
class CacheUsage:
    """Rows of a cache by kind, the largest kind first, and the bytes of its files on disk."""

    entries: Mapping[str, int]
    bytes: int


class CacheFile:
    """Rows by kind and key; threads and processes may share it.

    The file is made when the first row is stored.

    Parameters
    ----------
    folder : where the file lies; made when it is needed.
    limit_bytes : bytes of rows; beyond it the oldest rows are deleted, and SQLite uses their place
        again: a file that was larger stays so until :meth:`clear`. The log beside it, some MB
        while there is writing, comes on top.
    """

    title: ClassVar[str]
    """Its name in messages."""
    stem: ClassVar[str]
    """The name of its file, with the version of the format."""
    old_files: ClassVar[str]
    """Pattern of the files of earlier formats, removed when their rows have been copied."""

    def __init__(self, folder: Path, limit_bytes: int = DEFAULT_LIMIT) -> None:
        self.folder = folder
        self.path = folder / f"{self.stem}.sqlite"
        self._limit = limit_bytes
        self._lock = threading.Lock()
        self._database: sqlite3.Connection | None = None
        self._given_up = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def old_rows(self) -> Iterator[tuple[str, bytes, bytes]]:
        """Kind, key and content of what version 0.1 cached in this folder; here nothing."""
        return iter(())

    def prepare(self) -> None:
        """Make the file before there is anything to store; warn of what is wrong with it now."""
        self._run(lambda _: None, make=True)

    def find_rows(self, kind: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the rows of the keys that are known; none where there is no cache."""

        def find(database: sqlite3.Connection) -> dict[bytes, bytes]:
            found: dict[bytes, bytes] = {}
            for start in range(0, len(keys), _KEYS_PER_QUERY):
                some = keys[start : start + _KEYS_PER_QUERY]
                places = ",".join("?" * len(some))
                query = f"SELECT key, content FROM entries WHERE kind = ? AND key IN ({places})"
                found.update(database.execute(query, (kind, *some)))
            return found

        return self._run(find) or {}

    def store_rows(self, kind: str, rows: Mapping[bytes, bytes]) -> None:
        """Store rows for other runs, but not those that take more than a half of the limit."""
        fitting = {key: row for key, row in rows.items() if len(row) <= self._limit // 2}

        def store(database: sqlite3.Connection) -> None:
            with database:
                database.execute("BEGIN IMMEDIATE")
                for key, content in fitting.items():
                    self._make_room(database, len(content) + _ROW_OVERHEAD)
                    database.execute(_INSERT, (kind, key, content))

        if fitting:
            self._run(store, make=True)

    def close(self) -> None:
        """Close the file; the next question opens it again."""
        with self._lock:
            if self._database is not None:
                self._database.close()
            self._database = None

    def usage(self) -> CacheUsage:
        """Return what the cache holds; FolderError where it cannot be read. Nothing is made."""
        counts = "SELECT kind, count(*) AS number FROM entries GROUP BY kind"
        query = f"{counts} ORDER BY number DESC, kind"
        rows = self._administer(lambda database: database.execute(query).fetchall())
        files = *self.folder.glob(f"{self.path.name}*"), *self._old_files()
        return CacheUsage(dict(rows or ()), bytes_on_disk(files))

    def clear(self) -> None:
        """Delete all rows, also while others use the file; FolderError where that fails."""

        def delete(database: sqlite3.Connection) -> None:
            # The file itself stays, as another process may have it open.
            for statement in ("DELETE FROM entries", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
                database.execute(statement).fetchall()

        for old in self._old_files():
            old.unlink(missing_ok=True)
        self._administer(delete)

    def _old_files(self) -> list[Path]:
        return list(self.folder.glob(self.old_files))

    def _administer(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """Return what ``work`` gives; None where there is no file, FolderError where it fails."""
        try:
            if not self.path.exists():
                return None
            with closing(self._connected()) as database:
                return work(database)
        except (OSError, sqlite3.Error, FolderError) as error:
            raise FolderError(
                f"the {self.title} {self.path} cannot be used: {_reason(error)}; end what uses it, "
                "or delete it."
            ) from None

    def _run(self, work: Callable[[sqlite3.Connection], T], make: bool = False) -> T | None:
        """Return what ``work`` gives, for one thread at a time; None where it cannot be done."""
        with self._lock:
            try:
                if self._database is None and not self._given_up and (make or self.path.exists()):
                    self._database = self._connected()
                return None if self._database is None else work(self._database)
            except (sqlite3.Error, OSError, FolderError) as error:
                if is_busy(error):
                    return None  # another process writes for longer than one waits
                self._given_up, database, self._database = True, self._database, None
                if database is not None:
                    database.close()
                warn_caller(
                    f"the {self.title} {self.path} cannot be used ({_reason(error)}); this run "
                    "goes on without it. Delete it, or give another folder with --cache, or "
                    "--cache none"
                )
                return None

    def _connected(self) -> sqlite3.Connection:
        """Return the database, made where it is missing; FolderError for another program's."""
        self.folder.mkdir(parents=True, exist_ok=True)
        # A new file is for its owner alone, since it holds texts; SQLite's logs follow it. One
        # that is there stays as it is: somebody may share it on purpose.
        with suppress(FileExistsError):
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        database = sqlite3.connect(
            self.path, _BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
        try:
            if not _is_ours(database):
                with database:
                    database.execute("BEGIN IMMEDIATE")
                    if not _is_ours(database):  # another process may have been quicker
                        database.execute(_SCHEMA)
                        database.execute(f"PRAGMA application_id = {_APPLICATION}")
                        database.executemany(_INSERT, self.old_rows())
            for old in self._old_files():  # only now: all of their rows are here
                old.unlink(missing_ok=True)
            for pragma in _PRAGMAS:
                database.execute(pragma)
        except BaseException:
            database.close()
            raise
        return database

    def _make_room(self, database: sqlite3.Connection, needed: int) -> None:
        """Delete the oldest rows, a twentieth at a time, until ``needed`` bytes are free.

        SQLite uses the pages of deleted rows again, so the file does not grow beyond the limit.
        """
        while True:
            pages = read_pragma(database, "page_count") - read_pragma(database, "freelist_count")
            if pages * read_pragma(database, "page_size") + needed <= self._limit:
                return
            ((first, last),) = database.execute("SELECT min(id), max(id) FROM entries")
            if first is None:
                return
            database.execute("DELETE FROM entries WHERE id <= ?", (first + (last - first) // 20,))


def _is_ours(database: sqlite3.Connection) -> bool:
    """Has it our table? False for an empty file, FolderError for another program's database."""
    ((tables,),) = database.execute("SELECT count(*) FROM sqlite_master")
    if tables and read_pragma(database, "application_id") != _APPLICATION:
        raise FolderError("it is a database of another program")
    return bool(tables)


def _reason(error: Exception) -> object:
    return getattr(error, "strerror", None) or error
