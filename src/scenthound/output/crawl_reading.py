"""Reads what the report of a crawl needs: one pass over the journal counts figures in little
memory, however long the crawl is; link paths are read backwards; then ``results.json``.
"""

from __future__ import annotations

import heapq
import math
from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel, FiniteFloat, ValidationError

from scenthound.core.errors import FolderError, MalformedUrlError
from scenthound.core.urls import canonical
from scenthound.crawler import metrics
from scenthound.crawler.metrics import Indicators, checkpoints, over_budget
from scenthound.evaluation.standings import milestones
from scenthound.output.explain import KnownUrls
from scenthound.output.explain_scores import RelevanceExplainer, strategy_spec
from scenthound.output.explanation import Explanation
from scenthound.output.export_rows import page_count
from scenthound.output.journal_search import JournalSearch
from scenthound.similarity.topic_file import is_url
from scenthound.storage.database import PROGRESS, Ledger
from scenthound.storage.journal import read_backwards
from scenthound.storage.stored_crawl import (
    READING_ERRORS,
    PageRecord,
    StoredCrawl,
    damaged_line_error,
    describe_line,
    page_record,
    stored_sizes,
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
        if self._most <= 0:
            return
        entry = (rank, -self._added, value)
        if len(self._heap) < self._most:
            heapq.heappush(self._heap, entry)
        elif entry > self._heap[0]:
            heapq.heapreplace(self._heap, entry)

    def ordered(self) -> list[Name]:
        """The best first."""
        return [value for _, _, value in sorted(self._heap, key=lambda each: each[:2])[::-1]]


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


# Reads what the report of a crawl needs: the journal forwards for figures and backwards for link
# paths, and ``results.json``.

_STEPS = (1, 2, 5, 10, 20, 50, 100)
_POINTS = 200
"""A curve needs no more."""
_TINY = 20
_ROWS = 10
"""Lines of a table of a tiny crawl, about."""
_PAPER_PAGES = 5_000
_MAX_FURTHER_ROWS = 40
"""Lines of a table beyond those that the papers print."""


def curve_step(pages: int) -> int:
    """Every how many pages a curve has a point; it divides 100.

    Examples
    --------
    >>> curve_step(0), curve_step(150), curve_step(3_000), curve_step(100_000)
    (1, 1, 20, 100)
    """
    return next((step for step in _STEPS if pages / step <= _POINTS), _STEPS[-1])


def table_pages(pages: int) -> list[int]:
    """The numbers of pages that stand in a table of a crawl of so many pages, its end included.

    Examples
    --------
    >>> table_pages(0), table_pages(30), table_pages(250)
    ([], [10, 20, 30], [10, 20, 50, 100, 200, 250])
    """
    if pages <= 0:
        return []
    if pages < _TINY:
        step = next(step for step in (1, 2) if pages / step <= _ROWS)
        return sorted({*range(step, pages + 1, step), pages})
    least = pages / _MAX_FURTHER_ROWS
    power = int(10.0 ** math.floor(math.log10(max(least, 1.0))))
    # The first of 1, 2, 5, 10, 20, ... that is no less.
    step = next(step * power for step in (1, 2, 5, 10) if step * power >= least)
    checkpoints = (each for each in milestones(pages) if each <= _PAPER_PAGES or each % step == 0)
    return sorted({*checkpoints, pages})


# What ``results.json`` says of a crawl that has ended: figures by labels, time and memory.

_DAMAGED = (
    "results.json is damaged: the figures by labels, the time and the memory that it should have "
    "are left out here."
)


class Labelled(BaseModel):
    """Labelled pages found by ``fetched`` pages; their share of all, None where not known."""

    fetched: int
    labelled: int | None = None
    target_recall: FiniteFloat | None = None


class CrawlResults(BaseModel):
    """The figures of the file, None where it has none.

    ``problem`` is a sentence where there is a file and it cannot be read: then it has no figures.
    """

    fetched: FiniteFloat | None = None
    seconds: FiniteFloat | None = None
    peak_rss_mb: FiniteFloat | None = None
    checkpoints: list[Labelled] | None = None
    problem: str = ""

    def of(self, pages: int) -> CrawlResults:
        """These where they speak of a crawl of so many pages; else they are of an earlier run."""
        return self if self.fetched == pages else CrawlResults(problem=self.problem)


def read_results(path: Path) -> CrawlResults:
    """What the file says; nothing where there is none."""
    try:
        return CrawlResults.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return CrawlResults()
    except OSError as error:
        return CrawlResults(problem=f"results.json cannot be read: {error.strerror or error}.")
    except ValidationError:
        return CrawlResults(problem=_DAMAGED)


OnProgress = Callable[[str, int, int], None]
"""Called with what is done, how far that is, and how far it goes."""
READING, EXPLAINING = "reading the journal", "explaining pages"
WORST, PARENTS, SEEDS = 10, 15, 10
TERMS = 8


@dataclass(frozen=True)
class CrawlReading:
    """What was read of a crawl.

    ``rows`` are the indicators as the crawl went, the last one at its end; none where nothing was
    fetched. ``results`` is ``results.json`` where it speaks of the crawl as it stands, else empty.
    ``pages`` has those that are named in the report, by number. ``seconds`` is None where the time
    is not known. ``host_bytes`` are WARC bytes by host, ``stored_bytes`` all of them. ``unsaved``
    counts pages of the journal that the last commit does not have: they are in none of the figures.
    """

    tally: CrawlTally
    rows: tuple[Indicators, ...]
    results: CrawlResults
    tops: tuple[Explanation, ...]
    pages: Mapping[int, PageRecord]
    seconds: float | None
    host_bytes: tuple[tuple[str, int], ...]
    stored_bytes: int
    budget: int
    unsaved: int


def read_crawl(
    stored: StoredCrawl, top: int, labels: frozenset[str] | None, on_progress: OnProgress
) -> CrawlReading:
    """Everything of one crawl.

    Parameters
    ----------
    stored : the crawl, which may be running.
    top : how many pages are explained.
    labels : labelled pages of its topic; None to take the figures that ``results.json`` has.
    on_progress : called with the progress.
    """
    about = page_count(stored)
    examples = set()  # by their URLs; files and texts have none
    for example in filter(is_url, stored.topic.examples):
        with suppress(MalformedUrlError):
            examples.add(canonical(example))
    tally = CrawlTally(top, WORST, frozenset(examples))
    read = tally.read(
        stored.folder.journal_path,
        stored.events(),
        lambda done: on_progress(READING, done, max(about, done)),
    )
    rows = checkpoints(read, labels, curve_step(about))
    results = read_results(stored.folder.results_path)
    known = {each.fetched: each for each in results.checkpoints or () if each.labelled is not None}
    for place, row in enumerate(rows if labels is None else ()):
        each = known.get(row.fetched)  # it is known for fewer pages than there are rows
        if each is not None and each.labelled is not None and row.fetched:
            rows[place] = replace(
                row,
                labelled=each.labelled,
                labelled_harvest=each.labelled / row.fetched,
                target_recall=each.target_recall,
            )
    budget = _budget(stored)
    if tally.stopped:
        rows[-1] = over_budget(rows[-1], max(1, budget))
    current = results.of(tally.pages)
    tops, named = _explain_top_pages(stored, tally, on_progress)
    host_bytes, all_bytes = Counts(MOST_HOSTS), 0
    for url, size in stored_sizes(stored):
        host_bytes.add(host_name(url), size)
        all_bytes += size
    return CrawlReading(
        tally, tuple(rows) if tally.pages else (), current, tops, named,
        _seconds(stored, current), tuple(host_bytes.most_common()), all_bytes, budget,
        _unsaved(stored, tally.pages),
    )  # fmt: skip


def _unsaved(stored: StoredCrawl, pages: int) -> int:
    """Pages that are in the journal of a live crawl and not in its last commit."""
    if stored.database is None:
        return 0
    events = read_backwards(stored.folder.journal_path)
    found = (event for event in events if event.get("event") == "page")
    numbers = (event.get("n") for event in found)
    return sum(1 for _ in takewhile(lambda n: isinstance(n, int) and n > pages, numbers))


def _budget(stored: StoredCrawl) -> int:
    budget = stored.order.get("budget")
    if not isinstance(budget, int) or isinstance(budget, bool):
        raise FolderError(f"{stored.folder.order_path} is damaged: its budget is {budget!r}.")
    return budget


def _explain_top_pages(
    stored: StoredCrawl, tally: CrawlTally, on_progress: OnProgress
) -> tuple[tuple[Explanation, ...], Mapping[int, PageRecord]]:
    """The best pages explained, and the pages that are named besides."""
    tops = tally.tops.ordered() or tally.named.ordered()
    named = [number for number, _, _ in tally.parents.by_off_topic(PARENTS)]
    named += [number for number, _, _ in tally.seeds.by_pages(SEEDS)]
    named += [each.parent for each in tally.worst.ordered() if each.parent is not None]
    journal = JournalSearch((), tops, named=named)
    journal.read(stored.events_backwards())
    spec = strategy_spec(stored.strategy, stored.settings.get("inlinks"))
    # Without the frontier: all pages of the report were fetched, so the journal knows them.
    known = KnownUrls(journal, None, spec, RelevanceExplainer(stored, TERMS), running=False)
    explanations = []
    for done, number in enumerate(tops, start=1):
        explanations.append(known.fetched(f"page {number}", journal.pages[number].url))
        on_progress(EXPLAINING, done, len(tops))
    return tuple(explanations), journal.pages


def _seconds(stored: StoredCrawl, results: CrawlResults) -> float | None:
    """By ``results.json``, or by the last commit of a live crawl."""
    seconds = results.seconds
    if seconds is None and stored.database is not None:
        progress = Ledger(stored.database).get(PROGRESS)
        seconds = progress.get("seconds") if isinstance(progress, dict) else None
    return float(seconds) if isinstance(seconds, int | float) else None
