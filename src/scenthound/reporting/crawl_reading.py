"""Reads what a report of a crawl needs: the journal forwards for figures, backwards for ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile

from scenthound.core.errors import FolderError, MalformedUrlError
from scenthound.core.model import Topic
from scenthound.core.urls import canonical
from scenthound.corpus.kept_sizes import kept_sizes
from scenthound.corpus.record import PageRecord
from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.experiments.metrics import Indicators, checkpoints, over_budget
from scenthound.explanation.journal_search import JournalSearch
from scenthound.explanation.known import KnownUrls
from scenthound.explanation.model import Explanation
from scenthound.explanation.priority import recipe_of
from scenthound.explanation.relevance import RelevanceReading
from scenthound.live.keeping import PROGRESS
from scenthound.reporting.bounded_counts import Counts
from scenthound.reporting.checkpoints import step_for
from scenthound.reporting.crawl_results import CrawlResults, read_results, with_labelled
from scenthound.reporting.crawl_tally import MOST_HOSTS, CrawlTally, host_name
from scenthound.store.journal import last_summary, read_backwards
from scenthound.store.ledger import Ledger
from scenthound.topics.file import is_url

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
    is not known. ``kept`` are bytes by host, ``kept_bytes`` all of them. ``unsaved`` are pages that
    the journal tells of and the last commit does not have: they are in none of the figures.
    """

    tally: CrawlTally
    rows: tuple[Indicators, ...]
    results: CrawlResults
    tops: tuple[Explanation, ...]
    pages: Mapping[int, PageRecord]
    seconds: float | None
    kept: tuple[tuple[str, int], ...]
    kept_bytes: int
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
    on_progress : told how far it is.
    """
    pages = _pages(stored)
    tally = CrawlTally(top, WORST, _examples(stored.topic))
    read = tally.read(
        stored.folder.journal_path,
        stored.events(),
        lambda done: on_progress(READING, done, max(pages, done)),
    )
    rows = checkpoints(read, labels, step_for(pages))
    results = read_results(stored.folder.results_path)
    if labels is None:
        rows = with_labelled(rows, results.labelled)
    budget = _budget(stored)
    if tally.stopped:
        rows[-1] = over_budget(rows[-1], max(1, budget))
    current = results.of(tally.pages)
    tops, named = _explained(stored, tally, on_progress)
    kept, all_kept = _kept(stored)
    return CrawlReading(
        tally, tuple(rows) if tally.pages else (), current, tops, named,
        _seconds(stored, current), kept, all_kept, budget, _unsaved(stored, tally.pages),
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
    return sum(1 for _ in takewhile(lambda event: _number_in(event) > pages, found))


def _number_in(event: Mapping[str, object]) -> int:
    number = event.get("n")
    return number if isinstance(number, int) else 0


def _budget(stored: StoredCrawl) -> int:
    budget = stored.order.get("budget")
    if not isinstance(budget, int) or isinstance(budget, bool):
        raise FolderError(f"{stored.folder.order_path} is damaged: its budget is {budget!r}.")
    return budget


def _explained(
    stored: StoredCrawl, tally: CrawlTally, on_progress: OnProgress
) -> tuple[tuple[Explanation, ...], Mapping[int, PageRecord]]:
    """The best pages explained, and the pages that are named besides."""
    tops = tally.tops.ordered() or tally.named.ordered()
    named = [number for number, _, _ in tally.parents.by_off_topic(PARENTS)]
    named += [number for number, _, _ in tally.seeds.by_pages(SEEDS)]
    named += [each.parent for each in tally.worst.ordered() if each.parent is not None]
    journal = JournalSearch((), tops, named=named)
    journal.read(stored.events_backwards())
    recipe = recipe_of(stored.strategy, stored.settings.get("inlinks"))
    known = KnownUrls(journal, None, recipe, RelevanceReading(stored, TERMS), running=False)
    told = []
    for done, number in enumerate(tops, start=1):
        told.append(known.fetched(f"page {number}", journal.pages[number].url))
        on_progress(EXPLAINING, done, len(tops))
    return tuple(told), journal.pages


def _seconds(stored: StoredCrawl, results: CrawlResults) -> float | None:
    """By ``results.json``, or by the last commit of a live crawl."""
    seconds = results.figures.get("seconds")
    if seconds is None and stored.database is not None:
        progress = Ledger(stored.database).get(PROGRESS)
        seconds = progress.get("seconds") if isinstance(progress, dict) else None
    return float(seconds) if isinstance(seconds, int | float) else None


def _kept(stored: StoredCrawl) -> tuple[tuple[tuple[str, int], ...], int]:
    counts, total = Counts(MOST_HOSTS), 0
    for url, size in kept_sizes(stored):
        counts.add(host_name(url), size)
        total += size
    return tuple(counts.ordered()), total
