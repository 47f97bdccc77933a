"""A crawl by some workers of this machine that all begin at once, in numbers."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from redis import Redis

from benchmarks.distributed.server_time import command_seconds, cpu_seconds
from benchmarks.distributed.stored_pages import StoredPage, pages_of, span
from benchmarks.distributed.worker_processes import (
    CrawlProcess,
    await_all,
    await_true,
    ended_at_last,
    stored,
    worker,
)
from scenthound import CrawlOptions
from scenthound.core.model import Topic
from scenthound.crawler.shared import crawls as shared_crawls
from scenthound.frontier.redis.crawl_status import ServerControl
from scenthound.storage.folder import PAUSE

LONGEST_START_S = 120.0
LONGEST_CRAWL_S = 1_500.0
_SETTLED_S = 1.0
"""After its journal is there a worker is ready within this time."""


class Start(NamedTuple):
    """CPU seconds until pages began to be stored, and how many had been by then."""

    cpu: float
    pages: int


NO_START = Start(0.0, 0)


@dataclass(frozen=True, slots=True)
class Crawled:
    """A crawl that has ended.

    ``shares`` are the pages of each worker. ``cpu`` is of all their processes, start and end
    included; ``start`` is how that stood when pages began to be stored. From then on ``server`` are
    seconds of the server in commands that workers sent, and ``server_cpu`` is of all its threads.
    """

    pages: Sequence[StoredPage]
    shares: Sequence[int]
    cpu: float
    start: Start
    wall: float
    server: float = 0.0
    server_cpu: float = 0.0

    @property
    def speed(self) -> float:
        """Pages a second, from the first page to the last."""
        return len(self.pages) / span(list(self.pages))

    @property
    def cpu_a_page(self) -> float:
        """CPU seconds of a page, start left out, and without those of the server."""
        return (self.cpu - self.start.cpu) / (len(self.pages) - self.start.pages)

    @property
    def cpu_a_page_with_server(self) -> float:
        """The same with those of the server."""
        return self.cpu_a_page + self.server_cpu / (len(self.pages) - self.start.pages)

    def figures(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "pages": len(self.pages), "worked": sum(page.worked for page in self.pages),
            "seconds": span(list(self.pages)), "wall": self.wall, "cpu": self.cpu,
            "start_cpu": self.start.cpu, "server": self.server, "server_cpu": self.server_cpu,
            "pages_per_second": self.speed, "cpu_ms_a_page": 1_000 * self.cpu_a_page,
            "cpu_ms_a_page_with_server": 1_000 * self.cpu_a_page_with_server,
            "of_workers": list(self.shares),
        }  # fmt: skip


def crawl_together(
    topic: Topic,
    strategy: str,
    options: CrawlOptions,
    server: str,
    out: Path,
    workers: int,
    cores: Sequence[int] = (),
    more: Mapping[int, Mapping[str, str]] | None = None,
) -> Crawled:
    """Crawl with some workers; none fetches anything before all are there.

    Parameters
    ----------
    topic, strategy, options : as of ``api.share_crawl``.
    server : address of the server, which holds no crawl of this name.
    out : gets a folder for each worker; its name is the name of the crawl.
    workers : how many.
    cores : the core of each worker; empty for any.
    more : further variables of the environment, by the place of the worker from 0 on.
    """
    shared_crawls.share_crawl(topic, server, strategy, crawl=out.name, options=options)
    client = Redis.from_url(server)
    requests = ServerControl(client, out.name)
    requests.leave(PAUSE)
    folders = [out / f"worker-{number}" for number in range(1, workers + 1)]
    began = time.monotonic()
    processes = [
        worker(
            folder, server, out.name, cores[index] if cores else None, more=(more or {}).get(index)
        )
        for index, folder in enumerate(folders)
    ]
    with ended_at_last(processes):
        await_true(lambda: all((f / "journal.jsonl").exists() for f in folders), LONGEST_START_S)
        time.sleep(_SETTLED_S)
        requests.withdraw(PAUSE)
        start = _start(processes, folders)
        client.config_resetstat()
        used = cpu_seconds(client)
        await_all(processes, LONGEST_CRAWL_S)
    commands, used = command_seconds(client), cpu_seconds(client) - used
    client.close()
    cpu = sum(process.cpu() for process in processes)
    wall = time.monotonic() - began
    return crawled_in(folders, cpu, start, wall, commands, used)


def crawl_alone(words: Sequence[str], out: Path, core: int | None = None) -> Crawled:
    """An ordinary crawl, its frontier in its folder; ``words`` are the options of ``crawl``."""
    out.parent.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    given = ["crawl", "--out", str(out), "--quiet", *words]
    process = CrawlProcess(given, out.with_suffix(".log"), core=core)
    with ended_at_last([process]):
        start = _start([process], [out])
        await_all([process], LONGEST_CRAWL_S)
    wall = time.monotonic() - began
    return crawled_in([out], process.cpu(), start, wall)


def crawled_in(
    folders: Sequence[Path],
    cpu: float = 0.0,
    start: Start = NO_START,
    wall: float = 0.0,
    server: float = 0.0,
    server_cpu: float = 0.0,
) -> Crawled:
    """The pages in the folders, with what else was measured."""
    shares = [len(pages_of([folder])) for folder in folders]
    return Crawled(pages_of(folders), shares, cpu, start, wall, server, server_cpu)


def _start(processes: Sequence[CrawlProcess], folders: Sequence[Path]) -> Start:
    def has_begun() -> bool:
        return any(map(stored, folders)) or all(process.poll() for process in processes)

    await_true(has_begun, LONGEST_START_S)
    return Start(sum(process.cpu() for process in processes), sum(map(stored, folders)))
