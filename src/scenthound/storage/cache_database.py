"""The SQLite file behind a cache: layout, opening and repair, rows, eviction by size.

Several processes have the file open at once.
"""

from __future__ import annotations

import fcntl
import hashlib
import math
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from scenthound.core.errors import FolderError

Values = tuple[int | bytes | None, ...]
"""A row as it is stored: its facts, then its content in bytes."""


@dataclass(frozen=True, slots=True)
class CacheLayout:
    """A kind of cache.

    Every kind has three tables: groups of rows by name, the rows, and when each was last used.

    Parameters
    ----------
    title : what messages call it.
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


# Opening: a damaged file is moved aside and a new one begun.

_BUSY_TIMEOUT_S = 2.0
"""How long to wait while another process writes."""

_SIDE_FILES = ("-wal", "-shm", "-journal")

_PRAGMAS = (
    "PRAGMA synchronous = NORMAL",  # the last rows may be lost with the power, not the file
    "PRAGMA cache_size = -16000",
    # The log goes into the file every MB: beside a small cache it would else be the larger one.
    "PRAGMA wal_autocheckpoint = 250",
    "PRAGMA journal_size_limit = 1000000",
)


def open_file(layout: CacheLayout, folder: Path, warn: Callable[[str], None]) -> sqlite3.Connection:
    """The database in ``folder``; both are made where they are missing, a damaged one anew.

    Transactions are the caller's. The connection may be used by several threads, one at a time.

    Raises
    ------
    FolderError
        A database of another program has the name of ours.
    OSError, sqlite3.Error
        The folder or the file cannot be used.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / layout.file
    with _exclusive(layout, folder):
        try:
            return _connected(layout, path)
        except sqlite3.Error as error:
            if not is_damage(error):
                raise
        _move_aside(layout, path)
        warn(damage_message(layout, path))
        return _connected(layout, path)


def quarantine(layout: CacheLayout, folder: Path, opened: int) -> None:
    """Move a damaged file aside, if it is still the one that was opened, by its inode."""
    path = folder / layout.file
    with _exclusive(layout, folder):
        if inode(path) == opened:
            _move_aside(layout, path)


def damage_message(layout: CacheLayout, path: Path) -> str:
    """What became of a damaged file, in words."""
    return f"the {layout.title} {path} was damaged; it is now {layout.aside}, and a new one begins"


def inode(path: Path) -> int:
    """Which file lies there; 0 for none."""
    with suppress(OSError):
        return path.stat().st_ino
    return 0


def is_damage(error: Exception) -> bool:
    """Is the file broken, or no database at all?"""
    name = getattr(error, "sqlite_errorname", "")
    return name == "SQLITE_NOTADB" or name.startswith("SQLITE_CORRUPT")


def is_busy(error: Exception) -> bool:
    """Does another process write for longer than one waits?"""
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


@contextmanager
def _exclusive(layout: CacheLayout, folder: Path) -> Iterator[None]:
    """No other process makes, opens or moves the file meanwhile; the lock ends with ours."""
    with FileIO(folder / f"{layout.stem}.lock", "ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _connected(layout: CacheLayout, path: Path) -> sqlite3.Connection:
    # A new file is for its owner alone, since it holds texts; SQLite's logs follow it. One that is
    # there stays as it is: somebody may share it on purpose.
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    database = sqlite3.connect(path, _BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    try:
        for pragma in _PRAGMAS:
            database.execute(pragma)
        mark = _number(database, "application_id")
        ((tables,),) = database.execute("SELECT count(*) FROM sqlite_master")
        if not mark and not tables:
            database.execute("PRAGMA auto_vacuum = INCREMENTAL")  # has no effect after a table
            with database:
                database.execute("BEGIN IMMEDIATE")
                for statement in layout.schema():
                    database.execute(statement)
        elif mark != int.from_bytes(layout.mark, "big"):
            raise FolderError(f"{path} is a database of another program")
        # Only now: until here a kill leaves an empty file, or none.
        database.execute("PRAGMA journal_mode = WAL")
    except BaseException:
        database.close()
        raise
    return database


def _move_aside(layout: CacheLayout, path: Path) -> None:
    for ending in _SIDE_FILES:
        path.with_name(path.name + ending).unlink(missing_ok=True)
    with suppress(FileNotFoundError):
        os.replace(path, path.with_name(layout.aside))


def _number(database: sqlite3.Connection, pragma: str) -> int:
    ((value,),) = database.execute(f"PRAGMA {pragma}")
    return int(value)


# Rows.

_KEYS_PER_QUERY = 256


def content_of(values: Values) -> bytes:
    """The content of a row."""
    content = values[-1]
    assert isinstance(content, bytes)
    return content


def group_number(name: str) -> int:
    """A number for the name of a group; the same everywhere."""
    digest = hashlib.blake2b(name.encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def look_up(
    layout: CacheLayout, database: sqlite3.Connection, group: str, keys: Sequence[bytes]
) -> Iterator[tuple[int, bytes, Values]]:
    """Number, key and values of each of the keys that is there; one of a wrong type is not."""
    numbers = [f"typeof({name}) IN ('integer', 'null')" for name, _ in layout.facts]
    typed = " AND ".join([f"typeof({layout.content}) = 'blob'", *numbers])
    for start in range(0, len(keys), _KEYS_PER_QUERY):
        chunk = keys[start : start + _KEYS_PER_QUERY]
        found = database.execute(
            f"SELECT id, key, {', '.join(layout.values)} FROM {layout.entries} "
            f"WHERE {layout.group} = ? AND key IN ({','.join('?' * len(chunk))}) AND {typed}",
            (group_number(group), *chunk),
        )
        for number, key, *values in found:
            yield number, key, tuple(values)


def write(
    layout: CacheLayout,
    database: sqlite3.Connection,
    group: str,
    rows: Mapping[bytes, Values],
    hour: int,
) -> None:
    """Add rows, or replace others; within a transaction of the caller's."""
    number, names = group_number(group), ", ".join(layout.values)
    database.execute(f"INSERT OR IGNORE INTO {layout.groups} VALUES (?, ?)", (number, group))
    changes = ", ".join(f"{name} = excluded.{name}" for name in layout.values)
    database.executemany(
        f"INSERT INTO {layout.entries} ({layout.group}, key, {names}) "
        f"VALUES (?, ?, {', '.join('?' * len(layout.values))}) "
        f"ON CONFLICT ({layout.group}, key) DO UPDATE SET {changes}",
        [(number, key, *values) for key, values in rows.items()],
    )
    database.executemany(
        f"INSERT OR REPLACE INTO uses SELECT id, ? FROM {layout.entries} "
        f"WHERE {layout.group} = ? AND key = ?",
        [(hour, number, key) for key in rows],
    )


def record_uses(database: sqlite3.Connection, numbers: Iterable[int], hour: int) -> None:
    """These rows were used in this hour; one that is gone stays gone."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        database.executemany(
            "UPDATE uses SET hour = ? WHERE id = ? AND hour < ?",
            [(hour, number, hour) for number in numbers],
        )


# Eviction: the rows whose last use is longest ago make room for new ones.

_MAX_LOG_BYTES = 5_000_000

_TRUNCATE_TIMEOUT_S = 0.1
"""How long to wait until the log can be emptied; the next writer tries again."""

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


def row_bytes(row: Values) -> int:
    """Bytes of the file that a row takes, at most: rows share a page, or a row has its own."""
    size = len(content_of(row)) + _ROW_OVERHEAD
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


def evict(layout: CacheLayout, database: sqlite3.Connection, needed: int, limit_bytes: int) -> None:
    """Evict the rows used longest ago, if there is no room for ``needed`` bytes.

    Some more go than must, so that the next rows find room. A file that is above the limit just
    grows no further. Within a transaction of the caller's.
    """
    bound = max(limit_bytes, _bytes_in_use(database))
    spare = min(_BATCH_BYTES, limit_bytes // 20)
    while (lacking := _bytes_in_use(database) + needed - bound) > 0:
        if not _evict_oldest(layout, database, lacking + spare):
            return


def shrink(layout: CacheLayout, database: sqlite3.Connection, limit_bytes: int) -> None:
    """Bring a file that is above the limit nearer to it, by 10 MB and not more: nobody waits long.

    A batch is a transaction of its own: other processes write in between.
    """
    for _ in range(_MAX_BATCHES):
        above = _bytes_in_use(database) - limit_bytes
        if above <= 0:
            break
        with database:
            database.execute("BEGIN IMMEDIATE")
            _evict_oldest(layout, database, min(above, _BATCH_BYTES))
    size = _number(database, "page_size")
    free = _number(database, "page_count") - limit_bytes // size
    if free > 0:  # by executescript(), since execute() frees one page only
        pages = min(free, _MAX_BATCHES * _BATCH_BYTES // size)
        database.executescript(f"PRAGMA incremental_vacuum({pages})")


def truncate_log(layout: CacheLayout, database: sqlite3.Connection, folder: Path) -> None:
    """Empty SQLite's log where it is long: while several processes write it never ends by itself.

    Where others read just then it stays as it is.
    """
    if bytes_on_disk([folder / f"{layout.file}-wal"]) <= _MAX_LOG_BYTES:
        return
    wait = "PRAGMA busy_timeout = {:.0f}".format
    database.execute(wait(1_000 * _TRUNCATE_TIMEOUT_S)).fetchall()
    try:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        database.execute(wait(1_000 * _BUSY_TIMEOUT_S)).fetchall()


def _evict_oldest(layout: CacheLayout, database: sqlite3.Connection, wanted: int) -> int:
    """Evict about so many bytes, at least one row; returns how many rows went."""
    going: list[tuple[int]] = []
    oldest = database.execute(  # the length of a content is known without reading it
        f"SELECT uses.id, coalesce(length({layout.content}), 0) "
        f"FROM uses LEFT JOIN {layout.entries} USING (id) ORDER BY hour, uses.id"
    )
    for number, size in oldest:
        going.append((number,))
        wanted -= size + _ROW_OVERHEAD
        if wanted <= 0:
            break
    oldest.close()
    database.executemany(f"DELETE FROM {layout.entries} WHERE id = ?", going)
    database.executemany("DELETE FROM uses WHERE id = ?", going)
    return len(going)


def _bytes_in_use(database: sqlite3.Connection) -> int:
    pages = _number(database, "page_count") - _number(database, "freelist_count")
    return pages * _number(database, "page_size")


# What a cache holds, and how it is emptied.


@dataclass(frozen=True, slots=True)
class CacheUsage:
    """What a cache holds.

    Parameters
    ----------
    entries : how many rows, by group; the group with the most first.
    bytes : what its files take on the disk; 0 where nothing was ever stored.
    """

    entries: Mapping[str, int]
    bytes: int


def cache_usage(layout: CacheLayout, folder: Path, warn: Callable[[str], None]) -> CacheUsage:
    """What the cache in ``folder`` holds; nothing is made where there is none.

    FolderError where it cannot be read. ``warn`` hears of damage, which is moved aside.
    """
    entries: dict[str, int] = {}
    counts = f"SELECT {layout.group} AS id, count(*) AS number FROM {layout.entries} GROUP BY 1"
    with _open_existing(layout, folder, warn) as database:
        if database is not None:
            named = f"SELECT name, number FROM ({counts}) JOIN {layout.groups} USING (id)"
            entries = dict(database.execute(f"{named} ORDER BY number DESC, name").fetchall())
    return CacheUsage(entries, bytes_on_disk(folder.glob(f"{layout.file}*")))


def delete_cached(layout: CacheLayout, folder: Path, warn: Callable[[str], None]) -> None:
    """Empty the cache in ``folder``, also while others use it; FolderError where that fails."""
    with _open_existing(layout, folder, warn) as database:
        if database is None:
            return
        with database:
            database.execute("BEGIN IMMEDIATE")
            for table in ("uses", layout.entries, layout.groups):
                database.execute(f"DELETE FROM {table}")
        database.executescript("PRAGMA incremental_vacuum")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        (folder / layout.aside).unlink(missing_ok=True)


def bytes_on_disk(files: Iterable[Path]) -> int:
    """What files take on the disk; those that are gone meanwhile, such as logs, take nothing."""
    total = 0
    for path in files:
        with suppress(OSError):
            total += path.stat().st_size
    return total


@contextmanager
def _open_existing(
    layout: CacheLayout, folder: Path, warn: Callable[[str], None]
) -> Iterator[sqlite3.Connection | None]:
    """The database; None where there is none."""
    path = folder / layout.file
    try:
        if not path.exists():
            yield None
            return
        with closing(open_file(layout, folder, warn)) as database:
            yield database
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise FolderError(
            f"the {layout.title} {path} cannot be used: {reason}; end what uses it, or delete it."
        ) from None
