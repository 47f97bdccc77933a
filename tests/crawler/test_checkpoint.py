"""The checkpointer: what is on the disk before a commit, what a commit holds, and the way back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from crawler.scripted_downloads import (
    NOW,
    HandClock,
    answer,
    candidate,
    memory_frontier,
    page_event,
    url,
)
from scenthound.core.errors import FolderError
from scenthound.core.events import StoppedEvent, Summary
from scenthound.core.model import Document, Page
from scenthound.core.protocols import State
from scenthound.crawler import checkpoint
from scenthound.fetch.client import ReadPage
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.storage.database import PROGRESS, Ledger
from scenthound.storage.folder import CrawlFolder
from scenthound.storage.journal import FileJournal, read_journal
from scenthound.storage.warc_writer import Exchange, HeaderPairs, Original, WarcWriter
from storage.warc_making import ABOUT, check, pages


class TellingConnection(sqlite3.Connection):
    """Says when it commits; ``full`` makes the next statement of that word fail as a full disk."""

    story: list[str]
    full = ""

    def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
        if self.full and sql.startswith(self.full):
            self.full = ""
            super().execute("ROLLBACK")  # as SQLite does by itself then
            raise sqlite3.OperationalError("database or disk is full")
        if sql in ("COMMIT", "ROLLBACK"):
            self.story.append(sql)
        return super().execute(sql, *args)


class TellingJournal(FileJournal):
    story: list[str]

    def sync(self) -> None:
        self.story.append("journal on disk")
        super().sync()


class TellingThread(checkpoint.WarcWriterThread):
    """Says what is written, and when it is on the disk."""

    def __init__(self, writer: WarcWriter, story: list[str]) -> None:
        super().__init__(writer)
        self._story = story
        self.put_so_far: dict[int, tuple[dict[str, str], Original | None]] = {}

    def put(
        self, number: int, exchange: Exchange, fields: HeaderPairs, copy_of: Original | None = None
    ) -> None:
        self.put_so_far[number] = dict(fields), copy_of
        super().put(number, exchange, fields, copy_of)

    def flush(self) -> checkpoint.Flushed:
        flushed = super().flush()
        self._story.append("pages on disk")
        return flushed


class TellingFolder(CrawlFolder):
    story: list[str]
    slow = 0.0
    clock: HandClock

    def save_state(self, state: State) -> None:
        self.clock.forward(self.slow)
        self.story.append(f"state of {state['pages']}")


class Scene:
    """A checkpointer over a real folder; its parts write one list of what happened."""

    def __init__(self, path: Path, clock: HandClock, stack: ExitStack) -> None:
        self.path, self.clock = path, clock
        self.story: list[str] = []
        self.connection = sqlite3.connect(
            path / "db", isolation_level=None, factory=TellingConnection
        )
        stack.callback(self.connection.close)
        self.path_journal = path / "journal.jsonl"
        self.journal = TellingJournal(self.path_journal)
        stack.callback(self.journal.close)
        self.folder = TellingFolder(path)
        self.folder.clock = clock
        for part in (self.connection, self.journal, self.folder):
            part.story = self.story
        self.writing = TellingThread(WarcWriter(path, (1, 0), ABOUT), self.story)
        stack.callback(self.writing.close)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("BEGIN")
        self.ledger = Ledger(self.connection)
        self.kept = 0
        self.checkpointer = self._checkpointer(checkpoint.SINGLE_WORKER, lambda: None)

    def together(self, kept: Callable[[], None]) -> None:
        """The checkpointer of one of several workers; ``kept`` is called after every commit."""
        self.checkpointer = self._checkpointer(checkpoint.SHARED_CRAWL, kept)

    def _checkpointer(
        self, pace: checkpoint.CommitInterval, kept: Callable[[], None]
    ) -> checkpoint.Checkpointer:
        with memory_frontier(PolitenessPolicy()) as frontier:
            storage = checkpoint.CrawlStorage(
                self.folder, self.connection, frontier, self.ledger, self.journal, self.writing,
                None
            )  # fmt: skip
        return checkpoint.Checkpointer(
            storage,
            progress=lambda: {"summary": asdict(Summary(fetched=self.kept))},
            state=lambda: {"pages": self.kept},
            interval=pace,
            on_commit=kept,
        )

    def keep(
        self, index: bool = True, copy_of: int | None = None, exact: bool = False, body: str = ""
    ) -> None:
        """One more page, as the crawl has it."""
        self.kept += 1
        name = f"a/{self.kept}"
        page = Page(url(name), 200, Document(), copy_of=copy_of, index=index)
        event = page_event(self.kept)
        self.journal.append(event)
        read = ReadPage(page, (body or name).encode(), None, exact)
        self.checkpointer.keep(answer(name), candidate(name), read, event)

    def committed(self, sql: str) -> list[Any]:
        """What another connection reads from the database."""
        with closing(sqlite3.connect(self.path / "db")) as other:
            return other.execute(sql).fetchall()

    def progress(self) -> dict[str, Any]:
        ((value,),) = self.committed(f"SELECT value FROM meta WHERE key = '{PROGRESS}'")
        found: dict[str, Any] = json.loads(value)
        return found

    def events(self) -> list[str]:
        return [str(event.get("n", event["event"])) for event in read_journal(self.path_journal)]


STOPPED = StoppedEvent(NOW, "error: something", Summary())


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    clock = HandClock()
    monkeypatch.setattr("scenthound.crawler.checkpoint.time", SimpleNamespace(monotonic=clock))
    with ExitStack() as stack:
        yield Scene(tmp_path, clock, stack)


def test_a_commit_comes_after_the_files_and_holds_pages_totals_and_lengths(scene: Scene) -> None:
    scene.checkpointer.commit()
    scene.story.clear()
    scene.keep()
    scene.keep()
    assert scene.committed("SELECT n FROM pages") == []
    scene.checkpointer.commit()
    assert scene.story == ["pages on disk", "journal on disk", "COMMIT"]
    assert scene.committed("SELECT n, url, segment FROM pages ORDER BY n") == [
        (1, url("a/1"), 1),
        (2, url("a/2"), 1),
    ]
    progress = scene.progress()
    assert progress["summary"]["fetched"] == 2
    assert progress["journal"] == scene.path_journal.stat().st_size
    assert progress["warc"] == [1, (scene.path / "pages-00001.warc.gz").stat().st_size]
    assert scene.connection.in_transaction


def test_a_batch_is_committed_when_it_is_large_or_after_a_second(scene: Scene) -> None:
    for _ in range(checkpoint.SINGLE_WORKER.pages - 1):
        scene.keep()
        scene.checkpointer.commit_if_due()
    assert scene.story == []
    scene.keep()
    scene.checkpointer.commit_if_due()
    assert scene.story.count("COMMIT") == 1
    scene.keep()
    scene.checkpointer.commit_if_due()
    assert scene.story.count("COMMIT") == 1
    scene.story.clear()
    scene.clock.forward(0.5)
    scene.checkpointer.commit_if_due()
    assert scene.story == []
    scene.clock.forward(0.5)
    scene.checkpointer.commit_if_due()
    assert scene.story[-1] == "COMMIT"


def test_with_others_an_idle_worker_commits_at_once_and_a_busy_one_soon(scene: Scene) -> None:
    reported: list[str] = []
    scene.together(lambda: reported.append(scene.story[-1]))
    scene.keep()
    scene.clock.forward(checkpoint.SHARED_CRAWL.idle)
    scene.checkpointer.commit_if_due()
    assert reported == []
    scene.checkpointer.commit_if_due(idle=True)
    assert reported == ["COMMIT"]  # reported when it lasts, not before
    scene.keep()
    scene.clock.forward(checkpoint.SHARED_CRAWL.seconds)
    scene.checkpointer.commit_if_due()
    assert len(reported) == 2
    scene.clock.forward(10.0)
    scene.checkpointer.commit_if_due(idle=True)  # there is no news
    assert len(reported) == 2


def commit_pages(scene: Scene, count: int) -> list[int]:
    """Keep so many pages; after how many of them was the state saved?"""
    for _ in range(count):
        scene.keep()
        scene.checkpointer.commit_if_due()
    return [int(step.split()[-1]) for step in scene.story if step.startswith("state")]


def test_the_state_is_saved_now_and_then_right_after_a_commit(scene: Scene) -> None:
    due = (
        -(-checkpoint.STATE_PAGES // checkpoint.SINGLE_WORKER.pages)
        * checkpoint.SINGLE_WORKER.pages
    )
    assert commit_pages(scene, 2 * due) == [due, 2 * due]
    for place, step in enumerate(scene.story):
        assert not step.startswith("state") or scene.story[place - 1] == "COMMIT"


def test_a_state_that_takes_long_is_saved_rarely(scene: Scene) -> None:
    scene.folder.slow = 1.0  # a fiftieth of the time: once in 50 s
    assert commit_pages(scene, 1_100) == [512]
    scene.clock.forward(49.0)
    assert commit_pages(scene, 1) == [512]
    scene.clock.forward(1.0)
    assert commit_pages(scene, 1) == [512, 1_102]


def test_a_page_is_kept_with_what_is_known_of_it_unless_it_asks_not_to_be(scene: Scene) -> None:
    scene.keep()
    scene.keep(index=False)
    scene.checkpointer.commit()
    assert pages(scene.path) == [url("a/1")]
    assert scene.writing.put_so_far[1][0] == {
        "page": "1", "hopsFromSeed": "0", "similarity": "0.5", "relevant": "false"
    }  # fmt: skip
    assert scene.ledger.position(2) is None
    assert scene.ledger.original(2)[0] == url("a/2")


def test_a_copy_names_its_original_in_the_same_batch_and_later(scene: Scene) -> None:
    scene.keep()
    scene.keep(copy_of=1, exact=True)
    scene.checkpointer.commit()
    scene.keep(copy_of=1, exact=True)
    scene.checkpointer.commit()
    original = (url("a/1"), NOW)
    assert [copy for _, copy in scene.writing.put_so_far.values()] == [None, original, original]
    assert pages(scene.path) == [url("a/1"), url("a/2"), url("a/3")]
    assert check(scene.path) == 0


@pytest.mark.parametrize("between", [False, True])
def test_a_copy_of_a_page_that_was_not_kept_and_a_near_copy_are_kept_whole(
    scene: Scene, between: bool
) -> None:
    scene.keep(index=False)
    if between:
        scene.checkpointer.commit()
    scene.keep(copy_of=1, exact=True)
    scene.keep(copy_of=2)
    assert [scene.writing.put_so_far[n][1] for n in (2, 3)] == [None, None]


def test_what_was_not_committed_is_gone_and_the_reason_is_on_record(scene: Scene) -> None:
    scene.keep()
    scene.checkpointer.commit()
    before = scene.progress()
    scene.keep()
    scene.checkpointer.abandon(STOPPED)
    assert scene.events() == ["1", "stopped"]
    assert scene.committed("SELECT n FROM pages") == [(1,)]
    after = scene.progress()
    assert after["journal"] == scene.path_journal.stat().st_size > before["journal"]
    assert (after["warc"], after["summary"]) == (before["warc"], before["summary"])
    assert scene.connection.in_transaction


def test_before_the_first_commit_there_is_nothing_to_go_back_to(scene: Scene) -> None:
    scene.keep()
    scene.checkpointer.abandon(STOPPED)
    assert scene.committed("SELECT name FROM sqlite_master WHERE name = 'pages'") == []


@pytest.mark.parametrize("word", ["COMMIT", "INSERT OR REPLACE INTO meta"])
def test_a_full_disk_leads_back_to_the_last_commit(scene: Scene, word: str) -> None:
    scene.keep()
    scene.checkpointer.commit()
    scene.keep()
    scene.connection.full = word
    with pytest.raises(FolderError, match=r"cannot be written: .* full; free disk space"):
        scene.checkpointer.commit()
    scene.checkpointer.abandon(STOPPED)
    assert scene.events() == ["1", "stopped"]
    assert scene.committed("SELECT n FROM pages") == [(1,)]
