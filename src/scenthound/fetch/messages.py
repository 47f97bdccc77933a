"""Requests to the downloader and what comes back: the reasons that the journal knows, what response
headers ask of a crawler, and from a response to a page, marked where it is a copy.

The dataclasses at the top cross the pipe to the downloader (``client`` packs them). Copies come
last; why the fingerprint is a MinHash is in ``docs/decisions/0008-live-crawl.md``.
"""

from __future__ import annotations

import enum
import hashlib
import re
from dataclasses import dataclass, replace
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Literal

from rensa import RMinHash

from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Candidate, Document, Page
from scenthound.core.urls import canonical
from scenthound.storage.database import Ledger
from scenthound.storage.pages import REDIRECTS, Headers, decode_body, page_of
from scenthound.text.extract import media_type
from scenthound.text.pdf import PDF_TYPES
from scenthound.text.terms import has_unspaced, segment_words, words

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
NOT_RENDERED = "not rendered"
"""Begins the problem of a page that the browser could not render: it is stored as it came."""
NO_BROWSER = f"{NOT_RENDERED}: there is no browser any more"


class Purpose(enum.Enum):
    """Why a URL is requested."""

    PAGE = "page"
    ROBOTS = "robots.txt"
    FILE = "file"
    """Of any type, and not read by the downloader: a sitemap, a feed."""


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """Fetch ``url`` now.

    ``owner`` is the origin whose robots.txt this is, for robots.txt. ``crawl_delay`` is what the
    site asks for: the scripts of a page make their requests after it.
    """

    url: str
    purpose: Purpose = Purpose.PAGE
    owner: str = ""
    hops: int = 0
    crawl_delay: float = 0.0


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
        encoding = self.header("content-encoding")
        if not encoding:
            return self.body[:most]
        return decode_body(iter((self.body,)), {"content-encoding": encoding}, most)[0]

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


# --- what response headers ask of a crawler: Retry-After, Content-Type


LONGEST_RETRY_AFTER = 24 * 3600.0
"""Seconds. A server could otherwise park its URLs for years."""
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
    declared, path = media_type(content_type), url.partition("?")[0]
    may_be_pdf = declared in PDF_TYPES
    if declared in ("", "application/octet-stream", "binary/octet-stream"):
        may_be_pdf = path.lower().endswith(".pdf")
    if pdf and may_be_pdf:
        return None
    if not declared:
        ending = _NOT_A_PAGE.search(path)
        return f"type {ending[0].lower()}" if ending else None
    if declared in _PAGES:
        return None
    if declared in _NAMED:
        return f"type {declared}"
    family = declared.partition("/")[0]
    return f"type {family}/*" if family in _FAMILIES else "type unknown"


# --- from a response to a page, with what is needed to know its copies


FEWEST_WORDS = 30
"""Shorter texts are not compared: a frame without content looks like every other."""
COPY, NEAR_COPY = "copy", "near copy"
_BITS, _SEED, _WORDS_IN_A_ROW = 64, 42, 3
"""Part of the format: a resumed crawl compares with the fingerprints in its ledger."""


def fingerprint(document: Document) -> int | None:
    """64 bits that are the same for nearly the same text; None for fewer than 30 words.

    The number is signed (two's complement), so that an SQLite integer can hold it.
    """
    text = document.full
    found = words(text)
    if not text.isascii() and has_unspaced([text]):
        found = segment_words(found)
    if len(found) < FEWEST_WORDS:
        return None
    shifted = (found[start:] for start in range(_WORDS_IN_A_ROW))
    sketch = RMinHash(num_perm=_BITS, seed=_SEED)
    sketch.update(list(map(" ".join, zip(*shifted, strict=False))))
    bits = 0
    for value in sketch.digest():
        bits = bits << 1 | value & 1
    return bits - (1 << _BITS) if bits >> (_BITS - 1) else bits


def read_response_page(response: FetchResponse, max_body: int, pdf: bool = False) -> FetchResponse:
    """The response with its page and the fingerprint of its text; with ``pdf`` a PDF is one too."""
    page = page_of(
        response.request.url, response.status, response.headers, response.body, response.ended,
        max_body, response.cut is not None, pdf,
    )  # fmt: skip
    return replace(response, page=page, fingerprint=fingerprint(page.document) if page.ok else None)


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page that was read: ``digest`` of its body, ``fingerprint`` of its text, if long enough.

    ``exact`` says that it is a copy byte for byte, not only nearly.
    """

    page: Page
    digest: bytes
    fingerprint: int | None
    exact: bool = False


class PageReader:
    """Reads responses.

    Parameters
    ----------
    ledger : knows the pages so far.
    max_body : bytes of a decoded body that are read.
    pdf : are PDFs read too?
    """

    def __init__(self, ledger: Ledger, max_body: int, pdf: bool = False) -> None:
        self._ledger = ledger
        self._max_body = max_body
        self._pdf = pdf

    def read(self, response: FetchResponse, candidate: Candidate) -> ReadPage:
        """Read the page of a candidate, marked where it is a copy of an earlier one."""
        if response.page is None:
            response = read_response_page(response, self._max_body, self._pdf)
        assert response.page is not None
        page = replace(response.page, redirects=candidate.redirects)
        if not page.ok or not response.body:
            return ReadPage(page, b"", None)  # no page is a copy of an error
        shown = response.rendered  # the same few bytes may be sent for every page of an application
        content = response.body if shown is None else shown
        digest = hashlib.sha1(content, usedforsecurity=False).digest()
        same = self._other(self._ledger.exact_copy(digest), page)
        if same is not None:
            exact = shown is None
            return ReadPage(replace(page, copy_of=same, problem=COPY), digest, None, exact)
        bits = response.fingerprint
        near = None if bits is None else self._other(self._ledger.near_copy(bits), page)
        if near is not None:
            page = replace(page, copy_of=near, problem=NEAR_COPY)
        return ReadPage(page, digest, bits)

    def _other(self, first: int | None, page: Page) -> int | None:
        """The earlier page, unless it is this very one.

        A worker that died before it published a page gets it again, and its links count.
        """
        if first is None or self._ledger.original(first)[0] == page.url:
            return None
        return first
