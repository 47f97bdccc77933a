"""What is answered about the crawl in one folder."""

from __future__ import annotations

from scenthound.core.errors import FolderError, InputError
from scenthound.dashboard.asked import Refused, asked_number
from scenthound.dashboard.crawl_reader import LIVE, Clock, CrawlReader
from scenthound.dashboard.curve import Point, sampled
from scenthound.dashboard.detail import (
    Recent,
    frontier_told,
    hosts_told,
    read_recent,
    settings_told,
    told_recent,
)
from scenthound.dashboard.live_frontier import read_frontier
from scenthound.dashboard.page_answers import PageAnswers
from scenthound.dashboard.page_row import page_row
from scenthound.dashboard.plain_values import Json, number
from scenthound.dashboard.searching import Wanted, search_pages
from scenthound.dashboard.tail import damage_told
from scenthound.store.requests import PAUSE, STOP, Requests

_FROM_JOURNAL = "What waits, and the hosts, are those that the journal tells of."
NO_PAGES: Json = {"pages": [], "next": None, "searched": 0, "complete": True}


class CrawlAnswers:
    """Answers from one folder.

    Parameters
    ----------
    reader : of the folder.
    now : the time in seconds since 1970.
    pages : answers about single pages.
    """

    def __init__(self, reader: CrawlReader, now: Clock, pages: PageAnswers) -> None:
        self._reader = reader
        self._now = now
        self._pages = pages

    def detail(self, told: Json) -> Json:
        """With its settings, hosts, frontier and last pages; ``told`` is how it stands."""
        reader = self._reader
        recent = recent_of(reader)
        if recent.strange and not told["problem"]:
            told["problem"] = damage_told(recent.strange)
        frontier, hosts, whole = frontier_told(told), hosts_told(recent), recent.whole
        if told["kind"] == LIVE and told["summary"] and reader.mark() is None:
            try:
                frontier, hosts = read_frontier(reader.path, self._now(), recent)
                whole = True
            except InputError as error:
                told["problem"] = told["problem"] or f"{error} {_FROM_JOURNAL}"
        return {
            **told,
            **told_recent(recent),
            "settings": settings_of(reader),
            "threshold": number(reader.started().get("threshold")),
            "hosts": hosts,
            "hosts_whole": whole,
            "frontier": frontier,
        }

    def curve(self, points: int) -> list[Point]:
        """The curve; no points for a crawl without a page."""
        with self._reader.opened() as journal:
            return [] if journal is None else sampled(journal, points)

    def pages(self, wanted: Wanted, before: str, most: int) -> Json:
        """Pages that are wanted, the newest first; from a byte of the journal back."""
        place = asked_number({"before": before}, "before", None, 0)
        with self._reader.opened() as journal:
            return NO_PAGES if journal is None else search_pages(journal, wanted, place, most)

    def page(self, page: int) -> Json:
        """One page; Refused (404) where there is none."""
        told = self._pages.of(self._reader, page)
        if told is None:
            raise Refused(404, f"this crawl has no page {page}.")
        return {**told.answer, "page": page_row(told.event)}

    def order(self, action: str) -> None:
        """Leave a request in the folder, or take one away."""
        ask_in(self._reader, action)


def ask_in(reader: CrawlReader, action: str) -> None:
    """Have the process that crawls in a folder pause, resume or stop."""
    requests = Requests(reader.path)
    if action == "resume":
        requests.withdraw(PAUSE)
    else:
        requests.leave(PAUSE if action == "pause" else STOP)


def recent_of(reader: CrawlReader, most: int | None = None) -> Recent:
    """The last pages; none where the journal cannot be read, which the crawl itself tells."""
    try:
        with reader.opened() as journal:
            if journal is None:
                return Recent()
            return read_recent(journal) if most is None else read_recent(journal, most)
    except FolderError:
        return Recent()


def settings_of(reader: CrawlReader) -> list[list[str]]:
    """What was asked for; nothing where that cannot be read."""
    try:
        return settings_told(reader.order())
    except FolderError:
        return []
