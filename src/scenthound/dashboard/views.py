"""The answers of the dashboard as plain values: what is asked of a crawl in, JSON out.

Everything here reads files and may take a while, so it is called in threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from scenthound.core.errors import FolderError, InputError
from scenthound.dashboard.asked import Refused
from scenthound.dashboard.crawl_reader import LIVE, Clock, CrawlReader
from scenthound.dashboard.curve import as_lists, sampled
from scenthound.dashboard.detail import (
    Recent,
    frontier_told,
    hosts_told,
    read_recent,
    settings_told,
    told_recent,
)
from scenthound.dashboard.link_path import link_path
from scenthound.dashboard.live_frontier import read_frontier
from scenthound.dashboard.page_row import page_row
from scenthound.dashboard.plain_values import Json, number
from scenthound.dashboard.reasons import Reasons
from scenthound.dashboard.roster import Roster
from scenthound.dashboard.searching import Wanted, search_pages
from scenthound.dashboard.standing import PAUSED, RUNNING, STOPPING
from scenthound.dashboard.tail import damage_told
from scenthound.store.journal_places import JournalPlaces
from scenthound.store.requests import PAUSE, STOP, Requests

ACTIONS = ("pause", "resume", "stop")
_FROM_JOURNAL = "What waits, and the hosts, are those that the journal tells of."


class Views:
    """Answers by the id of a crawl; Refused (404) for an id that there is not.

    Parameters
    ----------
    roster : the crawls.
    now : the time in seconds since 1970.
    """

    def __init__(self, roster: Roster, now: Clock) -> None:
        self._roster = roster
        self._now = now
        self._reasons = Reasons(now)

    def crawls(self) -> Json:
        """All crawls, in a few figures each."""
        return {"crawls": self._roster.crawls()}

    def crawl(self, name: str) -> Json:
        """One crawl, with its settings, hosts, frontier and last pages."""
        reader = self.reader(name)
        told = self.told(reader)
        recent = _recent(reader)
        if recent.strange and not told["problem"]:
            told["problem"] = damage_told(recent.strange)
        frontier, hosts, whole = frontier_told(told), hosts_told(recent), recent.whole
        if told["kind"] == LIVE and told["summary"]:
            try:
                frontier, hosts = read_frontier(reader.path, self._now(), recent)
                whole = True
            except InputError as error:
                told["problem"] = told["problem"] or f"{error} {_FROM_JOURNAL}"
        return {
            **told,
            **told_recent(recent),
            "settings": _settings(reader),
            "threshold": number(reader.started().get("threshold")),
            "hosts": hosts,
            "hosts_whole": whole,
            "frontier": frontier,
        }

    def curve(self, name: str, points: int) -> Json:
        """The curve; no points for a crawl without a page."""
        with _opened(self.reader(name)) as journal:
            return {"points": [] if journal is None else as_lists(sampled(journal, points))}

    def pages(self, name: str, wanted: Wanted, before: int | None, most: int) -> Json:
        """Pages that are wanted, the newest first."""
        with _opened(self.reader(name)) as journal:
            if journal is None:
                return {"pages": [], "next": None, "searched": 0, "complete": True}
            return search_pages(journal, wanted, before, most)

    def page(self, name: str, page: int) -> Json:
        """One page, the way to it, and why it was fetched; Refused (404) where there is none."""
        reader = self.reader(name)
        with _opened(reader) as journal:
            found = None if journal is None else journal.page(page)
            if journal is None or found is None:
                raise Refused(404, f"this crawl has no page {page}.")
            path = link_path(journal, found.event)
        explanation, problem = self._reasons.of(reader.path, page)
        return {
            "page": page_row(found.event),
            "path": path,
            "explanation": explanation,
            "unexplained": problem,
        }

    def order(self, name: str, action: str) -> Json:
        """Pause, resume or stop a crawl; Refused (409) for one that is not running."""
        reader = self.reader(name)
        if self.told(reader)["state"] not in (RUNNING, PAUSED, STOPPING):
            raise Refused(409, "this crawl is not running, so there is nothing to steer.")
        requests = Requests(reader.path)
        if action == "resume":
            requests.withdraw(PAUSE)
        else:
            requests.leave(PAUSE if action == "pause" else STOP)
        return self.told(reader)

    def reader(self, name: str) -> CrawlReader:
        """The crawl with this id."""
        reader = self._roster.reader(name)
        if reader is None:
            raise Refused(404, "there is no such crawl.")
        return reader

    def told(self, reader: CrawlReader) -> Json:
        """How a crawl stands."""
        return self._roster.told(reader)


@contextmanager
def _opened(reader: CrawlReader) -> Iterator[JournalPlaces | None]:
    """The journal, open; None where nothing was written yet."""
    if not reader.has_journal:
        yield None
        return
    with reader.journal() as journal:
        yield journal


def _recent(reader: CrawlReader) -> Recent:
    """The last pages; none where the journal cannot be read, which the crawl itself tells."""
    try:
        with _opened(reader) as journal:
            return Recent() if journal is None else read_recent(journal)
    except FolderError:
        return Recent()


def _settings(reader: CrawlReader) -> list[list[str]]:
    try:
        return settings_told(reader.order())
    except FolderError:
        return []
