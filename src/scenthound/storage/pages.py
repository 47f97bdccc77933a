"""From an HTTP response to a page: one reading for replays, live crawls and stored pages.

:func:`page_of` takes a raw response, as the live crawl has it; :func:`read_page` a decoded one, as
an archive has it. Below are redirects within an archive, pages as rows of bytes, and
:class:`CachedPages`, with which several replays of an archive read each page once.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import NamedTuple, Protocol

from pydantic import TypeAdapter

from scenthound.core.cache import LruCache, RowCache
from scenthound.core.crawl import ENDLESS_REDIRECTS, MAX_REDIRECTS
from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Document, Page
from scenthound.core.urls import canonical
from scenthound.storage.archive import Archive
from scenthound.storage.archive_index import Response
from scenthound.storage.warc_reader import decode_body
from scenthound.text.extract import Extraction, extract, is_text, single_language
from scenthound.text.pdf import is_pdf, read_pdf, type_but_pdf

Headers = tuple[tuple[str, str], ...]
"""Names and values in the order they were sent; one read as latin-1, as HTTP has it."""
_ROBOT = re.compile(r"[a-z*][\w*-]*")
_WITH_VALUE = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")

_MEANING = {
    "noindex": frozenset({"noindex"}),
    "nofollow": frozenset({"nofollow"}),
    "none": frozenset({"noindex", "nofollow"}),
}


def robots_tag(values: Sequence[str], agent: str = "scenthound") -> frozenset[str]:
    """``noindex`` and ``nofollow``, as far as X-Robots-Tag headers ask for them.

    Parameters
    ----------
    values : the headers, each as it came; none of them forbids nothing.
    agent : our name. What is said to all robots and what is said to us hold together; what is
        said to another robot, up to the next name in the same header, does not.
    """
    found: frozenset[str] = frozenset()
    for value in values:
        addressee = ""
        for piece in value.lower().split(","):
            head, colon, rest = piece.partition(":")
            name = head.strip()
            if colon and (name in _WITH_VALUE or not _ROBOT.fullmatch(name)):
                continue  # a value, or the time of day in a date with a comma
            if colon:
                addressee, piece = name, rest
            if addressee in ("", "*", agent.lower()):
                found |= _MEANING.get(piece.strip(), frozenset())
    return found


def page_of(
    url: str,
    status: int,
    headers: Headers,
    body: bytes,
    at: float,
    max_body: int,
    cut: bool = False,
    pdf: bool = False,
) -> Page:
    """The page in a raw response: encodings undone, robots directives of its headers obeyed.

    Parameters
    ----------
    url, status : of the response; the URL is canonical.
    headers : as they were sent; of a repeated one the last counts, but X-Robots-Tag adds up.
    body : as it was sent, its transfer encoding undone.
    at : when it came, in seconds since 1970.
    max_body : bytes of the decoded body that are read; a compressed one may hold far more.
    cut : is the body not whole?
    pdf : is a PDF read as a page?
    """
    # The downloader has undone transfer; X-Robots-Tag is obeyed below, for our own name.
    done = ("transfer-encoding", "x-robots-tag")
    by_name = {name.lower(): value for name, value in headers if name.lower() not in done}
    decoded, broken = body[:max_body], len(body) > max_body
    if "content-encoding" in by_name:
        decoded, broken = decode_body(iter((body,)), by_name, max_body)
    response = Response(url, status, by_name, decoded, broken or cut)
    page = read_page(response, (), at, live=True, pdf=pdf)
    directives = robots_tag([v for name, v in headers if name.lower() == "x-robots-tag"])
    if directives:
        page = replace(
            page,
            follow=page.follow and "nofollow" not in directives,
            index=page.index and "noindex" not in directives,
        )
    return page if page.index else replace(page, problem=page.problem or "noindex")


CUT = "body cut or damaged"
NESTED_TOO_DEEP = "nested too deep: cut"
_NOFOLLOW = frozenset({"nofollow", "none"})


def read_page(
    response: Response, hops: tuple[str, ...], now: float, *, live: bool = False, pdf: bool = False
) -> Page:
    """The page in a response, reached over ``hops``; an error is a page without a document.

    Only a ``live`` crawl obeys ``noindex`` and the canonical URL of a page: an archive has stored
    the page already, under the URL that was requested. With ``pdf`` a PDF is a page too.
    """
    page = Page(response.url, response.status, Document(), size=len(response.body))
    if not page.ok:  # an error, or a redirect that leads nowhere
        return finalize_page(replace(page, problem=f"status {page.status}"), hops, now)
    content_type = response.headers.get("content-type", "")
    # Whole directives: ``max-image-preview:none`` forbids nothing here.
    robots = response.headers.get("x-robots-tag", "").lower().split(",")
    follow = _NOFOLLOW.isdisjoint(directive.strip() for directive in robots)
    page = replace(page, redirects=hops, follow=follow, fetched_at=now)
    if pdf and is_pdf(response.body, content_type):
        read = read_pdf(response.body, response.url)
        return replace(
            page,
            document=read.document,
            links=read.links,
            unusable=read.unusable,
            problem=read.problem or (CUT if response.truncated else ""),
        )
    if pdf:
        content_type = type_but_pdf(content_type)
    found = extract(response.body, response.url, content_type)
    document, declared = found.document, response.headers.get("content-language", "")
    if declared and document.language is None:
        document = replace(document, language=single_language(declared))
    return replace(
        page,
        document=document,
        links=found.links,
        unusable=found.unusable,
        follow=found.follow and page.follow,
        problem=_problem(response, content_type, found),
        index=found.index or not live,
        canonical=found.canonical if live else None,
    )


def finalize_page(page: Page, hops: tuple[str, ...], now: float) -> Page:
    """A page that was read without its redirects, as the crawl reaches it over ``hops``."""
    if page.ok:
        return replace(page, redirects=hops, fetched_at=now)
    looping = 300 <= page.status < 400 and bool(hops)
    return replace(
        page,
        redirects=tuple(hop for hop in hops if hop != page.url),
        fetched_at=now,
        problem=ENDLESS_REDIRECTS if looping else page.problem,
    )


def _problem(response: Response, content_type: str, found: Extraction) -> str:
    """Why a page has less to say than one expects, for the journal."""
    if not response.body:
        return "empty body"
    if not is_text(response.body, content_type):
        return "not a page: binary or media"
    if found.cut:
        return NESTED_TOO_DEEP
    if not found.document.text and not found.document.title:
        return "no text"
    return CUT if response.truncated else ""


REDIRECTS = frozenset({301, 302, 303, 307, 308})


def redirect_target(response: Response) -> str | None:
    """Canonical URL a response sends on to; None where it does not, or to no URL."""
    if response.status not in REDIRECTS or not response.headers.get("location"):
        return None
    try:
        return canonical(response.headers["location"], response.url)
    except MalformedUrlError:
        return None


def final_response(archive: Archive, url: str) -> Response | None:
    """What ``url`` leads to in the end; None where the archive has no such page, or a loop."""
    for _ in range(MAX_REDIRECTS + 1):
        response = archive.fetch(url)
        target = None if response is None else redirect_target(response)
        if target is None:
            return response
        url = target
    return None


# The pages of an archive as they are read, and where redirects lead.


class ReadPage(NamedTuple):
    """What an address holds.

    The page is read as if it had been requested directly, at time 0. ``target`` is where it
    redirects to; None for a page.
    """

    page: Page
    target: str | None = None


class PageSource(Protocol):
    """Pages by their address."""

    def read(self, url: str) -> ReadPage | None:
        """What a canonical URL holds; None where there is nothing."""
        ...


class ArchivedPages:
    """Reads each page of an archive anew; with ``pdf`` PDFs are pages too."""

    def __init__(self, archive: Archive, pdf: bool = False) -> None:
        self._archive = archive
        self._pdf = pdf

    def read(self, url: str) -> ReadPage | None:
        """What a canonical URL holds; None where the archive holds nothing."""
        response = self._archive.fetch(url)
        if response is None:
            return None
        return ReadPage(read_page(response, (), 0.0, pdf=self._pdf), redirect_target(response))


# A page as a row of bytes, for other processes.

_ROWS: TypeAdapter[ReadPage] = TypeAdapter(ReadPage)


def page_to_row(read: ReadPage) -> bytes | None:
    """A page that was read; None where its text cannot be written as UTF-8."""
    try:
        return _ROWS.dump_json(read)
    except ValueError:
        return None


def page_from_row(row: bytes) -> ReadPage | None:
    """What :func:`page_to_row` wrote; None for anything else."""
    try:
        return _ROWS.validate_json(row)
    except ValueError:
        return None


# Pages that were read before, by this run or by another one, are not read again.


class NoPage(Enum):
    """What an address outside of an archive leads to."""

    HERE = "nothing"


PageMemory = LruCache[bytes, ReadPage | NoPage]
_BYTES_PER_MISS = 150
_BYTES_PER_PAGE = 1_500
"""Bytes of memory that a page takes besides its texts."""
_BYTES_PER_LINK = 100


class CachedPages:
    """A source of pages that remembers them.

    Parameters
    ----------
    source : reads what is not known yet.
    version : of the source and of all that reads it, as a text: the same version and the same
        address are the same page.
    memory : of several sources.
    rows : what is kept beyond the process; None for nothing.
    """

    def __init__(
        self, source: PageSource, version: str, memory: PageMemory, rows: RowCache | None
    ) -> None:
        self._source = source
        self._key = hashlib.blake2b(version.encode(), digest_size=32).digest()
        self._memory = memory
        self._rows = rows

    def read(self, url: str) -> ReadPage | None:
        """What a canonical URL holds; None where there is nothing."""
        address = url.encode("utf-8", "surrogatepass")
        key = hashlib.blake2b(address, digest_size=16, key=self._key).digest()
        known = self._memory.get(key)
        if known is not None:
            return None if known is NoPage.HERE else known
        row = None if self._rows is None else self._rows.find([key]).get(key)
        found = None if row is None else page_from_row(row)
        if found is None:
            found = self._source.read(url)
            if found is not None and self._rows is not None and (new := page_to_row(found)):
                self._rows.keep(key, new)
        self._memory.put(key, found or NoPage.HERE)
        return found


def size_of(read: ReadPage | NoPage) -> int:
    """Bytes of memory that a page takes, about; its full text counts as one more."""
    if isinstance(read, NoPage):
        return _BYTES_PER_MISS
    page, document = read.page, read.page.document
    texts = [document.title, document.text, document.text, document.description]
    texts += document.groups.values()
    for link in page.links:
        texts += (link.url, link.anchor, link.context)
    return sum(map(sys.getsizeof, texts)) + _BYTES_PER_LINK * len(page.links) + _BYTES_PER_PAGE
