"""Caches between runs, shared by the processes of a machine: pages that were read, and vectors of
words and texts.
"""

from __future__ import annotations

import math
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Self, TypeVar

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import FolderError
from scenthound.storage.cache_database import (
    CacheLayout,
    Values,
    damage_message,
    evict,
    inode,
    is_busy,
    is_damage,
    look_up,
    open_file,
    quarantine,
    record_uses,
    shrink,
    truncate_log,
    write,
    write_batches,
)

T = TypeVar("T")

DEFAULT_LIMIT = 2_000_000_000

MIN_LIMIT = 1_000_000

_HOUR_S = 3600.0

_MAX_PENDING_USES = 20_000
"""Uses that are noted at once, where nothing is kept meanwhile."""


def ignore_warning(_: str) -> None:
    """No warning is wanted. A function, since caches are sent to other processes."""


class RowCache:
    """Rows by group and by a hash of what they stand for; no file is made before one is stored.

    To be subclassed: ``layout`` says what kind of cache it is.

    It never stops a crawl: where the folder cannot be used, or the disk is full, it warns once and
    finds and stores nothing any more. Threads may share it. A process that is forked, or that it
    is sent to, opens the file anew.

    Parameters
    ----------
    folder : where the file lies; made when it is needed.
    limit_bytes : the file's size; beyond it the entries go whose last use is longest ago. The
        log beside it, some MB while there is writing, comes on top.
    warn : hears what went wrong, a sentence each.
    clock : seconds since 1970. Uses are noted by the hour.
    """

    layout: ClassVar[CacheLayout]

    def __init__(
        self,
        folder: Path,
        limit_bytes: int = DEFAULT_LIMIT,
        warn: Callable[[str], None] = ignore_warning,
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
        """Make the file before there is anything to keep; what is wrong with it is reported now."""
        self._ask(lambda _: None, make=True)

    def find_rows(self, group: str, keys: Sequence[bytes]) -> dict[bytes, Values]:
        """Those of the keys that are known; of a cache that is not there, none."""
        return self._ask(lambda database: self._look_up(database, group, keys)) or {}

    def store_rows(self, group: str, rows: Mapping[bytes, Values]) -> None:
        """Remember entries for other runs."""
        if rows:
            self._ask(lambda database: self._write(database, group, rows), make=True)

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

    @property
    def _hour(self) -> int:
        return int(self._clock() // _HOUR_S)

    def _ask(self, work: Callable[[sqlite3.Connection], T], make: bool = False) -> T | None:
        """What ``work`` gives, for one thread at a time; None where it cannot be done."""
        path = self.folder / self.layout.file
        with self._turn:
            self._reopen_after_fork()
            try:
                if self._database is None and not self._given_up and (make or path.exists()):
                    self._database = open_file(self.layout, self.folder, self._warn)
                    self._process, self._file = os.getpid(), inode(path)
                return None if self._database is None else work(self._database)
            except (sqlite3.Error, OSError, FolderError) as error:
                self._handle_error(error, path)
                return None

    def _reopen_after_fork(self) -> None:
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
        if len(self._used) > _MAX_PENDING_USES:
            self._note_uses()
        return found

    def _write(
        self, database: sqlite3.Connection, group: str, rows: Mapping[bytes, Values]
    ) -> None:
        self._note_uses()
        shrink(self.layout, database, self._limit)
        for needed, batch in write_batches(rows, self._limit):
            with database:  # one transaction: no other process takes the room that is made
                database.execute("BEGIN IMMEDIATE")
                evict(self.layout, database, needed, self._limit)
                write(self.layout, database, group, batch, self._hour)
            truncate_log(self.layout, database, self.folder)

    def _note_uses(self) -> None:
        if self._database is not None and self._used:
            record_uses(self._database, self._used, self._hour)
            self._used.clear()

    def _disconnect(self) -> None:
        if self._database is not None:
            self._database.close()
        self._database = None
        self._used.clear()

    def _handle_error(self, error: Exception, path: Path) -> None:
        """Move a damaged file aside, once; any other error ends the cache for this run."""
        if is_busy(error):
            return
        self._disconnect()
        if is_damage(error) and not self._was_damaged:
            self._was_damaged = True
            with suppress(OSError):
                quarantine(self.layout, self.folder, self._file)
                self._warn(damage_message(self.layout, path))
                return
        self._given_up = True
        reason = getattr(error, "strerror", None) or error
        self._warn(
            f"the {self.layout.title} {path} cannot be used ({reason}); this run goes on without "
            "it. Give another folder with --cache, or --cache none"
        )


# Pages that were read, and texts whose terms were counted.

PAGES = CacheLayout(
    title="page cache",
    stem="pages-1",
    mark=b"ScnP",
    groups="kinds",
    group="kind",
    entries="rows",
    facts=(),
    content="content",
)

READ, COUNTED = "pages", "counted texts"
"""The two kinds of rows."""

_WAITING_BYTES = 500_000
"""Written together, in one transaction."""

_LEVEL = 1
"""Of compression: pages shrink to a third, in a tenth of the time that it takes to read one."""

_LARGEST = 50_000_000
"""Bytes of a row that is unpacked: the texts of a page are bounded, and this is far more."""


class PageCache(RowCache):
    """Rows of pages and of counted texts, by a hash of what they were made from.

    What is kept waits until there is enough to write at once: unlike any :class:`RowCache` the
    object is for one thread. Processes may share the folder.

    Parameters
    ----------
    folder, limit_bytes, warn, clock : as there.
    """

    layout = PAGES

    def __init__(
        self,
        folder: Path,
        limit_bytes: int = DEFAULT_LIMIT,
        warn: Callable[[str], None] = ignore_warning,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(folder, limit_bytes, warn, clock)
        self._waiting: dict[str, dict[bytes, Values]] = {READ: {}, COUNTED: {}}
        self._waiting_bytes = 0

    def kind(self, name: str) -> RowsOfKind:
        """The rows of one kind, :data:`READ` or :data:`COUNTED`."""
        return RowsOfKind(self, name)

    def find(self, kind: str, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those of the keys that are known and whole."""
        waiting = self._waiting[kind]
        rows = {key: waiting[key] for key in keys if key in waiting}
        if len(rows) < len(keys):
            rows |= self.find_rows(kind, [key for key in keys if key not in rows])
        found = {key: decompress_row(*values) for key, values in rows.items()}
        return {key: content for key, content in found.items() if content is not None}

    def keep(self, kind: str, key: bytes, content: bytes) -> None:
        """Remember it for other runs, when there is enough to write or at the end."""
        row = zlib.compress(content, _LEVEL)
        self._waiting[kind][key] = (row,)
        self._waiting_bytes += len(row)
        if self._waiting_bytes >= _WAITING_BYTES:
            self.write()

    def write(self) -> None:
        """Write what waits."""
        for kind, rows in self._waiting.items():
            self.store_rows(kind, rows)
            rows.clear()
        self._waiting_bytes = 0

    def close(self) -> None:
        """Write what waits and let go of the file."""
        self.write()
        super().close()


class RowsOfKind:
    """The rows of one kind in a page cache.

    Parameters
    ----------
    cache : where they are.
    kind : their name there.
    """

    def __init__(self, cache: PageCache, kind: str) -> None:
        self._cache = cache
        self._kind = kind

    def find(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those of the keys that are known."""
        return self._cache.find(self._kind, keys)

    def keep(self, key: bytes, content: bytes) -> None:
        """Remember it for other runs, sooner or later."""
        self._cache.keep(self._kind, key, content)


def decompress_row(content: object) -> bytes | None:
    """A row as it was kept; None where it is damaged, or larger than any that is."""
    if not isinstance(content, bytes):
        return None
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(content, _LARGEST)
    except zlib.error:
        return None
    return found if stream.eof else None


# Vectors of words and texts.

VECTORS = CacheLayout(
    title="vector cache",
    stem="vectors-1",
    mark=b"ScnV",
    groups="models",
    group="model",
    entries="vectors",
    facts=(("rows", "INTEGER"), ("length", "INTEGER NOT NULL")),
    content="vector",
)

FILE = VECTORS.file

Vector = npt.NDArray[np.float16]
"""One vector, or several as the rows of a table."""

Packed = tuple[int | None, int, bytes]
"""How many rows, None for a vector alone; the length of each; their bytes."""

_STORED: np.dtype[np.float16] = np.dtype("<f2")
"""The same bytes on every machine."""

_EXPONENT = 0x7C00
"""The bits of a 16 bit number that are all set where it is infinite, or no number."""

_LONGEST = 2**31


def pack_vector(vector: Vector) -> Packed | None:
    """A vector as it is stored; None for one with a value that is no number."""
    array = np.asarray(vector, _STORED)
    if array.ndim not in (1, 2) or not _all_finite(array):
        return None
    rows = array.shape[0] if array.ndim == 2 else None
    return rows, array.shape[-1], array.tobytes()


def unpack_vector(rows: object, length: object, content: object) -> Vector | None:
    """A stored vector, to read only; None where its bytes are not those of its shape.

    Nor is one given out with a value that is no number, for that is damage too.
    """
    shape = [each for each in (rows, length) if isinstance(each, int) and 0 <= each < _LONGEST]
    if len(shape) != (1 if rows is None else 2) or not isinstance(content, bytes):
        return None
    if len(content) != _STORED.itemsize * math.prod(shape):
        return None
    vector = np.frombuffer(content, _STORED).reshape(shape)
    return vector if _all_finite(vector) else None


def _all_finite(array: Vector) -> bool:
    """The same as numpy's isfinite, which takes the numbers one by one and twenty times as long."""
    return bool((array.view("<u2") & _EXPONENT).max(initial=0) < _EXPONENT)


class VectorCache(RowCache):
    """Vectors by model and by a hash of what was read; see :class:`RowCache`."""

    layout = VECTORS

    def find(self, model: str, keys: Sequence[bytes]) -> Mapping[bytes, Vector]:
        """Those of the keys that are known, to read only; of a cache that is not there, none."""
        rows = self.find_rows(model, keys)
        vectors = {key: unpack_vector(*values) for key, values in rows.items()}
        return {key: vector for key, vector in vectors.items() if vector is not None}

    def keep(self, model: str, found: Mapping[bytes, Vector]) -> None:
        """Remember vectors for other runs; those with a value that is no number are left out."""
        rows = {
            key: row for key, vector in found.items() if (row := pack_vector(vector)) is not None
        }
        self.store_rows(model, rows)

    def __reduce__(self) -> tuple[type[VectorCache], tuple[object, ...]]:
        return VectorCache, (self.folder, self._limit, self._warn, self._clock)
