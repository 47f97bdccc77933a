"""One server for all tests here; every test has a crawl of its own on it."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.distributed.real_server import running_server
from redis import Redis

from scenthound.frontier.redis.server import open_server

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


@pytest.fixture
def crawl() -> str:
    """The name of a crawl that no other test has."""
    return f"crawl-{next(_CRAWLS)}"
