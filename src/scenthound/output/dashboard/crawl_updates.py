"""What is new in a running crawl since the last look: rows of pages and points of the curve, for
one folder or several workers.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from scenthound.core.errors import FolderError
from scenthound.crawler.job import WorkerIdentity
from scenthound.output.dashboard.crawl_folder import CrawlReader
from scenthound.output.dashboard.curve import (
    RECENT_PAGES,
    CurvePoint,
    add_curves,
    event_point,
    with_recent,
)
from scenthound.output.dashboard.pages import newest_first, page_row
from scenthound.output.dashboard.values import Json
from scenthound.output.dashboard.watched_crawl import WatchedCrawl
from scenthound.storage.journal import JournalPage, JournalReader, page_on_line

MAX_BYTES_PER_LOOK = 1024 * 1024
"""Bytes that one look reads at most."""
_MAX_LAG = 4 * MAX_BYTES_PER_LOOK
"""A follower that is further behind begins again near the end: sampling the curve is faster."""
_BEGIN = 64 * 1024


@dataclass(frozen=True, slots=True)
class JournalNews:
    """The new pages and the points of the curve after them.

    ``anew`` says that what was sent before is no longer valid, or that a piece was left out:
    the curve is to be asked for again.
    """

    pages: tuple[JournalPage, ...] = ()
    points: tuple[CurvePoint, ...] = ()
    anew: bool = False
    before: tuple[CurvePoint, ...] = field(default=(), compare=False)
    """Points of pages that came before, a hundred at most."""


class JournalFollower:
    """Follows one journal. It keeps a place in it, and the points of the last hundred pages.

    Parameters
    ----------
    place : where to go on; None, or a place that is none, begins a little before the end.
    """

    def __init__(self, place: int | None = None) -> None:
        self.place = -1 if place is None else place
        self._last = 0
        self._before: deque[CurvePoint] = deque(maxlen=RECENT_PAGES + 1)

    def look(self, journal: JournalReader) -> JournalNews:
        """What is new; nothing in most looks."""
        behind = journal.size - self.place
        is_far = not 0 <= behind <= _MAX_LAG
        lost = self.place < 0 or is_far or not journal.starts_line(self.place)
        anew = lost and self.place >= 0
        if lost:
            self._begin(journal, max(0, journal.size - _BEGIN))
        elif not self._before and self.place > 0:
            self._begin(journal, self.place)
        pages = self._read(journal) if self.place >= 0 else []
        if pages and pages[0].number <= self._last:  # cut, and written anew beyond our place
            anew = True
            self._before.clear()
        before = tuple(self._before)
        points = with_recent([event_point(page.event) for page in pages], before)
        self._before.extend(points)
        self._last = pages[-1].number if pages else self._last
        return JournalNews(tuple(pages), tuple(points), anew, before)

    def _begin(self, journal: JournalReader, place: int) -> None:
        """Set out from a place; the pages before it say how the harvest was lately."""
        self._before.clear()
        last = journal.size
        if not journal.starts_line(last):  # where the last whole line ends, if one lies near
            lines = journal.backward(least=last - _MAX_LAG)
            last = next((line.end for line in lines), -1 if last > _MAX_LAG else 0)
        self.place = next((line.start for line in journal.forward(place)), last)
        earlier = journal.pages_backward(self.place)
        for _, page in zip(range(RECENT_PAGES + 1), earlier, strict=False):
            self._before.appendleft(event_point(page.event))
        self._last = self._before[-1].n if self._before else 0

    def _read(self, journal: JournalReader) -> list[JournalPage]:
        pages, stop = [], self.place + MAX_BYTES_PER_LOOK
        for line in journal.forward(self.place, stop):
            self.place = line.end
            page = page_on_line(line)
            if page is not None:
                pages.append(page)
        return pages


MOST_PAGES = 50
_NEVER = float("-inf")


@dataclass(frozen=True, slots=True)
class Update:
    """Rows, the newest first, and points in order; ``anew`` as of :class:`JournalNews`."""

    rows: tuple[Json, ...] = ()
    points: tuple[CurvePoint, ...] = ()
    anew: bool = False

    @property
    def is_empty(self) -> bool:
        """Is nothing new?"""
        return not (self.rows or self.points or self.anew)


class CrawlUpdates:
    """Follows the journals that are on this machine, or the server where some are on others.

    Of several workers it keeps a place and a point of each journal, and the points of the last
    hundred pages of all.

    Parameters
    ----------
    crawl : the crawl; workers may join it.
    place : where to go on in the journal of one process, None for a little before its end. Who
        comes back to several workers asks for everything again.
    """

    def __init__(self, crawl: WatchedCrawl, place: int | None) -> None:
        self._crawl = crawl
        self._anew = place is not None and not crawl.is_single
        self._begin = place if crawl.is_single else None
        self._followers: dict[int, JournalFollower] = {}
        self._known: dict[int, list[CurvePoint]] = {}
        self._before: list[CurvePoint] = []
        self._last = -1
        self._elsewhere = crawl.has_remote_workers

    @property
    def place(self) -> int:
        """A byte of the journal of one process; several journals have no common place."""
        follower = self._followers.get(0)
        return 1 if follower is None else max(0, follower.place)

    def look(self) -> Update:
        """What is new since the last look."""
        news = [(worker, self._news(worker, reader)) for worker, reader in self._crawl.members]
        self._begin = 0 if self._followers else None  # one that joins later has only new pages
        rows = [
            page_row(page.event, worker)
            for worker, each in news
            for page in reversed(each.pages[-MOST_PAGES:])
        ]
        if self._crawl.is_single:
            (_, only) = news[0]
            return Update(tuple(rows), only.points, only.anew)
        elsewhere = self._crawl.has_remote_workers
        anew = self._anew or self._elsewhere != elsewhere or any(each.anew for _, each in news)
        self._anew, self._elsewhere = False, elsewhere
        if self._crawl.server is not None and elsewhere:
            known = self._crawl.server.points()
            points = [point for point in known if point.n > self._last]
            self._last = known[-1].n if known else self._last
        else:
            points = self._points(news)
        return Update(tuple(newest_first(rows)[:MOST_PAGES]), tuple(points), anew)

    def _news(self, worker: WorkerIdentity | None, reader: CrawlReader) -> JournalNews:
        """What is new in one journal; what is wrong with it, the overview says."""
        number = 0 if worker is None else worker.number
        follower = self._followers.setdefault(number, JournalFollower(self._begin))
        try:
            with reader.journal() as journal:
                return JournalNews() if journal is None else follower.look(journal)
        except FolderError:
            return JournalNews()

    def _points(self, news: list[tuple[WorkerIdentity | None, JournalNews]]) -> list[CurvePoint]:
        """Points of the whole crawl after each new page."""
        if any(each.anew for _, each in news):
            self._known, self._before, self._last = {}, [], -1
        if self._last >= 0 and not any(each.points for _, each in news):
            return []
        begun = _NEVER  # the latest first page: what came before it is known of all
        for worker, each in news:
            number = 0 if worker is None else worker.number
            self._known[number] = [*self._known.get(number, each.before), *each.points]
            times = (point.at for point in each.points if point.at is not None)
            begun = max(begun, next(times, _NEVER))
        together = add_curves(list(self._known.values()))
        is_first = self._last < 0
        later = [point for point in together if point.n > self._last]
        fresh = with_recent(later, self._before)
        if is_first:  # before that the figures of some workers are unknown
            fresh = [point for point in fresh if (point.at or 0.0) >= begun]
        self._before = [*self._before, *later][-RECENT_PAGES - 1 :]
        self._known = {number: known[-1:] for number, known in self._known.items()}
        self._last = together[-1].n if together else self._last
        return fresh
