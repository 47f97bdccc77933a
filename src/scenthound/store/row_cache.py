"""What was worked out, kept between runs and shared by the processes of a machine."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Self, TypeVar

from scenthound.core.errors import FolderError
from scenthound.store.cache_file import (
    inode,
    is_busy,
    is_damage,
    open_file,
    set_aside,
    shorten_log,
    told_damage,
)
from scenthound.store.cache_layout import Layout
from scenthound.store.cache_room import make_room, portions, shrink
from scenthound.store.cache_rows import Values, look_up, note_uses, write

T = TypeVar("T")
DEFAULT_LIMIT = 2_000_000_000
LEAST_LIMIT = 1_000_000
_HOUR_S = 3600.0
_MOST_UNNOTED = 20_000
"""Uses that are noted at once, where nothing is kept meanwhile."""


def unheard(_: str) -> None:
    """Nobody listens."""


class RowCache:
    """Entries by group and by a hash of what they stand for; nothing is made before one is kept.

    To be subclassed: ``layout`` says what kind of cache it is.

    It never stops a crawl: where the folder cannot be used, or the disk is full, that is told
    once and nothing is found or kept any more. Threads may share it. A process that is forked, or
    that it is sent to, opens the file anew.

    Parameters
    ----------
    folder : where the file lies; made when it is needed.
    limit_bytes : the file's size; beyond it the entries go whose last use is longest ago. The
        log beside it, some MB while there is writing, comes on top.
    warn : hears what went wrong, a sentence each.
    clock : seconds since 1970. Uses are noted by the hour.
    """

    layout: ClassVar[Layout]

    def __init__(
        self,
        folder: Path,
        limit_bytes: int = DEFAULT_LIMIT,
        warn: Callable[[str], None] = unheard,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.folder = folder
        self._limit = limit_bytes
        self._warn = warn
        self._clock = clock
        self._turn = threading.Lock()
        self._database: sqlite3.Connection | None = None
        self._process = self._file = 0
        self._used: set[int] = set()
        self._forsaken: list[sqlite3.Connection] = []
        self._was_damaged = self._given_up = False

    def prepare(self) -> None:
        """Make the file before there is anything to keep; what is wrong with it is told now."""
        self._ask(lambda _: None, make=True)

    def find_rows(self, group: str, keys: Sequence[bytes]) -> dict[bytes, Values]:
        """Those of the keys that are known; of a cache that is not there, none."""
        found = self._ask(lambda database: self._look_up(database, group, keys), make=False)
        return found or {}

    def keep_rows(self, group: str, rows: Mapping[bytes, Values]) -> None:
        """Remember entries for other runs."""
        if rows:
            self._ask(lambda database: self._write(database, group, rows), make=True)

    def close(self) -> None:
        """Note what was used and let go of the file; the next question opens it again."""
        with self._turn:
            self._leave_parent()
            if self._database is not None:
                with suppress(sqlite3.Error):
                    self._note_uses(self._database)
            self._let_go()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def _hour(self) -> int:
        return int(self._clock() // _HOUR_S)

    def _ask(self, work: Callable[[sqlite3.Connection], T], make: bool) -> T | None:
        """What ``work`` gives, for one thread at a time; None where it cannot be done."""
        with self._turn:
            try:
                database = self._opened(make)
                return None if database is None else work(database)
            except (sqlite3.Error, OSError, FolderError) as error:
                self._went_wrong(error)
                return None

    def _opened(self, make: bool) -> sqlite3.Connection | None:
        self._leave_parent()
        path = self.folder / self.layout.file
        if self._database is None and not self._given_up and (make or path.exists()):
            self._database = open_file(self.layout, self.folder, self._warn)
            self._process, self._file = os.getpid(), inode(path)
        return self._database

    def _leave_parent(self) -> None:
        """After a fork the connection is the parent's: not even to be closed here."""
        if self._database is not None and self._process != os.getpid():
            self._forsaken.append(self._database)
            self._database = None
            self._used.clear()

    def _look_up(
        self, database: sqlite3.Connection, group: str, keys: Sequence[bytes]
    ) -> dict[bytes, Values]:
        found: dict[bytes, Values] = {}
        for number, key, values in look_up(self.layout, database, group, keys):
            found[key] = values
            self._used.add(number)
        if len(self._used) > _MOST_UNNOTED:
            self._note_uses(database)
        return found

    def _write(
        self, database: sqlite3.Connection, group: str, rows: Mapping[bytes, Values]
    ) -> None:
        self._note_uses(database)
        shrink(self.layout, database, self._limit)
        for needed, portion in portions(rows, self._limit):
            with database:  # one transaction: no other process takes the room that is made
                database.execute("BEGIN IMMEDIATE")
                make_room(self.layout, database, needed, self._limit)
                write(self.layout, database, group, portion, self._hour)
            shorten_log(self.layout, database, self.folder)

    def _note_uses(self, database: sqlite3.Connection) -> None:
        if self._used:
            with database:
                database.execute("BEGIN IMMEDIATE")
                note_uses(database, self._used, self._hour)
            self._used.clear()

    def _let_go(self) -> None:
        if self._database is not None:
            self._database.close()
        self._database = None
        self._used.clear()

    def _went_wrong(self, error: Exception) -> None:
        """Damage is moved out of the way, once; anything else ends the cache for this run."""
        if is_busy(error):
            return
        self._let_go()
        path = self.folder / self.layout.file
        if is_damage(error) and not self._was_damaged and self._set_aside():
            self._warn(told_damage(self.layout, path))
            return
        self._given_up = True
        reason = getattr(error, "strerror", None) or error
        self._warn(
            f"the {self.layout.title} {path} cannot be used ({reason}); this run goes on without "
            "it. Give another folder with --cache, or --cache none"
        )

    def _set_aside(self) -> bool:
        self._was_damaged = True
        try:
            set_aside(self.layout, self.folder, self._file)
        except OSError:
            return False
        return True
