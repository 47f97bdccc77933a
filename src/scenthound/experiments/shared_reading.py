"""What the runs of a process share: pages are read once, and their terms are counted once.

It changes what a run costs, and nothing else: the same pages are fetched in the same order, with
the same scores.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from scenthound.archive import Archive
from scenthound.core.keeping import Remembered
from scenthound.engines.archived_pages import ArchivedPages
from scenthound.engines.kept_pages import KeptPages, PageMemory, size_of
from scenthound.experiments.equipping import CacheChoice, refuse_file, told_once
from scenthound.experiments.reading_version import reading_version
from scenthound.experiments.topic_reading import Warn
from scenthound.store.page_cache import COUNTED, READ, PageCache
from scenthound.text.counters import TextCounters

PAGE_MEMORY = 120_000_000
TEXT_MEMORY = 80_000_000
"""Bytes of memory for pages and for counted texts, in each process."""


class SharedReading:
    """What runs share of reading.

    Parameters
    ----------
    cache : what is kept beyond the process; None for nothing.
    version : of the program, as far as reading depends on it.
    """

    def __init__(self, cache: PageCache | None, version: str) -> None:
        self._version = version
        self._rows = None if cache is None else cache.kind(READ)
        self._memory: PageMemory = Remembered(PAGE_MEMORY, size_of)
        counted = None if cache is None else cache.kind(COUNTED)
        self.counters = TextCounters(version, TEXT_MEMORY, counted)

    def pages(self, archive: Archive, pdf: bool = False) -> KeptPages:
        """The pages of an archive; with ``pdf`` its PDFs are pages too."""
        version = f"{self._version} {archive.version} {'pdf' if pdf else ''}"
        return KeptPages(ArchivedPages(archive, pdf), version, self._memory, self._rows)


@contextmanager
def shared_reading(choice: CacheChoice, warn: Warn) -> Iterator[SharedReading]:
    """What the runs of this process share of reading, until this ends.

    Processes that work at the same time share through the folder, and so do later ones; with
    "none" for a folder only the runs of this process share. The folder is made at once, since
    every run has pages to keep: what is wrong with it is told while somebody listens.

    Parameters
    ----------
    choice : the cache folder, and how large the file of pages may be.
    warn : hears what is wrong with the folder; nothing twice.

    Raises
    ------
    SettingsError
        A file has the name of the folder.
    """
    path = refuse_file(choice.path)
    if path is None:
        yield SharedReading(None, reading_version())
        return
    with PageCache(path, choice.limit, told_once(warn)) as cache:
        cache.prepare()
        yield SharedReading(cache, reading_version())
