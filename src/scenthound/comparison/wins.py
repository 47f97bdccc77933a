"""Who wins where: against the baseline, and against all."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from scenthound.comparison.bootstrap import Interval
from scenthound.comparison.model import Unit
from scenthound.comparison.pairing import Figures, Key, group_means

BETTER, WORSE, NO_DIFFERENCE = "better", "worse", "no difference"
TOO_FEW, TOO_FEW_DRAWS = "too few topics to tell", "too few draws to tell"
LEAST_GROUPS = 6
"""With fewer even differences of one sign are no rarity: five of five come once in sixteen."""
_EQUAL = 1e-9


class Record(NamedTuple):
    """Topics (or draws) at which a strategy is better than the baseline, equal, and worse."""

    wins: int
    ties: int
    losses: int


def verdict(
    interval: Interval | None, groups: int, lower_is_better: bool = False, of_draws: bool = False
) -> str:
    """What a difference to the baseline says, in words.

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


def record(differences: Iterable[float], lower_is_better: bool = False) -> Record:
    """Wins, ties and losses; all zero for no differences."""
    counts = Counter(_sign(-each if lower_is_better else each) for each in differences)
    return Record(counts[1], counts[0], counts[-1])


def best_groups(
    figures: Mapping[str, Figures], group_of: Callable[[Unit], Key], lower_is_better: bool = False
) -> dict[str, frozenset[Key]]:
    """By strategy, the topics (or draws) at which no other is better; equals are all best.

    At a topic only strategies are looked at that have a figure in all its units, so that nobody
    is best for having failed where it is hard.
    """
    found: dict[str, set[Key]] = {strategy: set() for strategy in figures}
    for group, means in complete_means(figures, group_of).items():
        for strategy in best_of(means, lower_is_better):
            found[strategy].add(group)
    return {strategy: frozenset(groups) for strategy, groups in found.items()}


def complete_means(
    figures: Mapping[str, Figures], group_of: Callable[[Unit], Key]
) -> dict[Key, dict[str, float]]:
    """By group, the mean of each strategy that has a figure in all units of the group."""
    units: dict[Key, set[Unit]] = defaultdict(set)
    for each in figures.values():
        for unit in each:
            units[group_of(unit)].add(unit)
    means: dict[Key, dict[str, float]] = {group: {} for group in units}
    for strategy, own in figures.items():
        for group, value in group_means(own, group_of).items():
            if units[group] <= own.keys():
                means[group][strategy] = value
    return means


def best_of(means: Mapping[str, float], lower_is_better: bool = False) -> list[str]:
    """Those that no other is better than; none for none."""
    best = (min if lower_is_better else max)(means.values(), default=0.0)
    return [strategy for strategy, value in means.items() if abs(value - best) <= _EQUAL]


def _sign(difference: float) -> int:
    return 0 if abs(difference) <= _EQUAL else 1 if difference > 0 else -1
