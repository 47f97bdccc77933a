"""The parts of the Scrapy add-on by themselves: keys, notes, what is scored and what was learnt."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest
from scrapy import Request

from live.addon_running import STORM, focus
from scenthound.core.errors import FolderError
from scenthound.core.model import Candidate, Document, Link, Page, Score
from scenthound.live.addon_claim import standing
from scenthound.live.addon_focus import STATE_FILE
from scenthound.live.addon_notes import META, OWN_META, Note, address_of, note_of, tell
from scenthound.live.addon_requests import key_of, request_address, request_key
from scenthound.live.addon_under_way import FORGOTTEN_AFTER, UnderWay


def test_what_reaches_no_callback_is_done_after_a_while() -> None:
    under_way, request = UnderWay(), Request("http://a.test/")
    under_way.begin(request, "key")
    assert under_way.leaving({request}, 0.0) == []
    assert under_way.leaving(set(), 1.0) == ["key"]
    assert list(under_way.forgotten(FORGOTTEN_AFTER)) == []
    assert list(under_way.forgotten(FORGOTTEN_AFTER + 1.0)) == ["key"]
    assert under_way.all() == []


def test_standing() -> None:
    assert standing(0, 0.5) < standing(0, 1e9) < standing(0, None) < standing(1, -1e9)


def test_a_note_comes_back() -> None:
    request = Request("http://a.test/")
    assert note_of(request) == Note()
    note = Note(0.5, {"full": 0.4}, "storms", 7, 2)
    note.write(request, "request://a.test/1")
    assert (note_of(request), address_of(request)) == (note, "request://a.test/1")
    other = Request("http://a.test/", meta={META: "something else", OWN_META: 7})
    assert (note_of(other), address_of(other)) == (Note(), None)


def test_the_spider_sees_what_is_documented_and_no_more() -> None:
    request = Request("http://a.test/")
    Note(0.5, {"full": 0.4}, "storms", 7, 2).write(request, "request://a.test/1")
    about = {"score": 0.5, "parts": {"full": 0.4}, "anchor": "storms", "linked_from": 2}
    assert request.meta[META] == {**about, "similarity": None, "relevant": None}
    tell(request, 0.7, True)
    assert request.meta[META] == {**about, "similarity": 0.7, "relevant": True}
    bare = Request("http://a.test/", meta={META: "something else"})
    tell(bare, None, None)
    assert set(bare.meta[META]) == {*about, "similarity", "relevant"}


def test_keys_and_addresses() -> None:
    assert request_key(b"\x01") != request_key(b"\x01", "1")
    slots = ("a.test", "a/b c", "b.test")
    addresses = [request_address(slot, request_key(b"\x01", "1-2")) for slot in slots]
    assert len(set(addresses)) == 3
    assert {key_of(address) for address in addresses} == {"01-1-2"}
    assert all(address.count("/") == 3 for address in addresses)


def test_links_are_scored_by_url_and_other_requests_by_the_page(tmp_path: Path) -> None:
    made = focus(tmp_path)
    words = [Link("http://b.test/", "tea"), Link("http://b.test/", "storm")]
    page = Page("http://a.test/", 200, Document("Storm", "storm"), tuple(words))
    seed = Candidate(page.url, Score(1.0), 0)
    assert made.judge(seed, page).relevant
    links, other = made.score(seed, page)
    assert links["http://b.test/"].anchor == "storm"
    best, bare = links["http://b.test/"].score, other.score
    assert isinstance(best, Score) and isinstance(bare, Score)
    assert best.value > bare.value > 0.0


def test_what_was_learnt_comes_back(tmp_path: Path) -> None:
    job = tmp_path / "job"
    job.mkdir()
    with closing(focus(tmp_path, job)) as first:
        page = Page("http://a.test/", 200, Document("Storm", "storm over the sea"))
        first.judge(Candidate(page.url, Score(1.0), 0), page)
        first.save()
        with pytest.raises(FolderError, match=f"is being crawled by process {os.getpid()}"):
            focus(tmp_path, job)
    for _ in range(2):  # one that is refused leaves the folder to the next
        with pytest.raises(FolderError, match="has the topic 'storms', not 'floods'"):
            focus(tmp_path, job, text=STORM.replace("storms", "floods"))
    with closing(focus(tmp_path, job)) as again:
        assert again.pages == 1


@pytest.mark.parametrize("damage", [b"", b"xxxx", b"PK\x03\x04"])
def test_a_damaged_state_is_one_sentence_of_ours(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / STATE_FILE).write_bytes(damage)
    with pytest.raises(FolderError) as caught:
        focus(tmp_path, tmp_path)
    said = str(caught.value)
    assert said.endswith("take it away and the job learns anew.") and "pickle" not in said
