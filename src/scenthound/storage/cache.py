"""The caches of runs: pages that were read, and vectors of words and texts."""

from __future__ import annotations

import math
import sqlite3
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scenthound.storage.cache_database import DEFAULT_LIMIT, CacheFile

# Pages that were read.

READ = "pages"
"""The kind of the rows."""
_WAITING_BYTES = 500_000
"""Written together, in one transaction."""
_LEVEL = 1
"""Of compression: pages shrink to a third, in a tenth of the time that it takes to read one."""
_LARGEST = 50_000_000
"""Bytes of a page that is unpacked: texts of pages are bounded, and this is far more."""


class PageCache(CacheFile):
    """Rows of pages by a hash of what they were made from: a :class:`core.cache.RowCache`.

    Rows wait until there is enough to write at once: unlike a :class:`VectorCache` the object is
    for one thread. Processes may share the folder.
    """

    title, stem, old_files = "page cache", "pages-3", "pages-[12].*"

    def __init__(self, folder: Path, limit_bytes: int = DEFAULT_LIMIT) -> None:
        super().__init__(folder, limit_bytes)
        self._waiting: dict[bytes, bytes] = {}
        self._waiting_bytes = 0

    def find(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Return the content of the keys that are known; a damaged row is left out."""
        rows = {key: self._waiting[key] for key in keys if key in self._waiting}
        if len(rows) < len(keys):
            rows |= self.find_rows(READ, [key for key in keys if key not in rows])
        found: dict[bytes, bytes] = {}
        for key, row in rows.items():
            with suppress(zlib.error, TypeError):  # a damaged row
                found[key] = _decompress(row)
        return found

    def keep(self, key: bytes, content: bytes) -> None:
        """Store content for other runs, when there is enough to write or at the end."""
        row = self._waiting[key] = zlib.compress(content, _LEVEL)
        self._waiting_bytes += len(row)
        if self._waiting_bytes >= _WAITING_BYTES:
            self.write()

    def write(self) -> None:
        """Write what waits."""
        self.store_rows(READ, self._waiting)
        self._waiting.clear()
        self._waiting_bytes = 0

    def close(self) -> None:
        """Write what waits and close the file."""
        self.write()
        super().close()


def _decompress(row: bytes) -> bytes:
    stream = zlib.decompressobj()
    content = stream.decompress(row, _LARGEST)
    if not stream.eof:
        raise zlib.error("cut off, or larger than any page")
    return content


# Vectors of words and texts.

FILE = "vectors-3.sqlite"
Vector = npt.NDArray[np.float16]
"""One vector, or several as the rows of a table."""
_STORED: np.dtype[np.float16] = np.dtype("<f2")
"""The same bytes on every machine."""
_SHAPE = struct.Struct("<qq")
"""Before the numbers: how many rows, -1 for a vector alone, and the length of each."""
_ALONE = -1


class VectorCache(CacheFile):
    """Vectors by model and by a hash of what was read; see :class:`CacheFile`."""

    title, stem, old_files = "vector cache", "vectors-3", "vectors-[12].*"

    def old_rows(self) -> Iterator[tuple[str, bytes, bytes]]:
        """The vectors of version 0.1: to encode texts again can take hours."""
        path = self.folder / "vectors-1.sqlite"
        if not path.exists():
            return
        columns = f"coalesce(vectors.rows, {_ALONE}), length, vector"
        query = f"SELECT name, key, {columns} FROM vectors JOIN models ON models.id = model"
        # Of a damaged cache come the rows up to where it cannot be read.
        damage = sqlite3.Error, struct.error, TypeError
        with suppress(*damage), closing(sqlite3.connect(path)) as database:
            for model, key, rows, length, vector in database.execute(query):
                yield model, key, _SHAPE.pack(rows, length) + vector

    def find(self, model: str, keys: Sequence[bytes]) -> Mapping[bytes, Vector]:
        """Return the vectors of the keys that are known, to read only."""
        vectors: dict[bytes, Vector] = {}
        for key, row in self.find_rows(model, keys).items():
            with suppress(struct.error, ValueError, OverflowError, TypeError):  # a damaged row
                vectors[key] = unpack_vector(row)
        return vectors

    def keep(self, model: str, found: Mapping[bytes, Vector]) -> None:
        """Store vectors for other runs; those with a value that is no number are left out."""
        numbers = {key: vector for key, vector in found.items() if np.isfinite(vector).all()}
        self.store_rows(model, {key: pack_vector(vector) for key, vector in numbers.items()})


def pack_vector(vector: Vector) -> bytes:
    """Return a vector as it is stored."""
    rows = _ALONE if vector.ndim == 1 else vector.shape[0]
    return _SHAPE.pack(rows, vector.shape[-1]) + vector.astype(_STORED).tobytes()


def unpack_vector(row: bytes) -> Vector:
    """Return the vector in a row, to read only; an error for a damaged row."""
    rows, length = _SHAPE.unpack_from(row)
    shape = (length,) if rows == _ALONE else (rows, length)
    return np.frombuffer(row, _STORED, math.prod(shape), _SHAPE.size).reshape(shape)
