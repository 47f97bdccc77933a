"""A worker among others: what it shares with them, and how it tells that it is there."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from scenthound.core.errors import ServerError
from scenthound.core.summary import Summary
from scenthound.distributed.claims import Claims
from scenthound.distributed.clock import SECONDS_BETWEEN, ServerClock
from scenthound.distributed.crawls import SharedCrawl
from scenthound.distributed.deaths import Deaths
from scenthound.distributed.deferring import DeferringFrontier
from scenthound.distributed.election import Election
from scenthound.distributed.frontier import RedisFrontier
from scenthound.distributed.robots_files import ServerRobotsFiles
from scenthound.distributed.roll import ENDED, PAUSED, WORKING, Roll, WorkerEntry
from scenthound.distributed.server import server_told
from scenthound.distributed.server_requests import ServerRequests
from scenthound.live.job import LiveJob
from scenthound.live.limits import limits_of
from scenthound.live.shared_budget import SharedBudget
from scenthound.live.status import Status

BEAT = 2.0
"""Seconds between two signs of life."""
SWEEPER_SECONDS = 30.0
"""One of the workers looks for those that have died; if it dies itself, another does after this."""
_CLAIM_BEATS = 5
_SLOWEST_ANSWER = 240.0


class Membership:
    """One worker's place in a crawl.

    Parameters
    ----------
    crawl : what all share.
    entry : who this is.
    job : what all do.
    clock : the time of the server.
    """

    def __init__(
        self, crawl: SharedCrawl, entry: WorkerEntry, job: LiveJob, clock: ServerClock
    ) -> None:
        self.crawl = crawl
        self.clock = clock
        self._entry = entry
        self._roll = Roll(crawl.client, crawl.name)
        self.requests = ServerRequests(crawl.client, crawl.name)
        options = job.options
        self.on_server = RedisFrontier(
            crawl.client,
            crawl.name,
            job.recipe.combination,
            options.manners(),
            lease_seconds=2 * options.timeout + _SLOWEST_ANSWER,
            now=clock(),
            worker=entry.name,
            partitions=crawl.partitions,
            most=crawl.most_waiting,
        )
        self.frontier = DeferringFrontier(self.on_server, entry.number, clock)
        self.robots = ServerRobotsFiles(crawl.client, crawl.name, crawl.partitions)
        claims = Claims(crawl.client, crawl.name, entry.name)
        at_once = max(1, options.concurrency // 2)
        self.budget = SharedBudget(claims, options.max_pages, at_once, clock)
        self.max_time = options.max_time
        """Seconds that the crawl may take, from its beginning; None is no limit."""
        self._sweeper = Election(crawl.client, crawl.name, "sweeper", entry.name, SWEEPER_SECONDS)
        self._deaths = Deaths()
        self._beats = 0
        self._last_beat = self._last_time = clock()

    @property
    def worker(self) -> str:
        """The name of this worker."""
        return self._entry.name

    @property
    def began(self) -> float:
        """When the crawl began, by the server's clock."""
        return self.crawl.begin(self.clock())

    def kept(self, pages: int) -> None:
        """The pages so far are in the folder of this worker: tell of their links."""
        self.frontier.send()
        self.budget.kept(pages)

    def beat(self, status: Status) -> None:
        """Tell that this worker is there, if it is time to; called a few times a second."""
        self.frontier.tell_answers()
        now = self.clock()
        if now - self._last_beat < BEAT:
            return
        self._last_beat = now
        self._beats += 1
        self.crawl.refuse_forgotten()
        self._tell(PAUSED if status.paused else WORKING, status.summary, status)
        if self._beats % _CLAIM_BEATS == 0:
            self._hear_limits()
            self.budget.tell_alive()
            self._sweep(now)
        if now - self._last_time > SECONDS_BETWEEN:
            self._last_time = now
            self.clock.set_right()

    def tell_alive(self) -> None:
        """In the middle of long work: this worker is there, if it is time to say so."""
        now = self.clock()
        if now - self._last_beat >= BEAT:
            self._last_beat = now
            self._entry = replace(self._entry, heard=now)
            self._roll.tell(self._entry)
            self.budget.tell_alive()

    def close(self, reason: str, status: Status) -> None:
        """This worker has ended, and why."""
        self._sweeper.resign()
        self.budget.close(status.summary.fetched)
        self._tell(ENDED, status.summary, status, reason)

    def abandon(self, reason: str) -> None:
        """This worker ends before its time: the others are told, if the server still answers."""
        with suppress(ServerError), server_told(""):
            self.on_server.free(self.worker, self.clock())
            ended = replace(self._entry, heard=self.clock(), state=ENDED, reason=reason)
            self._roll.tell(ended)

    def _tell(self, state: str, summary: Summary, status: Status, reason: str = "") -> None:
        self._entry = replace(
            self._entry, heard=self.clock(), state=state, pages=summary.fetched,
            relevant=summary.relevant, failed=summary.failed, under_way=status.under_way,
            seconds=status.seconds, reason=reason,
        )  # fmt: skip
        self._roll.tell(self._entry)

    def _sweep(self, now: float) -> None:
        """What workers had leased that have died waits again; one worker at a time sees to it."""
        if not self._sweeper.holds():
            return
        for entry in self._deaths.among(self._roll.entries()):
            self.on_server.free(entry.name, now)
            self._roll.bury(entry)
        self.on_server.set_aside_spent()

    def _hear_limits(self) -> None:
        """Somebody may have changed the limits of all workers."""
        limits = limits_of(self.crawl)
        self.budget.pages, self.max_time = limits.max_pages, limits.max_time
