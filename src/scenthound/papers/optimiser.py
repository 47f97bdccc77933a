"""The contract of the papers' optimisers: ask for candidate weights, tell their fitnesses."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
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


class Solution(NamedTuple):
    """Weights and their fitness."""

    weights: Array
    fitness: float


class Optimiser(ABC):
    """Searches the fittest weights within 0 and 1, in a known number of steps.

    Until it is done, :meth:`ask` returns objects and :meth:`tell` takes their fitnesses, in turn. A
    selection may lose the fittest object; the best ever seen is kept.
    """

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.steps_done = 0
        self.best = Solution(np.empty(0), -math.inf)
        """The best object so far; before the first step nothing."""

    @abstractmethod
    def ask(self) -> Array:
        """Return objects to be evaluated: one row each, one column for each text."""

    @abstractmethod
    def tell(self, fitnesses: Array) -> None:
        """Take the fitness of each object of the last :meth:`ask`, in order."""

    @abstractmethod
    def report(self) -> Mapping[str, float]:
        """Return further figures of this optimiser, by name."""

    def note(self, objects: Array, fitnesses: Array) -> None:
        """Count a step with these objects; of equally fit ones the first is remembered."""
        self.steps_done += 1
        place = int(fitnesses.argmax())
        if fitnesses[place] > self.best.fitness:
            self.best = Solution(objects[place].copy(), float(fitnesses[place]))

    @property
    def progress(self) -> float:
        """Share of the steps that are done."""
        return self.steps_done / self.steps

    @property
    def done(self) -> bool:
        """Whether the last step is done."""
        return self.steps_done == self.steps


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
    report: Mapping[str, float] = field(default_factory=dict)
    reason: str | None = None


def optimise(
    optimiser: Optimiser, problem: Moments, on_progress: OnProgress | None = None
) -> Outcome:
    """Run the optimiser to its end on the problem."""
    curve: list[tuple[int, float]] = []
    evaluations = 0
    while not optimiser.done:
        objects = optimiser.ask()
        optimiser.tell(problem.fitnesses(objects))
        evaluations += len(objects)
        fitness = optimiser.best.fitness
        if not curve or fitness > curve[-1][1]:
            curve.append((evaluations, fitness))
            if len(curve) >= CURVE_POINTS:  # every second point and the newest
                curve = [*curve[:-1:2], curve[-1]]
        if on_progress is not None:
            on_progress(optimiser.progress)
    best = optimiser.best
    if curve and curve[-1][0] < evaluations:
        curve.append((evaluations, best.fitness))
    return Outcome(best.weights, best.fitness, evaluations, tuple(curve), optimiser.report())
