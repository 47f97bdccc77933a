"""The papers' tables: every figure after so many pages, strategy by strategy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from scenthound.comparison.measures import MEASURES, Measure, known_figures
from scenthound.comparison.model import Cell, Outcome
from scenthound.comparison.pairing import Figures, group_means, grouping, unit_figures
from scenthound.experiments.metrics import Indicators, over_budget

_STEPS = ((1_000, 100), (5_000, 500))
_LATER = 1_000
"""Every 100 pages up to 1,000, every 500 up to 5,000 as bsvsm-ha prints, then every 1,000."""
_SMALL, _SMALL_STEP = 100, 10
_FINER, _FINER_UP_TO = (10, 20, 50), 1_000
"""Rows before those of the papers, for runs that are shorter than theirs."""


class Reached(NamedTuple):
    """The mean over the runs that got so far, and their number; None where none did."""

    mean: float | None
    runs: int


_NOBODY = Reached(None, 0)


@dataclass(frozen=True, slots=True)
class MilestoneTable:
    """One measure: for each strategy a value at each of ``pages``, and at last one at the end.

    A run that ended before is not in the mean, so means of a row may be over fewer runs than
    those of the row above. Labelled harvest is over the pages fetched so far; that at the end is
    over the budget, spent or not.
    """

    measure: Measure
    pages: tuple[int, ...]
    by_strategy: Mapping[str, tuple[Reached, ...]]


def milestones(longest: int) -> tuple[int, ...]:
    """The numbers of pages at which the papers' tables have rows, up to ``longest``.

    Examples
    --------
    >>> milestones(30), milestones(250)
    ((10, 20, 30), (10, 20, 50, 100, 200))
    """
    if longest < _SMALL:
        return tuple(range(_SMALL_STEP, longest + 1, _SMALL_STEP))
    found: list[int] = []
    for end, step in (*_STEPS, (longest, _LATER)):
        start = found[-1] if found else 0
        found.extend(range(start + step, min(end, longest) + 1, step))
    return (*(_FINER if longest <= _FINER_UP_TO else ()), *found)


def milestone_tables(
    outcomes: Sequence[Outcome], measures: Sequence[Measure] = MEASURES
) -> list[MilestoneTable]:
    """The tables of some measures, by default of all.

    Parameters
    ----------
    outcomes : runs, of one seed condition or of several; failed ones have nothing to show. There
        are no rows for pages that no run has a checkpoint at.
    measures : one table for each.
    """
    reached = [(each.cell, _by_pages(each)) for each in outcomes if each.final is not None]
    longest = max((max(rows, default=0) for _, rows in reached), default=0)
    present = {pages for _, rows in reached for pages in rows}
    pages = tuple(each for each in milestones(longest) if each in present)
    rows = [[(cell, found.get(at)) for cell, found in reached] for at in pages]
    rows.append([(each.cell, each.final) for each in outcomes])
    names = list(dict.fromkeys(outcome.cell.strategy for outcome in outcomes))
    return [MilestoneTable(each, pages, _by_strategy(rows, each, names)) for each in measures]


def _by_pages(outcome: Outcome) -> dict[int, Indicators]:
    """Its checkpoints; the last one too has labelled harvest over the pages, not the budget."""
    found = {row.fetched: row for row in outcome.checkpoints if row.fetched}
    if found:
        last = max(found)
        found[last] = over_budget(found[last], last)
    return found


def _by_strategy(
    rows: Iterable[Iterable[tuple[Cell, Indicators | None]]],
    measure: Measure,
    names: Iterable[str],
) -> dict[str, tuple[Reached, ...]]:
    means = [_row(row, measure) for row in rows]
    return {name: tuple(each.get(name, _NOBODY) for each in means) for name in names}


def _row(cells: Iterable[tuple[Cell, Indicators | None]], measure: Measure) -> dict[str, Reached]:
    """By strategy: the mean over topics of the mean over their runs, as everywhere."""
    known = known_figures(cells, measure)
    runs = Counter(cell.strategy for cell, _ in known)
    return {
        name: Reached(_mean(figures), runs[name]) for name, figures in unit_figures(known).items()
    }


def _mean(figures: Figures) -> float:
    return fmean(group_means(figures, grouping(figures)).values())
