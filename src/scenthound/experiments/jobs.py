"""What to run: topics x strategies, checked against the archive before anything starts."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scenthound.archive import Archive
from scenthound.core.errors import SettingsError
from scenthound.core.model import Briefing, Budget, Topic
from scenthound.core.parameters import Parameters
from scenthound.core.strategy import Strategy
from scenthound.engines.archived_pages import ArchivedPages, PageSource
from scenthound.experiments.judges import Concepts, judge_concepts
from scenthound.experiments.labels import Labels
from scenthound.experiments.metrics import CHECKPOINT
from scenthound.experiments.preparing import prepare
from scenthound.experiments.shared_reading import SharedReading
from scenthound.experiments.topic_reading import Warn
from scenthound.lexicon.wordnet import WordNet
from scenthound.relevance.judge_names import ONTOLOGY, SIMILARITY, check_judge
from scenthound.store.folder import CrawlFolder, folder_name
from scenthound.strategies import concept_models
from scenthound.strategies.given_inlinks import with_inlinks
from scenthound.strategies.given_weights import refuse_weights
from scenthound.strategies.ingredients import Ingredients, Recipe
from scenthound.strategies.ontologies import refuse_ontology
from scenthound.strategies.weights import LinkWeights
from scenthound.text.analyzer import Analyzer
from scenthound.text.counters import TextCounters
from scenthound.text.pdf import require_pdf
from scenthound.vectors.protocols import Equipment


@dataclass(frozen=True)
class Job:
    """One replay to run: a topic that has been read and checked against the archive.

    ``labels`` are the addresses of the labelled pages, ``label_aliases`` the labelled URLs that
    redirect to them: links to either lead to a labelled page. ``weights`` are those that the user
    gives, None for the strategy's own. ``equipment`` is what models of words and texts work with.
    ``concepts`` are what pages are judged by, None to judge by similarity to the example pages.
    ``reading`` is what runs share of reading, None where this one reads by itself. Indicators are
    taken after ``every`` so many pages. ``labels_file`` is where the labels came from.
    """

    topic: Topic
    recipe: Recipe
    parameters: Parameters
    budget: Budget
    briefing: Briefing
    labels: frozenset[str] | None = None
    seed: int = 0
    count_missing: bool = False
    threshold: float | None = None
    out: Path | None = None
    label_aliases: frozenset[str] = frozenset()
    wordnet: WordNet | None = None
    pdf: bool = False
    weights: LinkWeights | None = None
    equipment: Equipment = field(default_factory=Equipment)
    concepts: Concepts | None = None
    reading: SharedReading | None = None
    every: int = CHECKPOINT
    labels_file: Path | None = None

    @property
    def judge(self) -> str:
        """The name of what judges its pages."""
        return SIMILARITY if self.concepts is None else ONTOLOGY

    def analyzer(self) -> Analyzer:
        """A fresh analyzer for the topic's language, which knows the phrases of its keywords."""
        counters = None if self.reading is None else self.reading.counters
        return Analyzer(self.topic.language, self.wordnet, self.topic.keywords, counters)

    def pages(self, archive: Archive) -> PageSource:
        """What reads the pages of the archive."""
        if self.reading is None:
            return ArchivedPages(archive, self.pdf)
        return self.reading.pages(archive, self.pdf)

    def strategy(self, analyzer: Analyzer) -> Strategy:
        """The strategy, fresh; only one that says so is given labels."""
        labels = (self.labels or frozenset()) | self.label_aliases
        shown = labels if self.recipe.needs_labels else frozenset()
        rng = random.Random(self.seed)
        ingredients = Ingredients(
            self.briefing, analyzer, rng, shown, self.weights, self.equipment, self.budget.pages
        )
        return self.recipe.build(ingredients, self.parameters)


@dataclass(frozen=True)
class Plan:
    """Which strategies to run on each topic, and how.

    ``budget`` is a number of pages or a multiple of the labelled pages; by default twice the
    labelled pages, or 1,000 pages where there are no labels. With ``out`` every run gets the
    crawl folder ``out/topic/strategy``. ``wordnet`` is None for the one that is shipped. With
    ``pdf`` the PDFs in the archive are pages. ``weights`` and ``inlinks`` (max, mean, last) are for
    all strategies, in place of their own. ``equipment`` is what models of words and texts work
    with; it must be there as long as the jobs are run. ``judge`` is "similarity" or "ontology"; an
    ontology that no topic names is learnt once for all strategies. ``reading`` is what runs share
    of reading, None where each reads by itself; it must be there as long as the jobs are run.
    Indicators are taken after ``every`` so many pages.
    """

    strategies: Sequence[tuple[Recipe, Parameters]]
    labels: Labels | None = None
    budget: str | None = None
    seed: int = 0
    count_missing: bool = False
    threshold: float | None = None
    out: Path | None = None
    wordnet: WordNet | None = None
    pdf: bool = False
    weights: LinkWeights | None = None
    inlinks: str | None = None
    equipment: Equipment = field(default_factory=Equipment)
    judge: str = SIMILARITY
    reading: SharedReading | None = None
    every: int = CHECKPOINT

    def __post_init__(self) -> None:
        check_judge(self.judge)
        if self.every < 1:
            raise SettingsError(f"indicators every {self.every} pages are none; give 1 or more.")
        for recipe, parameters in self.strategies:
            refuse_weights(recipe, self.weights, parameters)
            with_inlinks(recipe, self.inlinks)

    def jobs(self, archive: Archive, topics: Sequence[Topic], warn: Warn) -> list[Job]:
        """All jobs, topic by topic. Whatever is wrong is found here, before the first fetch."""
        by_kind = {
            "topic": [topic.name for topic in topics],
            "strategy": [recipe.name for recipe, _ in self.strategies],
        }
        for kind, names in by_kind.items():
            _distinct(names, kind)
            if self.out is not None:
                _distinct(map(folder_name, names), f"{kind} folder")
        if self.pdf:
            require_pdf()
        if self.threshold is not None and not 0.0 <= self.threshold <= 1.0:
            raise SettingsError(f"a threshold lies within 0 and 1, not at {self.threshold}.")
        return [job for topic in topics for job in self._for(archive, topic, warn)]

    def _for(self, archive: Archive, topic: Topic, warn: Warn) -> list[Job]:
        by_meaning = any(recipe.uses_wordnet for recipe, _ in self.strategies)
        briefing, budget, targets = prepare(
            archive, topic, self.labels, self.budget, warn, self.wordnet, by_meaning, self._counters
        )
        aliases = self._aliases(archive, topic, targets)
        analyzer = Analyzer(topic.language, self.wordnet, topic.keywords, self._counters)
        concepts = judge_concepts(self.judge, briefing, analyzer, warn)
        jobs = []
        for recipe, parameters in self.strategies:
            recipe.refuse_unlabelled(targets)
            out = self._folder(topic, recipe)
            job = Job(
                topic, with_inlinks(recipe, self.inlinks), parameters, budget, briefing, targets,
                self.seed, self.count_missing, self.threshold, out, aliases, self.wordnet,
                self.pdf, self.weights, self.equipment, concepts, self.reading, self.every,
                None if self.labels is None else self.labels.file,
            )  # fmt: skip
            if recipe.extra == concept_models.ONTOLOGY:
                refuse_ontology(topic)
            if parameters or recipe.extra:
                job.strategy(job.analyzer())  # a value out of range, a missing extra is told here
            jobs.append(job)
        return jobs

    @property
    def _counters(self) -> TextCounters | None:
        return None if self.reading is None else self.reading.counters

    def _aliases(
        self, archive: Archive, topic: Topic, targets: frozenset[str] | None
    ) -> frozenset[str]:
        if self.labels is None or targets is None:
            return frozenset()
        return frozenset(u for u in self.labels.of(topic.name) if u not in targets and u in archive)

    def _folder(self, topic: Topic, recipe: Recipe) -> Path | None:
        if self.out is None:
            return None
        path = self.out / folder_name(topic.name) / folder_name(recipe.name)
        CrawlFolder(path).refuse_taken()
        return path


def _distinct(names: Iterable[str], kind: str) -> None:
    """Two topics or strategies of one name would write over each other."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise SettingsError(f"{kind} {name!r} is given twice; give each one once.")
        seen.add(name)
