"""Membership functions: how well does a number fit a label such as "low" or "high"?

Each knows the way back too: the number that fits a label to a given degree. Where two numbers
do, it is their mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import InputError
from scenthound.text.vocabulary import Weights


class Membership(Protocol):
    """A fuzzy set of numbers."""

    def degree(self, x: npt.ArrayLike) -> Weights:
        """How well each number fits, in [0, 1]."""
        ...

    def inverse(self, degree: float) -> float:
        """The number that fits to this degree, 0 and 1 included."""
        ...


@dataclass(frozen=True)
class Falling:
    """1 up to ``a``, 0 from ``b`` on, a straight line between (sdvsm Eq. 1, Eq. 12 "Low").

    ``a = b`` makes a step: the number itself still belongs to the set.
    """

    a: float
    b: float

    def __post_init__(self) -> None:
        _in_order(self.a, self.b)

    def degree(self, x: npt.ArrayLike) -> Weights:
        """How low each number is."""
        x = np.asarray(x, np.float64)
        if self.a == self.b:
            return np.where(x <= self.a, 1.0, 0.0)
        degrees: Weights = (self.b - np.clip(x, self.a, self.b)) / (self.b - self.a)
        return degrees

    def inverse(self, degree: float) -> float:
        """Eq. 14 turned round; degree 0 gives ``b`` and 1 gives ``a``, the nearest ends."""
        return self.b - degree * (self.b - self.a)


@dataclass(frozen=True)
class Rising:
    """0 up to ``a``, 1 from ``b`` on, a straight line between (sdvsm Eq. 1, Eq. 12 "High").

    ``a = b`` makes a step: only greater numbers belong to the set.
    """

    a: float
    b: float

    def __post_init__(self) -> None:
        _in_order(self.a, self.b)

    def degree(self, x: npt.ArrayLike) -> Weights:
        """How high each number is."""
        return 1.0 - Falling(self.a, self.b).degree(x)

    def inverse(self, degree: float) -> float:
        """Eq. 14 turned round; degree 0 gives ``a`` and 1 gives ``b``, the nearest ends."""
        return self.a + degree * (self.b - self.a)


@dataclass(frozen=True)
class Triangular:
    """1 at ``peak``, down to 0 at ``left`` and at ``right``, straight lines between."""

    left: float
    peak: float
    right: float

    def __post_init__(self) -> None:
        _in_order(self.left, self.peak)
        _in_order(self.peak, self.right)

    def degree(self, x: npt.ArrayLike) -> Weights:
        """How near to the peak each number is."""
        x = np.asarray(x, np.float64)
        up, down = Rising(self.left, self.peak), Falling(self.peak, self.right)
        return np.where(x < self.peak, up.degree(x), down.degree(x))

    def inverse(self, degree: float) -> float:
        """Mean of the two numbers that fit to this degree."""
        up, down = Rising(self.left, self.peak), Falling(self.peak, self.right)
        return (up.inverse(degree) + down.inverse(degree)) / 2.0


@dataclass(frozen=True)
class Gaussian:
    """``exp(-(x - centre)^2 / (2 width^2))``."""

    centre: float
    width: float

    def __post_init__(self) -> None:
        if not self.width > 0.0:
            raise InputError(f"a Gaussian needs a width above 0, not {self.width}.")

    def degree(self, x: npt.ArrayLike) -> Weights:
        """How near to the centre each number is."""
        distance = (np.asarray(x, np.float64) - self.centre) / self.width
        return np.exp(-0.5 * distance * distance)

    def inverse(self, degree: float) -> float:
        """The centre, which is the mean of the two numbers that fit to any degree."""
        return self.centre


def _in_order(a: float, b: float) -> None:
    if not a <= b:
        raise InputError(f"a membership function needs a <= b, not a = {a} and b = {b}.")
