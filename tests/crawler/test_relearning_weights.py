"""Weights learnt in a crawl come back after a kill, and fit what waits in the frontier."""

from __future__ import annotations

import pytest

from core.crawl_building import TitleJudge
from crawler import test_relearning as relearning
from crawler.scripted_downloads import HandClock, Reply
from crawler.test_relearning import Learning, Live, folder, storage
from scenthound.core.crawl import Crawl
from scenthound.core.events import Summary
from scenthound.core.model import Budget
from scenthound.crawler.checkpoint import CrawlStorage
from scenthound.storage.folder import CrawlFolder
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.weighting import LearnedTexts
from strategies.scoring import strategy_context

__all__ = ["folder"]
PAGES = 40
ANCHORS = ("storm", "storm rain", "tea", "cake and tea", "wind")
BODIES = ("storm over the sea", "rain and storm", "a cup of tea", "cake", "the wind")


def anchor(number: int) -> str:
    return ANCHORS[number % 5]


def body(number: int) -> str:
    links = "".join(
        f"<p>{anchor(n)} <a href=/{n}>{anchor(n)}</a></p>" for n in range(number + 1, PAGES + 3)
    )
    words = " ".join(f"{BODIES[number % 5]} {number * 97 + i}" for i in range(number % 7 + 1))
    return f"<p>{words}</p>{links}"


class LearningWeights(Learning):
    """mcoa, which fits its weights after every page."""

    def __init__(self) -> None:
        super().__init__()
        given = strategy_context(["storm"], ["storm rain wind", "storm sea flood"])
        self.strategy = CATALOGUE["mcoa"].build(given, {"every": 1})

    def go_on(self, storage: CrawlStorage) -> None:
        """The crawl, begun again."""
        Crawl(
            topic="storms", strategy=self.strategy, frontier=storage.frontier, budget=Budget(100),
            seeds=(), judge=TitleJudge(), journal=storage.journal, clock=HandClock(),
            scope=self.scope, so_far=Summary(fetched=PAGES)
        )  # fmt: skip

    @property
    def weights(self) -> dict[str, float]:
        assert isinstance(self.strategy.scorer, LearnedTexts)
        return self.strategy.scorer.weights


@pytest.fixture(autouse=True)
def web(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = {f"a/{n}": Reply(body=body(n).encode()) for n in range(1, PAGES + 3)}
    monkeypatch.setattr(relearning, "WEB", pages)


def crawl(folder: CrawlFolder, saved_after: int | None) -> LearningWeights:
    """Crawl all pages but two; the state is saved after so many of them."""
    learning = LearningWeights()
    with storage(folder) as open_desk:
        live = Live(open_desk, learning)
        live.fetch(saved_after or 0)
        if saved_after is not None:
            live.keeper.save_state()
        live.fetch(PAGES - (saved_after or 0))
    return learning


@pytest.mark.parametrize("saved_after", [None, 30])
def test_the_weights_are_those_before_the_kill(
    folder: CrawlFolder, saved_after: int | None
) -> None:
    before = crawl(folder, saved_after)
    assert before.weights != pytest.approx(dict.fromkeys(before.weights, 0.25))
    again = LearningWeights()
    with storage(folder) as open_desk:
        again.relearn(open_desk)
        waiting = open_desk.frontier.peek(2)
    assert again.weights == pytest.approx(before.weights, abs=1e-9)
    assert waiting
    for candidate in waiting:
        parts = candidate.score.parts
        assert {p.name: p.weight for p in parts} == pytest.approx(again.weights)
        assert sum(p.value * p.weight for p in parts) == pytest.approx(candidate.score.value)


def test_pages_that_were_not_kept_make_a_small_difference_that_does_not_stay(
    folder: CrawlFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages that ask not to be kept were learnt from, and cannot be again."""
    noindex = b"<meta name=robots content=noindex>"
    pages = {
        address: Reply(body=noindex * (number % 4 == 3) + reply.body)
        for number, (address, reply) in enumerate(relearning.WEB.items())
    }
    monkeypatch.setattr(relearning, "WEB", pages)
    before = crawl(folder, None)
    again = LearningWeights()
    with storage(folder) as open_desk:
        again.relearn(open_desk)
        assert again.weights != before.weights
        again.go_on(open_desk)
        waiting = open_desk.frontier.peek(2)
    assert waiting
    for candidate in waiting:
        parts = candidate.score.parts
        assert {p.name: p.weight for p in parts} == pytest.approx(again.weights)
        assert sum(p.value * p.weight for p in parts) == pytest.approx(candidate.score.value)


def test_the_journal_tells_when_they_changed(folder: CrawlFolder) -> None:
    crawl(folder, None)
    lines = folder.journal_path.read_text().splitlines()
    revised = [line for line in lines if '"revised"' in line]
    assert revised and f'"links":{PAGES - 1}' not in revised[0]
