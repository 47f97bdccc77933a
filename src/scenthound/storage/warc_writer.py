"""Writes the pages of a crawl to WARC segments, in a thread of its own, and continues where the
last commit was.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from threading import BoundedSemaphore
from typing import Self, TypeVar
from uuid import uuid4

from scenthound.core.errors import FolderError
from scenthound.storage.files import os_errors_as
from scenthound.storage.warc_reader import segment_path
from scenthound.storage.warc_records import (
    WARC_START,
    Exchange,
    HeaderPairs,
    NewId,
    Original,
    WarcEnd,
    WarcPosition,
    info_record,
    page_records,
)

_NAME = re.compile(r"pages-(\d{5,})\.warc\.gz")


def segments_in(folder: Path) -> list[int]:
    """The numbers of the segments that are there, in order."""
    found = (_NAME.fullmatch(entry.name) for entry in folder.iterdir())
    return sorted(int(match[1]) for match in found if match)


def create_segment(folder: Path, segment: int) -> FileIO:
    """A new, empty segment, which is in its folder even after a loss of power."""
    FileIO(segment_path(folder, segment), "xb").close()
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return FileIO(segment_path(folder, segment), "ab")


def truncate_segments(folder: Path, end: WarcEnd) -> None:
    """Take off what was written after ``end``: later segments, and the rest of its own.

    Raises
    ------
    FolderError
        The segment does not reach that far: pages are lost.
    """
    for segment in segments_in(folder):
        if segment > end.segment or (segment == end.segment and end.offset == 0):
            segment_path(folder, segment).unlink()
    if end.offset > 0:
        _cut(segment_path(folder, end.segment), end.offset)


def _cut(path: Path, length: int) -> None:
    try:
        file = FileIO(path, "rb+")
    except FileNotFoundError:
        raise FolderError(f"{path} is not there: put it back, or start a new crawl.") from None
    with file:
        size = os.fstat(file.fileno()).st_size
        if size < length:
            raise FolderError(
                f"{path} has {size} bytes, but {length} were written: put the whole file back, "
                "or start a new crawl."
            )
        file.truncate(length)
        os.fsync(file.fileno())


SEGMENT_BYTES = 1_000_000_000


Clock = Callable[[], float]


class WarcWriter:
    """Appends pages to segments; made by :meth:`open`, used by one thread at a time.

    A page is with the operating system when ``write`` returns, and on the disk after ``sync``.
    """

    def __init__(
        self,
        folder: Path,
        end: WarcEnd,
        about: Mapping[str, str],
        segment_bytes: int,
        clock: Clock,
        new_id: NewId,
    ) -> None:
        self.folder = folder
        self._about = tuple(about.items())
        self._segment_bytes = segment_bytes
        self._clock = clock
        self._new_id = new_id
        self._end = end
        if end.offset > 0:
            self._file = FileIO(segment_path(folder, end.segment), "ab")
        else:
            self._file = create_segment(folder, end.segment)
            self._begin()

    @classmethod
    def open(
        cls,
        folder: Path,
        end: tuple[int, int] | None,
        about: Mapping[str, str],
        *,
        segment_bytes: int = SEGMENT_BYTES,
        clock: Clock = time.time,
        new_id: NewId = uuid4,
    ) -> Self:
        """A writer for a new crawl, or for one that stopped.

        Parameters
        ----------
        folder : the crawl folder, which is there.
        end : how far the files were written when that was last committed: all that came after is
            taken off. ``START`` where nothing was. None for a new crawl: the folder must hold no
            pages then.
        about : what the ``warcinfo`` of a new segment says: software, user agent, ...
        segment_bytes : a segment that has grown to this length is followed by a new one.
        clock : the time, in seconds since 1970, of a new segment.
        new_id : gives every record its id.

        Raises
        ------
        FolderError
            Pages are there that must not be, pages that must be are not, or nothing can be
            written.
        """
        with _write_errors(folder):
            if end is not None:
                truncate_segments(folder, WarcEnd(*end))
            elif segments_in(folder):  # pages are never overwritten
                raise FolderError(
                    f"{folder} holds the pages of a crawl; choose another --out folder."
                )
            return cls(folder, WarcEnd(*(end or WARC_START)), about, segment_bytes, clock, new_id)

    @property
    def end(self) -> WarcEnd:
        """How far the files are written: what to commit, after :meth:`sync`."""
        return self._end

    def write(
        self, exchange: Exchange, fields: HeaderPairs, copy_of: Original | None = None
    ) -> WarcPosition:
        """Append a page: response, what a browser made of it, request and metadata, side by side.

        Parameters
        ----------
        exchange : the page.
        fields : names and values for the metadata record; values may hold anything.
        copy_of : URL and time of the page stored before whose body is the same to the byte (see
            ``payload_digest``); this one's body is not stored again.

        Raises
        ------
        FolderError
            The disk is full, or failing. The files are as they were.
        """
        return self.append(*page_records(exchange, fields, copy_of, self._new_id))

    def append(self, response: bytes, others: bytes) -> WarcPosition:
        """Append a page whose records are there already: see ``page_records``, and ``write``."""
        if self._end.offset >= self._segment_bytes:
            self._rotate()
        position = WarcPosition(*self._end, len(response))
        self._append(response + others)
        return position

    def sync(self) -> None:
        """Have everything so far on the disk itself."""
        with _write_errors(self.folder):
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """End writing."""
        self._file.close()

    def _rotate(self) -> None:
        self.sync()
        with _write_errors(self.folder):
            file = create_segment(self.folder, self._end.segment + 1)
        self._file.close()
        self._file, self._end = file, WarcEnd(self._end.segment + 1, 0)
        self._begin()

    def _begin(self) -> None:
        name = segment_path(self.folder, self._end.segment).name
        try:
            self._append(info_record(name, self._about, self._clock(), self._new_id))
        except FolderError:
            self._file.close()
            raise

    def _append(self, records: bytes) -> None:
        with _write_errors(self.folder):
            try:
                _write_all(self._file, records)
            except OSError:
                with suppress(OSError):  # half a record would make the file invalid
                    self._file.truncate(self._end.offset)
                raise
        self._end = WarcEnd(self._end.segment, self._end.offset + len(records))


def _write_all(file: FileIO, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) :]


def _write_errors(folder: Path) -> AbstractContextManager[None]:
    problem = f"pages cannot be written to {folder}"
    return os_errors_as(FolderError, problem, "; put that right, then go on")


# A thread compresses and writes pages, a bounded number behind the crawl.

MAX_QUEUED_PAGES = 64


_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Flushed:
    """What is on the disk now: pages by number since the last flush, and how far the files go."""

    positions: tuple[tuple[int, WarcPosition], ...]
    end: WarcEnd


class WarcWriterThread:
    """Owns a writer. Pages are written in the order of ``put``.

    After an error nothing more is written: it is raised by every later ``put`` and ``flush``,
    and by ``close`` where no call has raised it yet.

    Parameters
    ----------
    writer : used by the thread alone from now on, and closed with it.
    most : so many pages may wait to be written; ``put`` blocks while there are that many.
    """

    def __init__(self, writer: WarcWriter, most: int = MAX_QUEUED_PAGES) -> None:
        self._writer = writer
        self._room = BoundedSemaphore(most)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pages")
        self._positions: list[tuple[int, WarcPosition]] = []
        self._failure: BaseException | None = None
        self._raised = False

    def put(
        self, number: int, exchange: Exchange, fields: HeaderPairs, copy_of: Original | None = None
    ) -> None:
        """Have a page written soon; blocks while too many wait.

        Raises
        ------
        FolderError
            An earlier page could not be written, so this one is not either.
        """
        self._raise_failure()
        self._room.acquire()
        try:
            written = self._thread.submit(self._write, number, exchange, fields, copy_of)
        except RuntimeError:  # closed
            self._room.release()
            raise
        written.add_done_callback(lambda _: self._room.release())

    def flush(self) -> Flushed:
        """Wait until everything put so far is on the disk; says where. Raises as ``put`` does."""
        try:
            return self.flush_later().result()
        except BaseException as error:
            self._raised = error is self._failure
            raise

    def flush_later(self) -> Future[Flushed]:
        """The same without waiting: pages that are put afterwards do not belong to it."""
        return self._thread.submit(self._guarded, self._flush)

    def close(self) -> None:
        """Write what waits, end the thread, and close the writer; a second time does nothing."""
        self._thread.shutdown(wait=True)
        self._writer.close()
        if not self._raised:
            self._raise_failure()

    def _write(
        self, number: int, exchange: Exchange, fields: HeaderPairs, copy_of: Original | None
    ) -> None:
        position = self._guarded(lambda: self._writer.write(exchange, fields, copy_of))
        self._positions.append((number, position))

    def _flush(self) -> Flushed:
        self._writer.sync()
        positions, self._positions = tuple(self._positions), []
        return Flushed(positions, self._writer.end)

    def _guarded(self, work: Callable[[], _Result]) -> _Result:
        """In the thread: ``work``, unless something failed before."""
        if self._failure is not None:
            raise self._failure
        try:
            return work()
        except BaseException as failure:
            self._failure = failure
            raise

    def _raise_failure(self) -> None:
        if self._failure is not None:
            self._raised = True
            raise self._failure
