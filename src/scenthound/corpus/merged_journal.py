"""The journal of a crawl as a whole, made of those of its workers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scenthound.core.errors import FolderError
from scenthound.core.events import RedirectEvent, StoppedEvent
from scenthound.core.page_numbers import page_in, worker_of
from scenthound.core.summary import Json, Summary
from scenthound.corpus.ending import FINISHED, ending_of
from scenthound.corpus.merged_numbers import MergedNumbers
from scenthound.corpus.merged_order import Told, in_order
from scenthound.corpus.record import PageRecord
from scenthound.corpus.workers import WorkerFolder
from scenthound.store.journal import read_journal


class MergedJournal:
    """Gives the events of all workers, as one process that did all of it would have told them.

    Pages are numbered anew, every URL once, and totals are counted anew. Every event says which
    worker told it. It begins once; how it ended is told by :meth:`ending`.

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
        started = self._started()
        if started is not None:
            self.started_at = self._time = float(str(started["at"]))
            yield started
        for told in in_order(self._workers):
            at = told.event.get("at")
            self._time = max(self._time, float(at)) if isinstance(at, int | float) else self._time
            self._stopped[told.worker.number] = None
            for event in self._of(told):
                yield {**event, "worker": told.worker.number}

    def ending(self, cut_short: str = "") -> Json | None:
        """How the crawl stopped; None where it has not, or all its workers were killed.

        A reason that ends a whole crawl counts more than what ended a worker; of others the last
        one does, if no worker went on after it. ``cut_short`` is the reason where some still crawl.
        """
        if any(worker.running for worker in self._workers):
            return self._ended(cut_short) if cut_short else None
        told = [each for each in self._stopped.values() if each is not None]
        told.sort(key=lambda each: float(str(each["at"])))
        whole = [each for each in told if ending_of(str(each["reason"])).state == FINISHED]
        if whole:
            return self._ended(str(whole[-1]["reason"]))
        last = told and float(str(told[-1]["at"])) >= self._time
        return self._ended(str(told[-1]["reason"])) if last else None

    def _ended(self, reason: str) -> Json:
        return StoppedEvent(self._time, reason, self.summary).to_json()

    def _started(self) -> Json | None:
        """The first worker's beginning."""
        found = [each for worker in self._workers if (each := _beginning(worker)) is not None]
        return min(found, key=lambda each: float(str(each["at"])), default=None)

    def _of(self, told: Told) -> Iterator[Json]:
        event = dict(told.event)
        match event.get("event"):
            case "page":
                assert told.page is not None
                yield from self._page(told.worker, told.page, event)
                return
            case "started":
                return
            case "stopped":
                self._stopped[told.worker.number] = event
                return
            case "revised":
                weights = json.dumps([event.get("weights"), event.get("links")], sort_keys=True)
                if weights in self._revisions:  # by the worker that learnt them
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
        if page.n != self._numbers.pages_of(worker.number) + 1:
            raise FolderError(
                f"{worker.folder.journal_path} is damaged: page {page.n} stands where page "
                f"{self._numbers.pages_of(worker.number) + 1} should; put a whole copy back."
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
            self._note_orphan(worker.number, page.n, page.copy_of)
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

    def _note_orphan(self, worker: int, n: int, copy_of: int) -> None:
        original = (worker_of(copy_of) or worker, page_in(copy_of))
        if self._numbers.left_out(*original):
            self.orphans[worker, n] = original


def _counted(summary: Summary, page: PageRecord, event: Json) -> Summary:
    """The totals with one more page; what waits is what the workers share, and told last."""
    after = summary.after_page(
        ok=200 <= page.status < 300,
        similarity=page.similarity,
        relevant=page.relevant,
        priority=page.priority,
        copy=page.copy_of is not None,
    )
    told = event.get("summary")
    waiting = told.get("waiting") if isinstance(told, dict) else None
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
