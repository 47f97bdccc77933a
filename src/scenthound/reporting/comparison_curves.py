"""Mean curves of strategies over topics, from the checkpoints of their runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from scenthound.comparison.measures import Measure
from scenthound.comparison.model import Outcome
from scenthound.comparison.pairing import group_means, topic_of, unit_figures
from scenthound.experiments.metrics import over_budget
from scenthound.reporting.line_drawing import PAGES, Points

SHARE = "share of the budget spent"
_MOST_POINTS = 120


@dataclass(frozen=True, slots=True)
class Run:
    """The figures of one run: where they were taken, and what they are."""

    outcome: Outcome
    at: tuple[float, ...]
    values: tuple[float, ...]


def axis_of(outcomes: Sequence[Outcome]) -> str:
    """Pages where all runs may fetch as many, otherwise shares of the budget."""
    return PAGES if len({each.budget for each in outcomes if each.final}) <= 1 else SHARE


def runs_of(outcomes: Sequence[Outcome], measure: Measure, axis: str) -> list[Run]:
    """The curves of the runs that have the figure at two checkpoints or more."""
    runs = (_run(outcome, measure, axis) for outcome in outcomes if outcome.final is not None)
    return [run for run in runs if len(run.at) > 1]


def _run(outcome: Outcome, measure: Measure, axis: str) -> Run:
    rows = [over_budget(row, row.fetched) for row in outcome.checkpoints if row.fetched]
    scale = 1.0 if axis == PAGES else 1.0 / max(1, outcome.budget)
    found = {row.fetched * scale: measure.of(row) for row in rows}
    known = [(at, value) for at, value in sorted(found.items()) if value is not None]
    return Run(outcome, tuple(at for at, _ in known), tuple(value for _, value in known))


def mean_points(runs: Sequence[Run]) -> Points:
    """The mean over topics, as far as all runs go; between checkpoints in a straight line.

    Draws and random seeds of a topic are put together first. Empty where there are no runs, or
    where one ends before another begins.
    """
    if not runs:
        return ()
    low, high = max(run.at[0] for run in runs), min(run.at[-1] for run in runs)
    wanted = _thinned(sorted({at for run in runs for at in run.at if low <= at <= high}))
    columns = [np.interp(wanted, run.at, run.values) for run in runs]
    return tuple(
        (at, _mean(runs, [float(column[place]) for column in columns]))
        for place, at in enumerate(wanted)
    )


def _mean(runs: Sequence[Run], values: Sequence[float]) -> float:
    cells = [(run.outcome.cell, value) for run, value in zip(runs, values, strict=True)]
    (figures,) = unit_figures(cells).values()
    return fmean(group_means(figures, topic_of).values())


def _thinned(places: Sequence[float]) -> list[float]:
    """So many that a curve is smooth, the first and the last among them."""
    if len(places) <= _MOST_POINTS:
        return list(places)
    chosen = np.linspace(0, len(places) - 1, _MOST_POINTS).round().astype(int)
    return [places[place] for place in chosen.tolist()]
