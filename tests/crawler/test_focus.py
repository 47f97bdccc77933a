"""Parts of the Scrapy add-on by themselves: keys, notes, what is scored and what was learned."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, Spider

from crawler.addon_running import STORM, Crawling, focus, scheduler, scored
from scenthound.core.errors import FolderError
from scenthound.core.model import Candidate, Combination, Document, Link, Page, Score
from scenthound.crawler.scrapy_addon.focus import (
    META,
    OWN_META,
    STATE_FILE,
    Note,
    address_of,
    note_of,
    write_result,
)
from scenthound.crawler.scrapy_addon.requests import RequestPriority
from scenthound.crawler.scrapy_addon.scheduler import (
    LOST_AFTER,
    BestFirstScheduler,
    InFlightRequests,
)


def test_what_reaches_no_callback_is_done_after_a_while() -> None:
    under_way, request = InFlightRequests(), Request("http://a.test/")
    under_way.downloading[request] = "key"
    assert under_way.leaving({request}, 0.0) == []
    assert under_way.leaving(set(), 1.0) == ["key"]
    assert list(under_way.lost(LOST_AFTER)) == []
    assert list(under_way.lost(LOST_AFTER + 1.0)) == ["key"]
    assert not under_way.downloading and not under_way.left


def test_the_standing_of_a_request_is_its_priority_then_its_score() -> None:
    def standing(priority: int, score: float | None) -> float:
        made = RequestPriority(priority)
        made.see(Note(score), priority, Combination.MAX)
        return made.standing

    assert standing(0, 0.5) < standing(0, 1e9) < standing(0, None) < standing(1, -1e9)


def test_a_note_comes_back_and_the_spider_sees_what_is_documented_and_no_more() -> None:
    request = Request("http://a.test/")
    assert note_of(request) == Note()
    note = Note(0.5, {"full": 0.4}, "storms", 7, 2)
    note.write(request, "request://a.test/1")
    assert (note_of(request), address_of(request)) == (note, "request://a.test/1")
    about = {"score": 0.5, "parts": {"full": 0.4}, "anchor": "storms", "linked_from": 2}
    assert request.meta[META] == {**about, "similarity": None, "relevant": None}
    write_result(request, 0.7, True)
    assert request.meta[META] == {**about, "similarity": 0.7, "relevant": True}
    other = Request("http://a.test/", meta={META: "something else", OWN_META: 7})
    assert (note_of(other), address_of(other)) == (Note(), None)
    write_result(other, None, None)
    assert set(other.meta[META]) == {*about, "similarity", "relevant"}


def test_links_are_scored_by_url_and_other_requests_by_the_page(tmp_path: Path) -> None:
    made = focus(tmp_path)
    words = [Link("http://b.test/", "tea"), Link("http://b.test/", "storm")]
    page = Page("http://a.test/", 200, Document("Storm", "storm"), tuple(words))
    seed = Candidate(page.url, Score(1.0), 0)
    assert made.judge(seed, page)[1]
    links, other = made.score(seed, page)
    (best, anchor), (bare, _) = links["http://b.test/"], other
    assert anchor == "storm"
    assert isinstance(best, Score) and isinstance(bare, Score)
    assert best.value > bare.value > 0.0


def test_what_was_learned_comes_back(tmp_path: Path) -> None:
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
    printed = str(caught.value)
    assert (
        printed.endswith("take it away and the job learns from the start.")
        and "pickle" not in printed
    )


# The scheduler of the Scrapy add-on, without a reactor: order, hosts, what is the same, jobs.


@pytest.fixture
def crawling() -> Crawling:
    return Crawling()


@pytest.fixture
def made(tmp_path: Path, crawling: Crawling) -> Iterator[BestFirstScheduler]:
    with scheduler(tmp_path, crawling) as opened:
        yield opened


def take(made: BestFirstScheduler, crawling: Crawling, count: int) -> list[str | None]:
    """The next requests go into the downloader; None where none is ready."""
    urls: list[str | None] = []
    for _ in range(count):
        request = made.next_request()
        crawling.active.update(filter(None, [request]))
        urls.append(None if request is None else request.url)
    return urls


def test_priority_comes_before_score_and_start_before_links_then_the_first_among_equals(
    made: BestFirstScheduler, crawling: Crawling
) -> None:
    for host, score, priority in (
        ("a", 0.2, 0), ("b", 0.9, 0), ("c", 0.9, 0), ("d", 0.1, 2), ("e", 0.9, -1),
    ):  # fmt: skip
        assert made.enqueue_request(scored(f"http://{host}.test/", score, priority=priority))
    made.enqueue_request(Request("http://start.test/"))
    hosts = ("d", "start", "b", "c", "a", "e")
    assert take(made, crawling, 6) == [f"http://{host}.test/" for host in hosts]
    assert not made.has_pending_requests()
    assert made.next_request() is None


def test_more_evidence_brings_a_request_forward(
    made: BestFirstScheduler, crawling: Crawling
) -> None:
    made.enqueue_request(scored("http://a.test/", 0.3))
    made.enqueue_request(scored("http://b.test/", 0.5))
    assert not made.enqueue_request(scored("http://a.test/", 0.8))
    request = made.next_request()
    assert request is not None and request.url == "http://a.test/"
    assert request.meta[META]["score"] == pytest.approx(0.8)
    assert request.meta[META]["linked_from"] == 2
    assert crawling.stats.get_value("scenthound/rescored") == 1


def test_priorities_are_never_averaged_and_scores_stay_pure(
    tmp_path: Path, crawling: Crawling
) -> None:
    with scheduler(tmp_path, crawling, strategy="vsm-mean") as made:
        made.enqueue_request(Request("http://start.test/"))
        for host, score, priority in (
            ("six", 0.9, 0), ("six", 0.9, 6), ("ten", 0.25, 10), ("ten", 0.75, 0),
            ("zero", 0.9, 0), ("start", 0.25, 0),
        ):  # fmt: skip
            made.enqueue_request(scored(f"http://{host}.test/", score, priority=priority))
        handed = filter(None, [made.next_request() for _ in range(4)])
    about = [(one.priority, one.meta[META]["score"], one.meta[META]["linked_from"], one.url)
             for one in handed]  # fmt: skip
    assert about == [
        (10, 0.5, 2, "http://ten.test/"), (6, 0.9, 2, "http://six.test/"),
        (0, 0.25, 1, "http://start.test/"), (0, 0.9, 1, "http://zero.test/"),
    ]  # fmt: skip


@pytest.mark.parametrize("on_disk", [False, True])
def test_a_request_is_the_same_whatever_its_slot(
    tmp_path: Path, crawling: Crawling, on_disk: bool
) -> None:
    handed_on = {"download_slot": "other", "is_start_request": True}
    first, second, third = (f"http://a.test/{n}" for n in (1, 2, 3))
    with scheduler(tmp_path, crawling, tmp_path if on_disk else None) as made:
        assert made.enqueue_request(scored(first, 0.9))
        assert not made.enqueue_request(scored(first, 0.9, meta=handed_on))
        assert made.enqueue_request(scored(second, 0.8))
        assert made.enqueue_request(scored(third, 0.1, meta=handed_on))
        assert made.enqueue_request(scored(third, 0.1, meta=handed_on, dont_filter=True))
        assert take(made, crawling, 3) == [first, third, None]  # the slot of the third is free
        assert not made.enqueue_request(scored(first, 0.9, meta=handed_on))


def test_one_object_asked_for_twice_is_under_way_twice(
    made: BestFirstScheduler, crawling: Crawling
) -> None:
    request = Request("http://a.test/", dont_filter=True)
    made.enqueue_request(request)
    request.meta["download_slot"] = "another"
    made.enqueue_request(request)
    assert take(made, crawling, 2) == ["http://a.test/"] * 2
    assert len({address_of(one) for one in crawling.active}) == 2
    crawling.active.clear()
    made.enqueue_request(scored("http://a.test/2", 0.5))
    made.enqueue_request(scored("http://a.test/3", 0.4, meta={"download_slot": "another"}))
    assert take(made, crawling, 2) == ["http://a.test/2", "http://a.test/3"]


def test_a_busy_host_is_passed_over(made: BestFirstScheduler, crawling: Crawling) -> None:
    for path, score in (("a.test/1", 0.9), ("a.test/2", 0.8), ("b.test/", 0.1)):
        made.enqueue_request(scored(f"http://{path}", score))
    assert take(made, crawling, 3) == ["http://a.test/1", "http://b.test/", None]
    assert made.has_pending_requests()
    crawling.active.clear()  # answered, failed, or dropped by a middleware: all the same
    assert take(made, crawling, 1) == ["http://a.test/2"]


def test_unfiltered_requests_are_never_merged_but_start_pages_are(tmp_path: Path) -> None:
    start = {"is_start_request": True}
    with scheduler(tmp_path, Crawling()) as made:
        assert made.enqueue_request(scored("http://a.test/", 0.1, dont_filter=True))
        assert made.enqueue_request(scored("http://a.test/", 0.1, dont_filter=True))
        assert made.enqueue_request(Request("http://b.test/", meta=start, dont_filter=True))
        assert not made.enqueue_request(Request("http://b.test/", meta=start, dont_filter=True))
    with scheduler(tmp_path, Crawling(), filters=False) as made:  # as in Scrapy's shell
        assert made.enqueue_request(scored("http://a.test/", 0.1))
        assert made.enqueue_request(scored("http://a.test/", 0.1))
        retried = {**start, "retry_times": 1}
        assert made.enqueue_request(Request("http://b.test/", meta=retried, dont_filter=True))


def test_requests_survive_with_the_job(tmp_path: Path, crawling: Crawling) -> None:
    sent = scored("http://a.test/", 0.4, method="POST", body=b"\x00\xff", cb_kwargs={"n": 1})
    with scheduler(tmp_path, crawling, tmp_path) as made:
        made.enqueue_request(sent)
        made.enqueue_request(scored("http://b.test/", 0.9))
        assert take(made, crawling, 1) == ["http://b.test/"]
    with scheduler(tmp_path, Crawling(), tmp_path) as made:
        request = made.next_request()
        assert request is not None
        assert (request.method, request.body) == ("POST", b"\x00\xff")
        assert request.cb_kwargs == {"n": 1}
        assert not made.enqueue_request(scored("http://b.test/", 0.9))


def test_a_request_that_cannot_be_written_waits_in_memory(
    tmp_path: Path, crawling: Crawling
) -> None:
    with scheduler(tmp_path, crawling, tmp_path) as made:
        nameless: Any = lambda response: None  # noqa: E731
        made.enqueue_request(Request("http://a.test/", callback=nameless))
        made.enqueue_request(Request("http://b.test/", meta={"odd": lambda: 1}))
        assert crawling.stats.get_value("scheduler/enqueued/memory") == 2
    again = Crawling()
    with scheduler(tmp_path, again, tmp_path) as made:
        assert made.next_request() is None
        assert again.stats.get_value("scenthound/lost") == 2


class WithCallback(Spider):
    name = "any"

    def parse_more(self, response: Any) -> None:
        """What a later version of the spider does without."""


def test_a_callback_that_is_gone_loses_its_requests_only(
    tmp_path: Path, crawling: Crawling, caplog: pytest.LogCaptureFixture
) -> None:
    spider = WithCallback()
    with scheduler(tmp_path, Crawling(), tmp_path, spider) as made:
        for path in "12":
            made.enqueue_request(Request(f"http://a.test/{path}", callback=spider.parse_more))
        made.enqueue_request(scored("http://a.test/3", 0.1))
    with scheduler(tmp_path, crawling, tmp_path) as made:
        assert take(made, crawling, 1) == ["http://a.test/3"]
        assert not made.has_pending_requests()
    assert crawling.stats.get_value("scenthound/lost") == 2
    (reported,) = caplog.messages
    assert "Method 'parse_more' not found" in reported


OLD_PRIORITY = base64.b64decode(
    "gASV0gEAAAAAAACMG3NjZW50aG91bmQubGl2ZS5hZGRvbl9jbGFpbZSMBUNsYWltlJOUKYGUTn2UKIwIcHJpb3Jp"
    "dHmUSwOMBXN0YXJ0lImMCGV2aWRlbmNllIwcc2NlbnRob3VuZC5mcm9udGllci5ldmlkZW5jZZSMCEV2aWRlbmNl"
    "lJOUKYGUTn2UKIwFZGVwdGiUSwCMBXNjb3JllEc/4AAAAAAAAIwJc2lnaHRpbmdzlEsCjAVwYXJ0c5SMFXNjZW50"
    "aG91bmQuY29yZS5tb2RlbJSMBFBhcnSUk5QpgZRdlCiMBGZ1bGyURz/ZmZmZmZmaRz/QAAAAAAAAZWJoEymBlF2U"
    "KIwGYW5jaG9ylEc/6ZmZmZmZmkc/4AAAAAAAAGVihpSMB2lubGlua3OUXZQoaBGMBklubGlua5STlCmBlF2UKEsH"
    "aBGMBVNjb3JllJOUKYGUXZQoRz/gAAAAAAAAaBplYowGc3Rvcm1zlGViaB4pgZRdlChLCWgiKYGUXZQoRz/gAAAA"
    "AAAAaBMpgZRdlChoFkc/2ZmZmZmZmkc/0AAAAAAAAGViaBMpgZRdlChoGUc/6ZmZmZmZmkc/4AAAAAAAAGVihpRl"
    "YmglZWJldYaUYnWGlGIu"
)
"""Pickled by version 0.1: priority 3, two links with the score 0.5."""


def test_a_job_folder_of_version_0_1_is_resumed(tmp_path: Path) -> None:
    with scheduler(tmp_path, Crawling(), tmp_path) as made:
        made.enqueue_request(scored("http://a.test/", 0.9))
        made._database.execute("UPDATE addon_known SET claim = ?", (OLD_PRIORITY,))
    with scheduler(tmp_path, Crawling(), tmp_path) as made:
        made.enqueue_request(scored("http://a.test/", 0.2))
        request = made.next_request()
        assert request is not None and request.priority == 3
        assert request.meta[META]["score"] == 0.5
        assert (request.meta[META]["anchor"], request.meta[META]["linked_from"]) == ("storms", 3)
