"""How the papers' optimisers search: they have objects evaluated, generation by generation."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from scenthound.papers.weight_problem import Array, Moments

CURVE_POINTS = 500
MAX_OBJECTS = 100_000
"""Of one population: more would fill the memory and find nothing."""
MAX_GENERATIONS = 10_000_000
"""Hours of work."""
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
    """What an optimiser reached.

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

    A selection may lose the fittest object; the best ever seen is kept, of equally fit ones the
    first. ``steps`` is how often objects are going to be evaluated.
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
        """Return what was reached; the curve ends with the last evaluation."""
        end = (self._evaluations, self.best.fitness)
        points = self._curve if self._curve[-1:] == [end] else [*self._curve, end]
        return Outcome(self.best.weights, self.best.fitness, end[0], tuple(points), report)
