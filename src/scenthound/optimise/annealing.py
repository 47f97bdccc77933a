"""Simulated annealing (bsvsm-ha section III.B.4 and Algorithm 1).

The text accepts a worse neighbour with probability ``exp(-d / temp)``, the listing with
``exp(d / temp)``. Power is to be maximised, so here d = new - current and it is ``exp(d / temp)``.
``neighbor_solution`` is not defined: here a Gaussian step on every weight, clipped.

What ``power`` is measured in decides whether there is any annealing. If it is the fitness
itself, differences are about 0.1 while temperatures run from 100 to 0.1: nearly every step is
accepted, and the search is a walk at random that remembers its best. ``power="relative"``, ours,
measures in thousandths of the fitness at the start; then the printed temperatures cover the range
from a tenth of that fitness to a ten-thousandth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.optimise.arrays import Array
from scenthound.optimise.operators import Rng
from scenthound.optimise.optimiser import Found
from scenthound.optimise.stepwise import Stepwise

POWERS = ("fitness", "relative")
MOST_STEPS = 10_000_000
_THOUSAND = 1000.0


@dataclass(frozen=True)
class Schedule:
    """How the annealing cools, and how it moves.

    Parameters
    ----------
    hot : first temperature.
    cold : the temperature it stops at.
    cooling : factor of the temperature from step to step.
    step : deviation of the step to a neighbour, on each weight.
    power : what differences are measured in: ``fitness`` itself, or ``relative``, thousandths of
        the fitness at the start.
    """

    hot: float = 100.0
    cold: float = 0.1
    cooling: float = 0.99
    step: float = 0.05
    power: str = "fitness"

    def __post_init__(self) -> None:
        if not 0.0 < self.cold < self.hot < math.inf:
            raise SettingsError(
                f"temperatures must be 0 < cold < hot, not {self.cold} and {self.hot}."
            )
        if not 0.0 < self.cooling < 1.0:
            raise SettingsError(f"cooling must lie between 0 and 1, not at {self.cooling}.")
        if not 0.0 < self.step < math.inf:
            raise SettingsError(f"step must be larger than 0, not {self.step}.")
        if self.power not in POWERS:
            raise UnknownNameError("power", self.power, POWERS)
        steps_between(self.hot, self.cold, self.cooling)  # refuses what hardly ends


def steps_between(hot: float, cold: float, cooling: float) -> int:
    """How often the loop ``while temp > cold: ...; temp *= cooling`` runs; 688 as printed.

    SettingsError where it would hardly end, or never: a temperature close to the smallest number
    there is does not fall any more.
    """
    temperature = hot
    for steps in range(MOST_STEPS + 1):
        if temperature <= cold:
            return steps
        temperature *= cooling
    raise SettingsError(
        f"cooling from {hot} to {cold} by {cooling} takes more than {MOST_STEPS:,} steps; "
        f"lower cooling or raise cold."
    )


def acceptance(current: float, new: float, temperature: float) -> float:
    """Probability of going to the new solution: 1 if it is better (Metropolis)."""
    return 1.0 if new > current else math.exp((new - current) / temperature)


def neighbour(weights: Array, step: float, rng: Rng) -> Array:
    """A solution close by: a Gaussian step on every weight, clipped to 0 and 1."""
    return np.clip(weights + rng.normal(0.0, step, len(weights)), 0.0, 1.0)


class Annealing(Stepwise):
    """SA. Its best is the best ever seen, never worse than the start.

    Parameters
    ----------
    texts : number of weights.
    rng : where chance comes from.
    schedule : how it cools, and how it moves.
    """

    def __init__(self, texts: int, rng: Rng, schedule: Schedule) -> None:
        super().__init__(1 + steps_between(schedule.hot, schedule.cold, schedule.cooling))
        self._rng, self._schedule = rng, schedule
        self._temperature = schedule.hot
        self._accepted = 0
        self._asked = rng.random(texts)
        self._current = Found(self._asked, -math.inf)
        self._unit = 1.0

    def start_from(self, found: Found) -> None:
        """Begin here and not at random; its fitness is known and need not be asked for."""
        self._asked = found.weights
        self.tell(np.array([found.fitness]))

    def ask(self) -> Array:
        """First the start, then a neighbour of the current solution."""
        return self._asked[None, :]

    def tell(self, fitnesses: Array) -> None:
        """Go there or stay, and cool."""
        self.note(self.ask(), fitnesses)
        new = Found(self._asked, float(fitnesses[0]))
        if self.told == 1:
            self._begin(new)
        else:
            self._go_or_stay(new)
        self._asked = neighbour(self._current.weights, self._schedule.step, self._rng)

    def report(self) -> Mapping[str, float]:
        """``last``: where it ended; ``accepted``: share of the steps that were taken."""
        tried = max(self.told - 1, 1)
        return {"last": self._current.fitness, "accepted": self._accepted / tried}

    def _begin(self, start: Found) -> None:
        self._current = start
        self._unit = start.fitness / _THOUSAND if self._schedule.power == "relative" else 1.0

    def _go_or_stay(self, new: Found) -> None:
        power, current = new.fitness / self._unit, self._current.fitness / self._unit
        if self._rng.random() < acceptance(current, power, self._temperature):
            self._current = new
            self._accepted += 1
        self._temperature *= self._schedule.cooling
