"""The scripted web does what the tests of the crawler rely on."""

from __future__ import annotations

import gzip
import socket
from itertools import pairwise
from urllib.parse import urlsplit

import pytest

from live.live_replies import (
    announced,
    broken_off,
    calendar_month,
    dripping,
    dripping_head,
    endless_body,
    endless_chunks,
    endless_headers,
    gzip_bomb,
    hung_up,
    in_turn,
    late,
    moved,
    no,
    ok,
    page,
    session_shop,
)
from live.live_web import LiveWeb, place_of
from scenthound.sample.server import Reply
from scenthound.text.extract import extract

NEAR = 0.5


def heard(url: str, most: int = 10_000_000) -> bytes:
    """What comes back for ``url`` until the server ends it, or the first ``most`` bytes."""
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port or 80), timeout=10) as wire:
        target = url.removeprefix(f"http://{parts.netloc}")
        wire.sendall(
            f"GET {target} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n\r\n".encode()
        )
        with wire.makefile("rb") as said:
            return said.read(most)


def links_of(url: str) -> list[str]:
    return [link.url for link in extract(heard(url).partition(b"\r\n\r\n")[2], url).links]


def test_hosts_are_addresses_on_one_port() -> None:
    with LiveWeb(hosts=3) as web:
        urls = [web.add(n, "/who", page(f"Host {n}", "Hello.")) for n in (1, 2, 3)]
        assert all(f"Host {n}".encode() in heard(url) for n, url in enumerate(urls, 1))
        assert heard(web.url(2, "/nothing")).startswith(b"HTTP/1.1 404 ")
        assert web.requested() == [*urls, web.url(2, "/nothing")]
        assert len(web.arrivals(2)) == 2
        assert len(web.gaps(2)) == 1 and web.gaps(2)[0] > 0.0


def test_names_are_reached_by_the_proxy() -> None:
    with LiveWeb(hosts=1) as web:
        url = web.add("town.test", "/a", page("Town", "Hello."))
        assert url == "http://town.test/a"
        with socket.create_connection(("127.0.0.1", web.port), timeout=10) as wire:
            wire.sendall(b"GET http://town.test/a HTTP/1.0\r\n\r\n")
            assert wire.recv(100).startswith(b"HTTP/1.1 200 ")
        assert web.arrivals("town.test") and not web.arrivals(1)


@pytest.mark.parametrize(
    ("reply", "starts", "holds"),
    [
        (no(503, {"Retry-After": "3"}), b"HTTP/1.1 503 ", b"Retry-After: 3\r\n"),
        (moved("http://10.0.0.1/"), b"HTTP/1.1 302 ", b"Location: http://10.0.0.1/\r\n"),
        (late(ok("x"), 0.01), b"HTTP/1.1 200 ", b"Content-Length: 1\r\n"),
        (announced("x", 10**9), b"HTTP/1.1 200 ", b"Content-Length: 1000000000\r\n"),
        (broken_off("0123456789"), b"HTTP/1.1 200 ", b"Content-Length: 10\r\n\r\n01234"),
        (ok("x", {"X-Robots-Tag": "noindex"}), b"HTTP/1.1 200 ", b"X-Robots-Tag: noindex\r\n"),
        (hung_up(), b"", b""),
    ],
)
def test_replies(reply: Reply, starts: bytes, holds: bytes) -> None:
    with LiveWeb(hosts=1) as web:
        said = heard(web.add(1, "/", reply))
    assert said.startswith(starts) and holds in said


@pytest.mark.parametrize(
    ("reply", "bytes_read"),
    [
        (dripping(0.001), 100),
        (dripping_head(0.001), 40),
        (endless_body(), 500_000),
        (endless_chunks(), 500_000),
        (endless_headers(), 500_000),
    ],
)
def test_endless_replies_begin_anew_for_every_request(reply: Reply, bytes_read: int) -> None:
    with LiveWeb(hosts=1) as web:
        url = web.add(1, "/", reply)
        first, second = heard(url, bytes_read), heard(url, bytes_read)
    assert len(first) == bytes_read
    assert first == second
    assert first.startswith(b"HTTP/1.1 200 ")


def test_a_bomb_is_small_on_the_wire() -> None:
    with LiveWeb(hosts=1) as web:
        said = heard(web.add(1, "/", gzip_bomb(1_000_000)))
    body = said.partition(b"\r\n\r\n")[2]
    assert len(body) < 5_000
    assert len(gzip.decompress(body)) > 1_000_000


def test_replies_in_turn() -> None:
    with LiveWeb(hosts=1) as web:
        url = web.add(1, "/", in_turn(no(429), no(503), ok("fine")))
        assert [heard(url)[9:12] for _ in range(4)] == [b"429", b"503", b"200", b"200"]


def test_a_calendar_has_no_end() -> None:
    with LiveWeb(hosts=1) as web:
        web.add_below(1, "/calendar", calendar_month)
        url = web.url(1, "/calendar?month=2020-12")
        seen = []
        for _ in range(3):
            url = links_of(url)[0]
            seen.append(url.rpartition("=")[2])
    assert seen == ["2021-01", "2021-02", "2021-03"]


def test_a_shop_gives_everybody_a_session() -> None:
    with LiveWeb(hosts=1) as web:
        web.add_below(1, "/shop", session_shop("/shop", items=3))
        once, again = links_of(web.url(1, "/shop/0")), links_of(web.url(1, "/shop/0"))
    assert len(once) == 3
    assert not set(once) & set(again)


def test_every_page_of_the_linked_web_can_be_reached() -> None:
    with LiveWeb(hosts=5) as web:
        urls = web.add_linked(pages=60, hosts=5, seed=3)
        found, waiting = {urls[0]}, [urls[0]]
        while waiting:
            links = links_of(waiting.pop())
            assert 5 <= len(links) <= 12
            waiting += set(links) - found
            found.update(links)
    assert found == set(urls)
    assert {place_of(url)[0] for url in urls} == {f"127.0.0.{n}" for n in range(1, 6)}


def test_pages_of_the_linked_web_are_unlike_each_other() -> None:
    with LiveWeb(hosts=20) as web, LiveWeb(hosts=20) as other:
        texts = [_words(web, url) for url in web.add_linked(pages=300)]
        assert texts == [_words(other, url) for url in other.add_linked(pages=300)]
    assert all(_likeness(a, b) < NEAR for a, b in pairwise(sorted(texts, key=sorted)))
    assert all(_likeness(texts[0], each) < NEAR for each in texts[1:])


def _words(web: LiveWeb, url: str) -> frozenset[str]:
    reply = web._answer(url)
    assert reply is not None
    (wire,) = reply.steps
    assert isinstance(wire, bytes)
    return frozenset(extract(wire.partition(b"\r\n\r\n")[2], url).document.text.split())


def _likeness(first: frozenset[str], second: frozenset[str]) -> float:
    """Words in both of the words in either."""
    return len(first & second) / len(first | second)
