"""A worker process of a comparison: open archives, shared caches, and one run after the other."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import fields, replace
from multiprocessing.connection import Connection
from pathlib import Path

from scenthound.core.events import PageEvent
from scenthound.core.model import Topic
from scenthound.crawler.metrics import CHECKPOINT
from scenthound.crawler.replay import STOPPED, format_error, run_job
from scenthound.crawler.replay_plan import ReplayJob, ReplayPlan
from scenthound.crawler.result import Run
from scenthound.crawler.run_caches import open_equipment, open_reading_cache, warn_once
from scenthound.crawler.topic_reading import Warn
from scenthound.evaluation.comparison_folder import crawl_path, remove_crawl
from scenthound.evaluation.draws import ArchivePages, draw_topic
from scenthound.evaluation.grid import Web
from scenthound.evaluation.outcomes import GIVEN, Cell, Outcome, Unit
from scenthound.evaluation.worker_pool import DrawnTopic, Report, RunEnded, WorkOrder
from scenthound.papers.olmoaco.topic_ontology import check_topic_ontology
from scenthound.storage.archive import Archive, open_archive
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.text_models import ONTOLOGY
from scenthound.text.wordnet_files import load_wordnet

_SIMPLEST_STRATEGY = "breadth-first"
"""The strategy that the common part of a unit's jobs is made with: it needs nothing."""

_SMALL_BUDGET = 1_000
"""Up to so many pages a run has ten times as many checkpoints, so that its curve is one."""


class WorkerContext:
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
        self._last: tuple[Unit, ReplayJob] | None = None
        rules, cache = order.grid.rules, order.grid.cache
        self._plan = ReplayPlan(
            strategies=[(CATALOGUE[_SIMPLEST_STRATEGY], {})],
            budget=rules.budget,
            count_missing=rules.count_missing,
            threshold=rules.threshold,
            wordnet=None if rules.wordnet is None else load_wordnet(Path(rules.wordnet), warn),
            pdf=rules.pdf,
            equipment=resources.enter_context(open_equipment(cache, warn)),
            judge=rules.judge,
            reading=resources.enter_context(open_reading_cache(cache, warn)),
        )

    def archive(self, web: str) -> Archive:
        """The archive of a web, opened when it is first asked for."""
        if web not in self._archives:
            opened = open_archive(self._grid.web(web).archive, cache=self._indexes)
            self._archives[web] = self._resources.enter_context(opened)
        return self._archives[web]

    def job(self, cell: Cell) -> ReplayJob:
        """The job of a run, checked; InputError says what is wrong with it."""
        base = self._base(cell.unit)
        chosen = self._grid.contender(cell.strategy)
        chosen.spec.require_labels(base.labels)
        if chosen.spec.extra == ONTOLOGY:
            check_topic_ontology(base.topic)
        return replace(
            base,
            spec=self._grid.rules.spec(chosen.spec),
            parameters=chosen.parameters,
            seed=cell.random_seed,
            out=self._folder(cell),
            every=_checkpoint_interval(base.budget.pages),
        )

    def _base(self, unit: Unit) -> ReplayJob:
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
            topic = draw_topic(topic, self._drawn_from(web, topic), unit.seeds, unit.draw)
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
        return crawl_path(self._crawls, cell).path


def _checkpoint_interval(budget: int) -> int:
    """Pages from one checkpoint of a run to the next; those of the papers are among them."""
    return CHECKPOINT // 10 if budget <= _SMALL_BUDGET else CHECKPOINT


# ``python -m scenthound.evaluation.worker FD`` speaks through the socket ``FD``. Nothing comes
# through standard input: it closes when the comparison ends, however that ends, and then this
# process ends too.


_REPORT_INTERVAL_S = 0.25

_TERMINATION_GRACE_S = 2.0

_ALLOCATIONS = 50_000
"""Objects between two looks of the garbage collector: at 700, its default, it took a tenth of a
worker's time."""

Clock = Callable[[], float]

Send = Callable[[Report], None]


def serve(connection: Connection, clock: Clock = time.monotonic) -> None:
    """Do the runs that come, until None or the end of the connection does."""
    with ExitStack() as resources:
        warn = warn_once(lambda message: connection.send(("warned", message)))
        try:
            workplace = WorkerContext(connection.recv(), resources, warn)
            while (cell := connection.recv()) is not None:
                connection.send(execute_run(workplace, cell, connection.send, clock))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return  # nobody is there to hear the rest


def execute_run(workplace: WorkerContext, cell: Cell, say: Send, clock: Clock) -> RunEnded:
    """One run; an error ends it, not the process."""
    drawn, counting = DrawnTopic(), _PageCounter(say, clock)
    try:
        job = workplace.job(cell)
        drawn = DrawnTopic(job.topic.seeds, job.topic.examples)
        say(("begun", job.budget.pages))
        result = run_job(workplace.archive(cell.web), job, counting)
        if result.stopped == STOPPED:  # its figures are those of a shorter crawl
            error = f"stopped by hand after {result.fetched:,} pages"
            return RunEnded(Outcome(cell, error, fetched=result.fetched), drawn)
        return RunEnded(outcome_of(cell, result), drawn)
    except (BrokenPipeError, ConnectionResetError):
        raise
    except Exception as error:  # noqa: BLE001  whatever a strategy raises is its own run's end
        return RunEnded(Outcome(cell, format_error(error), fetched=counting.pages), drawn)


def outcome_of(cell: Cell, result: Run) -> Outcome:
    """The outcome of a run, without the order of its pages."""
    same = {each.name for each in fields(Outcome)} & {each.name for each in fields(Run)}
    return Outcome(
        cell,
        relevant_by=result.judge,
        **{name: getattr(result, name) for name in same}
        | {"threshold": result.threshold.value, "parameters": dict(result.parameters)},
    )


class _PageCounter:
    """Knows how many pages a run has fetched, and tells it a few times a second."""

    def __init__(self, say: Send, clock: Clock) -> None:
        self._say = say
        self._clock = clock
        self._last = clock()
        self.pages = 0

    def __call__(self, event: PageEvent) -> None:
        self.pages = event.n
        if self._clock() - self._last >= _REPORT_INTERVAL_S:
            self._last = self._clock()
            self._say(("fetched", event.n))


def _end_with_parent() -> None:
    """Wait until standard input is closed; then end, tidily if there is time."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_TERMINATION_GRACE_S)
    os._exit(1)


def _end(number: int, frame: object) -> None:
    """Leave by way of everything that tidies up; SystemExit may also be that of a strategy."""
    raise KeyboardInterrupt


def _collect_garbage_less_often() -> None:
    """Look for circles of objects less often, and never among what was loaded, which stays."""
    gc.freeze()
    gc.set_threshold(_ALLOCATIONS, 10, 10)


def _main(connection: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the comparison, which ends us
    signal.signal(signal.SIGTERM, _end)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _collect_garbage_less_often()
    with Connection(connection) as opened:
        try:
            serve(opened)
        except KeyboardInterrupt:
            sys.exit(1)


if __name__ == "__main__":
    _main(int(sys.argv[1]))
