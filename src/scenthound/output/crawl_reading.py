"""Reads what the report of a crawl needs: the journal forwards for figures and backwards for link
paths, and ``results.json``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from scenthound.core.errors import FolderError, MalformedUrlError
from scenthound.core.model import Topic
from scenthound.core.urls import canonical
from scenthound.crawler.metrics import Indicators, checkpoints, over_budget
from scenthound.evaluation.standings import milestones
from scenthound.output.crawl_tally import MOST_HOSTS, Counts, CrawlTally, host_name
from scenthound.output.explain import KnownUrls
from scenthound.output.explain_scores import RelevanceExplainer, strategy_spec
from scenthound.output.explanation import Explanation
from scenthound.output.journal_search import JournalSearch
from scenthound.similarity.topic_file import is_url
from scenthound.storage.database import PROGRESS, Ledger
from scenthound.storage.journal import last_summary, read_backwards
from scenthound.storage.stored_crawl import PageRecord, StoredCrawl, stored_sizes

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
    step = _round_step(pages / _MAX_FURTHER_ROWS)
    checkpoints = (each for each in milestones(pages) if each <= _PAPER_PAGES or each % step == 0)
    return sorted({*checkpoints, pages})


def _round_step(least: float) -> int:
    """The first of 1, 2, 5, 10, 20, ... that is no less."""
    power = int(10.0 ** math.floor(math.log10(max(least, 1.0))))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def rows_at(rows: Sequence[Indicators], wanted: Sequence[int]) -> list[Indicators]:
    """The indicators at these numbers of pages; missing ones are left out."""
    by_pages = {row.fetched: row for row in rows}
    return [by_pages[pages] for pages in wanted if pages in by_pages]


# What ``results.json`` says of a crawl that has ended: figures by labels, time and memory.

_DAMAGED = (
    "results.json is damaged: the figures by labels, the time and the memory that it should have "
    "are left out here."
)
_FIGURES = ("fetched", "seconds", "peak_rss_mb")


class Labelled(NamedTuple):
    """Labelled pages found, and their share of all that there are; None where it is not known."""

    pages: int
    recall: float | None


@dataclass(frozen=True, slots=True)
class CrawlResults:
    """The figures by name, and the labelled ones by pages fetched.

    ``problem`` is a sentence where there is a file and it cannot be read: then it has no figures.
    """

    figures: Mapping[str, float] = field(default_factory=dict)
    labelled: Mapping[int, Labelled] = field(default_factory=dict)
    problem: str = ""

    def of(self, pages: int) -> CrawlResults:
        """These where they speak of a crawl of so many pages; else they are of an earlier run."""
        return self if self.figures.get("fetched") == pages else CrawlResults(problem=self.problem)


def read_results(path: Path) -> CrawlResults:
    """What the file says; nothing where there is none."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        figures = {name: _number(stored[name]) for name in _FIGURES if stored.get(name) is not None}
        rows = [_row(row) for row in stored.get("checkpoints") or ()]
    except FileNotFoundError:
        return CrawlResults()
    except OSError as error:
        return CrawlResults(problem=f"results.json cannot be read: {error.strerror or error}.")
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        return CrawlResults(problem=_DAMAGED)
    return CrawlResults(figures, {pages: row for pages, row in rows if row is not None})


def with_labelled(rows: Sequence[Indicators], labelled: Mapping[int, Labelled]) -> list[Indicators]:
    """The rows with the labelled figures, which are known for fewer pages."""
    return [_read_labelled(row, labelled.get(row.fetched)) for row in rows]


def _row(row: Mapping[str, object]) -> tuple[int, Labelled | None]:
    pages, labelled = int(str(row["fetched"])), row.get("labelled")
    if labelled is None:
        return pages, None
    recall = row.get("target_recall")
    return pages, Labelled(int(str(labelled)), None if recall is None else _number(recall))


def _read_labelled(row: Indicators, known: Labelled | None) -> Indicators:
    if known is None or not row.fetched:
        return row
    harvest = known.pages / row.fetched
    return replace(row, labelled=known.pages, labelled_harvest=harvest, target_recall=known.recall)


def _number(value: object) -> float:
    """A number that can be counted with; ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("no number")
    return value


OnProgress = Callable[[str, int, int], None]
"""Told what is done, how far that is, and how far it goes."""
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
    pages = _pages(stored)
    tally = CrawlTally(top, WORST, _examples(stored.topic))
    read = tally.read(
        stored.folder.journal_path,
        stored.events(),
        lambda done: on_progress(READING, done, max(pages, done)),
    )
    rows = checkpoints(read, labels, curve_step(pages))
    results = read_results(stored.folder.results_path)
    if labels is None:
        rows = with_labelled(rows, results.labelled)
    budget = _budget(stored)
    if tally.stopped:
        rows[-1] = over_budget(rows[-1], max(1, budget))
    current = results.of(tally.pages)
    tops, named = _explain_top_pages(stored, tally, on_progress)
    host_bytes, all_bytes = _stored_bytes(stored)
    return CrawlReading(
        tally, tuple(rows) if tally.pages else (), current, tops, named,
        _seconds(stored, current), host_bytes, all_bytes, budget, _unsaved(stored, tally.pages),
    )  # fmt: skip


def _examples(topic: Topic) -> frozenset[str]:
    """The topic's example pages by their addresses; files and texts have none."""
    found = set()
    for example in filter(is_url, topic.examples):
        with suppress(MalformedUrlError):
            found.add(canonical(example))
    return frozenset(found)


def _pages(stored: StoredCrawl) -> int:
    """How many pages there are, about: a running crawl goes on."""
    summary = last_summary(stored.folder.journal_path) or {}
    fetched = summary.get("fetched")
    return fetched if isinstance(fetched, int) else 0


def _unsaved(stored: StoredCrawl, pages: int) -> int:
    """Pages that are in the journal of a live crawl and not in its last commit."""
    if stored.database is None:
        return 0
    events = read_backwards(stored.folder.journal_path)
    found = (event for event in events if event.get("event") == "page")
    return sum(1 for _ in takewhile(lambda event: _page_number(event) > pages, found))


def _page_number(event: Mapping[str, object]) -> int:
    number = event.get("n")
    return number if isinstance(number, int) else 0


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
    known = KnownUrls(journal, None, spec, RelevanceExplainer(stored, TERMS), running=False)
    explanations = []
    for done, number in enumerate(tops, start=1):
        explanations.append(known.fetched(f"page {number}", journal.pages[number].url))
        on_progress(EXPLAINING, done, len(tops))
    return tuple(explanations), journal.pages


def _seconds(stored: StoredCrawl, results: CrawlResults) -> float | None:
    """By ``results.json``, or by the last commit of a live crawl."""
    seconds = results.figures.get("seconds")
    if seconds is None and stored.database is not None:
        progress = Ledger(stored.database).get(PROGRESS)
        seconds = progress.get("seconds") if isinstance(progress, dict) else None
    return float(seconds) if isinstance(seconds, int | float) else None


def _stored_bytes(stored: StoredCrawl) -> tuple[tuple[tuple[str, int], ...], int]:
    counts, total = Counts(MOST_HOSTS), 0
    for url, size in stored_sizes(stored):
        counts.add(host_name(url), size)
        total += size
    return tuple(counts.ordered()), total
