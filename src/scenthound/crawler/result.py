"""The result of one crawl, and its JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scenthound.core.events import TextRepresentations
from scenthound.core.options import SIMILARITY
from scenthound.crawler.link_weights import WeightsUsed
from scenthound.crawler.metrics import Indicators
from scenthound.similarity.judge import Threshold

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl with one strategy: the figures, and the pages in the order they were fetched.

    ``dropped`` counts links that were not queued, ``problems`` pages with less to read than
    expected, both by reason; the journal has them one by one. ``weights`` is None for a strategy
    that weighs nothing. ``inlinks`` is how several links to a page counted: max, mean or last.
    ``judge`` is what ``threshold`` and the figures are by: "similarity" or "ontology". ``ways`` is
    None for a strategy that reads texts in the same way everywhere.
    """

    topic: str
    strategy: str
    parameters: Mapping[str, object]
    seed: int
    budget: int
    fetched: int
    missing: int
    failed: int
    stopped: str
    seconds: float
    peak_rss_mb: float
    threshold: Threshold
    labelled_pages: int | None
    dropped: Mapping[str, int]
    problems: Mapping[str, int]
    final: Indicators
    checkpoints: tuple[Indicators, ...]
    order: tuple[str, ...]
    weights: WeightsUsed | None = None
    inlinks: str = ""
    judge: str = SIMILARITY
    ways: TextRepresentations | None = None

    @property
    def pages_per_second(self) -> float:
        """Speed of the whole run: reading, extracting, scoring, judging, journal."""
        return self.fetched / self.seconds if self.seconds > 0 else 0.0

    def to_json(self) -> dict[str, object]:
        """The run as the results file has it."""
        return {
            "topic": self.topic,
            "strategy": self.strategy,
            "parameters": dict(self.parameters),
            "weights": None if self.weights is None else self.weights.to_json(),
            "reading": None if self.ways is None else self.ways.to_json(),
            "inlinks": self.inlinks,
            "seed": self.seed,
            "budget": self.budget,
            "fetched": self.fetched,
            "missing": self.missing,
            "failed": self.failed,
            "stopped": self.stopped,
            "seconds": round(self.seconds, 3),
            "pages_per_second": round(self.pages_per_second, 1),
            "peak_rss_mb": round(self.peak_rss_mb, 1),
            "labelled_pages": self.labelled_pages,
            "dropped": dict(self.dropped),
            "problems": dict(self.problems),
            "judge": self.judge,
            "threshold": {"value": round(self.threshold.value, _DIGITS),
                          "origin": self.threshold.origin},
            "final": _rounded(self.final),
            "checkpoints": [_rounded(row) for row in self.checkpoints],
            "order": list(self.order),
        }  # fmt: skip


def _rounded(row: Indicators) -> dict[str, float | int | None]:
    return {
        key: round(value, _DIGITS) if isinstance(value, float) else value
        for key, value in row.to_json().items()
    }
