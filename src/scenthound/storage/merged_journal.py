"""The journal of a crawl as a whole, made of those of its workers: page numbers, order, totals.

In order: new page numbers (:class:`MergedNumbers`), the events of all workers in one order
(:func:`events_in_order`), and the journal made of them (:class:`MergedJournal`). Each journal is
read up to the last commit of its worker (``worker_folders``).
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from scenthound.core.errors import FolderError
from scenthound.core.events import Json, RedirectEvent, StoppedEvent, Summary
from scenthound.core.model import global_page_number, local_page_number, worker_of
from scenthound.storage.journal import read_journal
from scenthound.storage.stored_crawl import (
    FINISHED,
    PageRecord,
    describe_line,
    ending_of,
    page_record,
)
from scenthound.storage.worker_folders import WorkerFolder

# Page numbers of the merged crawl.


class MergedNumbers:
    """Numbers pages again, 1, 2, ...; a URL that came before keeps its first number.

    Eight bytes a page are in memory; what tells URLs apart lies in a file of SQLite's own, which
    goes away with the connection.
    """

    def __init__(self) -> None:
        self._numbers: dict[int, array[int]] = {}
        self._urls = sqlite3.connect("", isolation_level=None)
        self._urls.execute("PRAGMA synchronous = OFF")
        self._urls.execute(
            "CREATE TABLE urls (key BLOB PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID"
        )
        self._urls.execute("BEGIN")
        self.pages = 0
        """Pages so far, every URL once."""

    def enter(self, worker: int, url: str) -> int | None:
        """The number of the worker's next page; None where another page has its URL."""
        numbers = self._numbers.setdefault(worker, array("q"))
        key = hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        new = "INSERT OR IGNORE INTO urls VALUES (?, ?)"
        if self._urls.execute(new, (key, self.pages + 1)).rowcount:
            self.pages += 1
            numbers.append(self.pages)
            return self.pages
        ((first,),) = self._urls.execute("SELECT n FROM urls WHERE key = ?", (key,))
        # Negative: this page is left out, and links to it lead to the first one.
        numbers.append(-first)
        return None

    def pages_of(self, worker: int) -> int:
        """How many pages of the worker were entered."""
        return len(self._numbers.get(worker, ()))

    def merged_number(self, worker: int, n: int) -> int | None:
        """The number of a worker's page; None for one that is left out, or is not there."""
        number = self._entered(worker, n)
        return number if number is not None and number > 0 else None

    def number_of(self, worker: int, number: int) -> int:
        """The number of the page that ``worker`` calls so: its own, or that of another one.

        A page whose URL came before is now the one that came. A page of a worker that is not among
        these, or that it has lost, stays what it is to others.
        """
        owner = worker_of(number) or worker
        found = self._entered(owner, local_page_number(number))
        return global_page_number(owner, local_page_number(number)) if found is None else abs(found)

    def close(self) -> None:
        """Forget everything."""
        self._urls.close()

    def _entered(self, worker: int, n: int) -> int | None:
        numbers = self._numbers.get(worker, ())
        return numbers[n - 1] if 0 < n <= len(numbers) else None


# The events of several workers in one order: by time, and no page before those that led to it.


class WorkerEvent(NamedTuple):
    """An event of a worker; ``page`` is what it says of a page, None for another event."""

    worker: WorkerFolder
    event: Json
    page: PageRecord | None


def events_in_order(workers: Sequence[WorkerFolder]) -> Iterator[WorkerEvent]:
    """All events up to the last commit of each worker, the earliest first.

    The clocks of machines differ, so a page waits for the pages of other workers that link to it,
    however early it seems. What is kept of each journal is one event.

    FolderError, with file and line, for what no crawl wrote.
    """
    journals = {worker.number: _events_of(worker) for worker in workers}
    heads: dict[int, WorkerEvent] = {}
    # A time never goes back: a page stands where it was read, which is after it was fetched.
    times = dict.fromkeys(journals, float("-inf"))
    pages: Counter[int] = Counter()
    """How many of each worker were given out."""

    def advance(number: int) -> None:
        head = next(journals[number], None)
        if head is None:
            heads.pop(number, None)
            return
        heads[number] = head
        at = head.event.get("at")
        if isinstance(at, int | float):
            times[number] = max(times[number], at)

    def waits(number: int) -> bool:
        """Does its next page name one of another worker that is still to come?"""
        page = heads[number].page
        if page is None:
            return False
        named = [each.source for each in page.inlinks]
        named += [] if page.copy_of is None else [page.copy_of]
        others = [(worker_of(each), local_page_number(each)) for each in named]
        return any(other in heads and pages[other] < n for other, n in others)

    for number in journals:
        advance(number)
    while heads:
        order = sorted(heads, key=lambda number: (times[number], number))
        # If all wait, a page that they name is not there: the earliest goes on.
        number = next((each for each in order if not waits(each)), order[0])
        yield heads[number]
        pages[number] += heads[number].page is not None
        advance(number)


def _events_of(worker: WorkerFolder) -> Iterator[WorkerEvent]:
    path = worker.folder.journal_path
    events = read_journal(path, worker.journal) if worker.journal else ()
    for number, event in enumerate(events, start=1):
        is_page = event.get("event") == "page"
        page = page_record(event, describe_line(path, number)) if is_page else None
        yield WorkerEvent(worker, event, page)


class MergedJournal:
    """Gives the events of all workers as one process that did all of it would have written them.

    Pages are numbered again by ``numbers``, every URL once, and totals are counted again. Every
    event names its worker. There is one beginning, and :meth:`ending` says how the crawl ended.
    """

    def __init__(self, workers: Sequence[WorkerFolder]) -> None:
        self.workers = workers
        self.numbers = MergedNumbers()
        self._revisions: set[str] = set()
        self._stopped: dict[int, Json | None] = {}
        self._time = 0.0
        self.summary = Summary()
        """The totals so far."""
        self.started_at = 0.0
        self.copies = 0
        """Pages that were left out, as an earlier one has their URL."""
        self.links_from_other_workers: Counter[int] = Counter()
        """Links from pages that are not there, by the number of the worker."""

    @property
    def seconds(self) -> float:
        """From the first event to the last, or what the workers took together, if that is less."""
        together = sum(worker.seconds for worker in self.workers)
        return max(0.0, min(self._time - self.started_at, together))

    def events(self) -> Iterator[Json]:
        """All but the ending, in order."""
        begun = [each for worker in self.workers if (each := _beginning(worker)) is not None]
        started = min(begun, key=_time, default=None)
        if started is not None:
            self.started_at = self._time = _time(started)
            yield started
        for one in events_in_order(self.workers):
            if isinstance(one.event.get("at"), int | float):
                self._time = max(self._time, _time(one.event))
            self._stopped[one.worker.number] = None
            for event in self._events_of(one):
                yield {**event, "worker": one.worker.number}

    def ending(self, cut_short: str = "") -> Json | None:
        """How the crawl stopped; None where it has not, or all its workers were killed.

        A reason that ends a whole crawl counts more than what ended a worker; of others the last
        one does, if no worker went on after it. ``cut_short`` is the reason where some still crawl.
        """
        ends = sorted((each for each in self._stopped.values() if each is not None), key=_time)
        whole = [each for each in ends if ending_of(str(each["reason"])).state == FINISHED]
        reason = ""
        if any(worker.running for worker in self.workers):
            reason = cut_short
        elif whole:
            reason = str(whole[-1]["reason"])
        elif ends and _time(ends[-1]) >= self._time:
            reason = str(ends[-1]["reason"])
        return StoppedEvent(self._time, reason, self.summary).to_json() if reason else None

    def _events_of(self, one: WorkerEvent) -> Iterator[Json]:
        event = dict(one.event)
        match event.get("event"):
            case "page" if one.page is not None:
                yield from self._page(one.worker, one.page, event)
                return
            case "started":
                return
            case "stopped":
                self._stopped[one.worker.number] = event
                return
            case "revised":
                weights = json.dumps([event.get("weights"), event.get("links")], sort_keys=True)
                if weights in self._revisions:  # the worker that learned them has reported them
                    return
                self._revisions.add(weights)
                event["n"] = self.numbers.pages
            case "refused":
                self._count("refused")
            case "failed" if event.get("retry_at") is None:
                self._count("given_up")
            case "missing":
                self._count("missing", int(str(event.get("count", 0))))
        yield event

    def _count(self, total: str, more: int = 1) -> None:
        self.summary = replace(self.summary, **{total: getattr(self.summary, total) + more})

    def _page(self, worker: WorkerFolder, page: PageRecord, event: Json) -> Iterator[Json]:
        due = self.numbers.pages_of(worker.number) + 1
        if page.n != due:
            raise FolderError(
                f"{worker.folder.journal_path} is damaged: page {page.n} stands where page {due} "
                "should; put a whole copy back."
            )
        number = self.numbers.enter(worker.number, page.url)
        if number is None:
            self.copies += 1
            yield from (RedirectEvent(hop, page.url).to_json() for hop in page.redirects)
            return
        self.summary = _counted(self.summary, page, event)
        event |= {"n": number, "summary": self.summary.to_json()}
        if page.inlinks:  # the best link of each page: two of a worker's pages may be one now
            best: dict[int, list[object]] = {}
            for each in page.inlinks:
                source = self._named(worker.number, each.source)
                best.setdefault(source, [source, each.score, each.anchor])
            event["inlinks"] = list(best.values())
        if page.copy_of is not None:
            event["copy_of"] = self._named(worker.number, page.copy_of)
        yield event

    def _named(self, worker: int, number: int) -> int:
        """What a page calls ``number`` is now called."""
        found = self.numbers.number_of(worker, number)
        if worker_of(found):
            self.links_from_other_workers[worker_of(found)] += 1
        return found


def _time(event: Json) -> float:
    return float(str(event["at"]))


def _counted(summary: Summary, page: PageRecord, event: Json) -> Summary:
    """The totals with one more page; what waits is shared by the workers: the last count is it."""
    ok, is_copy = 200 <= page.status < 300, page.copy_of is not None
    after = summary.after_page(ok, page.similarity, page.relevant, page.priority, is_copy)
    before = event.get("summary")
    waiting = before.get("waiting") if isinstance(before, dict) else None
    return replace(after, waiting=waiting) if isinstance(waiting, int) else after


def _beginning(worker: WorkerFolder) -> Json | None:
    """The event with which a worker began; before it come at most those about example pages."""
    path = worker.folder.journal_path
    for event in read_journal(path, worker.journal) if worker.journal else ():
        if event.get("event") == "started" and isinstance(event.get("at"), int | float):
            return event
        if event.get("event") == "page":
            break
    return None
