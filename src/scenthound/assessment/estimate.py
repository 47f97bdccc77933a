"""Precision and recall from counted bands, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.assessment.counts import Count
from scenthound.assessment.intervals import Estimate, part_of_whole, share


def precision(counts: Sequence[Count], z: float) -> Estimate | None:
    """The share of pages about the topic among all pages of the strata.

    The stratified mean (Cochran 1977, Eq. 5.1): each stratum counts by its pages, not by how
    many of them were judged,

        p = sum of (pages / all pages) * (right / judged).

    None where there are no pages, or a stratum of which nothing is known.
    """
    known = _known(counts)
    return share(known, z) if known else None


def recall(kept: Sequence[Count], left: Sequence[Count], z: float) -> Estimate | None:
    """The share of the pages about the topic that is in ``kept``, of all in both.

    None where nothing is known of a stratum, or no judged page is about the topic.
    """
    inside, outside = _known(kept), _known(left)
    if inside is None or outside is None:
        return None
    return part_of_whole(inside, outside, z)


def _known(counts: Sequence[Count]) -> list[Count] | None:
    """The strata that have pages; None where one of them has no judgement."""
    filled = [count for count in counts if count.pages]
    return filled if all(count.judged for count in filled) else None
