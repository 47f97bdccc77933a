"""Differential evolution, which olmoaco names as future work, in place of the ants. Individuals are
pages at their places in the space of the four objectives (Eq. 11-14), brought to 0 .. 1. A trial
vector is a place in that space, and the waiting link that is nearest to it is fetched. Ours.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.parameters import check_unit_interval
from scenthound.core.protocols import Scorer, State, generator_state, restore_generator
from scenthound.papers.olmoaco.link_graph import Numbers, Reals
from scenthound.papers.olmoaco.objectives import LinkMapScorer, strongest
from scenthound.papers.olmoaco.selection import dominates, normalised, select_links
from scenthound.papers.olmoaco.walking import GenerationPolicy

MIN_POPULATION = 3
"""Individuals that a trial vector is made of."""


def mutate(own: Reals, first: Reals, second: Reals, pull: float, factor: float) -> Reals:
    """Return ``x + pull (1 - x) + factor (a - b)``: DE/current-to-best/1, the best being the ideal
    point.

    Examples
    --------
    >>> ones = np.array([1.0, 0.5])
    >>> mutate(np.array([0.0, 0.5]), ones, np.array([0.8, 0.5]), 0.5, 0.5).round(2).tolist()
    [0.6, 0.75]
    """
    return own + pull * (1.0 - own) + factor * (first - second)


def crossover(own: Reals, other: Reals, taken: Sequence[bool]) -> Reals:
    """Return the coordinates that are ``taken`` from the other, within 0 and 1 (binomial
    crossover).
    """
    return np.clip(np.where(taken, other, own), 0.0, 1.0)


class DifferentialEvolution(GenerationPolicy):
    """A population of pages. Each generation every one of them has a trial, and the link nearest to
    that place is fetched; the page found takes the place of its parent unless that dominates it.

    While there are fewer pages than ``population``, all that are found join.

    Parameters
    ----------
    population : pages at most.
    factor : of the difference of two others in a trial (F).
    crossover : chance of each objective to be that of the mutant (CR).
    pull : how far a trial is drawn towards the ideal point, best in everything (K).
    """

    def __init__(
        self, rng: random.Random, scorer: Scorer, *, population: int = 30, factor: float = 0.5,
        crossover: float = 0.9, pull: float = 0.5,
    ) -> None:  # fmt: skip
        assert isinstance(scorer, LinkMapScorer), "a population needs a map"
        if population < MIN_POPULATION:
            raise SettingsError(f"population must be {MIN_POPULATION} or more, not {population}.")
        check_unit_interval(factor=factor, crossover=crossover, pull=pull)
        super().__init__(scorer.map)
        self._rng = rng
        self._most = population
        self._factor, self._crossover, self._pull = factor, crossover, pull
        self._population: list[int] = []
        self._parents: dict[int, int] = {}

    def state(self) -> State:
        """Return the population, whose trials are on their way, and the random generator."""
        return {
            **super().state(),
            "population": [*self._population],
            "parents": [list(pair) for pair in self._parents.items()],
            "rng": generator_state(self._rng),
        }

    def restore(self, state: State) -> None:
        """Restore what :meth:`state` returned."""
        super().restore(state)
        self._population = [*state["population"]]
        self._parents = dict(map(tuple, state["parents"]))
        restore_generator(self._rng, state["rng"])

    def redirected(self, url: str, target: str) -> None:
        """Let a trial wait under another name."""
        super().redirected(url, target)
        parents = self._parents.items()
        self._parents = {self._map.graph.where(number): place for number, place in parents}

    def _next(self) -> dict[int, str]:
        """The survivors of the last generation, and the trials of the next."""
        self._select_survivors()
        waiting = self._map.waiting()
        if len(self._population) < MIN_POPULATION:
            chosen = select_links(self._map, waiting, MIN_POPULATION - len(self._population))
            self._parents = dict.fromkeys(chosen, self._most)
            return {number: f"to begin with: {why}" for number, why in chosen.items()}
        return self._trials(waiting)

    def _select_survivors(self) -> None:
        """Pages that were found join, or compete with their parents."""
        if not self._population and not self._parents:
            self._population = self._map.pages()[: self._most]
        for number, place in self._parents.items():
            page = self._map.graph.where(number)
            if not self._map.graph.is_page(page) or page in self._population:
                continue
            if len(self._population) < self._most:
                self._population.append(page)
                continue
            pair = np.array([self._population[place], page], np.int32)
            if not dominates(*self._map.objectives(pair)):
                self._population[place] = page

    def _trials(self, waiting: Numbers) -> dict[int, str]:
        """For each individual the waiting link nearest to its trial; none is wanted twice."""
        size = len(self._population)
        everyone = np.concatenate([np.array(self._population, np.int32), waiting])
        points = normalised(self._map.objectives(everyone))
        taken = np.zeros(len(waiting), np.bool_)
        wanted: dict[int, str] = {}
        self._parents = {}
        for place in range(min(size, len(waiting))):
            gaps = np.linalg.norm(points[size:] - self._trial(points[:size], place), axis=1)
            nearest = int(np.where(taken, np.inf, gaps).argmin())
            taken[nearest] = True
            number = int(waiting[nearest])
            self._parents[number] = place
            strong = strongest(points[size + nearest])
            trial = f"nearest to the trial of individual {place + 1}: {gaps[nearest]:.2f}"
            wanted[number] = f"{trial}, strongest in {strong}"
        return wanted

    def _trial(self, points: Reals, place: int) -> Reals:
        first, second = self._rng.sample([n for n in range(len(points)) if n != place], 2)
        drawn = [self._rng.random() < self._crossover for _ in range(points.shape[1])]
        drawn[self._rng.randrange(len(drawn))] = True
        other = mutate(points[place], points[first], points[second], self._pull, self._factor)
        return crossover(points[place], other, drawn)
