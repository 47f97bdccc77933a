"""The replay engine: drives a crawl over an archive, as if it were the web.

A redirect's hop costs nothing, its target one fetch. A link whose target is not in the
archive is answered "missing" and costs nothing either, because an archive is a sample.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scenthound.archive import Archive
from scenthound.core.crawl import MOST_REDIRECTS, Crawl
from scenthound.core.errors import PeekError
from scenthound.core.events import PageEvent
from scenthound.core.model import Page
from scenthound.engines.reading import dead_end, read_page
from scenthound.engines.redirects import redirect_target


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

    def __init__(self, archive: Archive, crawl: Crawl, pdf: bool = False) -> None:
        self._archive = archive
        self._crawl = crawl
        self._pdf = pdf

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
                return read_page(response, tuple(hops), now, pdf=self._pdf)
            hops.append(address)
            if target in hops or len(hops) > MOST_REDIRECTS:
                return dead_end(response, tuple(hops), now)
            if self._crawl.is_fetched(target):
                known = target in self._archive
                return TurnedAway(target, "fetched before") if known else Missing()
            if (reason := self._crawl.out_of_bounds(target)) is not None:
                return TurnedAway(target, reason)
            address = target


def run_replay(
    archive: Archive,
    crawl: Crawl,
    clock: ReplayClock,
    on_page: Callable[[PageEvent], None] | None = None,
    pdf: bool = False,
) -> None:
    """Drive ``crawl`` over ``archive`` until it stops; ``on_page`` hears of every page.

    With ``pdf`` the PDFs in the archive are pages too.
    """
    pages = LeasedArchive(archive, crawl, pdf)
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
