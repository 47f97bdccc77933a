"""What the judgements of a person prove about a crawl."""

from __future__ import annotations

from scenthound.assessment.intervals import Estimate
from scenthound.assessment.score import Score
from scenthound.reporting.document import Block, Column, Entry, Fact, Facts, Table, Words, told

_NOT_DRAWN = (
    "These pages were not drawn from this crawl by 'scenthound sample': they are no random sample "
    "of it, and the intervals do not hold."
)


def judged(score: Score) -> tuple[Block, ...]:
    """Precision and recall with their intervals, and the bands behind them."""
    facts = Facts((
        _fact("precision", score.called_relevant, "of the pages called relevant", score),
        _fact("about the topic", score.all_documents, "of all documents", score),
        _fact("recall", score.recall, "of the documents about the topic", score),
    ))  # fmt: skip
    columns = (Column("similarity", figures=False), Column("called relevant", figures=False),
               Column("documents"), Column("judged"), Column("about the topic"),
               Column("precision"))  # fmt: skip
    rows: tuple[tuple[Entry, ...], ...] = tuple(
        (f"{band.low:.3f} to {band.high:.3f}", "yes" if band.relevant else "no",
         told(band.count.pages), told(band.count.judged), told(band.count.right),
         between(band.precision))
        for band in score.bands
    )  # fmt: skip
    warning = () if score.drawn_at_random else (Words(_NOT_DRAWN, warns=True),)
    return (facts, *warning, Table(columns, rows, "By relevance band"))


def between(estimate: Estimate | None) -> str:
    """An estimate with its interval; a dash for none."""
    if estimate is None:
        return "-"
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"


def _fact(name: str, estimate: Estimate | None, of: str, score: Score) -> Fact:
    if estimate is None:
        return Fact(name, "-", of)
    interval = f"{score.confidence:.0%} interval {estimate.low:.3f} to {estimate.high:.3f}"
    return Fact(name, told(estimate.value), f"{of}; {interval}")
