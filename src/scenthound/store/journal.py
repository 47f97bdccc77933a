"""The journal on disk: one JSON object a line, only ever appended to."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from scenthound.core.errors import FolderError
from scenthound.core.events import Event

_TAIL_BYTES = 64 * 1024


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
        try:
            self._file = path.open("a+b", buffering=0)
        except OSError as error:
            raise _unusable(path, error) from None
        try:
            if length is not None:
                _cut(self._file, path, length)
            _mend(self._file)
        except OSError as error:
            self._file.close()
            raise _unusable(path, error) from None
        except FolderError:
            self._file.close()
            raise

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return os.fstat(self._file.fileno()).st_size

    def append(self, event: Event) -> None:
        """Write one event."""
        line = json.dumps(event.to_json(), ensure_ascii=False, separators=(",", ":"))
        rest = memoryview(line.encode("utf-8", "replace") + b"\n")
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            raise _unusable(self._path, error) from None

    def sync(self) -> None:
        """Have everything so far on the disk itself."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise _unusable(self._path, error) from None

    def cut(self, length: int) -> None:
        """Take off everything behind this many bytes."""
        try:
            _cut(self._file, self._path, length)
        except OSError as error:
            raise _unusable(self._path, error) from None

    def close(self) -> None:
        """End writing."""
        self._file.close()

    def __enter__(self) -> FileJournal:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def read_journal(path: Path, length: int | None = None) -> Iterator[dict[str, object]]:
    """All events in order; a last line that was cut is left out, another one is an error.

    With a ``length`` only what was written within so many bytes.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise _unusable(path, error) from None
    with file:
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
    try:
        with path.open("rb") as file:
            for line in _lines_backwards(file, length):
                event = _event(line)
                if event is not None:
                    yield event
    except OSError as error:
        raise _unusable(path, error) from None


def pages_after(path: Path, number: int) -> list[dict[str, object]]:
    """The page events with a higher number, in order; read from the tail, no further than needed.

    A last line that was cut is left out.
    """
    found: list[dict[str, object]] = []
    try:
        with path.open("rb") as file:
            for line in _lines_backwards(file):
                event = _event(line)
                if event is None or event.get("event") != "page":
                    continue
                n = event.get("n")
                if not isinstance(n, int) or n <= number:
                    break
                found.append(event)
    except OSError as error:
        raise _unusable(path, error) from None
    return found[::-1]


def last_summary(path: Path) -> dict[str, object] | None:
    """The newest running summary, read from the tail alone; None if nothing was fetched."""
    try:
        with path.open("rb") as file:
            for line in _lines_backwards(file):
                event = _event(line)
                summary = None if event is None else event.get("summary")
                if isinstance(summary, dict):
                    return summary
    except OSError as error:
        raise _unusable(path, error) from None
    return None


def _event(line: bytes) -> dict[str, object] | None:
    """The event on a line; None if it is not one, or cut."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) else None


def _cut(file: IO[bytes], path: Path, length: int) -> None:
    size = os.fstat(file.fileno()).st_size
    if size < length:
        raise FolderError(
            f"the journal {path} has {size} bytes, but {length} were written: put the whole file "
            "back, or start a new crawl."
        )
    file.truncate(length)


def _mend(file: IO[bytes]) -> None:
    """Make the file end with a whole line: end one that only lacks that, take off a cut one."""
    last = next(_lines_backwards(file))
    if not last:
        return
    if _event(last) is not None:
        file.write(b"\n")
    else:
        file.truncate(file.seek(0, os.SEEK_END) - len(last))


def _lines_backwards(file: IO[bytes], length: int | None = None) -> Iterator[bytes]:
    """The lines from the last to the first, read a window at a time.

    The very first is what follows the last newline: empty, unless the last line was cut. With a
    ``length`` the file is read as if it ended there.
    """
    start = file.seek(0, os.SEEK_END)
    if length is not None:
        start = min(start, length)
    rest = b""
    while start > 0:
        size = min(_TAIL_BYTES, start)
        start -= size
        file.seek(start)
        rest, *lines = (file.read(size) + rest).split(b"\n")
        yield from reversed(lines)
    yield rest


def _unusable(path: Path, error: OSError) -> FolderError:
    return FolderError(f"the journal {path} cannot be used: {error.strerror}.")
