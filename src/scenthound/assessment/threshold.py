"""From which similarity on are so many pages about the topic as one wants?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scenthound.assessment.cells import Cell
from scenthound.assessment.estimate import precision, recall
from scenthound.assessment.intervals import Estimate

FEWEST_JUDGED = 10
FEWEST_IN_PART = 5
"""Fewer pages above a threshold, or in a part of a band, reach any precision by chance."""


@dataclass(frozen=True, slots=True)
class Cutoff:
    """What would remain with another threshold.

    ``documents`` have this similarity or more; ``judged`` of them are judged. ``recall`` is their
    share of all pages about the topic among the documents, where that can be told.
    """

    threshold: float
    precision: Estimate
    recall: Estimate | None
    documents: int
    judged: int


@dataclass(frozen=True, slots=True)
class Advice:
    """Thresholds for a wanted precision; None where there is none.

    ``likely`` is the lowest one whose estimate reaches it, ``sure`` the lowest one whose whole
    interval does; ``best`` is the one with the highest estimate. All None: there are too few
    judgements above every threshold.
    """

    wanted: float
    likely: Cutoff | None
    sure: Cutoff | None
    best: Cutoff | None


def advise(cells: Sequence[Cell], wanted: float, z: float) -> Advice:
    """The similarity of every judged page, and the lower end of every band, are tried."""
    tried = list(_cutoffs(cells, z))
    best = max(tried, key=lambda each: (each.precision.value, -each.threshold), default=None)
    return Advice(
        wanted,
        _lowest(tried, lambda each: each.precision.value >= wanted),
        _lowest(tried, lambda each: each.precision.low >= wanted),
        best,
    )


def _lowest(tried: Sequence[Cutoff], reaches: Callable[[Cutoff], bool]) -> Cutoff | None:
    return min(filter(reaches, tried), key=lambda each: each.threshold, default=None)


def _cutoffs(cells: Sequence[Cell], z: float) -> Sequence[Cutoff]:
    thresholds = {each.page.similarity for cell in cells for each in cell.judged}
    thresholds |= {cell.similarities[0] for cell in cells}
    tried = (threshold for threshold in thresholds if _is_known(cells, threshold))
    found = (cutoff(cells, threshold, z) for threshold in tried)
    return [each for each in found if each is not None]


def _is_known(cells: Sequence[Cell], threshold: float) -> bool:
    """Are there judgements enough above it, in all and in each band?"""
    above = [cell.split(threshold)[0] for cell in cells]
    few = [count for count in above if count.judged < min(FEWEST_IN_PART, count.pages)]
    return not few and sum(count.judged for count in above) >= FEWEST_JUDGED


def cutoff(cells: Sequence[Cell], threshold: float, z: float) -> Cutoff | None:
    """What would remain from ``threshold`` on; None where nothing can be said of it."""
    parts = [cell.split(threshold) for cell in cells]
    above, below = [part[0] for part in parts], [part[1] for part in parts]
    found = precision(above, z)
    if found is None:
        return None
    documents, judged = (sum(c.pages for c in above), sum(c.judged for c in above))
    return Cutoff(threshold, found, recall(above, below, z), documents, judged)
