"""Precision and recall from counted judgements, with intervals for stratified samples."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist


@dataclass(frozen=True, slots=True)
class Count:
    """Of ``pages`` pages ``judged`` were drawn and judged, ``right`` of them about the topic."""

    pages: int
    judged: int
    right: int

    @property
    def share(self) -> float:
        """Of the judged pages, how many are about the topic; ``judged`` must not be 0."""
        return self.right / self.judged

    @property
    def unseen(self) -> int:
        """Pages that nobody has judged."""
        return self.pages - self.judged

    @property
    def drawn(self) -> float:
        """How many pages, each put back before the next is drawn, tell as much.

        Without replacement the variance of a share is ``p (1 - p) / n * (N - n) / (N - 1)``
        (Cochran 1977, section 3.2): as if ``n (N - 1) / (N - n)`` pages had been drawn with it.
        If all are judged no doubt is left: infinitely many.
        """
        return self.judged * (self.pages - 1) / self.unseen if self.unseen > 0 else math.inf


def total_count(counts: Sequence[Count]) -> Count:
    """All groups as one; zeros for none."""
    return Count(
        sum(count.pages for count in counts),
        sum(count.judged for count in counts),
        sum(count.right for count in counts),
    )


# The score test for a weighted sum of shares: how far from the sample may the truth lie?
#
# Shares ``p`` of several groups are estimated from ``m`` draws each, weighted and added. Is ``t``
# a possible value of the true sum? Of all shares that add up to ``t``, the likeliest are taken
# (the restricted maximum of the likelihood), and the sum that was found may be at most ``z`` of
# *their* standard deviations away from ``t``:
#
#     |sum of w p  -  t|  -  c   <=   z sqrt(sum of w^2 q (1 - q) / m),   q the likeliest shares,
#
# with half a step of the estimate, ``c``, for its moving in steps (the continuity correction).
# For one group this is Wilson's interval (1927), for several that of Martín Andrés, Álvarez
# Hernández and Herranz Tejedor (2011), "Inferences about a linear combination of proportions".
# The deviation is that of the value which is tested, not one estimated from the sample: where all
# judged pages of a group are about the topic, that would be 0.

Terms = Sequence[tuple[float, Count]]
"""Groups with their weights, which may be negative."""


def is_too_low(target: float, terms: Terms, z: float) -> bool:
    """Is ``target`` so far below the weighted sum of shares that it cannot be the true one?

    The likeliest shares that add up to the target solve, with the multiplier ``k``,

        m (p - q) = k w q (1 - q)     for every group;

    weighted and added that is ``sum of w p - t = k * variance``. So the multiplier at which the
    test just holds is known, ``k = z^2 d / (d - c)^2`` with ``d = sum of w p - t``, and the
    shares that belong to it say where that is: above the target, if it is too low.
    """
    distance = sum(weight * count.share for weight, count in terms) - target
    allowed = half_step(terms)
    if distance <= allowed:
        return False
    multiplier = z * z * distance / (distance - allowed) ** 2
    return target < sum(
        weight * likeliest(count.share, multiplier * weight / count.drawn)
        for weight, count in terms
    )


def half_step(terms: Terms) -> float:
    """Half of what one draw more changes in the sum, on average over the weights.

    Groups that are judged completely have no steps; 0 where all are.
    """
    whole = sum(abs(weight) for weight, _ in terms)
    steps = sum(weight * weight / count.drawn for weight, count in terms)
    return steps / (2 * whole) if whole else 0.0


def likeliest(share: float, pull: float) -> float:
    """The ``q`` of [0, 1] with ``share - q = pull * q (1 - q)``: below the share for a pull > 0."""
    if pull < 0:
        return 1.0 - likeliest(1.0 - share, -pull)
    root = math.sqrt(max(0.0, (1.0 + pull) ** 2 - 4.0 * pull * share))
    return 2.0 * share / (1.0 + pull + root)


# Confidence intervals: an interval holds every value that the score test does not reject.

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
    """The share of pages about the topic, each group weighted by its pages; see ``share``."""
    return sum(count.pages * count.share for count in counts) / sum(c.pages for c in counts)


def share(counts: Sequence[Count], z: float) -> Estimate:
    """The share of pages about the topic in one or several groups, each weighted by its pages.

    The limits are those of the score test, moved outwards to the next share that so many pages
    can have (in 15 pages nothing lies between 14/15 and 1), and never beyond what all judged
    pages together leave possible. That is done to the whole, once: rounded and cut group by
    group, limits would be too near. There must be a group, and a judged page in each.
    """
    whole, value = total_count(counts), mean(counts)
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
    inside, outside = total_count(part), total_count(rest)
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


def precision(counts: Sequence[Count], z: float) -> Estimate | None:
    """The share of pages about the topic among all pages of the strata.

    The stratified mean (Cochran 1977, Eq. 5.1): each stratum counts by its pages, not by how
    many of them were judged,

        p = sum of (pages / all pages) * (right / judged).

    None where there are no pages, or a stratum without a judgement.
    """
    filled = [count for count in counts if count.pages]
    return share(filled, z) if filled and all(count.judged for count in filled) else None


def recall(kept: Sequence[Count], left: Sequence[Count], z: float) -> Estimate | None:
    """The share of the pages about the topic that is in ``kept``, of all in both.

    None where a stratum has no judgement, or no judged page is about the topic.
    """
    inside, outside = ([count for count in part if count.pages] for part in (kept, left))
    if not all(count.judged for count in (*inside, *outside)):
        return None
    return part_of_whole(inside, outside, z)
