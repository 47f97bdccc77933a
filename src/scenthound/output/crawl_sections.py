"""Sections of the report of a crawl: the indicators and their curves, where off-topic fetches
came from, cost, human judgements.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from scenthound.core.model import format_page_number
from scenthound.core.parameters import format_size
from scenthound.crawler.metrics import Indicators
from scenthound.evaluation.estimates import Estimate
from scenthound.evaluation.scoring import Score
from scenthound.output.crawl_reading import PARENTS, SEEDS, CrawlReading
from scenthound.output.document import (
    Block,
    Fact,
    Facts,
    Folded,
    Link,
    Paragraph,
    Plot,
    Plots,
    Table,
    TableCell,
    format_number,
    make_table,
    shorten,
)
from scenthound.output.explanation import describe_parts, part_meaning
from scenthound.output.plots import Bar, Cell, Curve, bars_figure, curves_figure
from scenthound.storage.stored_crawl import PageRecord, StoredCrawl


@dataclass(frozen=True, slots=True)
class IndicatorInfo:
    """An indicator by its key in results files, its short and its long name."""

    key: str
    short: str
    name: str
    meaning: str

    def of(self, row: Indicators) -> float | int | None:
        """Its value in a row; None where it is not defined."""
        value: float | int | None = row.to_json()[self.key]
        return value


_TABLE = """\
labelled_harvest | labelled harvest | Labelled harvest | labelled pages found / pages fetched; at \
the end of a crawl over its whole budget
target_recall | recall | Target recall | labelled pages found / all labelled pages
rn | RN | Relevant pages (RN) | pages that the judge calls relevant; SP in some papers
hr | HR = AC | Harvest rate (HR = AC) | relevant / fetched; some papers call it HR and others AC \
(accuracy): it is the same
as | AS | Similarity of relevant pages (AS) | mean similarity of the relevant pages to the topic
ae | AE | Error of the priorities (AE) | mean |similarity - predicted priority| of the pages with \
a prediction: lower is better
ar | AR | Similarity of all pages (AR) | mean similarity of all fetched pages
sd | SD | Its deviation (SD) | deviation of the similarity of all fetched pages"""
INDICATORS = tuple(IndicatorInfo(*line.split(" | ", 3)) for line in _TABLE.splitlines())
BY_KEY = {each.key: each for each in INDICATORS}


# The curves of one crawl: the papers' indicators over the pages fetched.

_INDICATOR_PLOTS = (
    ("harvest", "Harvest", "share of the pages fetched", ("labelled_harvest", "hr")),
    ("relevant-pages", "Relevant pages", "pages", ("rn",)),
    ("similarity", "Similarity to the topic", "similarity", ("as", "ar", "sd")),
    ("error", "Error of the priorities", "mean absolute error", ("ae",)),
    ("recall", "Target recall", "share of the labelled pages", ("target_recall",)),
)
_DIGITS = 6
_MIN_POINTS = 2
"""Points that make a curve."""


def crawl_plots(rows: Sequence[Indicators]) -> tuple[Plot, ...]:
    """The plots that there are figures for; none of a crawl of fewer than two pages."""
    found = (
        _indicator_plot(name, title, up, keys, rows) for name, title, up, keys in _INDICATOR_PLOTS
    )
    return tuple(plot for plot in found if plot is not None)


def _indicator_plot(
    name: str, title: str, up: str, keys: Sequence[str], rows: Sequence[Indicators]
) -> Plot | None:
    curves = [
        Curve(BY_KEY[key].short, points, place)
        for place, key in enumerate(keys)
        if len(points := _points(key, rows)) >= _MIN_POINTS
    ]
    if not curves:
        return None
    numbers = [(row.fetched, *(_indicator_cell(key, row) for key in keys)) for row in rows]
    summary = "; ".join(f"{curve.name} ends at {curve.points[-1][1]:,.3g}" for curve in curves)
    described = f"{title} over {rows[-1].fetched:,} pages fetched: {summary}."
    draw = partial(curves_figure, curves, up)
    return Plot(name, title, described, ("fetched", *keys), numbers, draw)


def _points(key: str, rows: Sequence[Indicators]) -> tuple[tuple[float, float], ...]:
    pairs = ((row.fetched, BY_KEY[key].of(row)) for row in rows)
    return tuple((float(fetched), float(value)) for fetched, value in pairs if value is not None)


def _indicator_cell(key: str, row: Indicators) -> Cell:
    value = BY_KEY[key].of(row)
    return "" if value is None else round(value, _DIGITS)


def bars_plot(name: str, title: str, what: str, bars: Sequence[Bar]) -> Plot:
    """Relevant and off-topic pages by ``what``."""
    rows = [(bar.name, bar.relevant, bar.off_topic) for bar in bars]
    most = max(bars, key=lambda bar: bar.off_topic)
    summary = f"most off-topic pages: {most.name}, {most.off_topic:,} of {most.pages:,}."
    columns = (what, "relevant", "off_topic")
    return Plot(name, title, f"{title}; {summary}", columns, list(rows), partial(bars_figure, bars))


# Where the off-topic fetches of a crawl came from.

_PLOTTED_HOSTS, _PLOTTED_DEPTHS = 12, 12
_LONGEST_URL, _LONGEST_TITLE = 90, 80
_MAX_PARTS = 5
"""Parts of a priority that are named."""
_ALL_RELEVANT = "No page was off topic."
_SHARE_COLUMNS = ("relevant", "off topic", "harvest")
Counted = tuple[int, int]


def off_topic_blocks(reading: CrawlReading) -> list[Block]:
    """By host, by depth, by linking page, by part of the score, by seed, and the worst cases."""
    tally = reading.tally
    if not any(off for _, _, off in tally.depths.by_name()):
        return [Paragraph(_ALL_RELEVANT)]
    blocks: list[Block] = [_off_topic_plots(reading)]
    blocks += _linking_pages(reading)
    blocks += _parts(reading)
    blocks += _worst_predictions(reading)
    blocks += _seeds(reading)
    return blocks


def _off_topic_plots(reading: CrawlReading) -> Plots:
    tally = reading.tally
    hosts = [
        Bar(name, relevant, off) for name, relevant, off in tally.hosts.by_off_topic(_PLOTTED_HOSTS)
    ]
    depths = _by_depth(tally.depths.by_name())
    return Plots((
        bars_plot("hosts", "Hosts with the most off-topic pages", "host", hosts),
        bars_plot("depths", "By links from the nearest seed", "depth", depths),
    ))  # fmt: skip


def _by_depth(counts: Iterable[tuple[int, int, int]]) -> list[Bar]:
    """The first depths one by one, the rest together."""
    ordered = sorted(counts)
    bars = [Bar(_depth(depth), relevant, off) for depth, relevant, off in ordered[:_PLOTTED_DEPTHS]]
    rest = ordered[_PLOTTED_DEPTHS:]
    if rest:
        name = f"{rest[0][0]} or more"
        bars.append(Bar(name, sum(r for _, r, _ in rest), sum(off for _, _, off in rest)))
    return bars


def _depth(depth: int) -> str:
    return "0 (named by a person)" if depth == 0 else str(depth)


def share_cells(relevant: int, off: int) -> tuple[str, str, str]:
    """The figures of a row: relevant, off topic, harvest."""
    return (
        format_number(relevant),
        format_number(off),
        format_number(relevant / max(1, relevant + off)),
    )


def _linking_pages(reading: CrawlReading) -> list[Block]:
    found = reading.tally.parents.by_off_topic(PARENTS)
    if not found:
        return []
    caption = "Pages whose links led to the most off-topic pages"
    return [_page_table(caption, "linking page:", found, reading)]


def _page_table(
    caption: str, what: str, found: Sequence[tuple[int, int, int]], reading: CrawlReading
) -> Table:
    rows = [
        [page_link(number, reading), *share_cells(relevant, off)] for number, relevant, off in found
    ]
    return make_table(caption, [what, *_SHARE_COLUMNS], rows)


def page_link(number: int, reading: CrawlReading) -> TableCell:
    """A page by its URL."""
    record = reading.pages.get(number)
    if record is None:
        return format_page_number(number)
    return Link(f"{number:,}  {shorten(record.url, _LONGEST_URL)}", record.url)


def _parts(reading: CrawlReading) -> list[Block]:
    found = reading.tally.misled.by_off_topic(20)
    if not found:
        return []
    rows = [
        (name, *share_cells(relevant, off), part_meaning(name)) for name, relevant, off in found
    ]
    caption = "Which part of the score added most: pages that it was right about, and wrong"
    return [make_table(caption, ["part:", *_SHARE_COLUMNS, "what it is:"], rows)]


def _worst_predictions(reading: CrawlReading) -> list[Block]:
    worst = reading.tally.worst.ordered()
    if not worst:
        return []
    columns = (
        "page:", "priority", "similarity", "words of the best link:", "parts of the priority:",
    )  # fmt: skip
    caption = "The predictions that were too high by most"
    return [make_table(caption, columns, map(_worst_row, worst))]


def _worst_row(record: PageRecord) -> list[TableCell | float | None]:
    anchor = record.inlinks[0].anchor if record.inlinks else ""
    parts = describe_parts(record.parts)
    added = ", ".join(f"{part.name} {part.contribution:.3f}" for part in parts[:_MAX_PARTS])
    if len(parts) > _MAX_PARTS:
        added += f", {len(parts) - _MAX_PARTS} others"
    name = shorten(record.title, _LONGEST_TITLE) or shorten(record.url, _LONGEST_URL)
    words = shorten(anchor, _LONGEST_TITLE)
    return [Link(name, record.url), record.priority, record.similarity, words, added]


def _seeds(reading: CrawlReading) -> list[Block]:
    found = reading.tally.seeds.by_pages(SEEDS)
    if not found:
        return []
    caption = "By the page that a person named where the path begins"
    return [_page_table(caption, "seed or example:", found, reading)]


# What a crawl cost: time, memory, bytes.

_COST_HOSTS = 30
_COST_UNKNOWN = (
    "Time and memory are known when a crawl has ended, and results.json says them; a replay that "
    "is under way, or was broken off, has no such file."
)


def cost_blocks(stored: StoredCrawl, reading: CrawlReading) -> list[Block]:
    """Figures, and the hosts; a sentence where nothing is known."""
    facts = _cost_facts(stored, reading)
    blocks: list[Block] = [
        Facts(tuple(facts)) if facts else Paragraph(reading.results.problem or _COST_UNKNOWN)
    ]
    hosts = reading.tally.hosts.by_pages(_COST_HOSTS)
    if hosts:
        blocks.append(Folded(_hosts_title(reading, len(hosts)), (_hosts_table(reading),)))
    return blocks


def _cost_facts(stored: StoredCrawl, reading: CrawlReading) -> list[Fact]:
    facts, seconds = [], reading.seconds
    if seconds:
        remark = "pauses left out" if stored.is_live else "reading, scoring, judging, journal"
        facts.append(Fact("seconds", f"{seconds:,.1f}", remark))
        facts.append(Fact("pages a second", f"{reading.tally.pages / seconds:,.1f}"))
    memory = reading.results.figures.get("peak_rss_mb")
    if memory is not None:
        facts.append(Fact("memory", f"{memory:,.0f} MB", "peak of the whole process"))
    if reading.stored_bytes:
        size = format_size(reading.stored_bytes)
        facts.append(Fact("pages on the disk", size, "WARC records, compressed"))
    return facts


def _hosts_title(reading: CrawlReading, shown: int) -> str:
    known, others = len(reading.tally.hosts), sum(reading.tally.hosts.others)
    more = f"; {others:,} pages of further hosts are not counted one by one" if others else ""
    every = f"the {shown} with the most pages of {known:,}" if known > shown else f"all {known}"
    return f"By host: {every}{more}"


def _hosts_table(reading: CrawlReading) -> Table:
    sizes = dict(reading.host_bytes)
    rows = []
    for name, relevant, off in reading.tally.hosts.by_pages(_COST_HOSTS):
        size = (format_size(sizes.get(name, 0)),) if sizes else ()
        rows.append((name, relevant + off, *share_cells(relevant, off), *size))
    columns = ["host:", "pages", *_SHARE_COLUMNS, *(["stored"] if sizes else [])]
    return make_table("", columns, rows)


# What the judgements of a person prove about a crawl.

_NOT_DRAWN = (
    "These pages were not drawn from this crawl by 'scenthound sample': they are no random sample "
    "of it, and the intervals do not hold."
)


def judgement_blocks(score: Score) -> tuple[Block, ...]:
    """Precision and recall with their intervals, and the bands behind them."""
    facts = Facts((
        _estimate_fact("precision", score.called_relevant, "of the pages called relevant", score),
        _estimate_fact("about the topic", score.all_documents, "of all documents", score),
        _estimate_fact("recall", score.recall, "of the documents about the topic", score),
    ))  # fmt: skip
    columns = (
        "similarity:",
        "called relevant:",
        "documents",
        "judged",
        "about the topic",
        "precision",
    )
    rows = [
        (
            f"{band.low:.3f} to {band.high:.3f}",
            "yes" if band.relevant else "no",
            band.count.pages,
            band.count.judged,
            band.count.right,
            format_estimate(band.precision),
        )
        for band in score.bands
    ]
    warning = () if score.drawn_at_random else (Paragraph(_NOT_DRAWN, warns=True),)
    return (facts, *warning, make_table("By relevance band", columns, rows))


def format_estimate(estimate: Estimate | None) -> str:
    """An estimate with its interval; a dash for none."""
    if estimate is None:
        return "-"
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"


def _estimate_fact(name: str, estimate: Estimate | None, of: str, score: Score) -> Fact:
    if estimate is None:
        return Fact(name, "-", of)
    interval = f"{score.confidence:.0%} interval {estimate.low:.3f} to {estimate.high:.3f}"
    return Fact(name, format_number(estimate.value), f"{of}; {interval}")
