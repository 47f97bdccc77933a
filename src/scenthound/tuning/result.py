"""What a tuning came to: the weights, and how far priorities lie from the relevance found."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from scenthound.core.parameters import Value
from scenthound.optimise.arrays import Array
from scenthound.optimise.optimiser import Curve

FAR = 0.95
"""Searches that reach less of the exact fitness are worth a warning."""
_NEARER = ("mcoa-symmetric", "hybrid-relative")
"""Searches that come near."""
_DIGITS = 6


@dataclass(frozen=True, eq=False)
class Tuning:
    """Weights learnt from training links, and their figures on training and test links.

    ``weights``, ``equal`` and ``exact_weights`` go by the order of ``names``; ``equal`` is what
    both papers compare with. Errors are mean absolute ones, 0 without links, not a number where
    a link has one that is none. ``groups`` and ``groups_equal`` are those of up to 50 groups of
    consecutive test links. ``train`` and ``test`` are numbers of links.

    ``exact_fitness`` is the best fitness that weights can have and ``share`` the part of it that
    the optimiser reached. ``curve`` is empty for ``exact``, which asks nothing. ``reason`` says
    why nothing could be learnt: then all weights are equal, and there is no share (None).
    """

    topic: str
    model: str
    names: tuple[str, ...]
    weights: tuple[float, ...]
    equal: tuple[float, ...]
    optimiser: str
    parameters: Mapping[str, Value]
    """Those of the optimiser that differ from its defaults."""
    seed: int
    reason: str | None
    train_error: float
    train_error_equal: float
    test_error: float
    test_error_equal: float
    groups: Array
    groups_equal: Array
    fitness: float
    exact_fitness: float
    exact_weights: tuple[float, ...]
    share: float | None
    evaluations: int
    curve: Curve
    report: Mapping[str, float]
    seconds: float
    train: int
    test: int

    @property
    def by_name(self) -> dict[str, float]:
        """The weights by the names of the texts."""
        return dict(zip(self.names, self.weights, strict=True))

    @property
    def gain(self) -> float:
        """By which part the test error is smaller than with equal weights; below 0 if larger.

        0 where the error with equal weights is 0 or not a number.
        """
        if not self.test_error_equal > 0.0:
            return 0.0
        return 1.0 - self.test_error / self.test_error_equal

    @property
    def doubts(self) -> tuple[str, ...]:
        """What speaks against the weights, and what to do, a sentence each; empty for nothing."""
        if self.reason is not None:
            return (f"equal weights, since {self.reason}",)
        found = []
        if self.gain < 0.0:
            found.append(
                "on the test links equal weights are better than those learnt; "
                "try more links, or do without the file."
            )
        if not self.test:
            found.append(
                "there are no test links, so nothing says how good the weights are; "
                "mark some rows with test in the column half."
            )
        if self.share is not None and self.share < FAR:
            found.append(_far(self.optimiser, self.share))
        return tuple(found)

    def to_json(self) -> dict[str, object]:
        """As a results file has it; a number that is not finite is null."""
        return {
            "topic": self.topic,
            "model": self.model,
            "optimiser": self.optimiser,
            "parameters": dict(self.parameters),
            "seed": self.seed,
            "weights": _by_name(self.names, self.weights),
            "reason": self.reason,
            "links": {"train": self.train, "test": self.test},
            "train_error": _errors(self.train_error, self.train_error_equal),
            "test_error": _errors(self.test_error, self.test_error_equal),
            "gain": rounded(self.gain),
            "groups": {
                "learnt": [rounded(float(error)) for error in self.groups],
                "equal": [rounded(float(error)) for error in self.groups_equal],
            },
            "fitness": rounded(self.fitness),
            "exact": {
                "fitness": rounded(self.exact_fitness),
                "weights": _by_name(self.names, self.exact_weights),
            },
            "share": None if self.share is None else rounded_share(self.share),
            "evaluations": self.evaluations,
            "curve": [[evaluations, rounded(fitness)] for evaluations, fitness in self.curve],
            "report": {name: rounded(value) for name, value in self.report.items()},
            "seconds": round(self.seconds, 3),
        }


def rounded(value: float) -> float | None:
    """Six decimals, enough for any figure; None for what JSON has no number for."""
    return round(value, _DIGITS) if math.isfinite(value) else None


def rounded_share(share: float, digits: int = _DIGITS) -> float:
    """A share of the best there is; what is below 1 does not become 1 by rounding."""
    return round(share, digits) if share >= 1.0 else min(round(share, digits), 1.0 - 10.0**-digits)


def _far(optimiser: str, share: float) -> str:
    nearer = " or ".join(name for name in _NEARER if name != optimiser)
    return (
        f"{optimiser} reached only {rounded_share(share, 3):.3f} of the best fitness there is; "
        f"take the optimiser exact, or a search that comes nearer ({nearer})."
    )


def _errors(learnt: float, equal: float) -> dict[str, float | None]:
    return {"learnt": rounded(learnt), "equal": rounded(equal)}


def _by_name(names: tuple[str, ...], weights: tuple[float, ...]) -> dict[str, float | None]:
    return {name: rounded(weight) for name, weight in zip(names, weights, strict=True)}
