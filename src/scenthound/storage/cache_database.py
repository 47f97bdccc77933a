"""A cache between runs: one SQLite file that several processes have open at once.

Layout, opening and repair, rows, eviction by size.
"""

from __future__ import annotations

import fcntl
import hashlib
import math
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
Values = tuple[int | bytes | None, ...]
"""A row as it is stored: its facts, then its content in bytes."""
DEFAULT_LIMIT = 2_000_000_000
_HOUR_S = 3600.0
_MAX_PENDING_USES = 20_000
"""Uses that are noted at once, where nothing is stored meanwhile."""
_BUSY_TIMEOUT_S = 2.0
"""How long to wait while another process writes."""
_TRUNCATE_TIMEOUT_S = 0.1
"""How long to wait until the log can be emptied; the next writer tries again."""
_MAX_LOG_BYTES = 5_000_000

_PRAGMAS = (
    "PRAGMA synchronous = NORMAL",  # the last rows may be lost with the power, not the file
    "PRAGMA cache_size = -16000",
    # The log goes into the file every MB: beside a small cache it would else be the larger one.
    "PRAGMA wal_autocheckpoint = 250",
    "PRAGMA journal_size_limit = 1000000",
)

_KEYS_PER_QUERY = 256
_BATCH_BYTES = 500_000
"""Bytes written or evicted at once: so few that neither a crawl nor another process waits."""
_MAX_BATCHES = 20
"""Batches evicted together, where a limit is lower than it was."""
_PAGE = 4_096
"""Bytes of a page of the file, as SQLite makes them."""
_ROW_OVERHEAD = 60
"""Bytes of a row besides the content, at most."""
_INDEX_OVERHEAD = 100
"""Bytes of what points to a row, at most."""


@dataclass(frozen=True, slots=True)
class CacheLayout:
    """A kind of cache.

    Every kind has three tables: groups of rows by name, the rows, and when each was last used.

    Parameters
    ----------
    title : its name in messages.
    stem : name of its files, with the version of the format: programs of different ages do not
        meet in one file.
    mark : four bytes that tell its files from those of other programs.
    groups : table of the groups.
    group : column of the rows that names their group.
    entries : table of the rows.
    facts : columns of a row besides its content, with their types.
    content : column of the content.
    """

    title: str
    stem: str
    mark: bytes
    groups: str
    group: str
    entries: str
    facts: tuple[tuple[str, str], ...]
    content: str

    @property
    def file(self) -> str:
        """Name of the database."""
        return f"{self.stem}.sqlite"

    @property
    def aside(self) -> str:
        """The name that a damaged database is given."""
        return f"{self.file}.damaged"

    @property
    def values(self) -> tuple[str, ...]:
        """Columns that the caller of the cache fills: facts, then the content."""
        return (*(name for name, _ in self.facts), self.content)

    def schema(self) -> tuple[str, ...]:
        """Statements that make the tables."""
        facts = "".join(f"{name} {kind}, " for name, kind in self.facts)
        return (
            # By a hash of the name, so that a number means the same group in every process.
            f"CREATE TABLE {self.groups} (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
            # In the order they come: what is evicted together lies together, and frees whole
            # pages.
            f"CREATE TABLE {self.entries} (id INTEGER PRIMARY KEY, {self.group} INTEGER NOT NULL, "
            f"key BLOB NOT NULL, {facts}{self.content} BLOB NOT NULL, UNIQUE ({self.group}, key))",
            # Apart from the rows, so that to note a use does not write a row again.
            "CREATE TABLE uses (id INTEGER PRIMARY KEY, hour INTEGER NOT NULL)",
            "CREATE INDEX by_hour ON uses (hour)",
            f"PRAGMA application_id = {int.from_bytes(self.mark, 'big')}",
        )


@dataclass(frozen=True, slots=True)
class CacheUsage:
    """Rows of a cache by group, the largest group first, and the bytes of its files on disk."""

    entries: Mapping[str, int]
    bytes: int


class RowCache:
    """Rows by group and by a hash of what they stand for; no file is made before one is stored.

    To be subclassed: ``layout`` says what kind of cache it is.

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

    layout: ClassVar[CacheLayout]

    def __init__(
        self, folder: Path, limit_bytes: int = DEFAULT_LIMIT, clock: Callable[[], float] = time.time
    ) -> None:
        self.folder = folder
        self._path = folder / self.layout.file
        self._limit = limit_bytes
        self._clock = clock
        self._turn = threading.Lock()
        self._database: sqlite3.Connection | None = None
        self._process = self._file = 0
        self._used: set[int] = set()
        self._forsaken: list[sqlite3.Connection] = []
        self._was_damaged = self._given_up = False

    def prepare(self) -> None:
        """Make the file before there is anything to store; warn of what is wrong with it now."""
        self._run(lambda _: None, make=True)

    def find_rows(self, group: str, keys: Sequence[bytes]) -> dict[bytes, Values]:
        """Those of the keys that are known; of a cache that is not there, none."""
        return self._run(lambda database: self._look_up(database, group, keys)) or {}

    def store_rows(self, group: str, rows: Mapping[bytes, Values]) -> None:
        """Remember entries for other runs."""
        if rows:
            self._run(lambda database: self._write(database, group, rows), make=True)

    def close(self) -> None:
        """Note what was used and close the file; the next question opens it again."""
        with self._turn:
            self._reopen_after_fork()
            with suppress(sqlite3.Error):
                self._note_uses()
            self._disconnect()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def usage(self) -> CacheUsage:
        """What the cache holds; FolderError where it cannot be read. Nothing is made."""
        layout, entries = self.layout, dict[str, int]()
        counts = f"SELECT {layout.group} AS id, count(*) AS number FROM {layout.entries} GROUP BY 1"
        with self._open_existing() as database:
            if database is not None:
                named = f"SELECT name, number FROM ({counts}) JOIN {layout.groups} USING (id)"
                entries = dict(database.execute(f"{named} ORDER BY number DESC, name").fetchall())
        return CacheUsage(entries, bytes_on_disk(self.folder.glob(f"{layout.file}*")))

    def clear(self) -> None:
        """Delete all rows, also while others use the file; FolderError where that fails."""
        with self._open_existing() as database:
            if database is None:
                return
            with database:
                database.execute("BEGIN IMMEDIATE")
                for table in ("uses", self.layout.entries, self.layout.groups):
                    database.execute(f"DELETE FROM {table}")
            database.executescript("PRAGMA incremental_vacuum")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            (self.folder / self.layout.aside).unlink(missing_ok=True)

    # Opening: a damaged file is moved aside and a new one begun.

    @contextmanager
    def _open_existing(self) -> Iterator[sqlite3.Connection | None]:
        """The database; None where there is none."""
        try:
            if not self._path.exists():
                yield None
                return
            with closing(self._open()) as database:
                yield database
        except (OSError, sqlite3.Error) as error:
            raise FolderError(
                f"the {self.layout.title} {self._path} cannot be used: {_reason(error)}; end what "
                "uses it, or delete it."
            ) from None

    def _run(self, work: Callable[[sqlite3.Connection], T], make: bool = False) -> T | None:
        """What ``work`` gives, for one thread at a time; None where it cannot be done."""
        with self._turn:
            self._reopen_after_fork()
            try:
                if self._database is None and not self._given_up and (make or self._path.exists()):
                    self._database = self._open()
                    self._process, self._file = os.getpid(), self._path.stat().st_ino
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
                if self._path.stat().st_ino == self._file:
                    self._move_aside()
                return
        self._given_up = True
        warn_caller(
            f"the {self.layout.title} {self._path} cannot be used ({_reason(error)}); this run "
            "goes on without it. Give another folder with --cache, or --cache none"
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
        with FileIO(self.folder / f"{self.layout.stem}.lock", "ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _connected(self) -> sqlite3.Connection:
        # A new file is for its owner alone, since it holds texts; SQLite's logs follow it. One
        # that is there stays as it is: somebody may share it on purpose.
        with suppress(FileExistsError):
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        database = sqlite3.connect(
            self._path, _BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
        try:
            for pragma in _PRAGMAS:
                database.execute(pragma)
            mark = _number(database, "application_id")
            ((tables,),) = database.execute("SELECT count(*) FROM sqlite_master")
            if not mark and not tables:
                database.execute("PRAGMA auto_vacuum = INCREMENTAL")  # has no effect after a table
                with database:
                    database.execute("BEGIN IMMEDIATE")
                    for statement in self.layout.schema():
                        database.execute(statement)
            elif mark != int.from_bytes(self.layout.mark, "big"):
                raise FolderError(f"{self._path} is a database of another program")
            # Only now: until here a kill leaves an empty file, or none.
            database.execute("PRAGMA journal_mode = WAL")
        except BaseException:
            database.close()
            raise
        return database

    def _move_aside(self) -> None:
        aside = self.layout.aside
        for ending in ("-wal", "-shm", "-journal"):
            self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            os.replace(self._path, self._path.with_name(aside))
        warn_caller(
            f"the {self.layout.title} {self._path} was damaged; it is now {aside}, and a new one "
            "begins"
        )

    # Rows.

    def _look_up(
        self, database: sqlite3.Connection, group: str, keys: Sequence[bytes]
    ) -> dict[bytes, Values]:
        """Those of the keys that are there; a row of a wrong type is not."""
        layout, found = self.layout, dict[bytes, Values]()
        numbers = [f"typeof({name}) IN ('integer', 'null')" for name, _ in layout.facts]
        typed = " AND ".join([f"typeof({layout.content}) = 'blob'", *numbers])
        for start in range(0, len(keys), _KEYS_PER_QUERY):
            chunk = keys[start : start + _KEYS_PER_QUERY]
            rows = database.execute(
                f"SELECT id, key, {', '.join(layout.values)} FROM {layout.entries} "
                f"WHERE {layout.group} = ? AND key IN ({','.join('?' * len(chunk))}) AND {typed}",
                (_group_number(group), *chunk),
            )
            for number, key, *values in rows:
                found[key] = tuple(values)
                self._used.add(number)
        if len(self._used) > _MAX_PENDING_USES:
            self._note_uses()
        return found

    def _write(
        self, database: sqlite3.Connection, group: str, rows: Mapping[bytes, Values]
    ) -> None:
        self._note_uses()
        for needed, batch in write_batches(rows, self._limit):
            with database:  # one transaction: no other process takes the room that is made
                database.execute("BEGIN IMMEDIATE")
                self._make_room(database, needed)
                self._insert(database, group, batch)
            self._truncate_log(database)
        size = _number(database, "page_size")
        above = _number(database, "page_count") - self._limit // size
        if above > 0:  # by executescript(), since execute() frees one page only
            pages = min(above, _MAX_BATCHES * _BATCH_BYTES // size)
            database.executescript(f"PRAGMA incremental_vacuum({pages})")

    def _insert(
        self, database: sqlite3.Connection, group: str, rows: Mapping[bytes, Values]
    ) -> None:
        """Add rows, or replace others."""
        layout, number = self.layout, _group_number(group)
        database.execute(f"INSERT OR IGNORE INTO {layout.groups} VALUES (?, ?)", (number, group))
        changes = ", ".join(f"{name} = excluded.{name}" for name in layout.values)
        database.executemany(
            f"INSERT INTO {layout.entries} ({layout.group}, key, {', '.join(layout.values)}) "
            f"VALUES (?, ?, {', '.join('?' * len(layout.values))}) "
            f"ON CONFLICT ({layout.group}, key) DO UPDATE SET {changes}",
            [(number, key, *values) for key, values in rows.items()],
        )
        database.executemany(
            f"INSERT OR REPLACE INTO uses SELECT id, ? FROM {layout.entries} "
            f"WHERE {layout.group} = ? AND key = ?",
            [(self._hour, number, key) for key in rows],
        )

    @property
    def _hour(self) -> int:
        return int(self._clock() // _HOUR_S)

    def _note_uses(self) -> None:
        """Write when the rows that were found were used; one that is gone stays gone."""
        if self._database is None or not self._used:
            return
        hour = self._hour
        with self._database as database:
            database.execute("BEGIN IMMEDIATE")
            database.executemany(
                "UPDATE uses SET hour = ? WHERE id = ? AND hour < ?",
                [(hour, number, hour) for number in self._used],
            )
        self._used.clear()

    # Eviction: the rows whose last use is longest ago make room for new ones.

    def _make_room(self, database: sqlite3.Connection, needed: int) -> None:
        """Evict the rows used longest ago, if there is no room for ``needed`` bytes.

        Some more go than must, so that the next rows find room. A file that is far above the
        limit comes nearer to it by 10 MB and not more: nobody waits long.
        """
        spare = min(_BATCH_BYTES, self._limit // 20)
        for _ in range(_MAX_BATCHES):
            in_use = _number(database, "page_count") - _number(database, "freelist_count")
            lacking = in_use * _number(database, "page_size") + needed - self._limit
            if lacking <= 0:
                return
            if not self._evict_oldest(database, min(lacking + spare, _BATCH_BYTES)):
                return

    def _evict_oldest(self, database: sqlite3.Connection, wanted: int) -> int:
        """Evict about so many bytes, at least one row; returns how many rows went."""
        going: list[tuple[int]] = []
        oldest = database.execute(  # the length of a content is known without reading it
            f"SELECT uses.id, coalesce(length({self.layout.content}), 0) "
            f"FROM uses LEFT JOIN {self.layout.entries} USING (id) ORDER BY hour, uses.id"
        )
        for number, size in oldest:
            going.append((number,))
            wanted -= size + _ROW_OVERHEAD
            if wanted <= 0:
                break
        oldest.close()
        database.executemany(f"DELETE FROM {self.layout.entries} WHERE id = ?", going)
        database.executemany("DELETE FROM uses WHERE id = ?", going)
        return len(going)

    def _truncate_log(self, database: sqlite3.Connection) -> None:
        """Empty SQLite's log where it is long: while several processes write it never ends.

        Where others read just then it stays as it is.
        """
        if bytes_on_disk([self.folder / f"{self.layout.file}-wal"]) <= _MAX_LOG_BYTES:
            return
        wait = "PRAGMA busy_timeout = {:.0f}".format
        database.execute(wait(1_000 * _TRUNCATE_TIMEOUT_S)).fetchall()
        try:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            database.execute(wait(1_000 * _BUSY_TIMEOUT_S)).fetchall()


def row_bytes(row: Values) -> int:
    """Bytes of the file that a row takes, at most: rows share a page, or a row has its own."""
    content = row[-1]
    assert isinstance(content, bytes)
    size = len(content) + _ROW_OVERHEAD
    if size <= _PAGE // 2:
        return math.ceil(_PAGE / (_PAGE // size)) + _INDEX_OVERHEAD
    return (size // _PAGE + 2) * _PAGE + _INDEX_OVERHEAD


def write_batches(
    rows: Mapping[bytes, Values], limit_bytes: int
) -> Iterator[tuple[int, dict[bytes, Values]]]:
    """Rows in batches to write one after another, each with the bytes that it needs.

    Rows that would take more than nine tenths of the limit, alone or together with the ones before
    them, are left out: nothing is evicted for them in vain.
    """
    left = limit_bytes - limit_bytes // 10
    batch: dict[bytes, Values] = {}
    needed = 0
    for key, row in rows.items():
        size = row_bytes(row)
        if size > left:
            continue
        if batch and needed + size > _BATCH_BYTES:
            yield needed, batch
            batch, needed = {}, 0
        batch[key] = row
        needed += size
        left -= size
    if batch:
        yield needed, batch


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


def _group_number(name: str) -> int:
    """A number for the name of a group; the same everywhere."""
    digest = hashlib.blake2b(name.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _number(database: sqlite3.Connection, pragma: str) -> int:
    ((value,),) = database.execute(f"PRAGMA {pragma}")
    return int(value)
