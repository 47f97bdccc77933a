"""One run of a live crawl: opens its folder, reads its topic, crawls, closes, and reads the
result from the journal.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from scenthound.core.errors import InputError
from scenthound.core.events import (
    StoppedEvent,
    Summary,
    TextRepresentations,
    stored_text_representations,
)
from scenthound.core.protocols import Clock, Scorer
from scenthound.crawler.checkpoint import CrawlStorage, open_storage
from scenthound.crawler.control import (
    READING,
    ControlSignal,
    RunController,
    SilentWatcher,
    Status,
    StopRules,
    Watcher,
    interruptible,
)
from scenthound.crawler.examples import LearnedTopic, learn_topic, learn_topic_together
from scenthound.crawler.fetch_loop import FetchLoop, Retries
from scenthound.crawler.job import LiveJob
from scenthound.crawler.judges import save_ontology
from scenthound.crawler.live import LiveCrawl, ReportingJournal, RunParts
from scenthound.crawler.metrics import EventCounts, PageMeasurement, Result, checkpoints, run_result
from scenthound.crawler.shared.worker import DistributedWorker
from scenthound.fetch.client import DownloaderClient
from scenthound.fetch.robots import RobotsRulesCache
from scenthound.frontier.redis.server import describe_server_error
from scenthound.papers.olmoaco.topic_ontology import check_topic_ontology
from scenthound.similarity.judge import Threshold
from scenthound.storage.folder import LOCK_NAME, CrawlFolder, FolderLock
from scenthound.storage.journal import read_journal
from scenthound.storage.state import read_topic_profile, write_topic_profile
from scenthound.strategies.text_model_builders import ONTOLOGY
from scenthound.text.pdf import require_pdf

# The result of a live crawl, read from its journal: however long it was, little is in memory.


class _JournalCounts(EventCounts):
    """Counts the events of a journal besides its pages."""

    def __init__(self) -> None:
        super().__init__()
        self.failed = 0
        self.reason = ""
        self.representations: TextRepresentations | None = None

    def pages(self, path: Path) -> Iterator[PageMeasurement]:
        """Yield the pages in order, and count everything else."""
        for event in read_journal(path):
            if event["event"] == "page":
                yield self.count_page(event)
            else:
                self._count(event)
            if isinstance(summary := event.get("summary"), dict):
                self.failed = summary.get("failed", 0)

    def _count(self, event: dict[str, Any]) -> None:
        """Count an event that is no page."""
        kind = event["event"]
        if kind == "refused" or (kind == "redirect" and event["reason"] != "followed"):
            self.dropped[event["reason"]] += 1
        elif kind == "dropped":
            self.dropped[event["reason"]] += event["count"]
        elif kind == "failed" and event["retry_at"] is None:
            self.problems[event["reason"]] += 1
        elif kind == "revised":
            self.learned_from = event["links"]
        elif kind == "started":
            self.representations = stored_text_representations(event.get("reading"))
        elif kind == "stopped":
            self.reason = event["reason"]


def live_result(
    job: LiveJob, journal: Path, threshold: Threshold, seconds: float, scorer: Scorer | None = None
) -> Result:
    """Return the figures of the crawl so far; ``seconds`` it took in all.

    ``scorer`` is the strategy's, as the crawl left it; None where the crawl never began.
    StrategyError where links were scored and no score was a number.
    """
    counts, options = _JournalCounts(), job.options
    rows = checkpoints(counts.pages(journal), job.labels)
    return run_result(
        job,
        options.max_pages,
        rows,
        counts,
        scorer,
        seed=options.random_seed,
        missing=0,
        failed=counts.failed,
        stopped=counts.reason,
        seconds=seconds,
        threshold=threshold,
        order=(),
        judge=options.judge,
        representations=counts.representations,
    )


_MAX_REASON = 300
"""Characters of an error that are stored on the server, where every dashboard reads them."""

NOT_BEGUN = Threshold(0.0, "the crawl ended before its topic was known")


def start_crawl(job: LiveJob, out: Path, watcher: Watcher | None) -> Result:
    """Crawl the live web for a job, into a new folder.

    InputError where the folder or the topic cannot be used.
    """
    if ONTOLOGY in (job.options.judge, job.spec.extra):
        check_topic_ontology(job.topic)
    if job.options.pdf:
        require_pdf()
    folder = CrawlFolder.create(out, job.crawl_spec())
    try:
        return _run(folder, job, watcher)
    except InputError:
        if read_topic_profile(out) is None:  # nothing has begun: the folder is free for another try
            database = f"{folder.database_path.name}*"
            for name in ("crawl.json", LOCK_NAME, "journal.jsonl", database, "pages-*.warc.gz"):
                for path in folder.path.glob(name):
                    path.unlink(missing_ok=True)
        raise


def join_crawl(
    job: LiveJob, out: Path, join: Callable[[], DistributedWorker], watcher: Watcher | None
) -> Result:
    """Work for a shared crawl, in a folder of this worker's own, new or left before.

    ``join`` frees what a worker of this folder had leased, so it is called under the lock of the
    folder; FolderError where another process holds that.
    """
    with FolderLock(out):
        folder = CrawlFolder(out)
        if not folder.spec_path.exists():
            folder = CrawlFolder.create(out, job.crawl_spec())
        distributed = join()
        try:
            return _run(folder, job, watcher, distributed)
        except BaseException as error:
            # Also after Ctrl-C: the URLs that this worker has leased are free at once, not when the
            # leases expire.
            distributed.abandon(describe_server_error(error)[:_MAX_REASON])
            raise


def resume_crawl(folder: Path, job: LiveJob, watcher: Watcher | None) -> Result:
    """Go on with the crawl in ``folder``; ``job`` is the one stored there, options changed."""
    return _run(CrawlFolder.open(folder), job, watcher)


def _run(
    folder: CrawlFolder,
    job: LiveJob,
    watcher: Watcher | None,
    distributed: DistributedWorker | None = None,
) -> Result:
    """Run a crawl in an open or new folder until it ends, and write its results."""
    if job.options.pdf:
        require_pdf()
    watcher = watcher or SilentWatcher()
    clock = time.time if distributed is None else distributed.clock
    shared = None if distributed is None else distributed.frontier
    network = job.options.network(version("scenthound"))
    network = replace(network, exclude=(*network.exclude, *job.topic.exclude))
    with (
        # Left in reverse order: the downloader first, the handling of signals last.
        interruptible() as interruption,
        open_storage(folder, job, network.user_agent, clock, shared) as storage,
        DownloaderClient(network) as downloads,
    ):
        rules = StopRules(job.options, folder.path)
        seconds = 0.0 if storage.progress is None else float(str(storage.progress["seconds"]))
        parts = RunParts(
            job=job,
            storage=storage,
            fetch_loop=_fetch_loop(job, storage, downloads, network.user_agent, clock, distributed),
            controller=RunController(folder.path, interruption, rules, seconds, distributed),
            journal=ReportingJournal(storage.journal, watcher, job.seeds),
            watcher=watcher,
            clock=clock,
            distributed=distributed,
        )
        threshold, scorer = _crawl(parts)
        seconds = parts.controller.seconds
        result = live_result(job, folder.journal_path, threshold, seconds, scorer)
    folder.write_results(result.to_json())
    return result


def _fetch_loop(
    job: LiveJob,
    storage: CrawlStorage,
    downloads: DownloaderClient,
    user_agent: str,
    clock: Clock,
    distributed: DistributedWorker | None,
) -> FetchLoop:
    """Return the fetch loop with the options of the job."""
    options = job.options
    rng = random.Random(options.random_seed)
    files = None if distributed is None else distributed.robots
    return FetchLoop(
        frontier=storage.frontier,
        downloads=downloads,
        robots=RobotsRulesCache(user_agent, clock, shared=files),
        concurrency=options.concurrency,
        delay=options.delay,
        retries=Retries(options.retries, options.retry_wait, rng),
        lost_after=job.lost_after,
        clock=clock,
        from_local=None if distributed is None else distributed.clock.of,
        pdf=options.pdf,
    )


def _crawl(parts: RunParts) -> tuple[Threshold, Scorer | None]:
    """Learn the topic and crawl; return the judge's threshold and the scorer at the end."""
    learned = _topic(parts)
    folder, spec = parts.storage.folder, parts.job.crawl_spec()
    if learned.profile is None:
        folder.replace_spec(spec)
        stopped = parts.controller.reason or ""
        parts.journal.append(StoppedEvent(parts.clock(), stopped, Summary()))
        if parts.distributed is not None:
            parts.distributed.abandon(stopped)
        return NOT_BEGUN, None
    crawl = LiveCrawl(parts, learned.profile)
    folder.replace_spec(spec)  # not before: a crawl that cannot be resumed stays as it was
    if parts.storage.progress is None:  # one that goes on has it in its folder
        save_ontology(crawl.scorer, learned.profile, folder.path)
    crawl.run(learned.pages, learned.redirects)
    return crawl.judge.calibration, crawl.scorer


def _topic(parts: RunParts) -> LearnedTopic:
    """Return the topic: stored by an earlier run, published by another worker, or read now."""
    storage, controller, distributed = parts.storage, parts.controller, parts.distributed
    profile = read_topic_profile(storage.folder.path)
    if storage.progress is not None and profile is not None:
        return LearnedTopic(profile)

    def show() -> None:
        parts.watcher.look(Status(
            Summary(), parts.job.options.max_pages, parts.fetch_loop.in_flight,
            storage.frontier.host_count, 0, controller.run_seconds, controller.seconds, None,
            controller.paused, READING,
        ))  # fmt: skip

    def control() -> ControlSignal:
        if distributed is not None:
            distributed.frontier.send()
            distributed.send_heartbeat()
        return controller.check(on_tick=show)

    known = {} if distributed is None else distributed.crawl.examples

    def learn(control: Callable[[], ControlSignal]) -> LearnedTopic:
        return learn_topic(
            parts.job,
            parts.fetch_loop,
            storage.frontier,
            parts.journal,
            parts.clock,
            control,
            known,
        )

    if distributed is None:
        learned = learn(control)
    else:
        learned = learn_topic_together(distributed, learn, control)
    if learned.profile is not None:
        write_topic_profile(storage.folder.path, learned.profile)
    return learned
