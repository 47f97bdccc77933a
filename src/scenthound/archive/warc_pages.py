"""Which WARC records are pages, and the response a record holds."""

from __future__ import annotations

import re

from scenthound.archive.byte_streams import Pieces
from scenthound.archive.http_body import decode
from scenthound.archive.model import Capture, Kind, Response
from scenthound.archive.warc_reader import Record, parse_headers
from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import canonical

MAX_HTTP_HEAD = 256 * 1024
NOT_MODIFIED = 304
SILENT = frozenset({"request", "metadata", "warcinfo"})

_UNKNOWN_TYPE = "application/octet-stream"
_CUT_HEADERS = frozenset({"warc-truncated", "warc-segment-number"})
_MAX_STATUS_LINE = 4096
_STATUS_LINE = re.compile(r"HTTP/[\d.]+\s+(\d{3})(?!\d)", re.IGNORECASE)


class UnfetchableError(Exception):
    """A record that can never be fetched, and why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def target_of(record: Record) -> str:
    """The URL of a record as it is written, without the ``<>`` of old archives; perhaps empty."""
    return record.headers.get("warc-target-uri", "").strip("<> ")


def capture_of(record: Record, file: int, offset: int) -> Capture | None:
    """The page a record holds; None for records that are about pages.

    Raises
    ------
    UnfetchableError
        It is a page, but not one that can be fetched.
    """
    match record.headers.get("warc-type", "").lower():
        case kind if kind in SILENT:
            return None
        case "response":
            status = _status(record)
            return Capture(_url(target_of(record)), file, offset, status, Kind.RESPONSE)
        case "resource":
            return Capture(_url(target_of(record)), file, offset, 200, Kind.RESOURCE)
        case "revisit":
            return _revisit(record, file, offset)
        case "conversion" if _is_html(record):
            return Capture(_url(target_of(record)), file, offset, 200, Kind.RENDERED)
        case "conversion" | "continuation" as kind:
            raise UnfetchableError(f"{kind} record")
        case _:
            raise UnfetchableError("record of unknown type")


def response_of(record: Record, capture: Capture, max_body: int) -> Response:
    """The response that a ``response``, ``resource`` or rendered record holds, decoded."""
    pieces = Pieces(record.content())
    if capture.kind in (Kind.RESOURCE, Kind.RENDERED):
        headers = {"content-type": record.headers.get("content-type", _UNKNOWN_TYPE)}
    else:
        _, headers = parse_headers(pieces.head(MAX_HTTP_HEAD))
    body, truncated = decode(pieces.rest(), headers, max_body)
    cut_before = not _CUT_HEADERS.isdisjoint(record.headers)
    return Response(capture.url, capture.status, headers, body, truncated or cut_before)


def revisited(record: Record, capture: Capture, origin: Response) -> Response:
    """What a revisit answers: the body of ``origin``, under its own status and headers if any."""
    line, headers = parse_headers(Pieces(record.content()).head(MAX_HTTP_HEAD))
    own = headers if _own_status(line) else origin.headers
    return Response(capture.url, capture.status, own, origin.body, origin.truncated)


def _is_html(record: Record) -> bool:
    kind = record.headers.get("content-type", "").partition(";")[0]
    return kind.strip().lower() == "text/html"


def _url(text: str) -> str:
    try:
        return canonical(text)
    except MalformedUrlError:
        raise UnfetchableError("unusable URL") from None


def _status(record: Record) -> int:
    match = _STATUS_LINE.match(_first_line(record))
    if match is None:
        raise UnfetchableError("response that is not http")
    return int(match[1])


def _revisit(record: Record, file: int, offset: int) -> Capture:
    """Its status is 0 where the page it repeats shall decide."""
    target = record.headers.get("warc-refers-to-target-uri", "").strip("<> ")
    url = _url(target_of(record))
    status = _own_status(_first_line(record))
    return Capture(url, file, offset, status, Kind.REVISIT, _url(target) if target else url)


def _own_status(line: str) -> int:
    """Status of a revisit; 0 for none, and for "not modified": that was said to the archiver."""
    match = _STATUS_LINE.match(line)
    status = int(match[1]) if match else 0
    return 0 if status == NOT_MODIFIED else status


def _first_line(record: Record) -> str:
    return Pieces(record.content()).line(_MAX_STATUS_LINE).decode("latin-1")
