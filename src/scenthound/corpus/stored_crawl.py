"""A crawl that lies in a folder, open for reading: finished, interrupted or still running."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path

from scenthound.core.errors import FolderError, TopicError
from scenthound.core.model import Topic
from scenthound.corpus.bodies import ArchiveBodies, Bodies, LiveBodies
from scenthound.corpus.finding import refuse_parent
from scenthound.corpus.record import NOT_OURS, PageRecord, damaged, line_of, page_record
from scenthound.live.job import KIND as LIVE
from scenthound.live.keeping import PROGRESS
from scenthound.live.network import DEFAULT_MAX_BODY
from scenthound.relevance.judge_names import SIMILARITY
from scenthound.store.database import read_database
from scenthound.store.folder import CrawlFolder
from scenthound.store.journal import read_backwards, read_journal
from scenthound.store.journal_places import JournalPlaces, open_places
from scenthound.store.ledger import Ledger
from scenthound.store.lock import holder


class StoredCrawl:
    """Reads a crawl folder and changes nothing in it; made by :func:`open_crawl`.

    Of a live crawl everything up to its last commit is read: what came later may still change.

    ``database`` is that of a live crawl, open to read; None for a replay, which has none.
    ``frontier`` is the one with the tables of what waits: the same, or what a replay has left when
    it was over; None where it has left nothing, and for a worker, whose frontier is on a server.
    ``sources`` are the folders that it was read from, where these are several workers'.
    """

    def __init__(
        self,
        folder: CrawlFolder,
        database: sqlite3.Connection | None,
        bodies: Bodies,
        frontier: sqlite3.Connection | None = None,
        sources: tuple[Path, ...] = (),
    ) -> None:
        self.folder = folder
        self.database = database
        self.bodies = bodies
        self.frontier = frontier
        self.sources = sources or (folder.path,)

    @cached_property
    def order(self) -> Mapping[str, object]:
        """What was asked for: the content of ``crawl.json``."""
        return self.folder.order()

    @property
    def is_live(self) -> bool:
        """Was it a crawl of the live web?"""
        return self.order.get("kind") == LIVE

    @property
    def is_running(self) -> bool:
        """Does a process crawl in one of its folders now?"""
        return any(holder(path) is not None for path in self.sources)

    @property
    def archive_path(self) -> Path:
        """The archive that was replayed; an empty path for a crawl of the live web."""
        return _archive(self.order)

    @property
    def strategy(self) -> str:
        """The name of the strategy."""
        return str(self.order.get("strategy", ""))

    @property
    def settings(self) -> Mapping[str, object]:
        """How the crawl went about it."""
        return _table(self.order.get("settings"))

    @cached_property
    def topic(self) -> Topic:
        """The topic; FolderError where it cannot be read."""
        try:
            return Topic(**_table(self.order.get("topic")))  # type: ignore[arg-type]
        except (TypeError, TopicError) as error:
            raise FolderError(f"{self.folder.order_path} is damaged: {error}") from None

    @property
    def judge(self) -> str:
        """The name of what its pages were judged by; older crawls knew similarity alone."""
        return str(self.settings.get("judge", SIMILARITY))

    @cached_property
    def threshold(self) -> float:
        """From which similarity on a page counted as relevant."""
        for number, event in enumerate(self.events(), start=1):
            if event.get("event") == "started":
                try:
                    return float(str(event.get("threshold", 0.0)))
                except NOT_OURS as error:
                    raise damaged(line_of(self.folder.journal_path, number), error) from None
        return 0.0

    def events(self) -> Iterator[dict[str, object]]:
        """The journal, event by event."""
        return read_journal(self.folder.journal_path, self._committed)

    def events_backwards(self) -> Iterator[dict[str, object]]:
        """The journal, the last event first: whatever led to a page comes after it."""
        return read_backwards(self.folder.journal_path, self._committed)

    @contextmanager
    def places(self) -> Iterator[JournalPlaces]:
        """The journal, open to be read from any place in it."""
        with open_places(self.folder.journal_path, self._committed) as places:
            yield places

    def pages(self) -> Iterator[PageRecord]:
        """The pages in the order they were fetched; FolderError for a line that is damaged."""
        path = self.folder.journal_path
        for number, event in enumerate(self.events(), start=1):
            if event.get("event") == "page":
                yield page_record(event, line_of(path, number))

    @property
    def is_cut(self) -> bool:
        """Does the journal of a replay end in the middle of a line, so that pages are missing?"""
        if self.database is not None:
            return False  # what is committed was written whole
        try:
            with self.folder.journal_path.open("rb") as journal:
                journal.seek(-1, os.SEEK_END)
                return journal.read(1) != b"\n"
        except OSError:
            return False  # whoever reads it is told

    def check_journal(self) -> None:
        """FolderError where the journal has been emptied or shortened."""
        path = self.folder.journal_path
        try:
            size = path.stat().st_size
        except OSError as error:
            raise FolderError(f"the journal {path} cannot be used: {error.strerror}.") from None
        written = 1 if self._committed is None else self._committed
        if size < written:
            state = "is shorter than it was" if size else "is empty"
            raise FolderError(f"the journal {path} {state}: put it back, or crawl again.")

    @property
    def _committed(self) -> int | None:
        if self.database is None:
            return None
        progress = Ledger(self.database).get(PROGRESS)
        return int(progress["journal"]) if isinstance(progress, dict) else 0


@contextmanager
def open_crawl(path: Path, sources: tuple[Path, ...] = ()) -> Iterator[StoredCrawl]:
    """The crawl in a folder, for as long as the context lasts; see :class:`StoredCrawl`.

    Raises
    ------
    FolderError
        There is none, or it is of another version, or damaged, or nothing was committed yet.
    """
    refuse_parent(Path(path))
    folder = CrawlFolder.open(Path(path))
    order = folder.order()
    settings = _table(order.get("settings"))
    pdf = settings.get("pdf") is True
    with ExitStack() as resources:
        if order.get("kind") != LIVE:
            archived = ArchiveBodies(_archive(order), resources, pdf)
            replayed = StoredCrawl(folder, None, archived, _left_waiting(folder, resources))
            replayed.check_journal()
            yield replayed
            return
        database = read_database(folder.database_path)
        resources.callback(database.close)
        _check_begun(database, folder.path)
        max_body = int(str(settings.get("max_body", DEFAULT_MAX_BODY)))
        bodies = LiveBodies(folder.path, database, max_body, pdf)
        frontier = database if _has_table(database, "frontier_urls") else None
        crawled = StoredCrawl(folder, database, bodies, frontier, sources)
        crawled.check_journal()
        yield crawled


def _left_waiting(folder: CrawlFolder, resources: ExitStack) -> sqlite3.Connection | None:
    """What waited when a replay was over; None where it ended otherwise, or is an older one."""
    if not folder.waiting_path.exists():
        return None
    found = read_database(folder.waiting_path)
    resources.callback(found.close)
    return found


def _check_begun(database: sqlite3.Connection, folder: Path) -> None:
    """A crawl that was killed before its first commit has not even tables."""
    if not _has_table(database, "meta"):
        raise FolderError(
            f"{folder} holds no page yet; wait a second where the crawl runs, or start it again "
            f"with: scenthound resume {folder}"
        )


def _has_table(database: sqlite3.Connection, name: str) -> bool:
    found = database.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,))
    return found.fetchone() is not None


def _archive(order: Mapping[str, object]) -> Path:
    return Path(str(_table(order.get("source")).get("archive", "")))


def _table(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise FolderError(f"crawl.json is damaged: {value!r} is no table.")
    return value
