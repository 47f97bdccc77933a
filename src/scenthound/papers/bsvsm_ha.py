"""The hybrid of bsvsm-ha: a genetic algorithm (Eq. 5-9), then annealing (Algorithm 1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Self

import numpy as np
from pydantic import Field, model_validator

from scenthound.core.errors import SettingsError
from scenthound.core.options import Number, Options, one_of, whole_within
from scenthound.papers.genetic_operators import Breeding, Evolution, Populations, Rng, cross_each
from scenthound.papers.weight_problem import (
    MAX_OBJECTS,
    Array,
    Evaluator,
    Generations,
    Report,
    Solution,
)

EXPONENT = 1.5
"""Tail exponent of the steps; between 1 and 2 (lambda - 1 in the paper)."""
STEP = 0.1
"""Scale of a step: a tenth of the range of a weight."""
ABANDONED_SHARE = 0.25
"""Share of the nests abandoned in a generation (p_a)."""


def mantegna_scale(exponent: float = EXPONENT) -> float:
    """Return the deviation of the numerator of a Levy step (Mantegna 1994); 0.6966 at 1.5."""
    above = math.gamma(1.0 + exponent) * math.sin(math.pi * exponent / 2.0)
    below = math.gamma((1.0 + exponent) / 2.0) * exponent * 2.0 ** ((exponent - 1.0) / 2.0)
    return float((above / below) ** (1.0 / exponent))


def levy_steps(shape: tuple[int, int], rng: Rng) -> Array:
    """Return steps with a tail like ``|s| ** (-1 - EXPONENT)``: ``u / |v| ** (1/EXPONENT)``."""
    above = rng.normal(0.0, mantegna_scale(), shape)
    below = np.maximum(np.abs(rng.normal(0.0, 1.0, shape)), np.finfo(float).tiny)
    return np.asarray(above / below ** (1.0 / EXPONENT), float)


def cuckoo_search(evaluate: Evaluator, rng: Rng, nests: Array, generations: int) -> Array:
    """Return nests that became better, after Yang and Deb (2009)."""
    nests, fitnesses, eggs = nests.copy(), evaluate(nests), _eggs(nests, rng)
    count = len(nests)
    for _ in range(generations):
        values = evaluate(eggs)
        # Each egg goes into one nest drawn at random; the better one stays.
        hosts = rng.permutation(count)
        better = values[:count] > fitnesses[hosts]
        nests[hosts[better]] = eggs[:count][better]
        fitnesses[hosts[better]] = values[:count][better]
        # Random nests in place of the worst.
        worst = np.argsort(fitnesses, kind="stable")[: len(eggs) - count]
        nests[worst], fitnesses[worst] = eggs[count:], values[count:]
        eggs = _eggs(nests, rng)
    return nests


def _eggs(nests: Array, rng: Rng) -> Array:
    """Return an egg one Levy step from each nest, then random nests to replace the worst."""
    laid = np.clip(nests + STEP * levy_steps(nests.shape, rng), 0.0, 1.0)
    abandoned = int(ABANDONED_SHARE * len(nests))
    return np.vstack([laid, rng.random((abandoned, nests.shape[1]))])


def all_different(individuals: Array, draw: Callable[[int], Array]) -> Array:
    """Draw individuals that equal an earlier one again, until none does.

    If at least half equal an earlier one, all are drawn again.
    """
    individuals = individuals.copy()
    while True:
        _, first = np.unique(individuals, axis=0, return_index=True)
        repeated = np.ones(len(individuals), bool)
        repeated[first] = False
        if not repeated.any():
            return individuals
        if 2 * repeated.sum() >= len(individuals):
            repeated[:] = True
        individuals[repeated] = draw(int(repeated.sum()))


class Population(Options):
    """Size and start of the population, and for how long it evolves.

    Parameters
    ----------
    generations : how often the population changes.
    individuals : size of the population. The paper does not print it; 150 as in svsm-mcoa.
    start : ``random`` as printed; ``cuckoo`` lets a cuckoo search find the first population.
    cuckoo_generations : for how many generations, with ``start="cuckoo"``.
    """

    generations: Generations = 3000
    individuals: Annotated[int, whole_within(2, MAX_OBJECTS)] = 150
    start: Annotated[str, one_of("random", "cuckoo")] = "random"
    cuckoo_generations: Generations = 50

    @property
    def steps(self) -> int:
        """Number of generations, those of the cuckoo search included."""
        return self.generations + (self.start == "cuckoo") * (1 + self.cuckoo_generations)


def genetic(evaluate: Evaluator, rng: Rng, population: Population, breeding: Breeding) -> Report:
    """GA. Its best is the best ever seen, that of the cuckoos included.

    Reports ``last``: the best fitness of the last generation.
    """
    return {"last": _evolve(evaluate, rng, population, breeding)}


def _evolve(
    evaluate: Evaluator, rng: Rng, population: Population, breeding: Breeding, skipped: int = 0
) -> float:
    """Return the best fitness of the last generation.

    ``skipped`` random numbers are drawn and dropped after the individuals.
    """
    size, texts = population.individuals, evaluate.texts

    def draw(count: int) -> Array:
        return rng.random((count, texts))

    nests = draw(size if population.start == "cuckoo" else 0)
    objects = all_different(draw(size), draw)
    rng.random(skipped)
    if len(nests):
        nests = cuckoo_search(evaluate, rng, nests, population.cuckoo_generations)
        objects = all_different(nests, draw)
    evolution = Evolution(Populations([size]), cross_each, breeding)
    fitnesses = evaluate(objects)
    for generation in range(1, population.generations + 1):
        objects = evolution.after(objects, fitnesses, generation, rng)
        fitnesses = evaluate(objects)
    return float(fitnesses.max())


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


MOST_STEPS = 10_000_000


class Schedule(Options):
    """Cooling schedule of the annealing, and the size of its steps.

    Parameters
    ----------
    hot : first temperature.
    cold : the temperature it stops at.
    cooling : factor of the temperature from step to step.
    step : deviation of the step to a neighbour, on each weight.
    power : what differences are measured in: ``fitness`` itself, or ``relative``, thousandths of
        the fitness at the start.
    """

    hot: Number = 100.0
    cold: Annotated[Number, Field(gt=0.0)] = 0.1
    cooling: Annotated[Number, Field(gt=0.0)] = 0.99
    step: Annotated[Number, Field(gt=0.0)] = 0.05
    power: Annotated[str, one_of("fitness", "relative")] = "fitness"

    @model_validator(mode="after")
    def _check_end(self) -> Self:
        if not self.cold < self.hot:
            raise SettingsError(
                f"the last temperature {self.cold} is not below the first, {self.hot}; raise hot "
                "or lower cold."
            )
        if not (self.cooling < 1.0 and self.steps <= MOST_STEPS):
            raise SettingsError(
                f"cooling from {self.hot} to {self.cold} by {self.cooling} never ends, or takes "
                f"more than {MOST_STEPS:,} steps; lower cooling or raise cold."
            )
        return self

    @property
    def steps(self) -> int:
        """Iterations of the loop ``while temp > cold: ...; temp *= cooling``; 688 as printed."""
        return math.ceil(math.log(self.cold / self.hot) / math.log(self.cooling))


def acceptance(current: float, new: float, temperature: float) -> float:
    """Return the probability of accepting the new solution: 1 if it is better (Metropolis).

    Examples
    --------
    >>> acceptance(0.5, 0.6, 0.1), round(acceptance(0.5, 0.4, 0.1), 4)
    (1.0, 0.3679)
    """
    return 1.0 if new > current else math.exp((new - current) / temperature)


def annealing(evaluate: Evaluator, rng: Rng, schedule: Schedule) -> Report:
    """SA. Its best is the best ever seen, never worse than the start.

    Reports ``last``: the fitness at the end; ``accepted``: the share of accepted steps.
    """
    start = rng.random(evaluate.texts)
    return _anneal(evaluate, rng, schedule, Solution(start, float(evaluate(start[None, :])[0])))


def _anneal(evaluate: Evaluator, rng: Rng, schedule: Schedule, current: Solution) -> Report:
    """bsvsm-ha Algorithm 1."""
    unit = current.fitness / 1000.0 if schedule.power == "relative" else 1.0
    temperature, accepted = schedule.hot, 0
    for _ in range(schedule.steps):
        # A neighbour: a Gaussian step on every weight, clipped to 0 and 1.
        step = rng.normal(0.0, schedule.step, evaluate.texts)
        weights = np.clip(current.weights + step, 0.0, 1.0)
        new = Solution(weights, float(evaluate(weights[None, :])[0]))
        chance = acceptance(current.fitness / unit, new.fitness / unit, temperature)
        if rng.random() < chance:
            current = new
            accepted += 1
        temperature *= schedule.cooling
    return {"last": current.fitness, "accepted": accepted / schedule.steps}


def hybrid(
    evaluate: Evaluator, rng: Rng, population: Population, breeding: Breeding, schedule: Schedule
) -> Report:
    """GA, then SA from the GA's best, so that it ends no worse than its own GA.

    Reports ``genetic``: the best fitness before the annealing; the rest as :func:`annealing`.
    """
    # The start of an annealing alone is drawn too, so that ``ga`` runs another GA.
    _evolve(evaluate, rng, population, breeding, skipped=evaluate.texts)
    best = evaluate.best
    return {"genetic": best.fitness, **_anneal(evaluate, rng, schedule, best)}
