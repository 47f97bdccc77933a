"""What a URL costs on the server: bytes, and seconds to add and to lease it, as URLs grow.

``python -m benchmarks.distributed.frontier_cost --sizes 100000 1000000``
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time

from redis import Redis

from benchmarks.distributed.real_server import running_server
from benchmarks.distributed.server_time import command_seconds, cpu_seconds
from benchmarks.distributed.synthetic_links import HOSTS, pages, ticks
from scenthound.core.model import Combination, ScoredLink
from scenthound.core.protocols import PoliteFrontier
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.redis.frontier import RedisFrontier
from scenthound.frontier.redis.server import open_server
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.storage.database import open_database

SIZES = (100_000, 1_000_000)
BYTES_BAR, RATIO_BAR = 400, 2.0
PAGES_MEASURED = 400
POLITENESS = PolitenessPolicy(delay=0.001)
SPARSE = (0.1, 1.0)
"""Hosts to draw from for each URL, where a web has few pages a host: some 10 and 2.5 in the end."""
_SERVER = ("--appendonly", "yes", "--appendfsync", "everysec")


@dataclass(frozen=True, slots=True)
class Cost:
    """Milliseconds that a page's links, or a lease with response and ack, took.

    By the clock, CPU time of the client, time in commands of the server, CPU time of the server.
    """

    wall: float
    client: float
    commands: float
    server: float

    @property
    def cpu(self) -> float:
        """CPU time of both: what others do on the machine tells least on it."""
        return self.client + self.server


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured at one size."""

    size: int
    bytes_per_url: float
    adding: Cost
    leasing: Cost


def measured(client: Redis, sizes: Sequence[int], count: int) -> Iterator[Figures]:
    """Grow one frontier to each of the sizes, and measure it there."""
    before = _dataset(client)
    frontier = _frontier(client)
    source, clock = pages(random.Random(7)), ticks()
    for size in sizes:
        _fill(frontier, source, size)
        taken = (_dataset(client) - before) / len(frontier)
        adding = _timed(client, count, lambda: frontier.add(next(source)))
        leasing = _timed(client, count, lambda: _lease(frontier, next(clock)))
        yield Figures(size, taken, adding, leasing)


def sparse(size: int, hosts: int) -> str:
    """What a URL takes where they lie on many hosts: a server of its own, so many URLs."""
    with _server() as client:
        before = _dataset(client)
        frontier = _frontier(client)
        _fill(frontier, pages(random.Random(7), hosts), size)
        taken = (_dataset(client) - before) / len(frontier)
        share = len(frontier) / frontier.host_count
    return f"{size} URLs, {share:.1f} a host: {taken:.0f} bytes each (no bar)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of the server, and of SQLite beside them; 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="URLs that wait")
    parser.add_argument(
        "--pages", type=int, default=PAGES_MEASURED,
        help="whose links are added, and URLs that are leased, when a size is reached",
    )  # fmt: skip
    given = parser.parse_args(arguments)
    sizes, count = sorted(given.sizes), given.pages
    with _server() as client:
        print(f"{_version(client)}, append-only file every second, {HOSTS} hosts, MEAN")
        found = []
        for figures in measured(client, sizes, count):
            found.append(figures)
            _print(figures)
    for share in SPARSE:
        print(sparse(sizes[0], round(share * sizes[0])), flush=True)
    for size in sizes:
        print(_beside(size, count))
    return _verdict(found[0], found[-1])


@contextmanager
def _server() -> Iterator[Redis]:
    """A client of a server that holds nothing yet."""
    with (
        tempfile.TemporaryDirectory(prefix="v") as folder,
        running_server(Path(folder), _SERVER) as url,
        closing(open_server(url)) as client,
    ):
        yield client


def _frontier(client: Redis) -> RedisFrontier:
    return RedisFrontier(client, "cost", Combination.MEAN, POLITENESS)


def _fill(frontier: RedisFrontier, source: Iterator[list[ScoredLink]], size: int) -> None:
    while len(frontier) < size:
        for page in islice(source, 100):
            frontier.add(page)


def _verdict(small: Figures, large: Figures) -> int:
    adding = large.adding.cpu / small.adding.cpu
    leasing = large.leasing.cpu / small.leasing.cpu
    print(
        f"CPU of both at {large.size} as a multiple of that at {small.size} URLs: "
        f"adding {adding:.2f}, leasing {leasing:.2f} (bar {RATIO_BAR}); "
        f"{large.bytes_per_url:.0f} bytes a URL (bar {BYTES_BAR})"
    )
    kept = max(adding, leasing) <= RATIO_BAR and large.bytes_per_url <= BYTES_BAR
    return 0 if kept else 1


def _print(figures: Figures) -> None:
    print(f"{figures.size} URLs: {figures.bytes_per_url:.0f} bytes a URL")
    for name, cost in (
        ("50 links added", figures.adding),
        ("lease, response, ack", figures.leasing),
    ):
        print(
            f"  {name}: {cost.wall:.2f} ms; CPU of the client {cost.client:.2f}, of the server "
            f"{cost.server:.2f}, of that in commands {cost.commands:.2f}",
            flush=True,
        )


def _beside(size: int, count: int) -> str:
    """The CPU time of the same work in SQLite, in transactions of fifty pages."""
    with tempfile.TemporaryDirectory() as folder:
        connection = open_database(Path(folder) / "f.sqlite", new=True)
        frontier = SqliteFrontier(connection, Combination.MEAN, POLITENESS)
        source, clock = pages(random.Random(7)), ticks()
        connection.execute("BEGIN")
        while len(frontier) < size:
            frontier.add(next(source))
        connection.execute("COMMIT")
        adding = _in_transactions(connection, count, lambda: frontier.add(next(source)))
        leasing = _in_transactions(connection, count, lambda: _lease(frontier, next(clock)))
        connection.close()
    return (
        f"SQLite, {size} URLs: {adding:.2f} ms of CPU to add 50 links, "
        f"{leasing:.2f} to lease, respond and acknowledge"
    )


def _in_transactions(
    connection: sqlite3.Connection, count: int, work: Callable[[], object]
) -> float:
    start = process_time()
    for first in range(0, count, 50):
        connection.execute("BEGIN")
        for _ in range(first, min(first + 50, count)):
            work()
        connection.execute("COMMIT")
    return (process_time() - start) / count * 1_000


def _lease(frontier: PoliteFrontier, now: float) -> None:
    (candidate,) = frontier.lease(1, now)
    frontier.record_response(candidate.url, now)
    frontier.ack(candidate.url)


def _timed(client: Redis, count: int, work: Callable[[], object]) -> Cost:
    client.config_resetstat()
    wall, cpu, server = perf_counter(), process_time(), cpu_seconds(client)
    for _ in range(count):
        work()
    wall, cpu, server = perf_counter() - wall, process_time() - cpu, cpu_seconds(client) - server
    commands = command_seconds(client)
    return Cost(*(each * 1_000 / count for each in (wall, cpu, commands, server)))


def _dataset(client: Redis) -> int:
    return int(client.info("memory")["used_memory_dataset"])


def _version(client: Redis) -> str:
    server = client.info("server")
    name, number = server.get("server_name", "redis"), server.get("valkey_version")
    return f"{name} {number or server['redis_version']}"


if __name__ == "__main__":
    sys.exit(main())
