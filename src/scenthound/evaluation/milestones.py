"""The papers' tables: every figure after so many pages, strategy by strategy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from scenthound.crawler.metrics import Indicators, over_budget
from scenthound.evaluation import statistics
from scenthound.evaluation.outcomes import MEASURES, Cell, Measure, Outcome, known_figures

_STEPS = ((1_000, 100), (5_000, 500))
_LAST_STEP = 1_000
"""Every 100 pages up to 1,000, every 500 up to 5,000 as bsvsm-ha prints, then every 1,000."""
_FINER, _FINER_UP_TO = (10, 20, 50), 1_000
"""Rows before those of the papers, for runs that are shorter than theirs."""


class MilestoneMean(NamedTuple):
    """The mean over the runs that got so far, and their number; None where none did."""

    mean: float | None = None
    runs: int = 0


@dataclass(frozen=True, slots=True)
class MilestoneTable:
    """One measure: for each strategy a value at each of ``pages``, and one at the end.

    A run that ended before is not in the mean, so means of a row may be over fewer runs than
    those of the row above. Labelled harvest is over the pages fetched so far; at the end it is
    over the budget, used up or not.
    """

    measure: Measure
    pages: tuple[int, ...]
    by_strategy: Mapping[str, tuple[MilestoneMean, ...]]

    def to_json(self) -> dict[str, object]:
        """Column by column; the last value of each strategy is the one at the end of its runs."""
        return {
            "pages": [*self.pages, "end"],
            "strategies": {
                name: {"mean": [each.mean for each in row], "runs": [each.runs for each in row]}
                for name, row in self.by_strategy.items()
            },
        }


def milestones(longest: int) -> tuple[int, ...]:
    """The numbers of pages at which the papers' tables have rows, up to ``longest``.

    Examples
    --------
    >>> milestones(30), milestones(250)
    ((10, 20, 30), (10, 20, 50, 100, 200))
    """
    if longest < 100:
        return tuple(range(10, longest + 1, 10))
    found: list[int] = []
    for end, step in (*_STEPS, (longest, _LAST_STEP)):
        start = found[-1] if found else 0
        found.extend(range(start + step, min(end, longest) + 1, step))
    return (*(_FINER if longest <= _FINER_UP_TO else ()), *found)


def milestone_tables(
    outcomes: Sequence[Outcome], measures: Sequence[Measure] = MEASURES
) -> list[MilestoneTable]:
    """Return one table for each measure.

    Failed runs have nothing to show. There are no rows for pages that no run has a checkpoint at.
    """
    reached = [(each.cell, _by_pages(each)) for each in outcomes if each.final is not None]
    present = {pages for _, rows in reached for pages in rows}
    pages = tuple(each for each in milestones(max(present, default=0)) if each in present)
    rows = [[(cell, found.get(at)) for cell, found in reached] for at in pages]
    rows.append([(each.cell, each.final) for each in outcomes])
    names = list(dict.fromkeys(outcome.cell.strategy for outcome in outcomes))
    tables = []
    for measure in measures:
        means = [_milestone_means(known_figures(row, measure)) for row in rows]
        by_strategy = {
            name: tuple(each.get(name, MilestoneMean()) for each in means) for name in names
        }
        tables.append(MilestoneTable(measure, pages, by_strategy))
    return tables


def _by_pages(outcome: Outcome) -> dict[int, Indicators]:
    """Its checkpoints; the last one too has labelled harvest over the pages, not the budget."""
    found = {row.fetched: row for row in outcome.checkpoints if row.fetched}
    if found:
        last = max(found)
        found[last] = over_budget(found[last], last)
    return found


def _milestone_means(known: Sequence[tuple[Cell, float]]) -> dict[str, MilestoneMean]:
    """By strategy: the mean over topics of the mean over their runs, as everywhere."""
    runs = Counter(cell.strategy for cell, _ in known)
    return {
        name: MilestoneMean(
            fmean(statistics.group_means(own, statistics.grouping(own)).values()), runs[name]
        )
        for name, own in statistics.unit_figures(known).items()
    }
