"""The problem: which weights of the texts of a link predict the relevance of its target best?

Each training link gives a row of similarities, one for each text, and a target: the relevance
of the page it leads to. The fitness of weights is the reciprocal of the root of the summed
squared errors (svsm-mcoa Eq. 4, bsvsm-ha Eq. 6). Written out, the sum is a quadratic form in the
weights whose coefficients are sums over the links:

    sum (y - X w)^2 = y'y - 2 w.X'y + w'X'X w

They are taken once. From then on a fitness costs the same whatever the number of links, and a
crawl adds a link by adding to the sums.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import InputError
from scenthound.core.protocols import State
from scenthound.optimise.arrays import Array

FLOOR = 1e-12
"""The smallest error, as a share of the error of zero weights: below it is only rounding."""


@dataclass(frozen=True, eq=False)
class Moments:
    """All that the training links say about the weights: sums over the links.

    ``gram`` is X'X, ``moment`` X'y, ``square`` y'y, ``total`` the sum of y, ``count`` how many
    links there are.
    """

    gram: Array
    moment: Array
    square: float
    total: float
    count: int

    @classmethod
    def none(cls, texts: int) -> Moments:
        """Of no links yet, each to have this many texts."""
        return cls(np.zeros((texts, texts)), np.zeros(texts), 0.0, 0.0, 0)

    @classmethod
    def of(cls, rows: npt.ArrayLike, targets: npt.ArrayLike) -> Moments:
        """Of links with these similarities (one row a link) and these relevances of the target.

        Rows without links must still have their columns: ``numpy.empty((0, 4))``.
        """
        x, y = link_table(rows, targets)
        with np.errstate(all="ignore"):  # what is not finite is told by its sums
            return cls(x.T @ x, x.T @ y, float(y @ y), float(y.sum()), len(y))

    def plus(self, row: Sequence[float] | Array, target: float) -> Moments:
        """With one more link."""
        return self + Moments.of(np.asarray(row, float)[None, :], [target])

    def __add__(self, other: Moments) -> Moments:
        if self.texts != other.texts:
            raise InputError(
                f"links with {self.texts} texts and links with {other.texts} cannot be learnt "
                f"from together; use the same texts for all."
            )
        with np.errstate(all="ignore"):
            gram, moment = self.gram + other.gram, self.moment + other.moment
        square, total = self.square + other.square, self.total + other.total
        return Moments(gram, moment, square, total, self.count + other.count)

    @property
    def texts(self) -> int:
        """How many texts each link has."""
        return len(self.moment)

    @property
    def finite(self) -> bool:
        """Are all sums finite numbers? One bad link is enough that they are not."""
        numbers = (self.gram, self.moment, self.square, self.total)
        return all(bool(np.isfinite(part).all()) for part in numbers)

    def in_a_row(self) -> Array:
        """All the sums as one row, to be added up elsewhere: count, total, square, the others."""
        own = (float(self.count), self.total, self.square)
        return np.concatenate([own, self.moment, self.gram.ravel()])

    @classmethod
    def of_row(cls, row: Array, texts: int) -> Moments:
        """What :meth:`in_a_row` gave, or a sum of such rows; InputError for another length."""
        if len(row) != 3 + texts + texts * texts:
            raise InputError(f"{len(row)} sums are not those of links with {texts} texts.")
        count, total, square = row[:3].tolist()
        gram = row[3 + texts :].reshape(texts, texts)
        return cls(gram, row[3 : 3 + texts], square, total, int(count))

    def to_state(self) -> State:
        """For the saved state of a crawl: numbers and arrays."""
        return {
            "gram": self.gram,
            "moment": self.moment,
            "square": self.square,
            "total": self.total,
            "count": self.count,
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Moments:
        """What :meth:`to_state` gave."""
        return cls(
            np.asarray(state["gram"], float),
            np.asarray(state["moment"], float),
            float(state["square"]),
            float(state["total"]),
            int(state["count"]),
        )


@dataclass(frozen=True, eq=False)
class WeightProblem:
    """How good are weights, by the training links?

    Parameters
    ----------
    moments : the sums over the links.
    names : what each text is called, in the order of the columns.
    """

    moments: Moments
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.names) != self.moments.texts:
            raise InputError(
                f"there are {self.moments.texts} texts a link but {len(self.names)} names; "
                f"name each text once."
            )

    @cached_property
    def floor(self) -> float:
        """The smallest error that is told apart from 0."""
        return max(FLOOR * self.moments.square, float(np.finfo(float).tiny))

    def error(self, weights: npt.ArrayLike) -> float:
        """Sum of squared errors over the links (the sum in svsm-mcoa Eq. 4), never below the floor.

        Not a number where a similarity or a target was none.
        """
        return float(self.errors(np.asarray(weights, float)[None, :])[0])

    def errors(self, objects: Array) -> Array:
        """The same for each row. ``w'Gw - 2 w.g`` is taken as ``(Gw - 2g).w``: one product less."""
        moments = self.moments
        slopes = objects @ moments.gram
        slopes -= 2.0 * moments.moment
        sums: Array = np.einsum("ij,ij->i", slopes, objects)
        sums += moments.square
        return np.maximum(sums, self.floor, out=sums)

    def fitness(self, weights: npt.ArrayLike) -> float:
        """``1 / sqrt(error)`` (svsm-mcoa Eq. 4, bsvsm-ha Eq. 6); higher is better."""
        return 1.0 / math.sqrt(self.error(weights))

    def fitnesses(self, objects: Array) -> Array:
        """The fitness of each row."""
        roots = np.sqrt(self.errors(objects))
        return np.divide(1.0, roots, out=roots)


def equal_weights(texts: int) -> Array:
    """The same for each text, 1 in all: what both papers compare with."""
    return np.full(texts, 1.0 / texts)


def link_table(rows: npt.ArrayLike, targets: npt.ArrayLike) -> tuple[Array, Array]:
    """Similarities and targets as arrays; InputError if there is not one target a row."""
    x, y = np.asarray(rows, float), np.asarray(targets, float)
    if x.ndim != 2 or y.shape != x.shape[:1]:
        raise InputError(
            f"training links are a table with one target a row, not shapes {x.shape} and {y.shape}."
        )
    return x, y
