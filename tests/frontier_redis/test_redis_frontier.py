"""A worker joins a crawl, goes on with it, and follows what holds for all."""

from __future__ import annotations

import os
import random
import tempfile
from collections import Counter
from pathlib import Path
from struct import Struct
from typing import Any

import pytest
from benchmarks.distributed.real_server import running_server
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import MonkeyPatch
from redis import Redis

from frontier.frontier_contract import order, seed, seen, where
from frontier_redis.conftest import Serve
from scenthound import Topic
from scenthound.core.crawl_loop import FRONTIER_EMPTY
from scenthound.core.errors import FolderError, SettingsError
from scenthound.core.events import Summary
from scenthound.core.model import Combination, Score
from scenthound.crawler.control import Status, StopRules
from scenthound.crawler.live import LiveCrawl
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.shared import crawls as shared_crawls
from scenthound.crawler.shared.worker import DistributedWorker, find_place, shared_job
from scenthound.fetch.client import FetchResponse
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.redis.crawls import open_crawl
from scenthound.frontier.redis.frontier import RedisFrontier
from scenthound.frontier.redis.server import ServerClock, open_server
from scenthound.frontier.redis.worker import WorkerFrontier
from scenthound.frontier.redis.workers import WORKING
from scenthound.frontier.sqlite_urls import UrlState
from scenthound.sample.responses import Response
from scenthound.storage.folder import FolderLock, lock_holder
from scenthound.storage.journal import OUT_OF_TIME

SEED = "http://h0.test/"
TOPIC = Topic("storms", ("storm",), (SEED,))


@pytest.fixture
def two_pages(serve: Serve) -> None:
    kind = (("Content-Type", "text/html"),)
    body = '<title>Storm {0}</title><p>A storm.</p><a href="{1}">storm</a>'
    serve(
        Response(url, 200, kind, body.format(url, link).encode())
        for url, link in ((SEED, "/2"), (f"{SEED}2", "/"))
    )


def share(url: str, crawl: str, max_time: float | None = None, delay: float = 0.0) -> None:
    options = CrawlOptions(delay=delay, min_disk=0, max_pages=5, max_time=max_time)
    shared_crawls.share_crawl(TOPIC, url, "breadth-first", crawl=crawl, options=options)


def test_the_folder_is_held_from_the_start(
    server_url: str, crawl: str, tmp_path: Path, monkeypatch: MonkeyPatch
) -> None:
    share(server_url, crawl)
    held = list[int | None]()

    def killed(*given: object) -> None:
        held.append(lock_holder(tmp_path / "w"))
        raise KeyboardInterrupt

    monkeypatch.setattr("scenthound.crawler.session._run", killed)
    with pytest.raises(KeyboardInterrupt):
        shared_crawls.join_crawl(server_url, crawl, tmp_path / "w")
    assert held == [os.getpid()]
    assert lock_holder(tmp_path / "w") is None


def test_who_finds_the_folder_taken_leaves_the_other_alone(
    server_url: str, server: Redis, crawl: str, tmp_path: Path, two_pages: None,
    monkeypatch: MonkeyPatch,
) -> None:  # fmt: skip
    share(server_url, crawl)
    shared_crawls.join_crawl(server_url, crawl, tmp_path / "w", name="rover")
    frontier = RedisFrontier(server, crawl, worker="rover")
    other = SEED + "other"
    frontier.add([seed(other)])
    assert frontier.take(other, 1.0) is not None
    monkeypatch.setattr(
        "scenthound.crawler.shared.worker.lock_holder", lambda folder: None
    )  # it came too soon
    with FolderLock(tmp_path / "w"), pytest.raises(FolderError, match="is being crawled by"):
        shared_crawls.join_crawl(server_url, crawl, tmp_path / "w")
    assert where(frontier, other) == "leased"
    (entry,) = shared_crawls.shared_overview(server_url, crawl).workers
    assert (entry.name, entry.state) == ("rover", WORKING)


class Entered:
    """A worker of a crawl that is only looked at, with a clock that is moved by hand."""

    def __init__(self, server: Redis, crawl: str, folder: Path) -> None:
        self.passed = 0.0
        shared = open_crawl(server, crawl)
        clock = ServerClock(server, crawl, monotonic=lambda: self.passed)
        _, entry = find_place(shared, folder, None, shared.version, clock)
        self.job = shared_job(shared, entry, {})
        self.distributed = DistributedWorker(shared, entry, self.job, clock)

    def beat(self, seconds: float) -> None:
        """So many seconds go by, with a sign of life in each."""
        for _ in range(int(seconds)):
            self.passed += 1.0
            self.distributed.beat(Status(Summary(), 5, 0, 0, 0, 0.0, 0.0, None, False))


def test_limits_are_those_of_now(
    server_url: str, server: Redis, crawl: str, tmp_path: Path
) -> None:
    share(server_url, crawl, max_time=10.0)
    early = Entered(server, crawl, tmp_path / "w")
    assert StopRules(early.job.options, tmp_path).reason(11.0) == OUT_OF_TIME
    shared_crawls.resume_workers(server_url, crawl, max_time=1_000.0, max_pages=7)
    early.beat(11.0)
    assert (early.distributed.max_time, early.distributed.budget.pages) == (1_000.0, 7)
    late = Entered(server, crawl, tmp_path / "w").job.options
    assert (late.max_time, late.max_pages) == (1_000.0, 7)


def test_a_crawl_whose_time_was_up_goes_on_with_more(
    server_url: str, crawl: str, tmp_path: Path, two_pages: None
) -> None:
    share(server_url, crawl, max_time=0.001, delay=0.5)  # so long between two requests
    assert shared_crawls.join_crawl(server_url, crawl, tmp_path / "w").stopped == OUT_OF_TIME
    shared_crawls.resume_workers(server_url, crawl, max_time=1_000.0)
    run = shared_crawls.join_crawl(server_url, crawl, tmp_path / "w")
    assert (run.stopped, run.fetched) == (FRONTIER_EMPTY, 2)


def test_seeds_that_never_reached_the_server_are_entered_when_the_worker_goes_on(
    server_url: str, server: Redis, crawl: str, tmp_path: Path, two_pages: None,
    monkeypatch: MonkeyPatch,
) -> None:  # fmt: skip
    share(server_url, crawl)

    def killed(self: WorkerFrontier) -> None:
        if self._scored_links:  # the topic is learned before
            raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(WorkerFrontier, "send", killed)  # after the first commit
        shared_crawls.join_crawl(server_url, crawl, tmp_path / "w")
    assert where(RedisFrontier(server, crawl), SEED) is None
    run = shared_crawls.join_crawl(server_url, crawl, tmp_path / "w")
    assert (run.stopped, run.fetched) == (FRONTIER_EMPTY, 2)
    again = shared_crawls.join_crawl(server_url, crawl, tmp_path / "w")
    assert again.fetched == 2  # those that were fetched stay closed


def test_in_the_middle_of_long_work_others_are_reported_which_hosts_have_answered(
    server_url: str, crawl: str, tmp_path: Path, two_pages: None, monkeypatch: MonkeyPatch
) -> None:
    share(server_url, crawl)
    untold, observe = list[int](), LiveCrawl._observe

    def observed(self: LiveCrawl, answer: FetchResponse) -> None:
        assert self._distributed is not None
        before = len(self._distributed.frontier._answers)
        self._distributed.on_server.on_progress()
        untold.extend((before, len(self._distributed.frontier._answers)))
        observe(self, answer)

    monkeypatch.setattr(LiveCrawl, "_observe", observed)
    shared_crawls.join_crawl(server_url, crawl, tmp_path / "w")
    assert untold == [1, 0, 1, 0]  # of two pages


# After whatever two workers did: counts, sets of hosts and rows tell the same story.


HOST = Struct("<5I2dB6sd6sd")
FREE, RESTING, BUSY, OVER_SHARE = range(1, 5)
SETS = {FREE: "free", RESTING: "resting", BUSY: "busy", OVER_SHARE: "greedy"}


def act(frontier: RedisFrontier, rng: random.Random, held: list[str], now: float) -> None:
    """One of the things that workers do."""
    page = [f"http://h{rng.randrange(8)}/{rng.randrange(60)}" for _ in range(6)]
    frontier.add([seen(url, rng.randrange(4) / 4) for url in page])
    held += [candidate.url for candidate in frontier.lease(2, now)]
    url = held.pop(rng.randrange(len(held))) if held else page[0]
    frontier.record_response(url, now)
    match rng.randrange(8):
        case 0:
            frontier.fail(url, now + 2.0)
        case 1:
            frontier.fail(url, None)
        case 2:
            frontier.redirect(url, page[1])
        case 3:
            frontier.put_back(url)
        case 4:
            frontier.reweight(lambda score: Score(1.0 - score.value))
        case 5:
            frontier.slow_down(url.split("/")[2], 1.5)
        case _:
            frontier.ack(url)


def check_partition(server: Any, prefix: str) -> None:
    """(To the type of a client every answer may be a text; here all are bytes.)"""
    states = Counter(row[2] for row in server.hvals(f"{prefix}:rows"))
    totals = Counter({k.decode(): float(v) for k, v in server.hgetall(f"{prefix}:totals").items()})
    assert totals["waiting"] == states[UrlState.READY] + states[UrlState.RETRY]
    assert server.hlen(f"{prefix}:leases") == states[UrlState.LEASED]
    assert server.zcard(f"{prefix}:due") == states[UrlState.LEASED] + states[UrlState.RETRY]
    turns, urls, pages = Counter[int](), Counter[int](), 0
    for name, packed in server.hgetall(f"{prefix}:hosts").items():
        ready, had, *_, turn, top, best, bottom, worst = HOST.unpack(packed)
        members = server.zrange(f"{prefix}:ready:{name.decode()}", 0, -1, withscores=True)
        assert ready == len(members)
        turns[turn] += 1
        urls[turn] += ready
        pages += had
        if turn:
            assert [(member[:6], score) for member, score in (members[0], members[-1])] == [
                (top, best), (bottom, worst),
            ]  # fmt: skip
            assert server.zscore(f"{prefix}:tops", top + name) == best
            assert server.zscore(f"{prefix}:worst", bottom + name) == worst
    assert (urls[FREE], urls[OVER_SHARE]) == (totals["free"], totals["greedy"])
    assert (urls.total(), pages) == (states[UrlState.READY], totals["pages"])
    assert {turn: server.zcard(f"{prefix}:{name}") for turn, name in SETS.items()} == {
        turn: turns[turn] for turn in SETS
    }
    offering = sum(turns[turn] for turn in SETS)
    assert server.zcard(f"{prefix}:tops") == server.zcard(f"{prefix}:worst") == offering


def test_the_books_agree(server: Redis, crawl: str) -> None:
    partitions = 3
    rng, now = random.Random(partitions), 0.0
    politeness = PolitenessPolicy(delay=0.5, per_host=2, pages_per_host=12, share=0.3)
    workers = [
        RedisFrontier(
            server, crawl, Combination.LAST, politeness, lease_seconds=5.0, worker=name,
            partitions=partitions, most=70,
        )
        for name in ("one", "two")
    ]  # fmt: skip
    held: list[str] = []  # now and then one speaks of what the other holds
    for _ in range(90):
        act(rng.choice(workers), rng, held, now)
        now += 0.3
    assert workers[0].host_count == 8
    for place in range(partitions):
        check_partition(server, f"scenthound:{{{crawl}/{place}}}")
    frontier = RedisFrontier(server, "equals", Combination.LAST)
    frontier.add([seen("http://a/1", 0.9), seen("http://a/2", 0.25), seen("http://a/3", 0.5)])
    frontier.add([seen("http://a/3", 0.25)])  # the last of equals is the worst now
    check_partition(server, "scenthound:{equals/0}")


ROWS = st.lists(st.tuples(st.sampled_from("abcd"), st.integers(0, 9)), max_size=12)


def test_what_is_leased_or_tried_again_takes_room_as_it_waits(server: Redis, crawl: str) -> None:
    frontier = RedisFrontier(server, crawl, most=2)
    frontier.add([seen("http://a/1", 0.9), seen("http://a/2", 0.8)])
    frontier.lease(2, 0.0)
    frontier.fail("http://a/2", 5.0)
    frontier.add([seen("http://b/1", 0.2), seen("http://b/2", 0.1)])
    assert order(frontier) == ["http://b/1"]
    assert [where(frontier, f"http://a/{n}") for n in (1, 2)] == ["leased", "waiting"]


@settings(max_examples=8)
@given(ROWS, st.integers(1, 6), st.sampled_from([1, 3]))
def test_what_is_left_is_what_sorting_leaves(
    session_server: Redis, rows: list[tuple[str, int]], most: int, partitions: int
) -> None:
    session_server.flushall()
    frontier = RedisFrontier(session_server, "room", partitions=partitions, most=most)
    kept: list[tuple[int, int, str]] = []
    for number, (host, score) in enumerate(rows):
        url = f"http://{host}/{number}"
        frontier.add([seen(url, float(score))])
        kept = sorted([*kept, (-score, number, url)])[:most]
    assert order(frontier) == [url for _, _, url in kept]
    assert frontier.dropped_urls() == len(rows) - len(kept)


# Workers come and go, the server restarts: what was written goes on.


A1, A2, A3, B1 = "http://a/1", "http://a/2", "http://a/3", "http://b/1"


def opened(
    server: Redis, crawl: str, politeness: PolitenessPolicy | None = None, now: float = 0.0
) -> RedisFrontier:
    return RedisFrontier(server, crawl, Combination.MEAN, politeness or PolitenessPolicy(), now=now)


def test_closed_urls_greedy_hosts_and_hosts_that_are_spent(server: Redis, crawl: str) -> None:
    frontier = opened(server, crawl)
    frontier.add([seen(A1, 0.9, depth=3)])
    frontier.lease(1, 0.0)
    frontier.ack(A1)
    assert frontier.host_count == 1
    assert (where(frontier, A1), where(frontier, A2)) == ("closed", None)
    (row,) = server.hvals(f"scenthound:{{{crawl}/0}}:rows")
    assert len(row) == 25
    crawl = f"{crawl}-2"
    frontier = opened(server, crawl, PolitenessPolicy(share=0.5))
    frontier.add([seen(A1, 0.9), seen(A2, 0.8), seen(B1, 0.1)])
    frontier.lease(1, 0.0)
    frontier.ack(A1)
    assert [c.url for c in frontier.peek(1)] == [A2]
    assert [c.url for c in opened(server, crawl).lease(1, 0.0)] == [A2]
    crawl = f"{crawl}-3"
    frontier = opened(server, crawl, PolitenessPolicy(pages_per_host=1))
    frontier.add([seen(f"http://a/{n}", n / 2_000) for n in range(1_100)])
    frontier.add([seen(B1, 0.0)])
    (best,) = frontier.lease(1, 0.0)
    frontier.ack(best.url)
    assert (best.url, len(frontier), frontier.exhausted_urls()) == ("http://a/1099", 1, 1_099)


def test_names_numbers_and_layouts_that_make_no_sense(server: Redis, crawl: str) -> None:
    for name in ("", "a b", "a{b", "a}b", "a/0", "a\n"):
        with pytest.raises(SettingsError, match="without spaces"):
            RedisFrontier(server, name)
    with pytest.raises(SettingsError, match="0 partitions"):
        RedisFrontier(server, "crawl", partitions=0)
    with pytest.raises(SettingsError, match="frontier of 0 URLs"):
        RedisFrontier(server, "crawl", most=0)
    with pytest.raises(SettingsError, match="worker cannot be called ''"):
        RedisFrontier(server, "crawl", worker="")
    assert server.keys() == []
    RedisFrontier(server, crawl, partitions=4)
    with pytest.raises(SettingsError, match="begun with 4 partitions, not 1"):
        RedisFrontier(server, crawl)
    server.hset(f"scenthound:{{{crawl}}}:frontier", "layout", "99")
    with pytest.raises(SettingsError, match="another version"):
        RedisFrontier(server, crawl, partitions=4)


def test_a_server_that_restarts_goes_on_and_so_does_the_worker() -> None:
    with tempfile.TemporaryDirectory(prefix="v") as folder:
        kept = ("--appendonly", "yes", "--appendfsync", "always")
        with running_server(Path(folder), kept) as address:
            client = open_server(address)
            frontier = opened(client, "crawl", PolitenessPolicy(delay=2.0))
            frontier.add([seen(A1, 0.9), seen(A2, 0.8), seen(B1, 0.1)])
            frontier.lease(1, 0.0)
        with running_server(Path(folder), kept):
            assert [c.url for c in frontier.lease(3, 1.0)] == [B1]
            frontier.ack(A1)
            assert [c.url for c in frontier.lease(3, 2.0)] == [A2]
            client.close()
