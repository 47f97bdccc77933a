"""Responses: what the fetch loop makes of each, how long a host rests, and the pages read."""

from __future__ import annotations

import gzip
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from crawler.fetch_bench import bench
from crawler.scripted_downloads import (
    HTML,
    NOW,
    NoJitter,
    Reply,
    answer,
    candidate,
    robots_txt,
    url,
)
from frontier.frontier_contract import where
from scenthound.core.model import Page
from scenthound.core.urls import PRIVATE
from scenthound.crawler.fetch_loop import Outage, Retries
from scenthound.fetch.client import HOST_DOWN, NO_HOST, PageReader, ReadPage, read_response_page
from scenthound.storage.database import Ledger
from scenthound.storage.pages import page_of


def moved(to: str, status: int = 302) -> Reply:
    return Reply(status, headers=(("Location", to), *HTML))


def of_type(kind: str, status: int = 200) -> Reply:
    return Reply(status, headers=(("content-type", kind),))


@pytest.mark.parametrize(
    ("reply", "retries", "reported"),
    [
        *((Reply(status), 0, ["read a/1"]) for status in (200, 299, 404, 501)),
        (of_type("application/json", status=404), 0, ["read a/1"]),
        (of_type("application/pdf"), 0, ["refused a/1: type application/pdf"]),
        *(
            (moved("/2#part", status), 0, ["redirected a/1 -> a/2", "read a/2"])
            for status in (301, 308)
        ),
        *(
            (moved(to), 0, ["refused a/1: status 302 without a usable Location"])
            for to in ("mailto:x@a.test", "http://[::1/")
        ),
        *(
            (Reply(status), 1, [f"failed a/1: status {status}, {what}" for what in outcomes])
            for outcomes in [("again in 30 s", "given up")]
            for status in (429, 500, 503)
        ),
        (Reply(no="too large", again=False), 3, ["failed a/1: too large, given up"]),
        (
            Reply(no="timeout"),
            3,
            [
                "failed a/1: timeout, again in 30 s",
                "failed a/1: timeout, again in 60 s",
                "failed a/1: timeout, again in 120 s",
                "failed a/1: timeout, given up",
            ],
        ),
    ],
)
def test_what_becomes_of_a_page(reply: Reply, retries: int, reported: list[str]) -> None:
    with bench("a/1", script={"a/1": reply}, retries=retries) as made:
        made.run()
    assert made.reported("read", "failed", "refused", "redirected") == reported


@pytest.mark.parametrize("name", ["a/1", "a/robots.txt"])
def test_a_private_address_is_refused(name: str) -> None:
    with bench("a/1", script={name: Reply(no=PRIVATE)}, retries=3) as made:
        made.run()
    assert made.reported("failed", "refused") == [f"refused a/1: {PRIVATE}"]


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
    with bench("a/1", "a/2", script={"a/1": reply}, retries=1) as made:
        made.until(lambda: len(made.asked()) == 3)
    answered = 4.0  # robots.txt at 0, a/1 at 3
    assert made.asked()[-1][0] - answered == pytest.approx(rest)


def test_other_hosts_go_on_meanwhile_and_one_that_is_given_up_rests_all_the_same() -> None:
    script = {"a/1": Reply(429, headers=waiting("1000"))}
    with bench("a/1", "b/1", script=script, retries=1) as made:
        made.run()
    assert made.reported("failed", "read") == [
        "failed a/1: status 429, again in 1000 s",
        "read b/1",
        "failed a/1: status 429, given up",
    ]
    with bench("a/1", "a/2", script=script, retries=0) as made:
        made.run()
    assert made.reported("failed", "read") == ["failed a/1: status 429, given up", "read a/2"]
    assert made.asked()[-1] == (1004.0, "a/2")


def test_what_a_robots_txt_asks_for_is_done() -> None:
    with bench("a/1", "a/2", script={"a/robots.txt": robots_txt("Crawl-delay: 20")}) as made:
        made.run()
    assert made.asked() == [(0.0, "a/robots.txt"), (21.0, "a/1"), (42.0, "a/2")]
    with bench("a/1", "a/2", script={"a/robots.txt": robots_txt("Disallow: /1")}) as made:
        made.run()
    assert made.story == [
        "asked a/robots.txt", "refused a/1: robots.txt", "asked a/2", "read a/2"
    ]  # fmt: skip
    assert made.clock.now == NOW + 4.0
    with bench("a/1", "a/2", script={"a/robots.txt": (Reply(503), robots_txt())}) as made:
        made.run()
        assert where(made.frontier, url("a/2")) == "closed"
    assert sorted(made.reported("read")) == ["read a/1", "read a/2"]
    # Answered after 1 s, asked again after the first retry's 30.
    assert [ask for ask in made.asked() if ask[0] <= 31.0 or "robots" in ask[1]] == [
        (0.0, "a/robots.txt"), (31.0, "a/robots.txt")
    ]  # fmt: skip


def test_waits_double_up_to_an_hour_and_chance_shortens_them_by_half_at_most() -> None:
    tried = [candidate("a/1", attempts=done) for done in (0, 1, 2, 3, 4, 5, 6, 7, 10**9)]
    longest = [Retries(9, 60.0, NoJitter()).pause(each) for each in tried]
    assert longest == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]
    by_chance = Retries(9, 60.0, random.Random(0))
    pauses = [by_chance.pause(each) for each in tried * 20]
    assert all(a / 2 <= b <= a for a, b in zip(longest * 20, pauses, strict=True))


# One host that fails is its own trouble; all of them are the network's.


def test_failures_on_many_hosts_in_a_row_are_an_outage_until_one_responds() -> None:
    outage = Outage(failures=4, hosts=2)
    assert not any(outage.failed("a") for _ in range(100)) and not outage.on  # one host alone
    assert not outage.responded()  # and the count begins again
    assert [outage.failed(host) for host in "bbba"] == [False, False, False, True]
    assert outage.on and not outage.failed("c")  # it has begun already
    assert outage.responded()
    assert not outage.on and not outage.responded()


# From responses to pages: encodings, copies.


STORM = b"<title>Storm</title><p>wind</p><a href=/2>more</a>"
LONG = " ".join(f"word{number} of the storm" for number in range(60))


def page(body: bytes, *headers: tuple[str, str], status: int = 200, most: int = 10**6) -> Page:
    return page_of(url("a/1"), status, (*HTML, *headers), body, 5.0, most)


def test_pages_errors_encodings_and_directives() -> None:
    found = page(STORM)
    assert (found.url, found.status, found.fetched_at, found.size) == (url("a/1"), 200, 5.0, 50)
    assert (found.document.title, found.document.text.split()[0]) == ("Storm", "wind")
    assert [link.url for link in found.links] == [url("a/2")]
    assert (found.follow, found.index, found.problem) == (True, True, "")
    found = page(STORM, status=404)
    assert (found.ok, found.links, found.problem) == (False, (), "status 404")
    assert read_response_page(answer("a/1", Reply(404, LONG.encode())), 10**6).fingerprint is None
    found = page(gzip.compress(STORM), ("Content-Encoding", "gzip"), ("Transfer-Encoding", "gzip"))
    assert found.document.title == "Storm"
    bomb = gzip.compress(b"<p>" + b"storm " * 100_000)
    found = page(bomb, ("Content-Encoding", "gzip"), most=1_000)
    assert (found.size, found.problem) == (1_000, "body cut or damaged")
    found = page(b"<meta name=robots content=noindex>" + STORM, ("x-robots-tag", "nofollow"))
    assert (found.follow, found.index) == (False, False)


class Reading:
    """A reader that enters what it reads, as a crawl does."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.ledger = Ledger(database)
        self.reader = PageReader(self.ledger, 10**6)
        self.count = 0

    def read(self, body: bytes, status: int = 200) -> ReadPage:
        self.count += 1
        name = f"a/{self.count}"
        came = answer(name, Reply(status, body))
        read = self.reader.read(came, candidate(name))
        self.ledger.record(self.count, url(name), came.ended, read.digest, read.fingerprint)
        return read


@pytest.fixture
def reading() -> Iterator[Reading]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        yield Reading(database)


def test_the_same_bytes_are_a_copy_of_the_first(reading: Reading) -> None:
    reads = [reading.read(STORM) for _ in range(3)]
    assert [(read.page.copy_of, read.exact, read.page.problem) for read in reads] == [
        (None, False, ""), (1, True, "copy"), (1, True, "copy")
    ]  # fmt: skip


def test_nearly_the_same_text_is_a_near_copy(reading: Reading) -> None:
    first = reading.read(f"<p>{LONG}</p>".encode())
    second = reading.read(f"<div class=other>{LONG}</div>".encode())
    assert first.page.copy_of is None and first.fingerprint is not None
    assert (second.page.copy_of, second.exact, second.page.problem) == (1, False, "near copy")


def test_short_texts_empty_bodies_and_errors_are_no_copies(reading: Reading) -> None:
    reading.read(b"<p>wind</p>")
    others = (b"<div>wind</div>", b"", b"")
    assert [reading.read(body).page.copy_of for body in others] == [None] * 3
    errors = [reading.read(STORM, status) for status in (404, 404, 403)]
    assert [read.page.copy_of for read in [*errors, reading.read(STORM)]] == [None] * 4
    assert reading.read(STORM).page.copy_of == 8


def test_what_the_downloader_has_read_is_the_same_and_is_not_read_again(reading: Reading) -> None:
    came = answer("a/1", Reply(body=f"<title>x</title>{LONG}".encode()))
    there = read_response_page(came, 10**6)
    assert there.page is not None and there.fingerprint is not None
    read = reading.reader.read
    assert read(came, candidate("a/1")) == read(there, candidate("a/1"))
    reported = replace(there, page=replace(there.page, problem="as it was told"))
    as_reported = read(reported, replace(candidate("a/1"), redirects=(url("a/0"),))).page
    assert (as_reported.problem, as_reported.redirects) == ("as it was told", (url("a/0"),))
