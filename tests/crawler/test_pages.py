"""Copies have the same fingerprint, pages that only share a frame do not."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from crawler.browsing_making import LONG, MOST, SHELL, SHOWN, answer
from crawler.part_building import HTML, candidate, page_event, url
from scenthound.core.model import Document
from scenthound.crawler.checkpoint import _exchange, _fields
from scenthound.fetch.messages import FetchResponse
from scenthound.fetch.pages import (
    FEWEST_WORDS,
    PageReader,
    ReadPage,
    fingerprint,
    read_rendered_page,
)
from scenthound.storage.database import Ledger
from scenthound.storage.pages import page_of
from scenthound.storage.warc_reader import read_response
from scenthound.storage.warc_writer import WarcWriter


def text(words: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    return [f"w{rng.randrange(5_000)}" for _ in range(words)]


def page(words: list[str], title: str = "Title") -> int:
    found = fingerprint(Document(title=title, text=" ".join(words)))
    assert found is not None
    return found


def test_the_same_words_in_another_dress() -> None:
    words = text(600, 1)
    plain = Document(title="A title", text=" ".join(words))
    dressed = Document(title="A TITLE", text=",\n".join(word.upper() for word in words) + "!")
    assert fingerprint(plain) == fingerprint(dressed)


def test_most_copies_with_another_date_are_found() -> None:
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


def test_short_texts_are_not_compared() -> None:
    assert fingerprint(Document()) is None
    assert fingerprint(Document(title="one", text="two " * (FEWEST_WORDS - 2))) is None
    assert fingerprint(Document(title="one", text="two " * (FEWEST_WORDS - 1))) is not None


def test_fingerprints_fit_a_signed_column_and_use_its_whole_range() -> None:
    prints = [page(text(50, seed)) for seed in range(200)]
    assert all(-(2**63) <= each < 2**63 for each in prints)
    assert 60 < sum(each < 0 for each in prints) < 140


def test_the_same_in_every_process() -> None:
    code = (
        "from scenthound.fetch.pages import fingerprint; "
        "from scenthound.core.model import Document; import sys; "
        "sys.stdout.write(str(fingerprint(Document(text='a b c d e ' * 10))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert int(done.stdout) == fingerprint(Document(text="a b c d e " * 10))


def test_texts_without_blanks_are_compared_too() -> None:
    """Chinese has hardly a blank: the pairs of its characters are what is compared."""
    text = "台风是热带海洋上空形成的强烈气旋，中心附近风力很大，"
    text += "常常带来暴雨和风暴潮，沿海居民应当及时撤离。"
    same, other = Document("台风", text), Document("咖啡", text[::-1])
    assert fingerprint(same) == fingerprint(Document("台风", text)) is not None
    assert fingerprint(same) != fingerprint(other)


# Pages that a browser showed, in the crawl: copies by what is shown, and the same after a kill.


OTHER = b"<h1>quite another text</h1><a href=/three>three</a>"


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        yield Ledger(connection)


def shown(name: str, html: bytes, body: bytes = SHELL) -> FetchResponse:
    return read_rendered_page(replace(answer(name, body), rendered=html), MOST)


def read(ledger: Ledger, number: int, came: FetchResponse) -> ReadPage:
    found = PageReader(ledger, MOST).read(came, candidate(f"a/{number}"))
    ledger.record(number, came.request.url, came.ended, found.digest, found.fingerprint)
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
    page = read_rendered_page(came, MOST).page
    writer = WarcWriter.open(tmp_path, None, {})
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
