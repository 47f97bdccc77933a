"""Fuzzy inference (sdvsm Eq. 1-4): membership functions, if-then rules over labels, and a number
again.

As in the paper: piecewise-linear labels, Mamdani's minimum and the maximum membership method.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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

    def inverse(self, degree: Weights) -> Weights:
        """Eq. 14 turned round; degree 0 gives ``b`` and 1 gives ``a``, the nearest ends."""
        return self.b - degree * (self.b - self.a)


class Rising(Falling):
    """0 up to ``a``, 1 from ``b`` on, a straight line between (sdvsm Eq. 1, Eq. 12 "High").

    ``a = b`` makes a step: only greater numbers belong to the set.
    """

    def degree(self, x: npt.ArrayLike) -> Weights:
        """Return how high each number is."""
        return 1.0 - super().degree(x)

    def inverse(self, degree: Weights) -> Weights:
        """Eq. 14 turned round; degree 0 gives ``a`` and 1 gives ``b``, the nearest ends."""
        return self.a + degree * (self.b - self.a)


Degrees = Mapping[str, Weights]
"""How well each label fits, for each of some things."""


def low_and_high(a: float, b: float) -> dict[str, Falling]:
    """Return the labels Low and High of a variable between ``a`` and ``b`` (Eq. 12)."""
    return {"L": Falling(a, b), "H": Rising(a, b)}


class Rule(NamedTuple):
    """If every input has its label, the output has ``result`` (Mamdani's rule, Eq. 2)."""

    conditions: str
    result: str


def inferred(inputs: Sequence[Degrees], rules: Iterable[Rule]) -> dict[str, Weights]:
    """Return how far the rules support each result; of several rules the strongest (Eq. 3, 13).

    A rule is as strong as its weakest condition.
    """
    support: dict[str, Weights] = {}
    for rule in rules:
        degrees = zip(inputs, rule.conditions, strict=True)
        strength = np.minimum.reduce([fits[label] for fits, label in degrees])
        support[rule.result] = np.maximum(support.get(rule.result, 0.0), strength)
    return support


def maximum_membership(output: Mapping[str, Falling], support: Degrees) -> Weights:
    """Return the mean over the labels of the number that fits each to its degree (Eq. 4, 14-15)."""
    numbers = [output[label].inverse(degree) for label, degree in support.items()]
    mean: Weights = sum(numbers, start=np.zeros(1)) / len(numbers)
    return mean
