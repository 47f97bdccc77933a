"""How the benchmark of many workers watches: answers that end, wrong clocks, a server's time."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from os import environ
from pathlib import Path
from urllib.request import urlopen

import pytest
from benchmarks.distributed.disturbed import leased_by
from benchmarks.distributed.frontier_cost import sparse
from benchmarks.distributed.merged_folders import MergedPages, whole_bars
from benchmarks.distributed.politeness import verdict
from benchmarks.distributed.real_server import running_server
from benchmarks.distributed.server_time import command_seconds, command_seconds_by_name
from benchmarks.distributed.together import NO_START, Crawled
from benchmarks.distributed.watched_web import Visit, WatchedWeb, gaps, rests
from benchmarks.distributed.wrong_clocks import wrong_clock
from benchmarks.live.politeness import build_polite_web
from redis import Redis

from frontier.frontier_contract import seen
from scenthound.distributed.frontier import RedisFrontier
from scenthound.frontier.manners import Manners

NOBODY = Crawled([], [0], 0.0, NO_START, 0.0)


@pytest.fixture
def client() -> Iterator[Redis]:
    with (
        tempfile.TemporaryDirectory(prefix="v") as folder,
        running_server(Path(folder)) as url,
        Redis.from_url(url) as client,
    ):
        yield client


def test_a_rest_begins_when_all_answers_are_over() -> None:
    visits = [Visit(0.0, 1.0), Visit(0.5, 0.6), Visit(1.25, 1.5), Visit(2.0, 2.1)]
    assert gaps(visits) == [0.5, 0.75, 0.75]
    assert rests(visits) == [-0.5, 0.25, 0.5]


def test_bars_tell_of_requests_too_soon_and_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Crawled, "figures", lambda self: {"of_workers": [0]})
    calm = verdict([[Visit(0.0, 0.3), Visit(0.5, 0.8)]], NOBODY, 0)
    assert calm.is_held
    soon = verdict([[Visit(0.0, 0.3), Visit(0.4, 0.5)]], NOBODY, 0)
    assert [bar.is_held for bar in soon.bars] == [True, False, True, True]
    at_once = verdict([[Visit(0.0, 0.3), Visit(0.25, 0.5)]], NOBODY, 0)
    assert [bar.is_held for bar in at_once.bars] == [True, False, False, True]


def test_slow_hosts_take_their_time_and_ends_are_seen() -> None:
    with WatchedWeb(hosts=2, slow=0.1, each=2) as web:
        for host in (1, 2):
            url = web.add(host, "/", "<p>here</p>")
            with urlopen(url) as answer:
                assert answer.read() == b"<p>here</p>"
        quick, slow = web.visits()
    assert slow[0].ended - slow[0].began >= 0.1
    assert quick[0].ended - quick[0].began < 0.1


def test_every_other_page_has_the_address_of_the_next_one() -> None:
    with WatchedWeb(hosts=1, slow=0.0, each=2) as web:
        build_polite_web(web, 1, 4, own_names=True)
        bodies = [urlopen(web.url(1, f"/{n or ''}")).read().decode() for n in range(4)]
    assert ["canonical" in body for body in bodies] == [False, True, False, False]
    assert '<link rel="canonical" href="/2">' in bodies[1]


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


def test_commands_within_scripts_count_once(client: Redis) -> None:
    loop = "for i = 1, 1000 do redis.call('HSET', KEYS[1], i, i) end"
    client.config_resetstat()
    for _ in range(50):
        client.eval(loop, 1, "h")
    stats = client.info("commandstats")
    outer, inner = (stats[f"cmdstat_{name}"]["usec"] / 1e6 for name in ("eval", "hset"))
    assert command_seconds(client) == pytest.approx(outer, rel=0.1)
    assert command_seconds_by_name(client) >= outer + inner


def test_leases_are_counted_by_worker(client: Redis) -> None:
    for worker, most in (("worker-1", 2), ("worker-11", 3)):
        frontier = RedisFrontier(client, "c", manners=Manners(), worker=worker, partitions=2)
        frontier.add(seen(f"http://{worker}-{n}.test/", 0.5) for n in range(9))
        assert len(frontier.lease(most, 0.0)) == most
    assert [leased_by(client, "c", name) for name in ("worker-1", "worker-11", "w")] == [2, 3, 0]


def test_bytes_are_told_for_few_urls_a_host() -> None:
    assert sparse(2_000, 200).startswith("2000 URLs, 1")
    assert sparse(2_000, 2_000).startswith("2000 URLs, 2.")


def test_what_is_merged_is_compared_with_what_should_be_there() -> None:
    found = MergedPages("said", ["a", "a", "b", "x"], ["b"])
    bars = whole_bars({"a", "b", "c"}, ["a", "d"], found)
    assert [bar.figure for bar in bars] == [1, 1, 1, 1, 1]
    whole = whole_bars({"a"}, ["a", "a"], MergedPages("said", ["a"], []))
    assert all(bar.is_held for bar in whole)
