"""Every optimiser of link weights, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.parameters import Parameters, Value, check_parameters
from scenthound.core.registry import Registry
from scenthound.papers import weight_problem
from scenthound.papers.bsvsm_ha import Annealing, Genetic, Hybrid, Population, Schedule
from scenthound.papers.optimiser import OnProgress, Optimiser, Outcome, optimise
from scenthound.papers.svsm_mcoa import Breeding, MembraneComputing, Membranes

Settings = Membranes | Population | Breeding | Schedule
"""Frozen dataclasses: each field is a parameter that users may set, explained in its docstring."""
UNRELATED = (
    "no link whose texts are similar to the topic leads to a page that is: "
    "the best weights are all 0, which choose nothing."
)
_NOTHING = 1e-12
"""Weights below it choose nothing."""
EXACT = "exact"
"""The one that needs no search; not an entry of the table, for it asks nothing."""


@dataclass(frozen=True)
class OptimiserSpec:
    """One row: name -> optimiser + its settings + paper.

    ``preset`` are parameters in which a variant differs from the paper's.
    """

    name: str
    optimiser: Callable[..., Optimiser]
    """Called with the number of texts, a generator and one of each of the settings."""
    settings: tuple[type[Settings], ...]
    paper: str
    summary: str
    preset: Parameters = field(default_factory=dict)

    @property
    def parameters(self) -> dict[str, Value]:
        """What may be set, with the defaults: the fields of all settings."""
        known: dict[str, Value] = {}
        for group in self.settings:
            known |= asdict(group())
        return {**known, **self.preset}

    def check(self, parameters: Parameters) -> dict[str, Value]:
        """``parameters`` with their types put right.

        UnknownNameError or SettingsError for a key, a type or a value that cannot be.
        """
        known = self.parameters
        found = check_parameters("optimiser", self.name, parameters, known)
        self._filled({**known, **found})
        return found

    def build(self, texts: int, seed: int, parameters: Parameters) -> Optimiser:
        """A fresh optimiser; equal seeds give equal answers."""
        settings = self._filled({**self.parameters, **self.check(parameters)})
        return self.optimiser(texts, np.random.default_rng(seed), *settings)

    def _filled(self, parameters: Mapping[str, Any]) -> list[Settings]:
        """The settings with these values; they refuse what cannot be."""
        try:
            return [
                group(**{each.name: parameters[each.name] for each in fields(group)})
                for group in self.settings
            ]
        except SettingsError as error:
            raise SettingsError(f"optimiser {self.name!r}: {error}") from None


_MEMBRANES = (Membranes, Breeding)
_GENETIC = (Population, Breeding)
_HYBRID = (Population, Breeding, Schedule)
OPTIMISERS: Registry[OptimiserSpec] = Registry(
    "optimiser",
    (
        OptimiserSpec("mcoa", MembraneComputing, _MEMBRANES, "svsm-mcoa", "eight nested membranes"),
        OptimiserSpec("mcoa-symmetric", MembraneComputing, _MEMBRANES, "ours, after svsm-mcoa",
               "the same, mutation steps each weight either way", {"mutation": "symmetric"}),
        OptimiserSpec("ga", Genetic, _GENETIC, "bsvsm-ha", "genetic algorithm, one population"),
        OptimiserSpec("sa", Annealing, (Schedule,), "bsvsm-ha",
               "simulated annealing from a random start"),
        OptimiserSpec("hybrid", Hybrid, _HYBRID, "bsvsm-ha", "genetic algorithm, then annealing"),
        OptimiserSpec("hybrid-relative", Hybrid, _HYBRID, "ours, after bsvsm-ha",
               "the same, annealing in thousandths of the fitness", {"power": "relative"}),
        OptimiserSpec("hybrid-cuckoo", Hybrid, _HYBRID, "further work of bsvsm-ha",
               "hybrid-relative from a population found by cuckoo search",
               {"start": "cuckoo", "power": "relative"}),
    ),
)  # fmt: skip
NAMES = (EXACT, *OPTIMISERS)
"""What a user may choose from."""


def check_optimiser(name: str, parameters: Parameters) -> dict[str, Value]:
    """Parameters for this name with their types put right; ``exact`` has none."""
    if name not in NAMES:
        raise UnknownNameError("optimiser", name, NAMES)
    if name != EXACT:
        return OPTIMISERS[name].check(parameters)
    if parameters:
        raise SettingsError(f"optimiser 'exact' has nothing to set: leave out {min(parameters)!r}.")
    return {}


def solve(
    problem: weight_problem.WeightProblem,
    name: str = EXACT,
    parameters: Parameters | None = None,
    seed: int = 0,
    on_progress: OnProgress | None = None,
) -> Outcome:
    """Weights for the problem, by the way of this name.

    Where the links cannot teach weights the outcome has equal weights and says the reason; its
    fitness is 0 where a similarity or target is not a number.
    """
    settings = check_optimiser(name, parameters or {})
    reason = weight_problem.untrainable_reason(problem.moments)
    if reason is not None:
        return _equal_weights(problem, reason)
    exact = weight_problem.exact_weights(problem.moments)
    if exact.max() <= _NOTHING:
        return _equal_weights(problem, UNRELATED)
    if name != EXACT:
        optimiser = OPTIMISERS[name].build(problem.moments.texts, seed, settings)
        return optimise(optimiser, problem, on_progress)
    if on_progress is not None:
        on_progress(1.0)
    return Outcome(exact, problem.fitness(exact), 0)


def _equal_weights(problem: weight_problem.WeightProblem, reason: str) -> Outcome:
    equal = weight_problem.equal_weights(problem.moments.texts)
    fitness = problem.fitness(equal) if problem.moments.finite else 0.0
    return Outcome(equal, fitness, 0, reason=reason)
