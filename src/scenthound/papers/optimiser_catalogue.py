"""Every optimiser of link weights, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.parameters import Parameters, Value, check_name, check_parameters
from scenthound.core.registry import Registry
from scenthound.papers.bsvsm_ha import Population, Schedule, annealing, genetic, hybrid
from scenthound.papers.genetic_operators import Breeding
from scenthound.papers.least_squares import exact_weights, untrainable_reason
from scenthound.papers.svsm_mcoa import Membranes, membrane_computing
from scenthound.papers.weight_problem import (
    Evaluator,
    Moments,
    OnProgress,
    Outcome,
    Report,
    equal_weights,
)

Settings = Membranes | Population | Breeding | Schedule
"""Each field is a parameter that users may set, explained in the docstring of the class."""
UNRELATED = (
    "no link whose texts are similar to the topic leads to a page that is: "
    "the best weights are all 0, which choose nothing."
)
_NOTHING = 1e-12
"""Weights below it choose nothing."""
EXACT = "exact"
"""The one that needs no search; not an entry of the table, for it has no settings."""


@dataclass(frozen=True)
class OptimiserSpec:
    """An entry of the catalogue; ``preset`` are parameters that differ from the paper's."""

    name: str
    search: Callable[..., Report]
    """Called with an evaluator, a generator and one of each of the settings."""
    settings: tuple[type[Settings], ...]
    paper: str
    summary: str
    preset: Parameters = field(default_factory=dict)

    @property
    def parameters(self) -> dict[str, Value]:
        """The parameters that may be set, with their defaults: the fields of all settings."""
        defaults = dict(pair for group in self.settings for pair in group())
        return {**defaults, **self.preset}

    def check(self, parameters: Parameters) -> dict[str, Value]:
        """Return ``parameters`` with their types corrected; SettingsError where one is wrong."""
        checked = check_parameters("optimiser", self.name, parameters, self.parameters)
        self._filled(checked)
        return checked

    def run(
        self, moments: Moments, seed: int, parameters: Parameters, on_progress: OnProgress | None
    ) -> Outcome:
        """Return the result of a search; equal seeds give equal results."""
        settings = self._filled(parameters)
        evaluate = Evaluator(moments, 1 + sum(group.steps for group in settings), on_progress)
        return evaluate.outcome(self.search(evaluate, np.random.default_rng(seed), *settings))

    def _filled(self, parameters: Mapping[str, Any]) -> list[Settings]:
        values = {**self.parameters, **parameters}
        try:
            return [
                group(**{name: values[name] for name in group.model_fields})
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
        OptimiserSpec("mcoa", membrane_computing, _MEMBRANES, "svsm-mcoa",
               "eight nested membranes"),
        OptimiserSpec("mcoa-symmetric", membrane_computing, _MEMBRANES, "ours, after svsm-mcoa",
               "the same, mutation steps each weight either way", {"mutation": "symmetric"}),
        OptimiserSpec("ga", genetic, _GENETIC, "bsvsm-ha", "genetic algorithm, one population"),
        OptimiserSpec("sa", annealing, (Schedule,), "bsvsm-ha",
               "simulated annealing from a random start"),
        OptimiserSpec("hybrid", hybrid, _HYBRID, "bsvsm-ha", "genetic algorithm, then annealing"),
        OptimiserSpec("hybrid-relative", hybrid, _HYBRID, "ours, after bsvsm-ha",
               "the same, annealing in thousandths of the fitness", {"power": "relative"}),
        OptimiserSpec("hybrid-cuckoo", hybrid, _HYBRID, "further work of bsvsm-ha",
               "hybrid-relative from a population found by cuckoo search",
               {"start": "cuckoo", "power": "relative"}),
    ),
)  # fmt: skip
NAMES = (EXACT, *OPTIMISERS)
"""What a user may choose from."""


def check_optimiser(name: str, parameters: Parameters) -> dict[str, Value]:
    """Return the parameters of this optimiser with their types corrected; ``exact`` has none."""
    check_name("optimiser", name, NAMES)
    if name != EXACT:
        return OPTIMISERS[name].check(parameters)
    if parameters:
        raise SettingsError(f"optimiser 'exact' has nothing to set: leave out {min(parameters)!r}.")
    return {}


def solve(
    moments: Moments,
    name: str = EXACT,
    parameters: Parameters | None = None,
    seed: int = 0,
    on_progress: OnProgress | None = None,
) -> Outcome:
    """Return the weights that fit the links best, found by this optimiser.

    Where weights cannot be learned from the links, the outcome has equal weights and the reason;
    its fitness is 0 where a similarity or target is not a number.
    """
    settings = check_optimiser(name, parameters or {})
    reason = untrainable_reason(moments)
    equal = equal_weights(moments.texts)
    exact = exact_weights(moments) if reason is None else equal
    if reason is None and exact.max() <= _NOTHING:
        reason = UNRELATED
    if reason is not None:
        fitness = moments.fitness(equal) if moments.finite else 0.0
        return Outcome(equal, fitness, 0, reason=reason)
    if name != EXACT:
        return OPTIMISERS[name].run(moments, seed, settings, on_progress)
    if on_progress is not None:
        on_progress(1.0)
    return Outcome(exact, moments.fitness(exact), 0)
