"""Selection, crossover and mutation of weights, and how often they happen (svsm-mcoa Eq. 5,
bsvsm-ha Eq. 7-9): what membrane computing and the genetic algorithm have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.papers.weight_problem import Array, Indices, Mask


class Populations:
    """The places of several populations in one array of objects, given their sizes."""

    def __init__(self, sizes: Sequence[int]) -> None:
        if not sizes or min(sizes) < 1:
            raise SettingsError(f"a population has at least one object, not {list(sizes)}.")
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


# The operators are pure functions: the objects stay as they are, chance comes from the generator
# passed in.


Rng = np.random.Generator
CrossoverRule = Callable[[Array, Array, Array], tuple[Mask, Mask]]
"""From a random number and the probabilities of both parents: is each of them replaced?"""
Mutation = Callable[[Array, Rng], Array]


def roulette(fitnesses: Array, groups: Populations, rng: Rng) -> Indices:
    """Return the objects that go on: as many draws as objects, proportional to fitness.

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
    """Return the share of the rates an object gets: ``(max - fit) / (max - mean)``, 1 below the
    mean.

    Times ``r_c`` it is the probability of crossover, times ``r_m`` that of mutation (svsm-mcoa Eq.
    5, bsvsm-ha Eq. 8 and 9). The best object gets 0: it is neither crossed nor mutated. Where all
    are equally fit, all get 1. svsm-mcoa prints the crossover only for two parents on one side of
    the mean; bsvsm-ha prints it for each parent by itself, and so we do for both.
    """
    best, mean = (
        groups.each(groups.largest(fitnesses)),
        groups.each(groups.sums(fitnesses) / groups.sizes),
    )
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
    chosen = rng.random(len(objects)) <= probability
    mutated = objects.copy()
    mutated[chosen] = np.clip(mutation(objects[chosen], rng), 0.0, 1.0)
    return mutated


def literal_mutation(objects: Array, rng: Rng) -> Array:
    """Return the mutation as printed: ``o + b (1, 1, 1, 1)``, one ``b`` within 0 and 1 for all
    weights.

    It moves up the diagonal only, so no weight ever falls below its least value in the first
    population.
    """
    return objects + rng.random((len(objects), 1))


def symmetric_mutation(objects: Array, rng: Rng) -> Array:
    """Ours: a step within -1 and 1 for each weight by itself."""
    return objects + rng.uniform(-1.0, 1.0, objects.shape)


MUTATIONS: Mapping[str, Mutation] = {"literal": literal_mutation, "symmetric": symmetric_mutation}


# How often to cross and to mutate: the more alike the objects and the later, the less.
#
# svsm-mcoa Eq. 5, bsvsm-ha Eq. 8 and 9. Both rates follow a logistic curve in the entropy of the
# population: equal vectors are one category, counted after the selection. The logarithm of the
# generation divides the entropy, so that the rates fall even among objects that all differ: with
# the printed constants from 0.70 at t = 1 through 0.50 at t = 3 to 0.303 at t = 15. From there on
# nothing changes any more, though the papers run 3,000 generations.


_GROUP_BITS = 8


def entropies(objects: Array, groups: Populations) -> Array:
    """Return ``H = - sum P_d log2 P_d`` of each population over its categories of equal objects.

    With ``P_d = n_d / N`` that is ``log2 N - (sum n_d log2 n_d) / N``. Objects are compared by a
    56-bit fingerprint: two different vectors of 150 share one with probability 2e-13.
    """
    keys = _fingerprints(objects, groups)
    keys.sort()
    begins = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    counts = np.diff(begins, append=len(keys))
    owner = (keys[begins] >> np.uint64(64 - _GROUP_BITS)).astype(np.intp)
    spent = np.bincount(owner, counts * np.log2(counts), minlength=len(groups))
    return np.asarray(np.maximum(np.log2(groups.sizes) - spent / groups.sizes, 0.0))


def diversity(entropy: Array, sizes: npt.NDArray[np.intp], generation: int) -> Array:
    """Return ``U(t) = 2 H / (log2(1 + t) log2 N) - 1``, from -1 (all alike) to 1 (all differ, t =
    1).

    Generations count from 1. A population of one object has 0 / 0: -1.
    """
    scale = np.log2(1 + generation) * np.log2(sizes)
    share: Array = np.divide(entropy, scale, out=np.zeros_like(entropy), where=scale > 0.0)
    return 2.0 * share - 1.0


def _fingerprints(objects: Array, groups: Populations) -> npt.NDArray[np.uint64]:
    """Return the population in the upper 8 bits, a hash of the vector in the others."""
    bits = np.ascontiguousarray(objects).view(np.uint64)
    # Weights such as 0, 0.5 and 1 differ in their upper bits alone, which a product would lose.
    bits = bits ^ (bits >> np.uint64(32))
    hashes = (bits * _multipliers(objects.shape[1])).sum(axis=1, dtype=np.uint64)
    owner = groups.member.astype(np.uint64) << np.uint64(64 - _GROUP_BITS)
    return np.asarray((hashes >> np.uint64(_GROUP_BITS)) | owner, np.uint64)


@lru_cache
def _multipliers(width: int) -> npt.NDArray[np.uint64]:
    """Odd numbers without a pattern, always the same."""
    return np.random.SeedSequence(width).generate_state(width, np.uint64) | np.uint64(1)


STEEPNESS = 9.903438
"""The constant a; svsm-mcoa prints it as alpha, which in its Eq. 5 is a random number."""
STEEPEST = 700.0
"""Beyond it the exponential of the curve is too large for a number."""


@dataclass(frozen=True)
class Breeding:
    """What membrane computing and the genetic algorithm have in common (svsm-mcoa Eq. 5).

    Parameters
    ----------
    mutation : ``literal`` as printed; ``symmetric``, ours, steps each weight either way.
    crossover_low : rate of crossover where all objects are alike.
    crossover_high : rate of crossover where all differ, in the first generation.
    mutation_low : rate of mutation where all objects are alike.
    mutation_high : rate of mutation where all differ, in the first generation.
    steepness : how sharply the rates pass from low to high; the constant a of the papers.
    """

    mutation: str = "literal"
    crossover_low: float = 0.3
    crossover_high: float = 0.7
    mutation_low: float = 0.1
    mutation_high: float = 0.5
    steepness: float = STEEPNESS
    steps: ClassVar[int] = 0

    def __post_init__(self) -> None:
        if self.mutation not in MUTATIONS:
            raise UnknownNameError("mutation", self.mutation, MUTATIONS)
        rates = {
            "crossover": (self.crossover_low, self.crossover_high),
            "mutation": (self.mutation_low, self.mutation_high),
        }
        for kind, (low, high) in rates.items():
            if not 0.0 <= low <= high <= 1.0:
                raise SettingsError(
                    f"the {kind} rates must be 0 <= lowest <= highest <= 1, not {low} and {high}."
                )
        if not 0.0 < self.steepness <= STEEPEST:
            raise SettingsError(
                f"steepness must be above 0 and at most {STEEPEST:g}, not {self.steepness}."
            )

    def rates(self, diversities: Array) -> tuple[Array, Array]:
        """Return ``r_c`` and ``r_m``: ``low + (high - low) / (1 + exp(-a U))``."""
        share: Array = 1.0 / (1.0 + np.exp(-self.steepness * diversities))
        crossing = self.crossover_low + (self.crossover_high - self.crossover_low) * share
        mutating = self.mutation_low + (self.mutation_high - self.mutation_low) * share
        return crossing, mutating


@dataclass(frozen=True)
class Evolution:
    """The rules by which populations change; the populations do not mix."""

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
        groups = self.groups
        chosen = roulette(fitnesses, groups, rng)
        objects, fitnesses = objects[chosen], fitnesses[chosen]
        now = diversity(entropies(objects, groups), groups.sizes, generation)
        crossing, mutating = self.breeding.rates(now)
        share = weakness(fitnesses, groups)
        crossed = crossover(
            objects, groups.each(crossing) * share, groups.pairs(rng), self.rule, rng
        )
        return mutate(
            crossed, groups.each(mutating) * share, MUTATIONS[self.breeding.mutation], rng
        )
