"""A worker joins a crawl, goes on with it, and heeds what all are told."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from scenthound import Topic, api
from scenthound.core.crawl import FRONTIER_EMPTY
from scenthound.core.errors import FolderError
from scenthound.core.summary import Summary
from scenthound.distributed.clock import ServerClock
from scenthound.distributed.crawls import open_crawl
from scenthound.distributed.deferring import DeferringFrontier
from scenthound.distributed.frontier import RedisFrontier
from scenthound.distributed.roll import WORKING
from scenthound.live.crawling import LiveCrawl
from scenthound.live.joining import find_place, shared_job
from scenthound.live.membership import Membership
from scenthound.live.messages import Answer
from scenthound.live.options import CrawlOptions
from scenthound.live.status import Status
from scenthound.live.stopping import OUT_OF_TIME, StopRules
from scenthound.sample.response import Response
from scenthound.sample.server import WebServer
from scenthound.store.lock import FolderLock, holder
from scenthound.strategies.installed import STRATEGIES

SEED = "http://h0.test/"
TOPIC = Topic("storms", ("storm",), (SEED,))


@pytest.fixture(scope="module")
def proxy() -> Iterator[str]:
    pages = {}
    for url, link in ((SEED, "/2"), (f"{SEED}2", "/")):
        body = f'<title>Storm {url}</title><p>A storm.</p><a href="{link}">storm</a>'.encode()
        pages[url] = Response(url, 200, (("Content-Type", "text/html"),), body)
    with WebServer(pages) as web:
        yield web.proxy


def share(url: str, crawl: str, max_time: float | None = None, delay: float = 0.0) -> None:
    options = CrawlOptions(delay=delay, min_disk=0, max_pages=5, max_time=max_time)
    api.share_crawl(TOPIC, url, "breadth-first", crawl=crawl, options=options)


def test_the_folder_is_held_from_before_leases_are_freed_until_the_end(
    server_url: str, server: Redis, crawl: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    share(server_url, crawl)
    held = list[int | None]()

    def killed(*given: object) -> None:
        held.append(holder(tmp_path / "w"))
        raise KeyboardInterrupt

    monkeypatch.setattr("scenthound.live.session._run", killed)
    with pytest.raises(KeyboardInterrupt):
        api.join_crawl(server_url, crawl, tmp_path / "w")
    assert held == [os.getpid()]
    assert holder(tmp_path / "w") is None


def test_who_finds_the_folder_taken_leaves_the_other_alone(
    server_url: str, server: Redis, crawl: str, tmp_path: Path, proxy: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    share(server_url, crawl)
    api.join_crawl(server_url, crawl, tmp_path / "w", name="rover", proxy=proxy)
    frontier = RedisFrontier(server, crawl, worker="rover")
    frontier.reopen([SEED])
    assert frontier.take(SEED, 1.0) is not None
    monkeypatch.setattr("scenthound.live.joining.holder", lambda folder: None)  # it came too soon
    with FolderLock(tmp_path / "w"), pytest.raises(FolderError, match="is being crawled by"):
        api.join_crawl(server_url, crawl, tmp_path / "w", proxy=proxy)
    assert frontier.where(SEED) == "leased"
    (entry,) = api.shared_overview(server_url, crawl).workers
    assert (entry.name, entry.state) == ("rover", WORKING)


class Entered:
    """A worker of a crawl that is only looked at, with a clock that is moved by hand."""

    def __init__(self, server: Redis, crawl: str, folder: Path) -> None:
        self.passed = 0.0
        shared = open_crawl(server, crawl)
        clock = ServerClock(server, crawl, monotonic=lambda: self.passed)
        place = find_place(shared, folder, None, shared.version, clock)
        self.job = shared_job(shared, place, STRATEGIES, {}, print)
        self.membership = Membership(shared, place.entry, self.job, clock)

    def beat(self, seconds: float) -> None:
        """So many seconds go by, with a sign of life in each."""
        for _ in range(int(seconds)):
            self.passed += 1.0
            self.membership.beat(Status(Summary(), 5, 0, 0, 0, 0.0, 0.0, None, False))


def test_limits_are_those_of_now_for_who_joins_and_who_is_there(
    server_url: str, server: Redis, crawl: str, tmp_path: Path
) -> None:
    share(server_url, crawl, max_time=10.0)
    early = Entered(server, crawl, tmp_path / "w")
    rules = StopRules(early.job.options, tmp_path, max_time=lambda: early.membership.max_time)
    assert rules.reason(11.0) == OUT_OF_TIME
    api.resume_workers(server_url, crawl, max_time=1_000.0, max_pages=7)
    early.beat(11.0)
    assert (early.membership.max_time, early.membership.budget.pages) == (1_000.0, 7)
    assert rules.reason(11.0) is None
    late = Entered(server, crawl, tmp_path / "w").job.options
    assert (late.max_time, late.max_pages) == (1_000.0, 7)


def test_a_crawl_whose_time_was_up_goes_on_with_more(
    server_url: str, server: Redis, crawl: str, tmp_path: Path, proxy: str
) -> None:
    share(server_url, crawl, max_time=0.001, delay=0.5)  # so long between two requests
    assert api.join_crawl(server_url, crawl, tmp_path / "w", proxy=proxy).stopped == OUT_OF_TIME
    api.resume_workers(server_url, crawl, max_time=1_000.0)
    run = api.join_crawl(server_url, crawl, tmp_path / "w", proxy=proxy)
    assert (run.stopped, run.fetched) == (FRONTIER_EMPTY, 2)


def test_seeds_that_never_reached_the_server_are_entered_when_the_worker_goes_on(
    server_url: str, server: Redis, crawl: str, tmp_path: Path, proxy: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    share(server_url, crawl)

    def killed(self: DeferringFrontier) -> None:
        if self._sightings:  # the topic is learnt before
            raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(DeferringFrontier, "send", killed)  # after the first commit
        api.join_crawl(server_url, crawl, tmp_path / "w", proxy=proxy)
    assert RedisFrontier(server, crawl).where(SEED) is None
    run = api.join_crawl(server_url, crawl, tmp_path / "w", proxy=proxy)
    assert (run.stopped, run.fetched) == (FRONTIER_EMPTY, 2)
    again = api.join_crawl(server_url, crawl, tmp_path / "w", proxy=proxy)
    assert again.fetched == 2  # those that were fetched stay closed


def test_in_the_middle_of_long_work_others_are_told_which_hosts_have_answered(
    server_url: str, server: Redis, crawl: str, tmp_path: Path, proxy: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    share(server_url, crawl)
    untold, observe = list[int](), LiveCrawl._observe

    def observed(self: LiveCrawl, answer: Answer) -> None:
        assert self._membership is not None
        before = len(self._membership.frontier._answers)
        self._membership.on_server.breathe()
        untold.extend((before, len(self._membership.frontier._answers)))
        observe(self, answer)

    monkeypatch.setattr(LiveCrawl, "_observe", observed)
    api.join_crawl(server_url, crawl, tmp_path / "w", proxy=proxy)
    assert untold == [1, 0, 1, 0]  # of two pages
