"""The open folder of a live crawl: database, journal, WARC files, as the last commit left them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.core.protocols import Clock
from scenthound.core.summary import Json
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.live.frontiers import LiveFrontier
from scenthound.live.job import LiveJob
from scenthound.live.keeping import PROGRESS
from scenthound.store.database import open_database
from scenthound.store.folder import CrawlFolder
from scenthound.store.journal import FileJournal
from scenthound.store.ledger import Ledger
from scenthound.store.lock import FolderLock
from scenthound.store.warc import WarcWriter
from scenthound.store.writing import WritingThread

LEASE_SECONDS = 3600.0
"""Far beyond any answer: within one process no lease is meant to expire."""


@dataclass(frozen=True)
class Desk:
    """Everything of the folder that is open. ``progress`` is what the last commit says, if any."""

    folder: CrawlFolder
    connection: sqlite3.Connection
    frontier: LiveFrontier
    ledger: Ledger
    journal: FileJournal
    writing: WritingThread
    progress: Json | None
    shares: bool = False
    """Is the frontier somewhere else, where closed URLs are little more than a name?"""


@contextmanager
def opened(
    folder: CrawlFolder, job: LiveJob, agent: str, clock: Clock, shared: LiveFrontier | None = None
) -> Iterator[Desk]:
    """Open the folder for crawling; nobody else can until this ends.

    ``shared`` is the frontier where it is not in the folder; whoever has it holds the folder's
    lock already.
    """
    path = folder.path
    with ExitStack() as stack:
        if shared is None:
            stack.enter_context(FolderLock(path))
        new = _is_new(folder.database_path)
        if new:
            _refuse_lost_database(folder)
        connection = open_database(folder.database_path, new, {"wal_autocheckpoint": 4_000})
        stack.callback(connection.close)
        connection.execute("BEGIN")
        ledger = Ledger(connection)
        progress = ledger.get(PROGRESS)
        assert progress is None or isinstance(progress, dict)
        frontier = shared
        if frontier is None:
            frontier = SqliteFrontier(
                connection, job.recipe.combination, job.options.manners(), LEASE_SECONDS, clock()
            )
        journal = FileJournal(folder.journal_path, 0 if progress is None else progress["journal"])
        stack.callback(journal.close)
        end = (1, 0) if progress is None else progress["warc"]
        writing = WritingThread(WarcWriter.open(path, end, _about(job, agent)))
        stack.callback(_close, writing)
        yield Desk(
            folder, connection, frontier, ledger, journal, writing, progress, shared is not None
        )


def _about(job: LiveJob, agent: str) -> dict[str, str]:
    """What every WARC file says of itself."""
    return {
        "software": agent,
        "format": "WARC File Format 1.1",
        "http-header-user-agent": agent,
        "robots": "obey",
        "isPartOf": job.topic.name,
        "description": f"pages about {job.topic.name}, found by {job.recipe.name}",
    }


def _is_new(path: Path) -> bool:
    """Was the database never written? (A kill may leave an empty file.)"""
    try:
        return not path.exists() or path.stat().st_size == 0
    except OSError as error:
        raise FolderError(f"{path} cannot be used: {error.strerror}.") from None


def _refuse_lost_database(folder: CrawlFolder) -> None:
    """The database is made before all else: events or pages without one are those of a crawl."""
    path = folder.journal_path
    try:
        begun = folder.holds_pages() or (path.exists() and path.stat().st_size > 0)
    except OSError as error:
        raise FolderError(f"{path} cannot be used: {error.strerror}.") from None
    if begun:
        raise FolderError(
            f"{folder.path} holds a crawl whose {folder.database_path.name} is gone: put it back, "
            "or start a new crawl in another folder."
        )


def _close(writing: WritingThread) -> None:
    """End the thread; an error of its own was told when the crawl was last committed."""
    try:
        writing.close()
    except FolderError:
        return
