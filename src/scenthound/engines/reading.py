"""From a response to a page: one reading for the replay and for the live crawl."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scenthound.archive import Response
from scenthound.core.crawl import ENDLESS_REDIRECTS
from scenthound.core.model import Document, Page
from scenthound.text.codes import single_language
from scenthound.text.decode import is_text
from scenthound.text.extract import Extraction, extract
from scenthound.text.pdf import is_pdf, read_pdf, type_but_pdf

CUT = "body cut or damaged"
TANGLED = "nested too deep: cut"
_NOFOLLOW = frozenset({"nofollow", "none"})


def read_page(
    response: Response,
    hops: tuple[str, ...],
    now: float,
    *,
    live: bool = False,
    pdf: bool = False,
) -> Page:
    """The page in a response, come to over ``hops``; an error is a page without a document.

    Only a ``live`` crawl heeds ``noindex`` and the address a page calls its own: what lies in an
    archive has been kept already, under the address it was asked for. With ``pdf`` a PDF is a
    page too.
    """
    if not 200 <= response.status < 300:
        return dead_end(response, hops, now)
    content_type = response.headers.get("content-type", "")
    if pdf and is_pdf(response.body, content_type):
        return _read_pdf(response, hops, now)
    if pdf:
        content_type = type_but_pdf(content_type)
    found = extract(response.body, response.url, content_type)
    return Page(
        url=response.url,
        status=response.status,
        document=_with_language(found.document, response.headers),
        links=found.links,
        unusable=found.unusable,
        redirects=hops,
        follow=found.follow and not _forbids_following(response.headers),
        fetched_at=now,
        size=len(response.body),
        problem=_problem(response, content_type, found),
        index=found.index or not live,
        canonical=found.canonical if live else None,
    )


def _read_pdf(response: Response, hops: tuple[str, ...], now: float) -> Page:
    """The page in a PDF, which can ask for nothing but through its headers."""
    found = read_pdf(response.body, response.url)
    cut = CUT if response.truncated else ""
    return Page(
        url=response.url,
        status=response.status,
        document=found.document,
        links=found.links,
        unusable=found.unusable,
        redirects=hops,
        follow=not _forbids_following(response.headers),
        fetched_at=now,
        size=len(response.body),
        problem=found.problem or cut,
    )


def dead_end(response: Response, hops: tuple[str, ...], now: float) -> Page:
    """An error or a redirect that leads nowhere: a fetch, but no document."""
    page = Page(
        url=response.url,
        status=response.status,
        document=Document(),
        size=len(response.body),
        problem=f"status {response.status}",
    )
    return come_to(page, hops, now)


def come_to(page: Page, hops: tuple[str, ...], now: float) -> Page:
    """A page that was read without its way, as it is come to over ``hops``."""
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
        return TANGLED
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
