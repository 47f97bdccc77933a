"""What ``results.json`` says of a crawl that has ended: figures by labels, time and memory."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from scenthound.experiments.metrics import Indicators

_DAMAGED = (
    "results.json is damaged: the figures by labels, the time and the memory that it should have "
    "are not told here."
)
_FIGURES = ("fetched", "seconds", "peak_rss_mb")


class Labelled(NamedTuple):
    """Labelled pages found, and their share of all that there are; None where it is not known."""

    pages: int
    recall: float | None


@dataclass(frozen=True, slots=True)
class CrawlResults:
    """The figures by name, and the labelled ones by pages fetched.

    ``problem`` is a sentence where there is a file and it cannot be read: then it has no figures.
    """

    figures: Mapping[str, float] = field(default_factory=dict)
    labelled: Mapping[int, Labelled] = field(default_factory=dict)
    problem: str = ""

    def of(self, pages: int) -> CrawlResults:
        """These where they speak of a crawl of so many pages; else they are of an earlier run."""
        return self if self.figures.get("fetched") == pages else CrawlResults(problem=self.problem)


def read_results(path: Path) -> CrawlResults:
    """What the file says; nothing where there is none."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        figures = {name: _number(stored[name]) for name in _FIGURES if stored.get(name) is not None}
        rows = [_row(row) for row in stored.get("checkpoints") or ()]
    except FileNotFoundError:
        return CrawlResults()
    except OSError as error:
        return CrawlResults(problem=f"results.json cannot be read: {error.strerror or error}.")
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        return CrawlResults(problem=_DAMAGED)
    return CrawlResults(figures, {pages: row for pages, row in rows if row is not None})


def with_labelled(rows: Sequence[Indicators], labelled: Mapping[int, Labelled]) -> list[Indicators]:
    """The rows with the labelled figures, which are known for fewer pages."""
    return [_labelled(row, labelled.get(row.fetched)) for row in rows]


def _row(row: Mapping[str, object]) -> tuple[int, Labelled | None]:
    pages, labelled = int(str(row["fetched"])), row.get("labelled")
    if labelled is None:
        return pages, None
    recall = row.get("target_recall")
    return pages, Labelled(int(str(labelled)), None if recall is None else _number(recall))


def _labelled(row: Indicators, known: Labelled | None) -> Indicators:
    if known is None or not row.fetched:
        return row
    harvest = known.pages / row.fetched
    return replace(row, labelled=known.pages, labelled_harvest=harvest, target_recall=known.recall)


def _number(value: object) -> float:
    """A number that can be counted with; ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("no number")
    return value
