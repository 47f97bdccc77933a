"""WARC 1.1 records as bytes: the values that are stored, and an HTTP exchange made into records."""

from __future__ import annotations

import hashlib
import re
import zlib
from base64 import b32encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, NamedTuple
from urllib.parse import quote
from uuid import UUID

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


def request_message(exchange: Exchange) -> bytes:
    """The request, without a body; the target is path and query, ``Host`` is always there."""
    address = _ADDRESS.match(ascii_url(exchange.url))
    host, target = address.groups() if address else ("", "/")
    headers = [h for h in _clean(exchange.request_headers) if h[0].lower() not in _PRIVATE]
    if all(name.lower() != "host" for name, _ in headers):
        headers.insert(0, ("Host", host))
    slash = "" if target.startswith("/") else "/"
    return _head(f"{clean_name(exchange.method) or 'GET'} {slash}{target} HTTP/1.1", headers)


def response_head(exchange: Exchange) -> bytes:
    """Status line and headers, through the empty line, as they fit the body that is stored.

    The transfer encoding is undone, so its header goes; the length is that of the body.
    """
    protocol = "HTTP/1.0" if exchange.protocol == "HTTP/1.0" else "HTTP/1.1"
    line = f"{protocol} {exchange.status:03d} {_clean_value(exchange.reason)}"
    return _head(line, _with_true_length(_clean(exchange.response_headers), len(exchange.body)))


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


def _with_true_length(headers: list[tuple[str, str]], length: int) -> list[tuple[str, str]]:
    """No transfer encoding, and one length, which is true, where the first one was."""
    names = [name.lower() for name, _ in headers]
    place = names.index("content-length") if "content-length" in names else len(names)
    dropped = ("content-length", "transfer-encoding")
    kept = [h if name not in dropped else None for h, name in zip(headers, names, strict=True)]
    kept[place : place + 1] = [("Content-Length", str(length))]
    return [header for header in kept if header is not None]


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

NewId = Callable[[], UUID]


_LEVEL = 3
"""Three times as fast as level 9, for a tenth more bytes."""

_GZIP_BITS = 31

_PROFILE = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"

_FIELDS = "application/warc-fields"

_LINE_ENDS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""Everything that some reader takes for the end of a line."""


def info_record(filename: str, about: HeaderPairs, at: float, new_id: NewId) -> bytes:
    """The ``warcinfo`` record a segment starts with; ``about`` says who wrote it and how."""
    headers = [("WARC-Filename", filename)]
    return _record("warcinfo", new_id(), at, headers, _FIELDS, field_lines(about))


def page_records(
    exchange: Exchange, fields: HeaderPairs, copy_of: Original | None, new_id: NewId
) -> tuple[bytes, bytes]:
    """The ``response`` record (a ``revisit`` for a copy), and those about it, one after another.

    What a browser showed is a ``conversion`` record, and the first of those.
    """
    response, at = new_id(), exchange.at
    address = [("WARC-Target-URI", ascii_url(exchange.url))]
    server = [] if exchange.ip is None else [("WARC-IP-Address", exchange.ip)]
    same = [("WARC-Concurrent-To", f"<{response.urn}>")]
    about = [*same, ("WARC-Refers-To", f"<{response.urn}>")]
    request = _record("request", new_id(), at, [*address, *server, *same],
                      "application/http;msgtype=request", request_message(exchange))  # fmt: skip
    metadata = _record("metadata", new_id(), at, [*address, *about], _FIELDS, field_lines(fields))
    rendered = b""
    if exchange.rendered is not None:  # right behind the response, where readers look for it
        rendered = _record("conversion", new_id(), at, [*address, about[1]],
                           RENDERED_TYPE, exchange.rendered)  # fmt: skip
    others = rendered + request + metadata
    return _response(exchange, copy_of, response, [*address, *server]), others


def payload_digest(body: bytes) -> bytes:
    """What decides whether one page is an exact copy of another: SHA-1 of the stored body."""
    return hashlib.sha1(body, usedforsecurity=False).digest()


def warc_date(at: float) -> str:
    """``at`` as WARC 1.1 writes it, to the microsecond."""
    moment = datetime.fromtimestamp(at, UTC).replace(tzinfo=None)
    return f"{moment.isoformat(timespec='microseconds')}Z"


def _response(
    exchange: Exchange, copy_of: Original | None, identity: UUID, headers: HeaderPairs
) -> bytes:
    head = response_head(exchange)
    more = [*headers, ("WARC-Payload-Digest", labelled_digest(exchange.body))]
    if exchange.truncated is not None:
        more.append(("WARC-Truncated", exchange.truncated))
    kind, block = "response", head + exchange.body
    if copy_of is not None:
        kind, block = "revisit", head
        more += [
            ("WARC-Profile", _PROFILE),
            ("WARC-Refers-To-Target-URI", ascii_url(copy_of[0])),
            ("WARC-Refers-To-Date", warc_date(copy_of[1])),
        ]
    return _record(kind, identity, exchange.at, more, "application/http;msgtype=response", block)


def _record(
    kind: str, identity: UUID, at: float, headers: HeaderPairs, content_type: str, block: bytes
) -> bytes:
    headers = [
        ("WARC-Type", kind),
        ("WARC-Record-ID", f"<{identity.urn}>"),
        ("WARC-Date", warc_date(at)),
        *headers,
        ("WARC-Block-Digest", labelled_digest(block)),
        ("Content-Type", content_type),
        ("Content-Length", str(len(block))),
    ]
    return compress_record(headers, block)


def compress_record(headers: HeaderPairs, block: bytes) -> bytes:
    """A record of these headers and this block, compressed."""
    head = field_lines(headers)
    whole = b"".join((b"WARC/1.1\r\n", head, b"\r\n", block, b"\r\n\r\n"))
    return zlib.compress(whole, level=_LEVEL, wbits=_GZIP_BITS)


def field_lines(pairs: HeaderPairs) -> bytes:
    """One line a pair, whatever the values hold; pairs without a name are left out."""
    lines = [
        f"{clean_name(name)}: {_LINE_ENDS.sub(' ', value).strip()}\r\n"
        for name, value in pairs
        if name
    ]
    return "".join(lines).encode("utf-8", "replace")


def labelled_digest(content: bytes) -> str:
    """The digest of a block or a payload, as records write it."""
    return f"sha1:{b32encode(payload_digest(content)).decode('ascii')}"
