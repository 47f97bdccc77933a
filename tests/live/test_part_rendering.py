"""Which pages need a browser, and what becomes of them: without any browser."""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import Mapping
from dataclasses import replace

import pytest

from live.browsing_making import LONG, MOST, SHELL, SHOWN, FakeBrowser, answer, read
from live.part_building import HTML, NOW, url
from scenthound.live.browser import BrowserDiedError, BrowserLostError
from scenthound.live.browsing import Browsing
from scenthound.live.messages import Answer, Ask, NoAnswer
from scenthound.live.reasons import NEEDS_BROWSER, NO_BROWSER
from scenthound.live.rendering import (
    MOST_IN_VAIN,
    Renderings,
    read_rendered,
    seems_empty,
    shows_more,
)

LINK = "<a href=/2>on</a>"
LATER = NOW + 7


def browsing(shown: Mapping[str, bytes | Exception | None] | None = None) -> Browsing:
    return Browsing(FakeBrowser(shown or {}), 4, MOST, clock=lambda: LATER)


def rendered(made: Browsing, name: str = "a/1", body: bytes = SHELL) -> Answer:
    """What comes of a page that is held, asked for again and shown."""
    held = made.read(answer(name, body))
    assert held == NoAnswer(Ask(url(name)), NOW, NEEDS_BROWSER, True)
    ask = Ask(url(name), render=True)
    plain = made.take(ask)
    assert plain is not None
    message = made.read(asyncio.run(made.render(ask, plain)))
    assert isinstance(message, Answer)
    assert (message.ask, message.ended) == (ask, LATER)
    return message


# which pages


@pytest.mark.parametrize(
    "html",
    [SHELL.decode(), f"<SCRIPT>x()</SCRIPT><p>{LONG}", f"<script>x()</script>short {LINK}"],
    ids=["shell", "no links", "no text"],
)
def test_a_page_with_scripts_and_without_text_or_links_is_held(html: str) -> None:
    assert Renderings(4, MOST).hold(read(body=html.encode()))


@pytest.mark.parametrize(
    "html",
    ["", "<p>short", f"<p>{LONG}", f"<script>x()</script><p>{LONG}{LINK}",
     f"<meta name=robots content=noindex>{SHELL.decode()}"],
    ids=["nothing", "no script", "no links and no script", "text and links", "not to be kept"],
)  # fmt: skip
def test_other_pages_are_not(html: str) -> None:
    assert not Renderings(4, MOST).hold(read(body=html.encode()))


def test_a_packed_page_is_unpacked_first() -> None:
    headers = (*HTML, ("Content-Encoding", "gzip"))
    assert Renderings(4, MOST).hold(read(body=gzip.compress(SHELL), headers=headers))


@pytest.mark.parametrize(
    "other",
    [replace(read(), status=404), replace(read(), cut="length"), answer(),
     read(headers=(("Content-Type", "text/plain"),))],
    ids=["error", "cut", "not read", "plain text"],
)  # fmt: skip
def test_only_whole_html_pages_seem_empty(other: Answer) -> None:
    assert seems_empty(read())
    assert not seems_empty(other)


def test_of_too_many_pages_the_oldest_is_forgotten() -> None:
    renderings = Renderings(2, MOST)
    assert all(renderings.hold(read(name)) for name in ("a/1", "a/2", "a/3"))
    assert renderings.take(url("a/1")) is None
    assert renderings.take(url("a/3")) == read("a/3")
    assert renderings.take(url("a/3")) is None


# what they come to


def test_a_page_is_read_from_what_the_browser_shows() -> None:
    browser = FakeBrowser({url("a/1"): SHOWN})
    made = Browsing(browser, 4, MOST, clock=lambda: LATER)
    shown = rendered(made)
    assert (shown.body, shown.rendered) == (SHELL, SHOWN)
    assert shown.page is not None and shown.page.rendered
    assert shown.page.document.text.split() == [*LONG.split(), "two"]
    assert [link.url for link in shown.page.links] == [url("a/two")]
    assert shown.fingerprint is not None
    (source,) = browser.sources
    assert (source.url, source.content_type, source.body) == (url("a/1"), "text/html", SHELL)


def test_the_headers_that_forbid_are_heeded_and_those_of_the_body_are_not() -> None:
    headers = (
        ("Content-Type", "text/html; charset=latin-1"), ("Content-Encoding", "gzip"),
        ("X-Robots-Tag", "nofollow"),
    )  # fmt: skip
    html = f"<p>Stürme</p>{LINK}".encode()
    plain = replace(answer(body=gzip.compress(SHELL), headers=headers), rendered=html)
    page = read_rendered(plain, MOST).page
    assert page is not None
    assert page.document.text.split() == ["Stürme", "on"]
    assert not page.follow


def test_a_page_that_gains_nothing_is_kept_as_it_came() -> None:
    plain = rendered(browsing({url("a/1"): SHELL}))
    assert plain.rendered is None
    assert plain.page is not None and not plain.page.rendered


def test_a_page_that_cannot_be_shown_is_kept_as_it_came_with_the_reason() -> None:
    plain = rendered(browsing({url("a/1"): None}))
    assert plain.rendered is None
    assert plain.page is not None
    assert plain.page.problem == "not rendered: the browser took too long"


def test_an_error_that_nobody_has_foreseen_is_a_page_as_it_came_and_a_line_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        plain = rendered(browsing({url("a/1"): KeyError("oh")}))
    assert plain.page is not None
    assert plain.page.problem == "not rendered: KeyError"
    assert [record.getMessage() for record in caplog.records] == [f"not rendered: {url('a/1')}"]


def test_once_the_browser_is_lost_pages_are_read_as_they_come() -> None:
    made = browsing({url("a/1"): BrowserLostError("gone")})
    plain = rendered(made)
    assert plain.page is not None and plain.page.problem == NO_BROWSER
    after = made.read(answer("b/1"))
    assert isinstance(after, Answer)
    assert after.page is not None and after.page.problem == ""


def test_what_is_not_held_any_more_is_fetched_again() -> None:
    made = browsing()
    assert made.take(Ask(url("a/1"), render=True)) is None
    assert made.read(answer()) == NoAnswer(Ask(url("a/1")), NOW, NEEDS_BROWSER, True)
    assert made.take(Ask(url("a/1"))) is None  # a page that is asked for anew, from the start


# which hosts


@pytest.mark.parametrize("shown", [SHELL, None], ids=["gains nothing", "fails"])
def test_a_host_that_never_gains_is_left_alone_after_a_few_tries(shown: bytes | None) -> None:
    pages = [f"a/{number}" for number in range(MOST_IN_VAIN)]
    made = browsing({**{url(name): shown for name in pages}, url("b/1"): SHOWN})
    for name in pages:
        rendered(made, name)
    last = made.read(answer("a/last"))
    assert isinstance(last, Answer) and last.page is not None and not last.page.rendered
    assert rendered(made, "b/1").rendered == SHOWN


def test_a_browser_that_dies_is_not_the_fault_of_the_host() -> None:
    pages = [f"a/{number}" for number in range(2 * MOST_IN_VAIN)]
    made = browsing({url(name): BrowserDiedError("the browser died") for name in pages})
    told = [rendered(made, name).page for name in pages]  # every one is tried
    assert {page and page.problem for page in told} == {"not rendered: the browser died"}


def test_a_host_that_gained_once_is_tried_for_ever() -> None:
    pages = [f"a/{number}" for number in range(2 * MOST_IN_VAIN)]
    made = browsing({url("a/first"): SHOWN, **{url(name): SHELL for name in pages}})
    assert rendered(made, "a/first").rendered == SHOWN
    assert [rendered(made, name).rendered for name in pages] == [None] * len(pages)


@pytest.mark.parametrize(
    ("before", "after", "more"),
    [
        ("", "", False),
        ("", "x", True),
        ("Loading", "Loaded!", False),
        ("Loading", LONG, True),
        ("", LINK, True),
        (LONG + LINK, LONG, False),
    ],
)
def test_when_a_page_shows_more(before: str, after: str, more: bool) -> None:
    plain, shown = read(body=before.encode()).page, read(body=after.encode()).page
    assert plain is not None and shown is not None
    assert shows_more(plain, shown) is more


def test_the_browser_is_started_and_stopped_with_the_rest() -> None:
    browser = FakeBrowser({})
    made = Browsing(browser, 1, MOST)
    asyncio.run(made.start())
    assert browser.started == 1
    asyncio.run(made.stop())
    assert browser.started == 0
