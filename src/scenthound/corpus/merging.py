"""One crawl folder made of those of the workers that crawled together.

What comes of it is a folder like that of any live crawl: order, topic, journal, ledger and WARC
files. What only a crawl that goes on would need is not there: the frontier, which is on the server,
and what the strategy has learnt (``state.npz``).
"""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.errors import FolderError, SettingsError
from scenthound.corpus.merged_folder import OnPages, write_database, write_journal, write_rest
from scenthound.corpus.merged_journal import MergedJournal
from scenthound.corpus.merged_numbers import MergedNumbers
from scenthound.corpus.merged_pages import CopiedPages, LinkedPages
from scenthound.corpus.merged_warc import about_files
from scenthound.corpus.workers import WorkerFolder
from scenthound.store.journal import pages_after
from scenthound.store.warc import SEGMENT_BYTES, WarcWriter

READING, COPYING = "merging the journals", "copying the pages"
OnProgress = Callable[[str, int, int], None]
"""Told what is done, how far that is, and how far it goes."""
_WHILE_RUNNING = "merged while workers were crawling"


@dataclass(frozen=True, slots=True)
class Merged:
    """What was made of the folders of workers.

    Parameters
    ----------
    path : the folder.
    workers : how many there were; ``running`` of them crawl on.
    pages : in the folder, every URL once.
    copies : pages that were left out, as another worker had stored their URL before.
    unsaved : pages that the journals tell of and no commit has: they are not in the folder.
    size : bytes of the WARC files.
    strangers : links from pages of workers that were not given, or have lost them; by the number
        of the worker.
    """

    path: Path
    workers: int
    running: int
    pages: int
    copies: int
    unsaved: int
    size: int
    strangers: Mapping[int, int]


def merge_workers(
    workers: Sequence[WorkerFolder],
    out: Path,
    on_progress: OnProgress,
    segment_bytes: int = SEGMENT_BYTES,
) -> Merged:
    """Merge into a new folder, which is there once it is whole.

    Raises
    ------
    SettingsError
        There is something at ``out`` already, or it is in a folder that is merged.
    FolderError
        A folder is damaged, or nothing can be written.
    """
    _check_target(workers, out)
    with _made_beside(out) as folder, MergedNumbers() as numbers:
        journal = MergedJournal(workers, numbers)
        write_journal(folder, journal, _WHILE_RUNNING, _reading(workers, on_progress))
        total, copied = sum(_size(worker) for worker in workers), 0

        def on_bytes(count: int) -> None:
            nonlocal copied
            copied += count
            on_progress(COPYING, min(copied, total), total)

        about = {**about_files(workers), "description": _description(workers)}
        writer = WarcWriter.open(folder, None, about, segment_bytes=segment_bytes)
        with closing(writer):
            by_number = {worker.number: worker for worker in workers}
            pages = CopiedPages(writer, by_number, numbers, journal.orphans, on_bytes)
            write_database(folder, workers, numbers, journal, pages)
        write_rest(folder, workers, numbers)
        size = sum(path.stat().st_size for path in folder.glob("pages-*.warc.gz"))
        return _merged(out, workers, numbers, journal, size)


def link_workers(workers: Sequence[WorkerFolder], folder: Path, on_progress: OnProgress) -> Merged:
    """The same in ``folder``, an empty one, but with links to the workers' own WARC files.

    It is of use for as long as those are there, and to whoever asks for pages by their numbers: the
    records of pages that were left out, and what was not committed, are still in the files.
    """
    with _told_trouble(folder), MergedNumbers() as numbers:
        journal = MergedJournal(workers, numbers)
        write_journal(folder, journal, "", _reading(workers, on_progress))
        write_database(folder, workers, numbers, journal, LinkedPages(folder, numbers))
        write_rest(folder, workers, numbers)
        return _merged(folder, workers, numbers, journal, 0)


def _merged(
    path: Path,
    workers: Sequence[WorkerFolder],
    numbers: MergedNumbers,
    journal: MergedJournal,
    size: int,
) -> Merged:
    return Merged(
        path=path,
        workers=len(workers),
        running=sum(worker.running for worker in workers),
        pages=numbers.pages,
        copies=journal.copies,
        unsaved=sum(_unsaved(worker, numbers.pages_of(worker.number)) for worker in workers),
        size=size,
        strangers=dict(journal.strangers),
    )


def _check_target(workers: Sequence[WorkerFolder], out: Path) -> None:
    if out.exists() or out.is_symlink():
        raise SettingsError(f"{out} is there already; give --out the name of a new folder.")
    if not out.parent.is_dir():
        raise SettingsError(f"there is no folder {out.parent}; make it, or give another --out.")
    for worker in workers:
        if worker.path.resolve() in out.resolve().parents:
            raise SettingsError(f"{out} is in {worker.path}, which is merged; give another --out.")


@contextmanager
def _made_beside(out: Path) -> Iterator[Path]:
    """A new folder to fill, which gets the name ``out`` at the end; on an error it goes away."""
    beside = out.with_name(f".{out.name[:100]}.{secrets.token_hex(8)}")
    with _told_trouble(out):
        beside.mkdir()
        try:
            yield beside
            os.rename(beside, out)
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise


@contextmanager
def _told_trouble(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FolderError(f"{folder} cannot be made: {error.strerror or error}.") from None
    except sqlite3.Error as error:
        raise FolderError(f"{folder} cannot be made, or a database read: {error}.") from None


def _reading(workers: Sequence[WorkerFolder], on_progress: OnProgress) -> OnPages:
    total = sum(worker.pages for worker in workers)
    return lambda done: on_progress(READING, done, max(done, total))


def _description(workers: Sequence[WorkerFolder]) -> str:
    return f"pages of the crawl {workers[0].crawl}, merged from {len(workers)} workers"


def _size(worker: WorkerFolder) -> int:
    """Bytes of its WARC files, about."""
    with suppress(OSError):
        return sum(path.stat().st_size for path in worker.path.glob("pages-*.warc.gz"))
    return 0


def _unsaved(worker: WorkerFolder, pages: int) -> int:
    """Pages of its journal behind the last commit: a commit is never many pages away."""
    path = worker.folder.journal_path
    return len(pages_after(path, pages)) if path.exists() else 0
