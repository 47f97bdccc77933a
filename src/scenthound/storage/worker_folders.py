"""The folders of the workers of one crawl: which belong together, and how far each was committed.

A worker may be crawling meanwhile, so a folder is read up to its last commit and not to the end of
its files.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from scenthound.core.errors import FolderError, SettingsError
from scenthound.storage.database import PROGRESS, Ledger, has_table, read_database
from scenthound.storage.files import os_errors_as, segment_path
from scenthound.storage.folder import KIND, WORKER, CrawlFolder, lock_holder, worker_folders_in
from scenthound.storage.warc_writer import WARC_START, WarcEnd

MERGED = "merged"
"""In the settings of a folder that was made of several: the crawl, its id, the workers."""


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
    warc: WarcEnd
    seconds: float
    running: bool

    @property
    def folder(self) -> CrawlFolder:
        """Its files."""
        return CrawlFolder(self.path)


def read_worker_folder(path: Path) -> WorkerFolder:
    """The worker's part of a crawl in a folder; FolderError where there is none, or it is damaged.

    One that has committed nothing yet has no bytes.
    """
    folder = CrawlFolder.open(path)
    spec = folder.crawl_spec()
    settings = spec.get("settings")
    settings = settings if isinstance(settings, dict) else {}
    about = settings.get(WORKER)
    if spec.get("kind") != KIND or about is None:
        whole = "holds a whole crawl, not a worker's part of one"
        what = "is merged already" if MERGED in settings else whole
        raise FolderError(f"{path} {what}; give the folders of the workers of one crawl.")
    progress = _progress(folder)
    try:
        found = WorkerFolder(
            path=folder.path,
            crawl=str(about["crawl"]),
            id=str(about["id"]),
            name=str(about["name"]),
            number=int(about["number"]),
            pages=int(progress.get("pages", 0)),
            journal=int(progress.get("journal", 0)),
            warc=WarcEnd(*map(int, progress.get("warc", WARC_START))),
            seconds=float(progress.get("seconds", 0.0)),
            running=lock_holder(folder.path) is not None,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise FolderError(f"{folder.spec_path} is damaged: {error}.") from None
    # Files may be gone, or shorter than they were at the last commit.
    least = {folder.journal_path: found.journal} if found.journal else {}
    for segment in range(1, found.warc.segment + (found.warc.offset > 0)):
        last = segment == found.warc.segment
        least[segment_path(path, segment)] = found.warc.offset if last else 1
    for file, size in least.items():
        with os_errors_as(FolderError, f"{file} cannot be read", "; put it back"):
            there = file.stat().st_size
        if there < size:
            raise FolderError(f"{file} is shorter than it was: put a whole copy back.")
    return found


def _progress(folder: CrawlFolder) -> Mapping[str, Any]:
    """What the last commit says; nothing before the first one."""
    path = folder.database_path
    try:
        with closing(read_database(path)) as database:
            if not has_table(database, "meta"):
                return {}
            database.execute("BEGIN")  # both are of one commit
            ((pages,),) = database.execute("SELECT COALESCE(MAX(n), 0) FROM pages")
            found = Ledger(database).get(PROGRESS)
    except sqlite3.Error as error:
        raise FolderError(f"{path} is damaged ({error}): put a whole copy back.") from None
    return {**found, "pages": pages} if isinstance(found, dict) else {}


_NEEDS = "give the folders of a crawl's workers, or the one that holds them"


def find_worker_folders(paths: Sequence[Path]) -> list[WorkerFolder]:
    """The workers whose folders are named, or lie in a folder that is, by their numbers.

    SettingsError or FolderError where there are none, one is named twice, one is no worker's,
    one belongs to another crawl, or is damaged.
    """
    if not paths:
        raise SettingsError(f"there is nothing to read: {_NEEDS}.")
    named = [each for path in paths for each in _expanded(path)]
    resolved = [path.resolve() for path in named]
    for place, path in enumerate(named):
        if resolved[place] in resolved[:place]:
            raise SettingsError(f"{path} is given twice; give every folder once.")
    found = sorted((read_worker_folder(path) for path in named), key=lambda each: each.number)
    first = found[0]
    for one, other in pairwise(found):
        if other.id != first.id:
            raise FolderError(
                f"{first.path} and {other.path} are of different crawls ({first.crawl} and "
                f"{other.crawl}); give the workers of one."
            )
        if one.number == other.number:
            raise FolderError(
                f"{one.path} and {other.path} are both worker {one.number} of {one.crawl}; give "
                "one of them."
            )
    return found


def _expanded(path: Path) -> list[Path]:
    """The folder itself, or those of workers right below it."""
    with os_errors_as(FolderError, f"{path} cannot be read"):
        if not path.is_dir():
            state = "is no folder" if path.exists() else "is not there"
            raise FolderError(f"{path} {state}; {_NEEDS}.")
        if CrawlFolder(path).spec_path.exists():
            return [path]
        below = worker_folders_in(path)
    if not below:
        raise FolderError(f"{path} holds no worker's part of a crawl; {_NEEDS}.")
    return below
