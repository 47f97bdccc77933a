"""How objects are mutated, and how often they are crossed and mutated."""

from __future__ import annotations

from dataclasses import dataclass

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.optimise.arrays import Array
from scenthound.optimise.operators import MUTATIONS, Mutation
from scenthound.optimise.rates import logistic

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

    def __post_init__(self) -> None:
        if self.mutation not in MUTATIONS:
            raise UnknownNameError("mutation", self.mutation, MUTATIONS)
        _check_rates("crossover", self.crossover_low, self.crossover_high)
        _check_rates("mutation", self.mutation_low, self.mutation_high)
        if not 0.0 < self.steepness <= STEEPEST:
            raise SettingsError(
                f"steepness must be above 0 and at most {STEEPEST:g}, not {self.steepness}."
            )

    @property
    def step(self) -> Mutation:
        """The step of a mutation."""
        return MUTATIONS[self.mutation]

    def rates(self, diversities: Array) -> tuple[Array, Array]:
        """``r_c`` and ``r_m``: ``low + (high - low) / (1 + exp(-a U))``."""
        share = logistic(diversities, self.steepness)
        crossing = self.crossover_low + (self.crossover_high - self.crossover_low) * share
        mutating = self.mutation_low + (self.mutation_high - self.mutation_low) * share
        return crossing, mutating


def _check_rates(kind: str, low: float, high: float) -> None:
    if not 0.0 <= low <= high <= 1.0:
        raise SettingsError(
            f"the {kind} rates must be 0 <= lowest <= highest <= 1, not {low} and {high}."
        )
