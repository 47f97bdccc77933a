"""The curve of a crawl: its figures after some of its pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scenthound.dashboard.looking_back import pages_back
from scenthound.dashboard.plain_values import number, table, whole
from scenthound.store.journal_places import JournalPlaces

RECENT_PAGES = 100
"""Over how many of the last pages the recent harvest is, in every curve."""


class Point(NamedTuple):
    """The figures after page ``n``: totals, and the time on the crawl's clock."""

    n: int
    relevant: int
    harvest: float | None
    recent: float | None
    similarity: float | None
    waiting: int
    at: float | None


_ORIGIN = Point(0, 0, None, None, None, 0, None)
"""Before the first page."""


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
    """The points of all pages in a row with their recent harvest: over the last hundred pages.

    It is counted from the point that lies so far back, or from the first page on.

    Parameters
    ----------
    points : in the order of their pages; none give none.
    before : points that come before them.
    """
    known = [*before, *points]
    made, back = [], 0
    origin = _ORIGIN
    for place in range(len(before), len(known)):
        point = known[place]
        while back < place and known[back].n <= point.n - RECENT_PAGES:
            origin, back = known[back], back + 1
        made.append(_since(point, origin))
    return made


def sampled(journal: JournalPlaces, most: int) -> list[Point]:
    """At most so many points, spread over the whole crawl; none for one without pages."""
    pages = journal.spread(most)
    before = pages_back(journal, pages, RECENT_PAGES)
    return [
        _since(bare_point(page.event), _ORIGIN if back is None else bare_point(back.event))
        for page, back in zip(pages, before, strict=True)
    ]


def _since(point: Point, origin: Point) -> Point:
    """With the harvest between two points as its recent one."""
    return point._replace(recent=share(point.relevant - origin.relevant, point.n - origin.n))


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
