"""The curve of a crawl, for one worker or the sum of several: its figures after some of its
pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scenthound.output.dashboard.journal_tail import AnyEvent, ShownPage, read_page
from scenthound.output.dashboard.values import share
from scenthound.storage.journal import JournalReader

RECENT_PAGES = 100
"""Over how many of the last pages the recent harvest is, in every curve."""
POINTS, MIN_POINTS = 200, 10
"""Points of a curve at most, and those that are sampled of each worker at least."""
_DIGITS = 5
_ROUNDING = 1e-6


class CurvePoint(NamedTuple):
    """The totals after page ``n``, and the time on the crawl's clock.

    ``similarity`` is the sum over all pages; None where it is not known.
    """

    n: int
    relevant: int
    similarity: float | None
    waiting: int
    at: float


def curve_rows(points: Sequence[CurvePoint]) -> list[list[float | None]]:
    """For the front end, of each point: page, relevant pages, harvest, harvest over the last
    hundred pages, mean similarity, what waits, time.

    Where no point lies exactly a hundred pages back, the figure there is interpolated.
    """
    known = [0, *(point.n for point in points)], [0, *(point.relevant for point in points)]
    rows: list[list[float | None]] = []
    for n, relevant, similarity, waiting, at in points:
        first = max(0, n - RECENT_PAGES)
        recent = share(relevant - float(np.interp(first, *known)), n - first)
        mean = None if similarity is None else share(similarity, n)
        row = [n, relevant, share(relevant, n), recent, mean, waiting, at]
        rows.append([round(v, _DIGITS) if isinstance(v, float) else v for v in row])
    return rows


@dataclass(frozen=True, slots=True)
class SampledCurve:
    """Points of one journal, at least ``spacing`` pages apart, and that of its last page."""

    points: tuple[CurvePoint, ...]
    spacing: int

    def later(self, events: Sequence[AnyEvent]) -> SampledCurve:
        """With the pages that were written since, in order."""
        points = list(self.points)
        for page in events:
            if isinstance(page, ShownPage):
                if len(points) > 1 and points[-1].n - points[-2].n < self.spacing:
                    points.pop()
                points.append(_point(page))
        return SampledCurve(tuple(points), self.spacing)


def sample_curve(journal: JournalReader, most: int) -> SampledCurve:
    """At most ``most`` points of a journal, evenly spread; none without pages."""
    pages = [page for found in journal.spread(most) if (page := read_page(found.event))]
    return SampledCurve(tuple(map(_point, pages)), pages[-1].n // most if pages else 0)


def join_curves(curves: Sequence[SampledCurve], most: int) -> Sequence[CurvePoint]:
    """At most ``most`` points of the whole crawl, evenly spread; empty without pages."""
    known = [curve.points for curve in curves]
    # Pages of one journal need no common clock: two of the same moment are two points.
    return thin_points(known[0] if len(known) == 1 else add_curves(known), most)


def thin_points(points: Sequence[CurvePoint], most: int) -> Sequence[CurvePoint]:
    """At most so many of the points, evenly spread, the last one among them."""
    if len(points) <= most:
        return points
    return [points[place * len(points) // most - 1] for place in range(1, most + 1)]


def _point(page: ShownPage) -> CurvePoint:
    totals = page.summary
    relevant, waiting = int(totals.get("relevant", 0)), int(totals.get("waiting", 0))
    return CurvePoint(page.n, relevant, totals.get("similarity"), waiting, page.at)


def add_curves(workers: Sequence[Sequence[CurvePoint]]) -> list[CurvePoint]:
    """The points of some workers as those of one crawl, in the order of time.

    Each worker counts its own pages. The figures of all at a moment are those that each worker had
    then: after its last page, or on the straight line between two pages whose figures are known. So
    long journals are sampled, and short ones are added up exactly.
    """
    lines = [points for points in workers if points]
    if not lines:
        return []
    # A clock that was put back counts as one that stood.
    clocks = [np.maximum.accumulate([point.at for point in points]) for points in lines]
    every = np.concatenate(clocks)
    times = np.unique(every)
    pages, relevant, similarity = np.zeros((3, len(times)))
    for clock, points in zip(clocks, lines, strict=True):
        known = [point.n for point in points]
        own = np.floor(np.interp(times, clock, known, left=0.0) + _ROUNDING)
        pages += own
        relevant += np.interp(own, known, [point.relevant for point in points], left=0.0)
        similarity += np.interp(own, known, [point.similarity or 0.0 for point in points], left=0.0)
    # What waits is one frontier's: the newest figure counts.
    order = np.argsort(every, kind="stable")
    newest = order[np.searchsorted(every[order], times, side="right") - 1]
    waiting = np.array([point.waiting for points in lines for point in points])[newest]
    return [
        CurvePoint(int(n), round(found), float(total), int(waits), float(at))
        for n, found, total, waits, at in zip(
            pages, relevant, similarity, waiting, times, strict=True
        )
    ]
