"""What workers share: counts that add up once each, weights, and robots.txt files."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest import MonkeyPatch
from redis import Redis

from frontier_redis.conftest import Serve
from scenthound import Topic
from scenthound.core.protocols import FittedWeights, LinkSums, RobotsFile, TermCounts
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.shared import crawls as shared_crawls
from scenthound.fetch.robots import RobotsRulesCache
from scenthound.frontier.redis import sharing
from scenthound.frontier.redis.crawls import delete_crawl
from scenthound.frontier.redis.scripts import Scripts, Step
from scenthound.frontier.redis.sharing import ServerRobotsCache, SharedTermCounts, SharedWeights
from scenthound.sample.responses import Response

NONE = np.empty(0)


class Talk:
    """One worker's pool, with a word for each step."""

    def __init__(self, server: Redis, crawl: str, worker: str) -> None:
        self.pool = SharedTermCounts(server, crawl, worker)
        self.weights = SharedWeights(server, crawl, worker)
        self._scripts = Scripts(server)

    def tell(self, after: int, upto: int, tally: TermCounts, sums: LinkSums = NONE) -> int:
        return int(self._run(self.pool.share_step(after, upto, tally, sums)))

    def hear(self) -> list[TermCounts] | None:
        return self.updates()[0]

    def updates(self) -> tuple[list[TermCounts] | None, bool]:
        return self.pool.receive(self._run(self.pool.request_step()))

    def is_to_fold(self) -> bool:
        return self.updates()[1]

    def published(self) -> tuple[FittedWeights | None, LinkSums]:
        return self.weights.receive(self._run(self.weights.request_step()))

    def _run(self, step: Step) -> Any:
        name, key, arguments = step
        return self._scripts.run(name, key, *arguments)


@pytest.fixture
def one(server: Redis, crawl: str) -> Talk:
    return Talk(server, crawl, "one")


@pytest.fixture
def two(server: Redis, crawl: str) -> Talk:
    return Talk(server, crawl, "two")


def test_what_is_sent_twice_counts_once(one: Talk) -> None:
    """An answer was lost on the way, and the client asked again."""
    for _ in range(2):
        assert one.tell(0, 2, TermCounts(2, {"storm": 2}), np.array([2.0, 0.5])) == 2
    assert one.tell(2, 3, TermCounts(1, {"tea": 1}), np.array([1.0, 0.25])) == 3
    assert one.pool.everything() == TermCounts(3, {"storm": 2, "tea": 1})
    assert one.published()[1].tolist() == [3.0, 0.75]
    assert one.pool.last_page() == 3


def folding(monkeypatch: MonkeyPatch, documents: int, kept: int = 0) -> None:
    monkeypatch.setattr(sharing, "FOLD_DOCUMENTS", documents)
    monkeypatch.setattr(sharing, "MAX_OLD_UPDATES", kept)


def test_one_who_has_read_all_folds_it_when_there_is_enough(
    one: Talk, two: Talk, server: Redis, crawl: str, monkeypatch: MonkeyPatch
) -> None:
    folding(monkeypatch, documents=4)
    one.tell(0, 3, TermCounts(3, {"storm": 3}))
    assert not two.is_to_fold()
    one.tell(3, 4, TermCounts(1, {"storm": 1}))
    assert two.is_to_fold() and not one.is_to_fold()
    assert two.is_to_fold()  # until it has
    two.pool.fold(TermCounts(4, {"storm": 4}))
    assert not two.is_to_fold()
    assert server.xlen(f"scenthound:{{{crawl}}}:updates") == 0
    two.tell(0, 1, TermCounts(1, {"tea": 1}))
    assert Talk(server, crawl, "three").pool.everything() == TermCounts(5, {"storm": 4, "tea": 1})
    monkeypatch.setattr(sharing, "MAX_TERMS", 1)  # of too many terms the sum has the most frequent
    two.hear()
    two.pool.fold(TermCounts(5, {"storm": 4, "tea": 1}))
    assert one.pool.everything() == TermCounts(5, {"storm": 4})


def test_who_knows_more_than_the_server(one: Talk, two: Talk, server: Redis, crawl: str) -> None:
    """It was restarted, and its file ended before the last increments."""
    one.tell(0, 1, TermCounts(1, {"storm": 1}))
    assert two.hear() == [TermCounts(1, {"storm": 1})]
    server.delete(f"scenthound:{{{crawl}}}:learning", f"scenthound:{{{crawl}}}:updates")
    assert two.hear() is None


def test_a_learner_without_lock_overwrites_nothing(one: Talk, two: Talk, server: Redis) -> None:
    old: FittedWeights = {"weights": [0.5, 0.5], "tried_at": 50}
    new: FittedWeights = {"weights": [0.1, 0.9], "tried_at": 100}
    assert one.weights.lock.acquire() and one.weights.publish(old)
    server.delete(one.weights.lock.key)  # it expired
    assert two.published()[0] == old and two.published()[0] is None  # once
    assert not two.weights.has_all_rescored
    assert two.weights.lock.acquire() and two.weights.publish(new)
    assert not one.weights.publish(old)
    server.delete(two.weights.lock.key)
    assert one.weights.lock.acquire()  # once more, but what it knows is old
    assert not one.weights.publish(old)
    assert one.published()[0] == new
    assert one.weights.publish(old) and one.weights.version == 3
    one.weights.has_rescored()
    one.published()
    two.published()
    assert two.weights.has_all_rescored


LETTERS = st.characters(exclude_characters="\0", exclude_categories=())
increments = st.lists(
    st.tuples(
        st.sampled_from(["one", "two", "three"]),
        st.dictionaries(st.text(LETTERS, max_size=5), st.integers(1, 9), max_size=5),
        st.booleans(),
    ),
    max_size=15,
)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(increments)
def test_all_workers_know_the_same_in_the_end(
    server: Redis, reported: list[tuple[str, dict[str, int], bool]]
) -> None:
    server.flushall()
    talks = {name: Talk(server, "c", name) for name in ("one", "two", "three")}
    known = {name: Counter[str]() for name in talks}
    documents = dict.fromkeys(talks, 0)
    pages = dict.fromkeys(talks, 0)

    def hear(name: str) -> None:
        for tally in talks[name].hear() or []:
            known[name].update(tally.counts)
            documents[name] += tally.documents

    for name, counts, folds in reported:
        talks[name].tell(pages[name], pages[name] + 1, TermCounts(1, counts))
        pages[name] += 1
        documents[name] += 1
        known[name].update(counts)
        if folds:
            hear(name)
            talks[name].pool.fold(TermCounts(documents[name], known[name]))
    for name in talks:
        hear(name)
    whole = talks["one"].pool.everything()
    assert all(known[name] == whole.counts for name in talks)
    assert set(documents.values()) == {len(reported)} == {whole.documents}


# The robots.txt files that workers read for each other.


AGENT = "scenthound/0.1"
NOW = 2_000_000_000.0
"""Far ahead of the server's clock: it is the server that lets go of what is over."""
RULES = b"User-agent: *\nDisallow: /x\nCrawl-delay: 3"


def files(server: Redis, crawl: str, partitions: int = 1) -> ServerRobotsCache:
    return ServerRobotsCache(server, crawl, partitions)


def test_one_worker_reads_and_another_knows(server: Redis, crawl: str) -> None:
    one, two = (
        RobotsRulesCache(AGENT, lambda: NOW, shared=files(server, crawl, 5)) for _ in range(2)
    )
    assert two.state("http://a.test") is None
    one.learn("http://a.test", 200, RULES)
    known = two.state("http://a.test")
    assert known is not None and known.delay == 3.0
    assert not known.allows("http://a.test/x") and known.allows("http://a.test/y")
    assert two.state("http://a.test") is known
    assert two.state("https://a.test") is None
    assert two.state("http://a.test:8080") is None


def test_the_server_lets_go_of_what_is_over_or_too_long(server: Redis, crawl: str) -> None:
    shared = files(server, crawl)
    shared.keep("http://a.test", RobotsFile(NOW, 200, RULES))
    (key,) = server.scan_iter()
    assert abs(server.time()[0] + server.ttl(key) - NOW) < 5
    shared.keep("http://a.test", RobotsFile(1.0, 200, RULES))
    assert shared.find("http://a.test") is None
    shared, other = files(server, crawl, 4), files(server, f"{crawl}-other", 4)
    shared.keep("http://a.test", RobotsFile(NOW, 200, os.urandom(sharing.MAX_ROBOTS_BYTES)))
    assert shared.find("http://a.test") is None
    much = RobotsFile(NOW, 200, RULES * 10_000)  # 430 kB, which pack well
    for each in (shared, other):
        each.keep("http://a.test", much)
        assert each.find("http://a.test") == much
    assert delete_crawl(server, crawl) == 1
    assert shared.find("http://a.test") is None and other.find("http://a.test") == much


def test_a_second_worker_asks_no_site_again(
    server_url: str, crawl: str, tmp_path: Path, serve: Serve
) -> None:
    links = "".join(f'<a href="http://h{n % 3}.test/{n}">storm {n}</a> ' for n in range(12))
    kind = (("Content-Type", "text/html"),)
    body = f"<title>Storms</title><p>A storm.</p>{links}".encode()
    urls = ["http://h0.test/", *(f"http://h{n % 3}.test/{n}" for n in range(12))]
    log = serve(Response(url, 200, kind, body + url.encode()) for url in urls)
    topic = Topic("storms", ("storm",), ("http://h0.test/",))
    options = CrawlOptions(delay=0.0, min_disk=0, max_pages=6)
    shared_crawls.share_crawl(topic, server_url, "breadth-first", crawl=crawl, options=options)
    for worker in ("one", "two"):
        shared_crawls.join_crawl(server_url, crawl, tmp_path / worker)
        shared_crawls.resume_workers(server_url, crawl, max_pages=20)
    robots = sorted(url for url in log if url.endswith("robots.txt"))
    assert robots == [f"http://h{n}.test/robots.txt" for n in range(3)]
    assert len(log) == len(urls) + 3
