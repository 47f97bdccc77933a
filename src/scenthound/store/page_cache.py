"""Pages that were read and texts whose terms were counted, kept between runs."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from scenthound.store.cache_layout import Layout
from scenthound.store.cache_rows import Values
from scenthound.store.row_cache import DEFAULT_LIMIT, RowCache, unheard

PAGES = Layout(
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
        warn: Callable[[str], None] = unheard,
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
        found = {key: unpacked(*values) for key, values in rows.items()}
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
            self.keep_rows(kind, rows)
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


def unpacked(content: object) -> bytes | None:
    """A row as it was kept; None where it is damaged, or larger than any that is."""
    if not isinstance(content, bytes):
        return None
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(content, _LARGEST)
    except zlib.error:
        return None
    return found if stream.eof else None
