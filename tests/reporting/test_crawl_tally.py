"""What one reading of a journal counts."""

from __future__ import annotations

from pathlib import Path

from reporting.report_making import STARTED, STOPPED, Json, off_topic, page
from scenthound.reporting.crawl_tally import CrawlTally

JOURNAL = Path("journal.jsonl")


def tally_of(*events: Json) -> tuple[CrawlTally, list[int]]:
    told: list[int] = []
    tally = CrawlTally(2, 2)
    assert len(list(tally.read(JOURNAL, events, told.append))) == tally.pages
    return tally, told


def test_where_pages_came_from() -> None:
    second_seed = page(3, "http://other.test/", depth=0, inlinks=[], parts={}, priority=None)
    tally, told = tally_of(
        STARTED, page(1), off_topic(2, language="de"), second_seed,
        off_topic(4, "http://other.test/x", depth=2, inlinks=[[3, 0.4, "on"]]), STOPPED,
    )  # fmt: skip
    assert told == [4] and tally.stopped == "budget spent"
    assert tally.hosts.by_name() == [("w.test", 1, 1), ("other.test", 1, 1)]
    assert tally.depths.by_name() == [(0, 2, 0), (1, 0, 1), (2, 0, 1)]
    assert tally.seeds.by_name() == [(1, 1, 1), (3, 1, 1)]
    assert tally.parents.by_name() == [(1, 0, 1), (3, 0, 1)]
    assert tally.misled.by_name() == [("anchor", 0, 2)]
    assert tally.dropped.ordered() == [("nofollow", 8)]
    assert dict(tally.languages.ordered())["de"] == 1


def test_tops_are_pages_that_the_crawl_found() -> None:
    tally, _ = tally_of(page(1, similarity=1.0), page(2, similarity=0.2), page(3, similarity=0.6))
    assert tally.tops.ordered() == [3, 2] and tally.named.ordered() == [1]


def test_example_pages_of_the_topic_are_no_finds() -> None:
    examples = frozenset({"http://w.test/2", "http://w.test/moved"})
    tally = CrawlTally(3, 2, examples)
    events = [page(1), page(2, similarity=1.0), page(3, similarity=0.6),
              page(4, similarity=1.0, redirects=["http://w.test/moved"])]  # fmt: skip
    assert len(list(tally.read(JOURNAL, events, lambda pages: None))) == 4
    assert tally.tops.ordered() == [3] and tally.named.ordered() == [2, 4, 1]


def test_the_worst_predictions_come_first() -> None:
    tally, _ = tally_of(
        page(1), off_topic(2, priority=0.3), off_topic(3, priority=0.9), off_topic(4, priority=0.4)
    )
    assert [record.n for record in tally.worst.ordered()] == [3, 4]


def test_a_crawl_that_goes_on_has_not_stopped() -> None:
    resumed: Json = {"event": "resumed", "at": 10.0, "budget": 20}
    paused: Json = {"event": "paused", "at": 11.0, "budget": 20}
    tally, _ = tally_of(STARTED, page(1), STOPPED, resumed, page(2), paused)
    assert tally.stopped == "" and tally.paused and tally.pages == 2


def test_what_gave_no_page_is_told_with_its_reason() -> None:
    events: list[Json] = [
        {"event": "refused", "url": "u", "reason": "robots.txt"},
        {"event": "redirect", "url": "u", "target": "v", "reason": "fetched before"},
        {"event": "redirect", "url": "u", "target": "v", "reason": "followed"},
        {"event": "failed", "url": "u", "reason": "no answer", "retry_at": 3.0},
        {"event": "failed", "url": "u", "reason": "no answer", "retry_at": None},
        {"event": "missing", "count": 3, "urls": []},
        {"event": "dropped", "count": 5, "reason": "host budget"},
        {"event": "of a later version"},
    ]
    tally, _ = tally_of(*events)
    assert dict(tally.turned_down.ordered()) == {
        "robots.txt": 1, "redirect: fetched before": 1, "given up: no answer": 1,
        "not in the archive": 3, "host budget": 5,
    }  # fmt: skip
