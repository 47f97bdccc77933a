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
from scenthound.engines.archived_pages import ArchivedPages, PageSource
from scenthound.engines.reading import come_to


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
    """An archive that answers only for the URLs that the crawl has leased: nothing peeks.

    Parameters
    ----------
    archive : where pages lie.
    crawl : knows what is leased.
    pdf : are PDFs pages too?
    pages : reads the pages of the archive; None to read each one anew.
    """

    def __init__(
        self, archive: Archive, crawl: Crawl, pdf: bool = False, pages: PageSource | None = None
    ) -> None:
        self._archive = archive
        self._crawl = crawl
        self._pages = pages or ArchivedPages(archive, pdf)

    def fetch(self, url: str, now: float) -> Page | Missing | TurnedAway:
        """The page for a leased URL; PeekError for any other."""
        if not self._crawl.is_leased(url):
            raise PeekError(f"{url} was asked for before it was leased")
        hops: list[str] = []
        address = url
        while True:
            found = self._pages.read(address)
            if found is None:
                return Missing()
            page, target = found
            if target is None:
                return come_to(page, tuple(hops), now)
            hops.append(address)
            if target in hops or len(hops) > MOST_REDIRECTS:
                return come_to(page, tuple(hops), now)
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
    pages: PageSource | None = None,
    heed: Callable[[], None] | None = None,
) -> None:
    """Drive ``crawl`` over ``archive`` until it stops; ``on_page`` hears of every page.

    With ``pdf`` the PDFs in the archive are pages too. ``pages`` reads the pages of the archive,
    PDFs or not; without it each one is read anew. ``heed`` is called when nothing is under way: it
    may wait, or stop the crawl.
    """
    leased = LeasedArchive(archive, crawl, pdf, pages)
    while (candidate := crawl.next()) is not None:
        answer = leased.fetch(candidate.url, clock())
        if isinstance(answer, Missing):
            crawl.missing(candidate.url)
        elif isinstance(answer, TurnedAway):
            crawl.turned_away(candidate.url, answer.target, answer.reason)
        else:
            clock.tick()
            event = crawl.observe(candidate.url, answer)
            if on_page is not None:
                on_page(event)
        if heed is not None:
            heed()
