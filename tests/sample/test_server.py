"""The loopback server: proxy and direct requests, pipelining, delays, refusals."""

from __future__ import annotations

import itertools
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse

import pytest

from scenthound.sample.responses import Response, make_response, redirect
from scenthound.sample.server import Reply, WebServer, listen, serve
from scenthound.sample.web import SampleWeb

HOME = "http://town.test/"
PAGES = {
    HOME: make_response(HOME, "<p>Welcome"),
    "http://town.test/old": redirect("http://town.test/old", HOME),
    "http://town.test/robots.txt": make_response("http://town.test/robots.txt", "User-agent: *\n"),
}


@contextmanager
def client(server: WebServer) -> Iterator[HTTPConnection]:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=10)
    try:
        yield connection
    finally:
        connection.close()


def ask(connection: HTTPConnection, target: str, method: str = "GET") -> tuple[HTTPResponse, bytes]:
    connection.request(method, target)
    response = connection.getresponse()
    return response, response.read()


def exchange(server: WebServer, *sent: bytes) -> bytes:
    """All that comes back for these pieces until the server ends the connection."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as wire:
        for piece in sent:
            wire.sendall(piece)
        return b"".join(iter(lambda: wire.recv(65536), b""))


def test_a_proxy_for_any_host_and_directly_by_address() -> None:
    with WebServer(PAGES) as server, client(server) as connection:
        response, body = ask(connection, "http://TOWN.test:80/#top")
        assert (response.status, body) == (200, b"<p>Welcome")
        response, body = ask(connection, "http://town.test/robots.txt")
        assert body == b"User-agent: *\n"
        response, _ = ask(connection, "http://town.test/old")
        assert (response.status, response.getheader("Location")) == (301, HOME)
        response, _ = ask(connection, "http://elsewhere.test/robots.txt")
        assert response.status == 404
        assert server.proxy == f"http://127.0.0.1:{server.port}"

    def echo(url: str) -> Response:
        return make_response(url, url)

    with WebServer(echo, addresses=("127.0.0.1", "127.0.0.7")) as server:
        connection = HTTPConnection("127.0.0.7", server.port, timeout=10)
        assert ask(connection, "/a?b=1")[1].decode() == f"http://127.0.0.7:{server.port}/a?b=1"
        connection.close()


def test_head_has_the_length_but_no_body_and_it_is_added_where_it_misses() -> None:
    bare = Response(f"{HOME}bare", 200, (), b"four")
    with WebServer({**PAGES, bare.url: bare}) as server, client(server) as connection:
        response, body = ask(connection, HOME, "HEAD")
        assert (response.getheader("Content-Length"), body) == ("10", b"")
        assert ask(connection, HOME)[1] == b"<p>Welcome"
        response, body = ask(connection, bare.url)
        assert (response.getheader("Content-Length"), body) == ("4", b"four")


def test_what_is_no_request_is_refused() -> None:
    other = b" town.test:443 HTTP/1.1\r\nHost: town.test\r\n\r\n"
    with WebServer(PAGES) as server:
        for sent, status in [
            (b"CONNECT" + other, b"501 "),
            (b"POST" + other, b"501 "),
            (b"nonsense\r\n\r\n", b"400"),
            (b"GET http://[broken/ HTTP/1.1\r\n\r\n", b"400"),
            (b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000, b"431"),
        ]:
            assert exchange(server, sent).startswith(b"HTTP/1.1 " + status)
        pieces = (b"GET http://town", b".test/ HTTP/1.1\r", b"\nConnection: close\r\n\r", b"\n")
        assert exchange(server, *pieces).endswith(b"<p>Welcome"), "a request in pieces"


def test_pipelined_requests_are_answered_in_order() -> None:
    def numbered(url: str) -> Response:
        number = int(url.rsplit("/", 1)[1])
        return Response(url, 200, (), b"<%d>" % number, delay=0.02 if number % 3 == 0 else 0.0)

    requests = [f"GET http://town.test/{n} HTTP/1.1\r\n" for n in range(9)]
    with WebServer(numbered) as server:
        sent = "\r\n".join([*requests, "GET http://town.test/9 HTTP/1.0\r\n\r\n"]).encode()
        printed = exchange(server, sent)
    places = [printed.index(b"<%d>" % n) for n in range(10)]
    assert places == sorted(places)


def test_an_endless_reply_does_not_keep_others_waiting() -> None:
    def endless(url: str) -> Reply | Response:
        steps = itertools.chain([b"HTTP/1.1 200 OK\r\n\r\n"], itertools.repeat(b"x" * 1000))
        return Reply(steps) if url.endswith("/endless") else PAGES[HOME]

    with (
        WebServer(endless) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=10) as wire,
        wire.makefile("rb") as printed,
        client(server) as other,
    ):
        wire.sendall(b"GET http://town.test/endless HTTP/1.1\r\n\r\n")
        assert len(printed.read(100)) == 100
        assert ask(other, HOME)[1] == b"<p>Welcome"
        assert len(printed.read(3_000_000)) == 3_000_000


def test_a_reply_that_stops_in_the_middle() -> None:
    cut = Reply((b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", 0.01, b" way"), close=True)
    with WebServer(lambda url: cut) as server:
        assert exchange(server, b"GET http://a.test/ HTTP/1.1\r\n\r\n").endswith(b"half way")


def test_the_log_says_who_asked_for_what_and_when() -> None:
    times = itertools.count(7.0)
    with (
        WebServer(PAGES, keep_log=True, clock=lambda: next(times)) as server,
        client(server) as connection,
    ):
        connection.request("GET", HOME, headers={"User-Agent": "tester"})
        connection.getresponse().read()
        ask(connection, "http://town.test/none")
    first, second = server.log
    assert (first.time, first.url, first.method) == (7.0, HOME, "GET")
    assert first.headers["user-agent"] == "tester"
    assert (second.time, second.url) == (8.0, "http://town.test/none")
    with WebServer(PAGES, port=server.port) as again, client(again) as connection:
        assert ask(connection, HOME)[0].status == 200, "the same port again"


def test_one_port_at_many_addresses() -> None:
    sockets = listen([f"127.0.0.{n}" for n in range(1, 51)], 0)
    assert len({each.getsockname()[1] for each in sockets}) == 1
    with pytest.raises(OSError, match="in use"):
        listen(["127.0.0.1"], sockets[0].getsockname()[1])
    for each in sockets:
        each.close()


def test_the_sample_web_is_served_as_it_is(web: SampleWeb) -> None:
    fast = [each for each in web.responses.values() if not each.delay]
    with serve(web) as server, client(server) as connection:
        for wanted in fast:
            response, body = ask(connection, wanted.url)
            assert (response.status, body) == (wanted.status, wanted.body)
            assert tuple(response.getheaders()) == wanted.headers
