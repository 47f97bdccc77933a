"""The loop of a replay: an archive stands for the web, and users may pause and stop.

Read ``run_replay`` first. ``LeasedArchive`` takes the place of the network: it refuses URLs that
the frontier has not leased, so that no strategy can look at pages in advance.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.crawl import MAX_REDIRECTS, Crawl
from scenthound.core.errors import PeekError
from scenthound.core.events import PageEvent
from scenthound.core.model import Page
from scenthound.crawler.control import ControlRequests
from scenthound.storage.archive import Archive
from scenthound.storage.archived_pages import ArchivedPages, PageSource
from scenthound.storage.folder import PAUSE, STOP
from scenthound.storage.pages import finalize_page


class ReplayClock:
    """Time under replay: one second a fetch, so that the same replay writes the same journal."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """Return the seconds since the replay began."""
        return self.now


@dataclass(frozen=True, slots=True)
class RedirectRejected:
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

    def fetch(self, url: str, now: float) -> Page | RedirectRejected | None:
        """Return the page of a leased URL, None where the archive has none.

        PeekError for a URL that is not leased.
        """
        if not self._crawl.is_leased(url):
            raise PeekError(f"{url} was asked for before it was leased")
        hops: list[str] = []
        address = url
        while True:
            found = self._pages.read(address)
            if found is None:
                return None
            page, target = found
            if target is None:
                return finalize_page(page, tuple(hops), now)
            hops.append(address)
            if target in hops or len(hops) > MAX_REDIRECTS:
                return finalize_page(page, tuple(hops), now)
            if self._crawl.is_fetched(target):
                known = target in self._archive
                return RedirectRejected(target, "fetched before") if known else None
            if (reason := self._crawl.out_of_bounds(target)) is not None:
                return RedirectRejected(target, reason)
            address = target


def run_replay(
    archive: Archive,
    crawl: Crawl,
    clock: ReplayClock,
    on_page: Callable[[PageEvent], None] | None = None,
    pdf: bool = False,
    pages: PageSource | None = None,
    check_control: Callable[[], None] | None = None,
) -> None:
    """Drive ``crawl`` over ``archive`` until it stops; ``on_page`` gets every page.

    With ``pdf`` the PDFs in the archive are pages too. ``pages`` reads the pages of the archive,
    PDFs or not; without it each one is read anew. ``check_control`` is called between two fetches:
    it may wait, or stop the crawl.
    """
    leased = LeasedArchive(archive, crawl, pdf, pages)
    while (candidate := crawl.next()) is not None:
        found = leased.fetch(candidate.url, clock())
        if found is None:
            crawl.missing(candidate.url)
        elif isinstance(found, RedirectRejected):
            crawl.redirect_rejected(candidate.url, found.target, found.reason)
        else:
            clock.now += 1.0
            event = crawl.observe(candidate.url, found)
            if on_page is not None:
                on_page(event)
        if check_control is not None:
            check_control()


STOPPED = "stopped"

_POLL_INTERVAL_S = 0.2


class ReplayController:
    """Pauses and stops a replay by the requests that users leave in its folder."""

    def __init__(
        self,
        folder: Path,
        crawl: Crawl,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._requests = ControlRequests(folder)
        self._crawl = crawl
        self._monotonic = monotonic
        self._sleep = sleep
        self._last = monotonic()
        self.paused_s = 0.0
        """Seconds that were spent waiting."""

    def check(self) -> None:
        """Stop the crawl, or wait here while it is paused; it looks a few times a second."""
        now = self._monotonic()
        if now - self._last < _POLL_INTERVAL_S:
            return
        self._last = now
        self._look_for_stop()
        if self._crawl.stop_reason is None and self._requests.is_left(PAUSE):
            self._pause()

    def _pause(self) -> None:
        """Wait until the pause is withdrawn, or the crawl is stopped."""
        begun = self._monotonic()
        self._crawl.control("paused")
        while self._requests.is_left(PAUSE) and self._crawl.stop_reason is None:
            self._sleep(_POLL_INTERVAL_S)
            self._look_for_stop()
        self.paused_s += self._monotonic() - begun
        if self._crawl.stop_reason is None:
            self._crawl.control("unpaused")

    def _look_for_stop(self) -> None:
        if self._requests.withdraw(STOP):
            self._crawl.stop(STOPPED)
