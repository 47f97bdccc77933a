"""Connections that do nothing are let go, and keep nobody out."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from dashboard.app_asking import TOKEN, at
from dashboard.crawl_making import made_crawl
from scenthound.dashboard import connections
from scenthound.dashboard.security import HEADERS
from scenthound.dashboard.serving import DashboardServer

SECONDS = 20.0
Where = tuple[str, int]


@contextmanager
def served(folder: Path) -> Iterator[Where]:
    with DashboardServer([folder], "127.0.0.1", 0, TOKEN) as server:
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            yield "127.0.0.1", int(server.address.split(":")[2].split("/")[0])
        finally:
            server.stop()
            thread.join()


@pytest.fixture
def where(tmp_path: Path) -> Iterator[Where]:
    with served(made_crawl(tmp_path / "c", 300)) as found:
        yield found


def connected(where: Where, sent: bytes = b"") -> socket.socket:
    made = socket.create_connection(where, SECONDS)
    made.sendall(sent)
    return made


def request(where: Where, path: str = "/api/crawls", *more: str) -> bytes:
    host, token = f"Host: 127.0.0.1:{where[1]}", f"X-Scenthound-Token: {TOKEN}"
    return "\r\n".join([f"GET {path} HTTP/1.1", host, token, *more, "", ""]).encode()


def answer(where: Where, sent: bytes) -> bytes:
    with connected(where, sent) as asking:
        return b"".join(iter(lambda: asking.recv(65536), b""))


def is_let_go(asking: socket.socket) -> bool:
    """Ends, without an answer, before this test does."""
    try:
        return asking.recv(1) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_who_sends_no_whole_request_is_let_go(
    where: Where, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_S", 0.1)
    with connected(where, sent) as asking:
        assert is_let_go(asking)


def test_a_second_request_has_a_deadline_too(where: Where, monkeypatch: pytest.MonkeyPatch) -> None:
    with connected(where, request(where)) as asking:
        assert asking.recv(20).startswith(b"HTTP/1.1 200")
        monkeypatch.setattr(connections, "HEAD_S", 0.1)
        asking.sendall(b"GET / HT")
        rest = b"".join(iter(lambda: asking.recv(65536), b""))
    assert rest.count(b"HTTP/1.1") == 0


def test_idle_connections_keep_nobody_out(where: Where, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST", 5)
    with ExitStack() as open_:
        idle = [open_.enter_context(connected(where)) for _ in range(12)]
        for _ in range(3):
            assert answer(where, request(where, "/api/crawls", "Connection: close"))[9:12] == b"200"
        assert is_let_go(idle[0])


def test_a_stream_is_not_idle(
    where: Where, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MOST", 2)
    monkeypatch.setattr(connections, "HEAD_S", 0.1)
    with ExitStack() as open_:
        stream = open_.enter_context(
            connected(where, request(where, at(tmp_path / "c", "/events")))
        )
        assert stream.recv(12) == b"HTTP/1.1 200"
        idle = [open_.enter_context(connected(where)) for _ in range(4)]
        assert all(map(is_let_go, idle))
        monkeypatch.setattr(connections, "HEAD_S", 10.0)
        assert answer(where, request(where, "/api/crawls", "Connection: close"))[9:12] == b"200"
        assert stream.recv(1) != b""


def test_who_takes_nothing_is_let_go(where: Where, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "TAKING_S", 0.1)
    with connected(where) as asking:
        many = request(where, "/assets/dashboard.js") * 200
        try:
            for _ in range(200):  # more than all buffers on the way hold
                asking.sendall(many)
        except (ConnectionResetError, BrokenPipeError):
            return
    pytest.fail("everything was sent, and nothing was taken")


def test_what_is_no_request(where: Where, caplog: pytest.LogCaptureFixture) -> None:
    told = answer(where, b"\x16\x03\x01 what?\r\n\r\n").decode()
    assert told.startswith("HTTP/1.1 400 ") and told.endswith("\r\n\r\n")
    for name, value in HEADERS.items():
        assert f"\r\n{name}: {value}\r\n" in told
    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []
