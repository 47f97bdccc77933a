"""The files of a crawl as a whole, in a folder that is made of those of its workers."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from scenthound.core.summary import Json
from scenthound.corpus.merged_journal import MergedJournal
from scenthound.corpus.merged_numbers import MergedNumbers
from scenthound.corpus.merged_pages import PagesKept, record_pages
from scenthound.corpus.workers import MERGED, WorkerFolder
from scenthound.live.job import WORKER
from scenthound.live.keeping import PROGRESS, summary_json
from scenthound.store import concepts_file, topic_file
from scenthound.store.atomic import write_json
from scenthound.store.database import open_database, read_database
from scenthound.store.folder import CrawlFolder
from scenthound.store.ledger import Ledger

OnPages = Callable[[int], None]
"""Told now and then how many pages were read."""
_TOLD_EVERY = 500
_COPIED = (topic_file.NAME, concepts_file.NAME)


def write_journal(folder: Path, journal: MergedJournal, cut_short: str, on_pages: OnPages) -> None:
    """The journal; ``cut_short`` is why it ends where some workers crawl on, "" for no end."""
    done = 0
    with CrawlFolder(folder).journal_path.open("xb") as file:
        for event in journal.events():
            file.write(_line(event))
            done += event.get("event") == "page"
            if done % _TOLD_EVERY == 0:
                on_pages(done)
        ending = journal.ending(cut_short)
        if ending is not None:
            file.write(_line(ending))
        file.flush()
        os.fsync(file.fileno())


def _line(event: Json) -> bytes:
    text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


def write_database(
    folder: Path,
    workers: Sequence[WorkerFolder],
    numbers: MergedNumbers,
    journal: MergedJournal,
    pages: PagesKept,
) -> None:
    """The ledger; a commit a worker, as nobody reads it before all are in."""
    made = CrawlFolder(folder)
    with closing(open_database(made.database_path, new=True)) as connection:
        connection.execute("BEGIN")
        ledger = Ledger(connection)
        for worker in workers:
            if not worker.journal:
                continue
            with closing(read_database(worker.folder.database_path)) as database:
                record_pages(worker, database, numbers, ledger)
                pages.keep(worker, database, ledger)
            connection.execute("COMMIT")
            connection.execute("BEGIN")
        ledger.set(PROGRESS, {
            "summary": summary_json(journal.summary),
            "seconds": journal.seconds,
            "warc": list(pages.end),
            "journal": made.journal_path.stat().st_size,
        })  # fmt: skip
        connection.execute("COMMIT")


def write_rest(folder: Path, workers: Sequence[WorkerFolder], numbers: MergedNumbers) -> None:
    """The order, without what only a worker has, and what the crawl knows of its topic."""
    first = workers[0]
    order = first.folder.order()
    settings = order.get("settings")
    assert isinstance(settings, dict)
    about = [
        {"name": each.name, "number": each.number, "pages": numbers.pages_of(each.number)}
        for each in workers
    ]
    kept = {name: value for name, value in settings.items() if name != WORKER}
    kept[MERGED] = {"crawl": first.crawl, "id": first.id, "workers": about}
    for name in _COPIED:
        source = next((path for each in workers if (path := each.path / name).exists()), None)
        if source is not None:
            shutil.copyfile(source, folder / name)
    write_json(CrawlFolder(folder).order_path, {**order, "settings": kept})
