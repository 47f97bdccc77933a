"""The weight problem: the weights of a link's texts that predict the relevance of its target best
(svsm-mcoa Eq. 4, bsvsm-ha Eq. 6). Its moments, the error figures of the papers, and the evaluator
that their optimisers call.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import InputError
from scenthound.core.options import whole_within

Array = npt.NDArray[np.float64]
"""Numbers: objects (one row each, a column for each text), fitnesses, probabilities."""
Indices = npt.NDArray[np.intp]
"""Which objects, by their place in the array."""
Mask = npt.NDArray[np.bool_]
"""Yes or no for each object."""

# Each training link gives a row of similarities, one for each text, and a target: the relevance
# of the page it leads to. The fitness of weights is the reciprocal of the root of the summed
# squared errors (svsm-mcoa Eq. 4, bsvsm-ha Eq. 6). Written out, the sum is a quadratic form in
# the weights whose coefficients are sums over the links:
#
#     sum (y - X w)^2 = y'y - 2 w.X'y + w'X'X w
#
# They are computed once. From then on a fitness costs the same whatever the number of links, and a
# crawl adds a link by adding to the sums.

FLOOR = 1e-12
"""The smallest error, as a share of the error of zero weights: below it is only rounding."""


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over the training links: ``gram`` X'X, ``moment`` X'y, ``square`` y'y, ``total`` y."""

    gram: Array
    moment: Array
    square: float
    total: float
    count: int

    @classmethod
    def none(cls, texts: int) -> Moments:
        """Return the moments of no links, for links with so many texts."""
        return cls(np.zeros((texts, texts)), np.zeros(texts), 0.0, 0.0, 0)

    @classmethod
    def of(cls, rows: npt.ArrayLike, targets: npt.ArrayLike) -> Moments:
        """Return the moments of links: similarities (one row a link) and relevances of the target.

        Rows without links must still have their columns: ``numpy.empty((0, 4))``.
        """
        x, y = link_table(rows, targets)
        with np.errstate(all="ignore"):  # the sums show what is not finite
            return cls(x.T @ x, x.T @ y, float(y @ y), float(y.sum()), len(y))

    @property
    def texts(self) -> int:
        """Number of texts of each link."""
        return len(self.moment)

    @property
    def finite(self) -> bool:
        """Whether all sums are finite; one bad link is enough that they are not."""
        return bool(np.isfinite(self.to_row()).all())

    def to_row(self) -> Array:
        """Return all sums as one row, to be added up elsewhere."""
        own = (float(self.count), self.total, self.square)
        return np.concatenate([own, self.moment, self.gram.ravel()])

    @classmethod
    def from_row(cls, row: Array, texts: int) -> Moments:
        """Return the moments of such a row, or of a sum of rows."""
        if len(row) != 3 + texts + texts * texts:
            raise InputError(f"{len(row)} sums are not those of links with {texts} texts.")
        count, total, square = row[:3].tolist()
        gram = row[3 + texts :].reshape(texts, texts)
        return cls(gram, row[3 : 3 + texts], square, total, int(count))

    def errors(self, objects: Array) -> Array:
        """Return the sum of squared errors of each row (the sum in svsm-mcoa Eq. 4).

        Never below the floor; NaN where a similarity or a target was not a number.
        """
        slopes = objects @ self.gram
        slopes -= 2.0 * self.moment  # w'Gw - 2 w.g = (Gw - 2g).w: one product less
        sums: Array = np.einsum("ij,ij->i", slopes, objects)
        sums += self.square
        floor = max(FLOOR * self.square, float(np.finfo(float).tiny))
        return np.maximum(sums, floor, out=sums)

    def fitnesses(self, objects: Array) -> Array:
        """Return ``1 / sqrt(error)`` of each row (svsm-mcoa Eq. 4, bsvsm-ha Eq. 6)."""
        roots = np.sqrt(self.errors(objects))
        return np.divide(1.0, roots, out=roots)

    def fitness(self, weights: npt.ArrayLike) -> float:
        """Return the fitness of one row of weights; higher is better."""
        return float(self.fitnesses(np.asarray(weights, float)[None, :])[0])


def equal_weights(texts: int) -> Array:
    """Return the same weight for each text, 1 in all: what both papers compare with."""
    return np.full(texts, 1.0 / texts)


def link_table(rows: npt.ArrayLike, targets: npt.ArrayLike) -> tuple[Array, Array]:
    """Return similarities and targets as arrays; InputError unless each row has a target."""
    x, y = np.asarray(rows, float), np.asarray(targets, float)
    if x.ndim != 2 or y.shape != x.shape[:1]:
        raise InputError(
            f"training links are a table with one target a row, not shapes {x.shape} and {y.shape}."
        )
    return x, y


# Errors of the predicted priorities: the papers' figures for the test links.

GROUPS = 50
"""As both papers have it: 500 test links, 10 in a group."""


def absolute_errors(rows: npt.ArrayLike, targets: npt.ArrayLike, weights: npt.ArrayLike) -> Array:
    """Return ``|target - priority|`` of each link, the priority by svsm-mcoa Eq. 7.

    A number that is not finite affects the error of its own link alone.
    """
    x, y = link_table(rows, targets)
    with np.errstate(all="ignore"):  # the error shows what is not finite
        errors: Array = np.abs(y - x @ np.asarray(weights, float))
    return errors


def mean_absolute_error(
    rows: npt.ArrayLike, targets: npt.ArrayLike, weights: npt.ArrayLike
) -> float:
    """Return the mean of the absolute errors; 0 without links."""
    errors = absolute_errors(rows, targets, weights)
    return float(errors.mean()) if len(errors) else 0.0


def grouped_errors(
    rows: npt.ArrayLike, targets: npt.ArrayLike, weights: npt.ArrayLike, groups: int = GROUPS
) -> Array:
    """Return the mean absolute error in each group of consecutive links (svsm-mcoa Fig. 3).

    If the links cannot be divided evenly, the first groups have one link more. Fewer links than
    groups give a group each, no links an empty array.
    """
    errors = absolute_errors(rows, targets, weights)
    parts = np.array_split(errors, min(groups, max(len(errors), 1)))
    return np.array([part.mean() for part in parts if len(part)], float)


# Evaluation of the objects of an optimiser, generation by generation.

CURVE_POINTS = 500
MAX_OBJECTS = 100_000
"""Of one population: more would fill the memory."""
Objects = Annotated[int, whole_within(1, MAX_OBJECTS)]
Generations = Annotated[int, whole_within(1, 10_000_000)]
"""More take hours."""
Curve = tuple[tuple[int, float], ...]
"""Evaluations so far, and the best fitness by then."""
OnProgress = Callable[[float], None]
"""Called with the share of the work that is done, from 0 to 1."""
Report = Mapping[str, float]
"""Further figures of an optimiser, by name."""


class Solution(NamedTuple):
    """Weights and their fitness."""

    weights: Array
    fitness: float


@dataclass(frozen=True, eq=False)
class Outcome:
    """Result of an optimiser.

    ``curve`` has at most 500 points. ``reason`` says why nothing could be learned; then the weights
    are equal.
    """

    weights: Array
    fitness: float
    evaluations: int
    curve: Curve = ()
    report: Report = field(default_factory=dict)
    reason: str | None = None


class Evaluator:
    """Evaluates objects, and records the best, the curve of its fitness, and the progress.

    A selection may lose the fittest object, so the best ever seen is recorded, of equally fit ones
    the first. ``steps`` is how often objects are going to be evaluated.
    """

    def __init__(self, problem: Moments, steps: int, on_progress: OnProgress | None = None) -> None:
        self.texts = problem.texts
        self.best = Solution(np.empty(0), -math.inf)
        self._problem, self._on_progress = problem, on_progress
        self._steps, self._steps_done = steps, 0
        self._evaluations = 0
        self._curve: list[tuple[int, float]] = []

    def __call__(self, objects: Array) -> Array:
        """Return the fitness of each object: one row each, one column for each text."""
        fitnesses = self._problem.fitnesses(objects)
        self._steps_done += 1
        self._evaluations += len(objects)
        place = int(fitnesses.argmax())
        if fitnesses[place] > self.best.fitness:
            self.best = Solution(objects[place].copy(), float(fitnesses[place]))
            self._curve.append((self._evaluations, self.best.fitness))
            if len(self._curve) >= CURVE_POINTS:  # every second point and the newest
                self._curve = [*self._curve[:-1:2], self._curve[-1]]
        if self._on_progress is not None:
            self._on_progress(self._steps_done / self._steps)
        return fitnesses

    def outcome(self, report: Report) -> Outcome:
        """Return the result; the curve ends with the last evaluation."""
        end = (self._evaluations, self.best.fitness)
        points = self._curve if self._curve[-1:] == [end] else [*self._curve, end]
        return Outcome(self.best.weights, self.best.fitness, end[0], tuple(points), report)
