"""Where the pages of a crawl as a whole lie: in WARC files of its own, or those of its workers."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Protocol
from uuid import uuid4

from scenthound.core.errors import FolderError
from scenthound.corpus.merged_numbers import MergedNumbers
from scenthound.corpus.merged_warc import PageBytes, Placed, page_bytes, response_at
from scenthound.corpus.workers import WorkerFolder
from scenthound.store.database import read_database
from scenthound.store.exchange import START, End, Position
from scenthound.store.ledger import Ledger
from scenthound.store.segments import segment_path
from scenthound.store.warc import WarcWriter
from scenthound.store.warc_rewriting import METADATA, REVISIT, opened, renumbered, restored

OnBytes = Callable[[int], None]
"""Told how many bytes were copied."""
Orphans = Mapping[tuple[int, int], tuple[int, int]]
_ROWS = "SELECT n, url, at, payload_digest FROM pages WHERE n <= ? ORDER BY n"
_PLACES = """
    SELECT n, segment, offset, length FROM pages WHERE n <= ? AND segment IS NOT NULL
    ORDER BY segment, offset
"""


class PagesKept(Protocol):
    """What becomes of the WARC records of workers."""

    def keep(self, worker: WorkerFolder, database: sqlite3.Connection, ledger: Ledger) -> None:
        """Those of one worker, whose database is open to read; the ledger gets their places."""

    @property
    def end(self) -> End:
        """How far the files of the crawl are written."""


class CopiedPages:
    """Copies records as they are, without those of pages that are left out.

    Two kinds are made anew: metadata, which names pages by number, and an exact copy of a page that
    is left out, which gets the body itself.

    Parameters
    ----------
    writer : of the WARC files.
    workers : all of them, by number.
    numbers : those of the pages.
    orphans : see :class:`MergedJournal`.
    on_bytes : told of every page.
    """

    def __init__(
        self,
        writer: WarcWriter,
        workers: Mapping[int, WorkerFolder],
        numbers: MergedNumbers,
        orphans: Orphans,
        on_bytes: OnBytes,
    ) -> None:
        self._writer = writer
        self._workers = workers
        self._numbers = numbers
        self._orphans = orphans
        self._on_bytes = on_bytes

    @property
    def end(self) -> End:
        """How far the writer is."""
        return self._writer.end

    def keep(self, worker: WorkerFolder, database: sqlite3.Connection, ledger: Ledger) -> None:
        """Copy the pages that have a number, and every redirect."""
        placed = places(database, self._numbers.pages_of(worker.number))
        for page in page_bytes(worker, placed):
            number = None if page.n is None else self._numbers.kept(worker.number, page.n)
            if page.n is not None and number is None:
                continue
            others = b"".join(self._others(worker.number, page))
            position = self._writer.append(self._response(worker.number, page), others)
            if number is not None:
                ledger.place(number, position)
            self._on_bytes(len(others) + position.length)
        self._writer.sync()

    def _others(self, worker: int, page: PageBytes) -> Iterator[bytes]:
        for raw, record in page.others:
            if record.kind != METADATA or page.n is None:
                yield raw
            else:
                yield renumbered(record, lambda n: self._numbers.number_of(worker, n), uuid4)

    def _response(self, worker: int, page: PageBytes) -> bytes:
        original = None if page.n is None else self._orphans.get((worker, page.n))
        if original is None or (copy := opened(page.response)).kind != REVISIT:
            return page.response
        owner = self._workers[original[0]]
        with closing(read_database(owner.folder.database_path)) as database:
            position = Ledger(database).position(original[1])
        if position is None:
            return page.response
        return restored(copy, opened(response_at(owner, position)))


class LinkedPages:
    """Leaves records where they are: the crawl's WARC files are links to those of its workers."""

    def __init__(self, folder: Path, numbers: MergedNumbers) -> None:
        self._folder = folder
        self._numbers = numbers
        self.end = START

    def keep(self, worker: WorkerFolder, database: sqlite3.Connection, ledger: Ledger) -> None:
        """Link to the worker's files, under the numbers that follow."""
        if not worker.warc.offset:
            return
        before = self.end.segment if self.end.offset else 0
        for segment in range(1, worker.warc.segment + 1):
            link = segment_path(self._folder, before + segment)
            link.symlink_to(segment_path(worker.path, segment).resolve())
        for n, place in places(database, self._numbers.pages_of(worker.number)):
            number = self._numbers.kept(worker.number, n)
            if number is not None:
                ledger.place(number, place._replace(segment=before + place.segment))
        self.end = End(before + worker.warc.segment, worker.warc.offset)


def record_pages(
    worker: WorkerFolder, database: sqlite3.Connection, numbers: MergedNumbers, ledger: Ledger
) -> None:
    """Enter the pages of a worker that have a number; FolderError where some are not there.

    Fingerprints are left out: nobody looks for near copies any more.
    """
    found, wanted = 0, numbers.pages_of(worker.number)
    for n, url, at, digest in database.execute(_ROWS, (wanted,)):
        found += 1
        number = numbers.kept(worker.number, n)
        if number is not None:
            ledger.record(number, url, at, digest, None)
    if found != wanted:
        raise FolderError(
            f"{worker.folder.database_path} is damaged: it has {found:,} pages of the {wanted:,} "
            "in the journal beside it; put a whole copy back."
        )


def places(database: sqlite3.Connection, pages: int) -> Iterator[Placed]:
    """Where the first so many pages lie, in the order of the files."""
    for n, segment, offset, length in database.execute(_PLACES, (pages,)):
        yield n, Position(segment, offset, length)
