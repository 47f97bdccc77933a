"""A worker that died for good: the others fetch what it had leased, and what it had claimed."""

from __future__ import annotations

from pathlib import Path

import pytest
from redis import Redis

from scenthound import Topic, api
from scenthound.core.model import Sighting
from scenthound.distributed import deaths
from scenthound.distributed.claims import Claims
from scenthound.distributed.crawls import open_crawl
from scenthound.distributed.frontier import RedisFrontier
from scenthound.distributed.roll import LOST, Roll
from scenthound.live import membership
from scenthound.live.options import CrawlOptions
from scenthound.sample.response import Response
from scenthound.sample.server import WebServer
from scenthound.store.journal import read_journal

URLS = [f"http://h{n % 3}.test/{n}" for n in range(9)]


def page(url: str) -> Response:
    links = "".join(f'<a href="{each}">storm</a> ' for each in URLS)
    word = "abcdefghi"[int(url[-1])] * 8
    body = f"<title>Storm {word}</title><p>A storm called {word}.</p>{links}"
    return Response(url, 200, (("Content-Type", "text/html"),), body.encode())


def test_the_living_do_the_work_of_the_dead(
    server_url: str, server: Redis, crawl: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deaths, "DEAD_AFTER", 1.0)
    monkeypatch.setattr(membership, "BEAT", 0.1)
    topic = Topic("storms", ("storm",), (URLS[0],))
    options = CrawlOptions(delay=0.0, min_disk=0, max_pages=len(URLS))
    made = api.share_crawl(topic, server_url, "breadth-first", crawl=crawl, options=options)
    now = made.at
    roll = Roll(server, crawl)
    roll.enter("dead", "elsewhere", "/gone", open_crawl(server, crawl).version, now)
    assert Claims(server, crawl, "dead").claim(4, len(URLS)).allowed == 4
    theirs = RedisFrontier(
        server, crawl, manners=options.manners(), lease_seconds=1e6, now=now, worker="dead"
    )
    theirs.add([Sighting(URLS[5], 1)])
    assert [candidate.url for candidate in theirs.lease(1, now)] == [URLS[5]]
    with WebServer({url: page(url) for url in URLS}) as web:
        api.join_crawl(server_url, crawl, tmp_path / "living", proxy=web.proxy)
    events = read_journal(tmp_path / "living" / "journal.jsonl")
    assert sorted(str(e["url"]) for e in events if e["event"] == "page") == sorted(URLS)
    assert {entry.name: entry.state for entry in roll.entries()}["dead"] == LOST
