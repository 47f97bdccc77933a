"""The hybrid of bsvsm-ha (section III.B): a genetic algorithm, then annealing from its best."""

from __future__ import annotations

from collections.abc import Mapping

from scenthound.optimise.annealing import Annealing, Schedule
from scenthound.optimise.arrays import Array
from scenthound.optimise.breeding import Breeding
from scenthound.optimise.genetic import Genetic, Population
from scenthound.optimise.operators import Rng
from scenthound.optimise.optimiser import Found


class Hybrid:
    """GA, then SA; it ends no worse than its own GA did, for SA starts at the GA's best.

    With the same seed ``ga`` runs another GA: here the annealing draws too, before they begin.

    Parameters
    ----------
    texts : number of weights.
    rng : where chance comes from.
    population, breeding : of the genetic algorithm.
    schedule : of the annealing.
    """

    def __init__(
        self, texts: int, rng: Rng, population: Population, breeding: Breeding, schedule: Schedule
    ) -> None:
        self._genetic = Genetic(texts, rng, population, breeding)
        self._annealing = Annealing(texts, rng, schedule)

    def ask(self) -> Array:
        """What the part asks that is at work."""
        return self._now.ask()

    def tell(self, fitnesses: Array) -> None:
        """Pass it on; when the genetic algorithm is done the annealing starts from its best."""
        now = self._now
        now.tell(fitnesses)
        if now is self._genetic and self._genetic.done:
            self._annealing.start_from(self._genetic.best)

    @property
    def progress(self) -> float:
        """Share of the generations and steps of both."""
        genetic, annealing = self._genetic, self._annealing
        return (genetic.told + annealing.told) / (genetic.steps + annealing.steps)

    @property
    def done(self) -> bool:
        """Are both parts done?"""
        return self._genetic.done and self._annealing.done

    @property
    def best(self) -> Found:
        """The best either has seen."""
        return self._annealing.best if self._genetic.done else self._genetic.best

    def report(self) -> Mapping[str, float]:
        """``genetic``: best fitness before the annealing; the rest as ``Annealing`` tells it."""
        return {"genetic": self._genetic.best.fitness, **self._annealing.report()}

    @property
    def _now(self) -> Genetic | Annealing:
        return self._annealing if self._genetic.done else self._genetic
