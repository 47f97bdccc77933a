"""What every optimiser does: it asks about objects, and is told how fit they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from scenthound.core.errors import SettingsError
from scenthound.optimise.arrays import Array
from scenthound.optimise.problem import WeightProblem

CURVE_POINTS = 500
MOST_OBJECTS = 100_000
"""Of one population: more would fill the memory and find nothing."""
MOST_GENERATIONS = 10_000_000
"""Hours of work."""
Curve = tuple[tuple[int, float], ...]
"""Evaluations so far, and the best fitness by then."""
OnProgress = Callable[[float], None]
"""Told the share of the work that is done, from 0 to 1."""


@dataclass(frozen=True, eq=False)
class Found:
    """Weights, and how fit they are."""

    weights: Array
    fitness: float


class Optimiser(Protocol):
    """Looks for the fittest weights within 0 and 1.

    As long as it is not done it is asked for objects and then told their fitnesses, in turn.
    """

    def ask(self) -> Array:
        """Objects to be evaluated: one row each, one column for each text."""
        ...

    def tell(self, fitnesses: Array) -> None:
        """The fitness of each object it asked about, in order."""
        ...

    @property
    def progress(self) -> float:
        """Share of the work that is done, from 0 to 1."""
        ...

    @property
    def done(self) -> bool:
        """Is there nothing more to ask?"""
        ...

    @property
    def best(self) -> Found:
        """The best it was ever told of; before that nothing, with fitness minus infinity."""
        ...

    def report(self) -> Mapping[str, float]:
        """Further figures of this optimiser, by name."""
        ...


@dataclass(frozen=True, eq=False)
class Outcome:
    """What an optimiser reached.

    ``curve`` has at most 500 points, the first and the last always. ``reason`` says why nothing
    could be learnt; then the weights are equal.
    """

    weights: Array
    fitness: float
    evaluations: int
    curve: Curve = ()
    report: Mapping[str, float] = field(default_factory=dict)
    reason: str | None = None


def optimise(
    optimiser: Optimiser, problem: WeightProblem, on_progress: OnProgress | None = None
) -> Outcome:
    """Let the optimiser run to its end on the problem."""
    curve: list[tuple[int, float]] = []
    evaluations = 0
    while not optimiser.done:
        objects = optimiser.ask()
        optimiser.tell(problem.fitnesses(objects))
        evaluations += len(objects)
        fitness = optimiser.best.fitness
        if not curve or fitness > curve[-1][1]:
            curve = thinned([*curve, (evaluations, fitness)])
        if on_progress is not None:
            on_progress(optimiser.progress)
    best = optimiser.best
    if curve and curve[-1][0] < evaluations:
        curve.append((evaluations, best.fitness))
    return Outcome(best.weights, best.fitness, evaluations, tuple(curve), optimiser.report())


def thinned(curve: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Every second point and the newest, once there are almost too many."""
    return curve if len(curve) < CURVE_POINTS else [*curve[:-1:2], curve[-1]]


def at_least(least: int, **settings: int) -> None:
    """SettingsError if a setting is smaller."""
    for name, value in settings.items():
        if value < least:
            raise SettingsError(f"{name} must be at least {least}, not {value}.")


def at_most(most: int, **settings: int) -> None:
    """SettingsError if a setting is larger."""
    for name, value in settings.items():
        if value > most:
            raise SettingsError(f"{name} must be at most {most:,}, not {value:,}.")
