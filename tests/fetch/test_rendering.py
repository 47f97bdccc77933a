"""Which pages need a browser, and what becomes of them: without any browser."""

from __future__ import annotations

import asyncio
import gzip
import logging
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from pytest import LogCaptureFixture

from crawler.scripted_downloads import HTML, NOW, candidate, page_event, url
from fetch.unrendered_pages import LONG, MOST, SHELL, SHOWN, FakeBrowser, answer, read
from scenthound.crawler.checkpoint import _exchange, _fields
from scenthound.fetch import client, rendering
from scenthound.fetch.browser import BrowserCrashedError, BrowserLostError
from scenthound.fetch.client import FetchRequest, FetchResponse
from scenthound.fetch.rendering import Renderer, needs_browser, read_rendered_page, shows_more
from scenthound.storage.database import Ledger
from scenthound.storage.pages import page_of
from scenthound.storage.warc_reader import read_response
from scenthound.storage.warc_writer import WarcWriter

LINK = "<a href=/2>on</a>"
LATER = NOW + 7


def new_renderer(shown: Mapping[str, bytes | Exception | None] | None = None) -> Renderer:
    return Renderer(FakeBrowser(shown or {}), MOST, clock=lambda: LATER)


def rendered(made: Renderer, name: str = "a/1", body: bytes = SHELL) -> FetchResponse:
    """What comes of a page that is rendered."""
    plain = read(name, body)
    assert made.wants(plain)
    response = asyncio.run(made.render(plain))
    assert (response.request, response.ended) == (FetchRequest(url(name)), LATER)
    return response if response.rendered is None else made.read(response)


@pytest.mark.parametrize(
    ("html", "held"),
    [
        (SHELL.decode(), True),
        (f"<SCRIPT>x()</SCRIPT><p>{LONG}", True),  # no links
        (f"<script>x()</script>short {LINK}", True),  # no text
        ("<p>short", False),
        (f"<script>x()</script><p>{LONG}{LINK}", False),
        (f"<meta name=robots content=noindex>{SHELL.decode()}", False),
    ],
)
def test_a_page_with_scripts_and_without_text_or_links_is_held(html: str, held: bool) -> None:
    assert needs_browser(read(body=html.encode()), MOST) is held
    headers = (*HTML, ("Content-Encoding", "gzip"))
    packed = read(body=gzip.compress(html.encode()), headers=headers)
    assert needs_browser(packed, MOST) is held
    plain = read(body=html.encode(), headers=(("Content-Type", "text/plain"),))
    whole = read(body=html.encode())
    others = [replace(whole, status=404), replace(whole, cut="length"), answer(), plain]
    assert not any(needs_browser(each, MOST) for each in others)  # only whole HTML pages


def test_a_page_is_read_from_what_the_browser_shows_and_headers_that_forbid_are_heeded() -> None:
    browser = FakeBrowser({url("a/1"): SHOWN})
    made = Renderer(browser, MOST, clock=lambda: LATER)
    shown = rendered(made)
    assert (shown.body, shown.rendered) == (SHELL, SHOWN)
    assert shown.page is not None and shown.page.rendered
    assert shown.page.document.text.split() == [*LONG.split(), "two"]
    assert [link.url for link in shown.page.links] == [url("a/two")]
    assert shown.fingerprint is not None
    (source,) = browser.sources
    assert (source.url, source.content_type, source.body) == (url("a/1"), "text/html", SHELL)
    headers = (
        ("Content-Type", "text/html; charset=latin-1"), ("Content-Encoding", "gzip"),
        ("X-Robots-Tag", "nofollow"),
    )  # fmt: skip
    html = f"<p>Stürme</p>{LINK}".encode()
    plain = replace(answer(body=gzip.compress(SHELL), headers=headers), rendered=html)
    page = read_rendered_page(plain, MOST).page
    assert page is not None
    assert page.document.text.split() == ["Stürme", "on"]
    assert not page.follow


def test_a_page_that_gains_nothing_or_cannot_be_shown_is_kept(caplog: LogCaptureFixture) -> None:
    cases: list[tuple[bytes | Exception | None, str, list[str]]] = [
        (SHELL, "", []),
        (None, "not rendered: the browser took too long", []),
        (KeyError("oh"), "not rendered: KeyError", [f"not rendered: {url('a/1')}"]),
    ]
    for shown, problem, logged in cases:
        caplog.clear()
        with caplog.at_level(logging.ERROR):
            plain = rendered(new_renderer({url("a/1"): shown}))
        assert plain.rendered is None
        assert plain.page is not None and not plain.page.rendered
        assert not problem or plain.page.problem == problem
        assert [record.getMessage() for record in caplog.records] == logged


@pytest.mark.parametrize("shown", [SHELL, None], ids=["gains nothing", "fails"])
def test_a_host_that_never_gains_is_left_alone_after_a_few_tries(shown: bytes | None) -> None:
    pages = [f"a/{number}" for number in range(rendering.MAX_USELESS_RENDERINGS)]
    made = new_renderer({**{url(name): shown for name in pages}, url("b/1"): SHOWN})
    for name in pages:
        rendered(made, name)
    assert not made.wants(read("a/last"))
    assert rendered(made, "b/1").rendered == SHOWN


def test_hosts_that_gained_once_are_tried_for_ever_and_none_once_the_browser_is_lost() -> None:
    pages = [f"a/{number}" for number in range(2 * rendering.MAX_USELESS_RENDERINGS)]
    made = new_renderer({url("a/first"): SHOWN, **{url(name): SHELL for name in pages}})
    assert rendered(made, "a/first").rendered == SHOWN
    assert [rendered(made, name).rendered for name in pages] == [None] * len(pages)
    made = new_renderer({url(name): BrowserCrashedError("the browser died") for name in pages})
    reported = [rendered(made, name).page for name in pages]  # every one is tried
    assert {page and page.problem for page in reported} == {"not rendered: the browser died"}
    made = new_renderer({url("a/1"): BrowserLostError("gone")})
    plain = rendered(made)
    assert plain.page is not None and plain.page.problem == client.NO_BROWSER
    assert not made.wants(read("b/1"))


def test_when_a_page_shows_more() -> None:
    expected = {
        ("", ""): False,
        ("", "x"): True,
        ("Loading", "Loaded!"): False,
        ("Loading", LONG): True,
        ("", LINK): True,
        (LONG + LINK, LONG): False,
    }
    for (before, after), more in expected.items():
        plain, shown = read(body=before.encode()).page, read(body=after.encode()).page
        assert plain is not None and shown is not None
        assert shows_more(plain, shown) is more


OTHER = b"<h1>quite another text</h1><a href=/three>three</a>"


def shown(name: str, html: bytes, body: bytes = SHELL) -> FetchResponse:
    return read_rendered_page(replace(answer(name, body), rendered=html), MOST)


def record(ledger: Ledger, number: int, came: FetchResponse) -> client.ReadPage:
    found = client.PageReader(ledger, MOST).read(came, candidate(f"a/{number}"))
    ledger.record(number, came.request.url, came.ended, found.digest, found.fingerprint)
    return found


def test_pages_are_compared_by_what_they_show() -> None:
    """Those of an application are sent alike and are no copies; what shows the same is one."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        ledger = Ledger(connection)
        first, second = (
            record(ledger, 1, shown("a/1", SHOWN)),
            record(ledger, 2, shown("a/2", OTHER)),
        )
        assert (first.page.copy_of, second.page.copy_of) == (None, None)
        assert first.page.rendered and second.page.rendered
        same = record(ledger, 3, shown("a/3", SHOWN, b"<script>other()</script>"))
        assert (same.page.copy_of, same.page.problem) == (1, "copy")
        assert not same.exact  # it is stored, as it was not sent like the first one


def test_what_is_read_back_is_what_the_crawl_saw(tmp_path: Path) -> None:
    headers = (*HTML, ("X-Robots-Tag", "nofollow"), ("Content-Language", "en"))
    came = replace(answer(headers=headers), rendered=SHOWN)
    page = read_rendered_page(came, MOST).page
    writer = WarcWriter(tmp_path, None, {})
    position = writer.write(_exchange(came), [])
    writer.close()
    stored = read_response(tmp_path, position)
    assert stored.body is not None
    pairs = tuple(stored.headers.items())
    again = page_of(stored.url, stored.status, pairs, stored.body, stored.at, MOST)
    assert page is not None
    assert replace(again, rendered=True) == page
    assert not page.follow
    assert LONG.split()[0] in page.document.text


def test_journal_and_metadata_say_so_and_only_then() -> None:
    plain, event = page_event(), replace(page_event(), rendered=True)
    assert event.to_json()["rendered"] is True
    assert "rendered" not in plain.to_json()
    assert ("rendered", "true") in _fields(candidate("a/1"), event)
    assert "rendered" not in dict(_fields(candidate("a/1"), plain))
    assert url("a/1") == event.url
