"""What to replay: topics x strategies, checked against the archive before anything starts.

:class:`ReplayPlan` is what the user asked for, :class:`ReplayJob` one run of it. ``jobs`` does all
checks, so that a comparison of many hours does not fail at its last strategy.
:mod:`scenthound.crawler.replay` runs the jobs.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scenthound.core.command_options import SIMILARITY, ReplayOptions
from scenthound.core.crawl_loop import Strategy
from scenthound.core.errors import FolderError, LabelsError, SettingsError, warn_caller
from scenthound.core.model import Budget, Topic, TopicProfile
from scenthound.core.parameters import Parameters, Value
from scenthound.crawler.argument_checks import load_lexicon, load_weights
from scenthound.crawler.caches import ReadingCache
from scenthound.crawler.judges import Concepts, judge_concepts
from scenthound.crawler.metrics import CHECKPOINT, Labels
from scenthound.crawler.topics.reading import read_topic_profile
from scenthound.papers.olmoaco.topic_ontology import check_topic_ontology
from scenthound.similarity.encoders import ModelRuntime
from scenthound.similarity.topic_file import with_absolute_paths
from scenthound.storage.archive import Archive
from scenthound.storage.archived_pages import ArchivedPages, PageSource, final_response
from scenthound.storage.folder import CrawlFolder, CrawlSpec, folder_name
from scenthound.strategies.catalogue import check_user_weights, with_inlink_rule
from scenthound.strategies.spec import LinkWeights, StrategyContext, StrategySpec
from scenthound.strategies.text_model_builders import ONTOLOGY as ONTOLOGY_EXTRA
from scenthound.text.analyzer import Analyzer
from scenthound.text.pdf import require_pdf
from scenthound.text.term_counts import TextCounters
from scenthound.text.wordnet import WordNet

DEFAULT_BUDGET = "1000"

BUDGET_WITH_LABELS = "2x"


def check_archived_seeds(archive: Archive, topic: Topic) -> None:
    """SettingsError where no seed is in the archive; warn where some are not."""
    if not topic.seeds:
        raise SettingsError(f"{topic} has no seeds; give URLs to start from.")
    seeds = list(dict.fromkeys(topic.seeds))
    gone = [url for url in seeds if url not in archive]
    if len(gone) == len(seeds):
        raise SettingsError(
            f"{topic}: none of its {len(gone)} seeds is in {archive.path} "
            f"(the first is {gone[0]}); give seeds that are."
        )
    if gone:
        warn_caller(
            f"{topic}: {len(gone)} of {len(seeds)} seeds are not in the archive, e.g. {gone[0]}"
        )


def labelled_targets(archive: Archive, topic: Topic, labels: Labels) -> frozenset[str]:
    """Return the labelled pages. A label on a redirect is one on the page that it leads to."""
    listed = labels.of(topic.name)
    led_to = {url: final_response(archive, url) for url in listed}
    gone = [url for url, response in led_to.items() if response is None]
    if len(gone) == len(listed):
        raise LabelsError(
            f"{topic}: none of its {len(listed)} labelled pages is in "
            f"{archive.path}; give the labels of this archive."
        )
    if gone:
        warn_caller(
            f"{topic}: {len(gone)} of {len(listed)} labelled pages "
            f"are not in the archive and are left out, e.g. {min(gone)}"
        )
    return frozenset(response.url for response in led_to.values() if response is not None)


@dataclass(frozen=True)
class ReplayPlan:
    """Which strategies to run on each topic, and how.

    Parameters
    ----------
    strategies : each with its parameters.
    labels : human labels, to measure by; strategies never see them.
    budget : a number of pages or a multiple of the labelled pages; by default twice the labelled
        pages, or 1,000 pages where there are no labels.
    inlinks : for all strategies, in place of their own rule.
    judge : "similarity" or "ontology"; an ontology that no topic names is learned once.
    seed : of the random generator.
    count_missing : charge the budget for links that lead out of the archive.
    threshold : similarity of a relevant page; None to calibrate it.
    out : the folder in which each run gets ``topic/strategy``. None to write nothing.
    wordnet : None for the one that is shipped.
    pdf : are PDF documents pages?
    weights : link weights, in place of the strategy's own.
    equipment : the runtime of text models, open as long as the jobs are run.
    reading : the cache of pages that runs share; None to read each page again.
    every : pages between two rows of indicators.
    """

    strategies: Sequence[tuple[StrategySpec, Parameters]]
    labels: Labels | None = None
    budget: str | None = None
    inlinks: str | None = None
    judge: str = SIMILARITY
    seed: int = 0
    count_missing: bool = False
    threshold: float | None = None
    out: Path | None = None
    wordnet: WordNet | None = None
    pdf: bool = False
    weights: LinkWeights | None = None
    equipment: ModelRuntime = field(default_factory=ModelRuntime)
    reading: ReadingCache | None = None
    every: int = CHECKPOINT

    def __post_init__(self) -> None:
        if self.every < 1:
            raise SettingsError(f"indicators every {self.every} pages are none; give 1 or more.")
        for spec, parameters in self.strategies:
            check_user_weights(spec, self.weights, parameters)
            with_inlink_rule(spec, self.inlinks)

    def jobs(self, archive: Archive, topics: Sequence[Topic]) -> list[ReplayJob]:
        """Return all jobs, topic by topic. Everything is checked before the first fetch."""
        by_kind = {
            "topic": [topic.name for topic in topics],
            "strategy": [spec.name for spec, _ in self.strategies],
        }
        for kind, names in by_kind.items():
            check_distinct(names, kind)
            if self.out is not None:
                check_distinct(map(folder_name, names), f"{kind} folder")
        if self.pdf:
            require_pdf()
        return [job for topic in topics for job in self._jobs_of(archive, topic)]

    def _jobs_of(self, archive: Archive, topic: Topic) -> list[ReplayJob]:
        """Return the jobs of one topic, which is read once for all strategies."""
        by_meaning = any(spec.uses_wordnet for spec, _ in self.strategies)
        check_archived_seeds(archive, topic)
        profile = read_topic_profile(
            topic, archive, wordnet=self.wordnet, by_meaning=by_meaning, counters=self._counters
        )
        targets = None if self.labels is None else labelled_targets(archive, topic, self.labels)
        pages = self.budget or (DEFAULT_BUDGET if targets is None else BUDGET_WITH_LABELS)
        budget = Budget.parse(pages, None if targets is None else len(targets))
        labelled = frozenset() if self.labels is None else self.labels.of(topic.name)
        aliases = frozenset(url for url in labelled - (targets or labelled) if url in archive)
        concepts = judge_concepts(self.judge, profile, self.analyzer_of(topic))
        jobs = []
        for spec, parameters in self.strategies:
            spec.require_labels(targets)
            job = ReplayJob(
                self, topic, with_inlink_rule(spec, self.inlinks), parameters, budget, profile,
                self._folder(topic, spec), targets, aliases, concepts,
            )  # fmt: skip
            if spec.extra == ONTOLOGY_EXTRA:
                check_topic_ontology(topic)
            if parameters or spec.extra:
                job.strategy(job.analyzer())  # finds a value out of range, or a missing extra
            jobs.append(job)
        return jobs

    def analyzer_of(self, topic: Topic) -> Analyzer:
        """Return a fresh analyzer for the topic's language and the phrases of its keywords."""
        return Analyzer(topic.language, self.wordnet, topic.keywords, self._counters)

    @property
    def _counters(self) -> TextCounters | None:
        """What counts the terms of texts for several runs."""
        return None if self.reading is None else self.reading.counters

    def _folder(self, topic: Topic, spec: StrategySpec) -> Path | None:
        """Return the crawl folder of a run, which must be free."""
        if self.out is None:
            return None
        if CrawlFolder(self.out).spec_path.exists():
            raise FolderError(f"{self.out} holds a crawl itself; choose another --out folder.")
        path = self.out / folder_name(topic.name) / folder_name(spec.name)
        CrawlFolder(path).check_free()
        return path


@dataclass(frozen=True)
class ReplayJob:
    """One replay to run: a topic that has been read and checked against the archive.

    Parameters
    ----------
    plan : what it has in common with the other jobs.
    topic, spec, parameters : what to look for, and by which strategy.
    budget : pages to fetch.
    profile : the topic's words and the texts of its example pages.
    out : the crawl folder; None to write nothing.
    labels : the addresses of the labelled pages, to measure by.
    label_aliases : labelled URLs that redirect to labelled pages: links to either lead there.
    concepts : to judge by; None to judge by similarity to the example pages.
    """

    plan: ReplayPlan
    topic: Topic
    spec: StrategySpec
    parameters: Parameters
    budget: Budget
    profile: TopicProfile
    out: Path | None
    labels: frozenset[str] | None
    label_aliases: frozenset[str]
    concepts: Concepts | None

    @property
    def weights(self) -> LinkWeights | None:
        """The user's weights, as a live crawl's job has them too."""
        return self.plan.weights

    def analyzer(self) -> Analyzer:
        """Return a fresh analyzer for the topic."""
        return self.plan.analyzer_of(self.topic)

    def pages(self, archive: Archive) -> PageSource:
        """Return what reads the pages of the archive."""
        if self.plan.reading is None:
            return ArchivedPages(archive, self.plan.pdf)
        return self.plan.reading.pages(archive, self.plan.pdf)

    def strategy(self, analyzer: Analyzer) -> Strategy:
        """Build the strategy; only one that needs labels is given them."""
        labels = (self.labels or frozenset()) | self.label_aliases
        shown = labels if self.spec.needs_labels else frozenset()
        rng = random.Random(self.plan.seed)
        strategy_context = StrategyContext(
            self.profile, analyzer, rng, shown, self.weights, self.plan.equipment, self.budget.pages
        )
        return self.spec.build(strategy_context, self.parameters)


def check_distinct(names: Iterable[str], kind: str, hint: str = "") -> None:
    """SettingsError for two of one name, which would write over each other."""
    for name, count in Counter(names).items():
        if count > 1:
            raise SettingsError(f"{kind} {name!r} is given twice; give each one once{hint}.")


_SAME = ("budget", "count_missing", "judge", "threshold", "pdf", "inlinks")
"""Options that a plan takes as they are."""


def build_plan(
    strategies: Sequence[tuple[StrategySpec, Mapping[str, Value]]],
    options: ReplayOptions,
    labels: Labels | None = None,
    weights: str | Path | LinkWeights | None = None,
    out: Path | None = None,
) -> ReplayPlan:
    """Return the plan of the options of a replay; ``weights`` are in place of theirs."""
    return ReplayPlan(
        strategies,
        labels,
        seed=options.random_seed,
        out=out,
        wordnet=load_lexicon(options.wordnet),
        weights=load_weights(options.weights if weights is None else weights),
        **{name: getattr(options, name) for name in _SAME},
    )


def replay_spec(archive: Archive, job: ReplayJob, wordnet: WordNet | None) -> CrawlSpec:
    """Return the spec of a replay for crawl.json; texts are read by ``wordnet``."""
    plan, labels = job.plan, None
    file = None if plan.labels is None else plan.labels.file
    if job.labels is not None:
        digest = hashlib.sha256("\n".join(sorted(job.labels)).encode()).hexdigest()
        labels = {"pages": len(job.labels), "sha256": digest}
    return CrawlSpec(
        kind="replay",
        topic=with_absolute_paths(job.topic),
        strategy=job.spec.name,
        parameters={**job.spec.parameters, **job.parameters},
        budget=job.budget.pages,
        seed=plan.seed,
        source={
            "archive": str(archive.path.resolve()),
            "sha256": archive.fingerprint,
            "labels": file and str(file),
        },
        settings={
            "inlinks": job.spec.combination.value,
            "count_missing": plan.count_missing,
            "judge": plan.judge,
            "threshold": plan.threshold,
            "labels": labels,
            "wordnet": wordnet and {"version": wordnet.version, "origin": wordnet.origin},
            "pdf": plan.pdf,
            "weights": None if plan.weights is None else plan.weights.to_json(),
        },
    )
