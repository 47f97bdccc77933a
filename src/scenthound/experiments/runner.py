"""Runs one replay: archive and job in, figures out, everything in a crawl folder if asked."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress

from scenthound.archive import Archive
from scenthound.core.bounds import Bounds
from scenthound.core.crawl import Crawl
from scenthound.core.errors import InputError, StrategyError
from scenthound.core.events import PageEvent
from scenthound.core.extras import complaint
from scenthound.core.scope import Scope
from scenthound.core.sightings import refuse_unscored
from scenthound.core.strategy import Strategy
from scenthound.core.ways_read import ways_read
from scenthound.engines.replay import ReplayClock, run_replay
from scenthound.experiments.jobs import Job
from scenthound.experiments.judges import PageJudge, judge_by
from scenthound.experiments.kept_ontology import keep_ontology
from scenthound.experiments.kept_waiting import keep_what_waits
from scenthound.experiments.metrics import checkpoints, over_budget
from scenthound.experiments.record_keeping import RecordKeeper
from scenthound.experiments.replay_order import replay_order
from scenthound.experiments.result import Run
from scenthound.experiments.steering import Steering, let_go
from scenthound.experiments.weights_used import weights_used
from scenthound.frontier.memory import MemoryFrontier
from scenthound.store.concepts_file import write_concepts
from scenthound.store.folder import CrawlFolder
from scenthound.store.journal import FileJournal
from scenthound.store.lock import FolderLock

STATE_EVERY = 500
_LONGEST_ERROR = 500
OnPage = Callable[[PageEvent], None]


def run(archive: Archive, job: Job, on_page: OnPage | None = None) -> Run:
    """Replay one job; with ``job.out`` everything is written to that crawl folder as it goes."""
    started = time.perf_counter()
    analyzer = job.analyzer()
    judge = judge_by(job.concepts, job.briefing, analyzer, job.threshold)
    strategy = job.strategy(analyzer)
    order = replay_order(archive, job, analyzer.wordnet)
    folder = None if job.out is None else CrawlFolder.create(job.out, order)
    if folder is not None and job.concepts is not None:
        write_concepts(folder.path, job.concepts)
    clock, paused = ReplayClock(), 0.0
    frontier = MemoryFrontier(job.recipe.combination)
    with _held(folder, strategy) as file:
        keeper = RecordKeeper(file)
        crawl = Crawl(
            topic=job.topic.name,
            strategy=strategy,
            frontier=frontier,
            budget=job.budget,
            seeds=job.topic.seeds,
            judge=judge,
            journal=keeper,
            clock=clock,
            scope=Scope(Bounds(exclude=job.topic.exclude)),
            count_missing=job.count_missing,
        )
        _keep_ontology(job, strategy, folder)
        with _stop_on_record(crawl):
            each = _saving(folder, strategy, on_page)
            steering = None if folder is None else Steering(folder.path, crawl)
            heed = None if steering is None else steering.heed
            run_replay(archive, crawl, clock, each, job.pdf, job.pages(archive), heed)
            paused = 0.0 if steering is None else steering.paused_s
    if folder is not None:
        fetched = (record.url for record in keeper.records)
        keep_what_waits(folder, frontier, fetched, job.equipment.warn)
    refuse_unscored(strategy.name, keeper.dropped, keeper.scored)
    seconds = time.perf_counter() - started - paused
    result = _result(job, judge, strategy, crawl, keeper, seconds)
    if folder is not None:
        folder.write_results(result.to_json())
    return result


@contextmanager
def _held(folder: CrawlFolder | None, strategy: Strategy) -> Iterator[FileJournal | None]:
    """The journal of the folder, which nobody else may write to until this ends.

    Whatever ends it, the journal is on the disk, and others are let in even where the strategy
    cannot tell its state.
    """
    if folder is None:
        yield None
        return
    lock = FolderLock(folder.path)
    try:
        with closing(folder.journal()) as file:
            try:
                yield file
            except BaseException:
                file.sync()
                with suppress(StrategyError):  # what ended the crawl is what is told
                    folder.save_state(strategy.state())
                raise
            file.sync()
            folder.save_state(strategy.state())
    finally:
        let_go(folder.path, lock)


def _keep_ontology(job: Job, strategy: Strategy, folder: CrawlFolder | None) -> None:
    path = None if folder is None else folder.path
    keep_ontology(strategy.scorer, job.briefing, path, job.equipment.warn)


@contextmanager
def _stop_on_record(crawl: Crawl) -> Iterator[None]:
    """Whatever ends a crawl, the journal says so."""
    try:
        yield
    except KeyboardInterrupt:
        crawl.stop("interrupted")
        raise
    except Exception as error:
        crawl.stop(f"error: {told_error(error)}")
        raise


def told_error(error: Exception) -> str:
    """An error as journals and comparisons have it: its kind and its sentence, in one line, cut."""
    sentence = str(error) if isinstance(error, InputError) else complaint(error)
    line = f"{type(error).__name__}: {sentence}"
    printable = "".join(letter if letter.isprintable() else " " for letter in line)
    return " ".join(printable.split())[:_LONGEST_ERROR]


def _saving(
    folder: CrawlFolder | None, strategy: Strategy, on_page: OnPage | None
) -> OnPage | None:
    """Tell of every page and, where there is a folder, save the state now and then."""
    if folder is None:
        return on_page

    def each(event: PageEvent) -> None:
        if event.n % STATE_EVERY == 0:
            folder.save_state(strategy.state())
        if on_page is not None:
            on_page(event)

    return each


def _result(
    job: Job, judge: PageJudge, strategy: Strategy, crawl: Crawl, keeper: RecordKeeper,
    seconds: float,
) -> Run:  # fmt: skip
    *rows, last = checkpoints(keeper.records, job.labels, job.every)
    final = over_budget(last, job.budget.pages)
    return Run(
        topic=job.topic.name,
        strategy=job.recipe.name,
        parameters={**job.recipe.parameters, **job.parameters},
        seed=job.seed,
        budget=job.budget.pages,
        fetched=crawl.summary.fetched,
        missing=crawl.summary.missing,
        failed=crawl.summary.failed,
        stopped=crawl.stop_reason or "",
        seconds=seconds,
        peak_rss_mb=peak_rss_mb(),
        threshold=judge.calibration,
        labelled_pages=None if job.labels is None else len(job.labels),
        dropped=dict(keeper.dropped.most_common()),
        problems=dict(keeper.problems.most_common()),
        final=final,
        checkpoints=(*rows, final),
        order=tuple(record.url for record in keeper.records),
        weights=weights_used(job.recipe, strategy.scorer, job.weights, keeper.learnt_from),
        inlinks=job.recipe.combination.value,
        judge=job.judge,
        ways=ways_read(strategy.scorer),
    )


def peak_rss_mb() -> float:
    """Highest memory of this process so far, in MB.

    On Linux ``getrusage`` counts what the process had that started this one, too; ``VmHWM`` does
    not. It tells kilobytes there, and bytes on macOS.
    """
    with suppress(OSError, StopIteration), open("/proc/self/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM:"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024 / 1024 if sys.platform == "darwin" else peak / 1024
