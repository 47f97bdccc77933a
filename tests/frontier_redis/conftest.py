"""One server for all tests here; every test has a crawl of its own on it.

Workers that run in the process of a test fetch pages that lie in memory: to start a downloader
takes longer than all that these tests look at.
"""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from benchmarks.distributed.real_server import running_server
from redis import Redis

from scenthound.core.model import Combination
from scenthound.crawler import session
from scenthound.fetch.client import DownloaderClient, FetchRequest, FetchResponse
from scenthound.fetch.network import Network
from scenthound.frontier.politeness import NO_LIMITS, PolitenessPolicy
from scenthound.frontier.redis.frontier import RedisFrontier
from scenthound.frontier.redis.server import ServerClock, open_server
from scenthound.frontier.redis.worker import WorkerFrontier
from scenthound.sample.responses import Response

_CRAWLS = itertools.count(1)


@pytest.fixture(scope="session")
def server_url() -> Iterator[str]:
    # A socket's path must be short, which those of pytest's folders are not.
    with tempfile.TemporaryDirectory(prefix="v") as folder, running_server(Path(folder)) as url:
        yield url


@pytest.fixture(scope="session")
def session_server(server_url: str) -> Iterator[Redis]:
    client = open_server(server_url)
    yield client
    client.close()


@pytest.fixture
def server(session_server: Redis) -> Iterator[Redis]:
    """An empty server."""
    session_server.flushall()
    yield session_server
    session_server.flushall()


class LocalDownloads(DownloaderClient):
    """Answers at once from pages in memory; what is not there is missing."""

    def __init__(self, network: Network, pages: dict[str, Response], log: list[str]) -> None:
        super().__init__(network)
        self._pages = pages
        self._log = log

    def __enter__(self) -> LocalDownloads:
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing was started."""

    def hangs(self) -> bool:
        """It has no process that could: on busy cores a crawl here may take longer than a beat."""
        return False

    def fetch(self, requests: Sequence[FetchRequest]) -> None:
        for request in requests:
            self._log.append(request.url)
            page = self._pages.get(request.url) or Response(request.url, 404, (), b"")
            self.inbox.put(
                FetchResponse(request, time.time(), page.status, page.headers, page.body)
            )


Serve = Callable[[Iterable[Response]], list[str]]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Have crawls in this process fetch these pages; returns the URLs that they fetch."""

    def from_memory(pages: Iterable[Response]) -> list[str]:
        log, by_url = list[str](), {page.url: page for page in pages}
        made = lambda network: LocalDownloads(network, by_url, log)  # noqa: E731
        monkeypatch.setattr(session, "DownloaderClient", made)
        return log

    return from_memory


@pytest.fixture
def crawl(server: Redis) -> str:
    """The name of a crawl that no other test has, on a server that is empty."""
    del server
    return f"crawl-{next(_CRAWLS)}"


class Workers:
    """Frontiers of one crawl, in three partitions, by the names of the workers."""

    def __init__(self, server: Redis, crawl: str) -> None:
        self._server, self._crawl = server, crawl

    def __call__(
        self, worker: str, politeness: PolitenessPolicy = NO_LIMITS, now: float = 0.0
    ) -> RedisFrontier:
        return RedisFrontier(
            self._server, self._crawl, Combination.MEAN, politeness, lease_seconds=10.0, now=now,
            worker=worker, partitions=3,
        )  # fmt: skip

    def holding_back(self, number: int, politeness: PolitenessPolicy = NO_LIMITS) -> WorkerFrontier:
        """The frontier that a worker uses: it sends what a page changes when that is stored."""
        clock = ServerClock(self._server, self._crawl)
        return WorkerFrontier(self(f"worker {number}", politeness), number, clock)


@pytest.fixture
def workers(server: Redis, crawl: str) -> Workers:
    return Workers(server, crawl)
