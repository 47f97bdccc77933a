"""WARC files record by record, without ever holding more than a block of one.

Every record is checked as it is passed: compressed ones by the CRC of their gzip member, plain
ones by their framing. A file cut anywhere but between two records is therefore found.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

from scenthound.archive.byte_streams import (
    BLOCK,
    EMPTY_LINE,
    GZIP_BITS,
    GZIP_MAGIC,
    Blocks,
    Pieces,
    inflate,
)
from scenthound.core.errors import ArchiveError

MAX_HEAD = 1024 * 1024
WARC_MAGIC = b"WARC/"
_READ_SIZE = 16 * 1024


class BrokenRecordError(Exception):
    """A record that cannot be read: what is wrong with the file, and what to do about it."""

    def __init__(self, problem: str, advice: str) -> None:
        super().__init__(problem, advice)
        self.problem = problem
        self.advice = advice


def _truncated() -> BrokenRecordError:
    return BrokenRecordError("is truncated", "download it again or cut it to whole records")


def _damaged() -> BrokenRecordError:
    return BrokenRecordError("is damaged", "download it again or cut it to whole records")


def _no_record() -> BrokenRecordError:
    return BrokenRecordError("holds something that is no WARC record", "give a WARC file, whole")


def _one_stream() -> BrokenRecordError:
    advice = "compress it record by record with `warcio recompress`"
    return BrokenRecordError("is one gzip stream for several records", advice)


@dataclass(frozen=True, slots=True)
class Window:
    """``size`` bytes of an open file from ``start`` on: a whole file, or a member of a zip."""

    file: BinaryIO
    start: int
    size: int

    def read_at(self, offset: int, size: int) -> bytes:
        """At most ``size`` bytes at ``offset``; empty at the end."""
        self.file.seek(self.start + offset)
        return self.file.read(max(0, min(size, self.size - offset)))

    def blocks(self, offset: int, size: int) -> Blocks:
        """Everything from ``offset`` on, ``size`` bytes at a time."""
        while block := self.read_at(offset, size):
            offset += len(block)
            yield block


class Record:
    """One WARC record: its headers, and its content as a stream that can be read once.

    ``headers`` is empty where there is no record at all (an empty gzip member).
    """

    def __init__(self, window: Window, offset: int) -> None:
        self._offset = offset
        self._raw = Pieces(window.blocks(offset, _READ_SIZE))
        self._compressed = GZIP_MAGIC.startswith(self._raw.peek(2))
        self._pieces = Pieces(_member(self._raw)) if self._compressed else self._raw
        head = self._pieces.head(MAX_HEAD)
        self._line_end = b"\r\n" if head.endswith(b"\r\n") else b"\n"
        self.headers = self._parsed(head) if head else {}
        self._left = self._length() if head else 0

    def content(self) -> Blocks:
        """What is left of the content, block by block."""
        while self._left:
            block = self._pieces.some(min(self._left, BLOCK))
            if not block:
                raise self._too_short()
            self._left -= len(block)
            yield block

    def finish(self) -> int:
        """Pass over what is left; the offset of the next record."""
        for _ in self.content():
            pass
        if self._compressed:
            self._pass_end_of_member()
        else:
            self._pass_end_of_plain()
        return self._offset + self._raw.taken

    def _parsed(self, head: bytes) -> dict[str, str]:
        if not head.startswith(WARC_MAGIC[: len(head)]):
            raise _no_record()
        if not EMPTY_LINE.search(head, max(0, len(head) - 4)):
            raise self._too_short() if len(head) < MAX_HEAD else _damaged()
        return parse_headers(head)[1]

    def _length(self) -> int:
        text = self.headers.get("content-length", "")
        if not (text.isascii() and text.isdigit() and len(text) < 19):
            raise _damaged()
        return int(text)

    def _too_short(self) -> BrokenRecordError:
        # A gzip member that ends as it should was not cut: its length is a lie.
        return _damaged() if self._compressed else _truncated()

    def _pass_end_of_member(self) -> None:
        for block in self._pieces.rest():
            beyond = block.strip(b"\r\n")
            if beyond:
                raise _one_stream() if WARC_MAGIC.startswith(beyond[:5]) else _damaged()

    def _pass_end_of_plain(self) -> None:
        expected = self._line_end * 2
        found = self._pieces.exactly(len(expected))
        if found != expected:
            raise _truncated() if expected.startswith(found) else _damaged()


def _member(raw: Pieces) -> Blocks:
    try:
        yield from inflate(raw, GZIP_BITS)
    except zlib.error:
        raise _damaged() from None
    except EOFError:
        raise _truncated() from None


def visit_records(window: Window, name: str, visit: Callable[[int, Record], None]) -> None:
    """Show ``visit`` every record with its offset; it may read of the content what it likes.

    Raises
    ------
    ArchiveError
        The file called ``name`` is truncated, damaged or not compressed record by record.
    """
    offset = count = 0
    while (offset := _after_blank_lines(window, offset)) < window.size:
        try:
            record = Record(window, offset)
            if record.headers:
                visit(offset, record)
            offset = record.finish()
        except BrokenRecordError as broken:
            where = f"after {count} records (byte {offset})"
            raise ArchiveError(f"{name} {broken.problem} {where}: {broken.advice}.") from None
        count += bool(record.headers)


def _after_blank_lines(window: Window, offset: int) -> int:
    while (block := window.read_at(offset, 64)) and not block.strip(b"\r\n"):
        offset += len(block)
    return offset + len(block) - len(block.lstrip(b"\r\n"))


def parse_headers(head: bytes) -> tuple[str, dict[str, str]]:
    """First line, and the headers by lower-case name (the last one wins, folded lines joined)."""
    first, *lines = _text(head).replace("\r\n", "\n").split("\n")
    headers: dict[str, str] = {}
    name = ""
    for line in lines:
        if name and line.startswith((" ", "\t")):
            headers[name] = f"{headers[name]} {line.strip()}".strip()
            continue
        name, colon, value = line.partition(":")
        name = name.strip().lower() if colon else ""
        if name:
            headers[name] = value.strip()
    return first.strip(), headers


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
