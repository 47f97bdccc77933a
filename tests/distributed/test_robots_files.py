"""The robots.txt files that workers read for each other."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from redis import Redis

from scenthound import Topic, api
from scenthound.core.sharing import RobotsFile
from scenthound.distributed.crawls import forget_crawl
from scenthound.distributed.robots_files import MOST_BYTES, ServerRobotsFiles
from scenthound.live.options import CrawlOptions
from scenthound.live.robots import RobotsCache
from scenthound.sample.response import Response
from scenthound.sample.server import WebServer

AGENT = "scenthound/0.1"
NOW = 2_000_000_000.0
"""Far ahead of the server's clock: it is the server that lets go of what is over."""
RULES = b"User-agent: *\nDisallow: /x\nCrawl-delay: 3"


def files(server: Redis, crawl: str, partitions: int = 1) -> ServerRobotsFiles:
    return ServerRobotsFiles(server, crawl, partitions)


@pytest.mark.parametrize("partitions", [1, 5])
def test_one_worker_reads_and_another_knows(server: Redis, crawl: str, partitions: int) -> None:
    one, two = (
        RobotsCache(AGENT, lambda: NOW, shared=files(server, crawl, partitions)) for _ in range(2)
    )
    assert two.state("http://a.test") is None
    one.learn("http://a.test", 200, RULES)
    known = two.state("http://a.test")
    assert known is not None and known.delay == 3.0
    assert not known.allows("http://a.test/x") and known.allows("http://a.test/y")
    assert two.state("http://a.test") is known
    assert two.state("https://a.test") is None
    assert two.state("http://a.test:8080") is None


def test_it_is_trusted_for_the_rest_of_its_day(server: Redis, crawl: str) -> None:
    times = [NOW]
    one, two = (
        RobotsCache(AGENT, lambda: times[-1], shared=files(server, crawl)) for _ in range(2)
    )
    one.learn("http://a.test", 404, b"there is none")
    times.append(NOW + 23 * 3_600)
    known = two.state("http://a.test")
    assert known is not None and known.allows("http://a.test/x")
    times.append(NOW + 24 * 3_600)
    assert two.state("http://a.test") is None
    assert one.state("http://a.test") is None


def test_the_server_lets_go_of_what_is_over(server: Redis, crawl: str) -> None:
    shared = files(server, crawl)
    shared.keep("http://a.test", RobotsFile(NOW, 200, RULES))
    (key,) = server.scan_iter()
    assert abs(server.time()[0] + server.ttl(key) - NOW) < 5
    shared.keep("http://a.test", RobotsFile(1.0, 200, RULES))
    assert shared.find("http://a.test") is None


def test_a_site_that_cannot_answer_is_asked_by_everyone(server: Redis, crawl: str) -> None:
    one = RobotsCache(AGENT, lambda: NOW, shared=files(server, crawl))
    assert one.learn("http://a.test", 503, b"").temporary
    assert files(server, crawl).find("http://a.test") is None


def test_long_files_do_not_fill_the_server(server: Redis, crawl: str) -> None:
    shared = files(server, crawl)
    noise = os.urandom(MOST_BYTES)
    shared.keep("http://a.test", RobotsFile(NOW, 200, noise))
    assert shared.find("http://a.test") is None
    much = RobotsFile(NOW, 200, RULES * 10_000)  # 430 kB, which pack well
    shared.keep("http://a.test", much)
    assert shared.find("http://a.test") == much


def test_they_are_forgotten_with_the_crawl(server: Redis, crawl: str) -> None:
    for each in (crawl, f"{crawl}-other"):
        files(server, each, 4).keep("http://a.test", RobotsFile(NOW, 200, RULES))
    assert forget_crawl(server, crawl) == 1
    assert files(server, f"{crawl}-other", 4).find("http://a.test") is not None


def test_a_second_worker_asks_no_site_again(
    server_url: str, server: Redis, crawl: str, tmp_path: Path
) -> None:
    links = "".join(f'<a href="http://h{n % 3}.test/{n}">storm {n}</a> ' for n in range(12))
    kind = (("Content-Type", "text/html"),)
    body = f"<title>Storms</title><p>A storm.</p>{links}".encode()
    urls = ["http://h0.test/", *(f"http://h{n % 3}.test/{n}" for n in range(12))]
    pages = {url: Response(url, 200, kind, body + url.encode()) for url in urls}
    topic = Topic("storms", ("storm",), ("http://h0.test/",))
    options = CrawlOptions(delay=0.0, min_disk=0, max_pages=6)
    api.share_crawl(topic, server_url, "breadth-first", crawl=crawl, options=options)
    with WebServer(pages, keep_log=True) as web:
        for worker in ("one", "two"):
            api.join_crawl(server_url, crawl, tmp_path / worker, proxy=web.proxy)
            api.resume_workers(server_url, crawl, max_pages=20)
        asked = [request.url for request in web.log]
    robots = sorted(url for url in asked if url.endswith("robots.txt"))
    assert robots == [f"http://h{n}.test/robots.txt" for n in range(3)]
    assert len(asked) == len(urls) + 3
