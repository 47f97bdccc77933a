"""What the crawl requests from the downloader and what comes back, and how it travels over the pipe
between their processes; the reasons that the journal knows, and what response headers ask of a
crawler.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import IO, Any, Literal

from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Document, Link, Page
from scenthound.core.urls import canonical
from scenthound.storage.pages import REDIRECTS, Headers
from scenthound.storage.warc_reader import decode_body
from scenthound.text.html import media_type
from scenthound.text.pdf import PDF_TYPES

TOO_LARGE = "too large"
NO_HOST = "host not found"
CONNECTION_REFUSED = "connection refused"
NO_CONNECTION = "no connection"
UNREADABLE_PAGE = "cannot be read: the reader died over it, or took too long"
HOST_DOWN = frozenset({NO_HOST, CONNECTION_REFUSED, NO_CONNECTION})
"""Reasons that lie with the host, not with one of its pages."""
TIMEOUT = "timeout"
OFFLINE = (*sorted(HOST_DOWN), TIMEOUT)
"""Reasons that one sees everywhere at once when the network is down."""
NEEDS_BROWSER = "needs a browser"
"""The page came, and is empty without its scripts. The downloader holds it until it is requested
again with ``render``. Scripts send requests of their own, so the crawl lets the host rest first."""
NOT_RENDERED = "not rendered"
"""Begins the problem of a page that the browser could not render: it is stored as it came."""
NO_BROWSER = f"{NOT_RENDERED}: there is no browser any more"


# Requests to the downloader, and what comes back.


class Purpose(enum.Enum):
    """Why a URL is requested."""

    PAGE = "page"
    ROBOTS = "robots.txt"
    FILE = "file"
    """Of any type, and not read by the downloader: a sitemap, a feed."""


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """Fetch ``url`` now. ``owner`` is the origin whose robots.txt this is, for robots.txt.

    ``render`` requests a page for the second time: it came, and needs a browser to be read.
    """

    url: str
    purpose: Purpose = Purpose.PAGE
    owner: str = ""
    hops: int = 0
    render: bool = False


@dataclass(frozen=True, slots=True)
class FetchResponse:
    """What a server sent.

    Parameters
    ----------
    request : what it responds to.
    ended : when the last byte came, in seconds since the epoch.
    body : as it came, transfer encoding undone, content encoding not.
    ip : address of the server; None behind a proxy.
    cut : why the body is not whole, in the words of WARC (``length``, ``disconnect``).
    page : the page in it, where the downloader has read it already; ``fingerprint`` of its text.
    rendered : the page as a browser rendered it, HTML in UTF-8; None where none was needed.
    """

    request: FetchRequest
    ended: float
    status: int
    headers: Headers
    body: bytes
    request_headers: Headers = ()
    protocol: str = "HTTP/1.1"
    ip: str | None = None
    cut: Literal["length", "disconnect"] | None = None
    page: Page | None = None
    fingerprint: int | None = None
    rendered: bytes | None = None

    @property
    def reason(self) -> str:
        """The status in words, for the journal."""
        return f"status {self.status}"

    def header(self, name: str) -> str:
        """Value of the last header of this name (in lower case); empty where there is none."""
        return next((v for key, v in reversed(self.headers) if key.lower() == name), "")

    def content(self, most: int) -> bytes:
        """The body with its content encoding undone, ``most`` bytes of it."""
        headers = {"content-encoding": self.header("content-encoding")}
        return decode_body(iter((self.body,)), headers, most)[0]

    @property
    def redirect_target(self) -> str | None:
        """Canonical URL of a redirect; None for no redirect, or one without a usable Location."""
        location = self.header("location").strip()
        if self.status not in REDIRECTS or not location:
            return None
        try:
            return canonical(location, self.request.url)
        except MalformedUrlError:
            return None


@dataclass(frozen=True, slots=True)
class FetchError:
    """Nothing usable came: why, and whether a later request may do better."""

    request: FetchRequest
    ended: float
    reason: str
    may_retry: bool


Message = FetchResponse | FetchError


# What response headers ask of a crawler: X-Robots-Tag, Retry-After, Content-Type.


LONGEST_RETRY_AFTER = 24 * 3600.0

_PAGES = frozenset(
    {"text/html", "application/xhtml+xml", "text/plain", "text/xml", "application/xml"}
)

_NAMED = frozenset(
    {
        "application/json", "application/ld+json", "application/pdf", "application/zip",
        "application/gzip", "application/x-gzip", "application/x-tar", "application/octet-stream",
        "application/javascript", "application/msword", "application/postscript",
        "application/rss+xml", "application/atom+xml", "text/css", "text/javascript", "text/csv",
        "text/calendar",
    }
)  # fmt: skip

_FAMILIES = frozenset({"application", "audio", "font", "image", "model", "text", "video"})

_NOT_A_PAGE = re.compile(
    r"\.(pdf|jpe?g|png|gif|webp|svg|ico|mp[34]|m4[av]|og[gv]|wav|avi|mov|webm|zip|gz|tgz|bz2|xz|"
    r"7z|rar|tar|exe|dmg|iso|jar|css|js|json|woff2?|ttf|docx?|xlsx?|pptx?|odt|ods|odp|ps|eps)$",
    re.IGNORECASE,
)

_SECONDS = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,9})?")


def retry_after(value: str | None, now: float) -> float | None:
    """Seconds that a Retry-After header asks to wait, from 0 to a day; None for none, or junk.

    ``now`` is the time in seconds since 1970; the header may name a date instead of a number.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return min(LONGEST_RETRY_AFTER, float(text))
    try:
        date = parsedate_to_datetime(text)
        if date.tzinfo is None:  # "-0000": UTC, from a sender that does not know its own zone
            date = date.replace(tzinfo=UTC)
        return min(LONGEST_RETRY_AFTER, max(0.0, date.timestamp() - now))
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def unwanted_type(content_type: str, url: str, pdf: bool = False) -> str | None:
    """Why a response is no page, such as ``type application/pdf``; None where it may be one.

    HTML, XHTML, XML and plain text are pages; so are PDFs with ``pdf``. Where no type is given
    the ending of the URL decides. The reasons are few, whatever servers send: a rare type is
    named by its family.
    """
    declared = media_type(content_type)
    if pdf and _is_pdf(declared, url):
        return None
    if not declared:
        ending = _NOT_A_PAGE.search(url.partition("?")[0])
        return f"type {ending[0].lower()}" if ending else None
    if declared in _PAGES:
        return None
    if declared in _NAMED:
        return f"type {declared}"
    family = declared.partition("/")[0]
    return f"type {family}/*" if family in _FAMILIES else "type unknown"


def _is_pdf(declared: str, url: str) -> bool:
    """May it be a PDF? Where the type says nothing, the ending of the URL decides."""
    if declared in ("", "application/octet-stream", "binary/octet-stream"):
        return url.partition("?")[0].lower().endswith(".pdf")
    return declared in PDF_TYPES


READY: Mapping[str, object] = {"ready": True}
"""The first frame of the downloader."""
HEARTBEAT: Mapping[str, object] = {"beat": True}
"""Sent every ``HEARTBEAT_SECONDS``, so that a downloader that hangs is noticed."""
HEARTBEAT_SECONDS = 1.0
WARNINGS = "warnings"
"""In the first frame: what the user should know, one sentence each."""
SETTINGS_ERROR = "refused"
"""The first frame instead, where a setting cannot be used: the sentence that says so."""
READING = "reading"
"""Names the request whose page is being read, in case reading it kills the downloader."""

_RENDERED = "rendered_from"
"""Where in the body of a frame the rendered page begins, behind the one that was sent."""
_LENGTHS = struct.Struct(">II")
_RESPONSE_FIELDS = ("status", "headers", "request_headers", "protocol", "ip", "cut", "fingerprint")
# A page that has just been read has no redirects and is no copy yet: those fields do not travel.
_PAGE_FIELDS = ("url", "status", "follow", "fetched_at", "size", "problem", "index", "canonical",
                "rendered", "unusable")  # fmt: skip
_DOCUMENT_FIELDS = ("title", "text", "description", "groups", "language")

Head = dict[str, Any]


def write_frame(stream: IO[bytes], head: Mapping[str, object], body: bytes = b"") -> None:
    """Send one frame."""
    text = json.dumps(head, separators=(",", ":")).encode("ascii")
    stream.write(_LENGTHS.pack(len(text), len(body)) + text + body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> tuple[Head, bytes] | None:
    """The next frame; None where the other side has ended."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head_length, body_length = _LENGTHS.unpack(lengths)
    head, body = stream.read(head_length), stream.read(body_length)
    if len(head) < head_length or len(body) < body_length:
        return None
    return json.loads(head), body


def request_head(request: FetchRequest) -> Head:
    """A request as the head of a frame."""
    return {**dataclasses.asdict(request), "purpose": request.purpose.value}


def read_request(head: Head) -> FetchRequest:
    """The request that :func:`request_head` wrote."""
    return FetchRequest(**{**head, "purpose": Purpose(head["purpose"])})


def message_frame(message: Message) -> tuple[Head, bytes]:
    """A message as the head and the body of a frame."""
    head: Head = {"request": request_head(message.request), "ended": message.ended}
    if isinstance(message, FetchError):
        return {**head, "reason": message.reason, "may_retry": message.may_retry}, b""
    head |= {name: getattr(message, name) for name in _RESPONSE_FIELDS}
    head["page"] = None if message.page is None else _page_json(message.page)
    if message.rendered is None:
        return head, message.body
    return {**head, _RENDERED: len(message.body)}, message.body + message.rendered


def read_message(head: Head, body: bytes) -> Message:
    """The message that :func:`message_frame` wrote."""
    head["request"] = read_request(head["request"])
    if "reason" in head:
        return FetchError(**head)
    if (length := head.pop(_RENDERED, None)) is not None:
        body, head["rendered"] = body[:length], body[length:]
    for name in ("headers", "request_headers"):
        head[name] = tuple(map(tuple, head[name]))
    if head["page"] is not None:
        head["page"] = _page(head["page"])
    return FetchResponse(body=body, **head)


def _page_json(page: Page) -> Head:
    links = [(link.url, link.anchor, link.context, *link.rel) for link in page.links]
    document = [getattr(page.document, name) for name in _DOCUMENT_FIELDS]
    return {name: getattr(page, name) for name in _PAGE_FIELDS} | {
        "links": links,
        "document": document,
    }


def _page(stored: Head) -> Page:
    stored["document"] = Document(**dict(zip(_DOCUMENT_FIELDS, stored["document"], strict=True)))
    stored["links"] = tuple(
        Link(url, anchor, context, frozenset(rel)) for url, anchor, context, *rel in stored["links"]
    )
    stored["unusable"] = {
        reason: (count, tuple(examples)) for reason, (count, examples) in stored["unusable"].items()
    }
    return Page(**stored)
