"""The score test for a weighed sum of shares: how far from the sample may the truth lie?

Shares ``p`` of several groups are estimated from ``m`` draws each, weighed and added. Is ``t`` a
possible value of the true sum? Of all shares that add up to ``t``, the likeliest are taken (the
restricted maximum of the likelihood), and the sum that was found may be at most ``z`` of *their*
standard deviations away from ``t``:

    |sum of w p  -  t|  -  c   <=   z sqrt(sum of w^2 q (1 - q) / m),   q the likeliest shares,

with half a step of the estimate, ``c``, for its moving in steps (the continuity correction). For
one group this is Wilson's interval (1927), for several that of Martín Andrés, Álvarez Hernández
and Herranz Tejedor (2011), "Inferences about a linear combination of proportions". The deviation
is that of the value which is tested, not one estimated from the sample: where all judged pages of
a group are about the topic, that would be 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from scenthound.assessment.counts import Count

Terms = Sequence[tuple[float, Count]]
"""Groups with their weights, which may be negative."""


def is_too_low(target: float, terms: Terms, z: float) -> bool:
    """Is ``target`` so far below the weighed sum of shares that it cannot be the true one?

    The likeliest shares that add up to the target solve, with the multiplier ``k``,

        m (p - q) = k w q (1 - q)     for every group;

    weighed and added that is ``sum of w p - t = k * variance``. So the multiplier at which the
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
