"""A journal read from any place in it, so that of a long one a little is read and never all.

A place is a byte: a line is known by the one it begins at, which stays as long as the line does.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from scenthound.core.errors import FolderError
from scenthound.store.journal_lines import LONGEST_LINE, Event, Line, Page, page_of

_BUFFER = 4096
"""About two lines: most readings here jump to one."""
_WINDOW = 64 * 1024
_SCANNED = 16 * 1024
"""Bytes that are looked through line by line sooner than halved again."""
_REACH = 64 * 1024
"""How far behind a place a page is looked for, for a point of a curve."""
_FAR = 16 * 1024 * 1024
"""How far from its beginning or its end a first or a last page is looked for."""
_HEAD = 256


class JournalPlaces:
    """An open journal; made by :func:`open_places`.

    A last line that is cut, or still being written, is passed over, and so is what is no journal
    line. Pages are numbered upwards, with other events between them.

    Parameters
    ----------
    file : open for reading.
    length : read it as if it ended after so many bytes; None for all that is there now.
    """

    def __init__(self, file: IO[bytes], length: int | None = None) -> None:
        self._file = file
        there = file.seek(0, os.SEEK_END)
        self.size = there if length is None else min(there, length)

    def begins_line(self, place: int) -> bool:
        """Does a line begin there? One that is still to be written may."""
        if not 0 < place <= self.size:
            return place == 0
        self._file.seek(place - 1)
        return self._file.read(1) == b"\n"

    def beginning(self) -> bytes:
        """Its first bytes, which tell one crawl from the next: they say when it began."""
        self._file.seek(0)
        return self._file.read(min(_HEAD, self.size))

    def forward(self, start: int = 0, stop: int | None = None) -> Iterator[Line]:
        """The lines that begin at or behind ``start`` and before ``stop``, in order."""
        stop = self.size if stop is None else min(stop, self.size)
        place = self._line_from(start, stop)
        while place < stop:
            self._file.seek(place)
            raw = self._file.readline(LONGEST_LINE)
            end = place + len(raw)
            if end > self.size:
                return
            if raw.endswith(b"\n"):
                yield Line(place, end, raw[:-1])
                place = end
            else:  # too long, or the last one, which is still being written
                place = self._line_from(end, stop)

    def backward(self, end: int | None = None, least: int = 0) -> Iterator[Line]:
        """The lines before ``end`` that begin behind ``least``, the last one first."""
        start = end = self.size if end is None else min(end, self.size)
        pieces: list[bytes] = []  # of the line that begins further back, the last one first
        whole = False
        while start > max(0, least):
            size = min(_WINDOW, start - max(0, least))
            start -= size
            self._file.seek(start)
            first, *lines = self._file.read(size).split(b"\n")
            if lines:
                lines[-1] += b"".join(reversed(pieces))
                pieces.clear()
            for raw in reversed(lines):
                begin = end - len(raw)
                if whole:
                    yield Line(begin, end + 1, raw)
                end, whole = begin - 1, True  # the newline before it
            pieces.append(first)
            if end - start > LONGEST_LINE:
                pieces, end, whole = [], start, False
        if whole and start == 0:
            yield Line(0, end + 1, b"".join(reversed(pieces)))

    def pages(self, start: int = 0, stop: int | None = None) -> Iterator[Page]:
        """The pages whose lines begin at or behind ``start`` and before ``stop``, in order."""
        return (page for line in self.forward(start, stop) if (page := page_of(line)) is not None)

    def pages_backward(self, end: int | None = None) -> Iterator[Page]:
        """The pages not too far before ``end``, the last one first."""
        lines = self.backward(end, (self.size if end is None else end) - _FAR)
        return (page for line in lines if (page := page_of(line)) is not None)

    def told_backward(self, kind: str) -> Iterator[Event]:
        """The events of one rare kind, the last one first; other lines are not parsed."""
        mark = f'{{"event":"{kind}"'.encode()
        events = (line.event() for line in self.backward() if line.raw.startswith(mark))
        return (event for event in events if event is not None)

    def page(self, number: int) -> Page | None:
        """The page of this number, by halving; None where there is none."""
        low, high = 0, self.size
        while high - low > _SCANNED:
            middle = (low + high) // 2
            found = next(self.pages(middle, high), None)
            if found is None or found.number > number:
                high = middle
            elif found.number < number:
                low = found.end
            else:
                return found
        near = self.pages(low, high)
        return next((page for page in near if page.number == number), None)

    def spread(self, most: int) -> list[Page]:
        """At most so many pages, evenly spread over the bytes, the first and the last among them.

        However long the journal is, only what lies behind each of the places is read.
        """
        first = next(self.pages(0, _FAR), None)
        if first is None or most < 1:
            return []
        found = [first]
        for place in range(1, most - 1):
            start, after = (self.size * each // (most - 1) for each in (place, place + 1))
            page = next(self.pages(start, min(after, start + _REACH)), None)
            if page is not None and page.start > found[-1].start:
                found.append(page)
        last = next(self.pages_backward(), first)
        return found if last.start <= found[-1].start else [*found, last]

    def _line_from(self, place: int, stop: int) -> int:
        """Where the first line begins that begins at or behind ``place``; ``stop`` for none."""
        if place <= 0:
            return 0
        place -= 1
        self._file.seek(place)
        while place < stop:
            raw = self._file.readline(min(_WINDOW, stop - place))
            if not raw:
                return stop
            place += len(raw)
            if raw.endswith(b"\n"):
                return place
        return stop


@contextmanager
def open_places(path: Path, length: int | None = None) -> Iterator[JournalPlaces]:
    """The journal at ``path``, for as long as the context lasts; see :class:`JournalPlaces`.

    FolderError where it cannot be read, or is no file: a pipe is never waited for.
    """
    try:
        with open(path, "rb", buffering=_BUFFER, opener=_opened) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FolderError(f"the journal {path} cannot be read: it is no file.")
            yield JournalPlaces(file, length)
    except OSError as error:
        raise FolderError(f"the journal {path} cannot be read: {error.strerror}.") from None


def _opened(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
