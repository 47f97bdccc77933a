"""The robots.txt files that workers read for each other."""

from __future__ import annotations

import os
from pathlib import Path

from redis import Redis

from frontier_redis.conftest import Serve
from scenthound import Topic
from scenthound.core.protocols import RobotsFile
from scenthound.crawler import shared_crawls
from scenthound.crawler.options import CrawlOptions
from scenthound.fetch.robots import RobotsRulesCache
from scenthound.frontier.redis.crawls import delete_crawl
from scenthound.frontier.redis.sharing import MAX_ROBOTS_BYTES, ServerRobotsCache
from scenthound.sample.responses import Response

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


def test_the_server_lets_go_of_what_is_over(server: Redis, crawl: str) -> None:
    shared = files(server, crawl)
    shared.keep("http://a.test", RobotsFile(NOW, 200, RULES))
    (key,) = server.scan_iter()
    assert abs(server.time()[0] + server.ttl(key) - NOW) < 5
    shared.keep("http://a.test", RobotsFile(1.0, 200, RULES))
    assert shared.find("http://a.test") is None


def test_long_files_do_not_fill_the_server_and_all_are_forgotten_with_the_crawl(
    server: Redis, crawl: str
) -> None:
    shared, other = files(server, crawl, 4), files(server, f"{crawl}-other", 4)
    shared.keep("http://a.test", RobotsFile(NOW, 200, os.urandom(MAX_ROBOTS_BYTES)))
    assert shared.find("http://a.test") is None
    much = RobotsFile(NOW, 200, RULES * 10_000)  # 430 kB, which pack well
    for each in (shared, other):
        each.keep("http://a.test", much)
        assert each.find("http://a.test") == much
    assert delete_crawl(server, crawl) == 1
    assert shared.find("http://a.test") is None and other.find("http://a.test") == much


def test_a_second_worker_asks_no_site_again(
    server_url: str, server: Redis, crawl: str, tmp_path: Path, serve: Serve
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
