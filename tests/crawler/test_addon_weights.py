"""Weights in the Scrapy add-on: given in the settings, counted over links, learnt on the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scrapy import Request

from crawler.addon_running import Crawling, focus, scheduler, scored
from scenthound.core.model import (
    INLINKS,
    Candidate,
    Combination,
    Document,
    Page,
    Part,
    Parts,
    Score,
)
from scenthound.crawler.scrapy_addon.focus import META, Note, note_of
from scenthound.crawler.scrapy_addon.requests import RequestPriority
from scenthound.crawler.scrapy_addon.scheduler import BestFirstScheduler
from scenthound.similarity.link_priority import WeightedTexts

GOOD, POOR = "http://good.test/", "http://poor.test/"


def parts(**pairs: tuple[float, float]) -> Parts:
    return Parts.of([Part(name, value, weight) for name, (value, weight) in pairs.items()])


def weights_of(strategy: object) -> dict[str, float]:
    assert isinstance(strategy, WeightedTexts)
    return strategy.weights


def test_weights_in_the_settings(tmp_path: Path) -> None:
    for weights in ({"anchor": 0.75}, '{"anchor": 0.75}'):
        made = focus(tmp_path, weights=weights)
        assert weights_of(made.strategy.scorer) == {"anchor": 0.75}


def test_a_note_keeps_the_weights_to_itself() -> None:
    request = Request(GOOD)
    score = Score(0.5, parts(full=(0.4, 0.25), anchor=(0.8, 0.5)))
    Note.of(score, "storms", 7).write(request)
    assert request.meta[META]["parts"] == {"full": 0.4, "anchor": 0.8}
    assert note_of(request).with_parts(0.5) == score


@pytest.mark.parametrize("how", [Combination.MAX, Combination.MEAN])
def test_links_are_counted_with_their_weight(how: Combination) -> None:
    """Three links: ``n / (n + 1)`` is 3/4, whichever of them is the best."""
    claim = RequestPriority(0)
    for anchor in (0.2, 0.4, 0.1):
        score = parts(anchor=(anchor, 0.5), inlinks=(0.5, 0.25)).score()
        claim.see(Note.of(score, "", 1), 0, how)
    found = {part.name: part for part in claim.evidence.parts}
    assert found[INLINKS].value == pytest.approx(0.75) and found[INLINKS].weight == 0.25
    told = sum(part.value * part.weight for part in claim.evidence.parts)
    assert claim.score == pytest.approx(told)


LEARNING: dict[str, Any] = {"strategy": "mcoa", "parameters": {"every": 30}}
"""A strategy that fits its weights after 30 pages."""


def queued(url: str, full: float, anchor: float) -> Request:
    found = parts(full=(full, 0.25), title=(0.0, 0.25), anchor=(anchor, 0.25), context=(0.0, 0.25))
    return scored(url, found.score())


def learn(made: BestFirstScheduler) -> None:
    """Thirty pages about storms that links with the right words led to, and others."""
    for n in range(30):
        good = n % 2 == 0
        text = f"storm storm {'wind' * (1 + n % 5)}" if good else f"cake {'tea' * (1 + n % 7)}"
        url, words = f"http://w.test/{n}", 0.9 - 0.01 * n if good else 0.01 * n
        score = parts(
            full=(0.5 - 0.002 * n, 0.25),
            title=(0.001 * n, 0.25),
            anchor=(words, 0.25),
            context=(0.3 + 0.003 * (n % 4), 0.25),
        ).score()
        page = Page(url, 200, Document("", text))
        made._focus.judge(Candidate(url, score, 1), page)  # fmt: skip


@pytest.mark.parametrize("on_disk", [False, True])
def test_what_waits_is_valued_anew(tmp_path: Path, on_disk: bool) -> None:
    crawling = Crawling()
    with scheduler(tmp_path, crawling, tmp_path if on_disk else None, **LEARNING) as made:
        made.enqueue_request(queued(POOR, full=0.9, anchor=0.0))
        made.enqueue_request(queued(GOOD, full=0.1, anchor=0.7))
        made.enqueue_request(Request("http://start.test/"))
        made.revise()  # nothing was learnt so far
        learn(made)
        made.revise()
        weights = weights_of(made._focus.strategy.scorer)
        assert weights["anchor"] > 2 * weights["full"]
        handed = [made.next_request() for _ in range(3)]
    assert [one and one.url for one in handed] == ["http://start.test/", GOOD, POOR]
    assert handed[1] is not None
    expected = 0.1 * weights["full"] + 0.7 * weights["anchor"]
    assert handed[1].meta[META]["score"] == pytest.approx(expected)
    assert crawling.stats.get_value("scenthound/revised") == 1


def test_after_a_kill_what_waits_stands_where_the_weights_of_now_put_it(tmp_path: Path) -> None:
    """The queue is written each second, what was learnt every 500 pages."""
    with scheduler(tmp_path, Crawling(), tmp_path, **LEARNING) as made:
        made.enqueue_request(queued(POOR, full=0.9, anchor=0.0))
        made.enqueue_request(queued(GOOD, full=0.1, anchor=0.7))
        learn(made)
        made.revise()
        made._focus.save = lambda: None  # type: ignore[method-assign]
    with scheduler(tmp_path, Crawling(), tmp_path, **LEARNING) as again:
        assert set(weights_of(again._focus.strategy.scorer).values()) == {0.25}
        handed = [again.next_request() for _ in range(2)]
    assert [one and one.url for one in handed] == [POOR, GOOD]
    assert handed[1] is not None
    assert handed[1].meta[META]["score"] == pytest.approx(0.25 * 0.8)
