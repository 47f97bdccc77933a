"""What each step of a frontier costs its server: time of its one thread, bytes sent and written.

``python -m benchmarks.distributed.simulation_costs --urls 100000 --partitions 1``
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from redis import Redis

from benchmarks.distributed.real_server import running_server
from benchmarks.distributed.simulation_server import SERVER, Load
from benchmarks.distributed.synthetic_links import HOSTS, LINKS_OF_A_PAGE, pages
from scenthound.core.model import Combination
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.redis.frontier import RedisFrontier
from scenthound.frontier.redis.partitions import Partitions
from scenthound.frontier.redis.server import open_server

POLITENESS = PolitenessPolicy(delay=60.0, per_host=1)
_MEASURED = 900
"""Calls of each step; fewer than there are hosts, as each lease keeps one busy."""
_CRAWL, _AT_ONCE = "costs", 8


@dataclass(frozen=True, slots=True)
class Step:
    """What one call of a step costs."""

    name: str
    load: Load
    calls: int

    def __str__(self) -> str:
        load, calls = self.load, self.calls
        return (
            f"{self.name:34} {load.cpu / calls * 1e6:8.0f} {load.scripts / calls * 1e6:8.0f} "
            f"{load.received / calls:8.0f} {load.sent / calls:7.0f} {load.appended / calls:8.0f}"
        )


def steps(client: Redis, urls: int, partitions: int, calls: int) -> Iterator[Step]:
    """Fill a frontier, then measure one step after the other."""
    frontier = RedisFrontier(
        client, _CRAWL, Combination.MEAN, POLITENESS, 3_600.0, partitions=partitions
    )
    below = Partitions(client, _CRAWL, partitions, POLITENESS)
    source = pages(random.Random(7))
    while len(frontier) < urls:
        for page in islice(source, 100):
            frontier.add(page)
    to_find, to_add = [*islice(source, calls)], [*islice(source, calls)]
    addresses = [[link.url for link in page] for page in to_find]
    links, leased = iter(to_add), list[str]()

    def lease(most: int, now: float) -> None:
        leased.extend(candidate.url for candidate in frontier.lease(most, now))

    def each(done: Callable[[str], None]) -> Callable[[], None]:
        held = iter([*leased])
        return lambda: done(next(held))

    read = iter(addresses)
    name = f"states of {LINKS_OF_A_PAGE} links"
    yield _step(client, name, calls, lambda: frontier.admissions(next(read)))
    found = iter(addresses)
    name = f"find {LINKS_OF_A_PAGE} links (HMGET, INCRBY)"
    yield _step(client, name, calls, lambda: below.find(next(found), LINKS_OF_A_PAGE))
    name = f"add {LINKS_OF_A_PAGE} links (find, write)"
    yield _step(client, name, calls, lambda: frontier.add(next(links)))
    yield _step(client, "lease 1", calls, lambda: lease(1, 1.0))
    yield _step(
        client, "record_response", calls, each(lambda url: frontier.record_response(url, 2.0))
    )
    yield _step(client, "close", calls, each(frontier.ack))
    frontier.lease(HOSTS, 3.0)  # those that are left
    yield _step(client, "lease that finds nothing", calls, lambda: lease(1, 4.0))
    yield _step(client, "next_time (wake)", calls, lambda: frontier.next_time(5.0))
    leased.clear()
    some = max(2, calls // _AT_ONCE // 2)
    yield _step(client, f"lease {_AT_ONCE} at once", some, lambda: lease(_AT_ONCE, 100.0))
    yield _step(client, "fail (retry)", some, each(lambda url: frontier.fail(url, 200.0)))
    leased.clear()
    lease(some, 101.0)
    yield _step(client, "put_back", some, each(frontier.put_back))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--urls", type=int, default=100_000, help="URLs that wait")
    parser.add_argument("--partitions", type=int, nargs="+", default=(1,))
    parser.add_argument("--calls", type=int, default=_MEASURED, help="of each step, at most 900")
    given = parser.parse_args(arguments)
    for partitions in given.partitions:
        with (
            tempfile.TemporaryDirectory(prefix="v") as folder,
            running_server(Path(folder), SERVER) as url,
        ):
            client = open_server(url)
            print(f"{given.urls} URLs, {HOSTS} hosts, {partitions} partitions, one call:")
            print(f"{'':34} {'CPU us':>8} {'scripts':>8} {'bytes in':>8} {'out':>7} {'AOF':>8}")
            for step in steps(client, given.urls, partitions, min(given.calls, _MEASURED)):
                print(step, flush=True)
            print(f"a closed URL keeps {_bytes_closed(client, given.urls):.0f} bytes of memory")
            client.close()
    return 0


def _bytes_closed(client: Redis, urls: int) -> float:
    """Of memory, for each of so many URLs of another crawl, all of them closed."""
    frontier = RedisFrontier(client, "closed")
    before = int(client.info("memory")["used_memory_dataset"])
    for first in range(0, urls, 1_000):
        some = range(first, min(first + 1_000, urls))
        frontier.close_all((f"https://www.host-{n % HOSTS}.example/{n}", True) for n in some)
    return (int(client.info("memory")["used_memory_dataset"]) - before) / urls


def _step(client: Redis, name: str, calls: int, call: Callable[[], object]) -> Step:
    call()  # the server reads a script when it is first given it
    before = Load.of(client)
    for _ in range(calls - 1):
        call()
    return Step(name, Load.of(client).since(before), calls - 1)


if __name__ == "__main__":
    sys.exit(main())
