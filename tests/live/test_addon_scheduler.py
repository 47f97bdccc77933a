"""The scheduler of the Scrapy add-on, without a reactor: order, hosts, what is the same, jobs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy import Request, Spider
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.request import RequestFingerprinter

from live.addon_running import focus
from scenthound.live.addon_notes import META, Note, address_of
from scenthound.live.addon_scheduler import BestFirstScheduler


class Crawling:
    """A crawler as far as the scheduler looks at it; ``active`` is in the downloader."""

    def __init__(self) -> None:
        self.active: set[Request] = set()
        self.stats = MemoryStatsCollector(cast(Any, SimpleNamespace(settings=Settings())))
        self.request_fingerprinter = RequestFingerprinter()
        downloader = SimpleNamespace(
            active=self.active,
            get_slot_key=lambda request: (
                request.meta.get("download_slot") or request.url.split("/")[2]
            ),
        )
        self.engine = SimpleNamespace(downloader=downloader)
        self.now = 1_000.0


@contextmanager
def scheduler(
    folder: Path,
    crawling: Crawling,
    job: Path | None = None,
    spider: Spider | None = None,
    **more: Any,
) -> Iterator[BestFirstScheduler]:
    focused = focus(folder, job, strategy=more.pop("strategy", "vsm"))
    made = BestFirstScheduler(cast(Any, crawling), focused, 1, lambda: crawling.now, **more)
    made.open(spider or Spider(name="any"))
    try:
        yield made
    finally:
        made.close("finished")


def scored(url: str, score: float | None, **more: Any) -> Request:
    request = Request(url, **more)
    Note(score).write(request)
    return request


def take(made: BestFirstScheduler, crawling: Crawling) -> str | None:
    """The next request goes into the downloader."""
    request = made.next_request()
    if request is None:
        return None
    crawling.active.add(request)
    return request.url


def test_the_best_first_and_the_first_among_equals(tmp_path: Path) -> None:
    crawling = Crawling()
    with scheduler(tmp_path, crawling) as made:
        for host, score in (("a", 0.2), ("b", 0.9), ("c", 0.9), ("d", 0.5)):
            assert made.enqueue_request(scored(f"http://{host}.test/", score))
        urls = [take(made, crawling) for _ in range(4)]
        assert urls == [f"http://{host}.test/" for host in "bcda"]
        assert not made.has_pending_requests()
        assert made.next_request() is None


def test_priority_comes_before_score_and_start_before_links(tmp_path: Path) -> None:
    crawling = Crawling()
    with scheduler(tmp_path, crawling) as made:
        made.enqueue_request(scored("http://a.test/", 0.9))
        made.enqueue_request(scored("http://b.test/", 0.1, priority=2))
        made.enqueue_request(scored("http://c.test/", 0.9, priority=-1))
        made.enqueue_request(Request("http://d.test/"))
        assert [take(made, crawling) for _ in range(4)] == [
            "http://b.test/",
            "http://d.test/",
            "http://a.test/",
            "http://c.test/",
        ]


def test_more_evidence_brings_a_request_forward(tmp_path: Path) -> None:
    crawling = Crawling()
    with scheduler(tmp_path, crawling) as made:
        made.enqueue_request(scored("http://a.test/", 0.3))
        made.enqueue_request(scored("http://b.test/", 0.5))
        assert not made.enqueue_request(scored("http://a.test/", 0.8))
        request = made.next_request()
        assert request is not None and request.url == "http://a.test/"
        assert request.meta[META]["score"] == pytest.approx(0.8)
        assert request.meta[META]["linked_from"] == 2
        assert crawling.stats.get_value("scenthound/rescored") == 1


def test_priorities_are_never_averaged_and_scores_stay_pure(tmp_path: Path) -> None:
    crawling = Crawling()
    with scheduler(tmp_path, crawling, strategy="vsm-mean") as made:
        made.enqueue_request(Request("http://start.test/"))
        for url, score, priority in (
            ("http://six.test/", 0.9, 0),
            ("http://six.test/", 0.9, 6),
            ("http://ten.test/", 0.25, 10),
            ("http://ten.test/", 0.75, 0),
            ("http://zero.test/", 0.9, 0),
            ("http://start.test/", 0.25, 0),
        ):
            made.enqueue_request(scored(url, score, priority=priority))
        handed = [made.next_request() for _ in range(4)]
    about = [
        (one.url, one.priority, one.meta[META]["score"], one.meta[META]["linked_from"])
        for one in handed
        if one is not None
    ]
    assert about == [
        ("http://ten.test/", 10, 0.5, 2),
        ("http://six.test/", 6, 0.9, 2),
        ("http://start.test/", 0, 0.25, 1),
        ("http://zero.test/", 0, 0.9, 1),
    ]


@pytest.mark.parametrize("on_disk", [False, True])
def test_a_request_is_the_same_whatever_its_slot(tmp_path: Path, on_disk: bool) -> None:
    crawling = Crawling()
    handed_on = {"download_slot": "other", "is_start_request": True}
    with scheduler(tmp_path, crawling, tmp_path if on_disk else None) as made:
        assert made.enqueue_request(scored("http://a.test/1", 0.9))
        assert not made.enqueue_request(scored("http://a.test/1", 0.9, meta=handed_on))
        assert made.enqueue_request(scored("http://a.test/2", 0.8))
        assert made.enqueue_request(scored("http://a.test/3", 0.1, meta=handed_on))
        unfiltered: Any = {"meta": handed_on, "dont_filter": True}
        assert made.enqueue_request(scored("http://a.test/3", 0.1, **unfiltered))
        assert [take(made, crawling) for _ in range(3)] == [
            "http://a.test/1",
            "http://a.test/3",  # its slot is free
            None,
        ]
        assert not made.enqueue_request(scored("http://a.test/1", 0.9, meta=handed_on))


def test_requests_stay_the_objects_they_are(tmp_path: Path) -> None:
    crawling = Crawling()
    with scheduler(tmp_path, crawling, filters=False) as made:
        request = Request("http://a.test/", cb_kwargs={"shared": [1]})
        assert made.enqueue_request(request)
        assert made.next_request() is request
        assert made.enqueue_request(request)
        assert made.enqueue_request(request.replace(url="http://b.test/"))
        assert made.next_request() is request
        other = made.next_request()
        assert other is not None and other.cb_kwargs["shared"] is request.cb_kwargs["shared"]
        assert crawling.stats.get_value("scheduler/enqueued/memory") == 3


def test_one_object_asked_for_twice_is_under_way_twice(tmp_path: Path) -> None:
    crawling = Crawling()
    with scheduler(tmp_path, crawling) as made:
        request = Request("http://a.test/", dont_filter=True)
        made.enqueue_request(request)
        request.meta["download_slot"] = "another"
        made.enqueue_request(request)
        assert take(made, crawling) == take(made, crawling) == "http://a.test/"
        assert len({address_of(one) for one in crawling.active}) == 2
        crawling.active.clear()
        made.enqueue_request(scored("http://a.test/2", 0.5))
        made.enqueue_request(scored("http://a.test/3", 0.4, meta={"download_slot": "another"}))
        assert take(made, crawling) == "http://a.test/2"
        assert take(made, crawling) == "http://a.test/3"


def test_a_busy_host_is_passed_over(tmp_path: Path) -> None:
    crawling = Crawling()
    with scheduler(tmp_path, crawling) as made:
        for path, score in (("a.test/1", 0.9), ("a.test/2", 0.8), ("b.test/", 0.1)):
            made.enqueue_request(scored(f"http://{path}", score))
        assert take(made, crawling) == "http://a.test/1"
        assert take(made, crawling) == "http://b.test/"
        assert made.next_request() is None
        assert made.has_pending_requests()
        crawling.active.clear()  # answered, failed, or dropped by a middleware: all the same
        assert take(made, crawling) == "http://a.test/2"


def test_unfiltered_requests_are_never_merged_but_start_pages_are(tmp_path: Path) -> None:
    with scheduler(tmp_path, Crawling()) as made:
        again: Any = {"dont_filter": True}
        assert made.enqueue_request(scored("http://a.test/", 0.1, **again))
        assert made.enqueue_request(scored("http://a.test/", 0.1, **again))
        start = {"is_start_request": True}
        assert made.enqueue_request(Request("http://b.test/", meta=start, **again))
        assert not made.enqueue_request(Request("http://b.test/", meta=start, **again))
        retried = {**start, "retry_times": 1}
        assert made.enqueue_request(Request("http://b.test/", meta=retried, **again))


def test_requests_survive_with_the_job(tmp_path: Path) -> None:
    crawling, job = Crawling(), tmp_path / "job"
    job.mkdir()
    sent = scored("http://a.test/", 0.4, method="POST", body=b"\x00\xff", cb_kwargs={"n": 1})
    with scheduler(tmp_path, crawling, job) as made:
        made.enqueue_request(sent)
        made.enqueue_request(scored("http://b.test/", 0.9))
        assert take(made, crawling) == "http://b.test/"
    with scheduler(tmp_path, Crawling(), job) as made:
        request = made.next_request()
        assert request is not None
        assert (request.method, request.body) == ("POST", b"\x00\xff")
        assert request.cb_kwargs == {"n": 1}
        assert not made.enqueue_request(scored("http://b.test/", 0.9))


def test_a_request_that_cannot_be_written_waits_in_memory(tmp_path: Path) -> None:
    crawling, job = Crawling(), tmp_path / "job"
    job.mkdir()
    with scheduler(tmp_path, crawling, job) as made:
        nameless: Any = lambda response: None  # noqa: E731
        made.enqueue_request(Request("http://a.test/", callback=nameless))
        made.enqueue_request(Request("http://b.test/", meta={"odd": lambda: 1}))
        assert crawling.stats.get_value("scheduler/enqueued/memory") == 2
    again = Crawling()
    with scheduler(tmp_path, again, job) as made:
        assert made.next_request() is None
        assert again.stats.get_value("scenthound/lost") == 2


class WithCallback(Spider):
    name = "any"

    def parse_more(self, response: Any) -> None:
        """What a later version of the spider does without."""


def test_a_callback_that_is_gone_loses_its_requests_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    spider = WithCallback()
    with scheduler(tmp_path, Crawling(), tmp_path, spider) as made:
        for path in "12":
            made.enqueue_request(Request(f"http://a.test/{path}", callback=spider.parse_more))
        made.enqueue_request(scored("http://a.test/3", 0.1))
    again = Crawling()
    with scheduler(tmp_path, again, tmp_path) as made:
        assert take(made, again) == "http://a.test/3"
        assert not made.has_pending_requests()
    assert again.stats.get_value("scenthound/lost") == 2
    (told,) = caplog.messages
    assert "Method 'parse_more' not found" in told
