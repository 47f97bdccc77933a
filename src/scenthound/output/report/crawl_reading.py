"""Reads what the report of a crawl needs: the journal forwards for figures and backwards for link
paths, and ``results.json``.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

from pydantic import BaseModel, FiniteFloat, ValidationError

from scenthound.core.errors import FolderError, MalformedUrlError
from scenthound.core.urls import canonical
from scenthound.crawler.metrics import Indicators, checkpoints, over_budget
from scenthound.output.explain.explanation import Explanation
from scenthound.output.explain.journal_search import JournalSearch
from scenthound.output.explain.known_urls import KnownUrls
from scenthound.output.explain.page_relevance import RelevanceExplainer
from scenthound.output.explain.url_priority import strategy_spec
from scenthound.output.export.rows import page_count
from scenthound.output.report.crawl_tally import MOST_HOSTS, Counts, CrawlTally, host_name
from scenthound.similarity.topic_file import is_url
from scenthound.storage.database import PROGRESS, Ledger
from scenthound.storage.journal import read_backwards
from scenthound.storage.stored_crawl import OnProgress, PageRecord, StoredCrawl, stored_sizes

_STEPS = (1, 2, 5, 10, 20, 50, 100)
_POINTS = 200
"""A curve needs no more."""


def curve_step(pages: int) -> int:
    """Every how many pages a curve has a point; it divides 100.

    Examples
    --------
    >>> curve_step(0), curve_step(150), curve_step(3_000), curve_step(100_000)
    (1, 1, 20, 100)
    """
    return next((step for step in _STEPS if pages / step <= _POINTS), _STEPS[-1])


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
        results = CrawlResults.model_validate_json(path.read_bytes(), strict=True)
        return results.model_copy(update={"problem": ""})  # the file has nothing to say of itself
    except FileNotFoundError:
        return CrawlResults()
    except OSError as error:
        return CrawlResults(problem=f"results.json cannot be read: {error.strerror or error}.")
    except ValidationError:
        return CrawlResults(problem=_DAMAGED)


READING, EXPLAINING = "reading the journal", "explaining pages"
WORST, PARENTS, SEEDS = 10, 15, 10
TERMS = 8


@dataclass(frozen=True)
class CrawlReading:
    """What was read of a crawl.

    ``rows`` are the indicators as the crawl went, the last one at its end; none where nothing was
    fetched. ``results`` is ``results.json`` where it speaks of the crawl as it stands, else empty.
    ``pages`` has those that are named in the report, by number. ``seconds`` is None where the time
    is not known. ``host_bytes`` are WARC bytes by host. ``unsaved`` counts pages of the journal
    that the last commit does not have: they are in none of the figures.
    """

    tally: CrawlTally
    rows: tuple[Indicators, ...]
    results: CrawlResults
    tops: tuple[Explanation, ...]
    pages: Mapping[int, PageRecord]
    seconds: float | None
    host_bytes: Mapping[str, int]
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
    host_bytes = Counts(MOST_HOSTS)
    for url, size in stored_sizes(stored):
        host_bytes.add(host_name(url), size)
    return CrawlReading(
        tally, tuple(rows) if tally.pages else (), current, tops, named,
        _seconds(stored, current), host_bytes, budget, _unsaved(stored, tally.pages),
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
    budget = stored.crawl_spec.get("budget")
    if not isinstance(budget, int) or isinstance(budget, bool):
        raise FolderError(f"{stored.folder.spec_path} is damaged: its budget is {budget!r}.")
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
