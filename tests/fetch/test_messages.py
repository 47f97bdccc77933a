"""The downloader: what it tells of a request, the frames around that, and its process."""

from __future__ import annotations

import io
import os
import queue
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from OpenSSL import SSL
from pytest import MonkeyPatch
from scrapy import exceptions
from scrapy.core.downloader.handlers.http11 import TunnelError
from twisted.internet.error import ConnectError, ConnectionLost, NoRouteError
from twisted.python.failure import Failure
from twisted.web._newclient import ConnectionAborted
from twisted.web.client import ResponseFailed, ResponseNeverReceived

from scenthound.core.model import Document, Link, Page
from scenthound.core.urls import PRIVATE
from scenthound.crawler import fetch_loop
from scenthound.fetch import client
from scenthound.fetch.client import (
    DownloaderClient,
    DownloaderError,
    FetchError,
    FetchRequest,
    FetchResponse,
    Message,
    fingerprint,
    read_frame,
    write_frame,
)
from scenthound.fetch.downloader import explain
from scenthound.fetch.network import Network
from scenthound.storage.pages import robots_tag

# Why there is no answer: each error of Twisted and Scrapy has its reason.


def caused(error: BaseException, cause: BaseException) -> BaseException:
    error.__cause__ = cause
    return error


def wrapped(kind: Callable[..., BaseException], *errors: BaseException) -> BaseException:
    """As Twisted wraps what went wrong with an answer."""
    failure: Callable[..., object] = Failure
    return kind([failure(error) for error in errors])


no_way: Callable[..., BaseException] = ConnectError
no_route: Callable[..., BaseException] = NoRouteError
NO_WAY, NO_ROUTE = no_way("no way"), no_route("no route")
TLS = SSL.Error([("SSL routines", "", "certificate verify failed")])
CASES: list[tuple[BaseException, str, bool]] = [
    (exceptions.DownloadTimeoutError("took longer than 5 s"), "timeout", True),
    (exceptions.CannotResolveHostError("x.test"), "host not found", True),
    (exceptions.DownloadConnectionRefusedError("111"), "connection refused", True),
    (exceptions.DownloadCancelledError("larger than 9"), "too large", False),
    (NO_WAY, "no connection", True),
    (caused(exceptions.DownloadFailedError("x"), NO_ROUTE), "no connection", True),
    (
        caused(exceptions.DownloadFailedError("x"), wrapped(ResponseFailed, ConnectionAborted())),
        "headers too large",
        False,
    ),
    (wrapped(ResponseNeverReceived, TLS), "TLS error: certificate verify failed", False),
    (SSL.Error(), "TLS error: Error", False),
    (TunnelError("[{'status': 502}]"), "the proxy opens no tunnel for https", True),
    (wrapped(ResponseFailed, ConnectionLost("cut")), "broken answer:", True),
    (exceptions.DownloadFailedError("half  an\nanswer"), "broken answer: half an answer", True),
    (exceptions.DownloadFailedError(), "broken answer: DownloadFailedError", True),
    (ValueError("of another kind"), "ValueError: of another kind", True),
    (RuntimeError("x" * 500), f"RuntimeError: {'x' * 120}", True),
]


def test_reasons() -> None:
    for error, reason, again in CASES:
        reported, worth = explain(error)
        assert reported.startswith(reason)
        assert worth is again
        assert len(reported) <= 160 and reported.isprintable()
    other = exceptions.DownloadFailedError("other")
    one = wrapped(ResponseFailed, other)
    other.__cause__ = one
    assert explain(one) == ("broken answer: other", True)


NOW = 1_700_000_000.0  # Tue, 14 Nov 2023 22:13:20 GMT
BOTH = {"noindex", "nofollow"}


def test_robots_tag_and_retry_after() -> None:
    expected: dict[tuple[str, ...], set[str]] = {
        (): set(),
        ("all",): set(),
        ("NoFollow",): {"nofollow"},
        ("none",): BOTH,
        ("noindex, nofollow",): BOTH,
        ("noindex", "nofollow"): BOTH,
        ("googlebot: noindex, nofollow",): set(),
        ("Scenthound: noindex, nofollow",): BOTH,
        ("googlebot: noindex, scenthound: nofollow",): {"nofollow"},
        ("scenthound: noindex, googlebot: nofollow",): {"noindex"},
        ("googlebot: none", "nofollow"): {"nofollow"},
        ("*: noindex",): {"noindex"},
        ("max-image-preview:none, max-snippet: 0",): set(),
        ("unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, nofollow",): {"nofollow"},
        ("noarchive, nosnippet, , ,:",): set(),
    }
    assert {values: robots_tag(values) for values in expected} == expected
    seconds = {
        None: None,
        "": None,
        " 0 ": 0.0,
        "1.5": 1.5,
        "999999999": 86_400.0,
        "-5": None,
        "1e3": None,
        "９": None,
        "Tue, 14 Nov 2023 22:14:20 GMT": 60.0,
        "Tue, 14 Nov 2023 22:14:20 -0000": 60.0,
        "Tuesday, 14-Nov-23 22:14:20 GMT": 60.0,
        "Tue, 14 Nov 2023 22:00:00 GMT": 0.0,
        "Fri, 31 Dec 9999 23:59:59 GMT": 86_400.0,
        "Tue, 99 Nov 2023 22:14:20 GMT": None,
    }
    assert {value: fetch_loop.retry_after(value, NOW) for value in seconds} == seconds


@given(st.text(max_size=60))
def test_retry_after_takes_any_text(value: str) -> None:
    found = fetch_loop.retry_after(value, NOW)
    assert found is None or 0.0 <= found <= 86_400.0


def test_wanted_types_and_pdfs_where_they_were_asked_for() -> None:
    expected = {
        ("text/html", "x.pdf"): None,
        ("Text/HTML; charset=utf-8", ""): None,
        ("text/plain", "a.txt"): None,
        ("application/xml", ""): None,
        ("", ""): None,
        ("nonsense", "page.php?f=x.pdf"): None,
        ("", "paper.PDF?download=1"): "type .pdf",
        ("", "archive.tar.gz"): "type .gz",
        ("application/json; charset=utf-8", ""): "type application/json",
        ("image/png", ""): "type image/*",
        ("application/vnd.made-up-7", ""): "type application/*",
        ("made-up-7/made-up-8", ""): "type unknown",
    }
    found = {key: client.unwanted_type(key[0], f"http://a.test/{key[1]}") for key in expected}
    assert found == expected
    pdfs = [
        ("application/x-pdf; v=1", "a"), ("", "a.PDF"), ("", "a.pdf?x=.html"),
        ("application/octet-stream", "a.pdf")
    ]  # fmt: skip
    for declared, path in pdfs:
        assert client.unwanted_type(declared, f"http://a.test/{path}", pdf=True) is None
        assert client.unwanted_type(declared, f"http://a.test/{path}") is not None
    others = [("application/octet-stream", "a.exe"), ("", "a.zip"), ("image/png", "a.pdf")]
    for declared, path in others:
        assert client.unwanted_type(declared, f"http://a.test/{path}", pdf=True) is not None


# Frames between the crawl and its downloader: whatever is in them comes out as it went in.


texts = st.text()
header_pairs = st.lists(
    st.tuples(*[st.binary(max_size=20).map(lambda b: b.decode("latin-1"))] * 2), max_size=4
).map(tuple)
asks = st.builds(FetchRequest, texts, st.sampled_from(client.Purpose), texts, st.integers(0, 5))
links = st.builds(Link, texts, texts, texts, st.frozensets(texts, max_size=2))
documents = st.builds(
    Document, texts, texts, texts, st.dictionaries(texts, texts, max_size=2), st.none() | texts
)
unusable = st.dictionaries(
    texts, st.tuples(st.integers(1), st.lists(texts, max_size=2).map(tuple)), max_size=2
)
pages = st.builds(
    Page,
    url=texts,
    status=st.integers(100, 599),
    document=documents,
    links=st.lists(links, max_size=3).map(tuple),
    unusable=unusable,
    follow=st.booleans(),
    fetched_at=st.floats(0, 2e9),
    size=st.integers(0),
    problem=texts,
    index=st.booleans(),
    canonical=st.none() | texts,
    rendered=st.booleans(),
)
answers = st.builds(
    FetchResponse,
    request=asks,
    ended=st.floats(0, 2e9),
    status=st.integers(100, 999),
    headers=header_pairs,
    body=st.binary(),
    request_headers=header_pairs,
    protocol=texts,
    ip=st.none() | texts,
    cut=st.sampled_from([None, "length", "disconnect"]),
    page=st.none() | pages,
    fingerprint=st.none() | st.integers(-(2**63), 2**63 - 1),
    rendered=st.none() | st.binary(),
)
failures = st.builds(FetchError, asks, st.floats(0, 2e9), texts, st.booleans())


def through(*messages: Message) -> list[Message]:
    """Messages as they come out at the other end."""
    stream = io.BytesIO()
    for message in messages:
        write_frame(stream, *client.message_frame(message))
    stream.seek(0)
    frames = iter(lambda: read_frame(stream), None)
    return [client.read_message(*frame) for frame in frames if frame is not None]


@given(st.lists(answers | failures, max_size=3), asks)
def test_messages_and_asks(messages: list[Message], ask: FetchRequest) -> None:
    assert through(*messages) == messages
    stream = io.BytesIO()
    write_frame(stream, client.request_head(ask))
    stream.seek(0)
    frame = read_frame(stream)
    assert frame is not None and client.read_request(frame[0]) == ask


def test_a_body_that_looks_like_a_frame_is_a_body_and_a_cut_frame_is_none() -> None:
    frame = b'{"ask":1}\x00\x00\x00\x05\x00\x00\x00\x00{}'
    second = FetchError(FetchRequest("\ud800 \U0001f300 \x00"), 2.0, "why", True)
    for body in (frame, bytes(range(256)) * 4, b"\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"):
        first = FetchResponse(FetchRequest("u"), 1.0, 200, (("X", '"\\\x00\xff'),), body)
        assert through(first, second) == [first, second]
    stream = io.BytesIO()
    write_frame(stream, {"a": 1}, b"body")
    whole = stream.getvalue()
    assert not any(read_frame(io.BytesIO(whole[:length])) for length in range(len(whole)))
    assert read_frame(io.BytesIO(whole)) == ({"a": 1}, b"body")


# The downloader process: it starts, responds, and ends with the process that started it.


AGENT = "scenthound/1"
PASSWORD = "pa55-w0rd"
INSIDE = FetchRequest("http://127.0.0.1:1/")
SECONDS = 20.0
"""Longer than anything here takes: a test that would hang fails instead."""


@pytest.mark.parametrize("ready", [True, False])
def test_it_ends_when_its_crawl_has_died(ready: bool) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "scenthound.fetch.downloader"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None and process.stdout is not None
        write_frame(process.stdin, {**asdict(Network(AGENT)), "log_level": "CRITICAL"})
        if ready:
            assert read_frame(process.stdout) == ({"ready": True}, b"")
            process.stdout.close()
            write_frame(process.stdin, client.request_head(INSIDE))  # nobody hears the answer
        else:
            process.stdout.close()  # nobody will read that it is ready
            process.stdin.close()
        assert process.wait(SECONDS) == 0


def test_every_request_is_answered_and_it_ends(tmp_path: Path, monkeypatch: MonkeyPatch) -> None:
    for name in ("scrapy", "twisted", "json", "scenthound"):
        (tmp_path / f"{name}.py").write_text("open('imported', 'w').close()")
    monkeypatch.chdir(tmp_path)
    asks = [
        INSIDE,
        FetchRequest("http://[::1]/robots.txt", client.Purpose.ROBOTS, "http://other.test", 1),
    ]
    network = Network(AGENT, auth=(f"a.test=me:{PASSWORD}",))
    with DownloaderClient(network) as downloads:
        downloads.fetch([])
        downloads.fetch(asks)
        answers = [downloads.inbox.get(timeout=SECONDS) for _ in asks]
        process = downloads._process
        assert process.poll() is None
        assert os.getsid(process.pid) == process.pid  # Ctrl-C is not for it
    assert not (tmp_path / "imported").exists()  # nothing of the folder that one is in
    assert isinstance(process.args, list) and "scenthound.fetch.downloader" in process.args
    assert PASSWORD not in " ".join([*process.args, *os.environ.values()])
    reported = [(a.request, a.reason, a.may_retry) for a in answers if isinstance(a, FetchError)]
    assert reported == [(ask, PRIVATE, False) for ask in asks]
    assert process.returncode == 0


def test_a_process_that_is_killed_is_noticed_and_one_that_cannot_begin_says_why() -> None:
    with DownloaderClient(Network(AGENT)) as downloads:
        os.kill(downloads._process.pid, signal.SIGKILL)
        ended = downloads.inbox.get(timeout=SECONDS)
        assert isinstance(ended, DownloaderError)
        assert str(ended) == "the downloader ended: no reason"
        downloads.fetch([INSIDE] * 3)  # nobody hears it, and nothing breaks
        with pytest.raises(queue.Empty):
            downloads.inbox.get_nowait()
    network = Network(AGENT)
    object.__setattr__(network, "timeout", "none")  # as no user can
    with pytest.raises(DownloaderError, match=r"ended: .*'none'"):
        DownloaderClient(network).__enter__()


# Copies have the same fingerprint, pages that only share a frame do not.


def text(words: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return [f"w{rng.randrange(5_000)}" for _ in range(words)]


def page(words: list[str], title: str = "Title") -> int:
    found = fingerprint(Document(title=title, text=" ".join(words)))
    assert found is not None
    return found


def test_the_same_words_in_another_dress_and_most_copies_with_another_date() -> None:
    words = text(600, 1)
    plain = Document(title="A title", text=" ".join(words))
    dressed = Document(title="A TITLE", text=",\n".join(word.upper() for word in words) + "!")
    assert fingerprint(plain) == fingerprint(dressed)
    pages = [text(600, seed) for seed in range(100)]
    found = [page([*words, "read", "17"]) == page([*words, "read", "18"]) for words in pages]
    assert sum(found) >= 80


def test_pages_that_share_a_frame_or_list_other_items_are_told_apart() -> None:
    frame = text(300, 1)
    prints = [page(frame + text(60, seed)) for seed in range(2, 102)]
    assert len(set(prints)) == 100
    items = [" ".join(text(12, seed)) for seed in range(400)]
    head = " ".join(text(100, 999))
    pages = [head + " " + " ".join(items[start : start + 20]) for start in range(0, 400, 20)]
    assert len({page(each.split()) for each in pages}) == len(pages)
    words = text(200, 1)
    assert page(words) != page(sorted(words))  # the order of words counts


def test_short_texts_are_not_compared_and_fingerprints_fit_a_signed_column() -> None:
    assert fingerprint(Document()) is None
    assert fingerprint(Document(title="one", text="two " * (client.FEWEST_WORDS - 2))) is None
    assert fingerprint(Document(title="one", text="two " * (client.FEWEST_WORDS - 1))) is not None
    prints = [page(text(50, seed)) for seed in range(200)]
    assert all(-(2**63) <= each < 2**63 for each in prints)
    assert 60 < sum(each < 0 for each in prints) < 140  # the whole range is used


def test_the_same_in_every_process_and_version_and_for_texts_without_blanks() -> None:
    """Ledgers of older crawls hold fingerprints, and a resumed crawl compares with them."""
    assert fingerprint(Document(text="a b c d e " * 10)) == 5164010783187520412
    # Chinese has hardly a blank: the pairs of its characters are what is compared.
    reported = "台风是热带海洋上空形成的强烈气旋，中心附近风力很大，"
    reported += "常常带来暴雨和风暴潮，沿海居民应当及时撤离。"
    same, other = Document("台风", reported), Document("咖啡", reported[::-1])
    assert fingerprint(same) == fingerprint(Document("台风", reported)) is not None
    assert fingerprint(same) != fingerprint(other)
