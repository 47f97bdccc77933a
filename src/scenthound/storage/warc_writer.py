"""Writes the pages of a crawl to WARC segments, and continues where the last commit was.

In order: HTTP messages as bytes, WARC records as gzip members, segments (files of about 1 GB),
:class:`WarcWriter`. The writer commits nothing: ``crawler.checkpoint``
stores ``end`` in the database after ``sync``, and a crawl that goes on cuts the files to that.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
import zlib
from base64 import b32encode
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import Literal, NamedTuple
from urllib.parse import quote
from uuid import UUID, uuid4

from scenthound.core.errors import FolderError
from scenthound.storage.files import os_errors_as, segment_path, segments_in

HeaderPairs = Sequence[tuple[str, str]]
"""Names and values in their order; of HTTP headers, bytes read as latin-1."""
Truncation = Literal["length", "time", "disconnect"]
"""Why a body is not whole: too long, too slow, or the connection broke."""
Original = tuple[str, float]
"""URL and time of the page that another one is an exact copy of."""
RENDERED_TYPE = "text/html; charset=utf-8"
"""Of a page as a browser showed it."""
BODY_HEADERS = frozenset({"content-type", "content-encoding", "content-length"})
"""Headers that are true of what a server sent, and not of what a browser made of it."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its response.

    Parameters
    ----------
    url : canonical URL.
    at : when it was fetched, in seconds since 1970 (UTC).
    method : ``GET``, mostly.
    request_headers : what was sent; ``Host`` is added where it is missing.
    protocol : of the response, ``HTTP/1.1`` or ``HTTP/1.0``; others are written as ``HTTP/1.1``.
    status : HTTP status.
    reason : the words behind it; may be empty.
    response_headers : in the order of the wire.
    body : transfer encoding undone, content encoding not.
    ip : address of the server, where it is known.
    truncated : why the body is not whole; None where it is.
    rendered : the page as a browser showed it, HTML in UTF-8; None where none was needed.
    """

    url: str
    at: float
    method: str
    request_headers: HeaderPairs
    protocol: str
    status: int
    reason: str
    response_headers: HeaderPairs
    body: bytes
    ip: str | None = None
    truncated: Truncation | None = None
    rendered: bytes | None = None


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """A page read back. The body of an exact copy is None: it lies with the original.

    Header names are in lower case, of a repeated one the last value; ``body`` still has its
    content encoding. Of a ``rendered`` page the body is what the browser showed, and the headers
    are true of that.
    """

    url: str
    at: float
    status: int
    headers: Mapping[str, str]
    body: bytes | None
    rendered: bool = False


class WarcPosition(NamedTuple):
    """Where the response (or revisit) record of a page lies."""

    segment: int
    offset: int
    length: int


class WarcEnd(NamedTuple):
    """How far the WARC files are written: the last segment, and its length in bytes."""

    segment: int
    offset: int


WARC_START = WarcEnd(1, 0)
"""The end of a crawl that has written nothing."""


# Requests and responses as the bytes of an HTTP/1.1 message that any reader understands. Names and
# values come from servers: whatever could end a line is replaced by a space, and what is no
# character of a name by ``_``.

_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
_NOT_IN_NAME = re.compile(r"[^!#$%&'*+.^_`|~0-9A-Za-z-]")
_PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))
_PLAIN_URL = re.compile(r"[!-~]*")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#]*@)?([^/?#]*)([^#]*)")
_PRIVATE = frozenset({"proxy-authorization"})
"""Sent to the user's own proxy, and nobody else's business."""


def _request_message(exchange: Exchange) -> bytes:
    """The request, without a body; the target is path and query, ``Host`` is always there."""
    address = _ADDRESS.match(ascii_url(exchange.url))
    host, target = address.groups() if address else ("", "/")
    headers = [h for h in _clean(exchange.request_headers) if h[0].lower() not in _PRIVATE]
    if all(name.lower() != "host" for name, _ in headers):
        headers.insert(0, ("Host", host))
    slash = "" if target.startswith("/") else "/"
    return _head(f"{clean_name(exchange.method) or 'GET'} {slash}{target} HTTP/1.1", headers)


def _response_head(exchange: Exchange) -> bytes:
    """Status line and headers, through the empty line, as they fit the body that is stored.

    The transfer encoding is undone, so its header goes; there is one length, which is true, where
    the first one was.
    """
    protocol = "HTTP/1.0" if exchange.protocol == "HTTP/1.0" else "HTTP/1.1"
    line = f"{protocol} {exchange.status:03d} {_clean_value(exchange.reason)}"
    headers: dict[int | str, tuple[str, str]] = {}
    for place, (name, value) in enumerate(_clean(exchange.response_headers)):
        if name.lower() == "content-length":
            headers["length"] = ("Content-Length", str(len(exchange.body)))
        elif name.lower() != "transfer-encoding":
            headers[place] = (name, value)
    headers.setdefault("length", ("Content-Length", str(len(exchange.body))))
    return _head(line, list(headers.values()))


def ascii_url(url: str) -> str:
    """``url`` in printable ASCII, without blanks; a canonical URL is left as it is."""
    return url if _PLAIN_URL.fullmatch(url) else quote(url, _PRINTABLE, errors="replace")


def clean_name(name: str) -> str:
    """``name`` with only the characters that HTTP and WARC allow; empty stays empty."""
    return _NOT_IN_NAME.sub("_", name)


def _clean_value(value: str) -> str:
    return _CONTROL.sub(" ", value).strip(" ")


def _clean(headers: HeaderPairs) -> list[tuple[str, str]]:
    return [(clean_name(name), _clean_value(value)) for name, value in headers if name]


def _head(line: str, headers: HeaderPairs) -> bytes:
    lines = [line, *(f"{name}: {value}" for name, value in headers), "", ""]
    return b"\r\n".join(map(_encoded, lines))


def _encoded(line: str) -> bytes:
    """The bytes of the wire again; UTF-8 for what cannot come from there."""
    try:
        return line.encode("latin-1")
    except UnicodeEncodeError:
        return line.encode("utf-8", "replace")


# Records, each a gzip member of its own. They are made here and not by warcio, since the three
# records of a page cost a third of the time this way.

_LEVEL = 3
"""Three times as fast as level 9, for a tenth more bytes."""
_GZIP_BITS = 31
_PROFILE = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_FIELDS = "application/warc-fields"
_LINE_ENDS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""Everything that some reader takes for the end of a line."""


def page_records(
    exchange: Exchange, fields: HeaderPairs, copy_of: Original | None
) -> tuple[bytes, bytes]:
    """The ``response`` record (a ``revisit`` for a copy), and those about it, one after another.

    What a browser showed is a ``conversion`` record, and the first of those.
    """
    identity, at = uuid4(), exchange.at
    address = ("WARC-Target-URI", ascii_url(exchange.url))
    same = ("WARC-Concurrent-To", f"<{identity.urn}>")
    about = ("WARC-Refers-To", f"<{identity.urn}>")
    request = _record("request", uuid4(), at, [*_origin(exchange), same],
                      "application/http;msgtype=request", _request_message(exchange))  # fmt: skip
    metadata = _record("metadata", uuid4(), at, [address, same, about],
                       _FIELDS, _field_lines(fields))  # fmt: skip
    rendered = b""
    if exchange.rendered is not None:  # right behind the response, where readers look for it
        rendered = _record("conversion", uuid4(), at, [address, about],
                           RENDERED_TYPE, exchange.rendered)  # fmt: skip
    return response_record(exchange, identity, copy_of), rendered + request + metadata


def payload_digest(body: bytes) -> bytes:
    """What decides whether one page is an exact copy of another: SHA-1 of the stored body."""
    return hashlib.sha1(body, usedforsecurity=False).digest()


def warc_date(at: float) -> str:
    """``at`` as WARC 1.1 writes it, to the microsecond."""
    moment = datetime.fromtimestamp(at, UTC).replace(tzinfo=None)
    return f"{moment.isoformat(timespec='microseconds')}Z"


def response_record(exchange: Exchange, identity: UUID, copy_of: Original | None = None) -> bytes:
    """The ``response`` record, or for a copy the ``revisit`` record, which has no body."""
    head = _response_head(exchange)
    headers = [*_origin(exchange), ("WARC-Payload-Digest", _labelled_digest(exchange.body))]
    if exchange.truncated is not None:
        headers.append(("WARC-Truncated", exchange.truncated))
    kind, block = "response", head + exchange.body
    if copy_of is not None:
        kind, block = "revisit", head
        headers += [
            ("WARC-Profile", _PROFILE),
            ("WARC-Refers-To-Target-URI", ascii_url(copy_of[0])),
            ("WARC-Refers-To-Date", warc_date(copy_of[1])),
        ]
    return _record(kind, identity, exchange.at, headers, "application/http;msgtype=response", block)


def _origin(exchange: Exchange) -> list[tuple[str, str]]:
    """URL, and the address of the server where it is known."""
    server = [] if exchange.ip is None else [("WARC-IP-Address", exchange.ip)]
    return [("WARC-Target-URI", ascii_url(exchange.url)), *server]


def _record(
    kind: str, identity: UUID, at: float, headers: HeaderPairs, content_type: str, block: bytes
) -> bytes:
    pairs = [
        ("WARC-Type", kind),
        ("WARC-Record-ID", f"<{identity.urn}>"),
        ("WARC-Date", warc_date(at)),
        *headers,
        ("WARC-Block-Digest", _labelled_digest(block)),
        ("Content-Type", content_type),
        ("Content-Length", str(len(block))),
    ]
    whole = b"".join((b"WARC/1.1\r\n", _field_lines(pairs), b"\r\n", block, b"\r\n\r\n"))
    return zlib.compress(whole, level=_LEVEL, wbits=_GZIP_BITS)


def _field_lines(pairs: HeaderPairs) -> bytes:
    """One line a pair, whatever the values hold; pairs without a name are left out."""
    lines = [
        f"{clean_name(name)}: {_LINE_ENDS.sub(' ', value).strip()}\r\n"
        for name, value in pairs
        if name
    ]
    return "".join(lines).encode("utf-8", "replace")


def _labelled_digest(content: bytes) -> str:
    return f"sha1:{b32encode(payload_digest(content)).decode('ascii')}"


# Segments of a crawl folder.


def create_segment(folder: Path, segment: int) -> FileIO:
    """A new, empty segment, which is in its folder even after a loss of power."""
    FileIO(segment_path(folder, segment), "xb").close()
    # The name of a new file is on the disk once its folder is synced, not with the file itself.
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    # For appending: when a failed write is cut off, the next record goes to the new end.
    return FileIO(segment_path(folder, segment), "ab")


def truncate_segments(folder: Path, end: WarcEnd) -> None:
    """Take off what was written after ``end``: later segments, and the rest of its own.

    FolderError where the segment does not reach that far: pages are lost.
    """
    for segment in segments_in(folder):
        if segment > end.segment or (segment == end.segment and end.offset == 0):
            segment_path(folder, segment).unlink()
    if not end.offset:
        return
    path = segment_path(folder, end.segment)
    try:
        file = FileIO(path, "rb+")
    except FileNotFoundError:
        raise FolderError(f"{path} is not there: put it back, or start a new crawl.") from None
    with file:
        size = os.fstat(file.fileno()).st_size
        if size < end.offset:
            raise FolderError(
                f"{path} has {size} bytes, but {end.offset} were written: put the whole file "
                "back, or start a new crawl."
            )
        file.truncate(end.offset)
        os.fsync(file.fileno())


SEGMENT_BYTES = 1_000_000_000


class WarcWriter:
    """Appends pages to segments, of a new crawl or of one that stopped; for one thread at a time.

    A page is with the operating system when ``write`` returns, and on the disk after ``sync``.

    Parameters
    ----------
    folder : the crawl folder, which is there.
    end : how far the files were written when that was last committed: all that came after is
        taken off. None for a new crawl: the folder must hold no pages then.
    about : what the ``warcinfo`` of a new segment says: software, user agent, ...
    segment_bytes : a segment that has grown to this length is followed by a new one.

    FolderError where pages are there that must not be, pages that must be are not, or nothing can
    be written.
    """

    def __init__(
        self,
        folder: Path,
        end: tuple[int, int] | None,
        about: Mapping[str, str],
        *,
        segment_bytes: int = SEGMENT_BYTES,
    ) -> None:
        self.folder = folder
        self._about = tuple(about.items())
        self._segment_bytes = segment_bytes
        self._end = WarcEnd(*(end or WARC_START))
        with _write_errors(folder):
            if end is not None:
                truncate_segments(folder, self._end)
            elif segments_in(folder):  # pages are never overwritten
                raise FolderError(
                    f"{folder} holds the pages of a crawl; choose another --out folder."
                )
            if self._end.offset > 0:
                self._file = FileIO(segment_path(folder, self._end.segment), "ab")
            else:
                self._file = create_segment(folder, self._end.segment)
                self._begin()

    @property
    def end(self) -> WarcEnd:
        """How far the files are written: what to commit, after :meth:`sync`."""
        return self._end

    def write(
        self, exchange: Exchange, fields: HeaderPairs, copy_of: Original | None = None
    ) -> WarcPosition:
        """Append a page: response, what a browser made of it, request and metadata, side by side.

        ``fields`` are the content of the metadata record. ``copy_of`` is the page stored before
        whose body is the same to the byte; this one's body is not stored again. FolderError where
        the disk is full, or failing: the files are as they were.
        """
        response, others = page_records(exchange, fields, copy_of)
        if self._end.offset >= self._segment_bytes:
            # Later calls of sync() are for the new file alone.
            self.sync()
            with _write_errors(self.folder):
                file = create_segment(self.folder, self._end.segment + 1)
            self._file.close()
            self._file, self._end = file, WarcEnd(self._end.segment + 1, 0)
            self._begin()
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

    def _begin(self) -> None:
        name = segment_path(self.folder, self._end.segment).name
        try:
            info = [("WARC-Filename", name)], _FIELDS, _field_lines(self._about)
            self._append(_record("warcinfo", uuid4(), time.time(), *info))
        except FolderError:
            self._file.close()
            raise

    def _append(self, records: bytes) -> None:
        with _write_errors(self.folder):
            try:
                write_whole(self._file, records)
            except OSError:
                with suppress(OSError):  # half a record would make the file invalid
                    self._file.truncate(self._end.offset)
                raise
        self._end = WarcEnd(self._end.segment, self._end.offset + len(records))


def write_whole(file: FileIO, content: bytes) -> None:
    """All of ``content``: without a buffer a write may take fewer bytes than it was given."""
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) :]


def _write_errors(folder: Path) -> AbstractContextManager[None]:
    problem = f"pages cannot be written to {folder}"
    return os_errors_as(FolderError, problem, "; put that right, then go on")
