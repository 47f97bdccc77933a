"""The downloader as the crawl sees it: a process that reads requests from a pipe, and a queue of
its responses.

In order: the messages, which responses are pages, how a page is read and its copies are known (why
the fingerprint is a MinHash is in ``docs/decisions/0008-live-crawl.md``), the frames in which
messages cross the pipe, and :class:`DownloaderClient`; the other side is ``downloader``.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import hashlib
import json
import logging
import queue
import re
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import IO, Any, Literal

from rensa import RMinHash

from scenthound.core.errors import MalformedUrlError, SettingsError, warn_caller
from scenthound.core.model import Candidate, Document, Link, Page
from scenthound.core.urls import canonical
from scenthound.fetch.network import Network
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


# --- which responses are pages


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


# --- frames: a JSON head and a body. Nothing is pickled: the downloader parses hostile pages, and
# an unpickled frame could run code in the crawl.


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
    """Read the next frame; None where the other side has ended."""
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
    page, head["page"] = message.page, None
    if page is not None:
        head["page"] = {name: getattr(page, name) for name in _PAGE_FIELDS} | {
            "links": [(link.url, link.anchor, link.context, *link.rel) for link in page.links],
            "document": [getattr(page.document, name) for name in _DOCUMENT_FIELDS],
        }
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


def _page(stored: Head) -> Page:
    stored["document"] = Document(**dict(zip(_DOCUMENT_FIELDS, stored["document"], strict=True)))
    stored["links"] = tuple(
        Link(url, anchor, context, frozenset(rel)) for url, anchor, context, *rel in stored["links"]
    )
    stored["unusable"] = {
        reason: (count, tuple(examples)) for reason, (count, examples) in stored["unusable"].items()
    }
    return Page(**stored)


# --- the process

HUNG_SECONDS = 30.0
"""Seconds without a heartbeat until the downloader is thought to hang over a page.

The heartbeat has a thread of its own. It stops only where the process is suspended, or a parser
written in C holds the interpreter lock."""
MAX_RESTARTS = 5
"""Restarts in a row without a response in between."""
_END_SECONDS = 5.0


class DownloaderError(Exception):
    """The process that downloads has ended by itself."""


class DownloaderClient:
    """Fetches requests, many at once, in a process of its own.

    Use it as a context manager. ``inbox`` has one message for every request, and a
    DownloaderError should the process end by itself: then :meth:`restart` it.
    """

    def __init__(self, network: Network) -> None:
        self.inbox: queue.SimpleQueue[Message | DownloaderError] = queue.SimpleQueue()
        self._network = network
        self._stderr: IO[bytes] | None = None
        self._reader: threading.Thread | None = None
        self._reading: FetchRequest | None = None
        self._alive_at = time.monotonic()
        self._restarts = 0

    def __enter__(self) -> DownloaderClient:
        """Start the process; SettingsError where the network cannot be used as it is given."""
        for warning in self._start():
            warn_caller(warning)
        return self

    def __exit__(self, *error: object) -> None:
        """End the process; what is still under way is not waited for."""
        self._close()

    def fetch(self, requests: Sequence[FetchRequest]) -> None:
        """Send these requests, in order."""
        self._write(map(request_head, requests))

    def hangs(self) -> bool:
        """Return whether the process has sent no heartbeat for long."""
        return time.monotonic() - self._alive_at > HUNG_SECONDS

    def restart(self) -> FetchRequest | None:
        """Start another process in place of one that has ended or hangs; it has no requests yet.

        Returns the request whose page was being read, if the old process was reading one.
        DownloaderError where several restarts in a row gave no response.
        """
        self._restarts += 1
        if self._restarts > MAX_RESTARTS:
            raise self._ended()
        self._process.kill()
        self._close()
        reading = self._reading
        self._start()
        return reading

    def _start(self) -> Sequence[str]:
        """Start the process; returns its warnings."""
        level = logging.getLogger("scrapy").getEffectiveLevel()
        watched = level < logging.WARNING  # the user wants a log
        # A file, since a pipe that nobody reads fills up and then blocks the downloader.
        self._stderr = None if watched else tempfile.TemporaryFile()  # noqa: SIM115
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "scenthound.fetch.downloader"],  # -P: not from this folder
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            start_new_session=True,  # Ctrl-C is for the crawl alone
        )
        assert self._process.stdout is not None
        shown = logging.getLevelName(level if watched else logging.CRITICAL)
        self._write([{**dataclasses.asdict(self._network), "log_level": shown}])
        frame = read_frame(self._process.stdout)
        if frame is None or SETTINGS_ERROR in frame[0]:
            refused = frame and SettingsError(str(frame[0][SETTINGS_ERROR]))
            ended = refused or self._ended()
            self._close()
            raise ended
        self._reading, self._alive_at = None, time.monotonic()
        self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()
        warnings: Sequence[str] = frame[0].get(WARNINGS, ())
        return warnings

    def _close(self) -> None:
        process, self._reader, reader = self._process, None, self._reader
        assert process.stdin is not None and process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if reader is not None:
            reader.join()
        process.stdout.close()
        if self._stderr is not None:
            self._stderr.close()

    def _write(self, heads: Iterable[Mapping[str, object]]) -> None:
        assert self._process.stdin is not None
        # A broken pipe is noticed by the reading thread too, which reports why.
        with contextlib.suppress(BrokenPipeError):
            for head in heads:
                write_frame(self._process.stdin, head)

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """In a thread: put messages into the inbox as they come."""
        assert process.stdout is not None
        try:
            while (frame := read_frame(process.stdout)) is not None:
                head, body = frame
                self._alive_at = time.monotonic()
                if READING in head:
                    self._reading = read_request(head[READING]) if head[READING] else None
                elif head != HEARTBEAT:
                    self._reading = None
                    self._restarts = 0
                    self.inbox.put(read_message(head, body))
        except (ValueError, KeyError, TypeError) as error:
            self.inbox.put(DownloaderError(f"the downloader sent something else: {error}"))
            return
        if self._reader is not None:  # it ended by itself
            self.inbox.put(self._ended())

    def _ended(self) -> DownloaderError:
        """The error of a process that has ended; the last line it printed says why."""
        text = b""
        if self._stderr is not None and not self._stderr.closed:
            self._stderr.seek(0)
            text = self._stderr.read()
        lines = text.decode("utf-8", "replace").strip().splitlines()
        return DownloaderError("the downloader ended: " + (lines[-1] if lines else "no reason"))
