"""The curve of a crawl by several workers: the sum of theirs, over the pages of all.

Every worker counts its own pages. The figures of all at a moment are those that each had then:
after its last page before, or between two pages of which figures are known, on the line that joins
them. So little is read of long journals, and short ones are added up exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from scenthound.dashboard.curve import RECENT_PAGES, Point, bare_point, share, thinned
from scenthound.store.journal_places import JournalPlaces

_FEWEST = 10
"""Points that are looked for of each worker at least."""


class _Figures(NamedTuple):
    """What one worker had at a time."""

    at: float
    n: float = 0
    relevant: float = 0
    similarity: float = 0.0
    waiting: int = 0


def sampled_together(journals: Iterable[JournalPlaces], most: int) -> list[Point]:
    """At most so many points, spread over the whole crawl; none for one without pages."""
    opened = list(journals)
    each = max(_FEWEST, most // max(1, len(opened)) + 1)
    known = [[bare_point(page.event) for page in journal.spread(each)] for journal in opened]
    return thinned(recently(added_up(known)), most)


def added_up(workers: Sequence[Sequence[Point]]) -> list[Point]:
    """The points of some workers as those of one crawl, in the order of time.

    Parameters
    ----------
    workers : for each the points of its own pages, in order. Pages before the first are counted
        as fetched before all else; points without a time are left out.
    """
    lines = [_Line(points) for points in workers]
    times = sorted({figures.at for line in lines for figures in line.known})
    made: list[Point] = []
    for at in times:
        point = _sum([line.figures(at) for line in lines if line.known], at)
        if made and made[-1].n == point.n:
            made.pop()
        made.append(point)
    return made


def recently(points: Sequence[Point], before: Sequence[Point] = ()) -> list[Point]:
    """The points with the harvest over the hundred pages before each, as far as that is known."""
    known = [*before, *points]
    made, back = [], 0
    for point in points:
        wanted = max(0, point.n - RECENT_PAGES)
        while back + 1 < len(known) and known[back + 1].n <= wanted:
            back += 1
        origin = _relevant_at(wanted, known, back)
        made.append(point._replace(recent=share(point.relevant - origin, point.n - wanted)))
    return made


def _relevant_at(n: int, known: Sequence[Point], back: int) -> float:
    """Relevant pages among the first ``n``; ``known[back]`` is the last point up to there."""
    low = known[back]
    if low.n >= n or back + 1 == len(known):
        return low.relevant * n / low.n if low.n > n else low.relevant
    high = known[back + 1]
    return low.relevant + (high.relevant - low.relevant) * (n - low.n) / (high.n - low.n)


class _Line:
    """What is known of one worker, to be asked for times that go on."""

    def __init__(self, points: Sequence[Point]) -> None:
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


def _in_time(points: Iterable[Point]) -> Iterator[_Figures]:
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


def _sum(workers: Sequence[_Figures], at: float) -> Point:
    """All together. What waits is one frontier's: the worker that told last knows best."""
    n = int(sum(figures.n for figures in workers))
    relevant = round(sum(figures.relevant for figures in workers))
    similarity = sum(figures.similarity for figures in workers)
    newest = max(workers, key=lambda figures: figures.at)
    mean = share(similarity, n)
    return Point(n, relevant, share(relevant, n), None, mean, newest.waiting, at)
