"""Which pages of a crawl are wanted, and why the others are not."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from scenthound.core.errors import SettingsError
from scenthound.corpus.losses import Losses
from scenthound.corpus.record import PageRecord

COPIES = "copy of another page"
NO_PAGE = "no page (an error, or nothing to keep)"
IRRELEVANT = "not relevant"
TOO_LOW = "relevance too low"
NO_RECORD = "no WARC record"


@dataclass(frozen=True, slots=True)
class Choice:
    """Which pages are wanted.

    Parameters
    ----------
    relevant : only those that reached the crawl's own threshold.
    min_relevance : only those of at least this similarity; None for any.
    everything : also copies, and pages without a document (errors, ``noindex``).
    """

    relevant: bool = False
    min_relevance: float | None = None
    everything: bool = False

    def __post_init__(self) -> None:
        lowest = self.min_relevance
        if lowest is not None and not (math.isfinite(lowest) and 0 <= lowest <= 1):
            raise SettingsError(f"min-relevance is {lowest}; give a number from 0 to 1.")

    @property
    def by_relevance(self) -> bool:
        """Does it leave out pages for what they say?"""
        return self.relevant or self.min_relevance is not None

    def refusal(self, record: PageRecord) -> str | None:
        """Why a page is not wanted; None where it is."""
        if not self.everything and not record.has_document:
            return COPIES if record.copy_of is not None else NO_PAGE
        if self.relevant and not record.relevant:
            return IRRELEVANT
        if self.min_relevance is not None and record.similarity < self.min_relevance:
            return TOO_LOW
        return None


@dataclass(slots=True)
class Counts:
    """How many pages were looked at, which were left out and why, and which could not be read."""

    looked_at: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    unread: int = 0
    unread_pdfs: int = 0
    losses: Losses = field(default_factory=Losses)


def chosen_pages(
    records: Iterable[PageRecord], choice: Choice, counts: Counts
) -> Iterator[PageRecord]:
    """The wanted ones among the records; ``counts`` is kept up as they are taken."""
    for record in records:
        counts.looked_at += 1
        refusal = choice.refusal(record)
        if refusal is None:
            yield record
        else:
            counts.left_out[refusal] += 1
