"""Vectors of words and texts, kept between runs and shared by the processes of a machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenthound.store.row_cache import DEFAULT_LIMIT, LEAST_LIMIT, RowCache
from scenthound.store.vector_cache_file import VECTORS
from scenthound.store.vector_cache_rows import Vector, packed, unpacked

__all__ = ["DEFAULT_LIMIT", "LEAST_LIMIT", "VectorCache"]


class VectorCache(RowCache):
    """Vectors by model and by a hash of what was read; see :class:`RowCache`."""

    layout = VECTORS

    def find(self, model: str, keys: Sequence[bytes]) -> Mapping[bytes, Vector]:
        """Those of the keys that are known, to read only; of a cache that is not there, none."""
        rows = self.find_rows(model, keys)
        vectors = {key: unpacked(*values) for key, values in rows.items()}
        return {key: vector for key, vector in vectors.items() if vector is not None}

    def keep(self, model: str, found: Mapping[bytes, Vector]) -> None:
        """Remember vectors for other runs; those with a value that is no number are left out."""
        rows = {key: row for key, vector in found.items() if (row := packed(vector)) is not None}
        self.keep_rows(model, rows)

    def __reduce__(self) -> tuple[type[VectorCache], tuple[object, ...]]:
        return VectorCache, (self.folder, self._limit, self._warn, self._clock)
