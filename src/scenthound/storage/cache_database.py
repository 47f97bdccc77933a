"""A cache between runs: one SQLite file that several processes have open at once.

Opening and repair, rows, eviction by size. What rows are is in ``storage.cache``.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import ClassVar, Self, TypeVar

from scenthound.core.errors import FolderError, warn_caller

T = TypeVar("T")
DEFAULT_LIMIT = 2_000_000_000
_HOUR_S = 3600.0
_MAX_PENDING_USES = 20_000
"""Uses that are noted at once, where nothing is stored meanwhile."""
_BUSY_TIMEOUT_S = 2.0
"""How long to wait while another process writes."""
_MAX_LOG_BYTES = 5_000_000
_MAX_EVICTED = 10_000_000
"""Bytes evicted at once where a limit is lower than it was, so that no process waits long."""
_ROW_OVERHEAD = 150
"""Bytes of a row besides its content, at most; of a large one also the rest of its last page."""
_PAGE = 4_096
_KEYS_PER_QUERY = 256
_APPLICATION = int.from_bytes(b"ScnC", "big")
"""Tells our files from databases of other programs."""

_PRAGMAS = (
    "PRAGMA synchronous = NORMAL",  # the last rows may be lost with the power, not the file
    "PRAGMA cache_size = -16000",
    # The log goes into the file every MB: beside a small cache it would else be the larger one.
    "PRAGMA wal_autocheckpoint = 250",
    "PRAGMA journal_size_limit = 1000000",
)
# Contents lie apart, so that to note a use does not write a content again. They lie in the order
# they come: what is evicted together lies together, and frees whole pages.
_SCHEMA = (
    """CREATE TABLE entries (
        id INTEGER PRIMARY KEY, kind TEXT NOT NULL, key BLOB NOT NULL,
        hour INTEGER NOT NULL, size INTEGER NOT NULL, UNIQUE (kind, key))""",
    "CREATE INDEX by_hour ON entries (hour)",
    "CREATE TABLE contents (id INTEGER PRIMARY KEY, content BLOB NOT NULL)",
    f"PRAGMA application_id = {_APPLICATION}",
)
_ADD_ENTRY = (
    "INSERT INTO entries (kind, key, hour, size) VALUES (?, ?, ?, ?) ON CONFLICT "
    "DO UPDATE SET hour = excluded.hour, size = excluded.size RETURNING id"
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
        self._database: sqlite3.Connection | None = None
        self._process = self._file = 0
        self._used: set[int] = set()
        self._forsaken: list[sqlite3.Connection] = []
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
        return self._run(lambda database: self._look_up(database, kind, keys)) or {}

    def store_rows(self, kind: str, rows: Mapping[bytes, bytes]) -> None:
        """Remember rows for other runs.

        Rows that would take more than nine tenths of the limit, alone or together with the ones
        before them, are left out: nothing is evicted for them in vain.
        """
        room, fitting = self._limit - self._limit // 10, dict[bytes, bytes]()
        for key, content in rows.items():
            if (size := _row_size(content)) <= room:
                room -= size
                fitting[key] = content
        if fitting:
            self._run(lambda database: self._write(database, kind, fitting), make=True)

    def close(self) -> None:
        """Note what was used and close the file; the next question opens it again."""
        with self._turn:
            self._reopen_after_fork()
            with suppress(sqlite3.Error):
                if self._database is not None:
                    self._note_uses(self._database)
            self._disconnect()

    def usage(self) -> CacheUsage:
        """What the cache holds; FolderError where it cannot be read. Nothing is made."""
        counts = "SELECT kind, count(*) AS number FROM entries GROUP BY kind"
        with self._open_existing() as database:
            rows = database and database.execute(f"{counts} ORDER BY number DESC, kind").fetchall()
        return CacheUsage(dict(rows or ()), bytes_on_disk(self.folder.glob(f"{self.path.name}*")))

    def clear(self) -> None:
        """Delete all rows, also while others use the file; FolderError where that fails."""
        with self._open_existing() as database:
            if database is not None:
                with database:
                    database.execute("BEGIN IMMEDIATE")
                    database.execute("DELETE FROM entries")
                    database.execute("DELETE FROM contents")
                database.executescript("PRAGMA incremental_vacuum")
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                self.damaged_path.unlink(missing_ok=True)

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

    def _run(self, work: Callable[[sqlite3.Connection], T], make: bool = False) -> T | None:
        """What ``work`` gives, for one thread at a time; None where it cannot be done."""
        with self._turn:
            self._reopen_after_fork()
            try:
                if self._database is None and not self._given_up and (make or self.path.exists()):
                    self._database = self._open()
                    self._process, self._file = os.getpid(), self.path.stat().st_ino
                return None if self._database is None else work(self._database)
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
        if self._database is not None and self._process != os.getpid():
            self._forsaken.append(self._database)
            self._database = None
            self._used.clear()

    def _disconnect(self) -> None:
        if self._database is not None:
            self._database.close()
        self._database = None
        self._used.clear()

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
            mark = _number(database, "application_id")
            ((tables,),) = database.execute("SELECT count(*) FROM sqlite_master")
            if not mark and not tables:
                self._make_tables(database)
            elif mark != _APPLICATION:
                raise FolderError(f"{self.path} is a database of another program")
            # Only now: until here a kill leaves an empty file, or none.
            database.execute("PRAGMA journal_mode = WAL")
        except BaseException:
            database.close()
            raise
        return database

    def _make_tables(self, database: sqlite3.Connection) -> None:
        database.execute("PRAGMA auto_vacuum = INCREMENTAL")  # has no effect after a table
        with database:
            database.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA:
                database.execute(statement)
            with suppress(sqlite3.Error):  # a damaged old cache gives the rows before the damage
                for kind, key, content in self.old_rows(self.folder / f"{self.old_stem}.sqlite"):
                    values = kind, key, self._hour, _row_size(content)
                    added = database.execute(_ADD_ENTRY, values).fetchall()
                    database.execute("INSERT INTO contents VALUES (?, ?)", (*added[0], content))
        for old in self.folder.glob(f"{self.old_stem}.*"):
            old.unlink(missing_ok=True)

    def _move_aside(self) -> None:
        for ending in ("-wal", "-shm", "-journal"):
            self.path.with_name(self.path.name + ending).unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            os.replace(self.path, self.damaged_path)
        warn_caller(
            f"the {self.title} {self.path} was damaged; it is now {self.damaged_path.name}, and a "
            "new one begins"
        )

    # Rows.

    def _look_up(
        self, database: sqlite3.Connection, kind: str, keys: Sequence[bytes]
    ) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        for start in range(0, len(keys), _KEYS_PER_QUERY):
            chunk = keys[start : start + _KEYS_PER_QUERY]
            rows = database.execute(
                "SELECT id, key, content FROM entries JOIN contents USING (id) WHERE kind = ? "
                f"AND key IN ({','.join('?' * len(chunk))}) AND typeof(content) = 'blob'",
                (kind, *chunk),
            )
            for number, key, content in rows:
                found[key] = content
                self._used.add(number)
        if len(self._used) > _MAX_PENDING_USES:
            self._note_uses(database)
        return found

    def _write(self, database: sqlite3.Connection, kind: str, rows: Mapping[bytes, bytes]) -> None:
        self._note_uses(database)
        hour = self._hour
        with database:  # one transaction: no other process takes the room that is made
            database.execute("BEGIN IMMEDIATE")
            self._make_room(database, sum(map(_row_size, rows.values())))
            for key, content in rows.items():
                values = kind, key, hour, _row_size(content)
                ((number,),) = database.execute(_ADD_ENTRY, values).fetchall()
                database.execute("INSERT OR REPLACE INTO contents VALUES (?, ?)", (number, content))
        page = _number(database, "page_size")
        above = _number(database, "page_count") - self._limit // page
        if above > 0:  # by executescript(), since execute() frees one page only
            pages = min(above, _MAX_EVICTED // page)
            database.executescript(f"PRAGMA incremental_vacuum({pages})")
        # While several processes write, SQLite's log never ends by itself.
        if bytes_on_disk([self.path.with_name(f"{self.path.name}-wal")]) > _MAX_LOG_BYTES:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _make_room(self, database: sqlite3.Connection, needed: int) -> None:
        """Delete the rows used longest ago, where there is no room for ``needed`` bytes.

        Some more go than must, so that the next rows find room.
        """
        pages = _number(database, "page_count") - _number(database, "freelist_count")
        lacking = pages * _number(database, "page_size") + needed - self._limit
        if lacking <= 0:
            return
        surplus = min(lacking + self._limit // 20, _MAX_EVICTED)
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

    @property
    def _hour(self) -> int:
        return int(self._clock() // _HOUR_S)

    def _note_uses(self, database: sqlite3.Connection) -> None:
        """Write when the rows that were found were used; one that is gone stays gone."""
        if self._used:
            hour = self._hour
            with database:
                database.execute("BEGIN IMMEDIATE")
                database.executemany(
                    "UPDATE entries SET hour = ? WHERE id = ? AND hour < ?",
                    [(hour, number, hour) for number in self._used],
                )
            self._used.clear()


def _row_size(content: bytes) -> int:
    """Bytes of the file that a row takes, at most: small ones share a page."""
    return len(content) + _ROW_OVERHEAD + (_PAGE if len(content) > _PAGE // 4 else 0)


def bytes_on_disk(files: Iterable[Path]) -> int:
    """What files take on the disk; those that are gone meanwhile, such as logs, take nothing."""
    total = 0
    for path in files:
        with suppress(OSError):
            total += path.stat().st_size
    return total


def _is_damage(error: Exception) -> bool:
    """Is the file broken, or no database at all?"""
    name = getattr(error, "sqlite_errorname", "")
    return name == "SQLITE_NOTADB" or name.startswith("SQLITE_CORRUPT")


def _reason(error: Exception) -> object:
    return getattr(error, "strerror", None) or error


def _number(database: sqlite3.Connection, pragma: str) -> int:
    ((value,),) = database.execute(f"PRAGMA {pragma}")
    return int(value)
