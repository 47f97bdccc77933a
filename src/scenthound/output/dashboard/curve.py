"""The curve of a crawl, for one worker or the sum of several: its figures after some of its
pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scenthound.output.dashboard.values import as_int, as_mapping, as_number, share
from scenthound.storage.journal import JournalReader

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
