"""What a live crawl is asked to do, and how that is kept in its folder."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.bounds import Bounds
from scenthound.core.errors import FolderError, SettingsError
from scenthound.core.model import Briefing, Budget, Topic
from scenthound.core.registry import Registry
from scenthound.core.strategy import Strategy
from scenthound.experiments.labels import Labels, read_labels
from scenthound.experiments.topic_reading import Warn
from scenthound.lexicon.wordnet import WordNet, load_wordnet
from scenthound.live.options import AUTH_HOSTS, CrawlOptions, auth_hosts
from scenthound.live.scoping import bounds_of, check_seeds
from scenthound.store.folder import CrawlFolder, Order
from scenthound.strategies.ingredients import Ingredients, Parameters, Recipe
from scenthound.text.analyzer import Analyzer
from scenthound.topics.file import is_url

KIND = "crawl"


@dataclass(frozen=True)
class LiveJob:
    """One live crawl: a topic, a strategy with its parameters, and how to go about it.

    ``labels`` are the labelled pages of the topic, to measure by; ``labels_file`` and
    ``wordnet_folder`` are where they came from, for the day the crawl is resumed. ``auth_hosts``
    are hosts that it once had passwords for.
    """

    topic: Topic
    recipe: Recipe
    parameters: Parameters
    options: CrawlOptions
    labels: frozenset[str] | None = None
    labels_file: Path | None = None
    wordnet: WordNet | None = None
    wordnet_folder: Path | None = None
    auth_hosts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.recipe.needs_labels:
            raise SettingsError(
                f"strategy {self.recipe.name!r} is steered by labels and only replays archives; "
                "choose another one for a live crawl."
            )
        examples = len(set(filter(is_url, self.topic.examples)))
        if examples > self.options.max_pages:
            raise SettingsError(
                f"{self.topic} has {examples} example pages to fetch first, more than --max-pages "
                f"{self.options.max_pages}; give more pages or fewer examples."
            )
        if not self.topic.seeds and not examples:
            raise SettingsError(f"{self.topic} has no seeds: add URLs to start from.")
        check_seeds(self.topic, self.bounds())

    @property
    def seeds(self) -> tuple[str, ...]:
        """The topic's seeds, without those that are denied or excluded."""
        bounds = self.bounds()
        return tuple(url for url in self.topic.seeds if bounds.denial(url) is None)

    def bounds(self) -> Bounds:
        """The part of the web that is wanted."""
        return bounds_of(self.topic, self.options)

    @property
    def budget(self) -> Budget:
        """Pages to fetch."""
        return Budget(self.options.max_pages)

    def analyzer(self) -> Analyzer:
        """A fresh analyzer for the topic's language."""
        return Analyzer(self.topic.language, self.wordnet, self.topic.keywords)

    def strategy(self, briefing: Briefing, analyzer: Analyzer) -> Strategy:
        """The strategy, fresh."""
        rng = random.Random(self.options.random_seed)
        ingredients = Ingredients(briefing, analyzer, rng, frozenset())
        return self.recipe.build(ingredients, self.parameters)

    def order(self) -> Order:
        """What the folder keeps of it."""
        return Order(
            kind=KIND,
            topic=self.topic,
            strategy=self.recipe.name,
            parameters=dict(self.parameters),
            budget=self.options.max_pages,
            seed=self.options.random_seed,
            source={
                "labels": _text(self.labels_file),
                "wordnet": _text(self.wordnet_folder),
                "topic_file": self.topic.file,
            },
            settings={**self.options.to_json(), AUTH_HOSTS: list(self._auth_hosts)},
        )

    @property
    def _auth_hosts(self) -> tuple[str, ...]:
        """Hosts with passwords, those of earlier runs included."""
        return tuple(dict.fromkeys((*self.auth_hosts, *auth_hosts(self.options.auth))))


def labelled_pages(labels: Labels | None, topic: Topic) -> frozenset[str] | None:
    """The labelled pages of the topic; None without labels."""
    return None if labels is None else labels.of(topic.name)


def stored_job(
    folder: CrawlFolder,
    catalogue: Registry[Recipe],
    changes: Mapping[str, object],
    warn: Warn,
    recipe: Recipe | None = None,
) -> LiveJob:
    """The job of the crawl in ``folder``, with some options changed.

    Parameters
    ----------
    folder : of a live crawl.
    catalogue : strategies by name.
    changes : options to set anew, such as ``max_pages``.
    warn : gets what has changed around the crawl since it began.
    recipe : the strategy itself, where it is not in the catalogue.

    Raises
    ------
    FolderError
        The folder holds something else, or a file it needs is gone.
    """
    order = _live_order(folder, "cannot be resumed; run it again")
    topic, options = stored_scope(folder)
    with _damage_told(folder):
        source, settings = _mapping(order["source"]), _mapping(order["settings"])
        parameters = _mapping(order["parameters"])
        labels, wordnet = _path(source["labels"]), _path(source["wordnet"])
        name = str(order["strategy"])
    recipe = recipe or catalogue[name]
    return LiveJob(
        topic=topic,
        recipe=recipe,
        parameters=recipe.check(parameters),  # type: ignore[arg-type]
        options=dataclasses.replace(options, **changes),  # type: ignore[arg-type]
        labels=labelled_pages(None if labels is None else read_labels(labels), topic),
        labels_file=labels,
        wordnet=None if wordnet is None else load_wordnet(wordnet, warn),
        wordnet_folder=wordnet,
        auth_hosts=tuple(map(str, settings.get(AUTH_HOSTS) or ())),  # type: ignore[call-overload]
    )


def stored_scope(folder: CrawlFolder) -> tuple[Topic, CrawlOptions]:
    """The topic and the options of the live crawl in ``folder``; FolderError as for its job."""
    order = _live_order(folder, "has no scope of its own; give the folder of a live crawl")
    with _damage_told(folder):
        source, stored = _mapping(order["source"]), _mapping(order["topic"])
        topic = Topic(**{**stored, "file": source["topic_file"]})  # type: ignore[arg-type]
        return topic, CrawlOptions.from_json(_mapping(order["settings"]))


def _live_order(folder: CrawlFolder, otherwise: str) -> Mapping[str, object]:
    order = folder.order()
    if order.get("kind") != KIND:
        raise FolderError(f"{folder.path} holds a {order.get('kind')}, which {otherwise}.")
    return order


@contextmanager
def _damage_told(folder: CrawlFolder) -> Iterator[None]:
    try:
        yield
    except (KeyError, TypeError, SettingsError) as error:
        raise FolderError(f"{folder.order_path} is damaged: {error}") from None


def changed(job: LiveJob, **options: object) -> LiveJob:
    """The job with some options changed."""
    return dataclasses.replace(job, options=dataclasses.replace(job.options, **options))  # type: ignore[arg-type]


def _mapping(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is no table")
    return value


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path.resolve())


def _path(value: object) -> Path | None:
    return None if value is None else Path(str(value))
