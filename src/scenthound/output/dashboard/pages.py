"""Pages as table rows, the search for pages in the journals, and the details of one page: the links
that led to it, and why it was fetched.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
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
from scenthound.output.dashboard.values import (
    ApiError,
    Json,
    as_int,
    as_list,
    as_mapping,
    as_number,
    as_text,
    as_url,
    number_param,
    to_plain,
)
from scenthound.output.explain import Explainer
from scenthound.output.journal_search import parse_query
from scenthound.output.score_parts import evidence_of
from scenthound.storage.journal import (
    MAX_LINE_BYTES,
    JournalEvent,
    JournalLine,
    JournalPage,
    JournalReader,
    page_on_line,
)

_PARTS = 30


def page_row(event: Mapping[str, object], worker: WorkerIdentity | None = None) -> Json:
    """The row of a page; what its event does not say is None, 0 or "".

    A page of one of several workers also has its worker, and as ``key`` its number among all.
    """
    number = as_int(event.get("n"))
    row: Json = {
        "n": number,
        "at": as_number(event.get("at")),
        "url": as_url(event.get("url")),
        "title": as_text(event.get("title")),
        "relevant": event.get("relevant") is True,
        "similarity": as_number(event.get("similarity")),
        "priority": as_number(event.get("priority")),
        "depth": as_int(event.get("depth")),
        "status": as_int(event.get("status")),
        "parts": _parts(event),
        "linked_from": as_int(event.get("linked_from")),
        "problem": as_text(event.get("problem")),
        "language": as_text(event.get("language")) or None,
        "anchor": best_inlink(event)[2],
    }
    if worker is not None:
        row["key"] = global_page_number(worker.number, number)
        row["worker"] = {"number": worker.number, "name": worker.name}
    return row


def newest_first(rows: Iterable[Json]) -> list[Json]:
    """Rows of several workers in the order of time; those without a time come last."""
    return sorted(rows, key=lambda row: as_number(row["at"]) or 0.0, reverse=True)


def best_inlink(event: Mapping[str, object]) -> tuple[int, float | None, str]:
    """Number of the page with the best link here, its score, its words; 0, None, "" for none."""
    inlinks = as_list(event.get("inlinks"))
    best = as_list(inlinks[0]) if inlinks else []
    if len(best) != 3:
        return 0, None, ""
    return as_int(best[0]), as_number(best[1]), as_text(best[2])


def _parts(event: Mapping[str, object]) -> list[list[object]]:
    """Name, value and weight of each part of its priority, and what it speaks of."""
    parts = list(as_mapping(event.get("parts")).items())[:_PARTS]
    pairs = [(as_text(name), as_list(pair)) for name, pair in parts]
    return [
        [name, *map(as_number, pair), evidence_of(name)[0]]
        for name, pair in pairs
        if len(pair) == 2
    ]


SEARCH_BYTES = 8 * 1024 * 1024
"""Bytes of a journal that are looked through for one answer."""
_RELEVANT = b'"relevant":true'
"""As the journal writes it, without spaces. Lines are sorted out by bytes: parsing is slow."""
_UNESCAPED = frozenset("-_.:/~+%=&?#@!,;()")


@dataclass(frozen=True, slots=True)
class PageQuery:
    """What to look for: ``words`` that all occur in title or URL, in any case; relevant pages only.

    Without words every page matches.
    """

    words: tuple[str, ...] = ()
    relevant: bool = False

    @classmethod
    def of(cls, query: str, relevant: bool) -> PageQuery:
        """From what somebody typed."""
        return cls(tuple(query.casefold().split()), relevant)

    def may_match(self, line: JournalLine) -> bool:
        """Can the line hold a page that matches? Checked on its bytes, before it is parsed."""
        if self.relevant and _RELEVANT not in line.raw:
            return False
        if not line.raw.isascii():  # other letters have more cases than bytes tell
            return True
        raw = line.raw.lower()
        return all(word.encode() in raw for word in self.words if _is_unescaped(word))

    def fits(self, event: JournalEvent) -> bool:
        """Does the page of this event match?"""
        if self.relevant and event.get("relevant") is not True:
            return False
        text = f"{as_text(event.get('title'))} {as_url(event.get('url'))}".casefold()
        return all(word in text for word in self.words)


def _is_unescaped(word: str) -> bool:
    """Does JSON have the word as it is, in this case or another?"""
    return word.isascii() and all(c.isalnum() or c in _UNESCAPED for c in word)


# The search goes back from the newest page, some megabytes at a time. Where to go on is a place in
# each journal: ``1.4096-2.512`` is byte 4096 of worker 1's journal, and so on; for a crawl of one
# process it is the byte alone.

OpenJournals = Sequence[tuple[WorkerIdentity | None, JournalReader]]
"""Open journals with their workers; None for a crawl of one process."""
_PLACE = re.compile(r"([0-9]{1,4})\.([0-9]{1,18})")


@dataclass
class _JournalSearch:
    """What was found in one journal, and how many of these pages are listed already.

    ``place`` is where to go on, 0 where the journal is searched to its beginning. ``searched`` is
    the number of pages that were looked at, ``searched_before`` the same before each page found.
    """

    worker: WorkerIdentity | None
    pages: list[JournalPage]
    searched_before: list[int]
    end: int
    searched_in_all: int
    listed: int = 0

    @property
    def next(self) -> JournalPage | None:
        """The newest page that is not listed yet."""
        return self.pages[self.listed] if self.listed < len(self.pages) else None

    @property
    def is_cut(self) -> bool:
        """Is all listed that was found, and the rest of the journal not searched?"""
        return self.next is None and self.end > 0

    @property
    def at(self) -> float:
        """When the next page came; a page without a time is listed at once."""
        at = None if self.next is None else as_number(self.next.event.get("at"))
        return float("inf") if at is None else at

    @property
    def place(self) -> int:
        """Where to go on: before the next page, or where the search ended."""
        return self.end if self.next is None else self.next.end

    @property
    def searched(self) -> int:
        """How many pages were looked at, as far as that place."""
        return self.searched_in_all if self.next is None else self.searched_before[self.listed]


def _search(
    worker: WorkerIdentity | None,
    journal: JournalReader,
    query: PageQuery,
    before: int | None,
    most: int,
    portion: int,
) -> _JournalSearch:
    """Search one journal backwards, at most ``portion`` bytes of it."""
    found: list[JournalPage] = []
    searched_before: list[int] = []
    searched, begin = 0, journal.size if before is None else min(before, journal.size)
    place = begin
    least = begin - portion - MAX_LINE_BYTES
    for line in journal.backward(begin, least):
        if len(found) == most or (begin - line.start > portion and place < begin):
            break
        place = line.start
        if line.is_page:
            searched += 1
            page = page_on_line(line) if query.may_match(line) else None
            if page is not None and query.fits(page.event):
                found.append(page)
                searched_before.append(searched - 1)
    else:
        place = 0 if least <= 0 else place if place < begin else begin - portion
    return _JournalSearch(worker, found, searched_before, place, searched)


def search_pages(
    opened: OpenJournals, query: PageQuery, before: str, most: int, portion: int = SEARCH_BYTES
) -> Json:
    """The newest pages that match, of all workers in the order of time, and where to go on.

    Parameters
    ----------
    opened : the journals; without any there are no pages.
    query : what to look for.
    before : where to go on, as the last answer said; "" for the newest.
    most : rows to give.
    portion : bytes to search at most, of all journals together.

    ApiError (400) for a place that is none.
    """
    alone = len(opened) == 1 and opened[0][0] is None
    places = _parse_places(before, alone) if before else None
    each = portion // max(1, len(opened))
    parts = []
    for worker, journal in opened:
        # A worker that is not named in the places is searched already, or joined later.
        place = None if places is None else places.get(_number(worker), 0)
        parts.append(_search(worker, journal, query, place, most, each))
    rows: list[Json] = []
    # Pages are merged by time. Behind the place where a search was cut there may be a page that is
    # newer than the next one of another journal, so merging ends there.
    while len(rows) < most and not any(part.is_cut for part in parts):
        newest = max(parts, key=lambda part: (part.next is not None, part.at), default=None)
        if newest is None or newest.next is None:
            break
        rows.append(page_row(newest.next.event, newest.worker))
        newest.listed += 1
    further = [f"{_number(part.worker)}.{part.place}" for part in parts if part.place > 0]
    return {
        "pages": rows,
        "next": (parts[0].place or None) if alone else "-".join(further) or None,
        "searched": sum(part.searched for part in parts),
        "complete": not further,
    }


def _number(worker: WorkerIdentity | None) -> int:
    return 0 if worker is None else worker.number


def _parse_places(text: str, alone: bool) -> Mapping[int, int]:
    """The place in each worker's journal; ApiError (400) for another text."""
    if alone:
        return {0: number_param({"before": text}, "before", 0, 0) or 0}
    found = [_PLACE.fullmatch(each) for each in text.split("-")]
    if not all(found):
        raise ApiError(400, "before takes what the last answer gave as next.")
    return {int(each[1]): int(each[2]) for each in found if each is not None}


# The details of one page: the links that led to it, and why it was fetched.

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
