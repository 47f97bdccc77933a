"""The plots of a comparison: mean curves, means with intervals, differences to the baseline,
topics one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from scenthound.crawler.metrics import over_budget
from scenthound.evaluation.outcomes import MEASURES, Measure, Outcome
from scenthound.evaluation.standings import Table
from scenthound.evaluation.statistics import (
    BETTER,
    NO_DIFFERENCE,
    TOO_FEW,
    TOO_FEW_DRAWS,
    WORSE,
    Interval,
    Topic,
    group_means,
    topic_of,
    unit_figures,
)
from scenthound.output.document import Plot
from scenthound.output.figure import (
    INK,
    MARKERS,
    MOST_HIGHLIGHTED,
    MUTED,
    PAPER,
    SERIES,
    WIDTH,
    Cell,
    colour,
    dash,
    label_axes,
    new_figure,
    plain_legend,
    shorten_label,
    style_axes,
)
from scenthound.output.plots import PAGES, Curve, Points, curves_figure, draw_curves

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# Means with their intervals, one below the other.

_INTERVAL_HEIGHT, _INTERVALS_MARGIN = 0.23, 0.9
_MAX_ESTIMATE_NAME = 34
_VERDICT_MARKERS = {
    BETTER: ("^", SERIES[0], SERIES[0]),
    WORSE: ("v", SERIES[1], SERIES[1]),
    NO_DIFFERENCE: ("o", MUTED, PAPER),
    TOO_FEW: ("D", MUTED, PAPER),
    TOO_FEW_DRAWS: ("D", MUTED, PAPER),
    "": ("o", INK, INK),
}
"""For each verdict the form of the mark, its edge and what fills it: distinct in grey too."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A named value, its interval, and the verdict on it; "" for none."""

    name: str
    value: float
    interval: Interval | None
    verdict: str = ""


def intervals_figure(estimates: Sequence[Estimate], across: str, line_at: float | None) -> Figure:
    """The first one on top; ``line_at`` is what they are compared with, None for nothing."""
    figure = new_figure(WIDTH, _INTERVALS_MARGIN + _INTERVAL_HEIGHT * max(3, len(estimates)))
    axes = figure.add_subplot()
    if line_at is not None:
        axes.axvline(line_at, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    for place, each in enumerate(estimates):
        form, edge, inside = _VERDICT_MARKERS[each.verdict]
        if each.interval is not None:
            axes.plot(each.interval, (place, place), color=edge, linewidth=1.4, zorder=2)
        axes.plot(
            [each.value], [place], form, markersize=5.5, markeredgecolor=edge,
            markerfacecolor=inside, markeredgewidth=1.2, zorder=3,
        )  # fmt: skip
    names = [shorten_label(each.name, _MAX_ESTIMATE_NAME) for each in estimates]
    axes.set_yticks(range(len(names)), names, parse_math=False)
    axes.set_ylim(len(estimates) - 0.4, -0.6)
    style_axes(axes, grid="x")
    axes.tick_params(axis="y", labelcolor=INK)
    label_axes(axes, across, "")
    given = {each.verdict for each in estimates} - {""}
    for verdict in (each for each in _VERDICT_MARKERS if each in given):
        form, edge, inside = _VERDICT_MARKERS[verdict]
        axes.plot([], [], form, markeredgecolor=edge, markerfacecolor=inside, markersize=5.5,
                  label=verdict)  # fmt: skip
    if given:  # what the forms of the marks say
        axes.legend(
            loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(given), frameon=False,
            fontsize=8, labelcolor=INK, handletextpad=0.2, columnspacing=1.0, borderaxespad=0.1,
        )  # fmt: skip
    return figure


# The same curves topic by topic: small pictures in a grid.

_GRID_COLUMNS, _GRID_WIDTH, _ROW_HEIGHT, _LEGEND_HEIGHT = 3, 9.6, 2.1, 0.7
_MAX_TOPIC_NAME, _MAX_LEGEND_LABEL = 40, 26


def topics_figure(by_topic: Mapping[str, Sequence[Curve]], up: str, across: str = PAGES) -> Figure:
    """A small picture for each topic, and one key to the lines below all; there must be one."""
    lines = -(-len(by_topic) // _GRID_COLUMNS)
    figure = new_figure(_GRID_WIDTH, _ROW_HEIGHT * lines + _LEGEND_HEIGHT)
    columns = min(_GRID_COLUMNS, len(by_topic))
    grid = figure.subplots(lines, columns, squeeze=False).ravel()
    for axes, (name, curves) in zip(grid, by_topic.items(), strict=False):
        draw_curves(axes, curves, width=1.3)
        style_axes(axes)
        axes.set_title(
            shorten_label(name, _MAX_TOPIC_NAME),
            fontsize=9,
            color=INK,
            loc="left",
            parse_math=False,
        )
        axes.tick_params(labelsize=8)
    for axes in grid[len(by_topic) :]:
        axes.set_visible(False)
    label_axes(grid[0], "", up)
    label_axes(grid[len(by_topic) - 1], across, up if len(by_topic) == 1 else "")
    _legend(figure, [curve for curves in by_topic.values() for curve in curves])
    return figure


def _legend(figure: Figure, curves: Sequence[Curve]) -> None:
    from matplotlib.lines import Line2D

    places = {curve.place: curve.name for curve in curves if curve.place is not None}
    handles = [
        Line2D([], [], color=colour(place), linestyle=dash(place), linewidth=1.6, markersize=4,
               marker=MARKERS[place], label=shorten_label(name, _MAX_LEGEND_LABEL))
        for place, name in sorted(places.items())
    ]  # fmt: skip
    if not handles:
        return
    plain_legend(figure.legend(
        handles=handles, loc="outside lower center", ncols=4, frameon=False, fontsize=8,
        labelcolor=INK, handlelength=3.4,
    ))  # fmt: skip


# Mean curves of strategies over topics, from the checkpoints of their runs.

BUDGET_SHARE = "share of the budget spent"
_MOST_POINTS = 120


@dataclass(frozen=True, slots=True)
class Run:
    """The figures of one run: where they were taken, and what they are."""

    outcome: Outcome
    at: tuple[float, ...]
    values: tuple[float, ...]


def axis_of(outcomes: Sequence[Outcome]) -> str:
    """Pages where all runs may fetch as many, otherwise shares of the budget."""
    return PAGES if len({each.budget for each in outcomes if each.final}) <= 1 else BUDGET_SHARE


def runs_of(outcomes: Sequence[Outcome], measure: Measure, axis: str) -> list[Run]:
    """The curves of the runs that have the figure at two checkpoints or more."""
    runs = []
    for outcome in outcomes:
        if outcome.final is not None:
            rows = [over_budget(row, row.fetched) for row in outcome.checkpoints if row.fetched]
            scale = 1.0 if axis == PAGES else 1.0 / max(1, outcome.budget)
            found = {row.fetched * scale: measure.of(row) for row in rows}
            known = [(at, value) for at, value in sorted(found.items()) if value is not None]
            if len(known) > 1:
                at, values = zip(*known, strict=True)
                runs.append(Run(outcome, at, values))
    return runs


def mean_points(runs: Sequence[Run]) -> Points:
    """The mean over topics, as far as all runs go; between checkpoints in a straight line.

    Draws and random seeds of a topic are put together first. Empty where there are no runs, or
    where one ends before another begins.
    """
    if not runs:
        return ()
    low, high = max(run.at[0] for run in runs), min(run.at[-1] for run in runs)
    wanted = sorted({at for run in runs for at in run.at if low <= at <= high})
    if len(wanted) > _MOST_POINTS:  # enough for a smooth curve, the first and the last among them
        chosen = np.linspace(0, len(wanted) - 1, _MOST_POINTS).round().astype(int)
        wanted = [wanted[place] for place in chosen.tolist()]
    columns = [np.interp(wanted, run.at, run.values) for run in runs]
    points = []
    for place, at in enumerate(wanted):
        values = [float(column[place]) for column in columns]
        cells = [(run.outcome.cell, value) for run, value in zip(runs, values, strict=True)]
        (figures,) = unit_figures(cells).values()
        points.append((at, fmean(group_means(figures, topic_of).values())))
    return tuple(points)


_BASELINE_PLACE = 6
"""Its colour is the grey one."""
_MOST_TOPICS = 24
_LEFT_OUT = frozenset({"labelled"})
"""Recall says the same."""
_DIGITS = 6


def highlighted(table: Table, baseline: str) -> dict[str, int]:
    """The strategies with a colour of their own: the best ones, and the baseline."""
    ranked = [each.strategy for each in table.standings if each.mean is not None]
    best = [name for name in ranked if name != baseline][: MOST_HIGHLIGHTED - 1]
    places = [place for place in range(MOST_HIGHLIGHTED) if place != _BASELINE_PLACE]
    found = dict(zip(best, places, strict=False))
    return {**found, baseline: _BASELINE_PLACE} if baseline in ranked else found


def curve_plots(
    outcomes: Sequence[Outcome], places: Mapping[str, int], first: Measure, prefix: str
) -> list[Plot]:
    """One plot for each indicator that there are curves of, that of the comparison first."""
    ordered = [first, *(each for each in MEASURES if each.name != first.name)]
    wanted = [each for each in ordered if each.name not in _LEFT_OUT]
    plots = (_curve_plot(outcomes, places, each, prefix) for each in wanted)
    return [plot for plot in plots if plot is not None]


def _curve_plot(
    outcomes: Sequence[Outcome], places: Mapping[str, int], measure: Measure, prefix: str
) -> Plot | None:
    axis = axis_of(outcomes)
    runs = runs_of(outcomes, measure, axis)
    curves = _by_strategy(runs, places)
    if not curves:
        return None
    rows = [
        (curve.name, round(at, _DIGITS), round(value, _DIGITS))
        for curve in curves
        for at, value in curve.points
    ]
    ends = sorted(((each.points[-1][1], each.name) for each in curves if each.place is not None),
                  reverse=not measure.lower_is_better)  # fmt: skip
    results = ", ".join(f"{name} {value:.3g}" for value, name in ends)
    return Plot(
        f"{prefix}curve-{measure.name.replace('_', '-')}",
        f"{capitalize_first(measure.title)}, mean over topics",
        f"{measure.title} by {axis}, mean over topics. At the end: {results}.",
        ("strategy", axis.replace(" ", "_"), measure.name),
        list[tuple[Cell, ...]](rows),
        partial(curves_figure, curves, measure.title, axis),
    )


def _by_strategy(runs: Sequence[Run], places: Mapping[str, int]) -> list[Curve]:
    gathered: dict[str, list[Run]] = {}
    for run in runs:
        gathered.setdefault(run.outcome.cell.strategy, []).append(run)
    curves = [Curve(name, mean_points(own), places.get(name)) for name, own in gathered.items()]
    return [curve for curve in curves if curve.points]


def topics_plot(
    outcomes: Sequence[Outcome], places: Mapping[str, int], measure: Measure, prefix: str
) -> Plot | None:
    """The curves of each topic by itself; None where there are none."""
    topics: dict[Topic, list[Outcome]] = {}
    for outcome in outcomes:
        topics.setdefault(topic_of(outcome.cell.unit), []).append(outcome)
    axis = axis_of(outcomes)
    found = {
        topic_label(topic, topics): curves
        for topic, own in list(topics.items())[:_MOST_TOPICS]
        if (curves := _by_strategy(runs_of(own, measure, axis), places))
    }
    if not found:
        return None
    rows = [
        (name, curve.name, round(at, _DIGITS), round(value, _DIGITS))
        for name, curves in found.items() for curve in curves for at, value in curve.points
    ]  # fmt: skip
    return Plot(
        f"{prefix}topics",
        f"{capitalize_first(measure.title)}, topic by topic",
        f"{measure.title} by {axis} for each of {len(found)} topics; the table has the numbers.",
        ("topic", "strategy", axis.replace(" ", "_"), measure.name),
        list[tuple[Cell, ...]](rows),
        partial(topics_figure, found, measure.title, axis),
        wide=True,
    )


def topic_label(topic: Topic, topics: Mapping[Topic, object]) -> str:
    """Its name, with the web's where there are several."""
    several = len({each.web for each in topics}) > 1
    return f"{topic.web}: {topic.topic}" if several else topic.topic


def capitalize_first(words: str) -> str:
    """With a capital letter at its beginning."""
    return words[:1].upper() + words[1:]


def interval_plots(table: Table, baseline: str, measure: Measure, prefix: str) -> Iterator[Plot]:
    """The mean of every strategy with its interval, and how far it is from the baseline's.

    Either is left out where there is nothing to draw.
    """
    known = [(each.strategy, each.mean) for each in table.standings if each.mean is not None]
    means = [Estimate(name, mean.value, mean.interval) for name, mean in known]
    if means:
        base = next((each.value for each in means if each.name == baseline), None)
        title = f"Mean {measure.title} with 95 % intervals"
        described = f"{title}; the best is {means[0].name} with {means[0].value:.3f}."
        draw = partial(intervals_figure, means, measure.title, base)
        yield Plot(f"{prefix}means", title, described, _COLUMNS, _rows(means), draw)
    compared = [
        Estimate(each.strategy, own.mean.value, own.mean.interval, own.verdict)
        for each in table.standings
        if (own := each.difference)
    ]
    if compared:
        title = f"Difference to {baseline} in {measure.title}"
        verdicts = "; ".join(f"{each.name}: {each.verdict}" for each in compared)
        draw = partial(
            intervals_figure, compared, f"{measure.title} less that of the baseline", 0.0
        )
        yield Plot(f"{prefix}differences", title, f"{title}. {verdicts}.", (*_COLUMNS, "verdict"),
                   _rows(compared, verdict=True), draw)  # fmt: skip


_COLUMNS = ("strategy", "mean", "low", "high")


def _rows(estimates: Sequence[Estimate], verdict: bool = False) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for each in estimates:
        limits = () if each.interval is None else each.interval
        numbers: list[Cell] = [round(limit, _DIGITS) for limit in limits]
        last = (each.verdict,) if verdict else ()
        rows.append((each.name, round(each.value, _DIGITS), *(numbers or ["", ""]), *last))
    return rows
