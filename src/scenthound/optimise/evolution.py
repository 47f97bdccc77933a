"""One generation: selection, crossover, mutation (svsm-mcoa Alg. 1, lines 11-13)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scenthound.core.errors import UnknownNameError
from scenthound.optimise.arrays import Array
from scenthound.optimise.groups import Groups
from scenthound.optimise.operators import (
    MUTATIONS,
    CrossoverRule,
    Mutation,
    crossover,
    mutate,
    roulette,
    weakness,
)
from scenthound.optimise.rates import Rates, diversity, entropies


@dataclass(frozen=True)
class Evolution:
    """The rules by which populations change.

    Parameters
    ----------
    groups : the populations; they do not mix.
    rule : which parents of a pair are replaced.
    mutation : the step of a mutation.
    rates : from diversity to the rates of crossover and mutation.
    """

    groups: Groups
    rule: CrossoverRule
    mutation: Mutation
    rates: Rates

    def after(
        self, objects: Array, fitnesses: Array, generation: int, rng: np.random.Generator
    ) -> Array:
        """The objects of the next generation, not yet evaluated.

        Both probabilities of an object come from the fitness its place has after the selection:
        the papers evaluate once a generation, so that of a crossed object is not known yet.
        """
        groups = self.groups
        chosen = roulette(fitnesses, groups, rng)
        objects, fitnesses = objects[chosen], fitnesses[chosen]
        now = diversity(entropies(objects, groups), groups.sizes, generation)
        crossing, mutating = self.rates.at(now)
        share = weakness(fitnesses, groups)
        crossed = crossover(
            objects, groups.each(crossing) * share, groups.pairs(rng), self.rule, rng
        )
        return mutate(crossed, groups.each(mutating) * share, self.mutation, rng)


def mutation_named(name: str) -> Mutation:
    """``literal`` as printed, ``symmetric`` as ours."""
    if name not in MUTATIONS:
        raise UnknownNameError("mutation", name, MUTATIONS)
    return MUTATIONS[name]
