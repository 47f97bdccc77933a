"""Statistics of paired runs: bootstrap intervals, sign-flip tests, pairing by unit, wins and
losses.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from statistics import fmean, variance
from typing import NamedTuple, TypeVar

from scenthound.evaluation.outcomes import Cell, Unit

CONFIDENCE = 0.95
RESAMPLES = 9_999
_BOOTSTRAP_SEED = 0
_INTERVAL_DIGITS = 9


class Interval(NamedTuple):
    """Limits between which the true value lies with the given confidence."""

    low: float
    high: float


def mean_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval | None:
    """The expanded percentile interval of the mean of independent values; None for fewer than two.

    The random generator starts with the same seed, so the same values give the same interval.
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
        random_state=np.random.default_rng(_BOOTSTRAP_SEED),
    ).confidence_interval
    return Interval(
        round(float(found.low), _INTERVAL_DIGITS), round(float(found.high), _INTERVAL_DIGITS)
    )


def expanded(confidence: float, count: int) -> float:
    """The level at which percentiles are taken instead: 0.995 for 0.95 and six values.

    ``1 - 2 Phi(-t sqrt(n / (n - 1)))`` where ``t`` is Student's with ``n - 1`` degrees of freedom:
    one factor for the wider tails, one for the deviation, which resampling divides by ``n``.
    There must be two values.
    """
    from scipy import stats

    student = float(stats.t.ppf(0.5 + confidence / 2, count - 1))
    return 1.0 - 2.0 * float(stats.norm.cdf(-student * math.sqrt(count / (count - 1))))


_SIGN_FLIPS = 9_999
"""Up to 13 differences all signs are tried, beyond that so many at random."""
_SIGN_FLIP_SEED = 0


def sign_flip_p(differences: Sequence[float]) -> float:
    """Two-sided p-value of the mean difference; 1 without differences.

    If they were chance, each might as well have had the other sign: all flips of signs are tried.
    """
    if not any(differences):
        return 1.0
    import numpy as np
    from scipy import stats

    def mean(sample: object, axis: int) -> object:
        return np.mean(sample, axis=axis)  # type: ignore[call-overload]

    found = stats.permutation_test(
        (np.asarray(differences, dtype=float),),
        mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=_SIGN_FLIPS,
        random_state=np.random.default_rng(_SIGN_FLIP_SEED),
    )
    return min(1.0, float(found.pvalue))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values corrected for their number (Holm 1979).

    The smallest is multiplied by their number, the next by one less, and so on; none becomes
    smaller than one before it, nor larger than 1.
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


# Figures by unit, and units by what is independent.
#
# Runs of one unit with several random seeds are one figure, their mean. Draws of one topic are
# not independent of each other, so each topic counts once, with the mean of its draws. Where
# there is one topic only its draws are all there is.

Key = TypeVar("Key", bound=Hashable)
Figures = Mapping[Unit, float]
"""The figure of one strategy in each unit."""
_DIFFERENCE_DIGITS = 9
"""Digits of a difference: figures have six, and what lies beyond these is from the arithmetic."""


class Topic(NamedTuple):
    """A topic in a web; topics of two webs may have the same name."""

    web: str
    topic: str


Group = Topic | int
"""What counts once: a topic, or a draw where there is one topic."""
Grouping = Callable[[Unit], Group]


def topic_of(unit: Unit) -> Topic:
    """The topic of a unit."""
    return Topic(unit.web, unit.topic)


def draw_of(unit: Unit) -> int:
    """The draw of a unit; both seed conditions of a draw belong together."""
    return unit.draw


def unit_figures(figures: Iterable[tuple[Cell, float]]) -> dict[str, dict[Unit, float]]:
    """By strategy and unit, the mean over random seeds. Strategies come in the order given."""
    gathered: dict[str, dict[Unit, list[float]]] = defaultdict(lambda: defaultdict(list))
    for cell, value in figures:
        gathered[cell.strategy][cell.unit].append(value)
    return {
        strategy: {unit: fmean(values) for unit, values in units.items()}
        for strategy, units in gathered.items()
    }


def grouping(units: Iterable[Unit]) -> Grouping:
    """By topic where there are several, otherwise by draw."""
    return topic_of if len({topic_of(unit) for unit in units}) > 1 else draw_of


def group_means(figures: Figures, group_of: Callable[[Unit], Key]) -> dict[Key, float]:
    """The mean over the units of each group; empty where there are none."""
    gathered: dict[Key, list[float]] = defaultdict(list)
    for unit, value in figures.items():
        gathered[group_of(unit)].append(value)
    return {group: fmean(values) for group, values in gathered.items()}


def paired_differences(
    figures: Figures, baseline: Figures, group_of: Grouping
) -> dict[Group, float]:
    """Strategy less baseline, over the units that both have; empty where there are none."""
    differences = {
        unit: value - baseline[unit] for unit, value in figures.items() if unit in baseline
    }
    means = group_means(differences, group_of)
    return {group: round(value, _DIFFERENCE_DIGITS) for group, value in means.items()}


def seed_deviation(figures: Iterable[tuple[Cell, float]]) -> float | None:
    """How far runs of one strategy lie apart that differ in the random seed only.

    The root of the mean variance over the units with several seeds; None where no unit has.
    """
    by_unit: dict[Unit, list[float]] = defaultdict(list)
    for cell, value in figures:
        by_unit[cell.unit].append(value)
    variances = [variance(values) for values in by_unit.values() if len(values) > 1]
    return math.sqrt(fmean(variances)) if variances else None


# Wins, ties and losses.

BETTER, WORSE, NO_DIFFERENCE = "better", "worse", "no difference"
TOO_FEW, TOO_FEW_DRAWS = "too few topics to tell", "too few draws to tell"
LEAST_GROUPS = 6
"""With fewer even differences of one sign are no rarity: five of five come once in sixteen."""
_TIE_TOLERANCE = 1e-9


class WinRecord(NamedTuple):
    """Topics (or draws) at which a strategy is better than the baseline, equal, and worse."""

    wins: int
    ties: int
    losses: int


def verdict(
    interval: Interval | None, groups: int, lower_is_better: bool = False, of_draws: bool = False
) -> str:
    """Describe a difference to the baseline.

    Parameters
    ----------
    interval : of the mean difference; None where there is none.
    groups : how many independent differences it is of.
    lower_is_better : is a difference below zero the better one?
    of_draws : are these of the draws of one topic, and not of topics?
    """
    if interval is None or groups < LEAST_GROUPS:
        return TOO_FEW_DRAWS if of_draws else TOO_FEW
    if interval.low <= 0.0 <= interval.high:
        return NO_DIFFERENCE
    return BETTER if (interval.low > 0.0) != lower_is_better else WORSE


def win_record(differences: Iterable[float], lower_is_better: bool = False) -> WinRecord:
    """Wins, ties and losses; all zero for no differences."""
    counts = Counter(_sign(-each if lower_is_better else each) for each in differences)
    return WinRecord(counts[1], counts[0], counts[-1])


def best_groups(
    figures: Mapping[str, Figures], group_of: Callable[[Unit], Key], lower_is_better: bool = False
) -> dict[str, frozenset[Key]]:
    """By strategy, the topics (or draws) at which no other is better; equals are all best.

    At a topic only strategies count that have a figure in all its units, so that nobody is best
    for having failed where it is hard.
    """
    found: dict[str, set[Key]] = {strategy: set() for strategy in figures}
    for group, means in complete_means(figures, group_of).items():
        best = (min if lower_is_better else max)(means.values(), default=0.0)
        for strategy, value in means.items():
            if abs(value - best) <= _TIE_TOLERANCE:
                found[strategy].add(group)
    return {strategy: frozenset(groups) for strategy, groups in found.items()}


def complete_means(
    figures: Mapping[str, Figures], group_of: Callable[[Unit], Key]
) -> dict[Key, dict[str, float]]:
    """By group, the mean of each strategy that has a figure in all units of the group."""
    units: dict[Key, set[Unit]] = defaultdict(set)
    for unit in (unit for own in figures.values() for unit in own):
        units[group_of(unit)].add(unit)
    means: dict[Key, dict[str, float]] = {group: {} for group in units}
    for strategy, own in figures.items():
        for group, value in group_means(own, group_of).items():
            if units[group] <= own.keys():
                means[group][strategy] = value
    return means


def _sign(difference: float) -> int:
    return 0 if abs(difference) <= _TIE_TOLERANCE else 1 if difference > 0 else -1
