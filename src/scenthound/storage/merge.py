"""Makes one crawl folder of those of the workers that crawled together, or reads them as one.

The journal is written first (``merged_journal``): that pass gives every page its number. The WARC
files of the workers are copied as they are, for ``scenthound merge``, or linked to, for commands
that read once; the ledger says in which of them each page lies.
"""

from __future__ import annotations

import os
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from scenthound.core.errors import FolderError, SettingsError
from scenthound.storage.database import PROGRESS, Ledger, open_database, read_database
from scenthound.storage.files import os_errors_as, segment_path, write_json
from scenthound.storage.folder import WORKER, CrawlFolder, folder_name
from scenthound.storage.journal import journal_line, pages_after
from scenthound.storage.merged_journal import MergedJournal, MergedNumbers
from scenthound.storage.state import CONCEPTS_NAME, TOPIC_NAME
from scenthound.storage.stored_crawl import OnProgress, StoredCrawl, open_crawl
from scenthound.storage.warc_writer import WARC_START, WarcEnd, WarcPosition
from scenthound.storage.worker_folders import MERGED, WorkerFolder, find_worker_folders

# A merged folder is like that of any live crawl: specification, topic, journal, ledger and WARC
# files. It lacks what only a crawl that goes on would need: the frontier, which is on the server,
# and the learned state of the strategy (``state.npz``). The WARC files also hold what the merged
# crawl leaves out: pages that another worker had stored before. Their metadata records name pages
# by the numbers of their worker.

READING_JOURNALS, COPYING_PAGES = "merging the journals", "copying the pages"
_WHILE_RUNNING = "merged while workers were crawling"
_REPORT_EVERY = 500
"""Pages."""
_PAGES = """
    SELECT n, url, at, payload_digest, segment, offset, length, (
        SELECT min(n) FROM pages AS same WHERE same.payload_digest = pages.payload_digest
    ) FROM pages WHERE n <= ? ORDER BY n
"""


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
    links_from_other_workers : links from pages of workers that were not given, or have lost them;
        by the number of the worker.
    """

    path: Path
    workers: int
    running: int
    pages: int
    copies: int
    unsaved: int
    size: int
    links_from_other_workers: Mapping[int, int]


def merge_workers(workers: Sequence[WorkerFolder], out: Path, on_progress: OnProgress) -> Merged:
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
    beside = out.with_name(f".{out.name[:100]}.{secrets.token_hex(8)}")
    try:
        with os_errors_as(FolderError, f"{out} cannot be made"):
            beside.mkdir()
            merged = _merge(workers, beside, on_progress, copied=True)
            os.rename(beside, out)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    return replace(merged, path=out)


@contextmanager
def open_merged(
    paths: Sequence[Path], copied: bool, on_progress: OnProgress
) -> Iterator[StoredCrawl]:
    """The crawl of several workers as one, among the temporary files; see ``open_whole_crawl``."""
    workers = find_worker_folders(paths)
    with tempfile.TemporaryDirectory(prefix="scenthound-") as scratch:
        folder = Path(scratch) / folder_name(workers[0].crawl)
        with os_errors_as(FolderError, f"{folder} cannot be made"):
            folder.mkdir()
            _merge(workers, folder, on_progress, copied)
        with open_crawl(folder, tuple(worker.path for worker in workers)) as stored:
            yield stored


def _merge(
    workers: Sequence[WorkerFolder], folder: Path, on_progress: OnProgress, copied: bool
) -> Merged:
    """Fill an empty folder; the WARC files in it are copies, or links."""
    merged, journal = CrawlFolder(folder), MergedJournal(workers)
    with closing(journal.numbers) as numbers:
        total, done = sum(_warc_bytes(worker) for worker in workers), 0
        end = WARC_START
        try:
            cut_short = _WHILE_RUNNING if copied else ""
            _write_journal(merged.journal_path, journal, on_progress, cut_short)
            with closing(open_database(merged.database_path, new=True)) as database:
                database.execute("BEGIN")
                ledger = Ledger(database)
                for worker in workers:
                    before = end.segment if end.offset else 0
                    _record_pages(worker, before, numbers, ledger)
                    if worker.warc.offset:
                        end = WarcEnd(before + worker.warc.segment, worker.warc.offset)
                    for segment in range(before + 1, end.segment + (end.offset > 0)):
                        path = segment_path(folder, segment)
                        _add_segment(worker, segment - before, path, copied)
                        done += path.stat().st_size
                        if copied:
                            on_progress(COPYING_PAGES, done, total)
                ledger.set(PROGRESS, {
                    "summary": asdict(journal.summary),
                    "seconds": journal.seconds,
                    "warc": list(end),
                    "journal": merged.journal_path.stat().st_size,
                })  # fmt: skip
                database.execute("COMMIT")
        except sqlite3.Error as error:
            raise FolderError(f"a database cannot be read or written: {error}.") from None
        _write_spec_and_topic(folder, workers, numbers)
        return Merged(
            path=folder,
            workers=len(workers),
            running=sum(worker.running for worker in workers),
            pages=numbers.pages,
            copies=journal.copies,
            unsaved=sum(_unsaved_pages(worker, numbers) for worker in workers),
            size=total,
            links_from_other_workers=dict(journal.links_from_other_workers),
        )


def _write_journal(
    path: Path, journal: MergedJournal, on_progress: OnProgress, cut_short: str
) -> None:
    """The journal; ``cut_short`` is why it ends where some workers crawl on, "" for no end."""
    done, total = 0, sum(worker.pages for worker in journal.workers)
    with path.open("xb") as file:
        for event in journal.events():
            file.write(journal_line(event))
            done += event.get("event") == "page"
            if done % _REPORT_EVERY == 0:
                on_progress(READING_JOURNALS, done, max(done, total))
        ending = journal.ending(cut_short)
        file.write(b"" if ending is None else journal_line(ending))
        file.flush()
        os.fsync(file.fileno())


def _record_pages(
    worker: WorkerFolder, before: int, numbers: MergedNumbers, ledger: Ledger
) -> None:
    """Enter the pages of a worker that have a number; FolderError where some are not there.

    ``before`` is how many segments of other workers come before its own. Fingerprints are left
    out: nobody looks for near copies any more. ``-n`` is where the body of page ``n`` lies, if it
    is an exact copy of a page that is left out.
    """
    found, wanted = 0, numbers.pages_of(worker.number)
    if not wanted:
        return
    with closing(read_database(worker.folder.database_path)) as database:
        stored = Ledger(database)
        for n, url, at, digest, segment, offset, length, first in database.execute(
            _PAGES, (wanted,)
        ):
            found += 1
            number = numbers.merged_number(worker.number, n)
            if number is None:
                continue
            ledger.record(number, url, at, digest, None)
            if segment is not None:
                ledger.place(number, WarcPosition(before + segment, offset, length))
            # A copy of a page that is left out: the page of that URL may have another body.
            if numbers.merged_number(worker.number, first) is not None:
                continue
            if (body := stored.position(first)) is not None:
                ledger.record(-number, url, at, digest, None)
                ledger.place(-number, body._replace(segment=before + body.segment))
    if found != wanted:
        raise FolderError(
            f"{worker.folder.database_path} is damaged: it has {found:,} pages of the {wanted:,} "
            "in the journal beside it; put a whole copy back."
        )


def _add_segment(worker: WorkerFolder, segment: int, path: Path, copied: bool) -> None:
    """A worker's segment as ``path``, without what came after its last commit if it is a copy."""
    source = segment_path(worker.path, segment)
    if not copied:
        path.symlink_to(source.resolve())
        return
    shutil.copyfile(source, path)
    with path.open("r+b") as copy:
        if segment == worker.warc.segment:
            copy.truncate(worker.warc.offset)
        os.fsync(copy.fileno())


def _warc_bytes(worker: WorkerFolder) -> int:
    """Bytes of a worker's WARC files up to its last commit."""
    whole = (segment_path(worker.path, segment) for segment in range(1, worker.warc.segment))
    return sum(path.stat().st_size for path in whole) + worker.warc.offset


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


def _unsaved_pages(worker: WorkerFolder, numbers: MergedNumbers) -> int:
    """Pages behind the last commit, counted from the tail: it is never many pages away."""
    path = worker.folder.journal_path
    return len(pages_after(path, numbers.pages_of(worker.number))) if path.exists() else 0
