"""The job of a live crawl: what to do, how that is stored in the crawl folder, and how it is
read back.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from scenthound.core.crawl_loop import Strategy
from scenthound.core.errors import FolderError, SettingsError
from scenthound.core.model import Topic, TopicProfile
from scenthound.core.parameters import Parameters
from scenthound.core.scope import UrlRules
from scenthound.crawler.caches import CacheChoice
from scenthound.crawler.metrics import read_labels
from scenthound.crawler.options import AUTH_HOSTS, CrawlOptions, auth_hosts
from scenthound.crawler.scope import Verdict, bounds_of, check_seeds, try_scope
from scenthound.fetch.robots import LONGEST_DELAY
from scenthound.similarity.encoders import ModelRuntime
from scenthound.similarity.topic_file import is_url, with_absolute_paths
from scenthound.storage.folder import (
    INLINKS,
    KIND,
    WEIGHTS,
    WORKER,
    CrawlFolder,
    CrawlSpec,
    check_required_path,
)
from scenthound.strategies.catalogue import STRATEGIES, check_user_weights, parse_inlink_rule
from scenthound.strategies.spec import LinkWeights, StrategyContext, StrategySpec
from scenthound.text.analyzer import Analyzer
from scenthound.text.wordnet import WordNet
from scenthound.text.wordnet_files import load_wordnet

_RESPONSE_SECONDS = 120.0
"""Seconds that a request may take beyond two timeouts: robots.txt, redirects, reading the page."""


@dataclass(frozen=True, slots=True)
class WorkerIdentity:
    """Which worker of which crawl: ``id`` distinguishes crawls of one name."""

    crawl: str
    id: str
    name: str
    number: int


@dataclass(frozen=True)
class LiveJob:
    """One live crawl: a topic, a strategy with its parameters, and options.

    Parameters
    ----------
    topic : what to look for.
    spec, parameters : the strategy.
    options : pages, time, delay, scope, ...
    labels : the labelled pages of the topic, to measure by; None without labels.
    labels_file, wordnet_folder : read again when the crawl is resumed.
    wordnet : None for the one that is shipped.
    auth_hosts : hosts that the crawl once had passwords for; those are not stored.
    weights : link weights in place of the strategy's own.
    cache : where vectors are kept between runs.
    equipment : the runtime of the text models of this run.
    worker : identifies a worker of a shared crawl; None for a crawl of one worker.
    """

    topic: Topic
    spec: StrategySpec
    parameters: Parameters
    options: CrawlOptions
    labels: frozenset[str] | None = None
    labels_file: Path | None = None
    wordnet: WordNet | None = None
    wordnet_folder: Path | None = None
    auth_hosts: tuple[str, ...] = ()
    weights: LinkWeights | None = None
    cache: CacheChoice = field(default_factory=CacheChoice)
    equipment: ModelRuntime = field(default_factory=ModelRuntime, compare=False)
    worker: WorkerIdentity | None = None

    def __post_init__(self) -> None:
        if self.spec.needs_labels:
            raise SettingsError(
                f"strategy {self.spec.name!r} is steered by labels and only replays archives; "
                "choose another one for a live crawl."
            )
        check_user_weights(self.spec, self.weights, self.parameters)
        examples = len(set(filter(is_url, self.topic.examples)))
        if examples > self.options.max_pages:
            raise SettingsError(
                f"{self.topic} has {examples} example pages to fetch first, more than --max-pages "
                f"{self.options.max_pages}; give more pages or fewer examples."
            )
        if not self.topic.seeds and not examples:
            raise SettingsError(f"{self.topic} has no seeds; give --seed, or seeds in its file.")
        check_seeds(self.topic, self.bounds())

    @property
    def seeds(self) -> tuple[str, ...]:
        """The topic's seeds, without those that are denied or excluded."""
        bounds = self.bounds()
        return tuple(url for url in self.topic.seeds if bounds.denial(url) is None)

    @property
    def lost_after(self) -> float:
        """Seconds after which a request without a response is given up."""
        options = self.options
        rest = 0.0
        if options.javascript:
            # The host rests between a page and the requests of its scripts, and the pages in flight
            # wait for the browser: it renders two at once, each for up to 20 s.
            rest = max(options.delay, LONGEST_DELAY) + 10.0 * options.concurrency
        return 2 * options.timeout + _RESPONSE_SECONDS + rest

    def bounds(self) -> UrlRules:
        """Return the part of the web that is wanted."""
        return bounds_of(self.topic, self.options)

    def analyzer(self) -> Analyzer:
        """Return a fresh analyzer for the topic's language."""
        return Analyzer(self.topic.language, self.wordnet, self.topic.keywords)

    def strategy(self, profile: TopicProfile, analyzer: Analyzer) -> Strategy:
        """Build the strategy."""
        rng = random.Random(self.options.random_seed)
        strategy_context = StrategyContext(
            profile, analyzer, rng, weights=self.weights, equipment=self.equipment,
            pages=self.options.max_pages,
        )  # fmt: skip
        return self.spec.build(strategy_context, self.parameters)

    def crawl_spec(self) -> CrawlSpec:
        """Return what the folder keeps of the job, with absolute paths."""
        topic = with_absolute_paths(self.topic)
        hosts = dict.fromkeys((*self.auth_hosts, *auth_hosts(self.options.auth)))
        return CrawlSpec(
            kind=KIND,
            topic=topic,
            strategy=self.spec.name,
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
                AUTH_HOSTS: list(hosts),
                WEIGHTS: None if self.weights is None else self.weights.to_json(),
                INLINKS: self.spec.combination.value,
                **self.cache.to_json(),
                **({} if self.worker is None else {WORKER: asdict(self.worker)}),
            },
        )


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path.resolve())


# A live crawl's job and scope, read back from its folder.


def stored_job(folder: CrawlFolder, spec: StrategySpec | None = None, **changes: object) -> LiveJob:
    """Read the job of the live crawl in ``folder``, with some options changed.

    ``spec`` is the strategy itself, where it is not in the catalogue. FolderError where the folder
    holds something else, or a file it needs is gone.
    """
    crawl_spec = _live_spec(folder, "cannot be resumed; run it again")
    return job_from_spec(crawl_spec, str(folder.spec_path), changes, spec)


def job_from_spec(
    crawl_spec: Mapping[str, object],
    place: str,
    changes: Mapping[str, object],
    spec: StrategySpec | None = None,
) -> LiveJob:
    """Read the job of a crawl spec; ``place`` is where it was found, for messages."""
    topic, options = _scope(crawl_spec, place)
    with _describe_damage(place):
        source, settings = _mapping(crawl_spec["source"]), _mapping(crawl_spec["settings"])
        parameters = _mapping(crawl_spec["parameters"])
        labels, wordnet = _path(source["labels"]), _path(source["wordnet"])
        # Folders of earlier versions have no weights and no rule for inlinks.
        stored, rule = settings.get(WEIGHTS), settings.get(INLINKS)
        weights = None if stored is None else LinkWeights.from_json(_mapping(stored))
        inlinks = None if rule is None else parse_inlink_rule(str(rule))
        cache = CacheChoice.from_json(settings)
        name = str(crawl_spec["strategy"])
    spec = spec or STRATEGIES[name]
    if inlinks is not None and inlinks is not spec.combination:
        spec = dataclasses.replace(spec, combination=inlinks)
    return LiveJob(
        topic=topic,
        spec=spec,
        parameters=spec.check(parameters),  # type: ignore[arg-type]
        options=options.changed(**changes),
        labels=None if labels is None else read_labels(labels).of(topic.name),
        labels_file=labels,
        wordnet=None if wordnet is None else load_wordnet(wordnet),
        wordnet_folder=wordnet,
        auth_hosts=tuple(map(str, settings.get(AUTH_HOSTS) or ())),  # type: ignore[call-overload]
        weights=weights,
        cache=cache,
    )


def _scope(crawl_spec: Mapping[str, object], place: str) -> tuple[Topic, CrawlOptions]:
    """Read the topic and the options of a crawl spec."""
    with _describe_damage(place):
        source, stored = _mapping(crawl_spec["source"]), _mapping(crawl_spec["topic"])
        topic = Topic(**{**stored, "file": source["topic_file"]})  # type: ignore[arg-type]
        return topic, CrawlOptions.from_json(_mapping(crawl_spec["settings"]))


def _live_spec(folder: CrawlFolder, otherwise: str) -> Mapping[str, object]:
    """Return the spec of a live crawl; FolderError for a replay."""
    crawl_spec = folder.crawl_spec()
    if crawl_spec.get("kind") != KIND:
        raise FolderError(f"{folder.path} holds a {crawl_spec.get('kind')}, which {otherwise}.")
    return crawl_spec


@contextmanager
def _describe_damage(place: str) -> Iterator[None]:
    """Raise what a damaged crawl spec causes as a FolderError."""
    try:
        yield
    except (KeyError, TypeError, SettingsError) as error:
        raise FolderError(f"{place} is damaged: {error}") from None


def _mapping(value: object) -> dict[str, object]:
    """Return a table of a crawl spec; TypeError for anything else."""
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is no table")
    return value


def _path(value: object) -> Path | None:
    return None if value is None else Path(str(value))


def scope_test(
    folder: str | Path, urls: Iterable[str], *, depth: int | None = None
) -> list[Verdict]:
    """Return what the crawl in ``folder`` would do with links to these URLs, and by which rule.

    Nothing is fetched: robots.txt and redirects are not looked at. ``depth`` is how many links
    away from a seed each of them is; by default 1.
    """
    check_required_path("folder", folder)
    opened = CrawlFolder.open(Path(folder))
    crawl_spec = _live_spec(opened, "has no scope of its own; give the folder of a live crawl")
    topic, options = _scope(crawl_spec, str(opened.spec_path))
    return try_scope(topic, options, urls, depth=depth)
