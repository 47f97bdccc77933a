"""The caches of runs: pages that were read, texts whose terms were counted, and vectors."""

from __future__ import annotations

import math
import sqlite3
import struct
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scenthound.storage.cache_database import DEFAULT_LIMIT, CacheFile

# Pages that were read, and texts whose terms were counted.

READ, COUNTED = "pages", "counted texts"
"""The two kinds of rows."""
_WAITING_BYTES = 500_000
"""Written together, in one transaction."""
_LEVEL = 1
"""Of compression: pages shrink to a third, in a tenth of the time that it takes to read one."""
_LARGEST = 50_000_000
"""Bytes of a row that is unpacked: the texts of a page are bounded, and this is far more."""


class PageCache(CacheFile):
    """Rows of pages and of counted texts, by a hash of what they were made from.

    Rows wait until there is enough to write at once: unlike a :class:`VectorCache` the object is
    for one thread. Processes may share the folder.
    """

    title, stem, old_stem = "page cache", "pages-2", "pages-1"

    def __init__(
        self, folder: Path, limit_bytes: int = DEFAULT_LIMIT, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(folder, limit_bytes, clock)
        self._waiting: dict[str, dict[bytes, bytes]] = {READ: {}, COUNTED: {}}
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
        found = {key: decompress_row(row) for key, row in rows.items()}
        return {key: content for key, content in found.items() if content is not None}

    def keep(self, kind: str, key: bytes, content: bytes) -> None:
        """Remember it for other runs, when there is enough to write or at the end."""
        row = self._waiting[kind][key] = zlib.compress(content, _LEVEL)
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
        """Write what waits and close the file."""
        self.write()
        super().close()


@dataclass(frozen=True, slots=True)
class RowsOfKind:
    """The rows of one kind in a page cache: a :class:`scenthound.core.cache.RowCache`."""

    cache: PageCache
    kind: str

    def find(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those of the keys that are known."""
        return self.cache.find(self.kind, keys)

    def keep(self, key: bytes, content: bytes) -> None:
        """Remember it for other runs, sooner or later."""
        self.cache.keep(self.kind, key, content)


def decompress_row(row: bytes) -> bytes | None:
    """A row as it was stored; None where it is damaged, or larger than any that is."""
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(row, _LARGEST)
    except zlib.error:
        return None
    return found if stream.eof else None


# Vectors of words and texts.

FILE = "vectors-2.sqlite"
Vector = npt.NDArray[np.float16]
"""One vector, or several as the rows of a table."""
_STORED: np.dtype[np.float16] = np.dtype("<f2")
"""The same bytes on every machine."""
_SHAPE = struct.Struct("<qq")
"""Before the numbers: how many rows, -1 for a vector alone, and the length of each."""
_ALONE = -1
_EXPONENT = 0x7C00
"""The bits of a 16 bit number that are all set where it is infinite, or no number."""


class VectorCache(CacheFile):
    """Vectors by model and by a hash of what was read; see :class:`CacheFile`."""

    title, stem, old_stem = "vector cache", "vectors-2", "vectors-1"

    def old_rows(self, path: Path) -> Iterator[tuple[str, bytes, bytes]]:
        """The vectors of version 0.1: to encode texts again can take hours."""
        if not path.exists():
            return
        columns = f"coalesce(vectors.rows, {_ALONE}), length, vector"
        query = f"SELECT name, key, {columns} FROM vectors JOIN models ON models.id = model"
        # Of a damaged cache come the rows that are whole, up to where it cannot be read.
        query += " WHERE typeof(vectors.rows) IN ('integer', 'null')"
        types = {"name": "text", "key": "blob", "length": "integer", "vector": "blob"}
        query += "".join(f" AND typeof({column}) = '{kind}'" for column, kind in types.items())
        with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as database:
            for model, key, rows, length, vector in database.execute(query):
                yield model, key, _SHAPE.pack(rows, length) + vector

    def find(self, model: str, keys: Sequence[bytes]) -> Mapping[bytes, Vector]:
        """Those of the keys that are known, to read only; of a cache that is not there, none."""
        rows = self.find_rows(model, keys)
        vectors = {key: unpack_vector(row) for key, row in rows.items()}
        return {key: vector for key, vector in vectors.items() if vector is not None}

    def keep(self, model: str, found: Mapping[bytes, Vector]) -> None:
        """Remember vectors for other runs; those with a value that is no number are left out."""
        rows = {key: pack_vector(vector) for key, vector in found.items()}
        self.store_rows(model, {key: row for key, row in rows.items() if row is not None})


def pack_vector(vector: Vector) -> bytes | None:
    """A vector as it is stored; None for one with a value that is no number."""
    array = np.asarray(vector, _STORED)
    if array.ndim not in (1, 2) or not _all_finite(array):
        return None
    rows = _ALONE if array.ndim == 1 else array.shape[0]
    return _SHAPE.pack(rows, array.shape[-1]) + array.tobytes()


def unpack_vector(row: bytes) -> Vector | None:
    """The vector in a row, to read only; None where the row is damaged.

    None is given out with a value that is no number, for that is damage too.
    """
    if len(row) < _SHAPE.size:
        return None
    rows, length = _SHAPE.unpack_from(row)
    shape = (length,) if rows == _ALONE else (rows, length)
    if min(shape) < 0 or len(row) - _SHAPE.size != _STORED.itemsize * math.prod(shape):
        return None
    if max(shape) > len(row):  # no bytes, in so many rows that numpy takes no such shape
        return None
    vector = np.frombuffer(row, _STORED, offset=_SHAPE.size).reshape(shape)
    return vector if _all_finite(vector) else None


def _all_finite(array: Vector) -> bool:
    """The same as numpy's isfinite, which takes the numbers one by one and twenty times as long."""
    return bool((array.view("<u2") & _EXPONENT).max(initial=0) < _EXPONENT)
