"""Pages that a browser showed, in the crawl: copies by what is shown, and the same after a kill."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from live.browsing_making import LONG, MOST, SHELL, SHOWN, answer
from live.part_building import HTML, candidate, page_event, url
from scenthound.live.keeping import _exchange, _fields
from scenthound.live.messages import Answer
from scenthound.live.pages import PageReader, ReadPage, page_of
from scenthound.live.rendering import read_rendered
from scenthound.store.ledger import Ledger
from scenthound.store.warc import WarcWriter
from scenthound.store.warc_reading import read_position

OTHER = b"<h1>quite another text</h1><a href=/three>three</a>"


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        yield Ledger(connection)


def shown(name: str, html: bytes, body: bytes = SHELL) -> Answer:
    return read_rendered(replace(answer(name, body), rendered=html), MOST)


def read(ledger: Ledger, number: int, came: Answer) -> ReadPage:
    found = PageReader(ledger, MOST).read(came, candidate(f"a/{number}"))
    ledger.record(number, came.ask.url, came.ended, found.digest, found.fingerprint)
    return found


def test_pages_of_an_application_are_sent_alike_and_are_no_copies(ledger: Ledger) -> None:
    first, second = read(ledger, 1, shown("a/1", SHOWN)), read(ledger, 2, shown("a/2", OTHER))
    assert (first.page.copy_of, second.page.copy_of) == (None, None)
    assert first.page.rendered and second.page.rendered


def test_pages_that_show_the_same_are_copies_but_both_are_stored(ledger: Ledger) -> None:
    read(ledger, 1, shown("a/1", SHOWN))
    same = read(ledger, 2, shown("a/2", SHOWN, b"<script>other()</script>"))
    assert (same.page.copy_of, same.page.problem) == (1, "copy")
    assert not same.exact  # what was sent is not what the first one was sent as


def test_what_is_read_back_is_what_the_crawl_saw(tmp_path: Path) -> None:
    headers = (*HTML, ("X-Robots-Tag", "nofollow"), ("Content-Language", "en"))
    came = replace(answer(headers=headers), rendered=SHOWN)
    page = read_rendered(came, MOST).page
    writer = WarcWriter.open(tmp_path, None, {})
    position = writer.write(_exchange(came), [])
    writer.close()
    stored = read_position(tmp_path, position)
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
