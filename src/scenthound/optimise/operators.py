"""Selection, crossover and mutation of weights (svsm-mcoa Eq. 5, bsvsm-ha Eq. 7-9).

Pure functions: the objects stay as they are, chance comes from the generator passed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from scenthound.optimise.arrays import Array, Marks, Places
from scenthound.optimise.groups import Groups

Rng = np.random.Generator
CrossoverRule = Callable[[Array, Array, Array], tuple[Marks, Marks]]
"""From a random number and the probabilities of both parents: is each of them replaced?"""
Mutation = Callable[[Array, Rng], Array]


def literal_selection(fitnesses: Array, rng: Rng) -> Places:
    """The selection as printed: object i stays if a random number is at most ``fit_i / sum fit``.

    The probabilities add up to 1, so one object is kept on average, of however many. Here to
    show that; no optimiser uses it.
    """
    return np.flatnonzero(rng.random(len(fitnesses)) <= fitnesses / fitnesses.sum())


def roulette(fitnesses: Array, groups: Groups, rng: Rng) -> Places:
    """Which objects go on: as many draws as a population has objects, proportional to fitness.

    The ordinary roulette wheel, with the printed probabilities. Ours in place of
    :func:`literal_selection`, which cannot work.
    """
    wheel = np.cumsum(fitnesses)
    before = wheel[groups.starts] - fitnesses[groups.starts]
    stops = groups.each(before) + rng.random(groups.objects) * groups.each(groups.sums(fitnesses))
    drawn = np.searchsorted(wheel, stops, side="right")
    # Rounding may carry a stop over the edge of its own population.
    return np.clip(drawn, groups.starts[groups.member], groups.lasts[groups.member])


def weakness(fitnesses: Array, groups: Groups) -> Array:
    """The share of the rates an object gets: ``(max - fit) / (max - mean)``, 1 below the mean.

    Times ``r_c`` it is the probability of crossover, times ``r_m`` that of mutation (svsm-mcoa
    Eq. 5, bsvsm-ha Eq. 8 and 9). The best object gets 0: it is neither crossed nor mutated. Where
    all are equally fit the fraction is 0 / 0, and all get 1.

    svsm-mcoa prints the crossover only for two parents above or two below the mean; bsvsm-ha
    prints it for each parent by itself, and so we do for both.
    """
    best, mean = groups.each(groups.largest(fitnesses)), groups.each(groups.means(fitnesses))
    above = (fitnesses >= mean) & (best > mean)
    return np.divide(best - fitnesses, best - mean, out=np.ones_like(fitnesses), where=above)


def cross_both(draw: Array, first: Array, second: Array) -> tuple[Marks, Marks]:
    """Membrane computing: both parents or none, if the number is at most either probability."""
    both = draw <= np.minimum(first, second)
    return both, both


def cross_each(draw: Array, first: Array, second: Array) -> tuple[Marks, Marks]:
    """Genetic algorithm (bsvsm-ha Eq. 8): each parent is replaced on its own test."""
    return draw <= first, draw <= second


def crossover(
    objects: Array, probability: Array, pairs: tuple[Places, Places], rule: CrossoverRule, rng: Rng
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
    """Each object mutated with its probability, and clipped to 0 and 1.

    The papers do not say what becomes of a weight that leaves the range; we clip it.
    """
    chosen = rng.random(len(objects)) <= probability
    mutated = objects.copy()
    mutated[chosen] = np.clip(mutation(objects[chosen], rng), 0.0, 1.0)
    return mutated


def literal_mutation(objects: Array, rng: Rng) -> Array:
    """The mutation as printed: ``o + b (1, 1, 1, 1)``, one ``b`` within 0 and 1 for all weights.

    It moves up the diagonal only, so no weight ever falls below its least value in the first
    population. Where the best weights are small only selection and crossover lead there, and
    they often stop on the way.
    """
    return objects + rng.random((len(objects), 1))


def symmetric_mutation(objects: Array, rng: Rng) -> Array:
    """Ours: a step within -1 and 1 for each weight by itself."""
    return objects + rng.uniform(-1.0, 1.0, objects.shape)


MUTATIONS: Mapping[str, Mutation] = {
    "literal": literal_mutation,
    "symmetric": symmetric_mutation,
}
