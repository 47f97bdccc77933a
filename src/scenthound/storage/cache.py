"""The caches of runs: pages that were read, texts whose terms were counted, and vectors."""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from scenthound.storage.cache_database import DEFAULT_LIMIT, CacheLayout, RowCache, Values

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

    Rows wait until there is enough to write at once: unlike any :class:`RowCache` the object is
    for one thread. Processes may share the folder.
    """

    layout = PAGES

    def __init__(
        self, folder: Path, limit_bytes: int = DEFAULT_LIMIT, clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(folder, limit_bytes, clock)
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
        """Write what waits and close the file."""
        self.write()
        super().close()


class RowsOfKind:
    """The rows of one kind in a page cache: a :class:`scenthound.core.cache.RowCache`."""

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
    """A row as it was stored; None where it is damaged, or larger than any that is."""
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
        return VectorCache, (self.folder, self._limit, self._clock)
