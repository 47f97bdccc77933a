"""What a worker has at hand: open archives, what runs share, and the job for each run."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from scenthound.archive import Archive, open_archive
from scenthound.comparison.drawn_pages import ArchivePages
from scenthound.comparison.draws import drawn_topic
from scenthound.comparison.kept_crawls import crawl_of, remove_crawl
from scenthound.comparison.messages import WorkOrder
from scenthound.comparison.model import GIVEN, Cell, Unit
from scenthound.comparison.webs import Web
from scenthound.core.model import Topic
from scenthound.experiments.equipping import equipped
from scenthound.experiments.jobs import Job, Plan
from scenthound.experiments.metrics import CHECKPOINT
from scenthound.experiments.shared_reading import shared_reading
from scenthound.experiments.topic_reading import Warn
from scenthound.lexicon.wordnet import load_wordnet
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.concept_models import ONTOLOGY
from scenthound.strategies.ontologies import refuse_ontology

_PLAINEST = "breadth-first"
"""The strategy that the common part of a unit's jobs is made with: it needs nothing."""
_SMALL = 1_000
"""Up to so many pages a run has ten times as many checkpoints, so that its curve is one."""


class Workplace:
    """Makes the jobs of a grid, with everything opened once and held by ``resources``.

    Runs of one unit share the topic as it was read, so ask for them one after the other.
    """

    def __init__(self, order: WorkOrder, resources: ExitStack, warn: Warn) -> None:
        self._grid = order.grid
        self._crawls = order.crawls
        self._indexes = order.indexes
        self._resources = resources
        self._warn = warn
        self._archives: dict[str, Archive] = {}
        self._pages: tuple[str, str, ArchivePages] | None = None
        self._last: tuple[Unit, Job] | None = None
        rules, cache = order.grid.rules, order.grid.cache
        self._plan = Plan(
            strategies=[(CATALOGUE[_PLAINEST], {})],
            budget=rules.budget,
            count_missing=rules.count_missing,
            threshold=rules.threshold,
            wordnet=None if rules.wordnet is None else load_wordnet(Path(rules.wordnet), warn),
            pdf=rules.pdf,
            equipment=resources.enter_context(equipped(cache, warn)),
            judge=rules.judge,
            reading=resources.enter_context(shared_reading(cache, warn)),
        )

    def archive(self, web: str) -> Archive:
        """The archive of a web, opened when it is first asked for."""
        if web not in self._archives:
            opened = open_archive(self._grid.web(web).archive, cache=self._indexes)
            self._archives[web] = self._resources.enter_context(opened)
        return self._archives[web]

    def job(self, cell: Cell) -> Job:
        """The job of a run, checked; InputError says what is wrong with it."""
        base = self._base(cell.unit)
        chosen = self._grid.contender(cell.strategy)
        chosen.recipe.refuse_unlabelled(base.labels)
        if chosen.recipe.extra == ONTOLOGY:
            refuse_ontology(base.topic)
        return replace(
            base,
            recipe=self._grid.rules.recipe(chosen.recipe),
            parameters=chosen.parameters,
            seed=cell.random_seed,
            out=self._folder(cell),
            every=_step(base.budget.pages),
        )

    def _base(self, unit: Unit) -> Job:
        """What the jobs of a unit have in common."""
        if self._last is None or self._last[0] != unit:
            labels = self._grid.web(unit.web).labels
            plan = replace(self._plan, labels=labels)
            (job,) = plan.jobs(self.archive(unit.web), [self.topic(unit)], self._warn)
            self._last = (unit, job)
        return self._last[1]

    def topic(self, unit: Unit) -> Topic:
        """The topic with the seeds and example pages of the unit, as far as runs may know them."""
        web = self._grid.web(unit.web)
        topic = web.topic(unit.topic)
        if unit.seeds != GIVEN or unit.draw > 0:
            topic = drawn_topic(topic, self._drawn_from(web, topic), unit.seeds, unit.draw)
        return self._grid.rules.topic(topic)  # last: seeds are drawn beside the example pages

    def _drawn_from(self, web: Web, topic: Topic) -> ArchivePages:
        """What can be drawn for the topic; that of the last one is kept, with all its addresses."""
        if self._pages is None or self._pages[:2] != (web.name, topic.name):
            assert web.labels is not None  # a grid that draws has labels
            pages = ArchivePages(self.archive(web.name), topic, web.labels)
            self._pages = (web.name, topic.name, pages)
        return self._pages[2]

    def _folder(self, cell: Cell) -> Path | None:
        """The crawl folder of the run; what an earlier attempt has left there is removed."""
        if self._crawls is None:
            return None
        remove_crawl(self._crawls, cell)
        return crawl_of(self._crawls, cell).path


def _step(budget: int) -> int:
    """Pages from one checkpoint of a run to the next; those of the papers are among them."""
    return CHECKPOINT // 10 if budget <= _SMALL else CHECKPOINT
