"""What lies in a cache folder, and how it is emptied."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.store.cache_file import open_file
from scenthound.store.cache_layout import Layout
from scenthound.store.cache_rows import count_by_group, forget_all
from scenthound.store.page_cache import COUNTED, PAGES, READ
from scenthound.store.vector_cache_file import VECTORS

_LAYOUTS = (VECTORS, PAGES)


@dataclass(frozen=True, slots=True)
class CachedVectors:
    """What a cache folder holds.

    Parameters
    ----------
    folder : where it is.
    bytes : what its files take on the disk; 0 where nothing was ever kept.
    entries : texts, words or passages that have vectors, by model; the model with the most first.
    pages : that were read from archives.
    counted_texts : whose terms were counted.
    page_bytes : how many of the bytes are those of pages and counted texts.
    """

    folder: Path
    bytes: int
    entries: Mapping[str, int]
    pages: int = 0
    counted_texts: int = 0
    page_bytes: int = 0

    def to_json(self) -> dict[str, object]:
        """The same, as JSON knows it."""
        return {
            "folder": str(self.folder), "bytes": self.bytes, "entries": dict(self.entries),
            "pages": self.pages, "counted_texts": self.counted_texts,
            "page_bytes": self.page_bytes,
        }  # fmt: skip


def cached_vectors(folder: Path, warn: Callable[[str], None]) -> CachedVectors:
    """What the cache in ``folder`` holds; nothing is made where there is none.

    FolderError where it cannot be read. ``warn`` hears of damage, which is moved aside.
    """
    vectors, pages = (_entries(layout, folder, warn) for layout in _LAYOUTS)
    vector_bytes, page_bytes = (_bytes(layout, folder) for layout in _LAYOUTS)
    return CachedVectors(
        folder,
        vector_bytes + page_bytes,
        vectors,
        pages.get(READ, 0),
        pages.get(COUNTED, 0),
        page_bytes,
    )


def clear_vectors(folder: Path, warn: Callable[[str], None]) -> None:
    """Empty the cache in ``folder``, pages and counted texts too, also while others use it.

    FolderError where that fails.
    """
    for layout in _LAYOUTS:
        with _opened(layout, folder, warn) as database:
            if database is not None:
                forget_all(layout, database)
                (folder / layout.aside).unlink(missing_ok=True)


def _entries(layout: Layout, folder: Path, warn: Callable[[str], None]) -> dict[str, int]:
    with _opened(layout, folder, warn) as database:
        return {} if database is None else count_by_group(layout, database)


@contextmanager
def _opened(
    layout: Layout, folder: Path, warn: Callable[[str], None]
) -> Iterator[sqlite3.Connection | None]:
    """The database; None where there is none."""
    path = folder / layout.file
    try:
        if not path.exists():
            yield None
            return
        with closing(open_file(layout, folder, warn)) as database:
            yield database
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise FolderError(
            f"the {layout.title} {path} cannot be used: {reason}; end what uses it, or delete it."
        ) from None


def _bytes(layout: Layout, folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob(f"{layout.file}*"))
