"""A worker joins a crawl, goes on with it, and heeds what all are told."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from scenthound import Topic, api
from scenthound.core.errors import FolderError
from scenthound.distributed.frontier import RedisFrontier
from scenthound.distributed.roll import WORKING
from scenthound.live.options import CrawlOptions
from scenthound.sample.response import Response
from scenthound.sample.server import WebServer
from scenthound.store.lock import FolderLock, holder

SEED = "http://h0.test/"
TOPIC = Topic("storms", ("storm",), (SEED,))


@pytest.fixture(scope="module")
def proxy() -> Iterator[str]:
    body = b"<title>Storms</title><p>A storm.</p>"
    with WebServer({SEED: Response(SEED, 200, (("Content-Type", "text/html"),), body)}) as web:
        yield web.proxy


def share(url: str, crawl: str, max_time: float | None = None) -> None:
    options = CrawlOptions(delay=0.0, min_disk=0, max_pages=5, max_time=max_time)
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
