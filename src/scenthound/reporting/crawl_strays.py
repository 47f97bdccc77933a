"""Where the off-topic fetches of a crawl came from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scenthound.core.page_numbers import told_page
from scenthound.corpus.record import PageRecord
from scenthound.explanation.evidence_told import parts_told
from scenthound.explanation.meanings import part_meaning
from scenthound.reporting.bar_drawing import Bar
from scenthound.reporting.crawl_plots import bars_plot
from scenthound.reporting.crawl_reading import PARENTS, SEEDS, CrawlReading
from scenthound.reporting.document import Block, Column, Entry, Link, Plots, Table, Words, told
from scenthound.reporting.visible_text import cut

_HOSTS, _DEPTHS = 12, 12
_LONGEST_URL, _LONGEST_TITLE = 90, 80
_LARGEST = 5
"""Parts of a priority that are told."""
_NONE = "No page was off topic."
_SHARE = (Column("relevant"), Column("off topic"), Column("harvest"))
Counted = tuple[int, int]


def strays(reading: CrawlReading) -> list[Block]:
    """By host, by depth, by linking page, by part of the score, by seed, and the worst cases."""
    tally = reading.tally
    if not any(off for _, _, off in tally.depths.by_name()):
        return [Words(_NONE)]
    blocks: list[Block] = [_plots(reading)]
    blocks += _parents(reading)
    blocks += _parts(reading)
    blocks += _worst(reading)
    blocks += _seeds(reading)
    return blocks


def _plots(reading: CrawlReading) -> Plots:
    tally = reading.tally
    hosts = [Bar(name, relevant, off) for name, relevant, off in tally.hosts.by_off_topic(_HOSTS)]
    depths = _by_depth(tally.depths.by_name())
    return Plots((
        bars_plot("hosts", "Hosts with the most off-topic pages", "host", hosts),
        bars_plot("depths", "By links from the nearest seed", "depth", depths),
    ))  # fmt: skip


def _by_depth(counts: Iterable[tuple[int, int, int]]) -> list[Bar]:
    """The first depths one by one, the rest together."""
    ordered = sorted(counts)
    bars = [Bar(_depth(depth), relevant, off) for depth, relevant, off in ordered[:_DEPTHS]]
    rest = ordered[_DEPTHS:]
    if rest:
        name = f"{rest[0][0]} or more"
        bars.append(Bar(name, sum(r for _, r, _ in rest), sum(off for _, _, off in rest)))
    return bars


def _depth(depth: int) -> str:
    return "0 (named by a person)" if depth == 0 else str(depth)


def shares(relevant: int, off: int) -> tuple[str, str, str]:
    """The figures of a row: relevant, off topic, harvest."""
    return told(relevant), told(off), told(relevant / max(1, relevant + off))


def _parents(reading: CrawlReading) -> list[Block]:
    found = reading.tally.parents.by_off_topic(PARENTS)
    if not found:
        return []
    rows = [(page_link(number, reading), *shares(relevant, off)) for number, relevant, off in found]
    columns = (Column("linking page", figures=False), *_SHARE)
    return [Table(columns, tuple(rows), "Pages whose links led to the most off-topic pages")]


def page_link(number: int, reading: CrawlReading) -> Entry:
    """A page by its URL."""
    record = reading.pages.get(number)
    if record is None:
        return told_page(number)
    return Link(f"{number:,}  {cut(record.url, _LONGEST_URL)}", record.url)


def _parts(reading: CrawlReading) -> list[Block]:
    found = reading.tally.misled.by_off_topic(20)
    if not found:
        return []
    rows = [(name, *shares(relevant, off), part_meaning(name)) for name, relevant, off in found]
    columns = (Column("part", figures=False), *_SHARE, Column("what it is", figures=False))
    caption = "Which part of the score added most: pages that it was right about, and wrong"
    return [Table(columns, tuple(rows), caption)]


def _worst(reading: CrawlReading) -> list[Block]:
    worst = reading.tally.worst.ordered()
    if not worst:
        return []
    rows = [_worst_row(record) for record in worst]
    columns = (
        Column("page", figures=False), Column("priority"), Column("similarity"),
        Column("words of the best link", figures=False), Column("parts of the priority",
                                                                figures=False),
    )  # fmt: skip
    return [Table(columns, tuple(rows), "The predictions that were too high by most")]


def _worst_row(record: PageRecord) -> tuple[Entry, ...]:
    anchor = record.inlinks[0].anchor if record.inlinks else ""
    parts = parts_told(record.parts)
    added = ", ".join(f"{part.name} {part.contribution:.3f}" for part in parts[:_LARGEST])
    if len(parts) > _LARGEST:
        added += f", {len(parts) - _LARGEST} others"
    return (
        Link(cut(record.title, _LONGEST_TITLE) or cut(record.url, _LONGEST_URL), record.url),
        told(record.priority), told(record.similarity), cut(anchor, _LONGEST_TITLE), added,
    )  # fmt: skip


def _seeds(reading: CrawlReading) -> list[Block]:
    found: Sequence[tuple[int, int, int]] = reading.tally.seeds.by_pages(SEEDS)
    if not found:
        return []
    rows = [(page_link(number, reading), *shares(relevant, off)) for number, relevant, off in found]
    columns = (Column("seed or example", figures=False), *_SHARE)
    return [Table(columns, tuple(rows), "By the page that a person named where the way begins")]
