"""What strategies are compared on: runs put together by unit, and units by what is independent.

Runs of one unit with several random seeds are one figure, their mean. Draws of one topic are not
independent of each other, so each topic counts once, with the mean of its draws. Where there is
one topic only its draws are all there is.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from statistics import fmean, variance
from typing import NamedTuple, TypeVar

from scenthound.comparison.model import Cell, Unit

Key = TypeVar("Key", bound=Hashable)
Figures = Mapping[Unit, float]
"""The figure of one strategy in each unit."""

_ROUNDING = 9
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
    return {group: round(value, _ROUNDING) for group, value in means.items()}


def seed_deviation(figures: Iterable[tuple[Cell, float]]) -> float | None:
    """How far runs of one strategy lie apart that differ in the random seed only.

    The root of the mean variance over the units with several seeds; None where no unit has.
    """
    by_unit: dict[Unit, list[float]] = defaultdict(list)
    for cell, value in figures:
        by_unit[cell.unit].append(value)
    variances = [variance(values) for values in by_unit.values() if len(values) > 1]
    return math.sqrt(fmean(variances)) if variances else None
