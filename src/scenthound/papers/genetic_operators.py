"""Selection, crossover and mutation of weights (svsm-mcoa Eq. 5, bsvsm-ha Eq. 7-9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Self

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from scenthound.core.errors import SettingsError
from scenthound.core.options import Number, Options, Share, one_of
from scenthound.papers.weight_problem import Array, Indices, Mask


class Populations:
    """The places of several populations in one array of objects, given their sizes."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes: Indices = np.array(sizes, np.intp)
        ends = np.cumsum(self.sizes)
        self.starts: Indices = ends - self.sizes
        self.lasts: Indices = ends - 1
        self.member: Indices = np.repeat(np.arange(len(sizes)), self.sizes)
        self.objects = int(ends[-1])
        bounds = zip(self.starts, self.lasts, strict=True)
        self.firsts: Indices = np.concatenate([np.arange(*bound, 2) for bound in bounds])

    def __len__(self) -> int:
        return len(self.sizes)

    def span(self, group: int) -> slice:
        """Return the places of one population."""
        return slice(int(self.starts[group]), int(self.lasts[group]) + 1)

    def sums(self, values: Array) -> Array:
        """Return the sum of a value over each population."""
        return np.add.reduceat(values, self.starts)

    def largest(self, values: Array) -> Array:
        """Return the maximum of a value in each population."""
        return np.maximum.reduceat(values, self.starts)

    def each(self, values: Array) -> Array:
        """Return the value of its population for each object."""
        return values[self.member]

    def pairs(self, rng: np.random.Generator) -> tuple[Indices, Indices]:
        """Return pairs of neighbours in shuffled populations; an odd object stays alone.

        The papers do not say how pairs are formed.
        """
        shuffled = np.argsort(self.member + rng.random(self.objects), kind="stable")
        return shuffled[self.firsts], shuffled[self.firsts + 1]


# The operators are pure functions: the objects stay as they are.

Rng = np.random.Generator
CrossoverRule = Callable[[Array, Array, Array], tuple[Mask, Mask]]
"""From a random number and the probabilities of both parents: is each of them replaced?"""
Mutation = Callable[[Array, Rng], Array]


def roulette(fitnesses: Array, groups: Populations, rng: Rng) -> Indices:
    """Return the selected objects: as many draws as objects, proportional to fitness.

    The ordinary roulette wheel, with the printed probabilities. As printed, "object i stays if a
    random number is at most ``fit_i / sum fit``" keeps one object on average, of however many.
    """
    wheel = np.cumsum(fitnesses)
    before = wheel[groups.starts] - fitnesses[groups.starts]
    stops = groups.each(before) + rng.random(groups.objects) * groups.each(groups.sums(fitnesses))
    drawn = np.searchsorted(wheel, stops, side="right")
    # Rounding may carry a stop over the edge of its own population.
    return np.clip(drawn, groups.starts[groups.member], groups.lasts[groups.member])


def weakness(fitnesses: Array, groups: Populations) -> Array:
    """Return the share of the rates: ``(max - fit) / (max - mean)``, and 1 below the mean.

    Times ``r_c`` it is the probability of crossover, times ``r_m`` that of mutation (svsm-mcoa Eq.
    5, bsvsm-ha Eq. 8 and 9). The best object gets 0: it is neither crossed nor mutated. Where all
    are equally fit, all get 1. svsm-mcoa prints the crossover only for two parents on one side of
    the mean; bsvsm-ha prints it for each parent by itself, and so we do for both.
    """
    best = groups.each(groups.largest(fitnesses))
    mean = groups.each(groups.sums(fitnesses) / groups.sizes)
    above = (fitnesses >= mean) & (best > mean)
    return np.divide(best - fitnesses, best - mean, out=np.ones_like(fitnesses), where=above)


def cross_both(draw: Array, first: Array, second: Array) -> tuple[Mask, Mask]:
    """Membrane computing: both parents or none, if the number is at most either probability."""
    both = draw <= np.minimum(first, second)
    return both, both


def cross_each(draw: Array, first: Array, second: Array) -> tuple[Mask, Mask]:
    """Genetic algorithm (bsvsm-ha Eq. 8): each parent is replaced on its own test."""
    return draw <= first, draw <= second


def crossover(
    objects: Array,
    probability: Array,
    pairs: tuple[Indices, Indices],
    rule: CrossoverRule,
    rng: Rng,
) -> Array:
    """Arithmetic crossover: ``a x + (1 - a) y`` and ``a y + (1 - a) x``, one ``a`` for a pair."""
    first, second = pairs
    draw, share = rng.random((2, len(first)))
    takes_first, takes_second = rule(draw, probability[first], probability[second])
    x, y = objects[first], objects[second]
    lean = share[:, None] * (x - y)
    crossed = objects.copy()
    crossed[first[takes_first]] = (y + lean)[takes_first]
    crossed[second[takes_second]] = (x - lean)[takes_second]
    return crossed


def mutate(objects: Array, probability: Array, mutation: Mutation, rng: Rng) -> Array:
    """Mutate each object with its probability.

    The papers do not say what becomes of a weight that leaves the range; we clip it to 0 and 1.
    """
    mutants = rng.random(len(objects)) <= probability
    mutated = objects.copy()
    mutated[mutants] = np.clip(mutation(objects[mutants], rng), 0.0, 1.0)
    return mutated


def literal_mutation(objects: Array, rng: Rng) -> Array:
    """Return ``o + b (1, 1, 1, 1)``, one ``b`` within 0 and 1 for all weights, as printed.

    It moves up the diagonal only, so no weight ever falls below its least value in the first
    population.
    """
    return objects + rng.random((len(objects), 1))


def symmetric_mutation(objects: Array, rng: Rng) -> Array:
    """Ours: a step within -1 and 1 for each weight by itself."""
    return objects + rng.uniform(-1.0, 1.0, objects.shape)


MUTATIONS: Mapping[str, Mutation] = {"literal": literal_mutation, "symmetric": symmetric_mutation}


# Rates of crossover and mutation: the more alike the objects and the later, the lower.
#
# svsm-mcoa Eq. 5, bsvsm-ha Eq. 8 and 9. Both rates follow a logistic curve in the entropy of the
# population: equal vectors are one category, counted after the selection. The logarithm of the
# generation divides the entropy, so that the rates fall even among objects that all differ: with
# the printed constants from 0.70 at t = 1 through 0.50 at t = 3 to 0.303 at t = 15, where they
# stay, though the papers run 3,000 generations.


def entropies(objects: Array, groups: Populations) -> Array:
    """Return ``H = - sum P_d log2 P_d`` of each population over its categories of equal objects.

    With ``P_d = n_d / N`` that is ``log2 N - (sum n_d log2 n_d) / N``.
    """
    rows = np.column_stack([groups.member, objects])
    rows = rows[np.lexsort(rows.T)]  # equal objects of a population are neighbours
    begins = np.flatnonzero(np.concatenate(([True], (rows[1:] != rows[:-1]).any(axis=1))))
    counts = np.diff(begins, append=len(rows))
    owner = rows[begins, 0].astype(np.intp)
    sums = np.bincount(owner, counts * np.log2(counts), minlength=len(groups))
    return np.asarray(np.maximum(np.log2(groups.sizes) - sums / groups.sizes, 0.0))


def diversity(entropy: Array, sizes: npt.NDArray[np.intp], generation: int) -> Array:
    """Return ``U(t) = 2 H / (log2(1 + t) log2 N) - 1``: -1 all alike, 1 all different at t = 1.

    Generations count from 1. A population of one object has 0 / 0: -1.
    """
    scale = np.log2(1 + generation) * np.log2(sizes)
    share: Array = np.divide(entropy, scale, out=np.zeros_like(entropy), where=scale > 0.0)
    return 2.0 * share - 1.0


STEEPNESS = 9.903438
"""The constant a; svsm-mcoa prints it as alpha, which in its Eq. 5 is a random number."""


class Breeding(Options):
    """Mutation and rates of membrane computing and the genetic algorithm (svsm-mcoa Eq. 5).

    Parameters
    ----------
    mutation : ``literal`` as printed; ``symmetric``, ours, steps each weight either way.
    crossover_low : rate of crossover where all objects are alike.
    crossover_high : rate of crossover where all differ, in the first generation.
    mutation_low : rate of mutation where all objects are alike.
    mutation_high : rate of mutation where all differ, in the first generation.
    steepness : how sharply the rates pass from low to high; the constant a of the papers.
    """

    mutation: Annotated[str, one_of(*MUTATIONS)] = "literal"
    crossover_low: Share = 0.3
    crossover_high: Share = 0.7
    mutation_low: Share = 0.1
    mutation_high: Share = 0.5
    steepness: Annotated[Number, Field(gt=0.0)] = STEEPNESS
    steps: ClassVar[int] = 0

    @model_validator(mode="after")
    def _check_rates(self) -> Self:
        if self.crossover_low > self.crossover_high or self.mutation_low > self.mutation_high:
            raise SettingsError("the lowest rate of crossover or mutation is above the highest.")
        return self

    def rates(self, diversities: Array) -> tuple[Array, Array]:
        """Return ``r_c`` and ``r_m``: ``low + (high - low) / (1 + exp(-a U))``."""
        with np.errstate(over="ignore"):  # 1 / infinity is 0
            share: Array = 1.0 / (1.0 + np.exp(-self.steepness * diversities))
        crossing = self.crossover_low + (self.crossover_high - self.crossover_low) * share
        mutating = self.mutation_low + (self.mutation_high - self.mutation_low) * share
        return crossing, mutating


@dataclass(frozen=True)
class Evolution:
    """Selection, crossover and mutation within each of several populations."""

    groups: Populations
    rule: CrossoverRule
    breeding: Breeding

    def after(
        self, objects: Array, fitnesses: Array, generation: int, rng: np.random.Generator
    ) -> Array:
        """Return the objects of the next generation, not yet evaluated.

        Both probabilities of an object come from the fitness its place has after the selection: the
        papers evaluate once a generation, so that of a crossed object is not known yet.
        """
        groups, mutation = self.groups, MUTATIONS[self.breeding.mutation]
        selected = roulette(fitnesses, groups, rng)
        objects, fitnesses = objects[selected], fitnesses[selected]
        diversities = diversity(entropies(objects, groups), groups.sizes, generation)
        crossing, mutating = self.breeding.rates(diversities)
        share, pairs = weakness(fitnesses, groups), groups.pairs(rng)
        crossed = crossover(objects, groups.each(crossing) * share, pairs, self.rule, rng)
        return mutate(crossed, groups.each(mutating) * share, mutation, rng)
