"""Counts what the journal of a crawl says, in one pass and in bounded memory: pages by host, depth,
seed and linking page, links that were not queued, best pages.
"""

from __future__ import annotations

import heapq
from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Generic, TypeVar

from scenthound.crawler import metrics
from scenthound.storage.stored_crawl import (
    READING_ERRORS,
    PageRecord,
    damaged_line_error,
    describe_line,
    page_record,
)

Name = TypeVar("Name", bound=Hashable)


class Shares(Generic[Name]):
    """Relevant and other pages by name; names beyond the first ``most`` are counted together.

    Those that count much are met early in a crawl, so that what is counted together is small.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._counts: dict[Name, list[int]] = {}
        self.others = [0, 0]
        """Relevant and off-topic pages of all further names."""

    def add(self, name: Name, relevant: bool) -> None:
        """One more page."""
        counts = self._counts.get(name)
        if counts is None:
            full = len(self._counts) >= self._most
            counts = self.others if full else self._counts.setdefault(name, [0, 0])
        counts[not relevant] += 1

    def __len__(self) -> int:
        return len(self._counts)

    def by_name(self) -> list[tuple[Name, int, int]]:
        """Every name with its relevant and off-topic pages, in the order they were met."""
        return [(name, relevant, off) for name, (relevant, off) in self._counts.items()]

    def by_pages(self, most: int) -> list[tuple[Name, int, int]]:
        """Those with the most pages first."""
        return sorted(self.by_name(), key=lambda each: -(each[1] + each[2]))[:most]

    def by_off_topic(self, most: int) -> list[tuple[Name, int, int]]:
        """Those with the most off-topic pages first, without those that have none."""
        off = [each for each in self.by_name() if each[2]]
        return sorted(off, key=lambda each: (-each[2], each[1]))[:most]


class Counts(Counter[str]):
    """How often each reason occurred; reasons beyond the first ``most`` are counted together."""

    def __init__(self, most: int = 200) -> None:
        super().__init__()
        self._most = most

    def add(self, name: str, count: int = 1) -> None:
        """So many more."""
        self[name if name in self or len(self) < self._most else "others"] += count


class Best(Generic[Name]):
    """The ``most`` values of the highest rank; the earlier one of two equals."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._heap: list[tuple[float, int, Name]] = []
        self._added = 0

    def add(self, rank: float, value: Name) -> None:
        """Offer a value."""
        self._added += 1
        heapq.heappush(self._heap, (rank, -self._added, value))
        if len(self._heap) > self._most:
            heapq.heappop(self._heap)

    def ordered(self) -> list[Name]:
        """The best first."""
        return [value for _, _, value in sorted(self._heap, reverse=True)]


MOST_HOSTS = 20_000
MOST_PARENTS = 50_000
MOST_DEPTHS = 1_000
"""How many names are counted one by one: a crawl of any length is read in bounded memory."""
NO_PART = "(no parts)"
NOT_STATED = "as the topic's, or not stated"
_REPORT_EVERY = 500


class CrawlTally:
    """Counts what the journal of a crawl says.

    Parameters
    ----------
    tops, worst : how many of the best pages, and of the worst predictions, are remembered.
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
        self.rejected_urls = Counts()
        """URLs that were queued, and gave no page."""
        self.tops: Best[int] = Best(tops)
        self.named: Best[int] = Best(tops)
        """Relevant pages that a person named, for a crawl that has no others."""
        self.worst: Best[PageRecord] = Best(worst)
        self._seed_of = array("i", [0])

    def read(
        self, path: Path, events: Iterable[Mapping[str, object]], on_progress: Callable[[int], None]
    ) -> Iterator[metrics.PageMeasurement]:
        """The pages, for the indicators; everything is counted on the way.

        FolderError, with file and line, for an event that no crawl wrote.

        Parameters
        ----------
        path : of the journal.
        events : what its lines say, from the first one on.
        on_progress : called now and then with the number of pages that were read.
        """
        for number, event in enumerate(events, start=1):
            where = describe_line(path, number)
            try:
                if event.get("event") != "page":
                    self._other(event)
                    continue
                record = self._page(event, where)
            except READING_ERRORS as error:
                raise damaged_line_error(where, error) from None
            yield metrics.PageMeasurement(
                record.url, record.similarity, record.relevant, record.priority, record.redirects
            )
            if self.pages % _REPORT_EVERY == 0:
                on_progress(self.pages)
        on_progress(self.pages)

    def _page(self, event: Mapping[str, object], where: str) -> PageRecord:
        record = page_record(event, where)
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
            # Did a person name it, as a seed or as an example, by one of its URLs?
            urls = (record.url, *record.redirects)
            named = not record.depth or not self._examples.isdisjoint(urls)
            (self.named if named else self.tops).add(record.similarity, record.n)
        elif record.priority is not None:
            self.worst.add(record.priority - record.similarity, record)
        return record

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
        """The first page on the way to a page; that takes four bytes a page."""
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
        elif kind in ("paused", "unpaused", "resumed"):
            self.paused, self.stopped = kind == "paused", ""
        elif kind == "dropped":
            self.rejected_urls.add(reason, int(str(event.get("count", 0))))
        elif kind == "missing":
            self.rejected_urls.add("not in the archive", int(str(event.get("count", 0))))
        elif kind == "refused" or (kind == "redirect" and reason != "followed"):
            self.rejected_urls.add(reason if kind == "refused" else f"redirect: {reason}")
        elif kind == "failed" and event.get("retry_at") is None:
            self.rejected_urls.add(f"given up: {reason}")

    def _remember(self, event: Mapping[str, object]) -> None:
        summary = event.get("summary")
        if isinstance(summary, dict):
            self.summary = summary


def host_name(url: str) -> str:
    """The host of a URL; what has none, which no crawl of ours fetches, is counted as it is."""
    pieces = url.split("/", 3)
    return pieces[2] if len(pieces) > 2 and pieces[2] else "(no host)"
