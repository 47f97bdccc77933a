"""The WARC records of several workers, copied into the files of one crawl or linked from it.

Records are copied as compressed bytes, so digests and dates stay what the worker wrote. Only two
kinds are written again, see below. ``merge`` uses :class:`PageCopier` or :class:`PageLinker`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from scenthound.core.errors import FolderError
from scenthound.storage.database import Ledger, read_database
from scenthound.storage.files import os_errors_as, segment_path
from scenthound.storage.merged_journal import MergedNumbers
from scenthound.storage.warc_reader import (
    BrokenRecordError,
    WholeRecord,
    Window,
    field_pairs,
    read_record,
    record_in,
)
from scenthound.storage.warc_writer import (
    WARC_START,
    HeaderPairs,
    NewId,
    WarcEnd,
    WarcPosition,
    WarcWriter,
    compress_record,
    field_lines,
    labelled_digest,
)
from scenthound.storage.worker_folders import WorkerFolder

PagePositions = tuple[int, WarcPosition]
"""The number of a page and where its response lies."""


@dataclass(slots=True)
class PageBytes:
    """The records of a page, compressed: its response, and those about it.

    ``n`` is its number in the worker's journal, None for a redirect, which is no page.
    """

    n: int | None
    response: bytes
    others: list[WholeRecord] = field(default_factory=list)


def page_bytes(worker: WorkerFolder, placed: Iterator[PagePositions]) -> Iterator[PageBytes]:
    """All that a worker has stored up to its last commit, in the order of its files.

    A response is passed on unread, since the ledger says how long it is; what is unpacked are the
    small records behind it. FolderError where a file is damaged.

    Parameters
    ----------
    worker : whose files are read.
    placed : its pages, by where they lie.
    """
    current: PageBytes | None = None
    following = next(placed, None)
    for segment in range(1, worker.warc.segment + (worker.warc.offset > 0)):
        path = segment_path(worker.path, segment)
        end = worker.warc.offset if segment == worker.warc.segment else path.stat().st_size
        with path.open("rb") as file:
            window, offset = Window(file, 0, end), 0
            while offset < end:
                if following is not None and following[1][:2] == (segment, offset):
                    n, (_, _, length) = following
                    page = PageBytes(n, window.read_at(offset, length))
                    offset, following = offset + length, next(placed, None)
                else:
                    record = _record_at(window, path, offset)
                    offset += len(record.raw)
                    if record.kind not in ("response", "revisit"):
                        if current is not None and record.kind != "warcinfo":
                            current.others.append(record)
                        continue
                    page = PageBytes(None, record.raw)
                if current is not None:
                    yield current
                current = page
    if current is not None:
        yield current
    if following is not None:
        raise FolderError(
            f"{worker.path} is damaged: page {following[0]} is not where its database says; put a "
            "whole copy back."
        )


def _record_at(window: Window, path: Path, offset: int) -> WholeRecord:
    try:
        return read_record(window, offset)
    except BrokenRecordError:
        raise FolderError(f"{path} is damaged at byte {offset}: put a whole copy back.") from None


def warcinfo_fields(workers: Sequence[WorkerFolder]) -> dict[str, str]:
    """What the first of their files says of itself; nothing where there is none."""
    for worker in workers:
        if worker.warc.offset:
            path = segment_path(worker.path, 1)
            with path.open("rb") as file:
                record = _record_at(Window(file, 0, path.stat().st_size), path, 0)
            return dict(field_pairs(record.block)) if record.kind == "warcinfo" else {}
    return {}


# Two kinds of records cannot be copied as they are: metadata, which names pages by their numbers,
# and an exact copy whose original is left out.

_HEAD_END = b"\r\n\r\n"
_REVISIT_HEADERS = frozenset({"WARC-Profile", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date"})


def renumber_metadata(
    metadata: WholeRecord, number_of: Callable[[int], int], new_id: NewId
) -> bytes:
    """The metadata of a page, compressed, with the numbers that pages have in the merged crawl."""
    fields = []
    for name, value in field_pairs(metadata.block):
        number, blank, rest = value.partition(" ")
        if name in ("page", "linkedFromPage") and number.isdecimal():
            value = f"{number_of(int(number))}{blank}{rest}"
        fields.append((name, value))
    return _changed(metadata.headers, field_lines(fields), {"WARC-Record-ID": f"<{new_id().urn}>"})


def restore_revisit(revisit: WholeRecord, original: WholeRecord) -> bytes:
    """An exact copy, compressed, with the body of its original, which it needs no longer.

    Its id stays, as the records beside it name it.
    """
    head, _, _ = revisit.block.partition(_HEAD_END)
    _, _, body = original.block.partition(_HEAD_END)
    headers = [(name, value) for name, value in revisit.headers if name not in _REVISIT_HEADERS]
    return _changed(headers, head + _HEAD_END + body, {"WARC-Type": "response"})


def _changed(headers: HeaderPairs, block: bytes, changes: Mapping[str, str]) -> bytes:
    digest, length = labelled_digest(block), str(len(block))
    changes = {**changes, "WARC-Block-Digest": digest, "Content-Length": length}
    return compress_record([(name, changes.get(name, value)) for name, value in headers], block)


# The pages of the merged crawl: copied to WARC files of its own, or linked from those of workers.

_ROWS = "SELECT n, url, at, payload_digest FROM pages WHERE n <= ? ORDER BY n"
_PLACES = """
    SELECT n, segment, offset, length FROM pages WHERE n <= ? AND segment IS NOT NULL
    ORDER BY segment, offset
"""


@dataclass(frozen=True, slots=True)
class PageCopier:
    """Copies records as they are, without those of pages that are left out.

    ``workers`` are all of them, by number; ``orphans`` are those of :class:`MergedJournal`.
    """

    writer: WarcWriter
    workers: Mapping[int, WorkerFolder]
    numbers: MergedNumbers
    orphans: Mapping[tuple[int, int], tuple[int, int]]
    on_bytes: Callable[[int], None]

    @property
    def end(self) -> WarcEnd:
        """How far the writer is."""
        return self.writer.end

    def keep(self, worker: WorkerFolder, database: sqlite3.Connection, ledger: Ledger) -> None:
        """Copy the pages that have a number, and every redirect."""
        placed = places(database, self.numbers.pages_of(worker.number))
        for page in page_bytes(worker, placed):
            number = None if page.n is None else self.numbers.merged_number(worker.number, page.n)
            if page.n is not None and number is None:
                continue
            others = b"".join(self._others(worker.number, page))
            position = self.writer.append(self._response(worker.number, page), others)
            if number is not None:
                ledger.place(number, position)
            self.on_bytes(len(others) + position.length)
        self.writer.sync()

    def _others(self, worker: int, page: PageBytes) -> Iterator[bytes]:
        for record in page.others:
            if record.kind != "metadata" or page.n is None:
                yield record.raw
            else:
                yield renumber_metadata(record, lambda n: self.numbers.number_of(worker, n), uuid4)

    def _response(self, worker: int, page: PageBytes) -> bytes:
        original = None if page.n is None else self.orphans.get((worker, page.n))
        if original is None or (copy := record_in(page.response)).kind != "revisit":
            return page.response
        owner = self.workers[original[0]]
        with closing(read_database(owner.folder.database_path)) as database:
            position = Ledger(database).position(original[1])
        if position is None:
            return page.response
        path = segment_path(owner.path, position.segment)
        with os_errors_as(FolderError, f"{path} cannot be read"), path.open("rb") as file:
            whole = _record_at(Window(file, 0, path.stat().st_size), path, position.offset)
        return restore_revisit(copy, whole)


class PageLinker:
    """Leaves records where they are: the crawl's WARC files are links to those of its workers."""

    def __init__(self, folder: Path, numbers: MergedNumbers) -> None:
        self._folder = folder
        self._numbers = numbers
        self.end = WARC_START

    def keep(self, worker: WorkerFolder, database: sqlite3.Connection, ledger: Ledger) -> None:
        """Link to the worker's files, under the numbers that follow."""
        if not worker.warc.offset:
            return
        before = self.end.segment if self.end.offset else 0
        for segment in range(1, worker.warc.segment + 1):
            link = segment_path(self._folder, before + segment)
            link.symlink_to(segment_path(worker.path, segment).resolve())
        for n, place in places(database, self._numbers.pages_of(worker.number)):
            number = self._numbers.merged_number(worker.number, n)
            if number is not None:
                ledger.place(number, place._replace(segment=before + place.segment))
        self.end = WarcEnd(before + worker.warc.segment, worker.warc.offset)


def record_pages(
    worker: WorkerFolder, database: sqlite3.Connection, numbers: MergedNumbers, ledger: Ledger
) -> None:
    """Enter the pages of a worker that have a number; FolderError where some are not there.

    Fingerprints are left out: nobody looks for near copies any more.
    """
    found, wanted = 0, numbers.pages_of(worker.number)
    for n, url, at, digest in database.execute(_ROWS, (wanted,)):
        found += 1
        number = numbers.merged_number(worker.number, n)
        if number is not None:
            ledger.record(number, url, at, digest, None)
    if found != wanted:
        raise FolderError(
            f"{worker.folder.database_path} is damaged: it has {found:,} pages of the {wanted:,} "
            "in the journal beside it; put a whole copy back."
        )


def places(database: sqlite3.Connection, pages: int) -> Iterator[PagePositions]:
    """Where the first so many pages lie, in the order of the files."""
    for n, segment, offset, length in database.execute(_PLACES, (pages,)):
        yield n, WarcPosition(segment, offset, length)
