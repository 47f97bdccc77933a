"""Fuzzy inference (sdvsm Eq. 1-4): membership functions, rules over labels, defuzzification.

A membership function has an inverse: the number that fits a label to a given degree. Where two
numbers do, it is their mean.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scenthound.text.terms import Weights


@dataclass(frozen=True)
class Falling:
    """1 up to ``a``, 0 from ``b`` on, a straight line between (sdvsm Eq. 1, Eq. 12 "Low").

    ``a = b`` makes a step: the number itself still belongs to the set.
    """

    a: float
    b: float

    def degree(self, x: npt.ArrayLike) -> Weights:
        """Return how low each number is."""
        x = np.asarray(x, np.float64)
        if self.a == self.b:
            return np.where(x <= self.a, 1.0, 0.0)
        degrees: Weights = (self.b - np.clip(x, self.a, self.b)) / (self.b - self.a)
        return degrees

    def inverse(self, degree: float) -> float:
        """Inverse of Eq. 14; degree 0 gives ``b`` and 1 gives ``a``, the nearest ends."""
        return self.b - degree * (self.b - self.a)


class Rising(Falling):
    """0 up to ``a``, 1 from ``b`` on, a straight line between (sdvsm Eq. 1, Eq. 12 "High").

    ``a = b`` makes a step: only greater numbers belong to the set.
    """

    def degree(self, x: npt.ArrayLike) -> Weights:
        """Return how high each number is."""
        return 1.0 - super().degree(x)

    def inverse(self, degree: float) -> float:
        """Inverse of Eq. 14; degree 0 gives ``a`` and 1 gives ``b``, the nearest ends."""
        return self.a + degree * (self.b - self.a)


@dataclass(frozen=True)
class Gaussian:
    """``exp(-(x - centre)^2 / (2 width^2))``."""

    centre: float
    width: float

    def degree(self, x: npt.ArrayLike) -> Weights:
        """Return how near to the centre each number is."""
        distance = (np.asarray(x, np.float64) - self.centre) / self.width
        return np.exp(-0.5 * distance * distance)

    def inverse(self, degree: float) -> float:
        """Return the centre, the mean of the two numbers that fit to any degree."""
        return self.centre


# Inference (sdvsm section "Fuzzy inference model", Eq. 1-4). The paper takes piecewise-linear
# labels, Mamdani's minimum and the maximum membership method, and names the others below.

Labels = Mapping[str, Falling | Gaussian]
"""Membership function of each label of a variable."""
Degrees = Mapping[str, float]
"""Degree of membership for each label."""
INFERENCES: Mapping[str, Callable[[Iterable[float]], float]] = {"mamdani": min, "larsen": math.prod}
"""Strength of a rule by its conditions: the weakest of them, or their product."""
DEFUZZIFICATIONS = ("maximum", "centroid", "bisector")
_STEPS = 1000


class Rule(NamedTuple):
    """If every input has its label, the output has ``result`` (Mamdani's rule, Eq. 2)."""

    conditions: tuple[str, ...]
    result: str


def inferred(
    inputs: Sequence[Degrees], rules: Iterable[Rule], inference: str = "mamdani"
) -> dict[str, float]:
    """Return how far the rules support each result; of several rules the strongest (Eq. 3, 13)."""
    join = INFERENCES[inference]
    support: dict[str, float] = {}
    for rule in rules:
        conditions = zip(inputs, rule.conditions, strict=True)
        strength = join([degrees[label] for degrees, label in conditions])
        support[rule.result] = max(support.get(rule.result, 0.0), strength)
    return support


def maximum_membership(output: Labels, support: Degrees) -> float:
    """Return the mean over the labels of the number that fits each to its degree (Eq. 4, 14-15)."""
    return sum(output[label].inverse(degree) for label, degree in support.items()) / len(support)


def output_shape(
    output: Labels, support: Degrees, interval: tuple[float, float], inference: str
) -> tuple[Weights, Weights]:
    """Return numbers of the interval, and how far the rules support each.

    Each output set is cut off at its degree (``mamdani``) or scaled by it (``larsen``); where sets
    overlap the higher counts.
    """
    grid = np.linspace(*interval, _STEPS + 1)
    height = np.zeros(len(grid))
    for label, degree in support.items():
        degrees = output[label].degree(grid)
        shape = np.minimum(degrees, degree) if inference == "mamdani" else degrees * degree
        height = np.maximum(height, shape)
    return grid, height


def centroid(grid: Weights, height: Weights) -> float:
    """Abscissa of the centre of gravity below the curve; the middle if there is no area."""
    areas, middles = _strips(grid, height)
    total = float(areas.sum())
    return float(areas @ middles) / total if total else float(grid[0] + grid[-1]) / 2.0


def bisector(grid: Weights, height: Weights) -> float:
    """Where a vertical line halves the area below the curve; the middle if there is none."""
    areas, _ = _strips(grid, height)
    upto = np.concatenate([[0.0], np.cumsum(areas)])
    if not upto[-1]:
        return float(grid[0] + grid[-1]) / 2.0
    return float(np.interp(upto[-1] / 2.0, upto, grid))


def _strips(grid: Weights, height: Weights) -> tuple[Weights, Weights]:
    """Area and middle of each strip between two numbers of the grid."""
    return (height[1:] + height[:-1]) / 2.0 * np.diff(grid), (grid[1:] + grid[:-1]) / 2.0


def defuzzified(
    output: Labels, support: Degrees, interval: tuple[float, float], inference: str, method: str
) -> float:
    """Return one number for how far the rules support each label, by one of DEFUZZIFICATIONS.

    ``interval`` bounds the result of ``centroid`` and ``bisector``.
    """
    if method == "maximum":
        return maximum_membership(output, support)
    shape = output_shape(output, support, interval, inference)
    return centroid(*shape) if method == "centroid" else bisector(*shape)
