"""Writes the pages of a crawl to WARC files, and goes on where the last commit was."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Self
from uuid import uuid4

from scenthound.core.errors import FolderError
from scenthound.store.exchange import START, End, Exchange, Original, Pairs, Position
from scenthound.store.segments import (
    continue_segment,
    create_segment,
    cut_back,
    refuse_segments,
    segment_path,
)
from scenthound.store.warc_records import NewId, info_record, page_records

SEGMENT_BYTES = 1_000_000_000

Clock = Callable[[], float]


class WarcWriter:
    """Appends pages to segments; made by :meth:`open`, used by one thread at a time.

    A page is with the operating system when ``write`` returns, and on the disk after ``sync``.
    """

    def __init__(
        self,
        folder: Path,
        end: End,
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
            self._file = continue_segment(folder, end.segment)
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
        try:
            if end is None:
                refuse_segments(folder)
            else:
                cut_back(folder, End(*end))
            return cls(folder, End(*(end or START)), about, segment_bytes, clock, new_id)
        except OSError as error:
            raise _unwritable(folder, error) from None

    @property
    def end(self) -> End:
        """How far the files are written: what to commit, after :meth:`sync`."""
        return self._end

    def write(self, exchange: Exchange, fields: Pairs, copy_of: Original | None = None) -> Position:
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

    def append(self, response: bytes, others: bytes) -> Position:
        """Append a page whose records are there already: see ``page_records``, and ``write``."""
        if self._end.offset >= self._segment_bytes:
            self._rotate()
        position = Position(*self._end, len(response))
        self._append(response + others)
        return position

    def sync(self) -> None:
        """Have everything so far on the disk itself."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise _unwritable(self.folder, error) from None

    def close(self) -> None:
        """End writing."""
        self._file.close()

    def _rotate(self) -> None:
        self.sync()
        try:
            file = create_segment(self.folder, self._end.segment + 1)
        except OSError as error:
            raise _unwritable(self.folder, error) from None
        self._file.close()
        self._file, self._end = file, End(self._end.segment + 1, 0)
        self._begin()

    def _begin(self) -> None:
        name = segment_path(self.folder, self._end.segment).name
        try:
            self._append(info_record(name, self._about, self._clock(), self._new_id))
        except FolderError:
            self._file.close()
            raise

    def _append(self, records: bytes) -> None:
        try:
            _write_all(self._file, records)
        except OSError as error:
            with suppress(OSError):  # half a record would make the file invalid
                self._file.truncate(self._end.offset)
            raise _unwritable(self.folder, error) from None
        self._end = End(self._end.segment, self._end.offset + len(records))


def _write_all(file: FileIO, content: bytes) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) :]


def _unwritable(folder: Path, error: OSError) -> FolderError:
    return FolderError(
        f"pages cannot be written to {folder}: {error.strerror}; put that right, then go on."
    )
