"""The genetic algorithm of bsvsm-ha (section III.B, Eq. 5-9): one population, no membranes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scenthound.core.errors import UnknownNameError
from scenthound.optimise.arrays import Array
from scenthound.optimise.breeding import Breeding
from scenthound.optimise.cuckoo import CuckooSearch
from scenthound.optimise.evolution import Evolution
from scenthound.optimise.groups import Groups
from scenthound.optimise.operators import Rng, cross_each
from scenthound.optimise.optimiser import MOST_GENERATIONS, MOST_OBJECTS, at_least, at_most
from scenthound.optimise.population import all_different
from scenthound.optimise.stepwise import Stepwise

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
        at_least(1, **times)
        at_most(MOST_GENERATIONS, **times)
        at_least(2, individuals=self.individuals)
        at_most(MOST_OBJECTS, individuals=self.individuals)
        if self.start not in STARTS:
            raise UnknownNameError("start", self.start, STARTS)


class Genetic(Stepwise):
    """GA. Its best is the best ever seen, that of the cuckoos included.

    Parameters
    ----------
    texts : number of weights.
    rng : where chance comes from.
    population : how large, from where and for how long.
    breeding : how the individuals change.
    """

    def __init__(self, texts: int, rng: Rng, population: Population, breeding: Breeding) -> None:
        self._texts, self._rng = texts, rng
        self._cuckoo = _cuckoos(texts, rng, population)
        before = 0 if self._cuckoo is None else self._cuckoo.steps
        super().__init__(before + 1 + population.generations)
        self._evolution = Evolution(Groups([population.individuals]), cross_each, breeding)
        self._generation = 0
        self._objects = all_different(self._draw(population.individuals), self._draw)
        self._last = 0.0

    def ask(self) -> Array:
        """The population, or what the cuckoos ask."""
        return self._objects if self._cuckoo is None else self._cuckoo.ask()

    def tell(self, fitnesses: Array) -> None:
        """Go on to the next generation, or let the cuckoos go on."""
        self.note(self.ask(), fitnesses)
        if self._cuckoo is not None:
            self._tell_cuckoo(self._cuckoo, fitnesses)
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

    def _tell_cuckoo(self, cuckoo: CuckooSearch, fitnesses: Array) -> None:
        cuckoo.tell(fitnesses)
        if cuckoo.done:
            self._objects = all_different(cuckoo.nests, self._draw)
            self._cuckoo = None

    def _draw(self, count: int) -> Array:
        return self._rng.random((count, self._texts))


def _cuckoos(texts: int, rng: Rng, population: Population) -> CuckooSearch | None:
    """The search for the first population, if there is to be one."""
    if population.start != "cuckoo":
        return None
    generations = population.cuckoo_generations
    return CuckooSearch(texts, rng, nests=population.individuals, generations=generations)
