"""What searches of a known number of steps have in common: they count, and remember the best."""

from __future__ import annotations

import math

import numpy as np

from scenthound.optimise.arrays import Array
from scenthound.optimise.optimiser import Found


class Stepwise:
    """The part of an optimiser that knows how far it is and what was best; extend it.

    A selection may lose the fittest object; the answer must not, so the best ever seen is kept.

    Parameters
    ----------
    steps : how often it will be told fitnesses.
    """

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self.told = 0
        self._best = Found(np.empty(0), -math.inf)

    def note(self, objects: Array, fitnesses: Array) -> None:
        """One step more, with these objects; of equally fit ones the first is remembered."""
        self.told += 1
        place = int(fitnesses.argmax())
        if fitnesses[place] > self._best.fitness:
            self._best = Found(objects[place].copy(), float(fitnesses[place]))

    @property
    def progress(self) -> float:
        """Share of the steps, from 0 to 1."""
        return self.told / self.steps

    @property
    def done(self) -> bool:
        """Was that the last step?"""
        return self.told == self.steps

    @property
    def best(self) -> Found:
        """The best ever seen; before the first step nothing, with fitness minus infinity."""
        return self._best
