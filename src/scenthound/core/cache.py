"""Results that are kept for later: a least-recently-used cache in memory, and the interface of
caches on disk.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class RowCache(Protocol):
    """Rows of bytes by a hash of what they were made from; other runs find them too."""

    def find(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Those of the keys that are known; none where nothing is stored."""

    def keep(self, key: bytes, content: bytes) -> None:
        """Remember it for other runs, sooner or later."""


class LruCache(Generic[K, V]):
    """Values in memory, within a number of bytes; what was used longest ago goes first.

    Parameters
    ----------
    limit : bytes of all values together; a value that is larger alone is not remembered.
    size : bytes of a value, with what it takes to remember it; always the same for one value.
    """

    def __init__(self, limit: int, size: Callable[[V], int]) -> None:
        self._limit = limit
        self._size = size
        self._values: dict[K, V] = {}
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> V | None:
        """The value, which now is the one used last; None where it is not remembered."""
        found = self._values.pop(key, None)
        if found is not None:
            self._values[key] = found
        return found

    def put(self, key: K, value: V) -> None:
        """Remember a value, in place of what was there."""
        before = self._values.pop(key, None)
        self.bytes -= 0 if before is None else self._size(before)
        size = self._size(value)
        if size > self._limit:
            return
        self._values[key] = value
        self.bytes += size
        while self.bytes > self._limit:
            self.bytes -= self._size(self._values.pop(next(iter(self._values))))
