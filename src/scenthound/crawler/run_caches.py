"""Caches of a run: which vector cache it uses, pages that are read once, terms that are counted
once.
"""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version

from scenthound.core.cache import LruCache
from scenthound.core.errors import SettingsError
from scenthound.core.options import cache_bytes
from scenthound.crawler.topic_reading import Warn
from scenthound.similarity.encoders import ModelRuntime
from scenthound.storage.archive import Archive
from scenthound.storage.archive_index import default_cache
from scenthound.storage.cache import COUNTED, READ, PageCache, VectorCache
from scenthound.storage.cache_database import DEFAULT_LIMIT
from scenthound.storage.pages import ArchivedPages, CachedPages, PageMemory, size_of
from scenthound.text.term_counts import TextCounters

_PACKAGES = ("core", "storage", "text")
"""Ours, that turn a response into a page and a text into terms."""

_LIBRARIES = (
    "scenthound", "Brotli", "PyStemmer", "google-re2", "numpy", "py3langid", "pypdf", "rjieba",
    "selectolax", "stopwordsiso", "w3lib",
)  # fmt: skip
"""All that these packages import."""


@cache
def reading_version() -> str:
    """A hash of the program and the libraries by which pages and texts are read.

    By the source itself and not by a number that somebody must remember to raise.
    """
    libraries = (f"{library} {_installed(library)}" for library in _LIBRARIES)
    facts = (_SOURCE, python_version(), unicodedata.unidata_version, *libraries)
    return hashlib.blake2b("\n".join(facts).encode(), digest_size=16).hexdigest()


def source_digest(root: Path) -> str:
    """A hash of the source of all packages that read, which lie in ``root``."""
    digest = hashlib.blake2b(digest_size=16)
    for package in _PACKAGES:
        # Word lists are read too: they are text files beside the source.
        for path in sorted(p for p in (root / package).rglob("*") if p.suffix in (".py", ".txt")):
            content = path.read_bytes()
            name = path.relative_to(root).as_posix()
            digest.update(f"{name} {len(content)}\n".encode("utf-8", "surrogateescape"))
            digest.update(content)
    return digest.hexdigest()


def _installed(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return ""


_SOURCE = source_digest(Path(__file__).parent.parent)
"""Taken together with the modules themselves: a file that is edited later is not what reads."""


# Which vector cache a run uses, and the runtime that carries it into the models.


NO_CACHE = "none"
"""What to give in place of a folder where nothing is to be kept."""

CACHE, CACHE_LIMIT = "cache", "cache_limit"


@dataclass(frozen=True, slots=True)
class CacheChoice:
    """Where vectors of words and texts are kept between runs, and how many.

    Parameters
    ----------
    folder : None for the user's own cache folder, "none" for no cache at all.
    limit : bytes that the cache may take.

    SettingsError for what cannot be.
    """

    folder: str | None = None
    limit: int = DEFAULT_LIMIT

    def __post_init__(self) -> None:
        if self.folder is not None and not self.folder.strip():
            raise SettingsError('the cache has an empty name; give a folder, or "none" for none.')
        cache_bytes(self.limit)

    @property
    def path(self) -> Path | None:
        """The folder; None for no cache."""
        if self.folder is None:
            return default_cache()
        return None if self.folder.strip().lower() == NO_CACHE else Path(self.folder).resolve()

    def changed(
        self, folder: str | os.PathLike[str] | None, limit: int | str | None
    ) -> CacheChoice:
        """The choice with what is given; None leaves it as it is."""
        return CacheChoice(
            self.folder if folder is None else os.fspath(folder),
            self.limit if limit is None else cache_bytes(limit),
        )

    def to_json(self) -> dict[str, object]:
        """As settings of a crawl folder have it: the folder as it is found from everywhere."""
        kept = None if self.folder is None else str(self.path or NO_CACHE)
        return {CACHE: kept, CACHE_LIMIT: self.limit}

    @classmethod
    def from_json(cls, settings: Mapping[str, object]) -> CacheChoice:
        """Out of the settings of a crawl folder; those of older ones say nothing of it."""
        folder, limit = settings.get(CACHE), settings.get(CACHE_LIMIT)
        return cls().changed(
            None if folder is None else str(folder), None if limit is None else str(limit)
        )


@contextmanager
def open_equipment(choice: CacheChoice, warn: Warn) -> Iterator[ModelRuntime]:
    """What models of words and texts work with, until this ends.

    The folder is made when the first vector is kept; SettingsError where a file has its name.
    """
    path = refuse_cache_file(choice.path)
    once = warn_once(warn)
    if path is None:
        yield ModelRuntime(warn=once)
        return
    with VectorCache(path, choice.limit) as cache:
        yield ModelRuntime(cache=cache, warn=once)


def refuse_cache_file(
    path: Path | None, advice: str = 'give another, or "none" for none'
) -> Path | None:
    """The folder of a cache; SettingsError, which ends in the advice, where it is a file."""
    if path is not None and os.path.exists(path) and not os.path.isdir(path):
        raise SettingsError(f"the cache {path} is no folder; {advice}.")
    return path


def warn_once(warn: Warn) -> Warn:
    """Passes each message on once: a strategy may be built several times in one run."""
    said: set[str] = set()

    def once(message: str) -> None:
        if message not in said:
            said.add(message)
            warn(message)

    return once


# What the runs of a process share: pages are read once, and their terms are counted once.
#
# It changes what a run costs, and nothing else: the same pages are fetched in the same order,
# with the same scores.


PAGE_MEMORY = 120_000_000

TEXT_MEMORY = 80_000_000
"""Bytes of memory for pages and for counted texts, in each process."""


class ReadingCache:
    """What runs share of reading.

    Parameters
    ----------
    cache : what is kept beyond the process; None for nothing.
    version : of the program, as far as reading depends on it.
    """

    def __init__(self, cache: PageCache | None, version: str) -> None:
        self._version = version
        self._rows = None if cache is None else cache.kind(READ)
        self._memory: PageMemory = LruCache(PAGE_MEMORY, size_of)
        counted = None if cache is None else cache.kind(COUNTED)
        self.counters = TextCounters(version, TEXT_MEMORY, counted)

    def pages(self, archive: Archive, pdf: bool = False) -> CachedPages:
        """The pages of an archive; with ``pdf`` its PDFs are pages too."""
        version = f"{self._version} {archive.version} {'pdf' if pdf else ''}"
        return CachedPages(ArchivedPages(archive, pdf), version, self._memory, self._rows)


@contextmanager
def open_reading_cache(choice: CacheChoice, warn: Warn) -> Iterator[ReadingCache]:
    """What the runs of this process share of reading, until this ends.

    Processes that work at the same time share through the folder, and so do later ones; with
    "none" for a folder only the runs of this process share. The folder is made at once, since
    every run has pages to keep: what is wrong with it is a warning at once.

    Parameters
    ----------
    choice : the cache folder, and how large the file of pages may be.
    warn : gets what is wrong with the folder, once.

    Raises
    ------
    SettingsError
        A file has the name of the folder.
    """
    path = refuse_cache_file(choice.path)
    if path is None:
        yield ReadingCache(None, reading_version())
        return
    with PageCache(path, choice.limit) as cache:
        cache.prepare()
        yield ReadingCache(cache, reading_version())
