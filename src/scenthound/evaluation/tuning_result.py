"""The result of a tuning: learned weights with their figures, as JSON, and the weights file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from scenthound.core.errors import SettingsError
from scenthound.core.parameters import Value
from scenthound.crawler.link_weights import LEARNED, MODEL, WEIGHTS
from scenthound.evaluation.outcomes import DIGITS, plain_json
from scenthound.evaluation.training_links import CollectedLinks
from scenthound.papers.weight_problem import Array, Curve, equal_weights
from scenthound.storage.files import os_errors_as, write_bytes

FAR_FROM_EXACT = 0.95
"""Searches that reach less of the exact fitness are worth a warning."""

_NEARER = ("mcoa-symmetric", "hybrid-relative")
"""Searches that come near."""


@dataclass(frozen=True, eq=False)
class Tuning:
    """Weights learned from training links, and their figures on training and test links.

    ``weights`` and ``exact_weights`` go by the order of ``names``. Errors are mean absolute errors,
    with the weights learned and with equal ones, which both papers compare with; 0 without links,
    NaN where a link has one. ``groups`` and ``groups_equal`` are those of up to 50 groups of
    consecutive test links. ``train`` and ``test`` are numbers of links.

    ``exact_fitness`` is the best fitness that weights can have and ``share`` the part of it that
    the optimiser reached. ``curve`` is empty for ``exact``, which does not search. ``reason`` says
    why nothing could be learned: then all weights are equal, and ``share`` is None.
    """

    topic: str
    model: str
    names: tuple[str, ...]
    weights: tuple[float, ...]
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
    def equal(self) -> tuple[float, ...]:
        """Equal weights of the same texts."""
        return tuple(equal_weights(len(self.names)).tolist())

    @property
    def gain(self) -> float:
        """By which part the test error is smaller than with equal weights; below 0 if larger."""
        if not self.test_error_equal > 0.0:
            return 0.0
        return 1.0 - self.test_error / self.test_error_equal

    @property
    def doubts(self) -> tuple[str, ...]:
        """Sentences on what speaks against the weights, and what to do."""
        if self.reason is not None:
            return (f"equal weights, since {self.reason}",)
        found = []
        if self.gain < 0.0:
            found.append(
                "on the test links equal weights are better than those learned; "
                "try more links, or do without the file."
            )
        if not self.test:
            found.append(
                "there are no test links, so nothing says how good the weights are; "
                "mark some rows with test in the column half."
            )
        if self.share is not None and self.share < FAR_FROM_EXACT:
            nearer = " or ".join(name for name in _NEARER if name != self.optimiser)
            found.append(
                f"{self.optimiser} reached only {rounded_share(self.share, 3):.3f} of the best "
                f"fitness there is; take the optimiser exact, or a search that comes nearer "
                f"({nearer})."
            )
        return tuple(found)

    def to_json(self) -> dict[str, object]:
        """The figures; a number that is not finite is null."""
        figures = {
            "topic": self.topic,
            "model": self.model,
            "optimiser": self.optimiser,
            "parameters": self.parameters,
            "seed": self.seed,
            "weights": self.by_name,
            "reason": self.reason,
            "links": {"train": self.train, "test": self.test},
            "train_error": {"learnt": self.train_error, "equal": self.train_error_equal},
            "test_error": {"learnt": self.test_error, "equal": self.test_error_equal},
            "gain": self.gain,
            "groups": {"learnt": self.groups.tolist(), "equal": self.groups_equal.tolist()},
            "fitness": self.fitness,
            "exact": {
                "fitness": self.exact_fitness,
                "weights": dict(zip(self.names, self.exact_weights, strict=True)),
            },
            "share": None if self.share is None else rounded_share(self.share),
            "evaluations": self.evaluations,
            "curve": self.curve,
            "report": self.report,
            "seconds": round(self.seconds, 3),
        }
        return plain_json(figures)  # type: ignore[return-value]

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Tuning:
        """Return the tuning of what :meth:`to_json` returned; null becomes NaN.

        Any exception of a lookup or a conversion where it is something else.
        """
        weights, exact, share = dict(stored["weights"]), stored["exact"], stored["share"]
        train, test, groups = stored["train_error"], stored["test_error"], stored["groups"]
        names, reason = tuple(map(str, weights)), stored["reason"]
        return cls(
            topic=str(stored["topic"]),
            model=str(stored["model"]),
            names=names,
            weights=_numbers(weights.values()),
            optimiser=str(stored["optimiser"]),
            parameters=dict(stored["parameters"]),
            seed=int(stored["seed"]),
            reason=None if reason is None else str(reason),
            train_error=_number(train["learnt"]),
            train_error_equal=_number(train["equal"]),
            test_error=_number(test["learnt"]),
            test_error_equal=_number(test["equal"]),
            groups=np.array(_numbers(groups["learnt"]), np.float64),
            groups_equal=np.array(_numbers(groups["equal"]), np.float64),
            fitness=_number(stored["fitness"]),
            exact_fitness=_number(exact["fitness"]),
            exact_weights=_numbers(exact["weights"][name] for name in names),
            share=None if share is None else float(share),
            evaluations=int(stored["evaluations"]),
            curve=tuple((int(number), _number(value)) for number, value in stored["curve"]),
            report={},
            seconds=_number(stored["seconds"]),
            train=int(stored["links"]["train"]),
            test=int(stored["links"]["test"]),
        )


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)


def _numbers(values: Iterable[Any]) -> tuple[float, ...]:
    return tuple(map(_number, values))


def rounded_share(share: float, digits: int = DIGITS) -> float:
    """Round a share of the best fitness; what is below 1 does not become 1."""
    return round(share, digits) if share >= 1.0 else min(round(share, digits), 1.0 - 10.0**-digits)


def write_weights(path: Path, tuning: Tuning, collected: CollectedLinks | None = None) -> None:
    """Write learned weights, and how they were learned, atomically.

    ``collected`` says where the training links come from, if that is known. SettingsError where
    the file cannot be written.
    """
    with os_errors_as(SettingsError, f"{path} cannot be written"):
        write_bytes(path, weights_text(tuning, collected).encode("utf-8", "replace"))


def weights_text(tuning: Tuning, collected: CollectedLinks | None = None) -> str:
    """The content of a weights file; :func:`~scenthound.read_weights` reads it back."""
    import tomlkit

    document = tomlkit.document()
    for line in (
        "Weights of the evidence for a link, for: scenthound replay ... --weights FILE",
        "They lie within 0 and 1 and need not add up to 1.",
    ):
        document.add(tomlkit.comment(line))
    if tuning.model:
        document.add(tomlkit.comment("They fit this text model:"))
        document.add(MODEL, tomlkit.item(tuning.model))
    document.add(WEIGHTS, tomlkit.item(tuning.by_name))
    document.add(LEARNED, tomlkit.item(_provenance(tuning, collected)))
    return tomlkit.dumps(document)


def _provenance(tuning: Tuning, collected: CollectedLinks | None) -> dict[str, object]:
    """How the weights were learned, for whoever finds the file later."""
    figures: dict[str, object] = {
        "topic": tuning.topic,
        "optimiser": tuning.optimiser,
        "seed": tuning.seed,
        "train_links": tuning.train,
        "test_links": tuning.test,
        "train_error": plain_json(tuning.train_error),
        "train_error_equal": plain_json(tuning.train_error_equal),
        "test_error": plain_json(tuning.test_error),
        "test_error_equal": plain_json(tuning.test_error_equal),
        "share_of_exact_fitness": None if tuning.share is None else rounded_share(tuning.share),
        "equal_because": tuning.reason,
        "parameters": dict(tuning.parameters),
        "scenthound": version("scenthound"),
    }
    if collected is not None:
        figures |= {"links_from": collected.source, "pages_fetched": collected.fetched}
        figures["model_parameters"] = dict(collected.parameters)
    known = {key: value for key, value in figures.items() if value not in (None, {})}
    return dict(sorted(known.items(), key=lambda pair: isinstance(pair[1], dict)))  # tables last
