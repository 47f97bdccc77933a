"""What a page looked like on the wire, and where it lies in the WARC files: plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Pairs = Sequence[tuple[str, str]]
"""Names and values in their order; of HTTP headers, bytes read as latin-1."""

Truncation = Literal["length", "time", "disconnect"]
"""Why a body is not whole: too long, too slow, or the connection broke."""

Original = tuple[str, float]
"""URL and time of the page that another one is an exact copy of."""

RENDERED_TYPE = "text/html; charset=utf-8"
"""Of a page as a browser showed it."""

OF_THE_BODY = frozenset({"content-type", "content-encoding", "content-length"})
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
    request_headers: Pairs
    protocol: str
    status: int
    reason: str
    response_headers: Pairs
    body: bytes
    ip: str | None = None
    truncated: Truncation | None = None
    rendered: bytes | None = None


@dataclass(frozen=True, slots=True)
class Stored:
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


class Position(NamedTuple):
    """Where the response (or revisit) record of a page lies."""

    segment: int
    offset: int
    length: int


class End(NamedTuple):
    """How far the WARC files are written: the last segment, and its length in bytes."""

    segment: int
    offset: int


START = End(1, 0)
"""The end of a crawl that has written nothing."""
