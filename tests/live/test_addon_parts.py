"""The parts of the Scrapy add-on, without a reactor: order, hosts, keys, notes, settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import UsageError
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.request import RequestFingerprinter

from scenthound.api import DEFAULT_STRATEGY
from scenthound.core.errors import InputError
from scenthound.core.model import Candidate, Document, Link, Page, Score
from scenthound.live import addon_topic
from scenthound.live.addon import FocusedCrawl
from scenthound.live.addon_focus import Focus
from scenthound.live.addon_notes import META, Note, note_of, standing
from scenthound.live.addon_requests import request_key
from scenthound.live.addon_scheduler import BestFirstScheduler
from scenthound.live.addon_topic import Wanted, read_focus
from scenthound.live.addon_under_way import FORGOTTEN_AFTER, UnderWay

TOPIC = 'name = "storms"\nkeywords = ["storm"]\n'


class Crawling:
    """A crawler as far as the scheduler looks at it; ``active`` is in the downloader."""

    def __init__(self) -> None:
        self.active: set[Request] = set()
        self.stats = MemoryStatsCollector(cast(Any, SimpleNamespace(settings=Settings())))
        self.request_fingerprinter = RequestFingerprinter()
        downloader = SimpleNamespace(
            active=self.active, get_slot_key=lambda request: request.url.split("/")[2]
        )
        self.engine = SimpleNamespace(downloader=downloader)
        self.now = 1_000.0


def focus(folder: Path, job: Path | None = None, **more: Any) -> Focus:
    path = folder / "topic.toml"
    path.write_text(more.pop("text", TOPIC), encoding="utf-8")
    given = {"strategy": "vsm", **more}
    warned: list[str] = []
    return read_focus(
        Wanted(str(path), job=None if job is None else str(job), **given), warned.append
    )


@contextmanager
def scheduler(
    folder: Path, crawling: Crawling, job: Path | None = None
) -> Iterator[BestFirstScheduler]:
    made = BestFirstScheduler(cast(Any, crawling), focus(folder, job), 1, lambda: crawling.now)
    made.open(Spider(name="any"))
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
    note = Note(0.5, {"full": 0.4}, "storms", 7)
    note.write(request)
    assert note_of(request) == note
    assert note_of(Request("http://a.test/", meta={META: "something else"})) == Note()


def test_a_key_keeps_slots_and_serials_apart() -> None:
    keys = {
        request_key("a.test", b"\x01"),
        request_key("a.test", b"\x01", "1"),
        request_key("a/b c", b"\x01"),
        request_key("b.test", b"\x01"),
    }
    assert len(keys) == 4
    assert all(key.count("/") <= 4 for key in keys)


def test_links_are_scored_by_url_and_other_requests_by_the_page(tmp_path: Path) -> None:
    made = focus(tmp_path)
    words = [Link("http://b.test/", "tea"), Link("http://b.test/", "storm")]
    page = Page("http://a.test/", 200, Document("Storm", "storm"), tuple(words))
    assert made.judge(page).relevant
    links, other = made.score(Candidate("http://a.test/", Score(1.0), 0), page)
    assert links["http://b.test/"].anchor == "storm"
    best, bare = links["http://b.test/"].score, other.score
    assert isinstance(best, Score) and isinstance(bare, Score)
    assert best.value > bare.value > 0.0


def test_what_was_learnt_comes_back(tmp_path: Path) -> None:
    job = tmp_path / "job"
    job.mkdir()
    first = focus(tmp_path, job)
    first.judge(Page("http://a.test/", 200, Document("Storm", "storm over the sea")))
    first.save()
    assert focus(tmp_path, job).pages == 1
    with pytest.raises(InputError, match="has the topic 'storms', not 'floods'"):
        focus(tmp_path, job, text=TOPIC.replace("storms", "floods"))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"strategy": "vms"}, "unknown strategy 'vms'; did you mean 'vsm'"),
        ({"strategy": "oracle"}, "steered by labels"),
        ({"parameters": {"depth": 1}}, "unknown key for strategy 'vsm'"),
        ({"threshold": "high"}, "SCENTHOUND_THRESHOLD lies within 0 and 1"),
        ({"threshold": 7}, "SCENTHOUND_THRESHOLD lies within 0 and 1"),
        ({"text": 'name = "s"\nexamples = ["http://a.test/"]'}, "fetches none; add keywords"),
        ({"text": "name ="}, "is not valid TOML"),
        ({"wordnet": "nowhere"}, "nowhere"),
    ],
)
def test_settings_that_cannot_be_used(tmp_path: Path, more: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        focus(tmp_path, **more)
    assert said in str(caught.value)


def test_examples_that_are_addresses_are_told(tmp_path: Path) -> None:
    path = tmp_path / "topic.toml"
    path.write_text(TOPIC + 'examples = ["http://a.test/", "A storm over the sea"]\n')
    warned: list[str] = []
    read_focus(Wanted(str(path), "vsm"), warned.append)
    assert len(warned) == 1 and "1 of 2 examples are addresses" in warned[0]


def test_the_add_on_sets_what_it_needs_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "topic.toml"
    path.write_text(TOPIC, encoding="utf-8")
    settings = Settings({"SCENTHOUND_TOPIC": str(path), "SCENTHOUND_STRATEGY": "vsm"})
    before = settings.copy_to_dict()
    addon = FocusedCrawl()
    addon.update_settings(settings)
    after = settings.copy_to_dict()
    assert {name for name in after if after[name] != before.get(name)} == {
        "SCHEDULER",
        "SPIDER_MIDDLEWARES",
    }
    assert addon.focus is not None and addon.focus.topic.name == "storms"


def test_parameters_that_are_no_table(tmp_path: Path) -> None:
    settings = Settings({"SCENTHOUND_TOPIC": "t.toml", "SCENTHOUND_PARAMETERS": "depth: 3"})
    with pytest.raises(UsageError, match="SCENTHOUND_PARAMETERS is a dict"):
        FocusedCrawl().update_settings(settings)


def test_the_default_strategy_is_that_of_a_crawl() -> None:
    assert addon_topic.DEFAULT_STRATEGY == DEFAULT_STRATEGY
