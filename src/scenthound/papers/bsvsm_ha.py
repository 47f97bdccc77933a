"""The hybrid optimiser of bsvsm-ha: a genetic algorithm (Eq. 5-9) followed by simulated annealing
(Algorithm 1); cuckoo search, its future work, may find the first population.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.parameters import check_at_least, check_at_most
from scenthound.papers.genetic_operators import Breeding, Evolution, Populations, Rng, cross_each
from scenthound.papers.optimiser import MAX_GENERATIONS, MAX_OBJECTS, Optimiser, Solution
from scenthound.papers.weight_problem import Array

EXPONENT = 1.5
"""How heavy the tail of the steps is; between 1 and 2 (lambda - 1 in the paper)."""
STEP = 0.1
"""Scale of a step: a tenth of the range of a weight."""
ABANDONED_SHARE = 0.25
"""Share of the nests given up in a generation (p_a)."""


def mantegna_scale(exponent: float) -> float:
    """Return the deviation of the numerator of a Levy step (Mantegna 1994); 0.6966 at 1.5."""
    above = math.gamma(1.0 + exponent) * math.sin(math.pi * exponent / 2.0)
    below = math.gamma((1.0 + exponent) / 2.0) * exponent * 2.0 ** ((exponent - 1.0) / 2.0)
    return float((above / below) ** (1.0 / exponent))


def levy_steps(shape: tuple[int, int], rng: Rng, exponent: float = EXPONENT) -> Array:
    """Symmetric steps with a tail like ``|s| ** (-1 - exponent)``: ``u / |v| ** (1/exponent)``."""
    above = rng.normal(0.0, mantegna_scale(exponent), shape)
    below = np.maximum(np.abs(rng.normal(0.0, 1.0, shape)), np.finfo(float).tiny)
    return np.asarray(above / below ** (1.0 / exponent), float)


class CuckooSearch(Optimiser):
    """Nests that become better, after Yang and Deb (2009)."""

    def __init__(self, texts: int, rng: Rng, *, nests: int = 150, generations: int = 50) -> None:
        check_at_least(2, nests=nests)
        check_at_least(1, generations=generations)
        super().__init__(generations + 1)
        self._rng, self._texts = rng, texts
        self._given_up = int(ABANDONED_SHARE * nests)
        self.nests = rng.random((nests, texts))
        self._fitnesses = np.empty(0)
        self._asked = self.nests

    def ask(self) -> Array:
        """Return the nests first; then an egg from each nest, and the nests to be built."""
        return self._asked

    def tell(self, fitnesses: Array) -> None:
        """Lay the eggs, give up the worst nests, fly again."""
        self.note(self._asked, fitnesses)
        if self.steps_done == 1:
            self._fitnesses = fitnesses.copy()
        else:
            # Each egg goes into one nest drawn at random; the better one stays.
            count = len(self.nests)
            hosts = self._rng.permutation(count)
            better = fitnesses[:count] > self._fitnesses[hosts]
            self.nests[hosts[better]] = self._asked[:count][better]
            self._fitnesses[hosts[better]] = fitnesses[:count][better]
            # New nests, anywhere, in place of the worst.
            worst = np.argsort(self._fitnesses, kind="stable")[: self._given_up]
            self.nests[worst], self._fitnesses[worst] = self._asked[count:], fitnesses[count:]
        flights = STEP * levy_steps(self.nests.shape, self._rng)
        eggs = np.clip(self.nests + flights, 0.0, 1.0)
        self._asked = np.vstack([eggs, self._rng.random((self._given_up, self._texts))])

    def report(self) -> Mapping[str, float]:
        """``last``: the best fitness in a nest."""
        return {"last": float(self._fitnesses.max(initial=0.0))}


def all_different(individuals: Array, draw: Callable[[int], Array]) -> Array:
    """Draw individuals that equal an earlier one again, until none does.

    If at least half equal an earlier one, all are drawn again.
    """
    individuals = individuals.copy()
    while True:
        _, first = np.unique(individuals, axis=0, return_index=True)
        again = np.ones(len(individuals), bool)
        again[first] = False
        if not again.any():
            return individuals
        if 2 * again.sum() >= len(individuals):
            again[:] = True
        individuals[again] = draw(int(again.sum()))


STARTS = ("random", "cuckoo")


@dataclass(frozen=True)
class Population:
    """How many individuals there are, how they begin, and for how long they evolve.

    Parameters
    ----------
    generations : how often the population changes.
    individuals : size of the population. The paper does not print it; 150 as in svsm-mcoa.
    start : ``random`` as printed; ``cuckoo`` lets a cuckoo search find the first population.
    cuckoo_generations : for how many generations, with ``start="cuckoo"``.
    """

    generations: int = 3000
    individuals: int = 150
    start: str = "random"
    cuckoo_generations: int = 50

    def __post_init__(self) -> None:
        times = {"generations": self.generations, "cuckoo_generations": self.cuckoo_generations}
        check_at_least(1, **times)
        check_at_most(MAX_GENERATIONS, **times)
        check_at_least(2, individuals=self.individuals)
        check_at_most(MAX_OBJECTS, individuals=self.individuals)
        if self.start not in STARTS:
            raise UnknownNameError("start", self.start, STARTS)


class Genetic(Optimiser):
    """GA. Its best is the best ever seen, that of the cuckoos included."""

    def __init__(self, texts: int, rng: Rng, population: Population, breeding: Breeding) -> None:
        self._texts, self._rng = texts, rng
        size, generations = population.individuals, population.cuckoo_generations
        self._cuckoo: CuckooSearch | None = None
        if population.start == "cuckoo":
            self._cuckoo = CuckooSearch(texts, rng, nests=size, generations=generations)
        before = 0 if self._cuckoo is None else self._cuckoo.steps
        super().__init__(before + 1 + population.generations)
        self._evolution = Evolution(Populations([size]), cross_each, breeding)
        self._generation = 0
        self._objects = all_different(self._draw(size), self._draw)
        self._last = 0.0

    def ask(self) -> Array:
        """Return the population, or what the cuckoo search asks."""
        return self._objects if self._cuckoo is None else self._cuckoo.ask()

    def tell(self, fitnesses: Array) -> None:
        """Go on to the next generation, or let the cuckoo search go on."""
        self.note(self.ask(), fitnesses)
        if (cuckoo := self._cuckoo) is not None:
            cuckoo.tell(fitnesses)
            if cuckoo.done:
                self._objects = all_different(cuckoo.nests, self._draw)
                self._cuckoo = None
            return
        self._last = float(fitnesses.max())
        if not self.done:
            self._generation += 1
            self._objects = self._evolution.after(
                self._objects, fitnesses, self._generation, self._rng
            )

    def report(self) -> Mapping[str, float]:
        """``last``: the best fitness of the last generation."""
        return {"last": self._last}

    def _draw(self, count: int) -> Array:
        return self._rng.random((count, self._texts))


# Simulated annealing (bsvsm-ha section III.B.4 and Algorithm 1).
#
# The text accepts a worse neighbour with probability ``exp(-d / temp)``, the listing with ``exp(d
# / temp)``. Power is to be maximised, so here d = new - current and it is ``exp(d / temp)``.
# ``neighbor_solution`` is not defined: here a Gaussian step on every weight, clipped.
#
# What ``power`` is measured in decides whether there is any annealing. If it is the fitness
# itself, differences are about 0.1 while temperatures run from 100 to 0.1: nearly every step is
# accepted, and the search is a walk at random that remembers its best. ``power="relative"``,
# ours, measures in thousandths of the fitness at the start; then the printed temperatures cover
# the range from a tenth of that fitness to a ten-thousandth.


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
    """Return how often the loop ``while temp > cold: ...; temp *= cooling`` runs; 688 as printed.

    SettingsError where it would hardly end, or never: a temperature close to the smallest number
    does not fall any more.
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
    """Return the probability of going to the new solution: 1 if it is better (Metropolis)."""
    return 1.0 if new > current else math.exp((new - current) / temperature)


class Annealing(Optimiser):
    """SA. Its best is the best ever seen, never worse than the start."""

    def __init__(self, texts: int, rng: Rng, schedule: Schedule) -> None:
        super().__init__(1 + steps_between(schedule.hot, schedule.cold, schedule.cooling))
        self._rng, self._schedule = rng, schedule
        self._temperature = schedule.hot
        self._accepted = 0
        self._asked = rng.random(texts)
        self._current = Solution(self._asked, -math.inf)
        self._unit = 1.0

    def start_from(self, found: Solution) -> None:
        """Begin here and not at random; the fitness is known."""
        self._asked = found.weights
        self.tell(np.array([found.fitness]))

    def ask(self) -> Array:
        """Return the start first, then a neighbour of the current solution."""
        return self._asked[None, :]

    def tell(self, fitnesses: Array) -> None:
        """Go there or stay, and cool."""
        self.note(self.ask(), fitnesses)
        new = Solution(self._asked, float(fitnesses[0]))
        if self.steps_done == 1:
            self._current = new
            self._unit = new.fitness / _THOUSAND if self._schedule.power == "relative" else 1.0
        else:
            power, current = new.fitness / self._unit, self._current.fitness / self._unit
            if self._rng.random() < acceptance(current, power, self._temperature):
                self._current = new
                self._accepted += 1
            self._temperature *= self._schedule.cooling
        # A neighbour: a Gaussian step on every weight, clipped to 0 and 1.
        weights = self._current.weights
        step = self._rng.normal(0.0, self._schedule.step, len(weights))
        self._asked = np.clip(weights + step, 0.0, 1.0)

    def report(self) -> Mapping[str, float]:
        """``last``: where it ended; ``accepted``: share of the steps that were taken."""
        tried = max(self.steps_done - 1, 1)
        return {"last": self._current.fitness, "accepted": self._accepted / tried}


class Hybrid(Optimiser):
    """GA, then SA from the GA's best, so that it ends no worse than its own GA.

    With the same seed ``ga`` runs another GA: here the annealing draws too, before they begin.
    """

    def __init__(
        self, texts: int, rng: Rng, population: Population, breeding: Breeding, schedule: Schedule
    ) -> None:
        self._genetic = Genetic(texts, rng, population, breeding)
        self._annealing = Annealing(texts, rng, schedule)
        super().__init__(self._genetic.steps + self._annealing.steps)

    def ask(self) -> Array:
        """Return the objects of the part that is running."""
        return (self._annealing if self._genetic.done else self._genetic).ask()

    def tell(self, fitnesses: Array) -> None:
        """Pass them on; when the genetic algorithm is done the annealing starts from its best."""
        now = self._annealing if self._genetic.done else self._genetic
        now.tell(fitnesses)
        if now is self._genetic and self._genetic.done:
            self._annealing.start_from(self._genetic.best)
        self.best = (self._annealing if self._genetic.done else self._genetic).best
        self.steps_done = self._genetic.steps_done + self._annealing.steps_done

    def report(self) -> Mapping[str, float]:
        """``genetic``: best fitness before the annealing; the rest as in ``Annealing``."""
        return {"genetic": self._genetic.best.fitness, **self._annealing.report()}
