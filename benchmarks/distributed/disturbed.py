"""A crawl whose workers are killed again and again, and its server once.

Most victims go on in their folder at once. Some stay dead: another worker, with a name and a folder
of its own, comes in their place, and what they had leased has to be found by the others.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from redis import Redis

from benchmarks.distributed.real_server import running_server
from benchmarks.distributed.speed import AOF
from benchmarks.distributed.together import LONGEST_CRAWL_S
from benchmarks.distributed.worker_processes import CrawlProcess, ended_at_last, worker
from scenthound import CrawlOptions, Topic
from scenthound.crawler.shared import crawls as shared_crawls

FORGOTTEN_S = 1.0
NAME = "killed"
_LOOK_S = 0.02
_FROM, _TO = 0.02, 0.9
"""Kills come when these shares of the pages have been asked for."""


@dataclass(slots=True)
class Story:
    """What happened.

    ``buried`` are the victims that stayed dead, each with the number of URLs it had leased; the
    last of them died ``wake`` seconds before the end.
    """

    kills: int = 0
    buried: dict[str, int] = field(default_factory=dict)
    wake: float = 0.0
    appendfsync: str = ""
    server_kills: int = 0
    forgotten_bytes: int = 0
    seconds: float = 0.0
    failed: list[int] = field(default_factory=list)


class Disturbed:
    """A crawl whose workers, and whose server, are killed.

    Parameters
    ----------
    folder : everything is below it.
    workers : how many.
    rng : when, and whom.
    asked : how many requests there were so far.
    """

    def __init__(
        self, folder: Path, workers: int, rng: random.Random, asked: Callable[[], int]
    ) -> None:
        self.out = folder / NAME
        self.folders = [self.out / f"worker-{number}" for number in range(1, workers + 1)]
        self._server = folder / "b"
        self._server.mkdir()
        self._rng = rng
        self._asked = asked
        self._places = list(self.folders)
        self._processes: list[CrawlProcess] = []
        self._died = 0.0
        self._stack = ExitStack()
        self._story = Story()
        self._url = ""

    def crawl(
        self, topic: Topic, strategy: str, options: CrawlOptions, pages: int, count: int, dead: int
    ) -> Story:
        """Until nothing is left; the server is killed halfway, ``dead`` of the victims for good."""
        began = time.monotonic()
        # of the first half, so that much of the time until they are missed passes meanwhile
        for_good = set(self._rng.sample(range(count // 2 + 1), dead))
        moments = sorted(self._rng.uniform(_FROM * pages, _TO * pages) for _ in range(count))
        with self._stack, ended_at_last(self._processes):
            self._url = self._stack.enter_context(running_server(self._server, AOF))
            shared_crawls.share_crawl(topic, self._url, strategy, crawl=NAME, options=options)
            self._processes += [self._start(folder) for folder in self.folders]
            for number, moment in enumerate(moments):
                if self._runs_until(moment):
                    if number == count // 2:
                        self._kill_server()
                    self._kill_worker(number in for_good)
            self._await_end()
        ended = time.monotonic()
        self._story.seconds = ended - began
        self._story.wake = ended - self._died if self._died else 0.0
        return self._story

    def _start(self, folder: Path) -> CrawlProcess:
        return worker(folder, self._url, NAME, options=("--name", folder.name))

    def _runs_until(self, moment: float) -> bool:
        """Wait for so many requests; False where the crawl has ended before."""
        while self._asked() < moment:
            if self._have_ended():
                return False
            time.sleep(_LOOK_S)
        return True

    def _have_ended(self) -> bool:
        """Have all workers ended? One that failed is started again, and reported."""
        for index, process in enumerate(self._processes):
            if process.poll() and process.returncode:
                self._story.failed.append(process.returncode)
                self._processes[index] = self._start(self._places[index])
        return all(process.poll() for process in self._processes)

    def _kill_worker(self, for_good: bool) -> None:
        index = self._busiest() if for_good else self._rng.randrange(len(self._processes))
        self._processes[index].kill()
        if for_good:
            self._bury(index)
        self._processes[index] = self._start(self._places[index])
        self._story.kills += 1

    def _bury(self, index: int) -> None:
        """It stays dead; another worker is to begin elsewhere in its place."""
        self._died = time.monotonic()
        self._story.buried[self._places[index].name] = self._leased()[index]
        self._places[index] = self.out / f"worker-{len(self.folders) + 1}"
        self.folders.append(self._places[index])

    def _busiest(self) -> int:
        """Who has leased most: one that has just begun has nothing that could be missed."""
        leased = self._leased()
        return leased.index(max(leased))

    def _leased(self) -> list[int]:
        with Redis.from_url(self._url) as client:
            return [leased_by(client, NAME, folder.name) for folder in self._places]

    def _kill_server(self) -> None:
        """Kill it, have it forget what it did last, and start it again on its file."""
        (log,) = (self._server / "appendonlydir").glob("*.incr.aof")
        before = log.stat().st_size
        time.sleep(FORGOTTEN_S)
        self._stack.close()
        self._story.forgotten_bytes = log.stat().st_size - before
        with log.open("r+b") as file:
            file.truncate(before)
        self._stack.enter_context(running_server(self._server, AOF))
        with Redis.from_url(self._url) as client:
            self._story.appendfsync = client.config_get("appendfsync")["appendfsync"]
        self._story.server_kills += 1

    def _await_end(self) -> None:
        until = time.monotonic() + LONGEST_CRAWL_S
        while not self._have_ended():
            if time.monotonic() > until:
                raise RuntimeError("the crawl does not end")
            time.sleep(_LOOK_S)


def leased_by(client: Redis, crawl: str, worker: str) -> int:
    """How many URLs this worker has leased, of all partitions."""
    leases = (
        lease
        for key in client.scan_iter(match=f"scenthound:{{{crawl}/*}}:leases")
        for lease in cast(list[bytes], client.hvals(key))
    )
    return sum(lease[2 : 2 + lease[1]].decode() == worker for lease in leases)
