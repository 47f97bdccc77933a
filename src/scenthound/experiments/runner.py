"""Runs one replay: archive and job in, figures out, everything in a crawl folder if asked."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from scenthound.archive import Archive
from scenthound.core.crawl import Crawl
from scenthound.core.events import Event, PageEvent, Summary
from scenthound.core.protocols import Journal
from scenthound.core.strategy import Strategy
from scenthound.engines.replay import ReplayClock, run_replay
from scenthound.experiments.jobs import Job
from scenthound.experiments.judge import SimilarityJudge
from scenthound.experiments.metrics import PageRecord, checkpoints, over_budget, page_records
from scenthound.experiments.result import Run
from scenthound.frontier.memory import MemoryFrontier
from scenthound.store.folder import CrawlFolder, Order
from scenthound.text.terms import Analyzer

STATE_EVERY = 500
OnPage = Callable[[PageEvent], None]


@dataclass
class _RecordKeeper:
    """A journal that keeps what the indicators need, and passes everything on."""

    onward: Journal | None
    records: list[PageRecord] = field(default_factory=list)

    def append(self, event: Event) -> None:
        if isinstance(event, PageEvent):
            self.records.extend(page_records([event.to_json()]))
        if self.onward is not None:
            self.onward.append(event)


def run(archive: Archive, job: Job, on_page: OnPage | None = None) -> Run:
    """Replay one job; with ``job.out`` everything is written to that crawl folder as it goes."""
    started = time.perf_counter()
    analyzer = Analyzer(job.topic.language)
    judge = SimilarityJudge(job.briefing, analyzer, job.threshold)
    strategy = job.strategy(analyzer)
    folder = None if job.out is None else CrawlFolder.create(job.out, _order(archive, job))
    file = folder.journal() if folder is not None else None
    keeper = _RecordKeeper(file)
    clock = ReplayClock()
    try:
        crawl = Crawl(
            topic=job.topic.name,
            strategy=strategy,
            frontier=MemoryFrontier(job.recipe.combination),
            budget=job.budget,
            seeds=job.topic.seeds,
            judge=judge,
            journal=keeper,
            clock=clock,
            exclude=job.topic.exclude,
            count_missing=job.count_missing,
        )
        run_replay(archive, crawl, clock, _saving(folder, strategy, on_page))
    finally:
        if file is not None:
            file.sync()
            file.close()
    if folder is not None:
        folder.save_state(strategy.state())
    seconds = time.perf_counter() - started
    result = _result(job, judge, crawl.summary, crawl.stop_reason or "", keeper.records, seconds)
    if folder is not None:
        folder.write_results(result.to_json())
    return result


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
    job: Job,
    judge: SimilarityJudge,
    summary: Summary,
    stopped: str,
    records: list[PageRecord],
    seconds: float,
) -> Run:
    rows = checkpoints(records, job.labels)
    return Run(
        topic=job.topic.name,
        strategy=job.recipe.name,
        parameters={**job.recipe.parameters, **job.parameters},
        seed=job.seed,
        budget=job.budget.pages,
        fetched=summary.fetched,
        missing=summary.missing,
        failed=summary.failed,
        stopped=stopped,
        seconds=seconds,
        peak_rss_mb=peak_rss_mb(),
        threshold=judge.calibration,
        labelled_pages=None if job.labels is None else len(job.labels),
        final=over_budget(rows[-1], job.budget.pages),
        checkpoints=tuple(rows),
        order=tuple(record.url for record in records),
    )


def _order(archive: Archive, job: Job) -> Order:
    return Order(
        kind="replay",
        topic=job.topic,
        strategy=job.recipe.name,
        parameters={**job.recipe.parameters, **job.parameters},
        budget=job.budget.pages,
        seed=job.seed,
        source={"archive": str(archive.path), "sha256": archive.fingerprint},
        settings={"count_missing": job.count_missing, "threshold": job.threshold},
    )


def peak_rss_mb() -> float:
    """Highest memory of this process so far, in MB (kilobytes on Linux, bytes on macOS)."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024 / 1024 if sys.platform == "darwin" else peak / 1024
