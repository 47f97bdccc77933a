"""What a crawl had learnt comes back from its folder: the saved state, and the pages since."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.crawl_building import TableScorer, TitleJudge
from crawler.scripted_downloads import AGENT, HandClock, Reply, answer, short, url
from frontier.frontier_contract import where
from scenthound.core.crawl import Crawl, Greedy, Strategy
from scenthound.core.errors import FolderError
from scenthound.core.model import Budget, Topic
from scenthound.core.scope import LiveLinkRules, Scope, UrlRules
from scenthound.core.urls import rejection_reason
from scenthound.crawler.checkpoint import Checkpointer, CrawlStorage, open_storage
from scenthound.crawler.job import LiveJob
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.relearning import relearn
from scenthound.fetch.messages import PageReader
from scenthound.storage.folder import CrawlFolder
from scenthound.strategies.catalogue import CATALOGUE

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
    """A strategy with rules, fresh."""

    def __init__(self) -> None:
        self.scorer = TableScorer()
        self.rules = LiveLinkRules(2025, rejection_reason)
        self.strategy = Strategy("table", self.scorer, Greedy(random.Random(0)))
        self.scope = Scope(UrlRules(exclude=(url("a/no/*"),)), self.rules)

    def relearn(self, storage: CrawlStorage) -> int:
        return relearn(storage, self.strategy, self.rules, self.scope, MOST)

    def learnt(self) -> list[str]:
        return list(map(short, self.scorer.learnt))


class Live:
    """A crawl of ``WEB`` into a folder, page by page."""

    def __init__(self, storage: CrawlStorage, learning: Learning) -> None:
        self._storage = storage
        self._reader = PageReader(storage.ledger, MOST)
        self.crawl = Crawl(
            topic="storms",
            strategy=learning.strategy,
            frontier=storage.frontier,
            budget=Budget(100),
            seeds=(url("a/1"),),
            judge=TitleJudge(),
            journal=storage.journal,
            clock=HandClock(),
            scope=learning.scope,
        )
        self.keeper = Checkpointer(
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
            came = answer(short(candidate.url), WEB[short(candidate.url)])
            read = self._reader.read(came, candidate)
            event = self.crawl.observe(candidate.url, read.page)
            self.keeper.keep(came, candidate, read, event)
        self.keeper.commit()


def job() -> LiveJob:
    topic = Topic("storms", ("storm",), (url("a/1"),))
    return LiveJob(topic, CATALOGUE["vsm"], {}, CrawlOptions(delay=0.0))


@contextmanager
def storage(folder: CrawlFolder) -> Iterator[CrawlStorage]:
    with open_storage(folder, job(), AGENT, HandClock()) as open_desk:
        yield open_desk


@pytest.fixture
def folder(tmp_path: Path) -> CrawlFolder:
    return CrawlFolder.create(tmp_path / "c", job().crawl_spec())


def crawl(folder: CrawlFolder, saved_after: int | None) -> Learning:
    """Crawl all pages; the state is saved after so many of them."""
    learning = Learning()
    with storage(folder) as open_desk:
        live = Live(open_desk, learning)
        live.fetch(saved_after or 0)
        if saved_after is not None:
            live.keeper.save_state()
        live.fetch(len(WEB) - (saved_after or 0))
    return learning


@pytest.mark.parametrize(
    ("saved_after", "read_again", "learnt"),
    [
        (None, 3, ["a/1", "a/2", "a/6"]),  # the page that asked not to be kept cannot be
        (1, 2, ["a/1", "a/2", "a/6"]),
        (7, 0, ["a/1", "a/2", "a/5", "a/6"]),
    ],
)
def test_pages_since_the_state_are_learnt_again_in_order(
    folder: CrawlFolder, saved_after: int | None, read_again: int, learnt: list[str]
) -> None:
    before = crawl(folder, saved_after)
    again = Learning()
    with storage(folder) as open_desk:
        assert again.relearn(open_desk) == read_again
    assert again.learnt() == learnt
    assert again.rules.state() == before.rules.state()
    assert not any("/no/" in shown for shown in again.scorer.shown)


def test_a_damaged_state_is_told_and_everything_is_learnt_again(
    folder: CrawlFolder, warned: list[str]
) -> None:
    crawl(folder, 5)
    folder.state_path.write_bytes(b"no state at all")
    again = Learning()
    with storage(folder) as open_desk:
        assert again.relearn(open_desk) == 3
    assert again.learnt() == ["a/1", "a/2", "a/6"]
    (warning,) = warned
    assert "state.npz" in warning and "learned again" in warning


def test_a_crawl_without_pages_has_nothing_to_learn(folder: CrawlFolder) -> None:
    again = Learning()
    with storage(folder) as open_desk:
        Live(open_desk, Learning()).keeper.commit()
        assert again.relearn(open_desk) == 0
    assert again.learnt() == []


@pytest.mark.parametrize("state", [{"scorer": {}}, {"pages": "3", "rules": {}}])
def test_another_state_is_not_taken(folder: CrawlFolder, state: dict[str, object]) -> None:
    folder.save_state(state)
    with (
        storage(folder) as open_desk,
        pytest.raises(FolderError, match="is not the state of a live crawl"),
    ):
        Learning().relearn(open_desk)


def test_a_desk_opens_where_the_last_commit_was(folder: CrawlFolder) -> None:
    with storage(folder) as new:
        assert new.progress is None
        Live(new, Learning()).fetch(2)
        length = new.journal.size
    with folder.journal_path.open("ab") as file:
        file.write(b'{"event":"page","n":3}\n')
    with storage(folder) as again:
        assert again.progress is not None
        assert (again.progress["journal"], again.journal.size) == (length, length)
        assert where(again.frontier, url("a/2")) == "closed"
