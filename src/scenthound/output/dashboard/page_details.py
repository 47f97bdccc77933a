"""The details of one page: the links that led to it, and why it was fetched and counts as relevant,
or does not.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

from scenthound.core.errors import FolderError, InputError
from scenthound.core.model import (
    format_page_number,
    global_page_number,
    local_page_number,
    worker_of,
)
from scenthound.crawler.job import WorkerIdentity
from scenthound.output.dashboard.crawl_folder import Clock, CrawlReader
from scenthound.output.dashboard.journal_tail import ShownPage, read_page
from scenthound.output.dashboard.pages import page_row
from scenthound.output.dashboard.values import Json
from scenthound.output.explain.explain import Explainer
from scenthound.output.explain.journal_search import parse_query
from scenthound.storage.stored_crawl import open_crawl

_MAX_PATH = 500
"""Pages; a walk that is longer is shown from the page back to there."""
FindPage = Callable[[int, int], ShownPage | None]
"""The page of a worker, by the numbers of both; None where it is not shown here."""


def link_path(page: ShownPage, find: FindPage, worker: int = 0) -> list[Json]:
    """The pages from the seed on, the page itself the last one.

    Each is looked up by its number, so that nothing else of the journal is read. ``anchor`` and
    ``score`` are those of the link that leads to it, ``redirects`` the URLs that it was sent on
    from. A page that is not on record any more ends the way back, and so does one of a worker
    whose folder is not shown; its number stays.

    Parameters
    ----------
    page : where the way leads to.
    find : looks up others.
    worker : who has the page; 0 for a crawl of one process.
    """
    way: list[Json] = []
    here: ShownPage | None = page
    seen: set[tuple[int, int]] = set()
    while here is not None and len(way) < _MAX_PATH:
        best = here.inlinks[0] if here.inlinks else None
        step = {"n": here.n, "url": here.url, "title": here.title, "redirects": here.redirects}
        step |= {"anchor": best.anchor if best else "", "score": best.score if best else None}
        way.append(step | ({"worker": worker} if worker else {}))
        seen.add((worker, here.n))
        if best is None:
            break
        before = worker_of(best.source) or worker, local_page_number(best.source)
        if before in seen:
            break
        here = find(*before)
        if here is None and before[0] != worker:
            title = format_page_number(global_page_number(*before))
            step = {"n": before[1], "url": "", "title": title}
            way.append(step | {"worker": before[0], "elsewhere": True})
        worker = before[0]
    return way[::-1]


# Why a page was fetched and is relevant or not, for the panel of that page.

_TERMS = 10


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

    def explain(self, folder: Path, page: int) -> tuple[Json | None, str]:
        """The explanation of a page; None, and why, where there is none now.

        Of a running crawl the very last pages are not committed yet, so that they cannot be read.
        """
        return self._thread.submit(_explain, folder, page, self._now()).result()


def _explain(folder: Path, page: int, now: float) -> tuple[Json | None, str]:
    try:
        with open_crawl(folder) as stored:
            (explanation,) = Explainer(stored, terms=_TERMS, now=now).explain([parse_query(page)])
            return explanation.to_json(), ""
    except InputError as error:
        return None, str(error)
    except sqlite3.Error as error:
        return None, f"the database of the crawl cannot be read now ({error})."


FindFolder = Callable[[int], CrawlReader | None]
"""The folder of a worker, by its number; None where it is not shown."""


def read_page_details(
    explainer: PageExplainer,
    folders: FindFolder,
    reader: CrawlReader,
    number: int,
    worker: WorkerIdentity | None,
) -> Json | None:
    """One page of a folder; None where there is none.

    Parameters
    ----------
    explainer : explains it.
    folders : of other workers, whose pages may have led to it.
    reader, number : the folder, and the number that the page has there.
    worker : named in its row; None for a crawl of one process.
    """
    writer = reader.worker()
    own = 0 if writer is None else writer.number
    with ExitStack() as stack:
        journals = {own: stack.enter_context(reader.journal())}

        def find(worker: int, page: int) -> ShownPage | None:
            """The page of a worker that is shown; its journal stays open for the next one."""
            other = None if worker in journals else folders(worker)
            if other is not None:
                with suppress(FolderError):
                    journals[worker] = stack.enter_context(other.journal())
            journal = journals.get(worker)
            found = None if journal is None else journal.page(page)
            return None if found is None else read_page(found.event)

        page = find(own, number)
        if page is None:
            return None
        path = link_path(page, find, own)
        explanation, problem = explainer.explain(reader.path, number)
        # Name the pages of other workers: the folder that was explained does not know them.
        for each in explanation["priority"]["inlinks"] if explanation else ():
            linking = find(each["worker"], each["page"]) if each["worker"] else None
            other = folders(each["worker"]) if linking else None
            named = other.worker() if other else None
            if linking is not None and named is not None:
                each |= {"worker_name": named.name, "url": linking.url}
    return {
        "page": page_row(page, worker),
        "path": path,
        "explanation": explanation,
        "unexplained": problem,
    }
