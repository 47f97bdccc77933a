"""A cache between runs: one SQLite file that several processes have open at once.

Opening, sharing and repair; ``cache_rows`` looks rows up, stores and evicts them. What rows are is
in ``cache``.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import ClassVar, Self, TypeVar

from scenthound.core.errors import FolderError, warn_caller
from scenthound.storage.cache_rows import (
    APPLICATION,
    CacheRows,
    bytes_on_disk,
    make_tables,
    pragma_value,
    row_size,
)

T = TypeVar("T")
DEFAULT_LIMIT = 2_000_000_000
_BUSY_TIMEOUT_S = 2.0
"""How long to wait while another process writes."""
_PRAGMAS = (
    "PRAGMA synchronous = NORMAL",  # the last rows may be lost with the power, not the file
    "PRAGMA cache_size = -16000",
    # The log goes into the file every MB: beside a small cache it would else be the larger one.
    "PRAGMA wal_autocheckpoint = 250",
    "PRAGMA journal_size_limit = 1000000",
)


@dataclass(frozen=True, slots=True)
class CacheUsage:
    """Rows of a cache by kind, the largest kind first, and the bytes of its files on disk."""

    entries: Mapping[str, int]
    bytes: int


class CacheFile:
    """Rows by kind and by a hash of what they stand for; no file is made before one is stored.

    It never stops a crawl: where the folder cannot be used, or the disk is full, it warns once and
    finds and stores nothing any more. Threads may share it. A process that is forked, or that it
    is sent to, opens the file again.

    Parameters
    ----------
    folder : where the file lies; made when it is needed.
    limit_bytes : the file's size; beyond it the entries go whose last use is longest ago. The
        log beside it, some MB while there is writing, comes on top.
    clock : seconds since 1970. Uses are noted by the hour.
    """

    title: ClassVar[str]
    """Its name in messages."""
    stem: ClassVar[str]
    """The name of its files, with the version of the format: programs of different ages do not
    meet in one file."""
    old_stem: ClassVar[str]
    """That of version 0.1, whose files are removed when their rows have been taken over."""

    def __init__(
        self, folder: Path, limit_bytes: int = DEFAULT_LIMIT, clock: Callable[[], float] = time.time
    ) -> None:
        self.folder = folder
        self.path = folder / f"{self.stem}.sqlite"
        self.damaged_path = folder / f"{self.stem}.sqlite.damaged"
        self._limit = limit_bytes
        self._clock = clock
        self._turn = threading.Lock()
        self._rows: CacheRows | None = None
        self._process = self._file = 0
        self._forsaken: list[CacheRows] = []
        self._was_damaged = self._given_up = False

    def __reduce__(self) -> tuple[type[CacheFile], tuple[object, ...]]:
        return type(self), (self.folder, self._limit, self._clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def old_rows(self, path: Path) -> Iterator[tuple[str, bytes, bytes]]:
        """Kind, key and content of what version 0.1 cached in the file ``path``; here nothing."""
        del path
        return iter(())

    def prepare(self) -> None:
        """Make the file before there is anything to store; warn of what is wrong with it now."""
        self._run(lambda _: None, make=True)

    def find_rows(self, kind: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """Those of the keys that are known; of a cache that is not there, none."""
        return self._run(lambda table: table.find(kind, keys)) or {}

    def store_rows(self, kind: str, rows: Mapping[bytes, bytes]) -> None:
        """Remember rows for other runs.

        Rows that would take more than nine tenths of the limit, alone or together with the ones
        before them, are left out: nothing is evicted for them in vain.
        """
        room, fitting = self._limit - self._limit // 10, dict[bytes, bytes]()
        for key, content in rows.items():
            if (size := row_size(content)) <= room:
                room -= size
                fitting[key] = content
        if fitting:
            self._run(lambda table: table.write(kind, fitting), make=True)

    def close(self) -> None:
        """Note what was used and close the file; the next question opens it again."""
        with self._turn:
            self._reopen_after_fork()
            with suppress(sqlite3.Error):
                if self._rows is not None:
                    self._rows.note_uses()
            self._disconnect()

    def usage(self) -> CacheUsage:
        """What the cache holds; FolderError where it cannot be read. Nothing is made."""
        counts = "SELECT kind, count(*) AS number FROM entries GROUP BY kind"
        with self._open_existing() as database:
            rows = database and database.execute(f"{counts} ORDER BY number DESC, kind").fetchall()
        files = *self.folder.glob(f"{self.path.name}*"), *self._old_files()
        return CacheUsage(dict(rows or ()), bytes_on_disk(files))

    def clear(self) -> None:
        """Delete all rows, also while others use the file; FolderError where that fails."""
        with self._open_existing() as database:
            for old in self._old_files():
                old.unlink(missing_ok=True)
            if database is not None:
                with database:
                    database.execute("BEGIN IMMEDIATE")
                    database.execute("DELETE FROM entries")
                    database.execute("DELETE FROM contents")
                database.executescript("PRAGMA incremental_vacuum")
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                self.damaged_path.unlink(missing_ok=True)

    def _old_files(self) -> list[Path]:
        return list(self.folder.glob(f"{self.old_stem}.*"))

    # Opening: a damaged file is moved aside and a new one begun.

    @contextmanager
    def _open_existing(self) -> Iterator[sqlite3.Connection | None]:
        """The database; None where there is none."""
        try:
            if not self.path.exists():
                yield None
                return
            with closing(self._open()) as database:
                yield database
        except (OSError, sqlite3.Error) as error:
            raise FolderError(
                f"the {self.title} {self.path} cannot be used: {_reason(error)}; end what uses it, "
                "or delete it."
            ) from None

    def _run(self, work: Callable[[CacheRows], T], make: bool = False) -> T | None:
        """What ``work`` gives, for one thread at a time; None where it cannot be done."""
        with self._turn:
            self._reopen_after_fork()
            try:
                if self._rows is None and not self._given_up and (make or self.path.exists()):
                    self._rows = CacheRows(self._open(), self.path, self._limit, self._clock)
                    self._process, self._file = os.getpid(), self.path.stat().st_ino
                return None if self._rows is None else work(self._rows)
            except (sqlite3.Error, OSError, FolderError) as error:
                self._handle_error(error)
                return None

    def _handle_error(self, error: Exception) -> None:
        """Move a damaged file aside, once; any other error ends the cache for this run."""
        name = getattr(error, "sqlite_errorname", "")
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            return  # another process writes for longer than one waits
        self._disconnect()
        if _is_damage(error) and not self._was_damaged:
            self._was_damaged = True
            with suppress(OSError), self._exclusive():
                # Another process may have begun a new file meanwhile.
                if self.path.stat().st_ino == self._file:
                    self._move_aside()
                return
        self._given_up = True
        warn_caller(
            f"the {self.title} {self.path} cannot be used ({_reason(error)}); this run goes on "
            "without it. Give another folder with --cache, or --cache none"
        )

    def _reopen_after_fork(self) -> None:
        """After a fork the connection is the parent's: not even to be closed here."""
        if self._rows is not None and self._process != os.getpid():
            self._forsaken.append(self._rows)
            self._rows = None

    def _disconnect(self) -> None:
        if self._rows is not None:
            self._rows.database.close()
        self._rows = None

    def _open(self) -> sqlite3.Connection:
        """The database, made where it is missing, a damaged one anew.

        FolderError where a database of another program has the name of ours.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._exclusive():
            try:
                return self._connected()
            except sqlite3.Error as error:
                if not _is_damage(error):
                    raise
            self._move_aside()
            return self._connected()

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """No other process makes, opens or moves the file meanwhile; the lock ends with ours."""
        with FileIO(self.folder / f"{self.stem}.lock", "ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _connected(self) -> sqlite3.Connection:
        # A new file is for its owner alone, since it holds texts; SQLite's logs follow it. One
        # that is there stays as it is: somebody may share it on purpose.
        with suppress(FileExistsError):
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        database = sqlite3.connect(
            self.path, _BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
        try:
            for pragma in _PRAGMAS:
                database.execute(pragma)
            mark = pragma_value(database, "application_id")
            ((tables,),) = database.execute("SELECT count(*) FROM sqlite_master")
            if not mark and not tables:
                old_rows = self.old_rows(self.folder / f"{self.old_stem}.sqlite")
                make_tables(database, old_rows, self._clock())
                for old in self._old_files():  # only now: all of their rows are here
                    old.unlink(missing_ok=True)
            elif mark != APPLICATION:
                raise FolderError(f"{self.path} is a database of another program")
            # Only now: until here a kill leaves an empty file, or none.
            database.execute("PRAGMA journal_mode = WAL")
        except BaseException:
            database.close()
            raise
        return database

    def _move_aside(self) -> None:
        for ending in ("-wal", "-shm", "-journal"):
            self.path.with_name(self.path.name + ending).unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            os.replace(self.path, self.damaged_path)
        warn_caller(
            f"the {self.title} {self.path} was damaged; it is now {self.damaged_path.name}, and a "
            "new one begins"
        )


def _is_damage(error: Exception) -> bool:
    """Is the file broken, or no database at all?"""
    name = getattr(error, "sqlite_errorname", "")
    return name == "SQLITE_NOTADB" or name.startswith("SQLITE_CORRUPT")


def _reason(error: Exception) -> object:
    return getattr(error, "strerror", None) or error
