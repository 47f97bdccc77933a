"""The database of a crawl: one SQLite file that is ours, of a version we know, and whole."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import quote

from scenthound.core.errors import FolderError
from scenthound.store.lock import holder

APPLICATION = int.from_bytes(b"Scnt", "big")
VERSION = 1
PATIENCE_S = 5.0
"""How long to wait for another connection that is writing."""
_BESIDE = ("-wal", "-journal")
"""Files of SQLite's beside the database, with what is not yet in it or was to be undone."""

_PRAGMAS: Mapping[str, int | str] = {
    "synchronous": "FULL",
    "cache_size": -64_000,
    "journal_size_limit": 64_000_000,
    "temp_store": "MEMORY",
}


def open_database(
    path: Path,
    new: bool,
    pragmas: Mapping[str, int | str] | None = None,
    patience_s: float = PATIENCE_S,
) -> sqlite3.Connection:
    """The database at ``path``: every commit survives a loss of power.

    Transactions are the caller's: there are none unless ``BEGIN`` is executed. The connection
    may be used from several threads, by one at a time.

    Parameters
    ----------
    path : the file; its folder is there.
    new : make it. Without that it must be there.
    pragmas : settings of SQLite in addition to ours, or instead of them.
    patience_s : how long to wait, now and later, while another process writes.

    Raises
    ------
    FolderError
        It is missing, there already, not ours, of another version, damaged, in use, or cannot be
        written.
    """
    _check_presence(path, new)

    def prepare(database: sqlite3.Connection) -> None:
        for name, value in {**_PRAGMAS, **(pragmas or {})}.items():
            database.execute(f"PRAGMA {name} = {value}")
        _prepare(database, path, new)
        # Only now: until here a kill leaves an empty file, or none.
        database.execute("PRAGMA journal_mode = WAL")

    return _connected(path, "", patience_s, prepare)


def read_database(path: Path) -> sqlite3.Connection:
    """The database at ``path``, to read only: also while another process crawls.

    Where none does, and everything was written to the file itself when the last one ended, SQLite
    is told that nothing changes: it then needs no files of its own beside it, so that the folder
    may be one that cannot be written.

    Raises
    ------
    FolderError
        It is missing, not ours, of another version or damaged.
    """
    _check_presence(path, new=False)
    mode = "?immutable=1" if _is_at_rest(path) else "?mode=ro"
    return _connected(path, mode, PATIENCE_S, lambda database: _check_marks(database, path))


def _is_at_rest(path: Path) -> bool:
    """Does nobody write, and is nothing left that was written beside the file?"""
    if holder(path.parent) is not None:
        return False
    return not any(_holds_something(path.with_name(path.name + ending)) for ending in _BESIDE)


def _holds_something(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def _connected(
    path: Path, mode: str, patience_s: float, prepare: Callable[[sqlite3.Connection], None]
) -> sqlite3.Connection:
    """A connection that ``prepare`` has had; FolderError, and none is left, where that fails."""
    address = f"file:{quote(os.fsencode(path.resolve()))}{mode}"
    try:
        database = sqlite3.connect(
            address, patience_s, isolation_level=None, check_same_thread=False, uri=True
        )
    except sqlite3.Error as error:
        raise _unusable(path, error) from None
    try:
        prepare(database)
    except sqlite3.Error as error:
        database.close()
        raise _unusable(path, error) from None
    except FolderError:
        database.close()
        raise
    return database


def _check_presence(path: Path, new: bool) -> None:
    """An empty file counts as none: SQLite leaves one when it is killed before its first commit."""
    try:
        there = path.exists() and path.stat().st_size > 0
    except OSError as error:
        raise FolderError(f"the crawl database {path} cannot be used: {error.strerror}.") from None
    if new and there:
        raise FolderError(f"{path.parent} holds a crawl already; choose another --out folder.")
    if not new and not there:
        raise FolderError(f"{path.parent} holds no crawl to go on with: there is no {path.name}.")


def _prepare(database: sqlite3.Connection, path: Path, new: bool) -> None:
    """Mark a new database as ours, or check the marks; either way it can be written after this."""
    database.execute("BEGIN IMMEDIATE")
    if new:
        database.execute(f"PRAGMA application_id = {APPLICATION}")
        database.execute(f"PRAGMA user_version = {VERSION}")
    else:
        _check(database, path)
    database.execute("COMMIT")


def _check(database: sqlite3.Connection, path: Path) -> None:
    _check_marks(database, path)
    ((verdict,),) = database.execute("PRAGMA quick_check(1)")  # some seconds a gigabyte
    if verdict != "ok":
        raise _damaged(path)


def _check_marks(database: sqlite3.Connection, path: Path) -> None:
    if _number(database, "application_id") != APPLICATION:
        raise FolderError(f"{path} is not a database of Scenthound; choose another folder.")
    version = _number(database, "user_version")
    if version != VERSION:
        raise FolderError(
            f"{path} has format version {version}, this Scenthound reads {VERSION}: use the "
            "version of Scenthound that wrote it."
        )


def _number(database: sqlite3.Connection, name: str) -> int:
    ((value,),) = database.execute(f"PRAGMA {name}")
    return int(value)


def _unusable(path: Path, error: sqlite3.Error) -> FolderError:
    match getattr(error, "sqlite_errorname", ""):
        case name if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            return FolderError(f"{path} is in use by another program: end that first.")
        case "SQLITE_NOTADB":
            return FolderError(f"{path} is not a database of Scenthound; choose another folder.")
        case name if name.startswith("SQLITE_CORRUPT"):
            return _damaged(path)
        case _:
            return FolderError(f"the crawl database {path} cannot be used: {error}.")


def _damaged(path: Path) -> FolderError:
    return FolderError(f"{path} is damaged: put a whole copy back, or start a new crawl.")
