"""The folders of workers that crawl together: each holds a part of one crawl."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.live.job import KIND, WORKER
from scenthound.live.keeping import PROGRESS
from scenthound.store.database import read_database
from scenthound.store.exchange import START, End
from scenthound.store.folder import CrawlFolder
from scenthound.store.ledger import Ledger
from scenthound.store.lock import holder
from scenthound.store.segments import segment_path

MERGED = "merged"
"""In the settings of a folder that was made of several: the crawl, its id, the workers."""
_PAGES = "pages"


@dataclass(frozen=True, slots=True)
class WorkerFolder:
    """A worker's part of a crawl, up to its last commit.

    ``id`` is the same in all folders of a crawl, ``number`` in none. ``pages`` are in its ledger,
    ``journal`` and ``warc`` are how far the files were written, ``seconds`` how long it had crawled
    then. ``running`` says whether a process crawls in the folder now.
    """

    path: Path
    crawl: str
    id: str
    name: str
    number: int
    pages: int
    journal: int
    warc: End
    seconds: float
    running: bool

    @property
    def folder(self) -> CrawlFolder:
        """Its files."""
        return CrawlFolder(self.path)


def worker_folder(path: Path) -> WorkerFolder:
    """The worker's part of a crawl in a folder; FolderError where there is none, or it is damaged.

    One that has committed nothing yet has no bytes.
    """
    folder = CrawlFolder.open(path)
    order = folder.order()
    settings = order.get("settings")
    about = settings.get(WORKER) if isinstance(settings, dict) else None
    if order.get("kind") != KIND or about is None:
        merged = isinstance(settings, dict) and MERGED in settings
        what = "is merged already" if merged else "holds a whole crawl, not a worker's part of one"
        raise FolderError(f"{path} {what}: there is nothing to merge.")
    progress = _progress(folder)
    try:
        found = _read(folder, about, progress)
    except (KeyError, TypeError, ValueError) as error:
        raise FolderError(f"{folder.order_path} is damaged: {error}.") from None
    _check_files(found)
    return found


def _read(
    folder: CrawlFolder, about: Mapping[str, object], progress: Mapping[str, object]
) -> WorkerFolder:
    end = progress.get("warc", START)
    assert isinstance(end, list | tuple)
    return WorkerFolder(
        path=folder.path,
        crawl=str(about["crawl"]),
        id=str(about["id"]),
        name=str(about["name"]),
        number=int(str(about["number"])),
        pages=int(str(progress.get(_PAGES, 0))),
        journal=int(str(progress.get("journal", 0))),
        warc=End(*map(int, end)),
        seconds=float(str(progress.get("seconds", 0.0))),
        running=holder(folder.path) is not None,
    )


def _progress(folder: CrawlFolder) -> Mapping[str, object]:
    """What the last commit says; nothing before the first one."""
    path = folder.database_path
    try:
        with closing(read_database(path)) as database:
            tables = database.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'")
            if tables.fetchone() is None:
                return {}
            database.execute("BEGIN")  # both are of one commit
            ((pages,),) = database.execute("SELECT COALESCE(MAX(n), 0) FROM pages")
            found = Ledger(database).get(PROGRESS)
    except sqlite3.Error as error:
        raise FolderError(f"{path} is damaged ({error}): put a whole copy back.") from None
    return {**found, _PAGES: pages} if isinstance(found, dict) else {}


def _check_files(worker: WorkerFolder) -> None:
    """FolderError where a file is gone, or shorter than it was at the last commit."""
    least = {worker.folder.journal_path: worker.journal} if worker.journal else {}
    for segment in range(1, worker.warc.segment + (worker.warc.offset > 0)):
        last = segment == worker.warc.segment
        least[segment_path(worker.path, segment)] = worker.warc.offset if last else 1
    for path, size in least.items():
        try:
            there = path.stat().st_size
        except OSError as error:
            raise FolderError(f"{path} cannot be read: {error.strerror}; put it back.") from None
        if there < size:
            raise FolderError(f"{path} is shorter than it was: put a whole copy back.")
