"""The numbers behind the figures of tunings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scenthound.optimise.arrays import Array
from scenthound.tuning.result import Tuning, rounded_share

Cell = str | int | float
Rows = list[tuple[Cell, ...]]
"""Lines of a table."""


@dataclass(frozen=True, eq=False)
class GroupMeans:
    """Mean errors over topics, group by group; ``topics`` says over how many.

    Groups that no topic has are not a number.
    """

    equal: Array
    learnt: Array
    topics: Array


def group_errors(tunings: Sequence[Tuning]) -> tuple[Array, Array]:
    """Test errors with equal and with learnt weights: a row a topic, a column a group.

    Not a number where a topic has no such group, or where one of the two errors is none. As many
    columns as the longest row needs; no tunings give no rows.
    """
    width = max((len(tuning.groups) for tuning in tunings), default=0)
    equal, learnt = np.full((2, len(tunings), width), np.nan)
    for row, tuning in enumerate(tunings):
        equal[row, : len(tuning.groups_equal)] = tuning.groups_equal
        learnt[row, : len(tuning.groups)] = tuning.groups
    known = np.isfinite(equal) & np.isfinite(learnt)
    return np.where(known, equal, np.nan), np.where(known, learnt, np.nan)


def differences(tunings: Sequence[Tuning]) -> Array:
    """Error with equal weights less error with learnt ones (svsm-mcoa Fig. 3), as above.

    Above 0 the learnt weights are better.
    """
    equal, learnt = group_errors(tunings)
    return equal - learnt


def group_means(tunings: Sequence[Tuning]) -> GroupMeans:
    """Mean errors over the topics that have a group (svsm-mcoa Fig. 4, bsvsm-ha Fig. 3)."""
    equal, learnt = group_errors(tunings)
    topics = np.isfinite(equal).sum(axis=0)
    divisor = np.where(topics, topics, np.nan)
    return GroupMeans(np.nansum(equal, axis=0) / divisor, np.nansum(learnt, axis=0) / divisor,
                      topics)  # fmt: skip


def shares(tuning: Tuning) -> list[tuple[int, float]]:
    """The curve of a tuning in parts of the exact fitness; empty where there is no such thing."""
    best = tuning.exact_fitness
    if not (math.isfinite(best) and best > 0.0):
        return []
    return [(evaluations, min(fitness / best, 1.0)) for evaluations, fitness in tuning.curve]


def heat_map_rows(tunings: Sequence[Tuning]) -> Rows:
    """Topic, group, error with equal and with learnt weights, difference."""
    equal, learnt = group_errors(tunings)
    return [
        (tunings[row].topic, column + 1, *_rounded(a, b, a - b))
        for row, column in np.argwhere(np.isfinite(equal)).tolist()
        for a, b in [(equal[row, column], learnt[row, column])]
    ]


def mean_error_rows(tunings: Sequence[Tuning]) -> Rows:
    """Group, number of topics that have it, mean error with equal and with learnt weights."""
    means = group_means(tunings)
    return [
        (group + 1, int(means.topics[group]), *_rounded(means.equal[group], means.learnt[group]))
        for group in np.flatnonzero(means.topics).tolist()
    ]


def convergence_rows(tunings: Sequence[Tuning]) -> Rows:
    """Topic, optimiser, evaluations, best fitness by then, exact fitness, share of it."""
    return [
        (tuning.topic, tuning.optimiser, evaluations,
         *_rounded(share * tuning.exact_fitness, tuning.exact_fitness), rounded_share(share))
        for tuning in tunings
        for evaluations, share in shares(tuning)
    ]  # fmt: skip


def _rounded(*values: float) -> tuple[float, ...]:
    return tuple(round(float(value), 6) for value in values)
