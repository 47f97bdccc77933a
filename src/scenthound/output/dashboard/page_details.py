"""The details of one page: the links that led to it, and why it was fetched."""

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
from scenthound.storage.journal import JournalEvent, JournalReader

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
        way.append(_step(here, worker, anchor, score))
        seen.add((worker, here.get("n")))
        before = _linking_page(here, source, worker)
        if before is None or before in seen:
            break
        here = find(*before)
        if here is None and before[0] != worker:
            way.append(_page_elsewhere(*before))
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


def _step(event: Event, worker: int, anchor: str, score: float | None) -> Json:
    return {
        "n": event.get("n"),
        "url": as_url(event.get("url")),
        "title": as_text(event.get("title")),
        "anchor": anchor,
        "score": score,
        "redirects": [as_url(url) for url in as_list(event.get("redirects"))[:_REDIRECTS]],
        **({"worker": worker} if worker else {}),
    }


def _page_elsewhere(worker: int, number: int) -> Json:
    title = format_page_number(global_page_number(worker, number))
    return {"n": number, "url": "", "title": title, "worker": worker, "elsewhere": True}


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
        self._now = now
        self._thread = ThreadPoolExecutor(1)
        self._room = threading.Semaphore(_MAX_WAITING)

    def of(self, folder: Path, page: int) -> tuple[Json | None, str]:
        """The explanation of a page; None, and why, where there is none now.

        Of a running crawl the very last pages are not committed yet, so that they cannot be read.
        """
        if not self._room.acquire(blocking=False):
            return None, "others are being explained: ask again in some seconds."
        try:
            return self._thread.submit(_explain, folder, page, self._now()).result()
        finally:
            self._room.release()


def _explain(folder: Path, page: int, now: float) -> tuple[Json | None, str]:
    year = datetime.fromtimestamp(now, UTC).year
    try:
        with open_watched_crawl(folder) as stored:
            explainer = Explainer(stored, terms=_TERMS, now=now, year=year)
            (explanation,) = explainer.explain([parse_query(page)], _raise)
            return dict(as_mapping(to_plain(explanation.to_json()))), ""
    except InputError as error:
        return None, str(error)
    except sqlite3.Error as error:
        return None, f"the database of the crawl cannot be read now ({error})."
    except _DATA_ERRORS as error:
        return None, f"what is on record of this page makes no sense ({type(error).__name__})."


def _raise(error: InputError) -> None:
    raise error


FindFolder = Callable[[int], CrawlReader | None]
"""The folder of a worker, by its number; None where it is not shown."""


class PageDetailReader:
    """Answers about pages, which those of other workers may have led to.

    Parameters
    ----------
    reasons : explains.
    folders : of other workers.
    """

    def __init__(self, reasons: PageExplainer, folders: FindFolder) -> None:
        self._reasons = reasons
        self._folders = folders

    def read(
        self, reader: CrawlReader, page: int, worker: WorkerIdentity | None = None
    ) -> Json | None:
        """One page of a folder; None where there is none. ``worker`` is named in its row."""
        mark = reader.mark()
        own = 0 if mark is None else mark.number
        with ExitStack() as stack:
            find = self._finding(stack, reader, own)
            event = find(own, page)
            if event is None:
                return None
            path = link_path(event, find, own)
            explanation, problem = self._reasons.of(reader.path, page)
            if explanation is not None:
                self._name_inlinks(explanation, find)
        return {
            "page": page_row(event, worker),
            "path": path,
            "explanation": explanation,
            "unexplained": problem,
        }

    def _finding(self, stack: ExitStack, reader: CrawlReader, own: int) -> FindPage:
        """Finds pages of all workers that are shown; each journal is opened once."""
        journals: dict[int, JournalReader | None] = {own: stack.enter_context(reader.opened())}

        def find(worker: int, page: int) -> JournalEvent | None:
            if worker not in journals:
                journals[worker] = _open_journal(stack, self._folders(worker))
            journal = journals[worker]
            found = None if journal is None else journal.page(page)
            return None if found is None else found.event

        return find

    def _name_inlinks(self, explanation: Json, find: FindPage) -> None:
        """The folder that was explained does not have what others know of their pages."""
        for each in as_list(as_mapping(explanation.get("priority")).get("inlinks")):
            worker = as_int(each.get("worker")) if isinstance(each, dict) else 0
            reader = self._folders(worker) if worker else None
            mark = None if reader is None else reader.mark()
            if mark is None or not isinstance(each, dict):
                continue
            event = find(worker, as_int(each.get("page")))
            each["worker_name"] = mark.name
            if event is not None:
                each["url"] = as_url(event.get("url"))


def _open_journal(stack: ExitStack, reader: CrawlReader | None) -> JournalReader | None:
    try:
        return None if reader is None else stack.enter_context(reader.opened())
    except FolderError:
        return None
