"""The curve of a crawl: its figures after some of its pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scenthound.dashboard.plain_values import number, table, whole
from scenthound.store.journal_places import JournalPlaces

RECENT_PAGES = 100
"""Over how many of the last pages, at least, the recent harvest is."""


class Point(NamedTuple):
    """The figures after page ``n``: totals, and the time on the crawl's clock."""

    n: int
    relevant: int
    harvest: float | None
    recent: float | None
    similarity: float | None
    waiting: int
    at: float | None


def bare_point(event: Mapping[str, object]) -> Point:
    """The point of a page event, by its running summary; its recent harvest is not known yet."""
    summary = table(event.get("summary"))
    fetched, relevant = whole(summary.get("fetched")), whole(summary.get("relevant"))
    total = number(summary.get("similarity"))
    return Point(
        n=whole(event.get("n")),
        relevant=relevant,
        harvest=share(relevant, fetched),
        recent=None,
        similarity=None if total is None else share(total, fetched),
        waiting=whole(summary.get("waiting")),
        at=number(event.get("at")),
    )


def with_recent(points: Sequence[Point], before: Sequence[Point] = ()) -> list[Point]:
    """The points with their recent harvest: over the last hundred pages, or a little more.

    It is counted from the last point that lies so far back, or from the first page on.

    Parameters
    ----------
    points : in the order of their pages; none give none.
    before : points that come before them.
    """
    known = [*before, *points]
    made, back = [], 0
    origin = Point(0, 0, None, None, None, 0, None)
    for place in range(len(before), len(known)):
        point = known[place]
        while back < place and known[back].n <= point.n - RECENT_PAGES:
            origin, back = known[back], back + 1
        recent = share(point.relevant - origin.relevant, point.n - origin.n)
        made.append(point._replace(recent=recent))
    return made


def sampled(journal: JournalPlaces, most: int) -> list[Point]:
    """At most so many points, spread over the whole crawl; none for one without pages."""
    return with_recent([bare_point(page.event) for page in journal.spread(most)])


def thinned(points: Sequence[Point], most: int) -> list[Point]:
    """At most so many of the points, evenly spread, the last one among them."""
    if len(points) <= most:
        return list(points)
    step = len(points) / most
    return [points[min(len(points) - 1, int((place + 1) * step) - 1)] for place in range(most)]


def as_lists(points: Iterable[Point]) -> list[list[object]]:
    """For JSON: figures in the order of the fields, with as many decimals as a screen shows."""
    return [[round(v, 5) if isinstance(v, float) else v for v in point] for point in points]


def share(part: float, of: int) -> float | None:
    """A share; None of nothing."""
    return part / of if of > 0 else None
