"""A dashboard that really listens, over crawls that really ran."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from crawler.live_running import AtPage, crawl
from crawler.live_web import LiveWeb
from crawler.live_web import page as live_page
from dashboard.crawl_making import TOKEN
from output.corpus_making import Crawled, crawled
from scenthound.core.errors import SettingsError
from scenthound.output.dashboard.server import DashboardServer
from scenthound.output.dashboard.values import crawl_id


@contextmanager
def served(folder: Path, token: str | None = None) -> Iterator[DashboardServer]:
    with DashboardServer([folder], "127.0.0.1", 0, token) as server:
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            yield server
        finally:
            server.stop()
            thread.join()


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    return crawled(tmp_path_factory.mktemp("watched") / "live")


class Visitor:
    """Asks a server over the network."""

    def __init__(self, server: DashboardServer, folder: Path) -> None:
        self._host = server.address.split("/")[2]
        self._token = server.token
        self.at = f"/api/crawls/{crawl_id(folder)}"

    def ask(self, path: str, method: str = "GET", **headers: str) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(self._host, timeout=20)
        try:
            connection.request(method, path, headers=headers)
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        kind = answer.getheader("content-type") or ""
        return answer.status, json.loads(body) if "json" in kind else body

    def steer(self, action: str) -> tuple[int, Any]:
        headers = {"X-Scenthound-Token": self._token}
        return self.ask(f"{self.at}/{action}", "POST", **headers)


@pytest.fixture
def visitor(live: Crawled) -> Iterator[Visitor]:
    with served(live.folder) as server:
        yield Visitor(server, live.folder)


def test_a_live_crawl_with_hosts_and_frontier_and_a_page_of_it(
    visitor: Visitor, live: Crawled
) -> None:
    status, reported = visitor.ask(visitor.at)
    assert status == 200 and reported["kind"] == "live" and reported["state"] == "finished"
    assert reported["problem"] == "" and reported["hosts_whole"]
    (host,) = reported["hosts"]
    assert host["pages"] == 6 and host["relevant"] == reported["summary"]["relevant"]
    assert host["host"] in live.root
    waiting = reported["summary"]["waiting"]
    assert reported["frontier"] == {
        "waiting": waiting, "retrying": 0, "under_way": 0, "set_aside": 0,
    }  # fmt: skip
    assert reported["started_at"] == pytest.approx(reported["recent"][-1]["at"], abs=60)
    status, reported = visitor.ask(f"{visitor.at}/pages/2")
    assert status == 200 and reported["unexplained"] == ""
    assert [step["n"] for step in reported["path"]] == [1, 2]
    assert reported["explanation"]["priority"]["parts"][0]["name"] == "anchor"
    assert "the text of the link (" in reported["explanation"]["priority"]["gist"]
    assert reported["explanation"]["relevance"]["terms"]


def test_a_running_crawl_is_watched_and_stopped(tmp_path: Path) -> None:
    with LiveWeb(hosts=1) as web, served(tmp_path / "crawl") as server:
        for n in range(40):
            web.add(1, f"/{n}", live_page(f"Page {n}", "storm", [f"/{n + 1}"]))
        visitor = Visitor(server, tmp_path / "crawl")
        assert visitor.ask("/api/crawls")[1]["crawls"][0]["state"] == "not begun"
        steered: list[int] = []
        watcher = AtPage(3, lambda: steered.append(visitor.steer("stop")[0]))
        kept = crawl(tmp_path / "crawl", [web.url(1, "/0")], watcher=watcher, delay=0.2)
        (reported,) = visitor.ask("/api/crawls")[1]["crawls"]
    assert steered == [202] and kept.run.stopped == "stopped"
    assert (reported["state"], reported["reason"]) == ("stopped", "on request")
    assert 3 <= reported["summary"]["fetched"] < 40


def closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def test_half_requests_lock_nobody_out(live: Crawled, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenthound.output.dashboard.server._MAX_CONNECTIONS", 3)
    with served(live.folder) as server, ExitStack() as stack:
        visitor = Visitor(server, live.folder)
        host, port = server.address.split("/")[2].split(":")
        halves = []
        for _ in range(6):
            half = stack.enter_context(socket.create_connection((host, int(port)), 20))
            half.sendall(b"GET / HTTP/1.1\r\nHost: x")
            halves.append(half)
        assert visitor.ask("/api/crawls")[0] == 200
        assert closed(halves[0])  # the one that waited longest made room


def test_connections_that_stall_are_closed(live: Crawled, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenthound.output.dashboard.server._STALLED_SECONDS", 0.05)
    with served(live.folder) as server:
        host, port = server.address.split("/")[2].split(":")
        with socket.create_connection((host, int(port)), 20) as half:
            half.sendall(b"GET / HTTP/1.1\r\nHost: x")
            assert closed(half)


def test_where_it_can_and_cannot_listen(tmp_path: Path) -> None:
    for host, port, given, sentence in [
        ("192.0.2.7", 0, None, "needs a token"),
        ("no.such.host.invalid", 0, None, "is no address of this"),
        ("127.0.0.1", 70_000, None, "is no port"),
        ("127.0.0.1", -1, None, "is no port"),
        ("192.0.2.7", 0, TOKEN, "give another one"),
    ]:
        with pytest.raises(SettingsError, match=sentence):
            DashboardServer([tmp_path], host, port, given)
    for reached in ("0.0.0.0", "127.0.0.1"):
        with DashboardServer([tmp_path], reached, 0, TOKEN) as server:
            name, _, opened = server.address.split("/")[2].rpartition(":")
            assert name != "0.0.0.0"
            with socket.create_connection((name.strip("[]"), int(opened)), 20):
                pass
