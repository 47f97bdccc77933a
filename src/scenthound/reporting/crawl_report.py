"""The report of one crawl, live or replayed, running or finished."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.assessment.score import Score
from scenthound.core.ways_read import ways_stored
from scenthound.corpus.ending import KILLED, ending_of
from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.explanation.meanings import reason_told
from scenthound.reporting.checkpoints import at_pages, told_pages
from scenthound.reporting.crawl_cost import cost
from scenthound.reporting.crawl_judged import judged
from scenthound.reporting.crawl_plots import crawl_plots
from scenthound.reporting.crawl_reading import CrawlReading
from scenthound.reporting.crawl_repeating import repeating
from scenthound.reporting.crawl_strays import strays
from scenthound.reporting.document import (
    Block,
    Column,
    Document,
    Explained,
    Fact,
    Facts,
    Plots,
    Section,
    Table,
    Words,
    told,
)
from scenthound.reporting.indicator_names import INDICATORS
from scenthound.reporting.visible_text import cut

_EMPTY = "Not one page could be fetched"
_NOT_YET = "Nothing was fetched so far, so there is nothing to measure."
_OWN_JUDGE = (
    "The crawl was measured without human labels: relevance is what its judge says, which is of "
    "the kind that steers it, and proves less than labels do."
)
_TOPS = (
    "The most similar relevant pages that the crawl found by itself, with the way to each, what "
    "spoke for it before it was seen, and what made it relevant. Seeds and the topic's own example "
    "pages are left out."
)
_NAMED = "The crawl found no relevant page by itself; these were named by a person."
_FIRST = {
    "labelled_harvest": "labelled pages found / budget",
    "target_recall": "of the labelled pages",
    "rn": "relevant pages",
    "hr": "relevant / fetched",
}
"""Indicators that stand in the summary, and what they are in a few words."""
_MOST_REASONS = 5
_LONGEST_WAYS = 300


def crawl_document(
    stored: StoredCrawl, reading: CrawlReading, running: bool, score: Score | None = None
) -> Document:
    """The report.

    Parameters
    ----------
    stored : the crawl.
    reading : what was read of it.
    running : does a process crawl in the folder now?
    score : what the judgements of a person say; None where there are none.
    """
    kind = "Crawl" if stored.is_live else "Replay"
    title = f"{stored.topic.name}, by {stored.strategy}"
    sections = [
        Section("summary", "Summary", (_facts(stored, reading), *_notes(reading))),
        Section("figures", "Figures over the pages fetched", tuple(_figures(reading))),
        *([] if score is None else [Section("judged", "Judged by a person", judged(score))]),
        Section("pages", "Top pages, explained", tuple(_tops(reading))),
        Section("off-topic", "Where off-topic fetches came from", tuple(strays(reading))),
        Section("dropped", "What was dropped, refused or given up", tuple(_dropped(reading))),
        Section("cost", "Cost", tuple(cost(stored, reading))),
        Section("repeat", "To run it again", tuple(repeating(stored))),
    ]
    return Document(kind, title, state(reading, running, stored.is_cut), tuple(sections))


def state(reading: CrawlReading, running: bool, cut_off: bool = False) -> str:
    """How the crawl stands, in a few words: those of the dashboard."""
    tally = reading.tally
    pages = f"{tally.pages:,} page{'' if tally.pages == 1 else 's'}"
    if running:
        return f"{'paused' if tally.paused else 'running'}, {pages} so far"
    if not (tally.started or tally.pages or tally.stopped):
        return "not begun: nothing is on record"
    how = ending_of(tally.stopped) if tally.stopped else KILLED
    end = "; the last line of its journal is cut" if cut_off and how is KILLED else ""
    return f"{how.state} after {pages}: {cut(how.reason)}{end}"


def _facts(stored: StoredCrawl, reading: CrawlReading) -> Facts:
    facts = [Fact("pages fetched", told(reading.tally.pages), f"budget {reading.budget:,}")]
    last = reading.rows[-1] if reading.rows else None
    for each in INDICATORS if last is not None else ():
        value = None if last is None else each.of(last)
        if value is not None and each.key in _FIRST:
            facts.append(Fact(each.short, told(value), _FIRST[each.key]))
    facts.append(Fact("threshold", told(stored.threshold), f"judged by {stored.judge}"))
    if reading.seconds:
        speed = reading.tally.pages / reading.seconds
        facts.append(Fact("pages a second", told(speed, 1), f"{reading.seconds:,.1f} seconds"))
    return Facts(tuple(facts))


def _notes(reading: CrawlReading) -> list[Words]:
    amiss = [_nothing(reading)] if not reading.rows else []
    amiss += [reading.results.problem] if reading.results.problem else []
    labelled = any(row.labelled is not None for row in reading.rows)
    ways = ways_stored(reading.tally.started.get("reading"))
    plain = [] if ways is None else [f"Texts were read {cut(ways.told(), _LONGEST_WAYS)}."]
    plain += [_unsaved(reading.unsaved)] if reading.unsaved else []
    plain += [_OWN_JUDGE] if reading.rows and not labelled else []
    return [*(Words(each, warns=True) for each in amiss), *map(Words, plain)]


def _unsaved(pages: int) -> str:
    """Why a look at the journal, as the dashboard has it, shows more pages than the report."""
    told_so = "1 more page was" if pages == 1 else f"{pages:,} more pages were"
    return (
        f"{told_so} fetched and not saved yet, and in no figure here; a crawl that was cut off "
        "fetches such pages again when it goes on."
    )


def _nothing(reading: CrawlReading) -> str:
    """Why there are no figures; with the reasons that no page came, where they are known."""
    if not reading.tally.stopped:
        return _NOT_YET
    reasons = reading.tally.turned_down.ordered()[:_MOST_REASONS]
    why = ", ".join(f"{cut(reason, 80)} {count:,}" for reason, count in reasons)
    return f"{_EMPTY}{f' ({why})' if why else ''}: there is nothing to measure."


def _figures(reading: CrawlReading) -> list[Block]:
    if not reading.rows:
        return [Words(_nothing(reading))]
    rows = at_pages(reading.rows, told_pages(reading.tally.pages))
    named = [each for each in INDICATORS if any(each.of(row) is not None for row in rows)]
    columns = (Column("pages"), *(Column(each.short, meaning=each.meaning) for each in named))
    cells = tuple((told(row.fetched), *(told(each.of(row)) for each in named)) for row in rows)
    explained = "; ".join(f"{each.short}: {each.meaning}" for each in named)
    table = Table(columns, cells, "As the papers print them, and at the end",
                  frozenset({len(cells) - 1}))  # fmt: skip
    plots = crawl_plots(reading.rows)
    return [*([Plots(plots)] if plots else []), table, Words(f"{explained}.")]


def _tops(reading: CrawlReading) -> list[Block]:
    if not reading.tops:
        return [Words("No page was relevant.")]
    by_itself = bool(reading.tally.tops.ordered())
    return [Words(_TOPS if by_itself else _NAMED), Explained(reading.tops)]


def _dropped(reading: CrawlReading) -> list[Block]:
    tally = reading.tally
    tables = [
        _reasons("Links that were not queued", tally.dropped.ordered()),
        _reasons("URLs that were queued and gave no page", tally.turned_down.ordered()),
        _reasons("Pages with less to read than expected", tally.problems.ordered()),
        _reasons("Languages that pages state", tally.languages.ordered(), "language"),
    ]
    return [each for each in tables if each is not None] or [Words("Nothing.")]


def _reasons(caption: str, counts: Sequence[tuple[str, int]], what: str = "reason") -> Table | None:
    if not counts:
        return None
    rows = tuple((cut(reason_told(reason)), told(count)) for reason, count in counts)
    return Table((Column(what, figures=False), Column("count")), rows, caption)
