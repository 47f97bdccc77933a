"""The hybrid of bsvsm-ha (section III.B): a genetic algorithm, then annealing from its best."""

from __future__ import annotations

from collections.abc import Mapping

from scenthound.optimise.annealing import Annealing
from scenthound.optimise.arrays import Array
from scenthound.optimise.genetic import Genetic
from scenthound.optimise.operators import Rng
from scenthound.optimise.optimiser import Found
from scenthound.optimise.rates import STEEPNESS


class Hybrid:
    """GA, then SA; it ends no worse than the GA did, for SA starts at the GA's best.

    Parameters
    ----------
    texts : number of weights.
    rng : where chance comes from.
    generations, ..., steepness : see ``Genetic``.
    hot, ..., power : see ``Annealing``.
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
        hot: float = 100.0,
        cold: float = 0.1,
        cooling: float = 0.99,
        step: float = 0.05,
        power: str = "fitness",
    ) -> None:
        self._genetic = Genetic(
            texts, rng, generations=generations, individuals=individuals, start=start,
            cuckoo_generations=cuckoo_generations, mutation=mutation,
            crossover_low=crossover_low, crossover_high=crossover_high,
            mutation_low=mutation_low, mutation_high=mutation_high, steepness=steepness,
        )  # fmt: skip
        self._annealing = Annealing(
            texts, rng, hot=hot, cold=cold, cooling=cooling, step=step, power=power
        )
        self._steps = self._genetic.steps + self._annealing.steps

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
        passed = genetic.progress * genetic.steps + annealing.progress * annealing.steps
        return passed / self._steps

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
