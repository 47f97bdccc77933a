"""Makes one crawl folder of those of the workers that crawled together, or reads them as one.

:func:`merge_workers` copies the pages, for ``scenthound merge``; :func:`link_workers` only links to
them, for commands that read once. Both write the journal first (``merged_journal``): that pass
gives every page its number, which records (``merged_pages``) and ledger need.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from scenthound.core.errors import FolderError, SettingsError
from scenthound.storage.database import PROGRESS, Ledger, open_database, read_database
from scenthound.storage.files import bytes_on_disk, os_errors_as, write_json
from scenthound.storage.folder import WORKER, CrawlFolder, folder_name
from scenthound.storage.journal import journal_line, pages_after
from scenthound.storage.merged_journal import MergedJournal, MergedNumbers
from scenthound.storage.merged_pages import copy_pages, link_pages, record_pages, warcinfo_fields
from scenthound.storage.state import CONCEPTS_NAME, TOPIC_NAME
from scenthound.storage.stored_crawl import OnProgress, StoredCrawl, open_crawl
from scenthound.storage.warc_writer import SEGMENT_BYTES, WARC_START, WarcEnd, WarcWriter
from scenthound.storage.worker_folders import MERGED, WorkerFolder, find_worker_folders

# A merged folder is like that of any live crawl: specification, topic, journal, ledger and WARC
# files. It lacks what only a crawl that goes on would need: the frontier, which is on the server,
# and the learned state of the strategy (``state.npz``).

READING_JOURNALS, COPYING_PAGES = "merging the journals", "copying the pages"
_WHILE_RUNNING = "merged while workers were crawling"
_REPORT_EVERY = 500
"""Pages."""
KeepPages = Callable[[WorkerFolder, sqlite3.Connection, Ledger], WarcEnd]
"""Copies the pages of a worker, or links to them: how far the WARC files are then."""


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

    SettingsError where there is something at ``out`` already, or it is in a folder that is merged;
    FolderError where a folder is damaged, or nothing can be written.
    """
    if out.exists() or out.is_symlink():
        raise SettingsError(f"{out} is there already; give --out the name of a new folder.")
    if not out.parent.is_dir():
        raise SettingsError(f"there is no folder {out.parent}; make it, or give another --out.")
    for worker in workers:
        if worker.path.resolve() in out.resolve().parents:
            raise SettingsError(f"{out} is in {worker.path}, which is merged; give another --out.")
    with _temporary_folder(out) as folder, closing(MergedNumbers()) as numbers:
        journal = _write_journal(folder, workers, numbers, _WHILE_RUNNING, on_progress)
        total, copied = bytes_on_disk(_warc_files(*(each.path for each in workers))), 0
        about = f"pages of the crawl {workers[0].crawl}, merged from {len(workers)} workers"
        info = {**warcinfo_fields(workers), "description": about}
        with closing(WarcWriter(folder, None, info, segment_bytes=segment_bytes)) as writer:

            def copy(worker: WorkerFolder, database: sqlite3.Connection, ledger: Ledger) -> WarcEnd:
                nonlocal copied
                for count in copy_pages(worker, database, numbers, writer, ledger):
                    copied += count
                    on_progress(COPYING_PAGES, min(copied, total), total)
                return writer.end

            _write_database(folder, workers, numbers, journal, copy)
        return Merged(
            path=out,
            workers=len(workers),
            running=sum(worker.running for worker in workers),
            pages=numbers.pages,
            copies=journal.copies,
            unsaved=sum(_unsaved_pages(worker, numbers) for worker in workers),
            size=bytes_on_disk(_warc_files(folder)),
            strangers=dict(journal.strangers),
        )


def link_workers(workers: Sequence[WorkerFolder], folder: Path, on_progress: OnProgress) -> None:
    """The same in ``folder``, an empty one, but with links to the workers' own WARC files.

    It is of use for as long as those are there, and to whoever asks for pages by their numbers: the
    records of pages that were left out, and what was not committed, are still in the files.
    """
    end = WARC_START
    with _folder_errors(folder), closing(MergedNumbers()) as numbers:

        def link(worker: WorkerFolder, database: sqlite3.Connection, ledger: Ledger) -> WarcEnd:
            nonlocal end
            end = link_pages(worker, database, numbers, folder, end, ledger)
            return end

        journal = _write_journal(folder, workers, numbers, "", on_progress)
        _write_database(folder, workers, numbers, journal, link)


def _write_journal(
    folder: Path,
    workers: Sequence[WorkerFolder],
    numbers: MergedNumbers,
    cut_short: str,
    on_progress: OnProgress,
) -> MergedJournal:
    """The journal; ``cut_short`` is why it ends where some workers crawl on, "" for no end."""
    journal = MergedJournal(workers, numbers)
    done, total = 0, sum(worker.pages for worker in workers)
    with CrawlFolder(folder).journal_path.open("xb") as file:
        for event in journal.events():
            file.write(journal_line(event))
            done += event.get("event") == "page"
            if done % _REPORT_EVERY == 0:
                on_progress(READING_JOURNALS, done, max(done, total))
        ending = journal.ending(cut_short)
        file.write(b"" if ending is None else journal_line(ending))
        file.flush()
        os.fsync(file.fileno())
    return journal


def _write_database(
    folder: Path,
    workers: Sequence[WorkerFolder],
    numbers: MergedNumbers,
    journal: MergedJournal,
    keep: KeepPages,
) -> None:
    """The ledger, then the specification and the topic."""
    merged, end = CrawlFolder(folder), WARC_START
    with closing(open_database(merged.database_path, new=True)) as connection:
        connection.execute("BEGIN")
        ledger = Ledger(connection)
        for worker in workers:
            if worker.journal:
                with closing(read_database(worker.folder.database_path)) as database:
                    record_pages(worker, database, numbers, ledger)
                    end = keep(worker, database, ledger)
        ledger.set(PROGRESS, {
            "summary": asdict(journal.summary),
            "seconds": journal.seconds,
            "warc": list(end),
            "journal": merged.journal_path.stat().st_size,
        })  # fmt: skip
        connection.execute("COMMIT")
    _write_spec_and_topic(folder, workers, numbers)


def _write_spec_and_topic(
    folder: Path, workers: Sequence[WorkerFolder], numbers: MergedNumbers
) -> None:
    """The specification without what only a worker has, and what the crawl knows of its topic."""
    first = workers[0]
    spec = first.folder.crawl_spec()
    settings = spec.get("settings")
    assert isinstance(settings, dict)
    about = [
        {"name": each.name, "number": each.number, "pages": numbers.pages_of(each.number)}
        for each in workers
    ]
    merged = {"crawl": first.crawl, "id": first.id, "workers": about}
    common = {name: value for name, value in settings.items() if name != WORKER}
    for name in (TOPIC_NAME, CONCEPTS_NAME):
        source = next((path for each in workers if (path := each.path / name).exists()), None)
        if source is not None:
            shutil.copyfile(source, folder / name)
    write_json(CrawlFolder(folder).spec_path, {**spec, "settings": {**common, MERGED: merged}})


def _warc_files(*folders: Path) -> Iterator[Path]:
    for folder in folders:
        yield from folder.glob("pages-*.warc.gz")


def _unsaved_pages(worker: WorkerFolder, numbers: MergedNumbers) -> int:
    """Pages behind the last commit, counted from the tail: it is never many pages away."""
    path = worker.folder.journal_path
    return len(pages_after(path, numbers.pages_of(worker.number))) if path.exists() else 0


@contextmanager
def _temporary_folder(out: Path) -> Iterator[Path]:
    """A new folder to fill, which gets the name ``out`` at the end; on an error it goes away."""
    beside = out.with_name(f".{out.name[:100]}.{secrets.token_hex(8)}")
    with _folder_errors(out):
        beside.mkdir()
        try:
            yield beside
            os.rename(beside, out)
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise


@contextmanager
def _folder_errors(folder: Path) -> Iterator[None]:
    try:
        with os_errors_as(FolderError, f"{folder} cannot be made"):
            yield
    except sqlite3.Error as error:
        raise FolderError(f"{folder} cannot be made, or a database read: {error}.") from None


@contextmanager
def open_merged(
    paths: Sequence[Path], copied: bool, on_progress: OnProgress
) -> Iterator[StoredCrawl]:
    """The crawl of several workers as one, among the temporary files; see ``open_whole_crawl``."""
    workers = find_worker_folders(paths)
    with tempfile.TemporaryDirectory(prefix="scenthound-") as scratch:
        folder = Path(scratch) / folder_name(workers[0].crawl)
        if copied:
            merge_workers(workers, folder, on_progress)
        else:
            folder.mkdir()
            link_workers(workers, folder, on_progress)
        with open_crawl(folder, tuple(worker.path for worker in workers)) as stored:
            yield stored
