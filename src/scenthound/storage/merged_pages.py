"""The WARC records of several workers, copied into the files of one crawl or linked from it.

Records are copied as compressed bytes, so digests and dates stay what the worker wrote. Only
metadata is written again, since it names pages by their numbers.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from scenthound.core.errors import FolderError
from scenthound.storage.database import Ledger
from scenthound.storage.files import os_errors_as, segment_path
from scenthound.storage.merged_journal import MergedNumbers
from scenthound.storage.warc_reader import (
    BrokenRecordError,
    WholeRecord,
    Window,
    field_pairs,
    read_record,
)
from scenthound.storage.warc_writer import (
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
        with os_errors_as(FolderError, f"{path} cannot be read"), path.open("rb") as file:
            end = worker.warc.offset if segment == worker.warc.segment else path.stat().st_size
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


def renumber_metadata(
    metadata: WholeRecord, number_of: Callable[[int], int], new_id: NewId = uuid4
) -> bytes:
    """The metadata of a page, compressed, with the numbers that pages have in the merged crawl."""
    fields = []
    for name, value in field_pairs(metadata.block):
        number, blank, rest = value.partition(" ")
        if name in ("page", "linkedFromPage") and number.isdecimal():
            value = f"{number_of(int(number))}{blank}{rest}"
        fields.append((name, value))
    block = field_lines(fields)
    changes = {
        "WARC-Record-ID": f"<{new_id().urn}>",
        "WARC-Block-Digest": labelled_digest(block),
        "Content-Length": str(len(block)),
    }
    headers = [(name, changes.get(name, value)) for name, value in metadata.headers]
    return compress_record(headers, block)


# The pages of the merged crawl: copied to WARC files of its own, or linked from those of workers.


def copy_pages(
    worker: WorkerFolder,
    database: sqlite3.Connection,
    numbers: MergedNumbers,
    writer: WarcWriter,
    ledger: Ledger,
) -> Iterator[int]:
    """Copy the pages that have a number, and every redirect; yield the bytes of each."""
    placed = places(database, numbers.pages_of(worker.number))
    for page in page_bytes(worker, placed):
        number = None if page.n is None else numbers.merged_number(worker.number, page.n)
        if page.n is not None and number is None:
            continue
        others = b"".join(
            renumber_metadata(record, lambda n: numbers.number_of(worker.number, n))
            if record.kind == "metadata" and number is not None
            else record.raw
            for record in page.others
        )
        position = writer.append(page.response, others)
        if number is not None:
            ledger.place(number, position)
        yield len(others) + position.length
    writer.sync()


def link_pages(
    worker: WorkerFolder,
    database: sqlite3.Connection,
    numbers: MergedNumbers,
    folder: Path,
    end: WarcEnd,
    ledger: Ledger,
) -> WarcEnd:
    """Link from ``folder`` to the worker's files, under the numbers behind ``end``: the new end."""
    if not worker.warc.offset:
        return end
    before = end.segment if end.offset else 0
    for segment in range(1, worker.warc.segment + 1):
        link = segment_path(folder, before + segment)
        link.symlink_to(segment_path(worker.path, segment).resolve())
    for n, place in places(database, numbers.pages_of(worker.number)):
        number = numbers.merged_number(worker.number, n)
        if number is not None:
            ledger.place(number, place._replace(segment=before + place.segment))
    return WarcEnd(before + worker.warc.segment, worker.warc.offset)


def record_pages(
    worker: WorkerFolder, database: sqlite3.Connection, numbers: MergedNumbers, ledger: Ledger
) -> None:
    """Enter the pages of a worker that have a number; FolderError where some are not there.

    Fingerprints are left out: nobody looks for near copies any more.
    """
    found, wanted = 0, numbers.pages_of(worker.number)
    rows = "SELECT n, url, at, payload_digest FROM pages WHERE n <= ? ORDER BY n"
    for n, url, at, digest in database.execute(rows, (wanted,)):
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
    query = "SELECT n, segment, offset, length FROM pages WHERE n <= ? AND segment IS NOT NULL"
    for n, *place in database.execute(f"{query} ORDER BY segment, offset", (pages,)):
        yield n, WarcPosition(*place)
