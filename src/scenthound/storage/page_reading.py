"""From an HTTP response to a page: one reading for replays, live crawls and stored pages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from scenthound.core.crawl import ENDLESS_REDIRECTS
from scenthound.core.model import Document, Page
from scenthound.storage.archive_index import Response
from scenthound.storage.warc_reader import decode_body
from scenthound.text.decode import is_text
from scenthound.text.extract import Extraction, extract
from scenthound.text.languages import single_language
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


DEFAULT_MAX_BODY = 10 * 1024 * 1024


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

    ``cut`` says that the body is not whole; with ``pdf`` a PDF is read as a page.
    """
    by_name = _without_ours(headers)
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


def _without_ours(headers: Headers) -> Mapping[str, str]:
    """Headers by name, but for those obeyed here or by the downloader, which undoes transfer."""
    done = ("transfer-encoding", "x-robots-tag")
    return {name.lower(): value for name, value in headers if name.lower() not in done}


CUT = "body cut or damaged"

NESTED_TOO_DEEP = "nested too deep: cut"

_NOFOLLOW = frozenset({"nofollow", "none"})


def read_page(
    response: Response,
    hops: tuple[str, ...],
    now: float,
    *,
    live: bool = False,
    pdf: bool = False,
) -> Page:
    """The page in a response, reached over ``hops``; an error is a page without a document.

    Only a ``live`` crawl obeys ``noindex`` and the canonical URL of a page: an archive has stored
    the page already, under the URL that was requested. With ``pdf`` a PDF is a page too.
    """
    page = Page(response.url, response.status, Document(), size=len(response.body))
    if not page.ok:  # an error, or a redirect that leads nowhere
        return finalize_page(replace(page, problem=f"status {page.status}"), hops, now)
    content_type = response.headers.get("content-type", "")
    page = replace(
        page,
        redirects=hops,
        follow=not _forbids_following(response.headers),
        fetched_at=now,
    )
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
    return replace(
        page,
        document=_with_language(found.document, response.headers),
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


def _with_language(document: Document, headers: Mapping[str, str]) -> Document:
    """A page that does not say its language is in that of its Content-Language header."""
    declared = headers.get("content-language", "")
    if not declared or document.language is not None:
        return document
    return replace(document, language=single_language(declared))


def _forbids_following(headers: Mapping[str, str]) -> bool:
    """X-Robots-Tag, whole directives: ``max-image-preview:none`` forbids nothing here."""
    robots = headers.get("x-robots-tag", "").lower()
    return not _NOFOLLOW.isdisjoint(directive.strip() for directive in robots.split(","))
