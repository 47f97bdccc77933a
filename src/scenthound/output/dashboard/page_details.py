"""The details of one page: the links that led to it, and why it was fetched and counts as relevant,
or does not.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from scenthound.core.errors import FolderError, InputError, ScenthoundError
from scenthound.core.model import (
    format_page_number,
    global_page_number,
    local_page_number,
    worker_of,
)
from scenthound.crawler.job import WorkerIdentity
from scenthound.output.dashboard.crawl_folder import Clock, CrawlReader, open_watched_crawl
from scenthound.output.dashboard.pages import best_inlink, page_row
from scenthound.output.dashboard.values import (
    Json,
    as_int,
    as_list,
    as_mapping,
    as_text,
    as_url,
    to_plain,
)
from scenthound.output.explain import Explainer
from scenthound.output.journal_search import parse_query
from scenthound.storage.journal import JournalEvent

_REDIRECTS = 20
_MAX_PATH = 500
"""Pages; a walk that is longer is shown from the page back to there."""
Event = Mapping[str, object]
FindPage = Callable[[int, int], Event | None]
"""The page of a worker, by the numbers of both; None where it is not shown here."""


def link_path(event: Event, find: FindPage, worker: int = 0) -> list[Json]:
    """The pages from the seed on, the page itself the last one.

    Each is looked up by its number, so that nothing else of the journal is read. ``anchor`` and
    ``score`` are those of the link that leads to it, ``redirects`` the URLs that it was sent on
    from. A page that is not on record any more ends the way back, and so does one of a worker
    whose folder is not shown; its number stays.

    Parameters
    ----------
    event : of the page.
    find : looks up others.
    worker : who has the page; 0 for a crawl of one process.
    """
    way: list[Json] = []
    here: Event | None = event
    seen: set[tuple[int, object]] = set()
    while here is not None and len(way) < _MAX_PATH:
        source, score, anchor = best_inlink(here)
        redirects = as_list(here.get("redirects"))[:_REDIRECTS]
        step: Json = {
            "n": here.get("n"),
            "url": as_url(here.get("url")),
            "title": as_text(here.get("title")),
            "anchor": anchor,
            "score": score,
            "redirects": list(map(as_url, redirects)),
        }
        way.append(step | ({"worker": worker} if worker else {}))
        seen.add((worker, here.get("n")))
        before = _linking_page(here, source, worker)
        if before is None or before in seen:
            break
        here = find(*before)
        if here is None and before[0] != worker:
            title = format_page_number(global_page_number(*before))
            step = {"n": before[1], "url": "", "title": title}
            way.append(step | {"worker": before[0], "elsewhere": True})
        worker = before[0]
    return way[::-1]


def _linking_page(here: Event, source: int, worker: int) -> tuple[int, int] | None:
    """Worker and number of the page that led here; None where that cannot be.

    The pages of one worker lead to later ones only.
    """
    other = worker_of(source) if source > 0 else 0
    if other not in (0, worker):
        return other, local_page_number(source)
    number, own = here.get("n"), local_page_number(source)
    is_earlier = isinstance(number, int) and source > 0 and 0 < own < number
    return (worker, own) if is_earlier else None


# Why a page was fetched and is relevant or not, for the panel of that page.

_TERMS = 10
_MAX_WAITING = 8
"""Explanations that are waited for at once; whoever waits keeps a thread of the server's."""
_DATA_ERRORS = (
    ScenthoundError,
    ArithmeticError,
    LookupError,
    TypeError,
    ValueError,
    RecursionError,
)
"""What comes of figures and URLs that no crawl writes."""


class PageExplainer:
    """Explains pages, one at a time: the topic and the stored page are read again for each.

    All are explained in one thread. What reading a page takes in memory is given back to the
    thread that took it, so that many threads would keep it many times.

    Parameters
    ----------
    now : the time in seconds since 1970.
    """

    def __init__(self, now: Clock) -> None:
        self.now = now
        self._thread = ThreadPoolExecutor(1)
        self._room = threading.Semaphore(_MAX_WAITING)

    def explain(self, folder: Path, page: int) -> tuple[Json | None, str]:
        """The explanation of a page; None, and why, where there is none now.

        Of a running crawl the very last pages are not committed yet, so that they cannot be read.
        """
        if not self._room.acquire(blocking=False):
            return None, "others are being explained: ask again in some seconds."
        try:
            return self._thread.submit(_explain, folder, page, self.now()).result()
        finally:
            self._room.release()


def _explain(folder: Path, page: int, now: float) -> tuple[Json | None, str]:
    year = datetime.fromtimestamp(now, UTC).year
    try:
        with open_watched_crawl(folder) as stored:
            explainer = Explainer(stored, terms=_TERMS, now=now, year=year)
            (explanation,) = explainer.explain([parse_query(page)])
            return dict(as_mapping(to_plain(explanation.to_json()))), ""
    except InputError as error:
        return None, str(error)
    except sqlite3.Error as error:
        return None, f"the database of the crawl cannot be read now ({error})."
    except _DATA_ERRORS as error:
        return None, f"what is on record of this page makes no sense ({type(error).__name__})."


FindFolder = Callable[[int], CrawlReader | None]
"""The folder of a worker, by its number; None where it is not shown."""


def read_page(
    explainer: PageExplainer,
    folders: FindFolder,
    reader: CrawlReader,
    page: int,
    worker: WorkerIdentity | None,
) -> Json | None:
    """One page of a folder; None where there is none.

    Parameters
    ----------
    explainer : explains it.
    folders : of other workers, whose pages may have led to it.
    reader, page : the folder, and the number that the page has there.
    worker : named in its row; None for a crawl of one process.
    """
    writer = reader.worker()
    own = 0 if writer is None else writer.number
    with ExitStack() as stack:
        journals = {own: stack.enter_context(reader.journal())}

        def find(worker: int, page: int) -> JournalEvent | None:
            """The page of a worker that is shown; each journal is opened once."""
            if worker not in journals:
                other = folders(worker)
                try:
                    opened = None if other is None else stack.enter_context(other.journal())
                except FolderError:
                    opened = None
                journals[worker] = opened
            journal = journals[worker]
            found = None if journal is None else journal.page(page)
            return None if found is None else found.event

        event = find(own, page)
        if event is None:
            return None
        path = link_path(event, find, own)
        explanation, problem = explainer.explain(reader.path, page)
        if explanation is not None:
            _name_inlinks(explanation, folders, find)
    return {
        "page": page_row(event, worker),
        "path": path,
        "explanation": explanation,
        "unexplained": problem,
    }


def _name_inlinks(explanation: Json, folders: FindFolder, find: FindPage) -> None:
    """Name the pages of other workers: the folder that was explained does not know them."""
    for each in as_list(as_mapping(explanation.get("priority")).get("inlinks")):
        number = as_int(each.get("worker")) if isinstance(each, dict) else 0
        reader = folders(number) if number else None
        worker = None if reader is None else reader.worker()
        if worker is not None and isinstance(each, dict):
            event = find(number, as_int(each.get("page")))
            each["worker_name"] = worker.name
            if event is not None:
                each["url"] = as_url(event.get("url"))
