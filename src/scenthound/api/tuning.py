"""Link weights from Python: learn them for a topic, keep them, read them back."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scenthound.api.arguments import (
    check_given_path,
    check_number,
    check_parameters,
    check_path,
    check_topic,
)
from scenthound.api.shared import chosen_cache, load_lexicon, warn_caller
from scenthound.api.tuning_sources import collect, default_model
from scenthound.archive import Archive
from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.core.parameters import Value
from scenthound.experiments.equipping import equipped
from scenthound.experiments.topic_reading import Warn
from scenthound.optimise import catalogue
from scenthound.strategies.weights import LinkWeights
from scenthound.tuning import learning, links_file, weights_file
from scenthound.tuning.collecting import Collected, OnLinks
from scenthound.tuning.links import TrainingLinks
from scenthound.tuning.plan import DEFAULT_LINKS, LinkPlan
from scenthound.tuning.result import Tuning

COLLECTING, LEARNING = "collecting links", "learning weights"
OnTuning = Callable[[str, float, float], None]
"""Told what is being done, how much of it is done, and of how much."""


@dataclass(frozen=True)
class TunedTopic:
    """A topic's weights with their figures, the links they were learnt from, and how those came.

    ``collected`` is None where the links were given.
    """

    tuning: Tuning
    links: TrainingLinks
    collected: Collected | None = None

    @property
    def weights(self) -> LinkWeights:
        """The weights, for ``replay(..., weights=tuned.weights)`` and ``crawl``."""
        tuning = self.tuning
        origin = f"the tuning of {tuning.topic!r}" if tuning.topic else "a tuning"
        return LinkWeights(tuning.by_name, tuning.model or None, origin)

    def write_weights(self, path: str | Path) -> None:
        """A weights file, for ``replay(..., weights=path)`` and ``--weights``."""
        weights_file.write_weights(Path(path), self.tuning, self.collected)

    def write_links(self, path: str | Path) -> None:
        """The links as ``.parquet`` or ``.csv``, by the suffix."""
        links_file.write_links(Path(path), self.links)

    def to_json(self) -> dict[str, object]:
        """The figures, without the links."""
        collected = None if self.collected is None else self.collected.to_json()
        return {**self.tuning.to_json(), "collected": collected}


def tune(
    source: str | Path | Archive,
    topic: Topic | None = None,
    *,
    model: str | None = None,
    optimiser: str = catalogue.EXACT,
    links: int = DEFAULT_LINKS,
    structure: bool = False,
    parameters: Mapping[str, Value] | None = None,
    optimiser_parameters: Mapping[str, Value] | None = None,
    random_seed: int = 0,
    wordnet: str | Path | None = None,
    pdf: bool = False,
    cache: str | Path | None = None,
    cache_limit: int | str | None = None,
    on_progress: OnTuning | None = None,
    warn: Warn | None = None,
) -> TunedTopic:
    """Learn how much each text of a link should weigh for a topic.

    Links whose targets are known are collected. The first half of them trains, the second
    tests. Where weights cannot be learnt from them, they are equal and ``tuning.reason`` says why.

    Parameters
    ----------
    source : an archive, open or not, to crawl breadth-first from the topic's seeds; or a crawl
        folder, whose pages are read again.
    topic : what to look for; by default the crawl folder's own.
    model : the text model that compares texts with the topic, such as ``vsm``; by default that of
        the strategy that crawled the folder, if it has one, or else ``soft-sdvsm``.
    optimiser : ``exact``, ``mcoa``, ``hybrid``, ...
    links : how many to collect.
    structure : weigh link-structure evidence beside the four texts?
    parameters : the text model's, by name.
    optimiser_parameters : the optimiser's, by name.
    random_seed : same seed, same topic, same source, same weights.
    wordnet : a WordNet folder to use instead of the one that is shipped.
    pdf : are PDFs in the archive pages too? A crawl folder knows that itself.
    cache : folder where vectors of words and texts are kept between runs; "none" for none. By
        default ``~/.cache/scenthound``. Models without vectors do not touch it.
    cache_limit : how large the cache grows: bytes, or a size such as "2GB".
    on_progress : told what is being done and how far it is.
    warn : gets what is left out, in words; by default a :class:`ScenthoundWarning`.

    Raises
    ------
    UnknownNameError
        There is no such model, optimiser or parameter.
    SettingsError
        An argument is of the wrong type or value, the topic has no seed in the archive, or the
        source is a file of links, which is for :func:`read_links` and :func:`tune_links`.
    ArchiveError, FolderError
        There is no archive and no crawl, or it cannot be read.
    """
    if not isinstance(source, Archive):
        check_given_path("source", source)
    if topic is not None:
        check_topic(topic)
    if model is not None:
        _check_name("model", model)
    _check_name("optimiser", optimiser)
    _check_number("links", links)
    _check_seed(random_seed)
    check_parameters(parameters)
    check_parameters(optimiser_parameters)
    check_path("wordnet", wordnet)
    tell = warn or warn_caller
    settings = catalogue.check(optimiser, optimiser_parameters or {})
    chosen = default_model(source) if model is None else model
    plan = LinkPlan(
        chosen, parameters or {}, links, bool(structure), random_seed, load_lexicon(wordnet, tell)
    )
    with equipped(chosen_cache(cache, cache_limit), tell) as equipment:
        plan = dataclasses.replace(plan, equipment=equipment)
        collected = collect(source, topic, plan, pdf, tell, _on_links(on_progress))
    tuning = tune_links(
        collected.links,
        optimiser,
        parameters=settings,
        random_seed=random_seed,
        on_progress=on_progress,
    )
    return TunedTopic(tuning, collected.links, collected)


def tune_links(
    links: TrainingLinks,
    optimiser: str = catalogue.EXACT,
    *,
    parameters: Mapping[str, Value] | None = None,
    random_seed: int = 0,
    on_progress: OnTuning | None = None,
) -> Tuning:
    """Learn weights from training links that are there already; see :func:`read_links`.

    Parameters
    ----------
    links : those that train, then those that test.
    optimiser : ``exact``, ``mcoa``, ``hybrid``, ...
    parameters : the optimiser's, by name.
    random_seed : same seed, same topic, same links, same weights.
    on_progress : told what is being done and how far it is.
    """
    if not isinstance(links, TrainingLinks):
        raise SettingsError("links takes TrainingLinks; read a file of them with read_links(...).")
    _check_name("optimiser", optimiser)
    _check_seed(random_seed)
    check_parameters(parameters)

    def share(done: float) -> None:
        if on_progress is not None:
            on_progress(LEARNING, done, 1.0)

    return learning.tune_links(links, optimiser, parameters, random_seed, share)


def read_links(path: str | Path) -> TrainingLinks:
    """Training links out of a ``.parquet`` or ``.csv`` file, saved before or your own."""
    check_given_path("path", path)
    return links_file.read_links(Path(path))


def read_weights(path: str | Path) -> LinkWeights:
    """Link weights out of a weights file, learnt before or written by hand."""
    check_given_path("path", path)
    return weights_file.read_weights(Path(path))


def _on_links(on_progress: OnTuning | None) -> OnLinks | None:
    if on_progress is None:
        return None
    return lambda done, wanted: on_progress(COLLECTING, done, wanted)


def _check_name(argument: str, name: object) -> None:
    if not isinstance(name, str):
        kind = type(name).__name__
        raise SettingsError(f"{argument} takes a name, not a value of type {kind}.")


def _check_number(argument: str, number: object) -> None:
    """SettingsError for what is no whole number, None included."""
    if number is None:
        raise SettingsError(f"{argument} takes a whole number, not None.")
    check_number(argument, number, whole=True)


def _check_seed(seed: int) -> None:
    _check_number("random_seed", seed)
    if seed < 0:
        raise SettingsError(f"random_seed takes a whole number from 0 on, not {seed}.")
