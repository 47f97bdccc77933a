"""Caches of a run: which cache folder it uses, vectors and pages that are kept there, and how the
folder is listed and emptied.
"""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version
from typing import Any

from scenthound.core.cache import LruCache
from scenthound.core.command_options import ModelOptions, cache_bytes
from scenthound.core.errors import FolderError, SettingsError
from scenthound.similarity.encoders import ModelRuntime
from scenthound.storage.archive import Archive
from scenthound.storage.archive_index import default_cache, index_files
from scenthound.storage.archived_pages import ArchivedPages, CachedPages, PageMemory, size_of
from scenthound.storage.cache import READ, PageCache, VectorCache
from scenthound.storage.cache_database import DEFAULT_LIMIT
from scenthound.storage.files import bytes_on_disk, os_errors_as
from scenthound.text.term_counts import TextCounters

_PACKAGES = ("core", "storage", "text")
"""Ours, that turn a response into a page and a text into terms."""

_LIBRARIES = (
    "scenthound", "Brotli", "PyStemmer", "google-re2", "numpy", "py3langid", "pydantic", "pypdf",
    "rjieba", "selectolax", "stopwordsiso", "w3lib",
)  # fmt: skip
"""All that these packages import."""


@cache
def reading_version() -> str:
    """Return a hash of the program and the libraries by which pages and texts are read.

    By the source itself and not by a number that would have to be raised by hand.
    """
    facts = [_SOURCE, python_version(), unicodedata.unidata_version]
    for library in _LIBRARIES:
        try:
            facts.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            facts.append(f"{library} ")
    return hashlib.blake2b("\n".join(facts).encode(), digest_size=16).hexdigest()


def source_digest(root: Path) -> str:
    """Return a hash of the source of all packages that read, which lie in ``root``."""
    digest = hashlib.blake2b(digest_size=16)
    for package in _PACKAGES:
        # Word lists are read too: they are text files beside the source.
        for path in sorted(p for p in (root / package).rglob("*") if p.suffix in (".py", ".txt")):
            content = path.read_bytes()
            name = path.relative_to(root).as_posix()
            # Name and length too: otherwise code that moves between two files would keep the hash.
            digest.update(f"{name} {len(content)}\n".encode("utf-8", "surrogateescape"))
            digest.update(content)
    return digest.hexdigest()


_SOURCE = source_digest(Path(__file__).parent.parent)
"""Taken when the modules are loaded: a file that is edited later is not what reads."""


# Which vector cache a run uses, and the runtime that carries it into the models.


NO_CACHE = "none"
"""Stands in place of a folder where nothing is to be kept."""

CACHE, CACHE_LIMIT = "cache", "cache_limit"


@dataclass(frozen=True, slots=True)
class CacheChoice:
    """Where vectors of words and texts are kept between runs, and how many bytes of them.

    ``folder`` is None for the user's own cache folder, "none" for no cache at all.
    """

    folder: str | None = None
    limit: int = DEFAULT_LIMIT

    @property
    def path(self) -> Path | None:
        """The folder; None for no cache."""
        if self.folder is None:
            return default_cache()
        return None if self.folder.strip().lower() == NO_CACHE else Path(self.folder).resolve()

    def changed(
        self, folder: str | os.PathLike[str] | None, limit: int | str | None
    ) -> CacheChoice:
        """Return the choice with another folder or limit; None leaves it as it is."""
        return CacheChoice(
            self.folder if folder is None else os.fspath(folder),
            self.limit if limit is None else cache_bytes(limit),
        )

    def to_json(self) -> dict[str, object]:
        """Return the settings of a crawl folder, with an absolute path."""
        kept = None if self.folder is None else str(self.path or NO_CACHE)
        return {CACHE: kept, CACHE_LIMIT: self.limit}

    @staticmethod
    def from_json(settings: Mapping[str, Any]) -> CacheChoice:
        """Read the settings of a crawl folder; older ones have none of them."""
        return cache_choice(settings.get(CACHE), settings.get(CACHE_LIMIT))


def cache_choice(
    folder: str | Path | None, limit: int | str | None, before: CacheChoice | None = None
) -> CacheChoice:
    """Return where vectors are kept; None leaves a value as ``before``, or as by default."""
    given = ModelOptions.from_arguments(cache=folder, cache_limit=limit)
    return (before or CacheChoice()).changed(given.cache, given.cache_limit)


def refuse_cache_file(
    path: Path | None, advice: str = 'give another, or "none" for none'
) -> Path | None:
    """Return the folder of a cache; SettingsError with the advice where it is a file."""
    if path is not None and os.path.exists(path) and not os.path.isdir(path):
        raise SettingsError(f"the cache {path} is no folder; {advice}.")
    return path


@contextmanager
def open_equipment(choice: CacheChoice) -> Iterator[ModelRuntime]:
    """Open the runtime of the models of words and texts, until this ends.

    The folder is made when the first vector is kept; SettingsError where a file has its name.
    """
    path = refuse_cache_file(choice.path)
    if path is None:
        yield ModelRuntime()
        return
    with VectorCache(path, choice.limit) as vectors:
        yield ModelRuntime(cache=vectors)


# Runs of a process share pages that are read once, and terms that are counted once.
#
# That changes the cost of a run, and nothing else: the same pages are fetched in the same order,
# with the same scores.


PAGE_MEMORY = 120_000_000

TEXT_MEMORY = 80_000_000
"""Bytes of memory for pages and for counted texts, in each process."""


class ReadingCache:
    """Pages and counted texts that runs share; pages also beyond the process if there is a cache.

    ``version`` is that of the program, as far as reading depends on it.
    """

    def __init__(self, kept: PageCache | None, version: str) -> None:
        self._version = version
        self._rows = kept
        self._memory: PageMemory = LruCache(PAGE_MEMORY, size_of)
        self.counters = TextCounters(TEXT_MEMORY)

    def pages(self, archive: Archive, pdf: bool = False) -> CachedPages:
        """Return the pages of an archive; with ``pdf`` its PDFs are pages too."""
        version = f"{self._version} {archive.fingerprint} {'pdf' if pdf else ''}"
        return CachedPages(ArchivedPages(archive, pdf), version, self._memory, self._rows)


@contextmanager
def open_reading_cache(choice: CacheChoice) -> Iterator[ReadingCache]:
    """Open what the runs of this process share of reading, until this ends.

    Processes that work at the same time share through the folder, and so do later ones; with
    "none" for a folder only the runs of this process share. The folder is made at once, since
    every run has pages to keep: what is wrong with it is a warning at once. SettingsError where
    a file has the name of the folder.
    """
    path = refuse_cache_file(choice.path)
    if path is None:
        yield ReadingCache(None, reading_version())
        return
    with PageCache(path, choice.limit) as pages:
        pages.prepare()
        yield ReadingCache(pages, reading_version())


# The content of a cache folder, and how it is emptied.


@dataclass(frozen=True, slots=True)
class CacheReport:
    """The content of a cache folder.

    Parameters
    ----------
    folder : where it is.
    bytes : what its files take on the disk; 0 where nothing was ever kept.
    entries : texts, words or passages that have vectors, by model; the model with the most first.
    pages : that were read from archives.
    page_bytes : how many of the bytes are those of pages.
    indexes : of archives: where each page lies in its file.
    index_bytes : how many of the bytes are those of indexes.
    """

    folder: Path
    bytes: int
    entries: Mapping[str, int]
    pages: int = 0
    page_bytes: int = 0
    indexes: int = 0
    index_bytes: int = 0

    def to_json(self) -> dict[str, object]:
        """Return the report as JSON."""
        return asdict(self) | {"folder": str(self.folder), "entries": dict(self.entries)}


def cache_report(cache: str | Path | None = None) -> CacheReport:
    """Return what the cache holds: vectors, pages, indexes.

    ``cache`` is its folder, by default ``~/.cache/scenthound``. Nothing is made where there is
    none. FolderError where it cannot be read, SettingsError where it is a file, or "none".
    """
    folder = _cache_folder(cache)
    vectors, pages = VectorCache(folder).usage(), PageCache(folder).usage()
    indexes = index_files(folder)
    index_bytes = bytes_on_disk(indexes)
    return CacheReport(
        folder,
        vectors.bytes + pages.bytes + index_bytes,
        vectors.entries,
        pages.entries.get(READ, 0),
        pages.bytes,
        len(indexes),
        index_bytes,
    )


def clear_cache(cache: str | Path | None = None) -> None:
    """Empty the cache, also while crawls use it; see :func:`cache_report`.

    An index that a run has open stays readable for it.
    """
    folder = _cache_folder(cache)
    VectorCache(folder).clear()
    PageCache(folder).clear()
    for index in index_files(folder):
        problem = f"the index {index} cannot be removed"
        with os_errors_as(FolderError, problem, "; delete it yourself"):
            index.unlink(missing_ok=True)


def _cache_folder(cache: str | Path | None) -> Path:
    """Return the folder of a cache; SettingsError for a file, or for "none"."""
    advice = "give the folder of a cache, or leave it out"
    path = refuse_cache_file(cache_choice(cache, None).path, advice)
    if path is None:
        raise SettingsError(f'cache "none" is no folder; {advice}.')
    return path
