"""The events of several workers in one order: by time, and no page before those that led to it."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence

from scenthound.core.page_numbers import page_in, worker_of
from scenthound.corpus.record import PageRecord, line_of, page_record
from scenthound.corpus.workers import WorkerFolder
from scenthound.store.journal import read_journal

Event = Mapping[str, object]


class Told:
    """An event of a worker; ``page`` is what it says of a page, None for another event."""

    __slots__ = ("event", "page", "worker")

    def __init__(self, worker: WorkerFolder, event: Event, page: PageRecord | None) -> None:
        self.worker = worker
        self.event = event
        self.page = page


class _Stream:
    """The events of one worker, the next one at hand.

    ``time`` never goes back: a page stands where it was read, which is after it was fetched.
    ``pages`` counts those that were given out.
    """

    def __init__(self, worker: WorkerFolder) -> None:
        self.worker = worker
        self.time = float("-inf")
        self.pages = 0
        self._events = _told(worker)
        self.head = self._next()

    def take(self) -> Told:
        """The next event."""
        taken = self.head
        assert taken is not None
        self.pages += taken.page is not None
        self.head = self._next()
        return taken

    def _next(self) -> Told | None:
        told = next(self._events, None)
        at = None if told is None else told.event.get("at")
        if isinstance(at, int | float):
            self.time = max(self.time, at)
        return told


def in_order(workers: Sequence[WorkerFolder]) -> Iterator[Told]:
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
    for number in named:
        other = streams.get(worker_of(number))
        if other is not None and other.head is not None and other.pages < page_in(number):
            return True
    return False


def _told(worker: WorkerFolder) -> Iterator[Told]:
    path = worker.folder.journal_path
    if not worker.journal:
        return
    for number, event in enumerate(read_journal(path, worker.journal), start=1):
        is_page = event.get("event") == "page"
        yield Told(worker, event, page_record(event, line_of(path, number)) if is_page else None)
