"""A worker process of a comparison: open archives, shared caches, and one run after the other."""

from __future__ import annotations

import gc
import os
import random
import signal
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, fields, replace
from functools import cached_property
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from pathlib import Path

from scenthound.core.errors import ScenthoundWarning, SettingsError
from scenthound.core.events import PageEvent
from scenthound.core.model import Page, Topic
from scenthound.core.scope import Scope, UrlRules
from scenthound.crawler.caches import open_equipment, open_reading_cache
from scenthound.crawler.metrics import CHECKPOINT, Labels, Result
from scenthound.crawler.replay import format_error, run_job
from scenthound.crawler.replay_plan import ReplayJob, ReplayPlan
from scenthound.evaluation.comparison_folder import crawl_path, remove_crawl
from scenthound.evaluation.grid import Grid
from scenthound.evaluation.outcomes import GIVEN, IRRELEVANT, Cell, Outcome, RunEnded, Unit
from scenthound.papers.olmoaco.topic_ontology import check_topic_ontology
from scenthound.storage.archive import Archive, open_archive
from scenthound.storage.archived_pages import final_response
from scenthound.storage.journal import STOPPED
from scenthound.storage.pages import read_page
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.text_model_builders import ONTOLOGY
from scenthound.text.wordnet_files import load_wordnet

_SMALL_BUDGET = 1_000
"""Up to so many pages a run has ten times as many checkpoints, so that its curve is one."""
_REPORT_INTERVAL_S = 0.25
_ALLOCATIONS = 50_000
"""Objects between two collections of garbage: at 700, the default, they took a tenth of the
time of a worker."""
Send = Callable[[tuple[str, int]], None]


# Seeds and example pages of a topic, drawn at random from the labelled pages of an archive.
#
# The same topic, draw and kind of seeds always draw the same pages of the same archive. Example
# pages are those of the draw, whatever the seeds, so that runs differ in nothing but the seeds.

PAPER_SEED_COUNT = 3
"""Seeds that are drawn for a topic that has none (sdvsm section 5)."""


class ArchivePages:
    """The pages of an archive that can be drawn for a topic; none that the topic excludes."""

    def __init__(self, archive: Archive, topic: Topic, labels: Labels) -> None:
        self._archive = archive
        self._scope = Scope(UrlRules(exclude=topic.exclude))
        self._labelled = labels.of(topic.name)

    def labelled(self) -> list[str]:
        """URLs labelled with the topic, sorted; some may not be in the archive."""
        return sorted(self._labelled)

    @cached_property
    def others(self) -> list[str]:
        """All other URLs of the archive, in its order."""
        targets = (final_response(self._archive, url) for url in self._labelled)
        topical = self._labelled | {page.url for page in targets if page is not None}
        return [url for url in self._archive.urls() if url not in topical]

    def page(self, url: str) -> str | None:
        """The URL of the page that ``url`` leads to; None where there is no text to read."""
        found = self._read(url)
        return None if found is None else found.url

    def start(self, url: str) -> str | None:
        """``url``, if it is itself a page with text and a link into the archive; else None."""
        found = self._read(url)
        if found is None or found.url != url:
            return None
        onward = any(link.url != url and link.url in self._archive for link in found.links)
        return url if onward and found.follow else None

    def _read(self, url: str) -> Page | None:
        response = final_response(self._archive, url)
        if response is None or self._scope.refusal(response.url) is not None:
            return None
        page = read_page(response, (), 0.0)
        return page if page.ok and page.document.text.strip() else None


def draw_topic(topic: Topic, pages: ArchivePages, seeds: str, draw: int) -> Topic:
    """Return the topic with the seeds and examples of a draw.

    Parameters
    ----------
    topic : as its file has it, which is draw 0 of given seeds.
    pages : what can be drawn.
    seeds : one of :data:`.outcomes.SEEDS`.
    draw : from 1 on example pages, and given seeds as well, are drawn from the labelled pages.

    As many are drawn as the topic has, fewer where there are no more pages; seeds are none of the
    example pages as long as there are others. SettingsError where nothing can be drawn.
    """
    if draw > 0:
        wanted, rng = len(set(topic.examples)), _generator(topic, draw, "examples")
        topic = replace(topic, examples=_drawn(pages.labelled(), pages.page, wanted, rng))
    if seeds == GIVEN and draw == 0:
        return topic
    wanted, rng = len(set(topic.seeds)) or PAPER_SEED_COUNT, _generator(topic, draw, seeds)
    if seeds == IRRELEVANT:
        found = _drawn(pages.others, pages.start, wanted, rng)
        kind = "that is not labelled with it, and links to others,"
    else:
        examples = set(topic.examples)
        usable = _drawn(pages.labelled(), pages.page, wanted + len(examples), rng)
        found = tuple(sorted(usable, key=examples.__contains__))[:wanted]
        kind = "that is labelled with it"
    if not found:
        raise SettingsError(
            f"{topic}: the archive has no page {kind} to draw seeds from; give given seeds alone."
        )
    return replace(topic, seeds=found)


def _drawn(
    urls: Sequence[str], usable: Callable[[str], str | None], wanted: int, rng: random.Random
) -> tuple[str, ...]:
    """The first ``wanted`` usable URLs in random order, each once."""
    found: dict[str, None] = {}
    for url in rng.sample(urls, len(urls)):
        if len(found) >= wanted:  # every further look would read a page
            break
        if (page := usable(url)) is not None:
            found[page] = None
    return tuple(found)


def _generator(topic: Topic, draw: int, what: str) -> random.Random:
    return random.Random(f"{topic.name}\n{draw}\n{what}")


# The runs.


@dataclass(frozen=True, slots=True)
class WorkOrder:
    """What a worker works on.

    ``crawls`` is where every run leaves its crawl folder, None for nowhere; ``indexes`` the folder
    for indexes of archives, None for the user's own.
    """

    grid: Grid
    crawls: Path | None = None
    indexes: Path | None = None


class WorkerContext:
    """Makes the jobs of a grid, with everything opened once and closed by ``resources``.

    Runs of one unit share the topic as it was read, so ask for them one after the other.
    """

    def __init__(self, order: WorkOrder, resources: ExitStack) -> None:
        self._order = order
        self._grid = order.grid
        self._resources = resources
        self._archives: dict[str, Archive] = {}
        self._pages: tuple[str, str, ArchivePages] | None = None
        self._last: tuple[Unit, ReplayJob] | None = None

    @cached_property
    def _plan(self) -> ReplayPlan:
        """What all jobs have in common; what is wrong with it ends the first run."""
        rules, cache = self._grid.options, self._grid.cache
        return ReplayPlan(
            strategies=[(CATALOGUE["breadth-first"], {})],  # needs nothing, and is replaced
            budget=rules.budget,
            count_missing=rules.count_missing,
            threshold=rules.threshold,
            wordnet=None if rules.wordnet is None else load_wordnet(Path(rules.wordnet)),
            pdf=rules.pdf,
            equipment=self._resources.enter_context(open_equipment(cache)),
            judge=rules.judge,
            reading=self._resources.enter_context(open_reading_cache(cache)),
        )

    def archive(self, web: str) -> Archive:
        """The archive of a web, opened when it is first needed."""
        if web not in self._archives:
            opened = open_archive(self._grid.web(web).archive, cache=self._order.indexes)
            self._archives[web] = self._resources.enter_context(opened)
        return self._archives[web]

    def job(self, cell: Cell) -> ReplayJob:
        """The job of a run, checked; InputError says what is wrong with it.

        Its crawl folder is free: what an earlier attempt has left there is removed.
        """
        base, crawls = self._base(cell.unit), self._order.crawls
        chosen = self._grid.contender(cell.strategy)
        chosen.spec.require_labels(base.labels)
        if chosen.spec.extra == ONTOLOGY:
            check_topic_ontology(base.topic)
        if crawls is not None:
            remove_crawl(crawls, cell)
        # The checkpoints of the papers are among them.
        every = CHECKPOINT // 10 if base.budget.pages <= _SMALL_BUDGET else CHECKPOINT
        return replace(
            base,
            plan=replace(base.plan, seed=cell.random_seed, every=every),
            spec=self._grid.spec(chosen.spec),
            parameters=chosen.parameters,
            out=None if crawls is None else crawl_path(crawls, cell).path,
        )

    def _base(self, unit: Unit) -> ReplayJob:
        """What the jobs of a unit have in common."""
        if self._last is None or self._last[0] != unit:
            plan = replace(self._plan, labels=self._grid.web(unit.web).labels)
            (job,) = plan.jobs(self.archive(unit.web), [self.topic(unit)])
            self._last = (unit, job)
        return self._last[1]

    def topic(self, unit: Unit) -> Topic:
        """The topic with the seeds and example pages of the unit, as far as runs may know them."""
        web = self._grid.web(unit.web)
        topic = web.topic(unit.topic)
        if unit.seeds != GIVEN or unit.draw > 0:
            if self._pages is None or self._pages[:2] != unit[:2]:
                assert web.labels is not None  # a grid that draws has labels
                pages = ArchivePages(self.archive(web.name), topic, web.labels)
                self._pages = (web.name, topic.name, pages)
            topic = draw_topic(topic, self._pages[2], unit.seeds, unit.draw)
        return self._grid.as_known(topic)  # last: seeds are drawn beside the example pages


def execute_run(context: WorkerContext, cell: Cell, send: Send) -> RunEnded:
    """Do one run; an error ends it, not the process. ``send`` gets its budget, then its pages."""
    seeds: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    fetched, reported = 0, time.monotonic()

    def on_page(event: PageEvent) -> None:
        nonlocal fetched, reported
        fetched = event.n
        if time.monotonic() - reported >= _REPORT_INTERVAL_S:
            reported = time.monotonic()
            send(("fetched", event.n))

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ScenthoundWarning)
        try:
            job = context.job(cell)
            seeds, examples = job.topic.seeds, job.topic.examples
            send(("begun", job.budget.pages))
            result = run_job(context.archive(cell.web), job, on_page)
            outcome = _outcome_of(cell, result)
            if result.stopped == STOPPED:  # its figures are those of a shorter crawl
                error = f"stopped by hand after {result.fetched:,} pages"
                outcome = Outcome(cell, error, fetched=result.fetched)
        except Exception as error:  # noqa: BLE001  whatever a strategy raises is its own run's end
            outcome = Outcome(cell, format_error(error), fetched=fetched)
    messages = [
        str(each.message) for each in caught if issubclass(each.category, ScenthoundWarning)
    ]
    return RunEnded(outcome, seeds, examples, tuple(dict.fromkeys(messages)))


def _outcome_of(cell: Cell, result: Result) -> Outcome:
    """The outcome of a run, without the order of its pages."""
    same = {each.name for each in fields(Outcome)} & {each.name for each in fields(Result)}
    values = {name: getattr(result, name) for name in same}
    values |= {"threshold": result.threshold.value, "parameters": dict(result.parameters)}
    return Outcome(cell, relevant_by=result.judge, **values)


def do_runs(connection: Connection, order: WorkOrder) -> None:
    """A worker process: do every run that comes over the connection, until that is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the comparison, which ends us
    threading.Thread(target=_end_with_comparison, daemon=True).start()
    with open(os.devnull, "w") as nowhere:  # the screen belongs to the comparison
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    gc.freeze()  # what was loaded stays, so it need not be looked at
    gc.set_threshold(_ALLOCATIONS, 10, 10)
    with ExitStack() as resources, suppress(EOFError):
        context = WorkerContext(order, resources)
        while True:
            ended = execute_run(context, connection.recv(), connection.send)
            connection.send(("ended", ended))


def _end_with_comparison() -> None:
    """Exit when the comparison is gone (kill -9)."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
