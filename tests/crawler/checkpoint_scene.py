"""A checkpointer over a real folder; its parts record what was on the disk, and when."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from crawler.scripted_downloads import (
    HandClock,
    answer,
    candidate,
    memory_frontier,
    page_event,
    url,
)
from scenthound.core.events import Summary
from scenthound.core.model import Document, Page
from scenthound.core.protocols import State
from scenthound.crawler.checkpoint import (
    SHARED_CRAWL,
    SINGLE_WORKER,
    Checkpointer,
    CommitInterval,
    CrawlStorage,
    Flushed,
    WarcWriterThread,
)
from scenthound.fetch.messages import ReadPage
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.storage.database import PROGRESS, Ledger
from scenthound.storage.folder import CrawlFolder
from scenthound.storage.journal import FileJournal, read_journal
from scenthound.storage.warc_writer import Exchange, HeaderPairs, Original, WarcWriter
from storage.warc_making import ABOUT


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


class TellingThread(WarcWriterThread):
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

    def flush(self) -> Flushed:
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
        self.checkpointer = self._checkpointer(SINGLE_WORKER, lambda: None)

    def together(self, kept: Callable[[], None]) -> None:
        """The checkpointer of one of several workers; ``kept`` is called after every commit."""
        self.checkpointer = self._checkpointer(SHARED_CRAWL, kept)

    def _checkpointer(self, pace: CommitInterval, kept: Callable[[], None]) -> Checkpointer:
        with memory_frontier(PolitenessPolicy()) as frontier:
            storage = CrawlStorage(
                self.folder, self.connection, frontier, self.ledger, self.journal, self.writing,
                None
            )  # fmt: skip
        return Checkpointer(
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
