"""The indicators of the papers and the labelled ones, as functions of the journal.

==================  ==========================================================================
``rn``              relevant pages (svsm-mcoa RN; SP in bsvsm-ha and olmoaco)
``hr``              relevant / fetched (svsm-mcoa Eq. 8, sdvsm Eq. 22; AC: bsvsm-ha Eq. 11,
                    olmoaco Eq. 19)
``as``              mean similarity of the relevant pages (svsm-mcoa Eq. 8); None without any
``ar``              mean similarity of all fetched pages (bsvsm-ha Eq. 11, olmoaco Eq. 21)
``sd``              their population deviation (olmoaco Eq. 22)
``ae``              mean ``|similarity - predicted priority|`` (sdvsm Eq. 22) over the pages
                    with a prediction: seeds have none, nor has breadth-first (None)
``labelled_harvest``  labelled pages found / pages; at the end over the whole budget, also
                    when the crawl ended early
``target_recall``   labelled pages found / labelled pages
==================  ==========================================================================
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from scenthound.core.events import PageEvent
from scenthound.core.summary import rounded

CHECKPOINT = 100


@dataclass(frozen=True, slots=True)
class PageRecord:
    """What the indicators need of a page event."""

    url: str
    similarity: float
    relevant: bool
    priority: float | None
    redirects: tuple[str, ...] = ()

    @classmethod
    def from_event(cls, event: PageEvent) -> PageRecord:
        """From a page event, with its figures as the journal keeps them."""
        return cls(
            event.url,
            rounded(event.similarity) or 0.0,
            event.relevant,
            rounded(event.priority),
            event.redirects,
        )

    @classmethod
    def from_json(cls, event: Mapping[str, object]) -> PageRecord:
        """From a page event as the journal has it."""
        similarity, priority = event["similarity"], event["priority"]
        redirects = event.get("redirects", [])
        assert isinstance(similarity, int | float) and isinstance(redirects, list)
        assert priority is None or isinstance(priority, int | float)
        return cls(
            str(event["url"]), similarity, bool(event["relevant"]), priority, tuple(redirects)
        )


def page_records(events: Iterable[Mapping[str, object]]) -> Iterator[PageRecord]:
    """The page events among ``events``, in order."""
    return (PageRecord.from_json(event) for event in events if event["event"] == "page")


@dataclass(frozen=True, slots=True)
class Indicators:
    """All indicators after ``fetched`` pages; None where one is not defined."""

    fetched: int
    rn: int
    hr: float
    as_: float | None
    ar: float
    sd: float
    ae: float | None
    labelled: int | None = None
    labelled_harvest: float | None = None
    target_recall: float | None = None

    def to_json(self) -> dict[str, float | int | None]:
        """By the names users know (``as`` is a reserved word in Python)."""
        return {
            "fetched": self.fetched,
            "labelled_harvest": self.labelled_harvest,
            "target_recall": self.target_recall,
            "labelled": self.labelled,
            "rn": self.rn,
            "hr": self.hr,
            "as": self.as_,
            "ar": self.ar,
            "sd": self.sd,
            "ae": self.ae,
        }


class _Totals:
    """Sums over the pages so far."""

    def __init__(self, labels: frozenset[str] | None) -> None:
        self._labels = labels
        self._found: set[str] = set()
        self.fetched = self._relevant = self._predicted = 0
        self._sum = self._squares = self._relevant_sum = self._error = 0.0

    def add(self, page: PageRecord) -> None:
        self.fetched += 1
        self._sum += page.similarity
        self._squares += page.similarity**2
        if page.relevant:
            self._relevant += 1
            self._relevant_sum += page.similarity
        if page.priority is not None:
            self._predicted += 1
            self._error += abs(page.similarity - page.priority)
        if self._labels:
            self._found |= self._labels.intersection((page.url, *page.redirects))

    def indicators(self) -> Indicators:
        n = max(1, self.fetched)
        mean = self._sum / n
        found = len(self._found)
        labels = self._labels
        return Indicators(
            fetched=self.fetched,
            rn=self._relevant,
            hr=self._relevant / n,
            as_=self._relevant_sum / self._relevant if self._relevant else None,
            ar=mean,
            sd=math.sqrt(max(0.0, self._squares / n - mean * mean)),
            ae=self._error / self._predicted if self._predicted else None,
            labelled=found if labels else None,
            labelled_harvest=found / n if labels else None,
            target_recall=found / len(labels) if labels else None,
        )


def checkpoints(
    pages: Iterable[PageRecord], labels: frozenset[str] | None = None, every: int = CHECKPOINT
) -> list[Indicators]:
    """Indicators after every ``every`` pages, and after the last one."""
    totals = _Totals(labels)
    rows: list[Indicators] = []
    for page in pages:
        totals.add(page)
        if totals.fetched % every == 0:
            rows.append(totals.indicators())
    if not rows or rows[-1].fetched != totals.fetched:
        rows.append(totals.indicators())
    return rows


def over_budget(last: Indicators, budget: int) -> Indicators:
    """The final indicators: labelled harvest is over the budget, spent or not."""
    if last.labelled is None:
        return last
    return replace(last, labelled_harvest=last.labelled / budget)
