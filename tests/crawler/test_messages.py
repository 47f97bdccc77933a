"""The downloader's process: it begins, answers, and never outlives whoever began it."""

from __future__ import annotations

import asyncio
import gzip
import logging
import os
import queue
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from crawler.browsing_making import LONG, MOST, SHELL, SHOWN, FakeBrowser, answer, read
from crawler.part_bench import bench
from crawler.part_building import HTML, NOW, Reply, robots_txt, url
from scenthound.fetch.addresses import PRIVATE
from scenthound.fetch.browser import BrowserCrashedError, BrowserLostError, RenderingQueue
from scenthound.fetch.client import DownloaderClient, DownloaderError
from scenthound.fetch.messages import (
    HOST_DOWN,
    NEEDS_BROWSER,
    NO_BROWSER,
    NO_HOST,
    FetchError,
    FetchRequest,
    FetchResponse,
    Purpose,
    read_frame,
    request_head,
    write_frame,
)
from scenthound.fetch.network import Network
from scenthound.fetch.pages import (
    MAX_USELESS_RENDERINGS,
    RenderingCandidates,
    read_rendered_page,
    seems_empty,
    shows_more,
)
from scenthound.frontier.politeness import PolitenessPolicy

AGENT = "scenthound/1"
INSIDE = FetchRequest("http://127.0.0.1:1/")
SECONDS = 20.0
"""Longer than anything here takes: a test that would hang fails instead."""


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    """A downloader that is ready, without anybody to look after it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "scenthound.fetch.downloader"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    try:
        write_frame(process.stdin, {**asdict(Network(AGENT)), "log_level": "CRITICAL"})
        assert read_frame(process.stdout) == ({"ready": True}, b"")
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if not stream.closed:
                stream.close()


def test_it_ends_when_nobody_asks_any_more(child: subprocess.Popen[bytes]) -> None:
    assert child.stdin is not None
    child.stdin.close()  # as the kernel does when the crawl is killed
    assert child.wait(SECONDS) == 0


def test_it_ends_when_nobody_hears_the_answers(child: subprocess.Popen[bytes]) -> None:
    assert child.stdin is not None and child.stdout is not None
    child.stdout.close()
    write_frame(child.stdin, request_head(INSIDE))
    assert child.wait(SECONDS) == 0


def test_nothing_is_imported_from_the_folder_one_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("scrapy", "twisted", "json", "scenthound"):
        (tmp_path / f"{name}.py").write_text("open('imported', 'w').close()")
    monkeypatch.chdir(tmp_path)
    with DownloaderClient(Network(AGENT)):
        assert not (tmp_path / "imported").exists()


def test_answers_come_for_every_ask_and_the_process_ends_with_the_context() -> None:
    asks = [INSIDE, FetchRequest("http://[::1]/robots.txt", Purpose.ROBOTS, "http://other.test", 1)]
    with DownloaderClient(Network(AGENT)) as downloads:
        downloads.fetch([])
        downloads.fetch(asks)
        answers = [downloads.inbox.get(timeout=SECONDS) for _ in asks]
        process = downloads._process
        assert process.poll() is None
        assert os.getsid(process.pid) == process.pid  # Ctrl-C is not for it
    told = [(a.request, a.reason, a.may_retry) for a in answers if isinstance(a, FetchError)]
    assert told == [(ask, PRIVATE, False) for ask in asks]
    assert process.returncode == 0


def test_a_process_that_is_killed_is_noticed() -> None:
    with DownloaderClient(Network(AGENT)) as downloads:
        os.kill(downloads._process.pid, signal.SIGKILL)
        ended = downloads.inbox.get(timeout=SECONDS)
        assert isinstance(ended, DownloaderError)
        assert str(ended) == "the downloader ended: no reason"
        downloads.fetch([INSIDE] * 3)  # nobody hears it, and nothing breaks
        with pytest.raises(queue.Empty):
            downloads.inbox.get_nowait()


def test_a_process_that_cannot_begin_says_why() -> None:
    network = Network(AGENT)
    object.__setattr__(network, "concurrency", 0)  # as no user can
    with pytest.raises(DownloaderError, match=r"ended: .*a concurrency of 0 cannot be"):
        DownloaderClient(network).__enter__()


# Which pages need a browser, and what becomes of them: without any browser.


LINK = "<a href=/2>on</a>"
LATER = NOW + 7


def rendering_queue(shown: Mapping[str, bytes | Exception | None] | None = None) -> RenderingQueue:
    return RenderingQueue(FakeBrowser(shown or {}), 4, MOST, clock=lambda: LATER)


def rendered(made: RenderingQueue, name: str = "a/1", body: bytes = SHELL) -> FetchResponse:
    """What comes of a page that is held, asked for again and shown."""
    held = made.read(answer(name, body))
    assert held == FetchError(FetchRequest(url(name)), NOW, NEEDS_BROWSER, True)
    ask = FetchRequest(url(name), render=True)
    plain = made.take(ask)
    assert plain is not None
    message = made.read(asyncio.run(made.render(ask, plain)))
    assert isinstance(message, FetchResponse)
    assert (message.request, message.ended) == (ask, LATER)
    return message


# which pages


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
    assert RenderingCandidates(4, MOST).hold(read(body=html.encode())) is held
    headers = (*HTML, ("Content-Encoding", "gzip"))
    packed = read(body=gzip.compress(html.encode()), headers=headers)
    assert RenderingCandidates(4, MOST).hold(packed) is held


def test_only_whole_html_pages_seem_empty() -> None:
    assert seems_empty(read())
    plain = read(headers=(("Content-Type", "text/plain"),))
    others = [replace(read(), status=404), replace(read(), cut="length"), answer(), plain]
    assert not any(map(seems_empty, others))


def test_of_too_many_pages_the_oldest_is_forgotten() -> None:
    renderings = RenderingCandidates(2, MOST)
    assert all(renderings.hold(read(name)) for name in ("a/1", "a/2", "a/3"))
    assert renderings.take(url("a/1")) is None
    assert renderings.take(url("a/3")) == read("a/3")
    assert renderings.take(url("a/3")) is None


# what they come to


def test_a_page_is_read_from_what_the_browser_shows() -> None:
    browser = FakeBrowser({url("a/1"): SHOWN})
    made = RenderingQueue(browser, 4, MOST, clock=lambda: LATER)
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
    page = read_rendered_page(plain, MOST).page
    assert page is not None
    assert page.document.text.split() == ["Stürme", "on"]
    assert not page.follow


@pytest.mark.parametrize(
    ("shown", "problem", "logged"),
    [
        (SHELL, "", []),
        (None, "not rendered: the browser took too long", []),
        (KeyError("oh"), "not rendered: KeyError", [f"not rendered: {url('a/1')}"]),
    ],
    ids=["gains nothing", "too long", "unforeseen"],
)
def test_a_page_that_gains_nothing_or_cannot_be_shown_is_kept_as_it_came(
    shown: bytes | Exception | None,
    problem: str,
    logged: list[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR):
        plain = rendered(rendering_queue({url("a/1"): shown}))
    assert plain.rendered is None
    assert plain.page is not None and not plain.page.rendered
    assert not problem or plain.page.problem == problem
    assert [record.getMessage() for record in caplog.records] == logged


def test_once_the_browser_is_lost_pages_are_read_as_they_come() -> None:
    made = rendering_queue({url("a/1"): BrowserLostError("gone")})
    plain = rendered(made)
    assert plain.page is not None and plain.page.problem == NO_BROWSER
    after = made.read(answer("b/1"))
    assert isinstance(after, FetchResponse)
    assert after.page is not None and after.page.problem == ""


def test_what_is_not_held_any_more_is_fetched_again() -> None:
    made = rendering_queue()
    assert made.take(FetchRequest(url("a/1"), render=True)) is None
    assert made.read(answer()) == FetchError(FetchRequest(url("a/1")), NOW, NEEDS_BROWSER, True)
    assert (
        made.take(FetchRequest(url("a/1"))) is None
    )  # a page that is asked for anew, from the start


# which hosts


@pytest.mark.parametrize("shown", [SHELL, None], ids=["gains nothing", "fails"])
def test_a_host_that_never_gains_is_left_alone_after_a_few_tries(shown: bytes | None) -> None:
    pages = [f"a/{number}" for number in range(MAX_USELESS_RENDERINGS)]
    made = rendering_queue({**{url(name): shown for name in pages}, url("b/1"): SHOWN})
    for name in pages:
        rendered(made, name)
    last = made.read(answer("a/last"))
    assert isinstance(last, FetchResponse) and last.page is not None and not last.page.rendered
    assert rendered(made, "b/1").rendered == SHOWN


def test_a_browser_that_dies_is_not_the_fault_of_the_host() -> None:
    pages = [f"a/{number}" for number in range(2 * MAX_USELESS_RENDERINGS)]
    made = rendering_queue({url(name): BrowserCrashedError("the browser died") for name in pages})
    told = [rendered(made, name).page for name in pages]  # every one is tried
    assert {page and page.problem for page in told} == {"not rendered: the browser died"}


def test_a_host_that_gained_once_is_tried_for_ever() -> None:
    pages = [f"a/{number}" for number in range(2 * MAX_USELESS_RENDERINGS)]
    made = rendering_queue({url("a/first"): SHOWN, **{url(name): SHELL for name in pages}})
    assert rendered(made, "a/first").rendered == SHOWN
    assert [rendered(made, name).rendered for name in pages] == [None] * len(pages)


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


# The worker: what it makes of each kind of answer.


SLOWLY = PolitenessPolicy(delay=2.0, per_host=1)


def told(reply: Reply, retries: int = 0) -> list[str]:
    """What becomes of a page that answers so."""
    with bench("a/1", script={"a/1": reply}, retries=retries) as made:
        made.run()
    return made.told("read", "failed", "refused", "redirected")


def moved(to: str, status: int = 302) -> Reply:
    return Reply(status, headers=(("Location", to), *HTML))


@pytest.mark.parametrize("status", [200, 299, 404, 501])
def test_a_page_is_read_whatever_its_status(status: int) -> None:
    assert told(Reply(status)) == ["read a/1"]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_in_trouble_is_asked_again(status: int) -> None:
    assert told(Reply(status), retries=1) == [
        f"failed a/1: status {status}, again in 30 s",
        f"failed a/1: status {status}, given up",
    ]


def test_what_is_no_page_is_refused_and_an_error_is_kept_whatever_its_type() -> None:
    reply = Reply(headers=(("content-type", "application/pdf"),))
    assert told(reply) == ["refused a/1: type application/pdf"]
    assert told(Reply(404, headers=(("Content-Type", "application/json"),))) == ["read a/1"]


@pytest.mark.parametrize("status", [301, 308])
def test_a_redirect(status: int) -> None:
    assert told(moved("/2#part", status)) == ["redirected a/1 -> a/2", "read a/2"]


@pytest.mark.parametrize("to", ["mailto:x@a.test", "http://[::1/"])
def test_a_redirect_to_nowhere_is_refused(to: str) -> None:
    assert told(moved(to)) == ["refused a/1: status 302 without a usable Location"]


def test_a_failure_that_will_last_is_given_up_and_waits_for_others_double() -> None:
    assert told(Reply(no="too large", again=False), retries=3) == [
        "failed a/1: too large, given up"
    ]
    assert told(Reply(no="timeout"), retries=3) == [
        "failed a/1: timeout, again in 30 s",
        "failed a/1: timeout, again in 60 s",
        "failed a/1: timeout, again in 120 s",
        "failed a/1: timeout, given up",
    ]


def test_a_private_address_is_refused() -> None:
    assert told(Reply(no=PRIVATE, again=True), retries=3) == [f"refused a/1: {PRIVATE}"]
    script = {"a/robots.txt": Reply(no=PRIVATE, again=False)}
    with bench("a/1", script=script, retries=3) as made:
        made.run()
    assert made.told("failed", "refused") == [f"refused a/1: {PRIVATE}"]


# what a host is spared


def rested(reply: Reply) -> float:
    """Seconds from the answer to ``a/1`` until the host is asked for a page again."""
    with bench("a/1", "a/2", script={"a/1": reply}, politeness=SLOWLY, retries=1) as made:
        made.until(lambda: len(made.asked()) == 3)
    return made.asked()[-1][0] - 4.0  # robots.txt at 0, a/1 at 3, its answer at 4


def waiting(seconds: str) -> tuple[tuple[str, str], ...]:
    return (("Retry-After", seconds), *HTML)


@pytest.mark.parametrize(
    ("reply", "rest"),
    [
        (Reply(404), 2.0),
        (Reply(502, headers=waiting("100")), 2.0),
        (Reply(429), 30.0),
        (Reply(503, headers=waiting("100")), 100.0),
        (Reply(503, headers=waiting("1")), 30.0),
        (Reply(503, headers=waiting("soon")), 30.0),
        (Reply(no="timeout"), 2.0),
        (Reply(no=min(HOST_DOWN)), 30.0),
        (Reply(no=NO_HOST, again=False), 2.0),
    ],
)
def test_how_long_the_host_rests(reply: Reply, rest: float) -> None:
    assert rested(reply) == pytest.approx(rest)


def test_other_hosts_go_on_meanwhile() -> None:
    reply = Reply(429, headers=waiting("1000"))
    with bench("a/1", "b/1", script={"a/1": reply}, retries=1) as made:
        made.run()
    assert made.told("failed", "read") == [
        "failed a/1: status 429, again in 1000 s",
        "read b/1",
        "failed a/1: status 429, given up",
    ]


def test_a_host_that_is_given_up_for_now_rests_all_the_same() -> None:
    script = {"a/1": Reply(503, headers=waiting("500"))}
    with bench("a/1", "a/2", script=script, retries=0) as made:
        made.run()
    assert made.told("failed", "read") == ["failed a/1: status 503, given up", "read a/2"]
    assert made.asked()[-1] == (504.0, "a/2")


def test_a_crawl_delay_is_kept_between_pages() -> None:
    with bench("a/1", "a/2", script={"a/robots.txt": robots_txt("Crawl-delay: 20")}) as made:
        made.run()
    assert made.asked() == [(0.0, "a/robots.txt"), (21.0, "a/1"), (42.0, "a/2")]


def test_a_forbidden_page_is_never_asked_for() -> None:
    script = {"a/robots.txt": robots_txt("Disallow: /1")}
    with bench("a/1", "a/2", script=script) as made:
        made.run()
    assert made.story == [
        "asked a/robots.txt", "refused a/1: robots.txt", "asked a/2", "read a/2",
    ]  # fmt: skip
    assert made.clock.now == NOW + 4.0


def test_a_site_that_cannot_say_what_it_allows_waits_with_all_its_pages() -> None:
    script = {"a/robots.txt": (Reply(503), robots_txt())}
    with bench("a/1", "a/2", script=script) as made:
        made.run()
        assert made.frontier.where(url("a/2")) == "closed"
    assert made.told("read") == ["read a/1", "read a/2"] or made.told("read") == [
        "read a/2", "read a/1",
    ]  # fmt: skip
    robots = [at for at, name in made.asked() if name == "a/robots.txt"]
    assert robots == [0.0, 31.0]  # answered after 1 s, asked again after the first retry's 30
    assert [name for at, name in made.asked() if at < 31.0] == ["a/robots.txt"]
