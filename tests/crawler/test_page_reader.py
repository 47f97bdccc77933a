"""From answers to pages: encodings, copies."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from crawler.scripted_downloads import Reply, answer, candidate, url
from scenthound.core.model import Page
from scenthound.fetch.messages import PageReader, ReadPage, read_response_page
from scenthound.storage.database import Ledger
from scenthound.storage.pages import page_of

HTML = ("Content-Type", "text/html")
STORM = b"<title>Storm</title><p>wind</p><a href=/2>more</a>"
LONG = " ".join(f"word{number} of the storm" for number in range(60))


def page(body: bytes, *headers: tuple[str, str], status: int = 200, most: int = 10**6) -> Page:
    return page_of(url("a/1"), status, (HTML, *headers), body, 5.0, most)


def test_a_page_and_an_error() -> None:
    found = page(STORM)
    assert (found.url, found.status, found.fetched_at, found.size) == (url("a/1"), 200, 5.0, 50)
    assert (found.document.title, found.document.text.split()[0]) == ("Storm", "wind")
    assert [link.url for link in found.links] == [url("a/2")]
    assert (found.follow, found.index, found.problem) == (True, True, "")
    found = page(STORM, status=404)
    assert (found.ok, found.links, found.problem) == (False, (), "status 404")
    assert read_response_page(answer("a/1", Reply(404, LONG.encode())), 10**6).fingerprint is None


def test_content_encoding_is_undone_up_to_the_limit_and_transfer_encoding_was() -> None:
    found = page(gzip.compress(STORM), ("Content-Encoding", "gzip"), ("Transfer-Encoding", "gzip"))
    assert found.document.title == "Storm"
    bomb = gzip.compress(b"<p>" + b"storm " * 100_000)
    found = page(bomb, ("Content-Encoding", "gzip"), most=1_000)
    assert (found.size, found.problem) == (1_000, "body cut or damaged")


def test_robots_elements_and_headers_hold_together() -> None:
    found = page(b"<meta name=robots content=noindex>" + STORM, ("x-robots-tag", "nofollow"))
    assert (found.follow, found.index) == (False, False)


# copies


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


# read by the downloader


def test_what_the_downloader_has_read_is_the_same_and_is_not_read_again(reading: Reading) -> None:
    came = answer("a/1", Reply(body=f"<title>x</title>{LONG}".encode()))
    there = read_response_page(came, 10**6)
    assert there.page is not None and there.fingerprint is not None
    read = reading.reader.read
    assert read(came, candidate("a/1")) == read(there, candidate("a/1"))
    told = replace(there, page=replace(there.page, problem="as it was told"))
    page = read(told, replace(candidate("a/1"), redirects=(url("a/0"),))).page
    assert (page.problem, page.redirects) == ("as it was told", (url("a/0"),))
