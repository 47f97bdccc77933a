"""From which similarity on are so many pages about the topic as one wants?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scenthound.assessment.cells import Cell
from scenthound.assessment.counts import Count, added
from scenthound.assessment.estimate import precision, recall
from scenthound.assessment.intervals import Estimate, mean, share

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
    tried = _tried(cells)
    values = {threshold: mean(above) for threshold, above in tried.items()}
    likely = [threshold for threshold, value in values.items() if value >= wanted]
    sure = (t for t in likely if share(tried[t], z).low >= wanted)
    best = max(values, key=lambda t: (values[t], -t), default=None)
    chosen = (next(iter(likely), None), next(sure, None), best)
    return Advice(wanted, *(None if t is None else cutoff(cells, t, z) for t in chosen))


def _tried(cells: Sequence[Cell]) -> dict[float, list[Count]]:
    """Thresholds from low to high, each with what is known of the documents from there on."""
    thresholds = {each.page.similarity for cell in cells for each in cell.judged}
    thresholds |= {cell.similarities[0] for cell in cells}
    above = {t: [cell.split(t)[0] for cell in cells] for t in sorted(thresholds)}
    known = {t: counts for t, counts in above.items() if _is_known(counts)}
    return {t: [count for count in counts if count.pages] for t, counts in known.items()}


def _is_known(above: Sequence[Count]) -> bool:
    """Are there judgements enough above a threshold, in all and in each band?"""
    few = [count for count in above if count.judged < min(FEWEST_IN_PART, count.pages)]
    return not few and sum(count.judged for count in above) >= FEWEST_JUDGED


def cutoff(cells: Sequence[Cell], threshold: float, z: float) -> Cutoff | None:
    """What would remain from ``threshold`` on; None where nothing can be said of it."""
    parts = [cell.split(threshold) for cell in cells]
    above, below = [part[0] for part in parts], [part[1] for part in parts]
    found = precision(above, z)
    if found is None:
        return None
    kept = added(above)
    return Cutoff(threshold, found, recall(above, below, z), kept.pages, kept.judged)
