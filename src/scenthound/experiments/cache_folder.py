"""What lies in a cache folder, and how it is emptied."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from scenthound.archive.cache import index_files
from scenthound.core.errors import FolderError
from scenthound.store.cache_report import bytes_of, forget_kept, kept_in
from scenthound.store.page_cache import COUNTED, PAGES, READ
from scenthound.store.vector_cache_file import VECTORS


@dataclass(frozen=True, slots=True)
class CacheReport:
    """What a cache folder holds.

    Parameters
    ----------
    folder : where it is.
    bytes : what its files take on the disk; 0 where nothing was ever kept.
    entries : texts, words or passages that have vectors, by model; the model with the most first.
    pages : that were read from archives.
    counted_texts : whose terms were counted.
    page_bytes : how many of the bytes are those of pages and counted texts.
    indexes : of archives: where each page lies in its file.
    index_bytes : how many of the bytes are those of indexes.
    """

    folder: Path
    bytes: int
    entries: Mapping[str, int]
    pages: int = 0
    counted_texts: int = 0
    page_bytes: int = 0
    indexes: int = 0
    index_bytes: int = 0

    def to_json(self) -> dict[str, object]:
        """The same, as JSON knows it."""
        return asdict(self) | {"folder": str(self.folder), "entries": dict(self.entries)}


def cache_report(folder: Path, warn: Callable[[str], None]) -> CacheReport:
    """What the cache in ``folder`` holds; nothing is made where there is none.

    FolderError where it cannot be read. ``warn`` hears of damage, which is moved aside.
    """
    vectors, pages = (kept_in(layout, folder, warn) for layout in (VECTORS, PAGES))
    indexes = index_files(folder)
    index_bytes = bytes_of(indexes)
    return CacheReport(
        folder,
        vectors.bytes + pages.bytes + index_bytes,
        vectors.entries,
        pages.entries.get(READ, 0),
        pages.entries.get(COUNTED, 0),
        pages.bytes,
        len(indexes),
        index_bytes,
    )


def clear_cache(folder: Path, warn: Callable[[str], None]) -> None:
    """Empty the cache in ``folder``, also while others use it; FolderError where that fails.

    An index that a run has open stays readable for it.
    """
    for layout in (VECTORS, PAGES):
        forget_kept(layout, folder, warn)
    for index in index_files(folder):
        _remove(index)


def _remove(index: Path) -> None:
    try:
        index.unlink(missing_ok=True)
    except OSError as error:
        raise FolderError(
            f"the index {index} cannot be removed: {error.strerror or error}; delete it yourself."
        ) from None
