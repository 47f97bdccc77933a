"""One generation: selection, crossover, mutation (svsm-mcoa Alg. 1, lines 11-13)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scenthound.optimise.arrays import Array
from scenthound.optimise.breeding import Breeding
from scenthound.optimise.groups import Groups
from scenthound.optimise.operators import (
    CrossoverRule,
    crossover,
    mutate,
    roulette,
    weakness,
)
from scenthound.optimise.rates import diversity, entropies


@dataclass(frozen=True)
class Evolution:
    """The rules by which populations change.

    Parameters
    ----------
    groups : the populations; they do not mix.
    rule : which parents of a pair are replaced.
    breeding : the step of a mutation, and how often to cross and to mutate.
    """

    groups: Groups
    rule: CrossoverRule
    breeding: Breeding

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
        crossing, mutating = self.breeding.rates(now)
        share = weakness(fitnesses, groups)
        crossed = crossover(
            objects, groups.each(crossing) * share, groups.pairs(rng), self.rule, rng
        )
        return mutate(crossed, groups.each(mutating) * share, self.breeding.step, rng)
