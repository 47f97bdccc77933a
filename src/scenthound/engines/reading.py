"""From a response to a page: one reading for the replay and for the live crawl."""

from __future__ import annotations

from collections.abc import Mapping

from scenthound.archive import Response
from scenthound.core.crawl import ENDLESS_REDIRECTS
from scenthound.core.model import Document, Page
from scenthound.text.decode import is_text
from scenthound.text.extract import extract

_NOFOLLOW = frozenset({"nofollow", "none"})


def read_page(response: Response, hops: tuple[str, ...], now: float, *, live: bool = False) -> Page:
    """The page in a response, come to over ``hops``; an error is a page without a document.

    Only a ``live`` crawl heeds ``noindex`` and the address a page calls its own: what lies in an
    archive has been kept already, under the address it was asked for.
    """
    if not 200 <= response.status < 300:
        return dead_end(response, hops, now)
    found = extract(response.body, response.url, response.headers.get("content-type", ""))
    return Page(
        url=response.url,
        status=response.status,
        document=found.document,
        links=found.links,
        unusable=found.unusable,
        redirects=hops,
        follow=found.follow and not _forbids_following(response.headers),
        fetched_at=now,
        size=len(response.body),
        problem=_problem(response, found.document),
        index=found.index or not live,
        canonical=found.canonical if live else None,
    )


def dead_end(response: Response, hops: tuple[str, ...], now: float) -> Page:
    """An error or a redirect that leads nowhere: a fetch, but no document."""
    looping = 300 <= response.status < 400 and bool(hops)
    return Page(
        url=response.url,
        status=response.status,
        document=Document(),
        redirects=tuple(hop for hop in hops if hop != response.url),
        fetched_at=now,
        size=len(response.body),
        problem=ENDLESS_REDIRECTS if looping else f"status {response.status}",
    )


def _problem(response: Response, document: Document) -> str:
    """Why a page has less to say than one expects, for the journal."""
    if not response.body:
        return "empty body"
    if not is_text(response.body, response.headers.get("content-type", "")):
        return "not a page: binary or media"
    if not document.text and not document.title:
        return "no text"
    return "body cut or damaged" if response.truncated else ""


def _forbids_following(headers: Mapping[str, str]) -> bool:
    """X-Robots-Tag, whole directives: ``max-image-preview:none`` forbids nothing here."""
    robots = headers.get("x-robots-tag", "").lower()
    return not _NOFOLLOW.isdisjoint(directive.strip() for directive in robots.split(","))
