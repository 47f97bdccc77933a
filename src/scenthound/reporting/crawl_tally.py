"""One reading of a journal, from which a report of the crawl is made; little stays in memory."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from scenthound.corpus.record import NOT_OURS, PageRecord, damaged, line_of, page_record
from scenthound.experiments import metrics
from scenthound.reporting.bounded_counts import Best, Counts, Shares

MOST_HOSTS = 20_000
MOST_PARENTS = 50_000
MOST_DEPTHS = 1_000
NO_PART = "(no parts)"
NOT_STATED = "as the topic's, or not stated"
_TOLD_EVERY = 500
_PAUSES = {"paused": "paused", "unpaused": "", "resumed": ""}
OnProgress = Callable[[int], None]
"""Told now and then how many pages were read."""


class CrawlTally:
    """Counts what the journal of a crawl says.

    Parameters
    ----------
    tops, worst : how many of the best pages, and of the worst predictions, are kept.
    examples : addresses of pages that the topic itself gives as examples.
    """

    def __init__(self, tops: int, worst: int, examples: frozenset[str] = frozenset()) -> None:
        self._examples = examples
        self.started: Mapping[str, object] = {}
        self.stopped = ""
        """Why the crawl ended; "" while it has not."""
        self.paused = False
        self.summary: Mapping[str, object] = {}
        self.pages = 0
        self.hosts: Shares[str] = Shares(MOST_HOSTS)
        self.depths: Shares[int] = Shares(MOST_DEPTHS)
        self.parents: Shares[int] = Shares(MOST_PARENTS)
        self.seeds: Shares[int] = Shares(MOST_PARENTS)
        """By the page, named by a person, that the way to each page begins at."""
        self.misled: Shares[str] = Shares(MOST_DEPTHS)
        """Pages with a score, by the part that adds most to it."""
        self.languages = Counts()
        self.problems = Counts()
        self.dropped = Counts()
        """Links that were not queued."""
        self.turned_down = Counts()
        """URLs that were queued, and gave no page."""
        self.tops: Best[int] = Best(tops)
        self.named: Best[int] = Best(tops)
        """Relevant pages that a person named, for a crawl that has no others."""
        self.worst: Best[PageRecord] = Best(worst)
        self._seed_of = array("i", [0])

    def read(
        self, path: Path, events: Iterable[Mapping[str, object]], on_progress: OnProgress
    ) -> Iterator[metrics.PageRecord]:
        """The pages, for the indicators; everything is counted on the way.

        FolderError, with file and line, for an event that no crawl wrote.

        Parameters
        ----------
        path : of the journal.
        events : what its lines say, from the first one on.
        on_progress : told how far it is.
        """
        for number, event in enumerate(events, start=1):
            where = line_of(path, number)
            try:
                record = self._counted(event, where)
            except NOT_OURS as error:
                raise damaged(where, error) from None
            if record is None:
                continue
            yield metrics.PageRecord(
                record.url, record.similarity, record.relevant, record.priority, record.redirects
            )
            if self.pages % _TOLD_EVERY == 0:
                on_progress(self.pages)
        on_progress(self.pages)

    def _counted(self, event: Mapping[str, object], where: str) -> PageRecord | None:
        """The page that an event tells of; None for another event."""
        if event.get("event") != "page":
            self._other(event)
            return None
        record = page_record(event, where)
        self._page(record, event)
        return record

    def _page(self, record: PageRecord, event: Mapping[str, object]) -> None:
        self.pages += 1
        self._remember(event)
        self._place(record)
        self.languages.add(record.language or NOT_STATED)
        if record.problem:
            self.problems.add(record.problem)
        dropped = event.get("dropped")
        for reason, found in dropped.items() if isinstance(dropped, dict) else ():
            self.dropped.add(str(reason), int(found[0]))
        if record.relevant:
            kept = self.named if self._is_named(record) else self.tops
            kept.add(record.similarity, record.n)
        elif record.priority is not None:
            self.worst.add(record.priority - record.similarity, record)

    def _is_named(self, record: PageRecord) -> bool:
        """Did a person name it, as a seed or as an example, by one of its addresses?"""
        return not record.depth or not self._examples.isdisjoint((record.url, *record.redirects))

    def _place(self, record: PageRecord) -> None:
        """Where the page lies, and what led to it."""
        relevant, parent = record.relevant, record.parent
        self.hosts.add(host_name(record.url), relevant)
        self.depths.add(record.depth, relevant)
        self.seeds.add(self._seed(record.n, parent), relevant)
        if parent is not None:
            self.parents.add(parent, relevant)
        if record.parts:
            best = max(record.parts, key=lambda part: part.value * part.weight)
            self.misled.add(best.name if best.value * best.weight > 0 else NO_PART, relevant)

    def _seed(self, number: int, parent: int | None) -> int:
        """The first page on the way to a page; four bytes a page are kept for that."""
        known = parent is not None and 0 < parent < len(self._seed_of)
        seed = self._seed_of[parent] if known and parent is not None else number
        if number == len(self._seed_of):
            self._seed_of.append(seed)
        return seed

    def _other(self, event: Mapping[str, object]) -> None:
        kind, reason = event.get("event"), str(event.get("reason", ""))
        if kind == "started":
            self.started = event
        elif kind == "stopped":
            self.stopped = reason
            self._remember(event)
        elif kind in _PAUSES:
            self.paused, self.stopped = bool(_PAUSES[str(kind)]), ""
        elif kind == "dropped":
            self.turned_down.add(reason, int(str(event.get("count", 0))))
        elif kind == "missing":
            self.turned_down.add("not in the archive", int(str(event.get("count", 0))))
        elif kind == "refused" or (kind == "redirect" and reason != "followed"):
            self.turned_down.add(reason if kind == "refused" else f"redirect: {reason}")
        elif kind == "failed" and event.get("retry_at") is None:
            self.turned_down.add(f"given up: {reason}")

    def _remember(self, event: Mapping[str, object]) -> None:
        summary = event.get("summary")
        if isinstance(summary, dict):
            self.summary = summary


def host_name(url: str) -> str:
    """The host of a URL; what has none, which no crawl of ours fetches, is told as it is."""
    pieces = url.split("/", 3)
    return pieces[2] if len(pieces) > 2 and pieces[2] else "(no host)"
