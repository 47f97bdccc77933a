"""The record of a crawl adds up, and the same crawl writes the same record."""

from __future__ import annotations

import json
import random
from typing import get_args

import pytest

from core.crawl_building import Rig, page, rig
from scenthound.core.events import Event, MissingEvent, PageEvent, StartedEvent, StoppedEvent
from scenthound.core.model import Page, Refusal
from scenthound.core.strategy import Strategy
from scenthound.core.summary import Summary
from scenthound.strategies.policies import Uniform


def random_web(rng: random.Random) -> list[Page]:
    """Thirty pages, some of which fail, with links to each other and to nowhere."""
    urls = [f"u{i}" for i in range(30)]
    return [
        page(
            url,
            *rng.sample([*urls, "gone1", "gone2", "gone3", "x1", "r1"], 8),
            title=f"{rng.random():.3f}",
            status=404 if i % 5 == 4 else 200,
        )
        for i, url in enumerate(urls)
    ]


def crawled(seed: int) -> Rig:
    rng = random.Random(seed)
    made = rig(
        "u0", "u1",
        budget=25,
        table={f"u{i}": rng.random() for i in range(30)} | {"r1": Refusal("refused")},
        policy=Uniform(random.Random(seed)),
        exclude=["x*"],
    )  # fmt: skip
    made.run(random_web(rng))
    return made


def recomputed(events: list[Event]) -> Summary:
    """The totals of all pages and missing targets on record."""
    pages = [event for event in events if isinstance(event, PageEvent)]
    predicted = [p for p in pages if p.priority is not None]
    missing = sum(event.count for event in events if isinstance(event, MissingEvent))
    return Summary(
        fetched=len(pages),
        failed=sum(p.status >= 300 for p in pages),
        missing=missing,
        relevant=sum(p.similarity >= 0.5 for p in pages),
        similarity=sum(p.similarity for p in pages),
        similarity_squared=sum(p.similarity**2 for p in pages),
        relevant_similarity=sum(p.similarity for p in pages if p.similarity >= 0.5),
        predicted=len(predicted),
        error=sum(abs(p.similarity - (p.priority or 0.0)) for p in predicted),
        waiting=2 + sum(p.new for p in pages) - len(pages) - missing,
    )


@pytest.mark.parametrize("seed", range(5))
def test_every_running_summary_can_be_recomputed_from_the_events(seed: int) -> None:
    events = crawled(seed).journal.events
    ends = [i for i, event in enumerate(events, 1) if isinstance(event, PageEvent | StoppedEvent)]
    assert len(ends) == 26
    for end in ends:
        last = events[end - 1]
        assert isinstance(last, PageEvent | StoppedEvent)
        assert last.summary.to_json() == pytest.approx(recomputed(events[:end]).to_json())


def test_the_same_crawl_writes_the_same_record() -> None:
    first, second = (json.dumps(crawled(3).journal.lines()) for _ in range(2))
    assert first == second
    assert json.dumps(crawled(4).journal.lines()) != first


def test_three_pages_worked_by_hand() -> None:
    made = rig("s", table={"a": 0.75, "b": 0.25})
    made.run([page("s", "a", "b", title="0.5"), page("a", title="1"), page("b", title="0.25")])
    assert made.crawl.summary == Summary(
        fetched=3,
        relevant=2,
        similarity=1.75,
        similarity_squared=1.3125,
        relevant_similarity=1.5,
        predicted=2,
        error=0.25,
    )


def test_waiting_counts_what_is_left_after_a_page() -> None:
    made = rig("s")
    made.fetch(page("s", "a", "b", "c"))
    assert made.crawl.summary.waiting == 3
    made.fetch(page("a"))
    assert made.crawl.summary.waiting == 2


def test_the_last_summary_counts_nothing_as_waiting_that_turned_out_missing() -> None:
    made = rig("s")
    made.run([page("s", "a", "b")])
    last = made.journal.events[-1]
    assert isinstance(last, StoppedEvent)
    assert (last.summary.waiting, last.summary.missing) == (0, 2)


def test_a_page_exactly_at_the_threshold_is_relevant() -> None:
    made = rig("s1", "s2")
    assert made.fetch(page("s1", title="0.5")).relevant
    assert not made.fetch(page("s2", title="0.4999")).relevant


def test_pages_are_numbered_in_order_of_arrival() -> None:
    made = rig("s1", "s2")
    made.lease()
    made.lease()
    assert made.crawl.observe("s2", page("s2")).n == 1
    assert made.crawl.observe("s1", page("s1")).n == 2
    assert [event.url for event in made.journal.pages()] == ["s2", "s1"]


def test_the_first_event_says_what_was_asked_for() -> None:
    made = rig("s", budget=7)
    assert made.journal.events == [StartedEvent(0.0, "storms", "table", 7, ("s",), 0.5)]


def test_a_strategy_comes_back_from_its_state() -> None:
    made = rig("s")
    made.fetch(page("s"))
    saved = Strategy("one", made.scorer, Uniform(random.Random(5))).state()
    other = rig("s").scorer
    policy = Uniform(random.Random(6))
    Strategy("two", other, policy).restore(saved)
    assert other.learnt == ["s"]
    assert policy.state() == Uniform(random.Random(5)).state()


def test_every_kind_of_event_names_itself() -> None:
    made = rig("s", "old", "shut", "dead")
    made.fetch(page("s", "gone"))
    made.crawl.turned_away(made.lease(), "s")
    made.crawl.refused(made.lease(), "robots.txt")
    made.crawl.failed(made.lease(), "timeout", None)
    made.crawl.dropped(3, "host budget")
    made.crawl.control("paused")
    made.run([])
    kinds = [line["event"] for line in made.journal.lines()]
    assert kinds == [
        "started", "page", "redirect", "refused", "failed", "dropped", "paused", "missing",
        "stopped",
    ]  # fmt: skip
    assert len(kinds) + len(["revised"]) == len(get_args(Event))  # see test_crawl_revision
