"""One run of a live crawl: opens its folder, learns its topic, crawls, closes."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from scenthound.core.errors import InputError
from scenthound.core.events import StoppedEvent
from scenthound.core.protocols import Journal
from scenthound.core.summary import Summary
from scenthound.distributed.server import in_words
from scenthound.experiments.judges import refuse_judge
from scenthound.experiments.kept_ontology import keep_ontology
from scenthound.experiments.result import Run
from scenthound.experiments.topic_reading import Warn
from scenthound.live.crawling import LiveCrawl
from scenthound.live.deciding import Heed
from scenthound.live.desk import Desk, opened
from scenthound.live.downloads import Downloads
from scenthound.live.examples import Learnt, learn_topic
from scenthound.live.interruption import Interruption, interruptible
from scenthound.live.job import LiveJob
from scenthound.live.membership import Membership
from scenthound.live.overseer import Overseer
from scenthound.live.results import live_result
from scenthound.live.retries import Retries
from scenthound.live.robots import RobotsCache
from scenthound.live.shared_topic import learnt_together
from scenthound.live.status import READING, Nobody, Status, Watcher
from scenthound.live.stopping import StopRules
from scenthound.live.telling import ToldJournal
from scenthound.live.worker import Worker
from scenthound.relevance.judge import Threshold
from scenthound.store.folder import CrawlFolder
from scenthound.store.lock import LOCK_NAME, FolderLock
from scenthound.store.topic_file import read_briefing, write_briefing
from scenthound.strategies.concept_models import ONTOLOGY
from scenthound.strategies.ontologies import refuse_ontology
from scenthound.text.pdf import require_pdf

_PATIENCE = 120.0
"""Seconds beyond two timeouts until the downloader is thought to have lost a request."""
_MOST_SAID = 300
NOT_BEGUN = Threshold(0.0, "the crawl ended before its topic was known")


def start_crawl(job: LiveJob, out: Path, watcher: Watcher | None, warn: Warn) -> Run:
    """Crawl the live web for a job, into a new folder.

    Parameters
    ----------
    job : what to do.
    out : the folder; it must not hold a crawl.
    watcher : sees what happens.
    warn : gets what is left out, in words.

    Raises
    ------
    InputError
        The folder or the topic cannot be used.
    """
    _check_extras(job)
    refuse_judge(job.options.judge, job.topic)
    if job.recipe.extra == ONTOLOGY:
        refuse_ontology(job.topic)
    folder = CrawlFolder.create(out, job.order())
    try:
        return _run(folder, job, watcher or Nobody(), warn)
    except InputError:
        if read_briefing(out) is None:  # nothing has begun: the folder is free for another try
            _clear(folder)
        raise


def join_crawl(
    job: LiveJob,
    out: Path,
    join: Callable[[], Membership],
    watcher: Watcher | None,
    warn: Warn,
) -> Run:
    """Work for a crawl that others work for too, in a folder of one's own, new or left before.

    ``join`` frees what a worker of this folder had leased, so it is called when nobody else can be
    at work there; FolderError where somebody is.
    """
    _check_extras(job)
    with FolderLock(out):
        folder = CrawlFolder(out)
        if not folder.order_path.exists():
            folder = CrawlFolder.create(out, job.order())
        membership = join()
        try:
            return _run(folder, job, watcher or Nobody(), warn, membership)
        except BaseException as error:
            membership.abandon(in_words(error)[:_MOST_SAID])
            raise


def resume_crawl(folder: Path, job: LiveJob, watcher: Watcher | None, warn: Warn) -> Run:
    """Go on with the crawl in ``folder``; ``job`` is the one stored there, options changed."""
    _check_extras(job)
    return _run(CrawlFolder.open(folder), job, watcher or Nobody(), warn)


def _check_extras(job: LiveJob) -> None:
    """What the job needs and is not installed is told before anything begins."""
    if job.options.pdf:
        require_pdf()


def _run(
    folder: CrawlFolder,
    job: LiveJob,
    watcher: Watcher,
    warn: Warn,
    membership: Membership | None = None,
) -> Run:
    clock = time.time if membership is None else membership.clock
    shared = None if membership is None else membership.frontier
    network = job.options.network(version("scenthound"))
    network = replace(network, exclude=(*network.exclude, *job.topic.exclude))
    with (
        interruptible() as interruption,
        opened(folder, job, network.user_agent, clock, shared) as desk,
        Downloads(network, warn) as downloads,
    ):
        folder.replace_order(job.order())  # not before: another process may hold the folder
        max_time = None if membership is None else lambda: membership.max_time
        rules = StopRules(job.options, folder.path, max_time=max_time)
        seconds = 0.0 if desk.progress is None else float(str(desk.progress["seconds"]))
        overseer = _overseer(folder, interruption, rules, seconds, membership)
        journal = ToldJournal(desk.journal, watcher, job.seeds, warn)
        files = None if membership is None else membership.robots
        robots = RobotsCache(network.user_agent, clock, shared=files)
        worker = _worker(job, desk, downloads, robots, membership, warn)
        learnt = _topic(job, desk, worker, overseer, journal, watcher, warn, membership)
        threshold, scorer = NOT_BEGUN, None
        if learnt.briefing is None:
            journal.append(StoppedEvent(clock(), learnt.stopped or "", Summary()))
            if membership is not None:
                membership.abandon(learnt.stopped or "")
        else:
            crawl = LiveCrawl(
                job, desk, learnt.briefing, worker, overseer, rules, journal, watcher, warn,
                membership,
            )  # fmt: skip
            threshold, scorer = crawl.judge.calibration, crawl.scorer
            if desk.progress is None:  # one that goes on has it in its folder
                keep_ontology(scorer, learnt.briefing, folder.path, warn)
            crawl.run(learnt.pages, learnt.redirects)
        result = live_result(job, folder.journal_path, threshold, overseer.seconds, scorer)
    folder.write_results(result.to_json())
    return result


def _clear(folder: CrawlFolder) -> None:
    """Take away what a crawl that never began has left; none of it was there before."""
    database = f"{folder.database_path.name}*"
    for pattern in ("crawl.json", LOCK_NAME, "journal.jsonl", database, "pages-*.warc.gz"):
        for path in folder.path.glob(pattern):
            path.unlink(missing_ok=True)


def _overseer(
    folder: CrawlFolder,
    interruption: Interruption,
    rules: StopRules,
    seconds: float,
    membership: Membership | None,
) -> Overseer:
    if membership is None:
        return Overseer(folder.path, interruption, rules, seconds)
    clock, began = membership.clock, membership.began
    return Overseer(
        folder.path, interruption, rules, seconds, shared=membership.requests,
        elapsed=lambda: clock() - began,
    )  # fmt: skip


def _worker(
    job: LiveJob,
    desk: Desk,
    downloads: Downloads,
    robots: RobotsCache,
    membership: Membership | None,
    warn: Warn,
) -> Worker:
    options = job.options
    return Worker(
        frontier=desk.frontier,
        downloads=downloads,
        robots=robots,
        concurrency=options.concurrency,
        delay=options.delay,
        retries=Retries(options.retries, options.retry_wait, random.Random(options.random_seed)),
        lost_after=2 * options.timeout + _PATIENCE,
        clock=time.time if membership is None else membership.clock,
        from_local=_same if membership is None else membership.clock.of,
        pdf=options.pdf,
        warn=warn,
    )


def _same(local: float) -> float:
    return local


def _topic(
    job: LiveJob,
    desk: Desk,
    worker: Worker,
    overseer: Overseer,
    journal: Journal,
    watcher: Watcher,
    warn: Warn,
    membership: Membership | None,
) -> Learnt:
    """The topic: kept from an earlier run, told by others, or learnt now from its example pages."""
    briefing = read_briefing(desk.folder.path)
    if desk.progress is not None and briefing is not None:
        return Learnt(briefing)

    def heed() -> Heed:
        if membership is not None:
            membership.frontier.send()
            membership.tell_alive()
        status = Status(
            Summary(), job.options.max_pages, worker.under_way, desk.frontier.host_count, 0,
            overseer.run_seconds, overseer.seconds, None, overseer.paused, READING,
        )  # fmt: skip
        return overseer.heed(on_tick=lambda: watcher.look(status))

    clock = time.time if membership is None else membership.clock
    known = None if membership is None else membership.crawl.examples

    def learn(heeding: Callable[[], Heed]) -> Learnt:
        return learn_topic(job, worker, desk.frontier, journal, clock, heeding, warn, known)

    learnt = learn(heed) if membership is None else learnt_together(membership, learn, heed)
    learnt = replace(learnt, stopped=overseer.reason)
    if learnt.briefing is not None:
        write_briefing(desk.folder.path, learnt.briefing)
    return learnt
