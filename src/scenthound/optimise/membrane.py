"""Membrane computing: eight nested populations that send their best outwards.

svsm-mcoa sections 3.2.1-3.2.3 and Algorithm 1. The skin, membrane 1, holds 2 and 3; membrane 2
holds 4, 5 and 6; membrane 3 holds 7 and 8.

Algorithm 1 cannot be run as printed: the counter of generations is never reset, so only
membrane 1 would evolve, and only in the first round. Here it is reset for each membrane and each
round: 3 rounds of 3,000 generations in all membranes, each round ended by a communication.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scenthound.optimise.arrays import Array, Marks
from scenthound.optimise.evolution import Evolution, mutation_named
from scenthound.optimise.groups import Groups
from scenthound.optimise.operators import Rng, cross_both
from scenthound.optimise.optimiser import BestSoFar, Found, at_least
from scenthound.optimise.rates import STEEPNESS, Rates

SKIN = 0
OUTER = (SKIN, SKIN, SKIN, 1, 1, 1, 2, 2)
"""The membrane around each membrane; counted from 0, the paper counts from 1."""
MIDDLE = (1, 2)


class MembraneComputing:
    """MCOA.

    Parameters
    ----------
    texts : number of weights.
    rng : where chance comes from.
    rounds, generations : communications, and generations before each.
    skin, middle, elemental : objects of membrane 1, of 2 and 3 each, of 4 to 8 each.
    mutation : ``literal`` as printed, ``symmetric`` as ours.
    crossover_low, crossover_high, mutation_low, mutation_high, steepness : see ``Rates``.
    """

    def __init__(
        self,
        texts: int,
        rng: Rng,
        *,
        rounds: int = 3,
        generations: int = 3000,
        skin: int = 150,
        middle: int = 150,
        elemental: int = 50,
        mutation: str = "literal",
        crossover_low: float = 0.3,
        crossover_high: float = 0.7,
        mutation_low: float = 0.1,
        mutation_high: float = 0.5,
        steepness: float = STEEPNESS,
    ) -> None:
        at_least(1, rounds=rounds, generations=generations)
        at_least(1, skin=skin, middle=middle, elemental=elemental)
        self._rng = rng
        self._groups = Groups([skin, middle, middle, *[elemental] * 5])
        rates = Rates((crossover_low, crossover_high), (mutation_low, mutation_high), steepness)
        self._evolution = Evolution(self._groups, cross_both, mutation_named(mutation), rates)
        self._rounds, self._generations = rounds, generations
        self._round, self._generation, self._told = 1, 0, 0
        self._objects = rng.random((self._groups.objects, texts))
        self._fathers = np.zeros(len(self._groups))
        self._best = BestSoFar()
        self._last = 0.0

    def ask(self) -> Array:
        """The objects of all membranes."""
        return self._objects

    def tell(self, fitnesses: Array) -> None:
        """Evolve; at the end of a round communicate first."""
        self._told += 1
        self._best.note(self._objects, fitnesses)
        if self._generation == self._generations:
            self._objects, fitnesses = communicated(
                self._objects, fitnesses, self._groups, self._fathers, self._round, self._rng
            )
            self._last = float(fitnesses[self._groups.span(SKIN)].max())
            self._round, self._generation = self._round + 1, 0
            if self.done:
                return
        if self._generation == 0:
            self._fathers = self._groups.largest(fitnesses)
        self._generation += 1
        self._objects = self._evolution.after(self._objects, fitnesses, self._generation, self._rng)

    @property
    def progress(self) -> float:
        """Share of the generations of all rounds."""
        return self._told / (1 + self._rounds * self._generations)

    @property
    def done(self) -> bool:
        """Are all rounds over?"""
        return self._round > self._rounds

    @property
    def best(self) -> Found:
        """The best ever seen; line 21 takes that of the skin, where selection may have lost it."""
        return self._best.found

    def report(self) -> Mapping[str, float]:
        """``last``: the best fitness in the skin after the last communication."""
        return {"last": self._last}


def communicated(
    objects: Array, fitnesses: Array, groups: Groups, fathers: Array, round_: int, rng: Rng
) -> tuple[Array, Array]:
    """Every membrane sends to the one around it, the innermost first (svsm-mcoa Eq. 6).

    So an object can travel from an elemental membrane to the skin in one round. Whether objects
    are moved or copied is not printed; here they are copied, and the receiver keeps its fittest.
    """
    objects, fitnesses = objects.copy(), fitnesses.copy()
    for inner in range(len(groups) - 1, SKIN, -1):
        here, there = groups.span(inner), groups.span(OUTER[inner])
        sent = best_alone(fitnesses[here])
        if inner in MIDDLE:
            sent |= good_enough(fitnesses[here], float(fathers[inner]), round_, rng)
        pool = np.concatenate([fitnesses[there], fitnesses[here][sent]])
        kept = np.argsort(-pool, kind="stable")[: groups.sizes[OUTER[inner]]]
        objects[there] = np.concatenate([objects[there], objects[here][sent]])[kept]
        fitnesses[there] = pool[kept]
    return objects, fitnesses


def best_alone(fitnesses: Array) -> Marks:
    """The best object; of equally fit ones the first."""
    return np.asarray(np.arange(len(fitnesses)) == fitnesses.argmax())


def good_enough(fitnesses: Array, father: float, round_: int, rng: Rng) -> Marks:
    """Which objects a middle membrane sends beside its best, by a rule like Metropolis'.

    Those as fit as ``father``, and others with probability ``exp((fit - father) / round)``.
    ``father`` is the best of the membrane before the generations of this round; the paper says
    "father generation". Fitnesses are of the order of 0.5, so most objects are sent.
    """
    return rng.random(len(fitnesses)) <= np.exp(np.minimum(fitnesses - father, 0.0) / round_)
