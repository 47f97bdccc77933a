"""Simulated workers: each leases, asks, reads and commits as a live crawl does, on one clock."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks.distributed.simulation_clock import Events, SimulatedClock
from benchmarks.distributed.simulation_server import RoundTrips
from benchmarks.distributed.simulation_web import Web
from benchmarks.distributed.simulation_witness import Witness
from scenthound.core.protocols import RobotsCache, RobotsFile
from scenthound.crawler.checkpoint import SHARED_CRAWL
from scenthound.crawler.control import TICK
from scenthound.frontier.redis.frontier import RedisFrontier
from scenthound.frontier.redis.worker import WorkerFrontier

READ_SECONDS = 0.0066
"""CPU time of a page in the crawl's process; see docs/decisions/0008-live-crawl.md."""
REOPENED_AFTER = 5.0
"""Seconds until a worker that died begins again, or another in its place."""
_FOREVER = 1e10


@dataclass(slots=True)
class Crawl:
    """What all workers of a run share, beside the server.

    Parameters
    ----------
    web : what is crawled.
    witness : sees what they do.
    trips : counts how often they ask the server.
    budget : pages in all.
    concurrency : requests of a worker at once.
    look_again : a worker that could ask for more and got nothing looks again after so long,
        however soon a host may be asked.
    on_page : called after every page.
    """

    web: Web
    witness: Witness
    trips: RoundTrips
    budget: int
    concurrency: int
    look_again: float
    chance: random.Random
    on_page: Callable[[], None]
    events: Events = field(default_factory=Events)
    worths: list[float] = field(default_factory=list)
    under_way: int = 0
    """Pages leased by workers that live, and not committed yet."""
    fetched_again: int = 0
    robots_read: int = 0
    leases: int = 0
    empty_leases: int = 0
    """Of the leases, all of which the server was asked for."""

    def has_budget(self) -> bool:
        """May another page be leased?"""
        return len(self.worths) + self.under_way < self.budget

    def is_over(self) -> bool:
        """Are all pages of the budget committed?"""
        return len(self.worths) >= self.budget


class Worker:
    """One worker, with a frontier of its own over the keys that all share.

    ``files`` are the robots.txt files of all, if workers share them.
    """

    def __init__(
        self, crawl: Crawl, frontier: RedisFrontier, name: str, number: int,
        files: RobotsCache | None,
    ) -> None:  # fmt: skip
        self.name, self.is_alive = name, True
        self._crawl, self._on_server = crawl, frontier
        self._frontier = WorkerFrontier(frontier, number, SimulatedClock(crawl.events))
        self._robots, self._files = set[int](), files
        self._asked: set[int] = set()
        self._unread = 0
        self._read_until = 0.0
        self._batch: list[int] = []
        self._looks_at = -1.0
        self._plan(crawl.events.now)

    def die(self) -> None:
        """Killed: what it has leased and not committed comes back by and by.

        The links of one page were sent already; that the page is done was not.
        """
        crawl, now = self._crawl, self._crawl.events.now
        self.is_alive = False
        for page in self._asked:
            crawl.witness.over(crawl.web.hosts_of[page], now)
        crawl.under_way -= len(self._asked) + self._unread + len(self._batch)
        if self._batch:
            links = crawl.web.scored_links(self._batch[0], 0)
            self._on_server.add(links)
            crawl.witness.seen.update(link.url for link in links)
        crawl.fetched_again += self._unread + len(self._batch)

    def _plan(self, time: float) -> None:
        """Look at ``time``, unless it looks sooner anyway."""
        if not self._crawl.events.now < self._looks_at <= time:
            self._looks_at = time
            self._crawl.events.at(time, lambda: self._look(time))

    def _look(self, planned: float) -> None:
        """Lease while there is room; ask. The same as a live crawl: one URL at a time."""
        crawl, now = self._crawl, self._crawl.events.now
        if not self.is_alive or planned != self._looks_at or crawl.is_over():
            return
        self._looks_at = -1.0
        while self._has_room() and crawl.has_budget():
            trips = crawl.trips.count
            leased = self._frontier.lease(1, now)
            crawl.leases += crawl.trips.count > trips
            if not leased:
                crawl.empty_leases += crawl.trips.count > trips
                next_time = self._frontier.next_time(now)
                soonest = now + TICK if next_time is None else next_time
                self._plan(min(max(soonest, now + crawl.look_again), now + TICK))
                return
            self._request_page(leased[0].url, now)
        if self._has_room():
            self._plan(now + TICK)  # the budget is out on lease

    def _has_room(self) -> bool:
        asked, most = len(self._asked), self._crawl.concurrency
        return asked < most and asked + self._unread < 2 * most - 1

    def _request_page(self, url: str, now: float) -> None:
        """Ask for a page; for the robots.txt of its host before, unless that is known."""
        crawl = self._crawl
        page = crawl.web.page(url)
        crawl.witness.leased(url, self.name, now)
        crawl.under_way += 1
        self._asked.add(page)
        known = self._knows_robots(crawl.web.hosts_of[page])
        self._request(page, self._hear if known else self._hear_robots)

    def _knows_robots(self, host: int) -> bool:
        if host not in self._robots and self._files and self._files.find(_origin(host)):
            self._robots.add(host)
        return host in self._robots

    def _request(self, page: int, heard: Callable[[int], None]) -> None:
        crawl = self._crawl
        if self.is_alive:
            crawl.witness.asked(crawl.web.hosts_of[page], crawl.events.now)
            seconds = crawl.web.response_seconds(page, crawl.chance)
            crawl.events.at(crawl.events.now + seconds, lambda: heard(page))

    def _hear_robots(self, page: int) -> None:
        """The host rests; then it is asked for the page."""
        if self.is_alive:
            crawl, host = self._crawl, self._crawl.web.hosts_of[page]
            crawl.witness.over(host, crawl.events.now)
            crawl.robots_read += 1
            self._robots.add(host)
            if self._files is not None:
                self._files.keep(_origin(host), RobotsFile(_FOREVER, 404, b""))
            rested = crawl.events.now + crawl.witness.delay
            crawl.events.at(rested, lambda: self._request(page, self._hear))

    def _hear(self, page: int) -> None:
        """An answer is over. It is read after those before it."""
        if not self.is_alive:
            return
        crawl, now = self._crawl, self._crawl.events.now
        crawl.witness.over(crawl.web.hosts_of[page], now)
        self._frontier.record_response(crawl.web.url(page), now)
        self._asked.discard(page)
        self._unread += 1
        self._read_until = max(now, self._read_until) + READ_SECONDS
        crawl.events.at(self._read_until, lambda: self._read(page))
        self._plan(now)

    def _read(self, page: int) -> None:
        if not self.is_alive:
            return
        now, web = self._crawl.events.now, self._crawl.web
        self._unread -= 1
        self._frontier.add(web.scored_links(page, len(self._crawl.worths) + 1))
        self._frontier.ack(web.url(page))
        self._batch.append(page)
        if len(self._batch) == 1:
            self._crawl.events.at(now + SHARED_CRAWL.seconds, lambda: self._commit(page))
        if len(self._batch) == SHARED_CRAWL.pages:
            self._commit(self._batch[0])
        self._plan(now)

    def _commit(self, first: int) -> None:
        """The batch that begins with this page: links and closed URLs go to the server."""
        if not self.is_alive or not self._batch or self._batch[0] != first:
            return
        crawl, web = self._crawl, self._crawl.web
        self._frontier.send()
        for page in self._batch:
            crawl.witness.close(web.url(page))
            crawl.witness.seen.update(map(web.url, web.targets(page)))
            crawl.worths.append(web.worths[page])
            crawl.under_way -= 1
            crawl.on_page()
        self._batch = []


def _origin(host: int) -> str:
    return f"http://{host}.test"
