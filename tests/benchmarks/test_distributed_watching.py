"""How the benchmark of many workers watches: answers that end, wrong clocks, a server's time."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from os import environ
from pathlib import Path

import pytest
from benchmarks.distributed.disturbed import leased_by
from benchmarks.distributed.real_server import running_server
from benchmarks.distributed.wrong_clocks import wrong_clock
from redis import Redis

from frontier.frontier_contract import seen
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.redis.frontier import RedisFrontier


@pytest.fixture
def client() -> Iterator[Redis]:
    with (
        tempfile.TemporaryDirectory(prefix="v") as folder,
        running_server(Path(folder)) as url,
        Redis.from_url(url) as client,
    ):
        yield client


def test_a_wrong_clock_is_wrong_for_the_time_of_day_alone() -> None:
    program = "import time; print(time.time(), time.time_ns() / 1e9, time.monotonic())"
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], env={**environ, **wrong_clock(-30.0)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    of_day, in_ns, measured = map(float, done.stdout.split())
    assert of_day - time.time() == pytest.approx(-30.0, abs=5.0)
    assert in_ns - of_day == pytest.approx(0.0, abs=1.0)
    assert measured == pytest.approx(time.monotonic(), abs=5.0)


def test_leases_are_counted_by_worker(client: Redis) -> None:
    for worker, most in (("worker-1", 2), ("worker-11", 3)):
        frontier = RedisFrontier(
            client, "c", politeness=PolitenessPolicy(), worker=worker, partitions=2
        )
        frontier.add(seen(f"http://{worker}-{n}.test/", 0.5) for n in range(9))
        assert len(frontier.lease(most, 0.0)) == most
    assert [leased_by(client, "c", name) for name in ("worker-1", "worker-11", "w")] == [2, 3, 0]
