"""Confidence intervals of shares: of one group of pages, of several, and of a ratio of groups.

One group is a simple random sample without replacement; its interval is Wilson's (1927), on the
sample size that would be as good if the pages were put back. Groups are combined by MOVER: Zou,
Huang and Zhang (2009), "A note on confidence interval estimation for a linear function of
binomial proportions". Unlike a variance, which is 0 for a group of which all or none are about
the topic, the distances from a share to its limits stay honest at 0 and at 1 and with few pages.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

_HALVINGS = 60
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share, and the limits between which the true one lies with the given confidence."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Count:
    """Of ``pages`` pages ``judged`` were drawn and judged, ``right`` of them about the topic."""

    pages: int
    judged: int
    right: int


def quantile(confidence: float) -> float:
    """How many standard deviations a two-sided interval reaches: 1.96 for 0.95."""
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def share(count: Count, z: float) -> Estimate:
    """The share of pages about the topic in one group, with Wilson's interval.

    With ``p = right / judged`` and ``n`` pages drawn of ``N``, the variance without replacement
    is ``p (1 - p) / n * (N - n) / (N - 1)`` (Cochran 1977, section 3.2): as if
    ``m = n (N - 1) / (N - n)`` had been drawn with replacement. Wilson's limits for ``m`` are

        (p + z^2 / 2m  -+  z sqrt(p (1 - p) / m + z^2 / 4m^2)) / (1 + z^2 / m)

    moved outwards to the next share that ``N`` pages can have (in 15 pages nothing lies between
    14/15 and 1), and never beyond what the judged pages leave possible. All pages judged: no doubt
    is left. ``judged`` must not be 0.
    """
    value = count.right / count.judged
    unseen = count.pages - count.judged
    if unseen <= 0:
        return Estimate(value, value, value)
    spread = z * z * unseen / (count.judged * (count.pages - 1))  # z^2 / m
    middle = value + spread / 2
    reach = math.sqrt(value * (1 - value) * spread + spread * spread / 4)
    least, most = count.right / count.pages, (count.right + unseen) / count.pages
    low = _floor((middle - reach) / (1 + spread), count.pages)
    high = -_floor(-(middle + reach) / (1 + spread), count.pages)
    return Estimate(value, min(value, max(low, least)), max(value, min(high, most)))


def _floor(value: float, pages: int) -> float:
    """The next share below that so many pages can have; rounding is no reason for another one."""
    return math.floor(value * pages + _ROUNDING) / pages


def combined(weights: Sequence[float], shares: Sequence[Estimate]) -> Estimate:
    """The sum of ``weight * share``, with its limits; 0 for no shares. Weights may be negative.

    MOVER (Zou, Huang and Zhang 2009): the lower limit of the sum is its value less

        sqrt(sum of (weight * distance to the limit that lowers the sum)^2)

    and the upper one likewise.
    """
    value = sum(w * each.value for w, each in zip(weights, shares, strict=True))
    down = (_step(w, each, lower=True) for w, each in zip(weights, shares, strict=True))
    up = (_step(w, each, lower=False) for w, each in zip(weights, shares, strict=True))
    return Estimate(value, value - math.hypot(*down), value + math.hypot(*up))


def _step(weight: float, each: Estimate, *, lower: bool) -> float:
    """How far this share can move the sum in one direction."""
    limit = each.low if lower == (weight > 0) else each.high
    return weight * (each.value - limit)


def part_of_whole(
    part: Sequence[tuple[float, Estimate]], rest: Sequence[tuple[float, Estimate]]
) -> Estimate | None:
    """The ratio ``part / (part + rest)`` of two sums of ``weight * share``; None for 0 / 0.

    ``r`` lies within the limits where ``(1 - r) part - r rest``, a sum like any other, may be 0
    (Fieller's way to a ratio); that sum falls as ``r`` grows, so both limits are found by halving.
    """
    inside, outside = [w for w, _ in part], [w for w, _ in rest]
    shares = [each for _, each in (*part, *rest)]

    def difference(r: float) -> Estimate:
        weights = [*((1 - r) * w for w in inside), *(-r * w for w in outside)]
        return combined(weights, shares)

    found = sum(w * each.value for w, each in part)
    whole = found + sum(w * each.value for w, each in rest)
    if whole <= 0:
        return None
    low = _last(lambda r: difference(r).low > 0)
    high = _last(lambda r: difference(r).high >= 0)
    value = found / whole
    return Estimate(value, min(value, low), max(value, high))


def _last(holds: Callable[[float], bool]) -> float:
    """The greatest r of [0, 1] up to which it holds; 0 where it never does."""
    if holds(1.0):
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
