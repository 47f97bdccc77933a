"""The curve of a crawl: its figures after some of its pages, for one worker or the sum of
several.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from scenthound.output.dashboard.values import as_int, as_mapping, as_number
from scenthound.storage.journal import JournalReader

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


def share(part: float, of: int) -> float | None:
    """A share; None of nothing."""
    return part / of if of > 0 else None


# Several workers: each one counts its own pages. The figures of all at a moment are those that each
# worker had then: after its last page, or on the straight line between two pages whose figures are
# known. So long journals are sampled, and short ones are added up exactly. A crawl of one process
# is the sum of one worker.

_MIN_POINTS = 10
"""Points that are sampled of each worker at least."""


class _Figures(NamedTuple):
    """What one worker had at a time."""

    at: float
    n: float = 0
    relevant: float = 0
    similarity: float = 0.0
    waiting: int = 0


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
    lines = [_WorkerLine(points) for points in workers]
    times = sorted({figures.at for line in lines for figures in line.known})
    made: list[CurvePoint] = []
    for at in times:
        point = _sum([line.figures(at) for line in lines if line.known], at)
        if made and made[-1].n == point.n:
            made.pop()
        made.append(point)
    return made


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


class _WorkerLine:
    """What is known of one worker, to be asked for times that go on."""

    def __init__(self, points: Sequence[CurvePoint]) -> None:
        self.known = list(_in_time(points))
        first = points[0].n if points else 0
        begun = self.known[0] if self.known else _Figures(0.0)
        self._before = _Figures(begun.at) if first <= 1 else begun
        self._place = -1

    def figures(self, at: float) -> _Figures:
        """What the worker had by then."""
        while self._place + 1 < len(self.known) and self.known[self._place + 1].at <= at:
            self._place += 1
        if self._place < 0:
            return self._before._replace(at=float("-inf"))
        low = self.known[self._place]
        if self._place + 1 == len(self.known):
            return low
        return _between(low, self.known[self._place + 1], at)


def _in_time(points: Iterable[CurvePoint]) -> Iterator[_Figures]:
    """A clock that was put back counts as one that stood."""
    latest = float("-inf")
    for point in points:
        if point.at is not None:
            latest = max(latest, point.at)
            total = (point.similarity or 0.0) * point.n
            yield _Figures(latest, point.n, point.relevant, total, point.waiting)


def _between(low: _Figures, high: _Figures, at: float) -> _Figures:
    """The figures at a time between two pages; those of the first where they are neighbours."""
    if high.n - low.n <= 1:
        return low
    part = (at - low.at) / (high.at - low.at)
    pages = int((high.n - low.n) * part)
    part = pages / (high.n - low.n)
    return low._replace(
        n=low.n + pages,
        relevant=low.relevant + (high.relevant - low.relevant) * part,
        similarity=low.similarity + (high.similarity - low.similarity) * part,
    )


def _sum(workers: Sequence[_Figures], at: float) -> CurvePoint:
    """All together. What waits is one frontier's: the newest figure counts."""
    n = int(sum(figures.n for figures in workers))
    relevant = round(sum(figures.relevant for figures in workers))
    similarity = sum(figures.similarity for figures in workers)
    newest = max(workers, key=lambda figures: figures.at)
    mean = share(similarity, n)
    return CurvePoint(n, relevant, share(relevant, n), None, mean, newest.waiting, at)
