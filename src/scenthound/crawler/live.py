"""The live crawl itself: a crawl, its worker and its checkpointer, from first page to last.

:class:`LiveCrawl` connects the parts and has little logic of its own. Read ``run`` first, then the
callbacks in the order in which the worker calls them: ``_control`` at every turn, ``_observe`` for
every page, ``_on_tick`` a few times a second, ``_on_commit`` when a batch is on disk.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from scenthound.core.crawl_loop import HOST_BUDGET_EXHAUSTED, CrawlLoop
from scenthound.core.errors import FolderError, warn_caller
from scenthound.core.events import (
    ControlEvent,
    Event,
    FailedEvent,
    Json,
    PageEvent,
    RejectedEvent,
    StoppedEvent,
    Summary,
)
from scenthound.core.model import Budget, ScoredLink, TopicProfile
from scenthound.core.protocols import Clock, Journal, Scorer, State
from scenthound.core.scope import LiveLinkRules, Scope
from scenthound.core.urls import PRIVATE, rejection_reason
from scenthound.crawler.checkpoint import (
    SHARED_CRAWL,
    SINGLE_WORKER,
    Checkpointer,
    CrawlStorage,
    relearn,
)
from scenthound.crawler.control import ControlSignal, RunController, Status, Watcher
from scenthound.crawler.examples import FetchedExample
from scenthound.crawler.fetch_loop import FetchLoop
from scenthound.crawler.job import LiveJob
from scenthound.crawler.judges import judge_with_concepts, load_or_learn_concepts
from scenthound.crawler.shared.learning import SharedLearning
from scenthound.crawler.shared.worker import DistributedWorker
from scenthound.fetch.client import FetchResponse, PageReader
from scenthound.storage.journal import INTERRUPTED, FileJournal

FRONTIER_FULL = "frontier full"

_OUTAGE = {
    "outage": "no host responds: check network and proxy. The crawl waits and retries",
    "network back": "hosts respond again; the crawl continues",
}

_LOG = logging.getLogger(__name__)


class ReportingJournal:
    """Journal that passes every event on to a watcher and to the log.

    The first failure of each URL in ``seeds`` is a warning.
    """

    def __init__(self, journal: FileJournal, watcher: Watcher, seeds: Iterable[str]) -> None:
        self._journal = journal
        self._watcher = watcher
        self._seeds = set(seeds)

    def append(self, event: Event) -> None:
        """Append an event."""
        self._journal.append(event)
        self._watcher.saw(event)
        if isinstance(event, PageEvent):
            relevance = "relevant" if event.relevant else event.problem or "not relevant"
            line = f"{event.url} status {event.status}, {event.similarity:.3f}, {relevance}"
            _LOG.info("page %d %s", event.n, line)
            return
        _LOG.info("%s", event.to_json())
        if isinstance(event, ControlEvent) and event.what in _OUTAGE:
            warn_caller(_OUTAGE[event.what])
        if isinstance(event, FailedEvent | RejectedEvent) and event.url in self._seeds:
            self._seeds.discard(event.url)
            hint = ""
            if event.reason == PRIVATE:
                hint = "; to fetch it, give --allow-private"
            elif isinstance(event, FailedEvent) and event.retry_at is not None:
                hint = f"; retry in {max(0.0, event.retry_at - event.at):.0f} s"
            warn_caller(f"the seed {event.url} cannot be fetched: {event.reason}{hint}")


@dataclass(frozen=True)
class RunParts:
    """Components of one run of a crawl.

    ``clock`` is that of the server in a shared crawl. ``distributed`` is None for a crawl of one
    worker.
    """

    job: LiveJob
    storage: CrawlStorage
    fetch_loop: FetchLoop
    controller: RunController
    journal: Journal
    watcher: Watcher
    clock: Clock
    distributed: DistributedWorker | None


class LiveCrawl:
    """A crawl over the live web, new or resumed; ``profile`` is its topic."""

    def __init__(self, parts: RunParts, profile: TopicProfile) -> None:
        job, storage, distributed = parts.job, parts.storage, parts.distributed
        options = job.options
        self._job = job
        self._distributed = distributed
        self._storage = storage
        self._fetch_loop = parts.fetch_loop
        self._controller = parts.controller
        self._watcher = parts.watcher
        self._reader = PageReader(storage.ledger, options.max_body, options.pdf)
        rejection = None if options.allow_private else rejection_reason
        self._link_rules = LiveLinkRules(datetime.now(UTC).year, rejection)
        self._scope = Scope(job.bounds(), self._link_rules)
        analyzer = job.analyzer()
        concepts = load_or_learn_concepts(storage.folder.path, options.judge, profile, analyzer)
        self.judge = judge_with_concepts(concepts, profile, analyzer, options.threshold)
        self._strategy = job.strategy(profile, analyzer)
        self._learning: SharedLearning | None = None
        if distributed is not None:
            shared = distributed.crawl
            self._learning = SharedLearning(
                shared.client, shared.name, distributed.worker, self._strategy, self._on_election
            )
        self._crawl = CrawlLoop(
            topic=job.topic.name,
            strategy=self._strategy,
            frontier=storage.frontier,
            budget=Budget(options.max_pages) if distributed is None else distributed.budget,
            seeds=job.seeds,
            judge=self.judge,
            journal=parts.journal,
            clock=parts.clock,
            scope=self._scope,
            max_depth=options.max_depth,
            so_far=self._restore(),
            revises=distributed is None,
        )
        self._before = self._crawl.summary.fetched
        if self._learning is not None and distributed is not None:
            # After _restore(): what was learned again from stored pages is not published twice.
            self._learning.begin(self._before)
            distributed.on_server.on_progress = self._keep_alive
        interval = SINGLE_WORKER if distributed is None else SHARED_CRAWL
        self._checkpointer = Checkpointer(
            storage, self._progress, self._state, interval, self._on_commit
        )

    @property
    def scorer(self) -> Scorer:
        """Scorer of the links, with all that it has learned."""
        return self._strategy.scorer

    def run(self, examples: Sequence[FetchedExample], redirects: Sequence[FetchResponse]) -> None:
        """Crawl until the budget, a limit or the user ends the crawl.

        ``examples`` were fetched before and are read first; ``redirects`` led to some of them.
        """
        for response in redirects:
            self._checkpointer.keep_redirect(response)
        for example in examples:
            self._crawl.adopt(example.candidate)
            self._fetch_loop.add_response(example.response)
        try:
            # The seeds are on disk before the first page is read: after a kill from here on the
            # crawl can be resumed.
            self._checkpointer.commit()
            self._fetch_loop.run(
                self._crawl, self._observe, self._control, self._checkpointer.keep_redirect
            )
            self._fetch_loop.settle()
            if self._controller.reason is not None:
                self._crawl.stop(self._controller.reason)
            self._checkpointer.commit()
            self._checkpointer.save_state()
            if self._learning is not None:
                self._learning.close()
            if self._distributed is not None:  # the others continue
                self._distributed.close(self._crawl.stop_reason or "", self._status())
        except BaseException as error:
            reason = f"error: {type(error).__name__}: {error}"[:300]
            if isinstance(error, KeyboardInterrupt):  # the second Ctrl-C
                reason = INTERRUPTED
            event = StoppedEvent(time.time(), reason, self._crawl.summary)
            with suppress(sqlite3.Error, FolderError):  # the disk may be what failed
                self._checkpointer.abandon(event)
            raise
        self._watcher.look(self._status())

    def _observe(self, response: FetchResponse) -> None:
        """Read a page, have it judged and its links scored, and store it."""
        candidate = self._crawl.candidate(response.request.url)
        assert candidate is not None
        read = self._reader.read(response, candidate)
        event: PageEvent = self._crawl.observe(response.request.url, read.page)
        self._checkpointer.keep(response, candidate, read, event)
        self._controller.rules.saw(event)

    def _control(self) -> ControlSignal:
        """Check for requests and limits, and commit if it is time."""
        signal = self._controller.check(self._on_pause, self._on_tick)
        self._checkpointer.commit_if_due(self._fetch_loop.is_idle)
        return signal

    def _on_pause(self, paused: bool) -> None:
        """Record that a pause begins or ends."""
        self._crawl.control("paused" if paused else "unpaused")

    def _on_tick(self) -> None:
        """Report the status to views and other workers, a few times a second."""
        self._crawl.dropped(self._storage.frontier.exhausted_urls(), HOST_BUDGET_EXHAUSTED)
        status = self._status()
        if self._distributed is not None:
            self._crawl.dropped(self._distributed.frontier.dropped_urls(), FRONTIER_FULL)
            self._distributed.beat(status)
        if self._learning is not None:
            self._learning.on_tick(time.monotonic())
        self._watcher.look(status)

    def _on_commit(self) -> None:
        """Publish what has been committed to the other workers."""
        if self._distributed is not None:
            self._distributed.record_stored(self._crawl.summary.fetched)
        if self._learning is not None:
            self._learning.committed(self._crawl.summary.fetched)

    def _on_election(self, elected: bool) -> None:
        """Let the crawl rescore waiting URLs where this worker is the learner."""
        self._crawl.revises = elected

    def _keep_alive(self) -> None:
        """Send heartbeats during long work, so that this worker is not taken for dead.

        Hosts that have responded meanwhile are freed for the other workers.
        """
        if self._distributed is not None and self._learning is not None:
            self._fetch_loop.receive_messages()
            self._distributed.frontier.send_responses()
            self._distributed.send_heartbeat()
            self._learning.keep_leadership()

    def _status(self) -> Status:
        """Return the current status."""
        summary, distributed = self._crawl.summary, self._distributed
        pages = self._job.options.max_pages if distributed is None else distributed.budget.pages
        return Status(
            summary=summary,
            budget=pages,
            in_flight=self._fetch_loop.in_flight,
            hosts=self._storage.frontier.host_count,
            run_pages=summary.fetched - self._before,
            run_seconds=self._controller.run_seconds,
            seconds=self._controller.seconds,
            recent_harvest=self._controller.rules.recent_harvest,
            paused=self._controller.paused,
        )

    def _progress(self) -> Json:
        """Return the totals that are committed with every batch."""
        return {"summary": asdict(self._crawl.summary), "seconds": self._controller.seconds}

    def _state(self) -> State:
        """Return the learned state, and the number of pages it was learned from."""
        pages = self._crawl.summary.fetched
        if self._learning is not None:
            self._learning.flush(pages)
        return {"pages": pages, "rules": self._link_rules.state(), **self._strategy.state()}

    def _restore(self) -> Summary | None:
        """Restore the state of earlier runs; return their totals, None for a new crawl."""
        storage, options = self._storage, self._job.options
        if storage.progress is None:
            return None
        summary = storage.progress["summary"]
        assert isinstance(summary, dict)
        relearn(
            storage, self._strategy, self._link_rules, self._scope, options.max_body, options.pdf,
            None if self._learning is None else self._learning.relearned,
        )  # fmt: skip
        totals = Summary(**summary)
        if storage.shares:  # the seeds may be missing on the server: it may lose its last second
            storage.frontier.add([ScoredLink(url, 0) for url in self._job.seeds])
        elif not totals.fetched:  # seeds that failed then may respond now
            storage.frontier.reopen(self._job.seeds)
        return totals
