"""A server of many URLs: its append-only file, how long it takes to rewrite and to read again.

``python -m benchmarks.distributed.simulation_restart --urls 1000000``
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import count, islice
from pathlib import Path

from redis import Redis

from benchmarks.distributed.real_server import running_server
from benchmarks.distributed.simulation_server import SERVER
from benchmarks.distributed.synthetic_links import pages
from scenthound.core.model import Combination
from scenthound.frontier.redis.frontier import RedisFrontier
from scenthound.frontier.redis.server import open_server

_LOADED = re.compile(r"DB loaded from append only file: ([0-9.]+) seconds")


def main(arguments: Sequence[str] | None = None) -> int:
    """Fill a server, restart it, have its file rewritten, and restart it again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--urls", type=int, default=1_000_000, help="URLs that wait")
    urls = parser.parse_args(arguments).urls
    with tempfile.TemporaryDirectory(prefix="v") as name:
        folder = Path(name)
        with running_server(folder, SERVER) as url, open_server(url) as client:
            added = _fill(client, urls)
            memory, size = client.info("memory")["used_memory"], _aof(client)
        print(
            f"{urls} URLs, the links of {added} pages: {memory / 1e6:.1f} MB of memory, "
            f"append-only file {size / 1e6:.1f} MB, {size / added:.0f} bytes a page"
        )
        with running_server(folder, SERVER) as url, open_server(url) as client:
            print(f"  read again in {_seconds_to_load(folder):.1f} s")
            seconds = _rewrite(client)
            print(f"  rewritten in {seconds:.1f} s, {_aof(client) / 1e6:.1f} MB")
        with running_server(folder, SERVER):
            print(f"  read again in {_seconds_to_load(folder):.1f} s")
    return 0


def _fill(client: Redis, urls: int) -> int:
    """How many pages it took."""
    frontier, source = RedisFrontier(client, "restart", Combination.MEAN), pages(random.Random(7))
    for added in count(step=100):
        if len(frontier) >= urls:
            return added
        for page in islice(source, 100):
            frontier.add(page)
    raise AssertionError("counting never ends")


def _aof(client: Redis) -> int:
    return int(client.info("persistence")["aof_current_size"])


def _rewrite(client: Redis) -> float:
    """How many seconds it took."""
    began, under_way = time.perf_counter(), True
    client.bgrewriteaof()
    while under_way:
        time.sleep(0.05)
        info = client.info("persistence")
        under_way = info["aof_rewrite_in_progress"] or info["aof_rewrite_scheduled"]
    return time.perf_counter() - began


def _seconds_to_load(folder: Path) -> float:
    """As the server has written last in its log."""
    return float(_LOADED.findall((folder / "log").read_text(errors="replace"))[-1])


if __name__ == "__main__":
    sys.exit(main())
