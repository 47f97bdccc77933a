"""What a crawl had learned comes back from its folder: the saved state, and the pages since."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.crawl_building import TableScorer, TitleJudge
from crawler.scripted_downloads import AGENT, HandClock, Reply, answer, short, url
from frontier.frontier_contract import where
from scenthound.core.crawl_loop import CrawlLoop, Greedy, Strategy
from scenthound.core.errors import FolderError
from scenthound.core.events import Summary
from scenthound.core.model import Budget, Topic
from scenthound.core.scope import LiveLinkRules, Scope, UrlRules
from scenthound.core.urls import rejection_reason
from scenthound.crawler.checkpoint import Checkpointer, CrawlStorage, open_storage, relearn
from scenthound.crawler.job import LiveJob
from scenthound.crawler.options import CrawlOptions
from scenthound.fetch.client import PageReader
from scenthound.storage.folder import CrawlFolder
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.weighting import LearnedTexts
from strategies.scoring import strategy_context

MOST = 10**6
FIRST = "<p>storm</p>" + "".join(
    f"<a href=/{path}>x</a>" for path in (*range(2, 8), "cal/2024/05", "no/1")
)
LONG = " ".join(f"word{number} of a storm" for number in range(40))
WEB = {
    "a/1": Reply(body=FIRST.encode()),
    "a/2": Reply(body=b"<p>two</p><a href=/cal/2024/06>x</a>"),
    "a/3": Reply(body=FIRST.encode()),  # a copy of the first
    "a/4": Reply(404, b"<p>gone</p>"),
    "a/5": Reply(body=b"<meta name=robots content=noindex><p>five</p>"),
    "a/6": Reply(body=f"<p>{LONG}</p><a href=/cal/2024/07>x</a>".encode()),
    "a/7": Reply(body=f"<div>{LONG}</div><a href=/cal/2024/08>x</a>".encode()),  # nearly the same
}


class Learning:
    """A strategy with rules, fresh, and the web that it is for."""

    def __init__(self, web: Mapping[str, Reply] = WEB) -> None:
        self.web = web
        self.scorer = TableScorer()
        self.rules = LiveLinkRules(2025, rejection_reason)
        self.strategy = Strategy("table", self.scorer, Greedy(random.Random(0)))
        self.scope = Scope(UrlRules(exclude=(url("a/no/*"),)), self.rules)

    def relearn(self, storage: CrawlStorage) -> int:
        return relearn(storage, self.strategy, self.rules, self.scope, MOST)

    def learned(self) -> list[str]:
        return list(map(short, self.scorer.learned))


class Live:
    """A crawl of a web into a folder, page by page; ``so_far`` for one that goes on."""

    def __init__(
        self, storage: CrawlStorage, learning: Learning, so_far: Summary | None = None
    ) -> None:
        self._web = learning.web
        self._reader = PageReader(storage.ledger, MOST)
        self.crawl = CrawlLoop(
            topic="storms",
            strategy=learning.strategy,
            frontier=storage.frontier,
            budget=Budget(100),
            seeds=(url("a/1"),),
            judge=TitleJudge(),
            journal=storage.journal,
            clock=HandClock(),
            scope=learning.scope,
            so_far=so_far,
        )
        self.checkpointer = Checkpointer(
            storage,
            progress=lambda: {"seconds": 0.0},
            state=lambda: {
                "pages": self.crawl.summary.fetched,
                "rules": learning.rules.state(),
                **learning.strategy.state(),
            },
        )

    def fetch(self, pages: int) -> None:
        for _ in range(pages):
            candidate = self.crawl.next()
            assert candidate is not None
            came = answer(short(candidate.url), self._web[short(candidate.url)])
            read = self._reader.read(came, candidate)
            event = self.crawl.observe(candidate.url, read.page)
            self.checkpointer.keep(came, candidate, read, event)
        self.checkpointer.commit()


def job() -> LiveJob:
    topic = Topic("storms", ("storm",), (url("a/1"),))
    return LiveJob(topic, CATALOGUE["vsm"], {}, CrawlOptions(delay=0.0))


@contextmanager
def storage(folder: CrawlFolder) -> Iterator[CrawlStorage]:
    with open_storage(folder, job(), AGENT, HandClock()) as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> CrawlFolder:
    return CrawlFolder.create(tmp_path / "c", job().crawl_spec())


def crawl(
    folder: CrawlFolder, learning: Learning, saved_after: int | None, pages: int = len(WEB)
) -> None:
    """Crawl so many pages; the state is saved after some of them."""
    with storage(folder) as opened:
        live = Live(opened, learning)
        live.fetch(saved_after or 0)
        if saved_after is not None:
            live.checkpointer.save_state()
        live.fetch(pages - (saved_after or 0))


@pytest.mark.parametrize(
    ("saved_after", "read_again", "learned"),
    [
        (None, 3, ["a/1", "a/2", "a/6"]),  # the page that asked not to be kept cannot be
        (1, 2, ["a/1", "a/2", "a/6"]),
        (7, 0, ["a/1", "a/2", "a/5", "a/6"]),
    ],
)
def test_pages_since_the_state_are_learned_again_in_order(
    folder: CrawlFolder, saved_after: int | None, read_again: int, learned: list[str]
) -> None:
    before, again = Learning(), Learning()
    crawl(folder, before, saved_after)
    with storage(folder) as opened:
        assert again.relearn(opened) == read_again
    assert again.learned() == learned
    assert again.rules.state() == before.rules.state()
    assert not any("/no/" in shown for shown in again.scorer.shown)


def test_after_a_damaged_state_everything_is_learned_again(
    folder: CrawlFolder, warned: list[str]
) -> None:
    crawl(folder, Learning(), 5)
    folder.state_path.write_bytes(b"no state at all")
    again = Learning()
    with storage(folder) as opened:
        assert again.relearn(opened) == 3
    assert again.learned() == ["a/1", "a/2", "a/6"]
    (warning,) = warned
    assert "state.npz" in warning and "learned again" in warning


@pytest.mark.parametrize("state", [{"scorer": {}}, {"pages": "3", "rules": {}}])
def test_another_state_is_not_taken(folder: CrawlFolder, state: dict[str, object]) -> None:
    folder.save_state(state)
    with (
        storage(folder) as opened,
        pytest.raises(FolderError, match="is not the state of a live crawl"),
    ):
        Learning().relearn(opened)


def test_storage_opens_where_the_last_commit_was(folder: CrawlFolder) -> None:
    with storage(folder) as new:
        assert new.progress is None
        live, again = Live(new, Learning()), Learning()
        live.checkpointer.commit()
        assert (again.relearn(new), again.learned()) == (0, [])  # there is nothing yet
        live.fetch(2)
        length = new.journal.size
    with folder.journal_path.open("ab") as file:
        file.write(b'{"event":"page","n":3}\n')
    with storage(folder) as opened:
        assert opened.progress is not None
        assert (opened.progress["journal"], opened.journal.size) == (length, length)
        assert where(opened.frontier, url("a/2")) == "closed"


# Weights learned in a crawl come back after a kill, and fit what waits in the frontier.

PAGES = 40
ANCHORS = ("storm", "storm rain", "tea", "cake and tea", "wind")
BODIES = ("storm over the sea", "rain and storm", "a cup of tea", "cake", "the wind")


def weighed_web(noindex_every: int = 1_000) -> dict[str, Reply]:
    """Pages that link to all later ones; every so often one asks not to be kept."""
    web = {}
    for number in range(1, PAGES + 3):
        later = range(number + 1, PAGES + 3)
        links = "".join(f"<p>{ANCHORS[n % 5]} <a href=/{n}>{ANCHORS[n % 5]}</a></p>" for n in later)
        words = " ".join(f"{BODIES[number % 5]} {number * 97 + i}" for i in range(number % 7 + 1))
        head = "<meta name=robots content=noindex>" if number % noindex_every == 0 else ""
        web[f"a/{number}"] = Reply(body=f"{head}<p>{words}</p>{links}".encode())
    return web


class LearningWeights(Learning):
    """mcoa, which fits its weights after every page."""

    def __init__(self, web: Mapping[str, Reply]) -> None:
        super().__init__(web)
        given = strategy_context(["storm"], ["storm rain wind", "storm sea flood"])
        self.strategy = CATALOGUE["mcoa"].build(given, {"every": 1})

    @property
    def weights(self) -> dict[str, float]:
        assert isinstance(self.strategy.scorer, LearnedTexts)
        return self.strategy.scorer.weights

    def check_waiting(self, storage: CrawlStorage) -> None:
        """What waits is scored by these weights."""
        waiting = storage.frontier.peek(2)
        assert waiting
        for candidate in waiting:
            parts = candidate.score.parts
            assert {p.name: p.weight for p in parts} == pytest.approx(self.weights)
            assert sum(p.value * p.weight for p in parts) == pytest.approx(candidate.score.value)


@pytest.mark.parametrize("saved_after", [None, 30])
def test_weights_are_those_before_the_kill(folder: CrawlFolder, saved_after: int | None) -> None:
    before, again = (LearningWeights(weighed_web()) for _ in range(2))
    crawl(folder, before, saved_after, PAGES)
    assert before.weights != pytest.approx(dict.fromkeys(before.weights, 0.25))
    with storage(folder) as opened:
        again.relearn(opened)
        again.check_waiting(opened)
    assert again.weights == pytest.approx(before.weights, abs=1e-9)
    revised = [line for line in folder.journal_path.read_text().splitlines() if '"revised"' in line]
    assert revised and f'"links":{PAGES - 1}' not in revised[0]  # reported when they changed


def test_pages_that_were_not_kept_make_a_difference_that_does_not_stay(folder: CrawlFolder) -> None:
    """Pages that ask not to be kept were learned from, and cannot be again."""
    before, again = (LearningWeights(weighed_web(noindex_every=4)) for _ in range(2))
    crawl(folder, before, None, PAGES)
    with storage(folder) as opened:
        again.relearn(opened)
        assert again.weights != before.weights
        Live(opened, again, Summary(fetched=PAGES))
        again.check_waiting(opened)
