"""The result of a tuning: learned weights with their figures, as JSON, and the weights file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, TypeAdapter

from scenthound.core.errors import SettingsError
from scenthound.core.parameters import Value
from scenthound.crawler.argument_checks import LEARNED, MODEL, WEIGHTS
from scenthound.evaluation.outcomes import DIGITS, plain_json
from scenthound.evaluation.training_links import CollectedLinks
from scenthound.papers.weight_problem import equal_weights
from scenthound.storage.files import os_errors_as, write_bytes

FAR_FROM_EXACT = 0.95
"""Searches that reach less of the exact fitness are worth a warning."""


Figure = Annotated[float, BeforeValidator(lambda value: math.nan if value is None else value)]
"""A number; JSON has null for one that is not finite."""


@dataclass(frozen=True)
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
    weights: tuple[Figure, ...]
    optimiser: str
    parameters: Mapping[str, Value]
    """Those of the optimiser that differ from its defaults."""
    seed: int
    reason: str | None
    train_error: Figure
    train_error_equal: Figure
    test_error: Figure
    test_error_equal: Figure
    groups: tuple[Figure, ...]
    groups_equal: tuple[Figure, ...]
    fitness: Figure
    exact_fitness: Figure
    exact_weights: tuple[Figure, ...]
    share: float | None
    evaluations: int
    curve: tuple[tuple[int, Figure], ...]
    report: Mapping[str, Figure]
    seconds: Figure
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
            found.append(
                f"{self.optimiser} reached only {rounded_share(self.share, 3):.3f} of the best "
                "fitness there is; take the optimiser exact."
            )
        return tuple(found)

    def to_json(self) -> dict[str, object]:
        """The figures; a number that is not finite is null."""
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        figures = {
            **{name: own[name] for name in _AS_THEY_ARE},
            "weights": self.by_name,
            "links": {"train": self.train, "test": self.test},
            "train_error": {"learnt": self.train_error, "equal": self.train_error_equal},
            "test_error": {"learnt": self.test_error, "equal": self.test_error_equal},
            "gain": self.gain,
            "groups": {"learnt": self.groups, "equal": self.groups_equal},
            "exact": {
                "fitness": self.exact_fitness,
                "weights": dict(zip(self.names, self.exact_weights, strict=True)),
            },
            "share": None if self.share is None else rounded_share(self.share),
        }
        return plain_json(figures)  # type: ignore[return-value]

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Tuning:
        """Return the tuning of what :meth:`to_json` returned; null becomes NaN.

        LookupError, TypeError, AttributeError or ValueError where it is something else.
        """
        weights, exact = stored["weights"], stored["exact"]
        values = {
            **{name: stored[name] for name in _AS_THEY_ARE},
            "names": tuple(weights),
            "weights": tuple(weights.values()),
            "train": stored["links"]["train"],
            "test": stored["links"]["test"],
            "exact_fitness": exact["fitness"],
            "exact_weights": [exact["weights"][name] for name in weights],
            "share": stored["share"],
        }
        for name in ("train_error", "test_error", "groups"):
            values[name] = stored[name]["learnt"]
            values[f"{name}_equal"] = stored[name]["equal"]
        return _TUNING.validate_python(values)


_AS_THEY_ARE = (
    "topic", "model", "optimiser", "parameters", "seed", "reason", "fitness", "evaluations",
    "curve", "report", "seconds",
)  # fmt: skip
"""What JSON has under the same name."""
_TUNING = TypeAdapter(Tuning)


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
    """How the weights were learned, for whoever finds the file later; tables are last."""
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
        "scenthound": version("scenthound"),
        "links_from": None if collected is None else collected.source,
        "pages_fetched": None if collected is None else collected.fetched,
        "parameters": dict(tuning.parameters),
        "model_parameters": {} if collected is None else dict(collected.parameters),
    }
    return {key: value for key, value in figures.items() if value not in (None, {})}
