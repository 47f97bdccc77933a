"""The file of a cache: one SQLite database that several processes have open at once."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.store.cache_layout import Layout

_PATIENCE_S = 2.0
"""How long to wait while another process writes."""
_LOG = "-wal"
_BESIDE = (_LOG, "-shm", "-journal")
_LONG_LOG = 5_000_000
_PATIENCE_WITH_READERS_S = 0.1
"""How long to wait until the log can be emptied; whoever writes next tries again."""

_PRAGMAS = (
    "PRAGMA synchronous = NORMAL",  # the last entries may be lost with the power, not the file
    "PRAGMA cache_size = -16000",
    # The log goes into the file every MB: beside a small cache it would else be the larger one.
    "PRAGMA wal_autocheckpoint = 250",
    "PRAGMA journal_size_limit = 1000000",
)


def open_file(layout: Layout, folder: Path, warn: Callable[[str], None]) -> sqlite3.Connection:
    """The database in ``folder``, both made where they are not there; damaged, a new one.

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
    with _alone(layout, folder):
        try:
            return _connected(layout, path)
        except sqlite3.Error as error:
            if not is_damage(error):
                raise
        _move_aside(layout, path)
        warn(told_damage(layout, path))
        return _connected(layout, path)


def shorten_log(layout: Layout, database: sqlite3.Connection, folder: Path) -> None:
    """Empty SQLite's log where it is long: while several processes write it never ends by itself.

    Where others read just then it stays as it is.
    """
    if _bytes(folder / f"{layout.file}{_LOG}") <= _LONG_LOG:
        return
    _wait_at_most(database, _PATIENCE_WITH_READERS_S)
    try:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        _wait_at_most(database, _PATIENCE_S)


def set_aside(layout: Layout, folder: Path, opened: int) -> None:
    """Move a damaged file away, if it is still the one that was opened, by its inode."""
    path = folder / layout.file
    with _alone(layout, folder):
        if inode(path) == opened:
            _move_aside(layout, path)


def told_damage(layout: Layout, path: Path) -> str:
    """What became of a damaged file, in words."""
    return f"the {layout.title} {path} was damaged; it is now {layout.aside}, and a new one begins"


def inode(path: Path) -> int:
    """Which file lies there; 0 for none."""
    try:
        return path.stat().st_ino
    except OSError:
        return 0


def is_damage(error: Exception) -> bool:
    """Is the file broken, or no database at all?"""
    name = getattr(error, "sqlite_errorname", "")
    return name == "SQLITE_NOTADB" or name.startswith("SQLITE_CORRUPT")


def is_busy(error: Exception) -> bool:
    """Does another process write for longer than one waits?"""
    return getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


@contextmanager
def _alone(layout: Layout, folder: Path) -> Iterator[None]:
    """Nobody else makes, opens or moves the file meanwhile; the lock ends with the process."""
    with FileIO(folder / layout.lock, "ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _connected(layout: Layout, path: Path) -> sqlite3.Connection:
    _make_private(path)
    database = sqlite3.connect(path, _PATIENCE_S, isolation_level=None, check_same_thread=False)
    try:
        _prepare(layout, database, path)
    except BaseException:
        database.close()
        raise
    return database


def _make_private(path: Path) -> None:
    """An empty file that only its owner reads, for it holds texts; SQLite's logs follow it.

    One that is there stays as it is: somebody may share it on purpose.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _bytes(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _wait_at_most(database: sqlite3.Connection, seconds: float) -> None:
    database.execute(f"PRAGMA busy_timeout = {round(1_000 * seconds)}").fetchall()


def _prepare(layout: Layout, database: sqlite3.Connection, path: Path) -> None:
    for pragma in _PRAGMAS:
        database.execute(pragma)
    ((mark,),) = database.execute("PRAGMA application_id")
    ((tables,),) = database.execute("SELECT count(*) FROM sqlite_master")
    if not mark and not tables:
        database.execute("PRAGMA auto_vacuum = INCREMENTAL")  # heeded while there is no table
        with database:
            database.execute("BEGIN IMMEDIATE")
            for statement in layout.schema():
                database.execute(statement)
    elif mark != layout.application:
        raise FolderError(f"{path} is a database of another program")
    # Only now: until here a kill leaves an empty file, or none.
    database.execute("PRAGMA journal_mode = WAL")


def _move_aside(layout: Layout, path: Path) -> None:
    for ending in _BESIDE:
        path.with_name(path.name + ending).unlink(missing_ok=True)
    with suppress(FileNotFoundError):
        os.replace(path, path.with_name(layout.aside))
