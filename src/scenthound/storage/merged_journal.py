"""The journal of a crawl as a whole, made of those of its workers: page numbers, order, totals."""

from __future__ import annotations

import hashlib
import heapq
import json
import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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

_KEY_BYTES = 16

_TABLE = "CREATE TABLE urls (key BLOB PRIMARY KEY, n INTEGER NOT NULL) WITHOUT ROWID"

_ENTER = "INSERT OR IGNORE INTO urls VALUES (?, ?)"


class MergedNumbers:
    """Numbers pages anew, 1, 2, ...; a URL that came before keeps its first number.

    Eight bytes a page are in memory; what tells URLs apart lies in a file of SQLite's own, which
    goes away with the connection.
    """

    def __init__(self) -> None:
        self._numbers: dict[int, array[int]] = {}
        self._urls = sqlite3.connect("", isolation_level=None)
        self._urls.execute("PRAGMA synchronous = OFF")
        self._urls.execute(_TABLE)
        self._urls.execute("BEGIN")
        self.pages = 0
        """Pages so far, every URL once."""

    def enter(self, worker: int, url: str) -> int | None:
        """The number of the worker's next page; None where another page has its URL."""
        numbers = self._numbers.setdefault(worker, array("q"))
        key = hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=_KEY_BYTES).digest()
        if self._urls.execute(_ENTER, (key, self.pages + 1)).rowcount:
            self.pages += 1
            numbers.append(self.pages)
            return self.pages
        ((first,),) = self._urls.execute("SELECT n FROM urls WHERE key = ?", (key,))
        numbers.append(-first)
        return None

    def pages_of(self, worker: int) -> int:
        """How many pages of the worker were entered."""
        return len(self._numbers.get(worker, ()))

    def kept(self, worker: int, n: int) -> int | None:
        """The number of a worker's page; None for one that is left out, or is not there."""
        number = self._entered(worker, n)
        return number if number is not None and number > 0 else None

    def left_out(self, worker: int, n: int) -> bool:
        """Was it a page whose URL another page has?"""
        number = self._entered(worker, n)
        return number is not None and number < 0

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


class _Stream:
    """The events of one worker, the next one at hand.

    ``time`` never goes back: a page stands where it was read, which is after it was fetched.
    ``pages`` counts those that were given out.
    """

    def __init__(self, worker: WorkerFolder) -> None:
        self.worker = worker
        self.time = float("-inf")
        self.pages = 0
        self._events = _events_of(worker)
        self.head = self._next()

    def take(self) -> WorkerEvent:
        """The next event."""
        taken = self.head
        assert taken is not None
        self.pages += taken.page is not None
        self.head = self._next()
        return taken

    def _next(self) -> WorkerEvent | None:
        following = next(self._events, None)
        at = None if following is None else following.event.get("at")
        if isinstance(at, int | float):
            self.time = max(self.time, at)
        return following


def events_in_order(workers: Sequence[WorkerFolder]) -> Iterator[WorkerEvent]:
    """All events up to the last commit of each worker, the earliest first.

    The clocks of machines differ, so a page waits for the pages of other workers that link to it,
    however early it seems. What is kept of each journal is one event.

    FolderError, with file and line, for what no crawl wrote.
    """
    streams = {worker.number: _Stream(worker) for worker in workers}
    heap = [(stream.time, number) for number, stream in streams.items() if stream.head]
    heapq.heapify(heap)
    while heap:
        early = [heapq.heappop(heap)]
        while heap and _waits(streams[early[-1][1]], streams):
            early.append(heapq.heappop(heap))
        if _waits(streams[early[-1][1]], streams):  # all do: a page that they name is not there
            early.append(early.pop(0))
        _, number = early.pop()
        stream = streams[number]
        yield stream.take()
        if stream.head is not None:
            early.append((stream.time, number))
        for each in early:
            heapq.heappush(heap, each)


def _waits(stream: _Stream, streams: Mapping[int, _Stream]) -> bool:
    """Does its next page name one of another worker that is still to come?"""
    page = None if stream.head is None else stream.head.page
    if page is None:
        return False
    named = [each.source for each in page.inlinks]
    named += [] if page.copy_of is None else [page.copy_of]
    others = [(streams.get(worker_of(number)), local_page_number(number)) for number in named]
    return any(other and other.head is not None and other.pages < n for other, n in others)


def _events_of(worker: WorkerFolder) -> Iterator[WorkerEvent]:
    path = worker.folder.journal_path
    if not worker.journal:
        return
    for number, event in enumerate(read_journal(path, worker.journal), start=1):
        is_page = event.get("event") == "page"
        yield WorkerEvent(
            worker, event, page_record(event, describe_line(path, number)) if is_page else None
        )


class MergedJournal:
    """Gives the events of all workers as one process that did all of it would have written them.

    Pages are numbered anew, every URL once, and totals are counted anew. Every event names its
    worker. There is one beginning, and :meth:`ending` says how the crawl ended.

    Parameters
    ----------
    workers : of one crawl.
    numbers : gets every page.
    """

    def __init__(self, workers: Sequence[WorkerFolder], numbers: MergedNumbers) -> None:
        self._workers = workers
        self._numbers = numbers
        self._revisions: set[str] = set()
        self._stopped: dict[int, Json | None] = {}
        self._time = 0.0
        self.summary = Summary()
        """The totals so far."""
        self.started_at = 0.0
        self.copies = 0
        """Pages that were left out, as an earlier one has their URL."""
        self.orphans: dict[tuple[int, int], tuple[int, int]] = {}
        """Pages, by worker and number, that are copies of pages left out: of which."""
        self.strangers: Counter[int] = Counter()
        """Links from pages that are not there, by the number of the worker."""

    @property
    def seconds(self) -> float:
        """From the first event to the last, or what the workers took together, if that is less."""
        together = sum(worker.seconds for worker in self._workers)
        return max(0.0, min(self._time - self.started_at, together))

    def events(self) -> Iterator[Json]:
        """All but the ending, in order."""
        begun = [each for worker in self._workers if (each := _beginning(worker)) is not None]
        started = min(begun, key=_time, default=None)
        if started is not None:
            self.started_at = self._time = _time(started)
            yield started
        for one in events_in_order(self._workers):
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
        if any(worker.running for worker in self._workers):
            return self._ended(cut_short) if cut_short else None
        ends = sorted((each for each in self._stopped.values() if each is not None), key=_time)
        whole = [each for each in ends if ending_of(str(each["reason"])).state == FINISHED]
        if whole:
            return self._ended(str(whole[-1]["reason"]))
        last = ends and _time(ends[-1]) >= self._time
        return self._ended(str(ends[-1]["reason"])) if last else None

    def _ended(self, reason: str) -> Json:
        return StoppedEvent(self._time, reason, self.summary).to_json()

    def _events_of(self, one: WorkerEvent) -> Iterator[Json]:
        event = dict(one.event)
        match event.get("event"):
            case "page":
                assert one.page is not None
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
                event["n"] = self._numbers.pages
            case "refused":
                self.summary = replace(self.summary, refused=self.summary.refused + 1)
            case "failed" if event.get("retry_at") is None:
                self.summary = replace(self.summary, given_up=self.summary.given_up + 1)
            case "missing":
                count = int(str(event.get("count", 0)))
                self.summary = replace(self.summary, missing=self.summary.missing + count)
        yield event

    def _page(self, worker: WorkerFolder, page: PageRecord, event: Json) -> Iterator[Json]:
        due = self._numbers.pages_of(worker.number) + 1
        if page.n != due:
            raise FolderError(
                f"{worker.folder.journal_path} is damaged: page {page.n} stands where page {due} "
                "should; put a whole copy back."
            )
        number = self._numbers.enter(worker.number, page.url)
        if number is None:
            self.copies += 1
            yield from (RedirectEvent(hop, page.url).to_json() for hop in page.redirects)
            return
        self.summary = _counted(self.summary, page, event)
        event |= {"n": number, "summary": self.summary.to_json()}
        if page.inlinks:
            event["inlinks"] = self._inlinks(worker.number, page)
        if page.copy_of is not None:
            event["copy_of"] = self._named(worker.number, page.copy_of)
            owner = worker_of(page.copy_of) or worker.number
            original = (owner, local_page_number(page.copy_of))
            if self._numbers.left_out(*original):
                self.orphans[worker.number, page.n] = original
        yield event

    def _inlinks(self, worker: int, page: PageRecord) -> list[list[object]]:
        """The best link of each page: two of a worker's pages may be one now."""
        found: dict[int, list[object]] = {}
        for each in page.inlinks:
            number = self._named(worker, each.source)
            found.setdefault(number, [number, each.score, each.anchor])
        return list(found.values())

    def _named(self, worker: int, number: int) -> int:
        """What a page calls ``number`` is now called."""
        found = self._numbers.number_of(worker, number)
        if worker_of(found):
            self.strangers[worker_of(found)] += 1
        return found


def _time(event: Json) -> float:
    return float(str(event["at"]))


def _counted(summary: Summary, page: PageRecord, event: Json) -> Summary:
    """The totals with one more page; what waits is shared by the workers: the last count is it."""
    after = summary.after_page(
        ok=200 <= page.status < 300,
        similarity=page.similarity,
        relevant=page.relevant,
        priority=page.priority,
        copy=page.copy_of is not None,
    )
    before = event.get("summary")
    waiting = before.get("waiting") if isinstance(before, dict) else None
    return replace(after, waiting=waiting) if isinstance(waiting, int) else after


def _beginning(worker: WorkerFolder) -> Json | None:
    """The event with which a worker began; before it come at most those about example pages."""
    if not worker.journal:
        return None
    for event in read_journal(worker.folder.journal_path, worker.journal):
        if event.get("event") == "started" and isinstance(event.get("at"), int | float):
            return event
        if event.get("event") == "page":
            return None
    return None
