"""``tune`` and ``tune_links``: link weights learned from an archive, a crawl folder or a file of
links. The first half of the links trains, the second tests.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from scenthound.core.command_options import TuneOptions
from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.core.options import takes
from scenthound.core.parameters import Value
from scenthound.crawler.argument_checks import check_parameters, check_topic, load_lexicon
from scenthound.crawler.caches import cache_choice, open_equipment
from scenthound.evaluation import tuning_result
from scenthound.evaluation.link_collection import collect_links, default_model
from scenthound.evaluation.training_links import (
    CollectedLinks,
    LinkPlan,
    TrainingLinks,
    shorten_line,
    write_links,
)
from scenthound.evaluation.tuning_result import Tuning
from scenthound.papers import optimiser_catalogue
from scenthound.papers.least_squares import untrainable_reason
from scenthound.papers.weight_problem import (
    Moments,
    Outcome,
    equal_weights,
    grouped_errors,
    mean_absolute_error,
)
from scenthound.storage.archive import Archive
from scenthound.storage.folder import check_required_path
from scenthound.strategies.spec import LinkWeights

COLLECTING, LEARNING = "collecting links", "learning weights"

OnTuning = Callable[[str, float, float], None]
"""Called with the stage, how much of it is done, and of how much."""


@dataclass(frozen=True)
class TunedTopic:
    """A topic's weights with their figures, and the links they were learned from.

    ``collected`` says how the links were collected; None where they were given.
    """

    tuning: Tuning
    links: TrainingLinks
    collected: CollectedLinks | None = None

    @property
    def weights(self) -> LinkWeights:
        """The weights, for ``replay(..., weights=tuned.weights)`` and ``crawl``."""
        tuning = self.tuning
        origin = f"the tuning of {tuning.topic!r}" if tuning.topic else "a tuning"
        return LinkWeights(tuning.by_name, tuning.model or None, origin)

    def write_weights(self, path: str | Path) -> None:
        """A weights file, for ``replay(..., weights=path)`` and ``--weights``."""
        tuning_result.write_weights(Path(path), self.tuning, self.collected)

    def write_links(self, path: str | Path) -> None:
        """The links as ``.parquet`` or ``.csv``, by the suffix."""
        write_links(Path(path), self.links)

    def to_json(self) -> dict[str, object]:
        """The figures, without the links."""
        collected = None if self.collected is None else self.collected.to_json()
        return {**self.tuning.to_json(), "collected": collected}


@takes(TuneOptions)
def tune(
    source: str | Path | Archive,
    topic: Topic | None = None,
    *,
    parameters: Mapping[str, Value] | None = None,
    optimiser_parameters: Mapping[str, Value] | None = None,
    on_progress: OnTuning | None = None,
    **options: Any,
) -> TunedTopic:
    """Learn how much each text of a link should weigh for a topic.

    Links whose targets are known are collected. The first half of them trains, the second
    tests. Where weights cannot be learned from them, they are equal and ``tuning.reason`` says why.

    Parameters
    ----------
    source : an archive, open or not, to crawl breadth-first from the topic's seeds; or a crawl
        folder, whose pages are read again.
    topic : what to look for; by default the crawl folder's own.
    parameters : the text model's, by name.
    optimiser_parameters : the optimiser's, by name.
    on_progress : called with the stage, how much of it is done, and of how much.
    model, optimiser, links, structure, random_seed, pdf, wordnet, cache, cache_limit : see
        :class:`~scenthound.core.command_options.TuneOptions`. The default ``model`` is that of the
        strategy that crawled a crawl folder, if it has one, or else ``soft-sdvsm``.

    Raises
    ------
    UnknownNameError
        There is no such option, model, optimiser or parameter.
    SettingsError
        An argument is of the wrong type or value, the topic has no seed in the archive, or the
        source is a file of links, which is for :func:`read_links` and :func:`tune_links`.
    ArchiveError, FolderError
        There is no archive and no crawl, or it cannot be read.
    """
    if not isinstance(source, Archive):
        check_required_path("source", source)
    if topic is not None:
        check_topic(topic)
    check_parameters(parameters)
    check_parameters(optimiser_parameters)
    wanted = TuneOptions.from_arguments(**options)
    settings = optimiser_catalogue.check_optimiser(wanted.optimiser, optimiser_parameters or {})
    on_links = None if on_progress is None else partial(on_progress, COLLECTING)
    with open_equipment(cache_choice(wanted.cache, wanted.cache_limit)) as equipment:
        plan = LinkPlan(
            wanted.model or default_model(source), parameters or {}, wanted.links,
            wanted.structure, wanted.random_seed, load_lexicon(wanted.wordnet), equipment,
        )  # fmt: skip
        collected = collect_links(source, topic, plan, wanted.pdf, on_links)
    tuning = tune_links(
        collected.links, wanted.optimiser, parameters=settings, random_seed=wanted.random_seed,
        on_progress=on_progress,
    )  # fmt: skip
    return TunedTopic(tuning, collected.links, collected)


def tune_links(
    links: TrainingLinks,
    optimiser: str = optimiser_catalogue.EXACT,
    *,
    parameters: Mapping[str, Value] | None = None,
    random_seed: int = 0,
    on_progress: OnTuning | None = None,
) -> Tuning:
    """Find the weights that predict the relevance of the training links' targets best.

    Where the links cannot teach weights (fewer than 20 that train, all alike, a value that is no
    number, ...) the weights are equal and ``reason`` says why.

    Parameters
    ----------
    links : those that train, then those that test; see :func:`read_links`.
    optimiser : ``exact``, ``mcoa``, ``hybrid``, ...
    parameters : the optimiser's, by name.
    random_seed : same seed, same topic, same links, same weights.
    on_progress : called with the stage, how much of it is done, and of how much.
    """
    if not isinstance(links, TrainingLinks):
        raise SettingsError("links takes TrainingLinks; read a file of them with read_links(...).")
    TuneOptions(optimiser=optimiser, random_seed=random_seed)
    check_parameters(parameters)
    settings = optimiser_catalogue.check_optimiser(optimiser, parameters or {})
    started = time.perf_counter()

    def report(done: float) -> None:
        if on_progress is not None:
            on_progress(LEARNING, done, 1.0)

    train = links.rows[: links.train], links.targets[: links.train]
    test = links.rows[links.train :], links.targets[links.train :]
    moments = Moments.of(*train)
    exact = outcome = _exact(links, moments)
    if exact.reason is None and optimiser != optimiser_catalogue.EXACT:
        seed = topic_seed(random_seed, links.topic)
        outcome = optimiser_catalogue.solve(moments, optimiser, settings, seed, report)
    else:
        report(1.0)
    equal = equal_weights(len(links.names))
    return Tuning(
        topic=links.topic,
        model=links.model,
        names=links.names,
        weights=tuple(map(float, outcome.weights)),
        optimiser=optimiser,
        parameters=settings,
        seed=random_seed,
        reason=outcome.reason,
        train_error=mean_absolute_error(*train, outcome.weights),
        train_error_equal=mean_absolute_error(*train, equal),
        test_error=mean_absolute_error(*test, outcome.weights),
        test_error_equal=mean_absolute_error(*test, equal),
        groups=tuple(grouped_errors(*test, outcome.weights).tolist()),
        groups_equal=tuple(grouped_errors(*test, equal).tolist()),
        fitness=outcome.fitness,
        exact_fitness=exact.fitness,
        exact_weights=tuple(map(float, exact.weights)),
        share=None if outcome.reason else min(outcome.fitness / exact.fitness, 1.0),
        evaluations=outcome.evaluations,
        curve=outcome.curve,
        report=dict(outcome.report),
        seconds=time.perf_counter() - started,
        train=links.train,
        test=links.test,
    )


def topic_seed(seed: int, topic: str) -> int:
    """The seed of a topic's search: no two topics begin alike, and it is the same everywhere."""
    text = f"{seed} {shorten_line(topic)}".encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")


def _exact(links: TrainingLinks, moments: Moments) -> Outcome:
    """The best weights; equal ones and the reason where there are none."""
    every = Moments.of(links.rows, links.targets)
    if not every.finite:  # though it be a link that only tests
        return Outcome(equal_weights(every.texts), 0.0, 0, reason=untrainable_reason(every))
    return optimiser_catalogue.solve(moments)
