"""Runs one replay: archive and job in, figures out, everything in a crawl folder if asked."""

from __future__ import annotations

import hashlib
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from scenthound.archive import Archive
from scenthound.core.bounds import Bounds
from scenthound.core.crawl import Crawl
from scenthound.core.events import Event, PageEvent, RevisedEvent
from scenthound.core.protocols import Journal
from scenthound.core.scope import Scope
from scenthound.core.strategy import Strategy
from scenthound.engines.replay import ReplayClock, run_replay
from scenthound.experiments.jobs import Job
from scenthound.experiments.judges import PageJudge, judge_by
from scenthound.experiments.kept_ontology import keep_ontology
from scenthound.experiments.metrics import PageRecord, checkpoints, over_budget
from scenthound.experiments.result import Run
from scenthound.experiments.steering import Steering, let_go
from scenthound.experiments.weights_used import weights_used
from scenthound.frontier.memory import MemoryFrontier
from scenthound.lexicon.wordnet import WordNet
from scenthound.store.concepts_file import write_concepts
from scenthound.store.folder import CrawlFolder, Order
from scenthound.store.lock import FolderLock

STATE_EVERY = 500
OnPage = Callable[[PageEvent], None]


@dataclass
class _RecordKeeper:
    """A journal that keeps what the figures need, and passes everything on."""

    onward: Journal | None
    records: list[PageRecord] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    learnt_from: int = 0
    """Links behind the last weights that were learnt."""

    def append(self, event: Event) -> None:
        if isinstance(event, PageEvent):
            self.records.append(PageRecord.from_event(event))
            for reason, (count, _) in event.drops.counts.items():
                self.dropped[reason] += count
            if event.problem:
                self.problems[event.problem] += 1
        elif isinstance(event, RevisedEvent):
            self.learnt_from = event.links
        if self.onward is not None:
            self.onward.append(event)


def run(archive: Archive, job: Job, on_page: OnPage | None = None) -> Run:
    """Replay one job; with ``job.out`` everything is written to that crawl folder as it goes."""
    started = time.perf_counter()
    analyzer = job.analyzer()
    judge = judge_by(job.concepts, job.briefing, analyzer, job.threshold)
    strategy = job.strategy(analyzer)
    order = _order(archive, job, analyzer.wordnet)
    folder = None if job.out is None else CrawlFolder.create(job.out, order)
    if folder is not None and job.concepts is not None:
        write_concepts(folder.path, job.concepts)
    lock = None if folder is None else FolderLock(folder.path)
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
            scope=Scope(Bounds(exclude=job.topic.exclude)),
            count_missing=job.count_missing,
        )
        _keep_ontology(job, strategy, folder)
        with _stop_on_record(crawl):
            each = _saving(folder, strategy, on_page)
            heed = None if folder is None else Steering(folder.path, crawl).heed
            run_replay(archive, crawl, clock, each, job.pdf, job.pages(archive), heed)
    finally:
        if file is not None:
            file.sync()
            file.close()
        if folder is not None and lock is not None:
            folder.save_state(strategy.state())
            let_go(folder.path, lock)
    seconds = time.perf_counter() - started
    result = _result(job, judge, strategy, crawl, keeper, seconds)
    if folder is not None:
        folder.write_results(result.to_json())
    return result


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
        crawl.stop(f"error: {type(error).__name__}")
        raise


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
    job: Job, judge: PageJudge, strategy: Strategy, crawl: Crawl, keeper: _RecordKeeper,
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
    )


def _order(archive: Archive, job: Job, wordnet: WordNet | None) -> Order:
    return Order(
        kind="replay",
        topic=job.topic,
        strategy=job.recipe.name,
        parameters={**job.recipe.parameters, **job.parameters},
        budget=job.budget.pages,
        seed=job.seed,
        source={"archive": str(archive.path.resolve()), "sha256": archive.fingerprint},
        settings={
            "inlinks": job.recipe.combination.value,
            "count_missing": job.count_missing,
            "judge": job.judge,
            "threshold": job.threshold,
            "labels": _labels_digest(job.labels),
            "wordnet": _wordnet_origin(wordnet),
            "pdf": job.pdf,
            "weights": None if job.weights is None else job.weights.to_json(),
        },
    )


def _labels_digest(labels: frozenset[str] | None) -> dict[str, object] | None:
    """Which labels were measured by: how many pages, and a hash of their sorted URLs."""
    if labels is None:
        return None
    digest = hashlib.sha256("\n".join(sorted(labels)).encode()).hexdigest()
    return {"pages": len(labels), "sha256": digest}


def _wordnet_origin(wordnet: WordNet | None) -> dict[str, str] | None:
    """Which WordNet gave base forms and meanings; None for a language that it is not for."""
    return None if wordnet is None else {"version": wordnet.version, "origin": wordnet.origin}


def peak_rss_mb() -> float:
    """Highest memory of this process so far, in MB (kilobytes on Linux, bytes on macOS)."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1024 / 1024 if sys.platform == "darwin" else peak / 1024
