"""The live crawl itself: a crawl, its worker and its checkpointer, from first page to last."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime

from scenthound.core.crawl import HOST_BUDGET_EXHAUSTED, Crawl
from scenthound.core.errors import FolderError
from scenthound.core.events import Json, PageEvent, StoppedEvent, Summary
from scenthound.core.model import ScoredLink, TopicProfile
from scenthound.core.protocols import Journal, Scorer, State
from scenthound.core.scope import Scope
from scenthound.crawler.checkpoint import SHARED_CRAWL, SINGLE_WORKER, Checkpointer, CrawlStorage
from scenthound.crawler.examples import FetchedExample
from scenthound.crawler.job import LiveJob
from scenthound.crawler.judges import judge_with_concepts, load_or_learn_concepts
from scenthound.crawler.learning import SharedLearning, learned_state, relearn
from scenthound.crawler.membership import Membership
from scenthound.crawler.scope import LiveLinkRules
from scenthound.crawler.status import Status, StopRules, Watcher
from scenthound.crawler.topic_reading import Warn
from scenthound.crawler.worker import ControlSignal, RunController, Worker
from scenthound.fetch.messages import FetchResponse, PageReader
from scenthound.storage.journal import INTERRUPTED

FRONTIER_FULL = "frontier full"


class LiveCrawl:
    """A crawl over the live web, new or resumed.

    Parameters
    ----------
    job : what to do.
    storage : the open folder; the state of earlier runs is restored from it.
    profile : the topic.
    worker : requests and reads.
    controller : says when to pause and to stop.
    rules : the limits; they see every page.
    journal : gets every event.
    watcher : sees the status.
    warn : gets problems, a sentence each.
    membership : what is shared with other workers; None where there are none.
    """

    def __init__(
        self,
        job: LiveJob,
        storage: CrawlStorage,
        profile: TopicProfile,
        worker: Worker,
        controller: RunController,
        rules: StopRules,
        journal: Journal,
        watcher: Watcher,
        warn: Warn,
        membership: Membership | None = None,
    ) -> None:
        self._job = job
        self._membership = membership
        self._storage = storage
        self._worker = worker
        self._controller = controller
        self._stop_rules = rules
        self._watcher = watcher
        self._reader = PageReader(storage.ledger, job.options.max_body, job.options.pdf)
        self._link_rules = LiveLinkRules(datetime.now(UTC).year, job.options.allow_private)
        self._scope = Scope(job.bounds(), self._link_rules)
        analyzer = job.analyzer()
        concepts = load_or_learn_concepts(
            storage.folder.path, job.options.judge, profile, analyzer, warn
        )
        self.judge = judge_with_concepts(concepts, profile, analyzer, job.options.threshold)
        self._strategy = job.strategy(profile, analyzer)
        self._learning = self._shared_learning()
        self._crawl = Crawl(
            topic=job.topic.name,
            strategy=self._strategy,
            frontier=storage.frontier,
            budget=job.budget if membership is None else membership.budget,
            seeds=job.seeds,
            judge=self.judge,
            journal=journal,
            clock=time.time if membership is None else membership.clock,
            scope=self._scope,
            max_depth=job.options.max_depth,
            so_far=self._restore(warn),
            revises=membership is None,
        )
        self._before = self._crawl.summary.fetched
        if self._learning is not None and membership is not None:
            self._learning.begin(self._before)
            membership.on_server.on_progress = self._keep_alive
        self._checkpointer = Checkpointer(
            folder=storage.folder,
            connection=storage.connection,
            ledger=storage.ledger,
            writing=storage.writing,
            journal=storage.journal,
            progress=self._progress,
            state=self._state,
            interval=SINGLE_WORKER if membership is None else SHARED_CRAWL,
            on_commit=self._on_commit,
        )

    @property
    def scorer(self) -> Scorer:
        """The scorer of the links, with all that it has learned."""
        return self._strategy.scorer

    def run(self, examples: Sequence[FetchedExample], redirects: Sequence[FetchResponse]) -> None:
        """Crawl until something ends it.

        ``examples`` were fetched before and are read first; ``redirects`` led to some of them.
        """
        for response in redirects:
            self._checkpointer.keep_redirect(response)
        for each in examples:
            self._crawl.adopt(each.candidate)
            self._worker.give(each.response)
        try:
            self._checkpointer.commit()
            self._worker.run(
                self._crawl, self._observe, self._control, self._checkpointer.keep_redirect
            )
            self._worker.settle(self._crawl, self._observe)
            if self._controller.reason is not None:
                self._crawl.stop(self._controller.reason)
            self._checkpointer.commit()
            self._checkpointer.save_state()
            self._leave()
        except BaseException as error:
            reason = f"error: {type(error).__name__}: {error}"[:300]
            if isinstance(error, KeyboardInterrupt):  # the second Ctrl-C
                reason = INTERRUPTED
            event = StoppedEvent(time.time(), reason, self._crawl.summary)
            with suppress(sqlite3.Error, FolderError):  # the disk may be the very trouble
                self._checkpointer.abandon(event)
            raise
        self._watcher.look(self._status())

    def _observe(self, response: FetchResponse) -> None:
        candidate = self._crawl.candidate(response.request.url)
        assert candidate is not None
        read = self._reader.read(response, candidate)
        event: PageEvent = self._crawl.observe(response.request.url, read.page)
        self._checkpointer.keep(response, candidate, read, event)
        self._stop_rules.saw(event)

    def _control(self) -> ControlSignal:
        signal = self._controller.check(self._on_pause, self._on_tick)
        self._checkpointer.commit_if_due(self._worker.is_idle)
        return signal

    def _on_pause(self, paused: bool) -> None:
        self._crawl.control("paused" if paused else "unpaused")

    def _on_tick(self) -> None:
        self._crawl.dropped(self._storage.frontier.exhausted_urls(), HOST_BUDGET_EXHAUSTED)
        status = self._status()
        if self._membership is not None:
            self._crawl.dropped(self._membership.frontier.dropped_urls(), FRONTIER_FULL)
            self._membership.beat(status)
        if self._learning is not None:
            self._learning.on_tick(time.monotonic())
        self._watcher.look(status)

    def _on_commit(self) -> None:
        """Everything so far is on disk: other workers may use it."""
        if self._membership is not None:
            self._membership.kept(self._crawl.summary.fetched)
        if self._learning is not None:
            self._learning.committed(self._crawl.summary.fetched)

    def _leave(self) -> None:
        """This worker ends; the others continue."""
        if self._learning is not None:
            self._learning.close()
        if self._membership is not None:
            self._membership.close(self._crawl.stop_reason or "", self._status())

    def _shared_learning(self) -> SharedLearning | None:
        membership = self._membership
        if membership is None:
            return None
        crawl = membership.crawl
        return SharedLearning(
            crawl.client, crawl.name, membership.worker, self._strategy, self._revise_for_all
        )

    def _keep_alive(self) -> None:
        """In the middle of long work for all: other workers must not take it for dead.

        Nor may hosts stay busy that have responded meanwhile: others may use them.
        """
        if self._membership is not None and self._learning is not None:
            self._worker.listen()
            self._membership.frontier.send_answers()
            self._membership.send_heartbeat()
            self._learning.keep_leadership()

    def _revise_for_all(self, elected: bool) -> None:
        self._crawl.revises = elected

    def _status(self) -> Status:
        summary = self._crawl.summary
        return Status(
            summary=summary,
            budget=self._budget,
            under_way=self._worker.under_way,
            hosts=self._storage.frontier.host_count,
            run_pages=summary.fetched - self._before,
            run_seconds=self._controller.run_seconds,
            seconds=self._controller.seconds,
            recent_harvest=self._stop_rules.recent_harvest,
            paused=self._controller.paused,
        )

    @property
    def _budget(self) -> int:
        membership = self._membership
        return self._job.options.max_pages if membership is None else membership.budget.pages

    def _progress(self) -> Json:
        """What is committed with every batch besides the pages."""
        return {
            "summary": asdict(self._crawl.summary),
            "seconds": self._controller.seconds,
        }

    def _relearned(self, n: int) -> None:
        if self._learning is not None:
            self._learning.relearned(n)

    def _state(self) -> State:
        if self._learning is not None:
            self._learning.flush(self._crawl.summary.fetched)
        return learned_state(self._strategy, self._link_rules, self._crawl.summary.fetched)

    def _restore(self, warn: Warn) -> Summary | None:
        """The totals, the counts and what was learned in earlier runs; None for a new crawl."""
        progress = self._storage.progress
        if progress is None:
            return None
        summary = progress["summary"]
        assert isinstance(summary, dict)
        storage, options = self._storage, self._job.options
        relearn(
            storage, self._strategy, self._link_rules, self._scope, options.max_body, warn,
            options.pdf, self._relearned,
        )  # fmt: skip
        totals = Summary(**summary)
        if storage.shares:  # they may never have reached the server, or it has lost its last second
            storage.frontier.add([ScoredLink(url, 0) for url in self._job.seeds])
        elif not totals.fetched:  # what was given up then may respond now
            storage.frontier.reopen(self._job.seeds)
        return totals
