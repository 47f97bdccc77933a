"""What lies in a cache folder, and how it is emptied."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from scenthound.core.errors import FolderError, SettingsError, warn_caller
from scenthound.crawler.arguments import check_path
from scenthound.crawler.run_caches import CacheChoice, refuse_cache_file
from scenthound.crawler.topic_reading import Warn
from scenthound.storage.archive_index import index_files
from scenthound.storage.cache import COUNTED, READ, PageCache, VectorCache
from scenthound.storage.cache_database import bytes_on_disk


def cache_choice(
    folder: str | Path | None, limit: int | str | None, before: CacheChoice | None = None
) -> CacheChoice:
    """Where vectors are kept; what is not given is as it was ``before``, or as by default."""
    check_path("cache", folder)
    if isinstance(limit, bool) or not isinstance(limit, int | str | None):
        kind = type(limit).__name__
        raise SettingsError(f'cache_limit takes a size such as "2GB", not a value of type {kind}.')
    return (before or CacheChoice()).changed(folder, limit)


# What lies in a cache folder, and how it is emptied.


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


def read_cache_report(folder: Path, warn: Callable[[str], None]) -> CacheReport:
    """What the cache in ``folder`` holds; nothing is made where there is none.

    FolderError where it cannot be read. ``warn`` hears of damage, which is moved aside.
    """
    vectors, pages = VectorCache(folder).usage(), PageCache(folder).usage()
    indexes = index_files(folder)
    index_bytes = bytes_on_disk(indexes)
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


def clear_cache_folder(folder: Path, warn: Callable[[str], None]) -> None:
    """Empty the cache in ``folder``, also while others use it; FolderError where that fails.

    An index that a run has open stays readable for it.
    """
    VectorCache(folder).clear()
    PageCache(folder).clear()
    for index in index_files(folder):
        _remove_index(index)


def _remove_index(index: Path) -> None:
    try:
        index.unlink(missing_ok=True)
    except OSError as error:
        raise FolderError(
            f"the index {index} cannot be removed: {error.strerror or error}; delete it yourself."
        ) from None


# The cache folder from Python: what lies in it, and how to empty it.


_ADVICE = "give the folder of a cache, or leave it out"


def cache_report(cache: str | Path | None = None, *, warn: Warn | None = None) -> CacheReport:
    """What the cache holds: vectors, pages, counted texts, indexes; nothing where there is none.

    Parameters
    ----------
    cache : its folder, by default ``~/.cache/scenthound``.
    warn : hears of a damaged file; by default a :class:`ScenthoundWarning`.

    Raises
    ------
    FolderError
        It cannot be read.
    SettingsError
        It is a file, or "none".
    """
    return read_cache_report(_folder(cache), warn or warn_caller)


def clear_cache(cache: str | Path | None = None, *, warn: Warn | None = None) -> None:
    """Empty the cache, also while crawls use it; see :func:`cache_report`."""
    clear_cache_folder(_folder(cache), warn or warn_caller)


def _folder(cache: str | Path | None) -> Path:
    path = refuse_cache_file(cache_choice(cache, None).path, _ADVICE)
    if path is None:
        raise SettingsError(f'cache "none" is no folder; {_ADVICE}.')
    return path
