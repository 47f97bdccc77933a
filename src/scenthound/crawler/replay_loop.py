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
from scenthound.storage.archived_pages import PageSource
from scenthound.storage.folder import PAUSE, STOP
from scenthound.storage.journal import STOPPED
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
    pages : reads the pages of the archive.
    """

    def __init__(self, archive: Archive, crawl: Crawl, pages: PageSource) -> None:
        self._archive = archive
        self._crawl = crawl
        self._pages = pages

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
    pages: PageSource,
    on_page: Callable[[PageEvent], None],
    check_control: Callable[[], None] = lambda: None,
) -> None:
    """Drive ``crawl`` over ``archive``, read by ``pages``, until it stops.

    ``on_page`` gets every page. ``check_control`` is called between two fetches: it may wait, or
    stop the crawl.
    """
    leased = LeasedArchive(archive, crawl, pages)
    while (candidate := crawl.next()) is not None:
        found = leased.fetch(candidate.url, clock())
        if found is None:
            crawl.missing(candidate.url)
        elif isinstance(found, RedirectRejected):
            crawl.redirect_rejected(candidate.url, found.target, found.reason)
        else:
            clock.now += 1.0
            on_page(crawl.observe(candidate.url, found))
        check_control()


_POLL_INTERVAL_S = 0.2


class ReplayController:
    """Pauses and stops a replay by the requests that users leave in its folder, if it has one."""

    def __init__(
        self,
        folder: Path | None,
        crawl: Crawl,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._requests = None if folder is None else ControlRequests(folder)
        self._crawl = crawl
        self._monotonic = monotonic
        self._sleep = sleep
        self._last = monotonic()
        self.paused_s = 0.0
        """Seconds that were spent waiting."""

    def check(self) -> None:
        """Stop the crawl, or wait here while it is paused; it looks a few times a second."""
        now = self._monotonic()
        if self._requests is None or now - self._last < _POLL_INTERVAL_S:
            return
        self._last = now
        if self._is_to_pause(self._requests):
            self._pause(self._requests)

    def _pause(self, requests: ControlRequests) -> None:
        """Wait until the pause is withdrawn, or the crawl is stopped."""
        begun = self._monotonic()
        self._crawl.control("paused")
        while self._is_to_pause(requests):
            self._sleep(_POLL_INTERVAL_S)
        self.paused_s += self._monotonic() - begun
        if self._crawl.stop_reason is None:
            self._crawl.control("unpaused")

    def _is_to_pause(self, requests: ControlRequests) -> bool:
        """Stop the crawl if that is requested; return whether it is to wait."""
        if requests.withdraw(STOP):
            self._crawl.stop(STOPPED)
        return self._crawl.stop_reason is None and requests.is_left(PAUSE)
