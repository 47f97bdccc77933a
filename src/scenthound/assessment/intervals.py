"""Confidence intervals of shares: of one group of pages, of several, and of a ratio of groups.

An interval holds every value that the score test does not reject (see ``plausibility``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from scenthound.assessment.counts import Count, added
from scenthound.assessment.plausibility import is_too_low

_HALVINGS = 50
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share, and the limits between which the true one lies with the given confidence."""

    value: float
    low: float
    high: float


def quantile(confidence: float) -> float:
    """How many standard deviations a two-sided interval reaches: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def mean(counts: Sequence[Count]) -> float:
    """The share of pages about the topic, each group weighed by its pages; see ``share``."""
    return sum(count.pages * count.share for count in counts) / sum(c.pages for c in counts)


def share(counts: Sequence[Count], z: float) -> Estimate:
    """The share of pages about the topic in one or several groups, each weighed by its pages.

    The limits are those of the score test, moved outwards to the next share that so many pages
    can have (in 15 pages nothing lies between 14/15 and 1), and never beyond what all judged
    pages together leave possible. That is done to the whole, once: rounded and cut group by
    group, limits would be too near. There must be a group, and a judged page in each.
    """
    whole, value = added(counts), mean(counts)
    terms = [(count.pages / whole.pages, count) for count in counts]
    opposite = [(-weight, count) for weight, count in terms]
    low = _last(lambda p: is_too_low(p, terms, z))
    high = 1.0 - _last(lambda q: is_too_low(q - 1.0, opposite, z))
    least, most = whole.right / whole.pages, (whole.right + whole.unseen) / whole.pages
    return Estimate(
        value,
        min(value, max(_floor(low, whole.pages), least)),
        max(value, min(-_floor(-high, whole.pages), most)),
    )


def _floor(value: float, pages: int) -> float:
    """The next share below that so many pages can have; rounding is no reason for another one."""
    return math.floor(value * pages + _ROUNDING) / pages


def part_of_whole(part: Sequence[Count], rest: Sequence[Count], z: float) -> Estimate | None:
    """The share of the pages about the topic that is in ``part``; None where none was found.

    ``r`` lies within the limits where ``(1 - r) part - r rest`` may be 0 (Fieller's way to a
    ratio); that sum falls as ``r`` grows. Limits never lie beyond what is possible.
    """

    def terms(r: float, sign: int) -> list[tuple[float, Count]]:
        inside = [(sign * (1.0 - r) * count.pages, count) for count in part]
        return inside + [(-sign * r * count.pages, count) for count in rest]

    found, others = (sum(c.pages * c.share for c in counts) for counts in (part, rest))
    if found + others <= 0:
        return None
    low = _last(lambda r: is_too_low(0.0, terms(r, 1), z))
    high = 1.0 - _last(lambda q: is_too_low(0.0, terms(1.0 - q, -1), z))
    inside, outside = added(part), added(rest)
    least = _ratio(inside.right, outside.right + outside.unseen)
    most = _ratio(inside.right + inside.unseen, outside.right)
    value = found / (found + others)
    return Estimate(value, min(value, max(low, least)), max(value, min(high, most)))


def _ratio(part: int, rest: int) -> float:
    """``part / (part + rest)``; 0 where both are."""
    return part / (part + rest) if part else 0.0


def _last(holds: Callable[[float], bool]) -> float:
    """The greatest value of [0, 1] up to which it holds; 0 where it never does."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
