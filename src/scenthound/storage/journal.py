"""The journal: one JSON object a line, only ever appended to, read from the start, from the end
or from any byte.

:class:`FileJournal` writes. The functions below it read whole journals; :class:`JournalReader`
jumps, for views of crawls with millions of pages. Every reader stops at a committed length or
passes over a cut last line, so all of them work while a crawl writes.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from scenthound.core.errors import FolderError
from scenthound.core.events import Event

# Reasons for which a crawl stops.
OUT_OF_TIME = "time is up"
LOW_HARVEST = "harvest below the floor"
DISK_FULL = "disk nearly full"
STOPPED = "stopped"
INTERRUPTED = "interrupted"
_WINDOW = 64 * 1024
"""Bytes read at once on the way back."""


class FileJournal:
    """Appends events to a file. A line is with the operating system when ``append`` returns.

    A crash of the program therefore loses nothing; at worst the last line is cut, which the
    readers below pass over. Opening the journal again takes a cut line off, so that the next
    event starts a line of its own.

    Parameters
    ----------
    path : the file, made where it is missing.
    length : take off everything behind this many bytes, which were there when that was committed;
        FolderError where the file is shorter. None leaves it as it is.
    """

    def __init__(self, path: Path, length: int | None = None) -> None:
        self._path = path
        with _journal_errors(path):
            self._file = path.open("a+b", buffering=0)
            try:
                if length is not None:
                    self.cut(length)
                _repair_end(self._file)
            except BaseException:
                self._file.close()
                raise

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return os.fstat(self._file.fileno()).st_size

    def append(self, event: Event) -> None:
        """Write one event."""
        line = memoryview(journal_line(event.to_json()))
        with _journal_errors(self._path):
            while line:  # without a buffer a write may take fewer bytes than it was given
                line = line[self._file.write(line) :]

    def sync(self) -> None:
        """Have everything so far on the disk itself."""
        with _journal_errors(self._path):
            os.fsync(self._file.fileno())

    def cut(self, length: int) -> None:
        """Take off everything behind this many bytes."""
        if self.size < length:
            raise FolderError(
                f"the journal {self._path} has {self.size} bytes, but {length} were written: put "
                "the whole file back, or start a new crawl."
            )
        with _journal_errors(self._path):
            self._file.truncate(length)

    def close(self) -> None:
        """End writing."""
        self._file.close()


def journal_line(event: Mapping[str, object]) -> bytes:
    """An event as a line of a journal."""
    text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


def read_journal(path: Path, length: int | None = None) -> Iterator[dict[str, object]]:
    """All events in order; a last line that was cut is left out, another one is an error.

    With a ``length`` only what was written within so many bytes.
    """
    with _journal_errors(path), path.open("rb") as file:
        read = 0
        for number, line in enumerate(file, start=1):
            read += len(line)
            if length is not None and read > length:
                return
            event = _event(line)
            if event is not None:
                yield event
            elif line.endswith(b"\n"):
                raise FolderError(f"{path}, line {number} is not a journal line.")


def read_backwards(path: Path, length: int | None = None) -> Iterator[dict[str, object]]:
    """All events, the last one first; what is no journal line is passed over.

    With a ``length`` only what was written within so many bytes.
    """
    with open_journal(path, length) as journal:
        events = (line.event() for line in journal.backward())
        yield from (event for event in events if event is not None)


def pages_after(path: Path, number: int) -> list[dict[str, object]]:
    """The page events with a higher number, in order; read from the tail, no further than needed.

    A last line that was cut is left out.
    """
    found: list[dict[str, object]] = []
    for event in read_backwards(path):
        if event.get("event") == "page":
            n = event.get("n")
            if not isinstance(n, int) or n <= number:
                break
            found.append(event)
    return found[::-1]


def last_summary(path: Path) -> dict[str, object] | None:
    """The newest running summary, read from the tail alone; None if nothing was fetched."""
    summaries = (event.get("summary") for event in read_backwards(path))
    return next((each for each in summaries if isinstance(each, dict)), None)


def _event(line: bytes) -> dict[str, object] | None:
    """The event on a line; None if it is not one, or cut."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) else None


def _repair_end(file: IO[bytes]) -> None:
    """Make the file end with a whole line: end one that only lacks that, take off a cut one."""
    start, last = file.seek(0, os.SEEK_END), b""
    while start > 0 and b"\n" not in last:
        size = min(_WINDOW, start)
        start = file.seek(start - size)
        last = file.read(size) + last
    last = last.rpartition(b"\n")[2]
    if not last:
        return
    if _event(last) is not None:
        file.write(b"\n")
    else:
        file.truncate(file.seek(0, os.SEEK_END) - len(last))


@contextmanager
def _journal_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        problem = f"the journal {path} cannot be used: {error.strerror or error}."
        raise FolderError(problem) from None


# Readers that jump: a line together with the bytes where it begins and ends.

MAX_LINE_BYTES = 4 * 1024 * 1024
"""Bytes; what is longer is no journal line."""
_MAX_PAGES = 10**12
# Every event is written with this key first, so its kind is known without parsing the line.
_KIND = re.compile(rb'\{"event":"([a-z ]+)"')
JournalEvent = dict[str, object]


class JournalLine(NamedTuple):
    """A whole line: where it begins, where the next one does, and the bytes before the newline."""

    start: int
    end: int
    raw: bytes

    @property
    def is_page(self) -> bool:
        """May it be a page event, by its first bytes? Certain once it is parsed."""
        kind = _KIND.match(self.raw)
        return kind is None or kind[1] == b"page"

    def event(self) -> JournalEvent | None:
        """What it says; None for what is no journal line."""
        return _event(self.raw)


class JournalPage(NamedTuple):
    """A page event: its number, where its line begins and ends, and what it says."""

    number: int
    start: int
    end: int
    event: JournalEvent


def page_on_line(line: JournalLine) -> JournalPage | None:
    """The page event on a line; None for another event, and for what is none."""
    event = line.event() if line.is_page else None
    number = None if event is None or event.get("event") != "page" else event.get("n")
    if event is None or type(number) is not int or not 0 < number <= _MAX_PAGES:
        return None
    return JournalPage(number, line.start, line.end, event)


# A reader of a long journal reads a little of it and never all. A place is a byte: a line is known
# by the byte it begins at, which never changes.

_BUFFER = 4096
"""About two lines: most readings here jump to one."""
_SCANNED = 16 * 1024
"""Bytes that are looked through line by line sooner than halved again."""
_REACH = 64 * 1024
"""How far behind a place a page is looked for, for a point of a curve."""
_FAR = 16 * 1024 * 1024
"""How far from its beginning or its end a first or a last page is looked for."""


class JournalReader:
    """An open journal; made by :func:`open_journal`.

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

    @property
    def ends_within_a_line(self) -> bool:
        """Is the last line cut, or still being written?"""
        return self.size > 0 and self.bytes_before(self.size, 1) != b"\n"

    def bytes_before(self, end: int, most: int) -> bytes:
        """At most so many bytes that end there."""
        start = max(0, end - most)
        self._file.seek(start)
        return self._file.read(end - start)

    def forward(self, start: int = 0, stop: int | None = None) -> Iterator[JournalLine]:
        """The lines that begin at or behind ``start`` and before ``stop``, in order."""
        stop = self.size if stop is None else min(stop, self.size)
        # From the byte before: where that ends a line, the next one begins at ``start``.
        place, is_begun = max(0, start - 1), start <= 0
        while place < stop:
            self._file.seek(place)
            raw = self._file.readline(MAX_LINE_BYTES if is_begun else min(_WINDOW, stop - place))
            end, is_whole = place + len(raw), raw.endswith(b"\n")
            if not raw or end > self.size:
                return
            if is_begun and is_whole:
                yield JournalLine(place, end, raw[:-1])
            place, is_begun = end, is_whole

    def backward(self, end: int | None = None, least: int = 0) -> Iterator[JournalLine]:
        """The lines before ``end`` that begin behind ``least``, the last one first."""
        start = end = self.size if end is None else min(end, self.size)
        rest = b""  # the end of a line that begins further back
        is_whole = False  # does it end with a newline?
        while start > max(0, least):
            size = min(_WINDOW, start - max(0, least))
            start -= size
            self._file.seek(start)
            rest, *lines = (self._file.read(size) + rest).split(b"\n")
            for raw in reversed(lines):
                begin = end - len(raw)
                if is_whole:
                    yield JournalLine(begin, end + 1, raw)
                end, is_whole = begin - 1, True  # the newline before it
            if len(rest) > MAX_LINE_BYTES:
                rest, end, is_whole = b"", start, False
        if is_whole and start == 0:
            yield JournalLine(0, end + 1, rest)

    def pages(self, start: int = 0, stop: int | None = None) -> Iterator[JournalPage]:
        """The pages whose lines begin at or behind ``start`` and before ``stop``, in order."""
        return (
            page for line in self.forward(start, stop) if (page := page_on_line(line)) is not None
        )

    def pages_backward(self) -> Iterator[JournalPage]:
        """The pages not too far before the end, the last one first."""
        lines = self.backward(least=self.size - _FAR)
        return (page for line in lines if (page := page_on_line(line)) is not None)

    def events_backward(self, kind: str) -> Iterator[JournalEvent]:
        """The events of one rare kind, the last one first; other lines are not parsed."""
        mark = f'{{"event":"{kind}"'.encode()
        events = (line.event() for line in self.backward() if line.raw.startswith(mark))
        return (event for event in events if event is not None)

    def page(self, number: int) -> JournalPage | None:
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

    def spread(self, most: int) -> list[JournalPage]:
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


@contextmanager
def open_journal(path: Path, length: int | None = None) -> Iterator[JournalReader]:
    """The journal at ``path``, for as long as the context lasts; see :class:`JournalReader`.

    FolderError where it cannot be read, or is no file: a pipe is never waited for.
    """
    with (
        _journal_errors(path),
        open(path, "rb", _BUFFER, opener=lambda name, f: os.open(name, f | os.O_NONBLOCK)) as file,
    ):
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise FolderError(f"the journal {path} cannot be used: it is no file.")
        yield JournalReader(file, length)
