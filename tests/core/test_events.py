"""The record of a crawl adds up, and the same crawl writes the same record."""

from __future__ import annotations

import itertools
import json
import math
import random
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest

from core.crawl_building import Rig, page, rig
from scenthound.core.crawl_loop import Strategy
from scenthound.core.events import (
    DroppedLinks,
    Event,
    MissingEvent,
    PageEvent,
    RedirectEvent,
    StartedEvent,
    StoppedEvent,
    Summary,
    TextRepresentations,
    join_words,
    rounded,
    stored_text_representations,
    text_representations,
)
from scenthound.core.model import Inlink, Part, Rejection, Score
from scenthound.strategies.spec import Uniform


def crawled(seed: int) -> Rig:
    """Of thirty pages, some of which fail, with links to each other and to nowhere."""
    rng = random.Random(seed)
    urls = [f"u{i}" for i in range(30)]
    table = {url: rng.random() for url in urls} | {"r1": Rejection("refused")}
    policy = Uniform(random.Random(seed))
    made = rig("u0", "u1", budget=25, table=table, policy=policy, exclude=["x*"])
    targets = [*urls, "gone1", "gone2", "gone3", "x1", "r1"]
    statuses = itertools.cycle([200, 200, 200, 200, 404])
    made.run(
        page(url, *rng.sample(targets, 8), title=f"{rng.random():.3f}", status=status)
        for url, status in zip(urls, statuses, strict=False)
    )
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
    ends = 0
    for end, last in enumerate(events, 1):
        if isinstance(last, PageEvent | StoppedEvent):
            assert last.summary.to_json() == pytest.approx(recomputed(events[:end]).to_json())
            ends += 1
    assert ends == 26


def test_the_same_crawl_writes_the_same_record() -> None:
    first, second = (json.dumps(crawled(3).journal.lines()) for _ in range(2))
    assert first == second
    assert json.dumps(crawled(4).journal.lines()) != first


def test_three_pages_worked_by_hand() -> None:
    """A page exactly at the threshold is relevant."""
    made = rig("s", table={"a": 0.75, "b": 0.25})
    made.run([page("s", "a", "b", title="0.5"), page("a", title="1"), page("b", title="0.25")])
    assert made.crawl.summary == Summary(
        fetched=3, relevant=2, similarity=1.75, similarity_squared=1.3125,
        relevant_similarity=1.5, predicted=2, error=0.25,
    )  # fmt: skip
    assert not rig("s").fetch(page("s", title="0.4999")).relevant


def test_a_strategy_comes_back_from_its_state() -> None:
    made = rig("s")
    made.fetch(page("s"))
    saved = Strategy("one", made.scorer, Uniform(random.Random(5))).state()
    other = rig("s").scorer
    policy = Uniform(random.Random(6))
    Strategy("two", other, policy).restore(saved)
    assert other.learned == ["s"]
    assert policy.state() == Uniform(random.Random(5)).state()


def test_every_kind_of_event_names_itself() -> None:
    made = rig("s", "old", "shut", "dead")
    made.fetch(page("s", "gone"))
    made.crawl.redirect_rejected(made.lease(), "s")
    made.crawl.rejected(made.lease(), "robots.txt")
    made.crawl.failed(made.lease(), "timeout", None)
    made.crawl.dropped(3, "host budget")
    made.crawl.control("paused")
    made.run([])
    kinds = [line["event"] for line in made.journal.lines()]
    assert kinds == [
        "started", "page", "redirect", "refused", "failed", "dropped", "paused", "missing",
        "stopped",
    ]  # fmt: skip
    assert len(kinds) + len(["revised"]) == len(get_args(Event))  # see test_crawl


# Every event is one small JSON object of a fixed shape.


PLAIN = PageEvent(
    n=2, at=1.23456, url="http://a.test/", status=200, title="Storms", depth=1, priority=0.123456,
    parts=(Part("anchor", 1 / 3, 0.5),), inlinks=(Inlink(1, Score(0.123456), "the storm"),),
    linked_from=1, similarity=2 / 3, relevant=True, links=4, new=2, rescored=1, closed=0,
    repeated=1, drops=DroppedLinks({"nofollow": (1, ("http://b.test/",))}),
    redirects=("http://old.test/",), summary=Summary(fetched=2, waiting=3, similarity=2 / 3),
)  # fmt: skip


def test_a_page_event_has_this_shape() -> None:
    assert PLAIN.to_json() == {
        "event": "page", "n": 2, "at": 1.235, "url": "http://a.test/", "status": 200,
        "title": "Storms", "depth": 1, "priority": 0.12346, "parts": {"anchor": [0.33333, 0.5]},
        "linked_from": 1, "inlinks": [[1, 0.12346, "the storm"]],
        "similarity": 0.66667, "relevant": True,
        "links": {"found": 4, "new": 2, "rescored": 1, "closed": 0, "repeated": 1},
        "dropped": {"nofollow": [1, ["http://b.test/"]]}, "redirects": ["http://old.test/"],
        "summary": {
            "fetched": 2, "failed": 0, "missing": 0, "relevant": 0, "similarity": 0.66667,
            "similarity_squared": 0.0, "relevant_similarity": 0.0, "predicted": 0, "error": 0.0,
            "waiting": 3, "copies": 0, "refused": 0, "given_up": 0,
        },
    }  # fmt: skip


def test_what_is_empty_is_left_out_but_what_is_nought_is_not() -> None:
    bare = replace(
        PLAIN, title="", depth=0, priority=None, parts=(), inlinks=(), similarity=0.0,
        relevant=False, drops=DroppedLinks(), redirects=(),
    ).to_json()  # fmt: skip
    assert PLAIN.to_json().keys() - bare.keys() == {"parts", "inlinks", "dropped", "redirects"}
    assert bare["priority"] is None
    assert (bare["title"], bare["depth"], bare["similarity"]) == ("", 0, 0.0)
    assert bare["relevant"] is False


def test_the_rare_events_have_these_shapes() -> None:
    started = StartedEvent(0.0001, "storms", "vsm", 10, ("http://a.test/",), 1 / 3)
    assert started.to_json() == {
        "event": "started", "at": 0.0, "topic": "storms", "strategy": "vsm", "budget": 10,
        "seeds": ["http://a.test/"], "threshold": 0.33333,
    }  # fmt: skip
    reading = TextRepresentations(("words",), "it is so")
    assert replace(started, representations=reading).to_json()["reading"] == {
        "ways": ["words"], "fewer": "it is so"
    }  # fmt: skip
    missing = {"event": "missing", "count": 7, "urls": ["u", "v"]}
    assert MissingEvent(7, ("u", "v")).to_json() == missing
    redirect = {"event": "redirect", "url": "u", "target": "v", "reason": "fetched before"}
    assert RedirectEvent("u", "v").to_json() == redirect
    stopped = {"event": "stopped", "at": 9.0, "reason": "budget spent"}
    summary = Summary(fetched=1)
    assert StoppedEvent(9.0, "budget spent", summary).to_json() == {
        **stopped, "summary": summary.to_json()
    }  # fmt: skip


def test_what_pages_write_themselves_is_cut() -> None:
    long = "y" * 1_000_000
    event = replace(
        PLAIN,
        title=long,
        inlinks=(Inlink(1, Score(0.5), long),) * 5,
        drops=DroppedLinks({"excluded": (9, (f"http://a.test/{long}",) * 9)}),
    )
    plain, line = PLAIN.to_json(), event.to_json()
    assert len(json.dumps(plain)) < 750 and len(json.dumps(line)) < 2_500
    assert line["title"] == "y" * 120
    assert line["dropped"] == {"excluded": [9, [f"http://a.test/{'y' * 183}..."] * 5]}
    assert MissingEvent(1, (long, "y" * 199)).to_json()["urls"] == ["y" * 197 + "...", "y" * 199]


def test_numbers_of_numpy_are_written_and_figures_that_json_does_not_know_are_null() -> None:
    assert [rounded(value) for value in (math.nan, math.inf, -math.inf, None)] == [None] * 4
    half: Any = np.float32(0.5)
    event = replace(PLAIN, priority=half, parts=(Part("a", half),), similarity=np.float64(0.75))
    line = json.loads(json.dumps(event.to_json()))
    assert (line["priority"], line["parts"], line["similarity"]) == (0.5, {"a": [0.5, 1.0]}, 0.75)


# In which ways texts are read: what a scorer tells, what files keep, what people read.


BOTH = TextRepresentations(("words", "meaning"), "the extra neural is not installed")


class Reader:
    def __init__(self, ways: object, why_fewer: str | None = None) -> None:
        self.representations = ways
        if why_fewer is not None:
            self.why_fewer = why_fewer


def test_what_a_scorer_tells() -> None:
    assert text_representations(Reader(("words",))) == TextRepresentations(("words",))
    assert text_representations(Reader(["words", "meaning"], BOTH.fewer)) == BOTH
    for other in [object(), None, Reader(()), Reader(3), Reader("words"), Reader({"words": 1})]:
        assert text_representations(other) is None


def test_in_words() -> None:
    every = TextRepresentations(("words", "meaning", "sentence"))
    assert every.describe() == "by words, meaning and sentences"
    assert BOTH.describe() == "by words and meaning: the extra neural is not installed"
    assert TextRepresentations(("words",), "it is so.").describe() == "by words: it is so"
    assert (join_words([]), join_words(["a"]), join_words(["a", "b"])) == ("", "a", "a and b")


def test_what_is_written_is_read_back_cut_and_nothing_else() -> None:
    assert stored_text_representations(json.loads(json.dumps(BOTH.to_json()))) == BOTH
    nothing: list[object] = [None, 3, [], {}, {"ways": []}, {"ways": "words"}]
    assert [stored_text_representations(stored) for stored in nothing] == [None] * 6
    found = stored_text_representations({"ways": [{"x": "y" * 999}] * 999, "fewer": "z" * 999})
    assert found is not None and len(found.describe()) < 3_000
