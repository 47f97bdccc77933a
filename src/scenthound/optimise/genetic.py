"""The genetic algorithm of bsvsm-ha (section III.B, Eq. 5-9): one population, no membranes."""

from __future__ import annotations

from collections.abc import Mapping

from scenthound.core.errors import UnknownNameError
from scenthound.optimise.arrays import Array
from scenthound.optimise.cuckoo import CuckooSearch
from scenthound.optimise.evolution import Evolution, mutation_named
from scenthound.optimise.groups import Groups
from scenthound.optimise.operators import Rng, cross_each
from scenthound.optimise.optimiser import BestSoFar, Found, at_least
from scenthound.optimise.population import all_different
from scenthound.optimise.rates import STEEPNESS, Rates

STARTS = ("random", "cuckoo")


class Genetic:
    """GA.

    Parameters
    ----------
    texts : number of weights.
    rng : where chance comes from.
    generations : how often the population changes.
    individuals : size of the population. The paper does not print it; 150 as in svsm-mcoa.
    start : ``random`` as printed; ``cuckoo`` lets a cuckoo search find the first population.
    cuckoo_generations : for how long, with ``start="cuckoo"``.
    mutation : ``literal`` as printed, ``symmetric`` as ours.
    crossover_low, crossover_high, mutation_low, mutation_high, steepness : see ``Rates``.
    """

    def __init__(
        self,
        texts: int,
        rng: Rng,
        *,
        generations: int = 3000,
        individuals: int = 150,
        start: str = "random",
        cuckoo_generations: int = 50,
        mutation: str = "literal",
        crossover_low: float = 0.3,
        crossover_high: float = 0.7,
        mutation_low: float = 0.1,
        mutation_high: float = 0.5,
        steepness: float = STEEPNESS,
    ) -> None:
        at_least(1, generations=generations)
        at_least(2, individuals=individuals)
        if start not in STARTS:
            raise UnknownNameError("start", start, STARTS)
        rates = Rates((crossover_low, crossover_high), (mutation_low, mutation_high), steepness)
        self._texts, self._rng = texts, rng
        self._evolution = Evolution(
            Groups([individuals]), cross_each, mutation_named(mutation), rates
        )
        self._cuckoo = (
            CuckooSearch(texts, rng, nests=individuals, generations=cuckoo_generations)
            if start == "cuckoo"
            else None
        )
        self.steps = generations + 1 + (0 if self._cuckoo is None else self._cuckoo.steps)
        self._generations, self._generation, self._told = generations, 0, 0
        self._objects = all_different(self._draw(individuals), self._draw)
        self._best = BestSoFar()
        self._last = 0.0

    def ask(self) -> Array:
        """The population, or what the cuckoos ask."""
        return self._objects if self._cuckoo is None else self._cuckoo.ask()

    def tell(self, fitnesses: Array) -> None:
        """Go on to the next generation."""
        self._told += 1
        if self._cuckoo is not None:
            self._tell_cuckoo(self._cuckoo, fitnesses)
            return
        self._best.note(self._objects, fitnesses)
        self._last = float(fitnesses.max())
        if not self.done:
            self._generation += 1
            self._objects = self._evolution.after(
                self._objects, fitnesses, self._generation, self._rng
            )

    @property
    def progress(self) -> float:
        """Share of the generations."""
        return self._told / self.steps

    @property
    def done(self) -> bool:
        """Has the last generation been evaluated?"""
        return self._told == self.steps

    @property
    def best(self) -> Found:
        """The best ever seen: selection may have lost it since."""
        return self._best.found

    def report(self) -> Mapping[str, float]:
        """``last``: the best fitness of the last generation."""
        return {"last": self._last}

    def _tell_cuckoo(self, cuckoo: CuckooSearch, fitnesses: Array) -> None:
        cuckoo.tell(fitnesses)
        self._best.found = cuckoo.best
        if cuckoo.done:
            self._objects = all_different(cuckoo.nests, self._draw)
            self._cuckoo = None

    def _draw(self, count: int) -> Array:
        return self._rng.random((count, self._texts))
