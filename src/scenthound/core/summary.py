"""Figures of a crawl as it goes: running totals, and links that were dropped with the reasons."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

EXAMPLES_KEPT = 5
_URL_KEPT = 200
_DIGITS = 5

Json = dict[str, object]


def rounded(value: float | None) -> float | None:
    """Figures in the journal keep five decimals; JSON knows no infinity and no NaN: None."""
    if value is None or not math.isfinite(value):
        return None
    return round(float(value), _DIGITS)


def url_example(url: str) -> str:
    """A URL as an example in the journal; one that is cut ends with ``...``."""
    return url if len(url) < _URL_KEPT else f"{url[: _URL_KEPT - 3]}..."


@dataclass(frozen=True, slots=True)
class Drops:
    """Links that were not queued: how many for each reason, with a few examples."""

    counts: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)

    def to_json(self) -> Json:
        """``{reason: [count, [examples]]}``."""
        return {
            reason: [n, [url_example(url) for url in examples[:EXAMPLES_KEPT]]]
            for reason, (n, examples) in self.counts.items()
        }


@dataclass(frozen=True, slots=True)
class Summary:
    """Running totals from which every indicator can be read (see ``experiments.metrics``).

    ``copies`` are pages with the text of an earlier one; ``refused`` URLs were not to be fetched
    (robots.txt, a private address, no page), ``given_up`` ones never answered.
    """

    fetched: int = 0
    failed: int = 0
    missing: int = 0
    relevant: int = 0
    similarity: float = 0.0
    similarity_squared: float = 0.0
    relevant_similarity: float = 0.0
    predicted: int = 0
    error: float = 0.0
    waiting: int = 0
    copies: int = 0
    refused: int = 0
    given_up: int = 0

    def after_page(
        self,
        *,
        ok: bool,
        similarity: float,
        relevant: bool,
        priority: float | None,
        copy: bool = False,
    ) -> Summary:
        """The totals with one more fetched page."""
        return replace(
            self,
            fetched=self.fetched + 1,
            failed=self.failed + (not ok),
            relevant=self.relevant + relevant,
            similarity=self.similarity + similarity,
            similarity_squared=self.similarity_squared + similarity * similarity,
            relevant_similarity=self.relevant_similarity + (similarity if relevant else 0.0),
            predicted=self.predicted + (priority is not None),
            error=self.error + (abs(similarity - priority) if priority is not None else 0.0),
            copies=self.copies + copy,
        )

    def to_json(self) -> Json:
        """All totals by name."""
        return {
            "fetched": self.fetched,
            "failed": self.failed,
            "missing": self.missing,
            "relevant": self.relevant,
            "similarity": rounded(self.similarity),
            "similarity_squared": rounded(self.similarity_squared),
            "relevant_similarity": rounded(self.relevant_similarity),
            "predicted": self.predicted,
            "error": rounded(self.error),
            "waiting": self.waiting,
            "copies": self.copies,
            "refused": self.refused,
            "given_up": self.given_up,
        }
