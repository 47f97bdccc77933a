"""The replay engine: drives a crawl over an archive, as if it were the web.

A redirect's hop costs nothing, its target one fetch. A link whose target is not in the
archive is answered "missing" and costs nothing either, because an archive is a sample.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scenthound.archive import Archive, Response
from scenthound.core.crawl import Crawl
from scenthound.core.errors import PeekError
from scenthound.core.events import PageEvent
from scenthound.core.model import Document, Page
from scenthound.engines.redirects import MOST_REDIRECTS, redirect_target
from scenthound.text.decode import is_text
from scenthound.text.extract import extract

_NOFOLLOW = frozenset({"nofollow", "none"})


class ReplayClock:
    """Time under replay: one second a fetch, so that the same replay writes the same journal."""

    def __init__(self) -> None:
        self._now = 0.0

    def __call__(self) -> float:
        """Seconds since the replay began."""
        return self._now

    def tick(self) -> None:
        """One more fetch."""
        self._now += 1.0


@dataclass(frozen=True, slots=True)
class Missing:
    """The target is not in the archive."""


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """The candidate redirects to a page that is not to be fetched, for a reason."""

    target: str
    reason: str


class LeasedArchive:
    """An archive that answers only for the URLs that the crawl has leased: nothing peeks."""

    def __init__(self, archive: Archive, crawl: Crawl) -> None:
        self._archive = archive
        self._crawl = crawl

    def fetch(self, url: str, now: float) -> Page | Missing | TurnedAway:
        """The page for a leased URL; PeekError for any other."""
        if not self._crawl.is_leased(url):
            raise PeekError(f"{url} was asked for before it was leased")
        hops: list[str] = []
        address = url
        while True:
            response = self._archive.fetch(address)
            if response is None:
                return Missing()
            target = redirect_target(response)
            if target is None:
                return _page(response, tuple(hops), now)
            hops.append(address)
            if target in hops or len(hops) > MOST_REDIRECTS:
                return _dead_end(response, tuple(hops), now)
            if self._crawl.is_fetched(target):
                known = target in self._archive
                return TurnedAway(target, "fetched before") if known else Missing()
            if self._crawl.is_excluded(target):
                return TurnedAway(target, "excluded")
            address = target


def run_replay(
    archive: Archive,
    crawl: Crawl,
    clock: ReplayClock,
    on_page: Callable[[PageEvent], None] | None = None,
) -> None:
    """Drive ``crawl`` over ``archive`` until it stops; ``on_page`` hears of every page."""
    pages = LeasedArchive(archive, crawl)
    while (candidate := crawl.next()) is not None:
        answer = pages.fetch(candidate.url, clock())
        if isinstance(answer, Missing):
            crawl.missing(candidate.url)
        elif isinstance(answer, TurnedAway):
            crawl.turned_away(candidate.url, answer.target, answer.reason)
        else:
            clock.tick()
            event = crawl.observe(candidate.url, answer)
            if on_page is not None:
                on_page(event)


def _page(response: Response, hops: tuple[str, ...], now: float) -> Page:
    if not 200 <= response.status < 300:
        return _dead_end(response, hops, now)
    found = extract(response.body, response.url, response.headers.get("content-type", ""))
    return Page(
        url=response.url,
        status=response.status,
        document=found.document,
        links=found.links,
        unusable=found.unusable,
        redirects=hops,
        follow=found.follow and not _forbids_following(response),
        fetched_at=now,
        size=len(response.body),
        problem=_problem(response, found.document),
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


def _forbids_following(response: Response) -> bool:
    """X-Robots-Tag, whole directives: ``max-image-preview:none`` forbids nothing here."""
    robots = response.headers.get("x-robots-tag", "").lower()
    return not _NOFOLLOW.isdisjoint(directive.strip() for directive in robots.split(","))


def _dead_end(response: Response, hops: tuple[str, ...], now: float) -> Page:
    """An error or a redirect that leads nowhere: a fetch, but no document."""
    looping = 300 <= response.status < 400 and bool(hops)
    return Page(
        url=response.url,
        status=response.status,
        document=Document(),
        redirects=tuple(hop for hop in hops if hop != response.url),
        fetched_at=now,
        size=len(response.body),
        problem="redirects without end" if looping else f"status {response.status}",
    )
