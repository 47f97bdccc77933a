"""One simulated crawl from the seeds to the budget, with so many workers, some of which die."""

from __future__ import annotations

import random
from dataclasses import dataclass

from redis import Redis

from benchmarks.distributed.simulation_server import Load, RoundTrips
from benchmarks.distributed.simulation_web import SLOWEST_ANSWER, Web
from benchmarks.distributed.simulation_witness import Witness
from benchmarks.distributed.simulation_workers import REOPENED_AFTER, Crawl, Worker
from scenthound.core.model import Combination, ScoredLink
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.redis.frontier import RedisFrontier
from scenthound.frontier.redis.sharing import ServerRobotsCache

LEASE_SECONDS = 3 * SLOWEST_ANSWER
_CRAWL = "simulated"


@dataclass(frozen=True, slots=True)
class Setting:
    """How a run is set up: workers, pages in all, what workers do, and how many die."""

    workers: int
    pages: int
    delay: float = 1.0
    concurrency: int = 8
    look_again: float = 0.05
    partitions: int = 1
    deaths: int = 10
    seed: int = 1
    robots_shared: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run. ``rate``, ``load`` and ``trips`` are those of its second half."""

    worths: list[float]
    seconds: float
    rate: float
    load: Load
    trips: float
    witness: Witness
    lost: int
    fetched_again: int
    robots: float
    """Requests for robots.txt, one page."""
    empty_share: float
    complaints: list[str]


class Run:
    """A run over a server that holds nothing else."""

    def __init__(self, web: Web, setting: Setting, client: Redis, trips: RoundTrips) -> None:
        self._setting, self._client, self._trips = setting, client, trips
        self._chance = random.Random(setting.seed)
        self._crawl = Crawl(
            web,
            Witness(setting.delay, LEASE_SECONDS),
            trips,
            setting.pages,
            setting.concurrency,
            setting.look_again,
            self._chance,
            self._on_page,
        )
        self._names = 0
        self._half = 0.0, Load(), 0
        self._deaths = _deaths(setting, self._chance)

    def outcome(self, seeds: list[int]) -> Outcome:
        """Crawl."""
        crawl, setting = self._crawl, self._setting
        urls = [crawl.web.url(seed) for seed in seeds]
        self._client.config_resetstat()
        self._frontier("seeder").add([ScoredLink(url, 0) for url in urls])
        crawl.witness.seen.update(urls)
        self._workers = [self._begin(self._new_name()) for _ in range(setting.workers)]
        crawl.events.run()
        at, load, trips = self._half
        lost = crawl.witness.lost(self._left())
        ended, pages = self._ended, setting.pages - setting.pages // 2
        return Outcome(
            crawl.worths,
            ended,
            pages / (ended - at),
            self._load.since(load),
            (self._trips_at_end - trips) / pages,
            crawl.witness,
            lost,
            crawl.fetched_again,
            crawl.robots_read / setting.pages,
            crawl.empty_leases / crawl.leases,
            crawl.witness.complaints(lost),
        )

    def _on_page(self) -> None:
        """After every page: is it half time, the end, or a worker's time to die?"""
        crawl, done = self._crawl, len(self._crawl.worths)
        if done == crawl.budget // 2:
            self._half = crawl.events.now, Load.of(self._client), self._trips.count
        if done == crawl.budget:
            self._ended, self._load = crawl.events.now, Load.of(self._client)
            self._trips_at_end = self._trips.count
        if done in self._deaths:
            crawl.events.at(crawl.events.now, self._kill_one)

    def _kill_one(self) -> None:
        """It begins again under its name, or another comes in its place, by turns."""
        place = self._chance.randrange(len(self._workers))
        worker = self._workers[place]
        if worker.is_alive and not self._crawl.is_over():
            worker.die()
            name = worker.name if self._chance.random() < 0.5 else self._new_name()
            later = self._crawl.events.now + REOPENED_AFTER
            self._crawl.events.at(later, lambda: self._replace(place, name))

    def _replace(self, place: int, name: str) -> None:
        self._workers[place] = self._begin(name)

    def _begin(self, name: str) -> Worker:
        number = int(name.rpartition("-")[2])
        worker = Worker(self._crawl, self._frontier(name), name, number, self._robots_files())
        self._crawl.witness.returned(name)
        return worker

    def _new_name(self) -> str:
        self._names += 1
        return f"worker-{self._names}"

    def _frontier(self, name: str) -> RedisFrontier:
        setting = self._setting
        politeness = PolitenessPolicy(setting.delay, per_host=1)
        return RedisFrontier(
            self._trips.client(), _CRAWL, Combination.MEAN, politeness, LEASE_SECONDS,
            self._crawl.events.now, name, setting.partitions,
        )  # fmt: skip

    def _robots_files(self) -> ServerRobotsCache | None:
        if not self._setting.robots_shared:
            return None
        return ServerRobotsCache(self._trips.client(), _CRAWL, self._setting.partitions)

    def _left(self) -> int:
        """How many URLs wait when the leases of all who died have ended."""
        frontier, before = self._frontier("last"), -1
        while (waiting := len(frontier)) != before:  # a thousand leases end at once, no more
            before = waiting
            frontier.next_time(self._crawl.events.now + LEASE_SECONDS + 1.0)
        return waiting


def _deaths(setting: Setting, chance: random.Random) -> set[int]:
    """After which pages a worker dies."""
    return set(chance.sample(range(1, setting.pages), min(setting.deaths, setting.pages - 1)))
