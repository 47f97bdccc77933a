"""Sections of the report of a crawl: the indicators and their curves, where off-topic fetches
came from, cost, human judgements.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from scenthound.core.model import format_page_number
from scenthound.core.parameters import format_size
from scenthound.crawler.metrics import Indicators
from scenthound.evaluation.estimates import Estimate
from scenthound.evaluation.scoring import Score
from scenthound.output.explain.score_parts import describe_parts, part_meaning
from scenthound.output.plots.curves import Bar, Curve, bars_figure, curves_figure
from scenthound.output.plots.figure import Rows
from scenthound.output.report.crawl_reading import PARENTS, SEEDS, CrawlReading
from scenthound.output.report.document import (
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
from scenthound.storage.stored_crawl import PageRecord, StoredCrawl


class Indicator(NamedTuple):
    """An indicator: its key in results files, its name, and what it is."""

    key: str
    short: str
    meaning: str

    def of(self, row: Indicators) -> float | int | None:
        """Its value in a row; None where it is not defined."""
        value: float | int | None = row.to_json()[self.key]
        return value


INDICATORS = (
    Indicator("labelled_harvest", "labelled harvest", "labelled pages found / pages fetched; at the"
              " end of a crawl over its whole budget"),
    Indicator("target_recall", "recall", "labelled pages found / all labelled pages"),
    Indicator("rn", "RN", "pages that the judge calls relevant; SP in some papers"),
    Indicator("hr", "HR = AC", "relevant / fetched; some papers call it HR and others AC"
              " (accuracy): it is the same"),
    Indicator("as", "AS", "mean similarity of the relevant pages to the topic"),
    Indicator("ae", "AE", "mean |similarity - predicted priority| of the pages with a prediction:"
              " lower is better"),
    Indicator("ar", "AR", "mean similarity of all fetched pages"),
    Indicator("sd", "SD", "deviation of the similarity of all fetched pages"),
)  # fmt: skip
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
    found = []
    for name, title, up, keys in _INDICATOR_PLOTS:
        table = [(row.fetched, [BY_KEY[key].of(row) for key in keys]) for row in rows]
        curves = []
        for place, key in enumerate(keys):
            pairs = ((fetched, values[place]) for fetched, values in table)
            points = tuple((float(at), float(value)) for at, value in pairs if value is not None)
            if len(points) >= _MIN_POINTS:
                curves.append(Curve(BY_KEY[key].short, points, place))
        if curves:
            ends = "; ".join(f"{each.name} ends at {each.points[-1][1]:,.3g}" for each in curves)
            described = f"{title} over {rows[-1].fetched:,} pages fetched: {ends}."
            numbers: Rows = [
                (at, *("" if value is None else round(value, _DIGITS) for value in values))
                for at, values in table
            ]
            draw = partial(curves_figure, curves, up)
            found.append(Plot(name, title, described, ("fetched", *keys), numbers, draw))
    return tuple(found)


def bars_plot(name: str, title: str, what: str, bars: Sequence[Bar]) -> Plot:
    """Relevant and off-topic pages by ``what``."""
    most, relevant, off = max(bars, key=lambda bar: bar.off_topic)
    summary = f"most off-topic pages: {most}, {off:,} of {relevant + off:,}."
    columns = (what, "relevant", "off_topic")
    rows: Rows = [tuple(bar) for bar in bars]
    return Plot(name, title, f"{title}; {summary}", columns, rows, partial(bars_figure, bars))


# Where the off-topic fetches of a crawl came from.

_PLOTTED_HOSTS, _PLOTTED_DEPTHS = 12, 12
_LONGEST_URL, _LONGEST_TITLE = 90, 80
_MAX_PARTS = 5
"""Parts of a priority that are named."""
_ALL_RELEVANT = "No page was off topic."
_WORST_COLUMNS = ("page:", "priority", "similarity")
_SHARE_COLUMNS = ("relevant", "off topic", "harvest")


def off_topic_blocks(reading: CrawlReading) -> list[Block]:
    """By host, by depth, by linking page, by part of the score, by seed, and the worst cases."""
    tally = reading.tally
    if not any(off for _, _, off in tally.depths.by_name()):
        return [Paragraph(_ALL_RELEVANT)]
    hosts = [Bar(*each) for each in tally.hosts.by_off_topic(_PLOTTED_HOSTS)]
    depths = _by_depth(tally.depths.by_name())
    plots = (
        bars_plot("hosts", "Hosts with the most off-topic pages", "host", hosts),
        bars_plot("depths", "By links from the nearest seed", "depth", depths),
    )
    parts = [
        (name, *share_cells(relevant, off), part_meaning(name))
        for name, relevant, off in tally.misled.by_off_topic(20)
    ]
    tables = [
        _page_table(
            "Pages whose links led to the most off-topic pages",
            "linking page:",
            tally.parents.by_off_topic(PARENTS),
            reading,
        ),
        make_table(
            "Which part of the score added most: pages that it was right about, and wrong",
            ["part:", *_SHARE_COLUMNS, "what it is:"],
            parts,
        ),
        make_table(
            "The predictions that were too high by most",
            [*_WORST_COLUMNS, "words of the best link:", "parts of the priority:"],
            map(_worst_row, tally.worst.ordered()),
        ),
        _page_table(
            "By the page that a person named where the path begins",
            "seed or example:",
            tally.seeds.by_pages(SEEDS),
            reading,
        ),
    ]
    return [Plots(plots), *(table for table in tables if table.rows)]


def _by_depth(counts: Iterable[tuple[int, int, int]]) -> list[Bar]:
    """The first depths one by one, the rest together."""
    ordered = sorted(counts)
    rest = ordered[_PLOTTED_DEPTHS:]
    bars = [
        Bar("0 (named by a person)" if depth == 0 else str(depth), relevant, off)
        for depth, relevant, off in ordered[:_PLOTTED_DEPTHS]
    ]
    if rest:
        name = f"{rest[0][0]} or more"
        bars.append(Bar(name, sum(r for _, r, _ in rest), sum(off for _, _, off in rest)))
    return bars


def share_cells(relevant: int, off: int) -> tuple[str, ...]:
    """The figures of a row: relevant, off topic, harvest."""
    return tuple(map(format_number, (relevant, off, relevant / max(1, relevant + off))))


def _page_table(
    caption: str, what: str, found: Sequence[tuple[int, int, int]], reading: CrawlReading
) -> Table:
    rows: list[tuple[TableCell, ...]] = []
    for number, relevant, off in found:
        record = reading.pages.get(number)
        page: TableCell = format_page_number(number)
        if record is not None:
            page = Link(f"{number:,}  {shorten(record.url, _LONGEST_URL)}", record.url)
        rows.append((page, *share_cells(relevant, off)))
    return make_table(caption, [what, *_SHARE_COLUMNS], rows)


def _worst_row(record: PageRecord) -> list[TableCell | float | None]:
    anchor = record.inlinks[0].anchor if record.inlinks else ""
    parts = describe_parts(record.parts)
    added = ", ".join(f"{part.name} {part.contribution:.3f}" for part in parts[:_MAX_PARTS])
    if len(parts) > _MAX_PARTS:
        added += f", {len(parts) - _MAX_PARTS} others"
    name = shorten(record.title, _LONGEST_TITLE) or shorten(record.url, _LONGEST_URL)
    words = shorten(anchor, _LONGEST_TITLE)
    return [Link(name, record.url), record.priority, record.similarity, words, added]


# What a crawl cost: time, memory, bytes.

_COST_HOSTS = 30
_COST_UNKNOWN = (
    "Time and memory are known when a crawl has ended, and results.json says them; a replay that "
    "is under way, or was broken off, has no such file."
)


def cost_blocks(stored: StoredCrawl, reading: CrawlReading) -> list[Block]:
    """Figures, and the hosts; a sentence where nothing is known."""
    facts, seconds = [], reading.seconds
    if seconds:
        remark = "pauses left out" if stored.is_live else "reading, scoring, judging, journal"
        facts.append(Fact("seconds", f"{seconds:,.1f}", remark))
        facts.append(Fact("pages a second", f"{reading.tally.pages / seconds:,.1f}"))
    memory = reading.results.peak_rss_mb
    if memory is not None:
        facts.append(Fact("memory", f"{memory:,.0f} MB", "peak of the whole process"))
    size = sum(reading.host_bytes.values())
    if size:
        facts.append(Fact("pages on the disk", format_size(size), "WARC records, compressed"))
    unknown = Paragraph(reading.results.problem or _COST_UNKNOWN)
    return [Facts(tuple(facts)) if facts else unknown, *_host_blocks(reading)]


def _host_blocks(reading: CrawlReading) -> list[Block]:
    hosts, sizes = reading.tally.hosts, reading.host_bytes
    rows: list[tuple[str | int, ...]] = []
    for name, relevant, off in hosts.by_pages(_COST_HOSTS):
        size = (format_size(sizes.get(name, 0)),) if sizes else ()
        rows.append((name, relevant + off, *share_cells(relevant, off), *size))
    if not rows:
        return []
    known, shown, others = len(hosts), len(rows), sum(hosts.others)
    more = f"; {others:,} pages of further hosts are not counted one by one" if others else ""
    every = f"the {shown} with the most pages of {known:,}" if known > shown else f"all {known}"
    columns = ["host:", "pages", *_SHARE_COLUMNS, *(["stored"] if sizes else [])]
    return [Folded(f"By host: {every}{more}", (make_table("", columns, rows),))]


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
            _format_estimate(band.precision),
        )
        for band in score.bands
    ]
    warning = () if score.drawn_at_random else (Paragraph(_NOT_DRAWN, warns=True),)
    return (facts, *warning, make_table("By relevance band", columns, rows))


def _format_estimate(estimate: Estimate | None) -> str:
    """An estimate with its interval; a dash for none."""
    if estimate is None:
        return "-"
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"


def _estimate_fact(name: str, estimate: Estimate | None, of: str, score: Score) -> Fact:
    if estimate is None:
        return Fact(name, "-", of)
    interval = f"{score.confidence:.0%} interval {estimate.low:.3f} to {estimate.high:.3f}"
    return Fact(name, format_number(estimate.value), f"{of}; {interval}")
