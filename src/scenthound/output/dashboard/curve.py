"""The curve of a crawl, for one worker or the sum of several: its figures after some of its pages,
and what is new in a running crawl since the last look.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import FolderError
from scenthound.crawler.job import WorkerIdentity
from scenthound.output.dashboard.pages import newest_first, page_row
from scenthound.output.dashboard.values import Json, as_int, as_mapping, as_number, share
from scenthound.storage.journal import JournalPage, JournalReader, page_on_line

if TYPE_CHECKING:
    from scenthound.output.dashboard.crawl_folder import CrawlReader
    from scenthound.output.dashboard.watched_crawl import WatchedCrawl

_ROUNDING = 1e-6
RECENT_PAGES = 100
"""Over how many of the last pages the recent harvest is, in every curve."""


class CurvePoint(NamedTuple):
    """The figures after page ``n``: totals, and the time on the crawl's clock."""

    n: int
    relevant: int
    harvest: float | None
    recent: float | None
    similarity: float | None
    waiting: int
    at: float | None


def event_point(event: Mapping[str, object]) -> CurvePoint:
    """The point of a page event, by its running summary; its recent harvest is not known yet."""
    summary = as_mapping(event.get("summary"))
    number, relevant = as_int(event.get("n")), as_int(summary.get("relevant"))
    total = as_number(summary.get("similarity"))
    return CurvePoint(
        n=number,
        relevant=relevant,
        harvest=share(relevant, number),
        recent=None,
        similarity=None if total is None else share(total, number),
        waiting=as_int(summary.get("waiting")),
        at=as_number(event.get("at")),
    )


def thin_points(points: Sequence[CurvePoint], most: int) -> list[CurvePoint]:
    """At most so many of the points, evenly spread, the last one among them."""
    if len(points) <= most:
        return list(points)
    step = len(points) / most
    return [points[min(len(points) - 1, int((place + 1) * step) - 1)] for place in range(most)]


def as_lists(points: Iterable[CurvePoint]) -> list[list[object]]:
    """For JSON: figures in the order of the fields, with as many decimals as a screen shows."""
    return [[round(v, 5) if isinstance(v, float) else v for v in point] for point in points]


# Several workers: each one counts its own pages. The figures of all at a moment are those that each
# worker had then: after its last page, or on the straight line between two pages whose figures are
# known. So long journals are sampled, and short ones are added up exactly. A crawl of one process
# is the sum of one worker.

_MIN_POINTS = 10
"""Points that are sampled of each worker at least."""


def sample_curve(journals: Sequence[JournalReader], most: int) -> list[CurvePoint]:
    """At most ``most`` points of the whole crawl, evenly spread; empty without pages."""
    each = max(_MIN_POINTS, -(-most // max(1, len(journals))))
    known = [[event_point(page.event) for page in journal.spread(each)] for journal in journals]
    # Pages of one journal need no common clock: two of the same moment are two points.
    points = known[0] if len(known) == 1 else add_curves(known)
    return thin_points(with_recent(points), most)


def add_curves(workers: Sequence[Sequence[CurvePoint]]) -> list[CurvePoint]:
    """The points of some workers as those of one crawl, in the order of time.

    Parameters
    ----------
    workers : for each the points of its own pages, in order. Pages before the first are counted
        as fetched before all else; points without a time are left out.
    """
    lines = [_known_figures(points) for points in workers if any(p.at is not None for p in points)]
    if not lines:
        return []
    times = np.unique(np.concatenate([at for at, *_ in lines]))
    sums = np.zeros((3, len(times)))
    newest, waiting = np.full(len(times), -np.inf), np.zeros(len(times))
    for at, totals, waits, before in lines:
        place = np.searchsorted(at, times, side="right") - 1
        low, high = np.maximum(place, 0), np.minimum(np.maximum(place + 1, 0), len(at) - 1)
        pages, seconds = totals[0][high] - totals[0][low], at[high] - at[low]
        # On the line to the next page that is known, at a whole number of pages.
        share_of_time = (times - at[low]) / np.where(seconds > 0, seconds, 1.0)
        part = np.trunc(pages * share_of_time) / np.maximum(pages, 1.0)
        part = np.where(pages > 1, part, 0.0)
        figures = totals[:, low] + (totals[:, high] - totals[:, low]) * part
        sums += np.where(place >= 0, figures, before[:, np.newaxis])
        # What waits is one frontier's: the newest figure counts.
        last = np.where(place >= 0, at[low], -np.inf)
        waiting, newest = np.where(last > newest, waits[low], waiting), np.maximum(last, newest)
    made: dict[int, CurvePoint] = {}
    for moment, (n, relevant, similarity), queued in zip(times, sums.T, waiting, strict=True):
        total, found = int(n + _ROUNDING), round(relevant)
        made.pop(total, None)
        harvest, mean = share(found, total), share(float(similarity), total)
        made[total] = CurvePoint(total, found, harvest, None, mean, int(queued), float(moment))
    return list(made.values())


_Floats = npt.NDArray[np.float64]


def _known_figures(points: Sequence[CurvePoint]) -> tuple[_Floats, _Floats, _Floats, _Floats]:
    """Of one worker: times, totals of pages, relevant ones and similarity, what waits, and the
    totals before the first time."""
    timed = [point for point in points if point.at is not None]
    # A clock that was put back counts as one that stood.
    at = np.maximum.accumulate(np.array([point.at for point in timed], dtype=float))
    totals = np.array([(p.n, p.relevant, (p.similarity or 0.0) * p.n) for p in timed], dtype=float)
    before = totals[0] * (points[0].n > 1)
    return at, totals.T, np.array([point.waiting for point in timed], dtype=float), before


def with_recent(
    points: Sequence[CurvePoint], before: Sequence[CurvePoint] = ()
) -> list[CurvePoint]:
    """The points with the harvest over the hundred pages before each one.

    Where no point lies exactly a hundred pages back, the figure there is interpolated.

    Parameters
    ----------
    points : in the order of their pages; none give none.
    before : points that come before them.
    """
    known = [*before, *points]
    made, back = [], 0
    for point in points:
        first = max(0, point.n - RECENT_PAGES)
        while back + 1 < len(known) and known[back + 1].n <= first:
            back += 1
        origin = _relevant_at(first, known, back)
        made.append(point._replace(recent=share(point.relevant - origin, point.n - first)))
    return made


def _relevant_at(n: int, known: Sequence[CurvePoint], back: int) -> float:
    """Relevant pages among the first ``n``; ``known[back]`` is the last point up to there."""
    low = known[back]
    if low.n >= n or back + 1 == len(known):
        return low.relevant * n / low.n if low.n > n else low.relevant
    high = known[back + 1]
    return low.relevant + (high.relevant - low.relevant) * (n - low.n) / (high.n - low.n)


# What is new in a running crawl since the last look: rows of pages and points of the curve, for
# one folder or several workers.

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
