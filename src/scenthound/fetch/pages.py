"""From a response to a page: is it a copy of an earlier one, and does it need a browser to be
read?
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from dataclasses import dataclass, replace

from rensa import RMinHash

from scenthound.core.model import Candidate, Document, Page
from scenthound.core.urls import host_of
from scenthound.fetch.messages import FetchResponse
from scenthound.storage.database import Ledger
from scenthound.storage.pages import Headers, page_of
from scenthound.storage.warc_writer import BODY_HEADERS, RENDERED_TYPE
from scenthound.text.html import media_type
from scenthound.text.languages import has_unspaced, segment_words, words

FEWEST_WORDS = 30
"""Shorter texts are not compared: a frame without content looks like every other."""

NEAR = 0
"""Bits in which copies may differ. On a web of 5,885 pages with 1,000 copies, one bit more found
a quarter more of them, and the first pages that were none."""


_BITS = 64

_SEED = 42

_RUN = 3


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
    sketch = RMinHash(num_perm=_BITS, seed=_SEED)
    sketch.update(list(map(" ".join, zip(*(found[start:] for start in range(_RUN)), strict=False))))
    bits = 0
    for value in sketch.digest():
        bits = bits << 1 | value & 1
    return bits - (1 << _BITS) if bits >> (_BITS - 1) else bits


# From a response to a page, with what is needed to know its copies.


COPY, NEAR_COPY = "copy", "near copy"


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
        """The page that responses a candidate, marked where it is a copy of an earlier one."""
        read = (
            response
            if response.page is not None
            else read_response_page(response, self._max_body, self._pdf)
        )
        assert read.page is not None
        page = replace(read.page, redirects=candidate.redirects)
        if not page.ok or not response.body:
            return ReadPage(page, b"", None)  # no page is a copy of an error
        shown = response.rendered  # the same few bytes may be sent for every page of an application
        content = response.body if shown is None else shown
        digest = hashlib.sha1(content, usedforsecurity=False).digest()
        same = self._other(self._ledger.exact_copy(digest), page)
        if same is not None:
            exact = shown is None
            return ReadPage(replace(page, copy_of=same, problem=COPY), digest, None, exact)
        fingerprint = read.fingerprint
        near = None if fingerprint is None else self._ledger.near_copy(fingerprint, NEAR)
        near = self._other(near, page)
        if near is not None:
            page = replace(page, copy_of=near, problem=NEAR_COPY)
        return ReadPage(page, digest, fingerprint)

    def _other(self, first: int | None, page: Page) -> int | None:
        """The earlier page, unless it is this very one.

        A worker that died before it published a page gets it again, and its links count.
        """
        return None if first is None or self._ledger.url_of(first) == page.url else first


def read_response_page(response: FetchResponse, max_body: int, pdf: bool = False) -> FetchResponse:
    """The response with its page and the fingerprint of its text; with ``pdf`` a PDF is one too."""
    page = page_of(
        response.request.url, response.status, response.headers, response.body, response.ended,
        max_body, response.cut is not None, pdf,
    )  # fmt: skip
    return replace(response, page=page, fingerprint=fingerprint(page.document) if page.ok else None)


# Which pages need a browser to be read, what waits for it, and whether it was of use.


FEW_CHARACTERS = 100
"""A page with less text than this is thought to have none: "Loading ..." is no text."""

MAX_USELESS_RENDERINGS = 3
"""A host whose first so many pages gained nothing from a browser is read without one."""

MAX_HOSTS = 10_000

_SCRIPT = re.compile(rb"<script\b", re.IGNORECASE)

_HTML = frozenset({"", "text/html", "application/xhtml+xml"})


class RenderingCandidates:
    """The pages that wait for the browser, and the hosts where it was of use.

    Used by the thread that reads pages and by the one with the sockets; no step leaves it half
    done.

    Parameters
    ----------
    most : pages that are held; of more than that the oldest is forgotten, and fetched again.
    max_body : bytes of a decoded body that are read.
    """

    def __init__(self, most: int, max_body: int) -> None:
        self._most = most
        self._max_body = max_body
        self._held: OrderedDict[str, FetchResponse] = OrderedDict()
        self._helped: OrderedDict[str, None] = OrderedDict()
        self._in_vain: OrderedDict[str, int] = OrderedDict()

    def hold(self, response: FetchResponse) -> bool:
        """Keep a page that was read until it is rendered, if it should be; says whether."""
        url = response.request.url
        if self._in_vain.get(host_of(url), 0) >= MAX_USELESS_RENDERINGS:
            return False
        if not seems_empty(response) or not _SCRIPT.search(response.content(self._max_body)):
            return False
        self._held[url] = response
        if len(self._held) > self._most:
            self._held.popitem(last=False)
        return True

    def take(self, url: str) -> FetchResponse | None:
        """The page that was held; None where it is no longer known."""
        return self._held.pop(url, None)

    def better(self, response: FetchResponse) -> FetchResponse:
        """The page as the browser showed it; as it came, where that says no less.

        The host is remembered by it: in the end a browser is used only where it helps.
        """
        read = read_rendered_page(response, self._max_body)
        assert response.page is not None and read.page is not None
        helped = shows_more(response.page, read.page)
        self._learn(host_of(response.request.url), helped)
        return read if helped else replace(response, rendered=None)

    def failed(self, url: str) -> None:
        """The browser could not show this page."""
        self._learn(host_of(url), helped=False)

    def _learn(self, host: str, helped: bool) -> None:
        if helped:
            self._helped[host] = None
            self._in_vain.pop(host, None)
        elif host not in self._helped:
            self._in_vain[host] = self._in_vain.get(host, 0) + 1
        for known in (self._helped, self._in_vain):
            if len(known) > MAX_HOSTS:
                known.popitem(last=False)


def seems_empty(response: FetchResponse) -> bool:
    """Is it a whole HTML page, that may be kept, without text or without links?"""
    page = response.page
    if page is None or response.status != 200 or response.cut is not None or not page.index:
        return False
    if media_type(response.header("content-type")) not in _HTML:
        return False
    return not page.links or len(page.document.text) < FEW_CHARACTERS


def read_rendered_page(response: FetchResponse, max_body: int) -> FetchResponse:
    """The response with the page in ``response.rendered``, which must be there."""
    assert response.rendered is not None
    shown = replace(response, body=response.rendered, headers=_of_rendered(response.headers))
    read = read_response_page(shown, max_body)
    assert read.page is not None
    page = replace(read.page, rendered=True)
    return replace(response, page=page, fingerprint=read.fingerprint)


def shows_more(plain: Page, rendered: Page) -> bool:
    """Was it worth it: is there a link, or text, where there was none?"""
    if len(rendered.links) > len(plain.links):
        return True
    gained = len(rendered.document.text) - len(plain.document.text)
    return gained >= FEW_CHARACTERS or (gained > 0 and not plain.document.text)


def _of_rendered(headers: Headers) -> Headers:
    """The headers of a page, as they are true of what a browser made of it."""
    kept = tuple(pair for pair in headers if pair[0].lower() not in BODY_HEADERS)
    return (*kept, ("Content-Type", RENDERED_TYPE))
