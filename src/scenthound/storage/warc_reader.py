"""Reads WARC files record by record in bounded memory, and single pages of a crawl by position.

In order: records of any archive (:class:`Record`), single pages of our own crawls. warcio is not
used, since it passes over a cut record without an error. Files are hostile: every read has a limit,
and no length is believed before its bytes are there.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from scenthound.core.errors import ArchiveError, FolderError
from scenthound.storage.files import os_errors_as, segment_path
from scenthound.storage.pages import (
    BLOCK,
    EMPTY_LINE,
    GZIP_BITS,
    GZIP_MAGIC,
    Blocks,
    ByteStream,
    inflate,
)
from scenthound.storage.warc_writer import (
    BODY_HEADERS,
    RENDERED_TYPE,
    StoredResponse,
    WarcPosition,
)

MAX_HEAD = 1024 * 1024
WARC_MAGIC = b"WARC/"
_READ_SIZE = 16 * 1024


class BrokenRecordError(Exception):
    """A record that cannot be read: the problem with the file, and what to do about it."""


_TRUNCATED = ("is truncated", "download it again or cut it to whole records")
_DAMAGED = ("is damaged", "download it again or cut it to whole records")
_NO_RECORD = ("holds something that is no WARC record", "give a WARC file, whole")
_ONE_STREAM = (
    "is one gzip stream for several records",
    "compress it record by record with `warcio recompress`",
)


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

    ``head`` is the bytes of the headers, and ``headers`` the values by name in lower case. Both are
    empty where there is no record at all (an empty gzip member).
    """

    def __init__(self, window: Window, offset: int) -> None:
        self._offset = offset
        self._raw = ByteStream(window.blocks(offset, _READ_SIZE))
        self._compressed = GZIP_MAGIC.startswith(self._raw.peek(2))
        self._pieces = ByteStream(_member(self._raw)) if self._compressed else self._raw
        self.head = self._pieces.head(MAX_HEAD)
        self.headers: dict[str, str] = {}
        self._left = 0
        if self.head:
            self._parse()

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
            for block in self._pieces.rest():
                if beyond := block.strip(b"\r\n"):
                    several = WARC_MAGIC.startswith(beyond[:5])
                    raise BrokenRecordError(*(_ONE_STREAM if several else _DAMAGED))
        else:
            expected = 2 * (b"\r\n" if self.head.endswith(b"\r\n") else b"\n")
            found = self._pieces.peek(len(expected))
            if found != expected:
                raise BrokenRecordError(*(_TRUNCATED if expected.startswith(found) else _DAMAGED))
            self._pieces.some(len(expected))
        return self._offset + self._raw.taken

    def _parse(self) -> None:
        if not self.head.startswith(WARC_MAGIC[: len(self.head)]):
            raise BrokenRecordError(*_NO_RECORD)
        if not EMPTY_LINE.search(self.head, max(0, len(self.head) - 4)):
            short = len(self.head) < MAX_HEAD
            raise self._too_short() if short else BrokenRecordError(*_DAMAGED)
        self.headers = parse_headers(self.head)[1]
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit() and len(length) < 19):
            raise BrokenRecordError(*_DAMAGED)
        self._left = int(length)

    def _too_short(self) -> BrokenRecordError:
        # A gzip member that ends as it should was not cut: its length is a lie.
        return BrokenRecordError(*(_DAMAGED if self._compressed else _TRUNCATED))


def _member(raw: ByteStream) -> Blocks:
    try:
        yield from inflate(raw, GZIP_BITS)
    except zlib.error:
        raise BrokenRecordError(*_DAMAGED) from None
    except EOFError:
        raise BrokenRecordError(*_TRUNCATED) from None


def scan_records(window: Window, name: str, visit: Callable[[int, Record], None]) -> None:
    """Show ``visit`` every record with its offset; it may read of the content what it likes.

    ArchiveError where the file ``name`` is truncated, damaged or not compressed by record.
    """
    offset = count = 0
    while (offset := after_blank_lines(window, offset)) < window.size:
        try:
            record = Record(window, offset)
            if record.headers:
                visit(offset, record)
            offset = record.finish()
        except BrokenRecordError as broken:
            problem, advice = broken.args
            where = f"after {count} records (byte {offset})"
            raise ArchiveError(f"{name} {problem} {where}: {advice}.") from None
        count += bool(record.headers)


def after_blank_lines(window: Window, offset: int) -> int:
    """Where the next record begins: some writers put more blank lines between them than two."""
    while (block := window.read_at(offset, 64)) and not block.strip(b"\r\n"):
        offset += len(block)
    return offset + len(block) - len(block.lstrip(b"\r\n"))


def parse_headers(head: bytes, encoding: str = "utf-8") -> tuple[str, dict[str, str]]:
    """First line, and the headers by lower-case name (the last one wins, folded lines joined)."""
    try:
        text = head.decode(encoding)
    except UnicodeDecodeError:
        text = head.decode("latin-1")
    first, *lines = text.replace("\r\n", "\n").split("\n")
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


# Single pages of a crawl, by the position that the ledger has for them.

_END = 1 << 62
"""Beyond the end of any file."""


def read_response(folder: Path, position: WarcPosition) -> StoredResponse:
    """The page that :meth:`WarcWriter.write` put at ``position``, as the crawl read it.

    An exact copy (a revisit) has no body of its own: None. Of a page that a browser had to show
    the body is what it showed: the conversion record behind the response. FolderError where there
    is no page, or the file cannot be read.
    """
    path = segment_path(folder, position.segment)
    name = path.readlink() if path.is_symlink() else path
    with os_errors_as(FolderError, f"{name} cannot be read"), path.open("rb", buffering=0) as file:
        try:
            return _stored_response(file, position)
        except (BrokenRecordError, ValueError, KeyError, IndexError):
            raise FolderError(
                f"{name} holds no page at byte {position.offset}: the file was changed; put it "
                "back, or start a new crawl."
            ) from None


def _stored_response(file: BinaryIO, position: WarcPosition) -> StoredResponse:
    record = Record(Window(file, position.offset, position.length), 0)
    http_head, _, content = b"".join(record.content()).partition(b"\r\n\r\n")
    record.finish()
    line, headers = parse_headers(http_head, "latin-1")
    rendered = None
    with suppress(BrokenRecordError):  # damage to a request is none to the page before it
        following = Record(Window(file, position.offset + position.length, _END), 0)
        if following.headers.get("warc-type") == "conversion":
            rendered = following
    shown = None if rendered is None else b"".join(rendered.content())
    body = None if record.headers["warc-type"] == "revisit" else content
    if shown is not None:
        headers = {name: each for name, each in headers.items() if name not in BODY_HEADERS}
        headers["content-type"] = RENDERED_TYPE
    return StoredResponse(
        url=record.headers["warc-target-uri"],
        at=datetime.fromisoformat(record.headers["warc-date"]).timestamp(),
        status=int(line.split(" ")[1]),
        headers=headers,
        body=body if shown is None else shown,
        rendered=shown is not None,
    )
