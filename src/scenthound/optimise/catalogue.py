"""The catalogue: every way to find weights, by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.registry import Registry
from scenthound.optimise.annealing import Annealing
from scenthound.optimise.exact import exact_weights
from scenthound.optimise.genetic import Genetic
from scenthound.optimise.hybrid import Hybrid
from scenthound.optimise.membrane import MembraneComputing
from scenthound.optimise.optimiser import OnProgress, Optimiser, Outcome, optimise
from scenthound.optimise.problem import WeightProblem, equal_weights
from scenthound.optimise.soundness import why_not

Value = int | float | str
EXACT = "exact"
"""The one that needs no search; not an entry of the table, for it asks nothing."""


@dataclass(frozen=True)
class Method:
    """One row: name -> optimiser + paper.

    ``preset`` are parameters in which a variant differs from the paper's.
    """

    name: str
    optimiser: Callable[..., Optimiser]
    """Called with the number of texts, a generator and, by keyword, its parameters."""
    paper: str
    summary: str
    preset: Mapping[str, Value] = field(default_factory=dict)

    @property
    def parameters(self) -> dict[str, Value]:
        """What may be set, with the defaults: the keyword parameters of the optimiser."""
        signature = inspect.signature(self.optimiser)
        return {
            name: self.preset.get(name, parameter.default)
            for name, parameter in signature.parameters.items()
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY
        }

    def check(self, parameters: Mapping[str, Value]) -> dict[str, Value]:
        """``parameters`` with their types put right; an error names the key and what it takes."""
        known = self.parameters
        for key in parameters:
            if key not in known:
                raise UnknownNameError(f"key for optimiser {self.name!r}:", key, known)
        return {k: _fitted(self.name, k, v, known[k]) for k, v in parameters.items()}

    def build(self, texts: int, seed: int, parameters: Mapping[str, Value]) -> Optimiser:
        """A fresh optimiser; equal seeds give equal answers."""
        settings = {**self.preset, **self.check(parameters)}
        try:
            return self.optimiser(texts, np.random.default_rng(seed), **settings)
        except UnknownNameError:
            raise
        except SettingsError as error:
            raise SettingsError(f"optimiser {self.name!r}: {error}") from None


OPTIMISERS: Registry[Method] = Registry(
    "optimiser",
    (
        Method("mcoa", MembraneComputing, "svsm-mcoa", "eight nested membranes"),
        Method("mcoa-symmetric", MembraneComputing, "ours, after svsm-mcoa",
               "the same, mutation steps each weight either way", {"mutation": "symmetric"}),
        Method("ga", Genetic, "bsvsm-ha", "genetic algorithm, one population"),
        Method("sa", Annealing, "bsvsm-ha", "simulated annealing from a random start"),
        Method("hybrid", Hybrid, "bsvsm-ha", "genetic algorithm, then annealing"),
        Method("hybrid-relative", Hybrid, "ours, after bsvsm-ha",
               "the same, annealing in thousandths of the fitness", {"power": "relative"}),
        Method("hybrid-cuckoo", Hybrid, "further work of bsvsm-ha",
               "hybrid-relative from a population found by cuckoo search",
               {"start": "cuckoo", "power": "relative"}),
    ),
)  # fmt: skip
NAMES = (EXACT, *OPTIMISERS)
"""What a user may choose from."""


def build(name: str, texts: int, seed: int = 0, **parameters: Value) -> Optimiser:
    """The optimiser of this name, for so many texts."""
    return OPTIMISERS[name].build(texts, seed, parameters)


def check(name: str, parameters: Mapping[str, Value]) -> dict[str, Value]:
    """Parameters for this name with their types put right; ``exact`` has none."""
    if name not in NAMES:
        raise UnknownNameError("optimiser", name, NAMES)
    if name != EXACT:
        return OPTIMISERS[name].check(parameters)
    if parameters:
        raise SettingsError(f"optimiser 'exact' has nothing to set: leave out {min(parameters)!r}.")
    return {}


def solve(
    problem: WeightProblem,
    name: str = EXACT,
    parameters: Mapping[str, Value] | None = None,
    seed: int = 0,
    on_progress: OnProgress | None = None,
) -> Outcome:
    """Weights for the problem, by the way of this name.

    Where the links cannot teach weights the outcome has equal weights and says the reason; its
    fitness is 0 where a similarity or target is not a number.
    """
    settings = check(name, parameters or {})
    texts = problem.moments.texts
    reason = why_not(problem.moments)
    if reason is not None:
        equal = equal_weights(texts)
        fitness = problem.fitness(equal) if problem.moments.finite else 0.0
        return Outcome(equal, fitness, 0, reason=reason)
    if name != EXACT:
        return optimise(OPTIMISERS[name].build(texts, seed, settings), problem, on_progress)
    weights = exact_weights(problem.moments)
    if on_progress is not None:
        on_progress(1.0)
    return Outcome(weights, problem.fitness(weights), 0)


def _fitted(optimiser: str, key: str, value: Value, default: Value) -> Value:
    """``value`` as the type of ``default``: an int will do for a float, nothing else."""
    if type(default) is float and type(value) is int:
        return float(value)
    if type(value) is not type(default):
        raise SettingsError(
            f"{optimiser}.{key} takes a value like {default!r}, not {value!r}; correct it."
        )
    return value
