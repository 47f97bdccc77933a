"""Every event is one small JSON object of a fixed shape."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scenthound.core.events import (
    MissingEvent,
    PageEvent,
    RedirectEvent,
    StartedEvent,
    StoppedEvent,
)
from scenthound.core.model import Inlink, Part, Score
from scenthound.core.summary import Drops, Summary, rounded
from scenthound.core.ways_read import WaysRead

PLAIN = PageEvent(
    n=2,
    at=1.23456,
    url="http://a.test/",
    status=200,
    title="Storms",
    depth=1,
    priority=0.123456,
    parts=(Part("anchor", 1 / 3, 0.5),),
    inlinks=(Inlink(1, Score(0.123456), "the storm"),),
    linked_from=1,
    similarity=2 / 3,
    relevant=True,
    links=4,
    new=2,
    rescored=1,
    closed=0,
    repeated=1,
    drops=Drops({"nofollow": (1, ("http://b.test/",))}),
    redirects=("http://old.test/",),
    summary=Summary(fetched=2, waiting=3, similarity=2 / 3),
)

RICH = replace(
    PLAIN,
    n=123_456,
    url="https://www.meteorology.example.org/archive/2017/09/hurricane-irma-makes-landfall.html",
    title="Hurricane Irma makes landfall in Florida as a category four storm | " * 2,
    parts=tuple(Part(name, 1 / 7, 1 / 3) for name in ("full", "anchor", "title", "context")),
    inlinks=tuple(
        Inlink(100_000 + i, Score(1 / (i + 2)), "landfall of the hurricane on the coast " * 4)
        for i in range(5)
    ),
    drops=Drops(
        {
            reason: (40, tuple(f"https://example.org/{reason}/{i}/print.html" for i in range(3)))
            for reason in ("nofollow", "same page", "excluded")
        }
    ),
    summary=Summary(
        123_456, 1_234, 98_765, 12_345, 12_345.678901, 9_876.543219, 8_765.432198, 123_455,
        12_345.678901, 999_999,
    ),
)  # fmt: skip


def size(event: PageEvent) -> int:
    line = json.dumps(event.to_json(), ensure_ascii=False, separators=(",", ":"))
    return len(line.encode())


def test_a_page_event_has_this_shape() -> None:
    assert PLAIN.to_json() == {
        "event": "page",
        "n": 2,
        "at": 1.235,
        "url": "http://a.test/",
        "status": 200,
        "title": "Storms",
        "depth": 1,
        "priority": 0.12346,
        "parts": {"anchor": [0.33333, 0.5]},
        "linked_from": 1,
        "inlinks": [[1, 0.12346, "the storm"]],
        "similarity": 0.66667,
        "relevant": True,
        "links": {"found": 4, "new": 2, "rescored": 1, "closed": 0, "repeated": 1},
        "dropped": {"nofollow": [1, ["http://b.test/"]]},
        "redirects": ["http://old.test/"],
        "summary": {
            "fetched": 2,
            "failed": 0,
            "missing": 0,
            "relevant": 0,
            "similarity": 0.66667,
            "similarity_squared": 0.0,
            "relevant_similarity": 0.0,
            "predicted": 0,
            "error": 0.0,
            "waiting": 3,
            "copies": 0,
            "refused": 0,
            "given_up": 0,
        },
    }


def test_what_is_empty_is_left_out_but_what_is_nought_is_not() -> None:
    bare = replace(
        PLAIN, title="", depth=0, priority=None, parts=(), inlinks=(), similarity=0.0,
        relevant=False, drops=Drops(), redirects=(),
    ).to_json()  # fmt: skip
    assert PLAIN.to_json().keys() - bare.keys() == {"parts", "inlinks", "dropped", "redirects"}
    assert bare["priority"] is None
    assert (bare["title"], bare["depth"], bare["similarity"]) == ("", 0, 0.0)
    assert bare["relevant"] is False


def test_the_rare_events_have_these_shapes() -> None:
    started = StartedEvent(0.0001, "storms", "vsm", 10, ("http://a.test/",), 1 / 3)
    assert started.to_json() == {
        "event": "started",
        "at": 0.0,
        "topic": "storms",
        "strategy": "vsm",
        "budget": 10,
        "seeds": ["http://a.test/"],
        "threshold": 0.33333,
    }
    reading = replace(started, ways=WaysRead(("words",), "it is so")).to_json()["reading"]
    assert reading == {"ways": ["words"], "fewer": "it is so"}
    assert MissingEvent(7, ("u", "v")).to_json() == {
        "event": "missing",
        "count": 7,
        "urls": ["u", "v"],
    }
    assert RedirectEvent("u", "v").to_json() == {
        "event": "redirect",
        "url": "u",
        "target": "v",
        "reason": "fetched before",
    }
    assert StoppedEvent(9.0, "budget spent", Summary(fetched=1)).to_json() == {
        "event": "stopped",
        "at": 9.0,
        "reason": "budget spent",
        "summary": Summary(fetched=1).to_json(),
    }


def test_a_page_is_about_a_kilobyte_and_a_rich_one_below_two() -> None:
    assert size(PLAIN) < 700
    assert 1_000 < size(RICH) < 2_000


def test_what_pages_write_themselves_is_cut() -> None:
    long = "y" * 1_000_000
    event = replace(
        RICH,
        title=long,
        inlinks=(Inlink(1, Score(0.5), long),) * 5,
        drops=Drops({"excluded": (9, (f"http://a.test/{long}",) * 9)}),
    )
    assert size(event) < 2_500
    line = event.to_json()
    assert line["title"] == "y" * 120
    assert line["dropped"] == {"excluded": [9, [f"http://a.test/{'y' * 183}..."] * 5]}
    assert MissingEvent(1, (long, "y" * 199)).to_json()["urls"] == ["y" * 197 + "...", "y" * 199]


def test_text_of_the_widest_characters_stays_small() -> None:
    storm = "\N{CLOUD WITH TORNADO}" * 1_000
    event = replace(RICH, title=storm, inlinks=(Inlink(1, Score(0.5), storm),) * 5)
    assert size(event) < 4_000


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, None])
def test_figures_that_json_does_not_know_are_null(value: float | None) -> None:
    assert rounded(value) is None


def test_numbers_of_numpy_are_written_as_numbers() -> None:
    half: Any = np.float32(0.5)
    event = replace(PLAIN, priority=half, parts=(Part("a", half),), similarity=np.float64(0.75))
    line = json.loads(json.dumps(event.to_json()))
    assert (line["priority"], line["parts"], line["similarity"]) == (0.5, {"a": [0.5, 1.0]}, 0.75)


def test_a_summary_grows_page_by_page() -> None:
    summary = Summary(missing=3, waiting=9)
    summary = summary.after_page(ok=True, similarity=0.5, relevant=True, priority=None)
    summary = summary.after_page(ok=True, similarity=0.25, relevant=False, priority=0.75)
    summary = summary.after_page(ok=False, similarity=0.0, relevant=False, priority=0.125)
    assert summary == Summary(
        fetched=3,
        failed=1,
        missing=3,
        relevant=1,
        similarity=0.75,
        similarity_squared=0.3125,
        relevant_similarity=0.5,
        predicted=2,
        error=0.625,
        waiting=9,
    )
