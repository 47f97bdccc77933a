"""The live crawl itself: a crawl, its worker, its keeper, from the first page to the last."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime

from scenthound.core.crawl import HOST_SPENT, Crawl
from scenthound.core.errors import FolderError
from scenthound.core.events import PageEvent, StoppedEvent
from scenthound.core.model import Briefing, Sighting
from scenthound.core.protocols import Journal, Scorer, State
from scenthound.core.scope import Scope
from scenthound.core.summary import Json, Summary
from scenthound.experiments.judges import folder_concepts, judge_by
from scenthound.experiments.topic_reading import Warn
from scenthound.live.deciding import Heed
from scenthound.live.desk import Desk
from scenthound.live.gathering import Gathered
from scenthound.live.job import LiveJob
from scenthound.live.keeping import ALONE, TOGETHER, Keeper, summary_json
from scenthound.live.link_rules import LiveRules
from scenthound.live.membership import Membership
from scenthound.live.messages import Answer
from scenthound.live.overseer import Overseer
from scenthound.live.pages import PageReader
from scenthound.live.relearning import learnt_state, relearn
from scenthound.live.shared_learning import SharedLearning
from scenthound.live.status import Status, Watcher
from scenthound.live.stopping import INTERRUPTED, StopRules
from scenthound.live.worker import Worker

FRONTIER_FULL = "frontier full"


class LiveCrawl:
    """A crawl over the live web, begun or gone on with.

    Parameters
    ----------
    job : what to do.
    desk : the open folder; what it says of earlier runs is brought back.
    briefing : the topic.
    worker : asks and reads.
    overseer : says when to pause and to stop.
    rules : hears of every page.
    journal : gets every event.
    watcher : sees how it stands.
    warn : gets what is amiss, in words.
    membership : what is shared with other workers; None where there are none.
    """

    def __init__(
        self,
        job: LiveJob,
        desk: Desk,
        briefing: Briefing,
        worker: Worker,
        overseer: Overseer,
        rules: StopRules,
        journal: Journal,
        watcher: Watcher,
        warn: Warn,
        membership: Membership | None = None,
    ) -> None:
        self._job = job
        self._membership = membership
        self._desk = desk
        self._worker = worker
        self._overseer = overseer
        self._stop_rules = rules
        self._watcher = watcher
        self._reader = PageReader(desk.ledger, job.options.max_body, job.options.pdf)
        self._link_rules = LiveRules(datetime.now(UTC).year, job.options.allow_private)
        self._scope = Scope(job.bounds(), self._link_rules)
        analyzer = job.analyzer()
        concepts = folder_concepts(desk.folder.path, job.options.judge, briefing, analyzer, warn)
        self.judge = judge_by(concepts, briefing, analyzer, job.options.threshold)
        self._strategy = job.strategy(briefing, analyzer)
        self._learning = self._shared_learning()
        self._crawl = Crawl(
            topic=job.topic.name,
            strategy=self._strategy,
            frontier=desk.frontier,
            budget=job.budget if membership is None else membership.budget,
            seeds=job.seeds,
            judge=self.judge,
            journal=journal,
            clock=time.time if membership is None else membership.clock,
            scope=self._scope,
            max_depth=job.options.max_depth,
            so_far=self._bring_back(warn),
            revises=membership is None,
        )
        self._before = self._crawl.summary.fetched
        if self._learning is not None and membership is not None:
            self._learning.begin(self._before)
            membership.on_server.breathe = self._breathe
        self._keeper = Keeper(
            folder=desk.folder,
            connection=desk.connection,
            ledger=desk.ledger,
            writing=desk.writing,
            journal=desk.journal,
            progress=self._progress,
            learnt=self._learnt,
            pace=ALONE if membership is None else TOGETHER,
            kept=self._kept,
        )

    @property
    def scorer(self) -> Scorer:
        """What links are scored by, with all that it has learnt."""
        return self._strategy.scorer

    def run(self, examples: Sequence[Gathered], redirects: Sequence[Answer]) -> None:
        """Crawl until something ends it.

        ``examples`` were fetched before and are read first; ``redirects`` led to some of them.
        """
        for answer in redirects:
            self._keeper.keep_redirect(answer)
        for each in examples:
            self._crawl.adopt(each.candidate)
            self._worker.give(each.answer)
        try:
            self._keeper.commit()
            self._worker.run(self._crawl, self._observe, self._heed, self._keeper.keep_redirect)
            self._worker.settle(self._crawl, self._observe)
            if self._overseer.reason is not None:
                self._crawl.stop(self._overseer.reason)
            self._keeper.commit()
            self._keeper.save_state()
            self._leave()
        except BaseException as error:
            reason = f"error: {type(error).__name__}: {error}"[:300]
            if isinstance(error, KeyboardInterrupt):  # a second time
                reason = INTERRUPTED
            event = StoppedEvent(time.time(), reason, self._crawl.summary)
            with suppress(sqlite3.Error, FolderError):  # the disk may be the very trouble
                self._keeper.abandon(event)
            raise
        self._watcher.look(self._status())

    def _observe(self, answer: Answer) -> None:
        candidate = self._crawl.candidate(answer.ask.url)
        assert candidate is not None
        read = self._reader.read(answer, candidate)
        event: PageEvent = self._crawl.observe(answer.ask.url, read.page)
        self._keeper.keep(answer, candidate, read, event)
        self._stop_rules.saw(event)

    def _heed(self) -> Heed:
        heeded = self._overseer.heed(self._on_pause, self._on_tick)
        self._keeper.commit_if_due(self._worker.is_idle)
        return heeded

    def _on_pause(self, paused: bool) -> None:
        self._crawl.control("paused" if paused else "unpaused")

    def _on_tick(self) -> None:
        self._crawl.dropped(self._desk.frontier.spent_urls(), HOST_SPENT)
        status = self._status()
        if self._membership is not None:
            self._crawl.dropped(self._membership.frontier.dropped_urls(), FRONTIER_FULL)
            self._membership.beat(status)
        if self._learning is not None:
            self._learning.on_tick(time.monotonic())
        self._watcher.look(status)

    def _kept(self) -> None:
        """Everything so far is committed: others may know of it."""
        if self._membership is not None:
            self._membership.kept(self._crawl.summary.fetched)
        if self._learning is not None:
            self._learning.committed(self._crawl.summary.fetched)

    def _leave(self) -> None:
        """This worker ends; the others go on."""
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

    def _breathe(self) -> None:
        """In the middle of long work for all: others must not think that this worker died.

        Nor must hosts stay busy that have answered meanwhile: others may ask them.
        """
        if self._membership is not None and self._learning is not None:
            self._worker.listen()
            self._membership.frontier.tell_answers()
            self._membership.tell_alive()
            self._learning.hold_office()

    def _revise_for_all(self, elected: bool) -> None:
        self._crawl.revises = elected

    def _status(self) -> Status:
        summary = self._crawl.summary
        return Status(
            summary=summary,
            budget=self._budget,
            under_way=self._worker.under_way,
            hosts=self._desk.frontier.host_count,
            run_pages=summary.fetched - self._before,
            run_seconds=self._overseer.run_seconds,
            seconds=self._overseer.seconds,
            recent_harvest=self._stop_rules.recent_harvest,
            paused=self._overseer.paused,
        )

    @property
    def _budget(self) -> int:
        membership = self._membership
        return self._job.options.max_pages if membership is None else membership.budget.pages

    def _progress(self) -> Json:
        """What is committed with every batch besides the pages."""
        return {
            "summary": summary_json(self._crawl.summary),
            "seconds": self._overseer.seconds,
        }

    def _relearnt(self, n: int) -> None:
        if self._learning is not None:
            self._learning.relearnt(n)

    def _learnt(self) -> State:
        if self._learning is not None:
            self._learning.flush(self._crawl.summary.fetched)
        return learnt_state(self._strategy, self._link_rules, self._crawl.summary.fetched)

    def _bring_back(self, warn: Warn) -> Summary | None:
        """The totals, the counts and what was learnt in earlier runs; None for a new crawl."""
        progress = self._desk.progress
        if progress is None:
            return None
        summary = progress["summary"]
        assert isinstance(summary, dict)
        desk, options = self._desk, self._job.options
        relearn(
            desk, self._strategy, self._link_rules, self._scope, options.max_body, warn,
            options.pdf, self._relearnt,
        )  # fmt: skip
        totals = Summary(**summary)
        if desk.shares:  # they may never have reached the server, or it has lost its last second
            desk.frontier.add([Sighting(url, 0) for url in self._job.seeds])
        elif not totals.fetched:  # what was given up then may answer now
            desk.frontier.reopen(self._job.seeds)
        return totals
