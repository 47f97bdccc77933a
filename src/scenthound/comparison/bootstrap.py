"""The interval of a mean, by drawing what was measured again and again with replacement.

The plain percentile interval is too narrow for the handful of topics that comparisons have: of
intervals said to be 95 % ones over six topics some 86 % hold the true mean, hardly more with BCa.
Hesterberg (2015, The American Statistician 69:4, section 4.1.3) therefore takes percentiles
further out, so far that for normal values the interval is as wide as Student's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

CONFIDENCE = 0.95
RESAMPLES = 9_999
_SEED = 0
_ROUNDING = 9


class Interval(NamedTuple):
    """Limits between which the true value lies with the given confidence."""

    low: float
    high: float


def mean_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval | None:
    """The expanded percentile interval of the mean of independent values.

    None for fewer than two values: nothing is known of how far apart they lie. The random
    generator starts afresh each time, so the same values give the same interval.
    """
    if len(values) < 2:
        return None
    if min(values) == max(values):
        return Interval(values[0], values[0])
    import numpy as np
    from scipy import stats

    found = stats.bootstrap(
        (np.asarray(values, dtype=float),),
        np.mean,
        n_resamples=RESAMPLES,
        confidence_level=expanded(confidence, len(values)),
        method="percentile",
        random_state=np.random.default_rng(_SEED),
    ).confidence_interval
    return Interval(round(float(found.low), _ROUNDING), round(float(found.high), _ROUNDING))


def expanded(confidence: float, count: int) -> float:
    """The level at which percentiles are taken instead: 0.995 for 0.95 and six values.

    ``1 - 2 Phi(-t sqrt(n / (n - 1)))`` where ``t`` is Student's with ``n - 1`` degrees of freedom:
    one factor for the wider tails, one for the deviation, which resampling divides by ``n``.
    There must be two values.
    """
    from scipy import stats

    student = float(stats.t.ppf(0.5 + confidence / 2, count - 1))
    return 1.0 - 2.0 * float(stats.norm.cdf(-student * math.sqrt(count / (count - 1))))
