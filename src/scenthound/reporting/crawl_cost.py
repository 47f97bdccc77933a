"""What a crawl cost: time, memory, bytes."""

from __future__ import annotations

from scenthound.core.sizes import told_size
from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.reporting.crawl_reading import CrawlReading
from scenthound.reporting.crawl_strays import shares
from scenthound.reporting.document import Block, Column, Entry, Fact, Facts, Folded, Table, Words

_HOSTS = 30
_UNKNOWN = (
    "Time and memory are known when a crawl has ended, and results.json says them; a replay that "
    "is under way, or was broken off, has no such file."
)


def cost(stored: StoredCrawl, reading: CrawlReading) -> list[Block]:
    """Figures, and the hosts; a sentence where nothing is known."""
    facts = _facts(stored, reading)
    blocks: list[Block] = [
        Facts(tuple(facts)) if facts else Words(reading.results.problem or _UNKNOWN)
    ]
    hosts = reading.tally.hosts.by_pages(_HOSTS)
    if hosts:
        blocks.append(Folded(_title(reading, len(hosts)), (_hosts(reading),)))
    return blocks


def _facts(stored: StoredCrawl, reading: CrawlReading) -> list[Fact]:
    facts, seconds = [], reading.seconds
    if seconds:
        remark = "pauses left out" if stored.is_live else "reading, scoring, judging, journal"
        facts.append(Fact("seconds", f"{seconds:,.1f}", remark))
        facts.append(Fact("pages a second", f"{reading.tally.pages / seconds:,.1f}"))
    memory = reading.results.figures.get("peak_rss_mb")
    if memory is not None:
        facts.append(Fact("memory", f"{memory:,.0f} MB", "peak of the whole process"))
    if reading.kept_bytes:
        size = told_size(reading.kept_bytes)
        facts.append(Fact("pages on the disk", size, "WARC records, compressed"))
    return facts


def _title(reading: CrawlReading, shown: int) -> str:
    known, others = len(reading.tally.hosts), sum(reading.tally.hosts.others)
    more = f"; {others:,} pages of further hosts are not counted one by one" if others else ""
    every = f"the {shown} with the most pages of {known:,}" if known > shown else f"all {known}"
    return f"By host: {every}{more}"


def _hosts(reading: CrawlReading) -> Table:
    kept = dict(reading.kept)
    rows: list[tuple[Entry, ...]] = []
    for name, relevant, off in reading.tally.hosts.by_pages(_HOSTS):
        size = (told_size(kept.get(name, 0)),) if kept else ()
        rows.append((name, f"{relevant + off:,}", *shares(relevant, off), *size))
    columns = [Column("host", figures=False), Column("pages"), Column("relevant"),
               Column("off topic"), Column("harvest")]  # fmt: skip
    if kept:
        columns.append(Column("kept"))
    return Table(tuple(columns), tuple(rows))
