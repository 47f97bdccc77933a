"""The WARC records of a worker, page by page, to be copied as they are."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from scenthound.core.errors import FolderError
from scenthound.corpus.workers import WorkerFolder
from scenthound.store.exchange import Position
from scenthound.store.segments import segment_path
from scenthound.store.warc_rewriting import (
    INFO,
    RESPONSE,
    REVISIT,
    Opened,
    fields_in,
    opened_text,
)

_GZIP_BITS = 31
_PIECE = 16 * 1024
Placed = tuple[int, Position]
"""The number of a page and where its response lies."""


@dataclass(slots=True)
class PageBytes:
    """The records of a page, compressed: its response, and those about it.

    ``n`` is its number in the worker's journal, None for a redirect, which is no page. ``others``
    come with what they say.
    """

    n: int | None
    response: bytes
    others: list[tuple[bytes, Opened]] = field(default_factory=list)


def page_bytes(worker: WorkerFolder, placed: Iterator[Placed]) -> Iterator[PageBytes]:
    """All that a worker has stored up to its last commit, in the order of its files.

    A response is passed on unread, since the ledger says how long it is; what is unpacked are the
    small records behind it. FolderError where a file is damaged.

    Parameters
    ----------
    worker : whose files are read.
    placed : its pages, by where they lie.
    """
    current: PageBytes | None = None
    for n, raw, record in _records(worker, placed):
        if record is not None and record.kind not in (RESPONSE, REVISIT):
            if current is not None:
                current.others.append((raw, record))
            continue
        if current is not None:
            yield current
        current = PageBytes(n, raw)
    if current is not None:
        yield current


def _records(
    worker: WorkerFolder, placed: Iterator[Placed]
) -> Iterator[tuple[int | None, bytes, Opened | None]]:
    """Every record but those about files: the number of its page and the bytes, or unpacked."""
    following = next(placed, None)
    for segment in range(1, worker.warc.segment + (worker.warc.offset > 0)):
        path = segment_path(worker.path, segment)
        end = worker.warc.offset if segment == worker.warc.segment else path.stat().st_size
        with path.open("rb") as file:
            while (offset := file.tell()) < end:
                if following is not None and following[1][:2] == (segment, offset):
                    yield following[0], file.read(following[1].length), None
                    following = next(placed, None)
                    continue
                raw, record = _member(file, str(path), offset)
                if record.kind != INFO:
                    yield None, raw, record
    if following is not None:
        raise FolderError(
            f"{worker.path} is damaged: page {following[0]} is not where its database says; put a "
            "whole copy back."
        )


def response_at(worker: WorkerFolder, position: Position) -> bytes:
    """The response of a page, compressed; FolderError where it cannot be read."""
    path = segment_path(worker.path, position.segment)
    try:
        with path.open("rb") as file:
            file.seek(position.offset)
            return file.read(position.length)
    except OSError as error:
        raise FolderError(f"{path} cannot be read: {error.strerror}.") from None


def _member(file: BinaryIO, name: str, offset: int) -> tuple[bytes, Opened]:
    """The record at ``offset``, as it lies there and unpacked; the file is left behind it."""
    member, content = zlib.decompressobj(_GZIP_BITS), bytearray()
    try:
        while not member.eof:
            piece = file.read(_PIECE)
            if not piece:
                raise ValueError("it is cut")
            content += member.decompress(piece)
        record = opened_text(bytes(content))
    except (ValueError, zlib.error):
        raise FolderError(f"{name} is damaged at byte {offset}: put a whole copy back.") from None
    end = file.tell() - len(member.unused_data)
    file.seek(offset)
    return file.read(end - offset), record


def about_files(workers: Sequence[WorkerFolder]) -> dict[str, str]:
    """What the first of their files says of itself; nothing where there is none."""
    for worker in workers:
        if worker.warc.offset:
            path = segment_path(worker.path, 1)
            with path.open("rb") as file:
                _, record = _member(file, str(path), 0)
            return dict(fields_in(record.block)) if record.kind == INFO else {}
    return {}
