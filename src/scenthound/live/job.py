"""What a live crawl is asked to do, and how that is kept in its folder."""

from __future__ import annotations

import dataclasses
import random
from dataclasses import asdict, dataclass, field
from pathlib import Path

from scenthound.core.bounds import Bounds
from scenthound.core.errors import SettingsError
from scenthound.core.model import Briefing, Budget, Topic
from scenthound.core.parameters import Parameters
from scenthound.core.strategy import Strategy
from scenthound.experiments.equipping import CacheChoice
from scenthound.experiments.labels import Labels
from scenthound.lexicon.wordnet import WordNet
from scenthound.live.options import AUTH_HOSTS, CrawlOptions, auth_hosts
from scenthound.live.scoping import bounds_of, check_seeds
from scenthound.store.folder import Order
from scenthound.strategies.given_weights import refuse_weights
from scenthound.strategies.ingredients import Ingredients, Recipe
from scenthound.strategies.weights import LinkWeights
from scenthound.text.analyzer import Analyzer
from scenthound.topics.file import is_url
from scenthound.topics.local_files import with_whole_paths
from scenthound.vectors.protocols import Equipment

KIND = "crawl"
WEIGHTS, INLINKS, WORKER = "weights", "inlinks", "worker"


@dataclass(frozen=True, slots=True)
class WorkerMark:
    """Which worker of which crawl: ``id`` tells crawls of one name apart."""

    crawl: str
    id: str
    name: str
    number: int


@dataclass(frozen=True)
class LiveJob:
    """One live crawl: a topic, a strategy with its parameters, and how to go about it.

    ``labels`` are the labelled pages of the topic, to measure by; ``labels_file`` and
    ``wordnet_folder`` are where they came from, for the day the crawl is resumed. ``auth_hosts``
    are hosts that it once had passwords for. ``weights`` take the place of the strategy's own.
    ``cache`` is where vectors are kept, ``equipment`` what models of words and texts work with now.
    ``worker`` says which worker of which crawl this is, where several share it; else it is None.
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
    weights: LinkWeights | None = None
    cache: CacheChoice = field(default_factory=CacheChoice)
    equipment: Equipment = field(default_factory=Equipment, compare=False)
    worker: WorkerMark | None = None

    def __post_init__(self) -> None:
        if self.recipe.needs_labels:
            raise SettingsError(
                f"strategy {self.recipe.name!r} is steered by labels and only replays archives; "
                "choose another one for a live crawl."
            )
        refuse_weights(self.recipe, self.weights, self.parameters)
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
        ingredients = Ingredients(
            briefing, analyzer, rng, weights=self.weights, equipment=self.equipment,
            pages=self.options.max_pages,
        )  # fmt: skip
        return self.recipe.build(ingredients, self.parameters)

    def order(self) -> Order:
        """What the folder keeps of it: the day it is resumed may be in another folder."""
        topic = with_whole_paths(self.topic)
        return Order(
            kind=KIND,
            topic=topic,
            strategy=self.recipe.name,
            parameters=dict(self.parameters),
            budget=self.options.max_pages,
            seed=self.options.random_seed,
            source={
                "labels": _text(self.labels_file),
                "wordnet": _text(self.wordnet_folder),
                "topic_file": topic.file,
            },
            settings={
                **self.options.to_json(),
                AUTH_HOSTS: list(self._auth_hosts),
                WEIGHTS: None if self.weights is None else self.weights.to_json(),
                INLINKS: self.recipe.combination.value,
                **self.cache.to_json(),
                **({} if self.worker is None else {WORKER: asdict(self.worker)}),
            },
        )

    @property
    def _auth_hosts(self) -> tuple[str, ...]:
        """Hosts with passwords, those of earlier runs included."""
        return tuple(dict.fromkeys((*self.auth_hosts, *auth_hosts(self.options.auth))))


def labelled_pages(labels: Labels | None, topic: Topic) -> frozenset[str] | None:
    """The labelled pages of the topic; None without labels."""
    return None if labels is None else labels.of(topic.name)


def changed(job: LiveJob, **options: object) -> LiveJob:
    """The job with some options changed."""
    return dataclasses.replace(job, options=dataclasses.replace(job.options, **options))  # type: ignore[arg-type]


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path.resolve())
