"""What is new in a running crawl since the last look: rows of pages and points of the curve, for
one folder or several workers.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scenthound.core.errors import FolderError
from scenthound.crawler.job import WorkerIdentity
from scenthound.output.dashboard.curve import (
    RECENT_PAGES,
    CurvePoint,
    add_curves,
    event_point,
    with_recent,
)
from scenthound.output.dashboard.pages import newest_first, page_row
from scenthound.output.dashboard.values import Json
from scenthound.storage.journal import JournalPage, JournalReader, page_on_line

if TYPE_CHECKING:
    from scenthound.output.dashboard.crawl_folder import CrawlReader
    from scenthound.output.dashboard.workers import DistributedCrawl


MAX_BYTES_PER_LOOK = 1024 * 1024
"""Bytes that one look reads at most."""
_MAX_LAG = 4 * MAX_BYTES_PER_LOOK
"""Who is further behind begins again at the end: the curve is sampled faster than read."""
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
        lost = self._is_lost(journal)
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

    def _is_lost(self, journal: JournalReader) -> bool:
        behind = journal.size - self.place
        return self.place < 0 or not 0 <= behind <= _MAX_LAG or not journal.starts_line(self.place)

    def _begin(self, journal: JournalReader, place: int) -> None:
        """Set out from a place; the pages before it say how the harvest was lately."""
        self._before.clear()
        last = journal.size if journal.starts_line(journal.size) else _last_end(journal)
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


def _last_end(journal: JournalReader) -> int:
    """Where the last whole line ends; -1 where none lies near the end."""
    lines = journal.backward(least=journal.size - _MAX_LAG)
    return next((line.end for line in lines), -1 if journal.size > _MAX_LAG else 0)


MOST_PAGES = 50


@dataclass(frozen=True, slots=True)
class Update:
    """Rows, the newest first, and points in order; ``anew`` as of :class:`News`."""

    rows: tuple[Json, ...] = ()
    points: tuple[CurvePoint, ...] = ()
    anew: bool = False

    @property
    def is_empty(self) -> bool:
        """Is nothing new?"""
        return not (self.rows or self.points or self.anew)


class FolderUpdates:
    """Follows the crawl in one folder.

    Parameters
    ----------
    reader : of the folder.
    place : where to go on in its journal; None for a little before the end.
    """

    def __init__(self, reader: CrawlReader, place: int | None) -> None:
        self._reader = reader
        self._follower = JournalFollower(place)

    @property
    def place(self) -> int:
        """A byte of the journal."""
        return max(0, self._follower.place)

    def look(self) -> Update:
        """What is new since the last look."""
        news = read_news(self._reader, self._follower)
        rows = [page_row(page.event) for page in reversed(news.pages[-MOST_PAGES:])]
        return Update(tuple(rows), news.points, news.anew)


def read_news(reader: CrawlReader, follower: JournalFollower) -> JournalNews:
    """What is new in a journal; what is wrong with it, the crawl itself says."""
    if not reader.has_journal:
        return JournalNews()
    try:
        with reader.journal() as journal:
            return follower.look(journal)
    except FolderError:
        return JournalNews()


# Follows all workers of a crawl: what has come since the last look, as of one crawl.

_NEVER = float("-inf")


class DistributedUpdates:
    """Follows the journals that are on this machine, or the server where some are on others.

    It keeps a place and a point of each journal, and the points of the last hundred pages of all.

    Parameters
    ----------
    crawl : the crawl; workers may join it.
    anew : say at the first look that all is to be asked for again.
    """

    def __init__(self, crawl: DistributedCrawl, anew: bool = False) -> None:
        self._crawl = crawl
        self._anew = anew
        self._followers: dict[int, JournalFollower] = {}
        self._known: dict[int, list[CurvePoint]] = {}
        self._before: list[CurvePoint] = []
        self._last = -1
        self._elsewhere = crawl.has_remote_workers

    @property
    def place(self) -> int:
        """No byte: there are several journals."""
        return 1

    def look(self) -> Update:
        """What is new since the last look."""
        news = self._news()
        moved = self._elsewhere != self._crawl.has_remote_workers
        anew = self._anew or moved or any(each.anew for _, each in news)
        self._anew, self._elsewhere = False, self._crawl.has_remote_workers
        points = self._server_points() if self._elsewhere else self._points(news)
        rows = [
            page_row(page.event, mark) for mark, each in news for page in each.pages[-MOST_PAGES:]
        ]
        return Update(tuple(newest_first(rows)[:MOST_PAGES]), tuple(points), anew)

    def _news(self) -> list[tuple[WorkerIdentity, JournalNews]]:
        """Of each worker; one that joins is followed from its first page on."""
        place = 0 if self._followers else None
        return [
            (
                mark,
                read_news(reader, self._followers.setdefault(mark.number, JournalFollower(place))),
            )
            for mark, reader in self._crawl.members
        ]

    def _points(self, news: list[tuple[WorkerIdentity, JournalNews]]) -> list[CurvePoint]:
        """Points of the whole crawl after each new page."""
        if any(each.anew for _, each in news):
            self._known, self._before, self._last = {}, [], -1
        if self._last >= 0 and not any(each.points for _, each in news):
            return []
        begun = max((_first_page_time(each) for _, each in news), default=_NEVER)
        for mark, each in news:
            self._known[mark.number] = [*self._known.get(mark.number, each.before), *each.points]
        together = add_curves(list(self._known.values()))
        is_first = self._last < 0
        later = [point for point in together if point.n > self._last]
        fresh = with_recent(later, self._before)
        if is_first:  # only there is known what each of them is reckoned from
            fresh = [point for point in fresh if (point.at or 0.0) >= begun]
        self._before = [*self._before, *later][-RECENT_PAGES - 1 :]
        self._known = {number: known[-1:] for number, known in self._known.items()}
        self._last = together[-1].n if together else self._last
        return fresh

    def _server_points(self) -> list[CurvePoint]:
        assert self._crawl.server is not None
        points = self._crawl.server.points()
        fresh = [point for point in points if point.n > self._last]
        self._last = points[-1].n if points else self._last
        return fresh


def _first_page_time(news: JournalNews) -> float:
    """When the first of the new pages came; what came before it is known too."""
    return next((point.at for point in news.points if point.at is not None), _NEVER)
