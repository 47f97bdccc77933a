"""Learns weights from training links (the first half trains, the second tests) and writes them to
a file.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

from scenthound.core.errors import SettingsError
from scenthound.core.parameters import Parameters, Value
from scenthound.crawler.link_weights import LEARNED, MODEL, WEIGHTS
from scenthound.evaluation.outcomes import plain_json
from scenthound.evaluation.training_links import (
    CollectedLinks,
    TrainingLinks,
    shorten_line,
    unknown_values,
)
from scenthound.papers.optimiser_catalogue import EXACT, check_optimiser, solve
from scenthound.papers.weight_problem import (
    Array,
    Curve,
    Moments,
    OnProgress,
    Outcome,
    WeightProblem,
    equal_weights,
    grouped_errors,
    mean_absolute_error,
    untrainable_reason,
)
from scenthound.storage.files import os_errors_as, write_bytes

_HEAD = (
    "Weights of the evidence for a link, for: scenthound replay ... --weights FILE",
    "They lie within 0 and 1 and need not add up to 1.",
)

_FIT = "They fit this text model:"


def write_weights(path: Path, tuning: Tuning, collected: CollectedLinks | None = None) -> None:
    """Write learned weights, and how they were learned; in one step.

    Parameters
    ----------
    path : where to; a file that is there is replaced.
    tuning : the weights and their figures.
    collected : where the training links come from, if that is known.

    SettingsError where it cannot be written.
    """
    with os_errors_as(SettingsError, f"{path} cannot be written"):
        write_bytes(path, weights_text(tuning, collected).encode("utf-8", "replace"))


def weights_text(tuning: Tuning, collected: CollectedLinks | None = None) -> str:
    """The content of a weights file; :func:`read_weights` reads it back."""
    import tomlkit

    document = tomlkit.document()
    for line in _HEAD:
        document.add(tomlkit.comment(line))
    if tuning.model:
        document.add(tomlkit.comment(_FIT))
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
        "train_error": rounded(tuning.train_error),
        "train_error_equal": rounded(tuning.train_error_equal),
        "test_error": rounded(tuning.test_error),
        "test_error_equal": rounded(tuning.test_error_equal),
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


FAR_FROM_EXACT = 0.95
"""Searches that reach less of the exact fitness are worth a warning."""

_NEARER = ("mcoa-symmetric", "hybrid-relative")
"""Searches that come near."""

_DIGITS = 6


@dataclass(frozen=True, eq=False)
class Tuning:
    """Weights learned from training links, and their figures on training and test links.

    ``weights``, ``equal`` and ``exact_weights`` go by the order of ``names``; ``equal`` is what
    both papers compare with. Errors are mean absolute ones, 0 without links, not a number where
    a link has one that is none. ``groups`` and ``groups_equal`` are those of up to 50 groups of
    consecutive test links. ``train`` and ``test`` are numbers of links.

    ``exact_fitness`` is the best fitness that weights can have and ``share`` the part of it that
    the optimiser reached. ``curve`` is empty for ``exact``, which asks nothing. ``reason`` says
    why nothing could be learned: then all weights are equal, and there is no share (None).
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
        """As a results file has it; a number that is not finite is null."""
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
            "groups": {
                "learnt": self.groups.tolist(),
                "equal": self.groups_equal.tolist(),
            },
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


def rounded(value: float) -> float | None:
    """Six decimals, enough for any figure; None for what JSON has no number for."""
    return round(value, _DIGITS) if math.isfinite(value) else None


def rounded_share(share: float, digits: int = _DIGITS) -> float:
    """A share of the best there is; what is below 1 does not become 1 by rounding."""
    return round(share, digits) if share >= 1.0 else min(round(share, digits), 1.0 - 10.0**-digits)


# Weights from training links: the first half trains, the second tests.


def tune_links(
    links: TrainingLinks,
    optimiser: str = EXACT,
    parameters: Parameters | None = None,
    seed: int = 0,
    on_progress: OnProgress | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Tuning:
    """Find the weights that predict the relevance of the training links' targets best.

    Where the links cannot teach weights (fewer than 20 that train, all alike, a value that is no
    number, ...) the answer has equal weights and says the reason.

    Parameters
    ----------
    links : those that train, then those that test.
    optimiser : a name of ``papers.optimiser_catalogue.NAMES``.
    parameters : the optimiser's, by name.
    seed : of the random generator, together with the name of the topic; equal ones give equal
        weights.
    on_progress : gets the share of the work that is done.
    clock : seconds, for the time it took.

    Raises
    ------
    UnknownNameError, SettingsError
        There is no such optimiser, or a parameter cannot be.
    """
    settings, started = check_optimiser(optimiser, parameters or {}), clock()
    problem = WeightProblem(_moments(links, links.train))
    exact = outcome = _exact(links, problem)
    if exact.reason is None and optimiser != EXACT:
        outcome = solve(problem, optimiser, settings, topic_seed(seed, links.topic), on_progress)
    elif on_progress is not None:
        on_progress(1.0)
    equal = equal_weights(len(links.names))
    train, test = slice(links.train), slice(links.train, None)
    return Tuning(
        topic=links.topic,
        model=links.model,
        names=links.names,
        weights=_numbers(outcome.weights),
        equal=_numbers(equal),
        optimiser=optimiser,
        parameters=settings,
        seed=seed,
        reason=outcome.reason,
        train_error=_error(links, train, outcome.weights),
        train_error_equal=_error(links, train, equal),
        test_error=_error(links, test, outcome.weights),
        test_error_equal=_error(links, test, equal),
        groups=grouped_errors(links.rows[test], links.targets[test], outcome.weights),
        groups_equal=grouped_errors(links.rows[test], links.targets[test], equal),
        fitness=outcome.fitness,
        exact_fitness=exact.fitness,
        exact_weights=_numbers(exact.weights),
        share=None if outcome.reason else min(outcome.fitness / exact.fitness, 1.0),
        evaluations=outcome.evaluations,
        curve=outcome.curve,
        report=dict(outcome.report),
        seconds=clock() - started,
        train=links.train,
        test=links.test,
    )


def topic_seed(seed: int, topic: str) -> int:
    """The seed of a topic's search: no two topics begin alike, on any machine the same."""
    text = f"{seed} {shorten_line(topic)}".encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")


def _moments(links: TrainingLinks, first: int) -> Moments:
    return Moments.of(links.rows[:first], links.targets[:first])


def _exact(links: TrainingLinks, problem: WeightProblem) -> Outcome:
    """The best weights; equal ones and the reason where there are none to be had."""
    every = _moments(links, len(links))
    if not every.finite:  # though it be a link that only tests
        reason = unknown_values(links) or untrainable_reason(every)
        return Outcome(equal_weights(every.texts), 0.0, 0, reason=reason)
    return solve(problem)


def _error(links: TrainingLinks, part: slice, weights: Array) -> float:
    return mean_absolute_error(links.rows[part], links.targets[part], weights)


def _numbers(weights: Array) -> tuple[float, ...]:
    return tuple(map(float, weights))
