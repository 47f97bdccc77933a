"""The plots of a comparison: mean curves, means with intervals, differences to the baseline,
topics one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scenthound.crawler.metrics import over_budget
from scenthound.evaluation.outcomes import MEASURES, Measure, Outcome
from scenthound.evaluation.outcomes import Cell as RunCell
from scenthound.evaluation.standings import Mean, Table
from scenthound.evaluation.statistics import (
    BETTER,
    NO_DIFFERENCE,
    TOO_FEW,
    TOO_FEW_DRAWS,
    WORSE,
    Topic,
    group_means,
    topic_of,
    unit_figures,
)
from scenthound.output.plots.curves import PAGES, Curve, Points, curves_figure, draw_curves
from scenthound.output.plots.figure import (
    INK,
    MOST_HIGHLIGHTED,
    MUTED,
    PAPER,
    SERIES,
    WIDTH,
    Cell,
    Rows,
    label_axes,
    new_figure,
    plain_legend,
    shorten_label,
    style_axes,
)
from scenthound.output.report.document import Plot

if TYPE_CHECKING:
    from matplotlib.artist import Artist
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


class Estimate(NamedTuple):
    """A strategy with a mean and its interval, and the verdict on it; "" for none."""

    name: str
    mean: Mean
    verdict: str = ""


def intervals_figure(estimates: Sequence[Estimate], across: str, line_at: float | None) -> Figure:
    """The first one on top; ``line_at`` is what they are compared with, None for nothing."""
    figure = new_figure(WIDTH, _INTERVALS_MARGIN + _INTERVAL_HEIGHT * max(3, len(estimates)))
    axes = figure.add_subplot()
    if line_at is not None:
        axes.axvline(line_at, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    for verdict, (form, edge, inside) in _VERDICT_MARKERS.items():
        own = {place: each.mean for place, each in enumerate(estimates) if each.verdict == verdict}
        for place, mean in own.items():
            if mean.interval is not None:
                axes.plot(mean.interval, (place, place), color=edge, linewidth=1.4, zorder=2)
        axes.plot(
            [mean.value for mean in own.values()], list(own), form, markersize=5.5, zorder=3,
            markeredgecolor=edge, markerfacecolor=inside, markeredgewidth=1.2,
            label=verdict if own else "",
        )  # fmt: skip
    names = [shorten_label(each.name, _MAX_ESTIMATE_NAME) for each in estimates]
    axes.set_yticks(range(len(names)), names, parse_math=False)
    axes.set_ylim(len(estimates) - 0.4, -0.6)
    style_axes(axes, grid="x")
    axes.tick_params(axis="y", labelcolor=INK)
    label_axes(axes, across, "")
    if any(each.verdict for each in estimates):  # what the forms of the marks say
        axes.legend(
            loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(_VERDICT_MARKERS),
            frameon=False, fontsize=8, labelcolor=INK, handletextpad=0.2, columnspacing=1.0,
            borderaxespad=0.1,
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
    key: dict[str, Artist] = {}
    for axes, (name, curves) in zip(grid, by_topic.items(), strict=False):
        draw_curves(axes, curves, width=1.3)
        style_axes(axes)
        title = shorten_label(name, _MAX_TOPIC_NAME)
        axes.set_title(title, fontsize=9, color=INK, loc="left", parse_math=False)
        axes.tick_params(labelsize=8)
        handles, labels = axes.get_legend_handles_labels()
        key |= dict(zip(labels, handles, strict=True))
    for axes in grid[len(by_topic) :]:
        axes.set_visible(False)
    label_axes(grid[0], "", up)
    label_axes(grid[len(by_topic) - 1], across, up if len(by_topic) == 1 else "")
    if key:
        plain_legend(figure.legend(
            key.values(), [shorten_label(name, _MAX_LEGEND_LABEL) for name in key],
            loc="outside lower center", ncols=4, frameon=False, fontsize=8, labelcolor=INK,
            handlelength=3.4,
        ))  # fmt: skip
    return figure


# Mean curves of strategies over topics, from the checkpoints of their runs.

BUDGET_SHARE = "share of the budget spent"
_MOST_POINTS = 120


class Run(NamedTuple):
    """The figures of one run: where they were taken, and what they are."""

    cell: RunCell
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
                runs.append(Run(outcome.cell, *zip(*known, strict=True)))
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
    columns = [np.interp(wanted, run.at, run.values).tolist() for run in runs]
    points = []
    for at, values in zip(wanted, zip(*columns, strict=True), strict=True):
        cells = zip((run.cell for run in runs), values, strict=True)
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
    places = [place for place in range(MOST_HIGHLIGHTED) if place != _BASELINE_PLACE]
    found = dict(zip([name for name in ranked if name != baseline], places, strict=False))
    return {**found, baseline: _BASELINE_PLACE} if baseline in ranked else found


def curve_plots(
    outcomes: Sequence[Outcome], places: Mapping[str, int], first: Measure, prefix: str
) -> Iterator[Plot]:
    """One plot for each indicator that there are curves of, that of the comparison first."""
    axis = axis_of(outcomes)
    for measure in sorted(MEASURES, key=lambda each: each.name != first.name):
        curves = _curves(outcomes, places, measure, axis)
        if not curves or measure.name in _LEFT_OUT:
            continue
        ends = [(each.points[-1][1], each.name) for each in curves if each.place is not None]
        ends.sort(reverse=not measure.lower_is_better)
        results = ", ".join(f"{name} {value:.3g}" for value, name in ends)
        yield Plot(
            f"{prefix}curve-{measure.name.replace('_', '-')}",
            f"{capitalize_first(measure.title)}, mean over topics",
            f"{measure.title} by {axis}, mean over topics. At the end: {results}.",
            ("strategy", axis.replace(" ", "_"), measure.name),
            _curve_rows(curves),
            partial(curves_figure, curves, measure.title, axis),
        )


def _curves(
    outcomes: Sequence[Outcome], places: Mapping[str, int], measure: Measure, axis: str
) -> list[Curve]:
    gathered: dict[str, list[Run]] = {}
    for run in runs_of(outcomes, measure, axis):
        gathered.setdefault(run.cell.strategy, []).append(run)
    curves = [Curve(name, mean_points(own), places.get(name)) for name, own in gathered.items()]
    return [curve for curve in curves if curve.points]


def _curve_rows(curves: Sequence[Curve], *first: Cell) -> Rows:
    return [
        (*first, curve.name, round(at, _DIGITS), round(value, _DIGITS))
        for curve in curves
        for at, value in curve.points
    ]


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
        if (curves := _curves(own, places, measure, axis))
    }
    if not found:
        return None
    return Plot(
        f"{prefix}topics",
        f"{capitalize_first(measure.title)}, topic by topic",
        f"{measure.title} by {axis} for each of {len(found)} topics; the table has the numbers.",
        ("topic", "strategy", axis.replace(" ", "_"), measure.name),
        [row for name, curves in found.items() for row in _curve_rows(curves, name)],
        partial(topics_figure, found, measure.title, axis),
        wide=True,
    )


def topic_label(topic: Topic, topics: Iterable[Topic]) -> str:
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
    means = [Estimate(each.strategy, each.mean) for each in table.standings if each.mean]
    if means:
        base = next((each.mean.value for each in means if each.name == baseline), None)
        title = f"Mean {measure.title} with 95 % intervals"
        described = f"{title}; the best is {means[0].name} with {means[0].mean.value:.3f}."
        draw = partial(intervals_figure, means, measure.title, base)
        rows = [row[:-1] for row in _rows(means)]
        yield Plot(f"{prefix}means", title, described, _COLUMNS[:-1], rows, draw)
    compared = [
        Estimate(each.strategy, own.mean, own.verdict)
        for each in table.standings
        if (own := each.difference)
    ]
    if compared:
        title = f"Difference to {baseline} in {measure.title}"
        verdicts = "; ".join(f"{each.name}: {each.verdict}" for each in compared)
        across = f"{measure.title} less that of the baseline"
        draw = partial(intervals_figure, compared, across, 0.0)
        described = f"{title}. {verdicts}."
        yield Plot(f"{prefix}differences", title, described, _COLUMNS, _rows(compared), draw)


_COLUMNS = ("strategy", "mean", "low", "high", "verdict")


def _rows(estimates: Sequence[Estimate]) -> Rows:
    rows: Rows = []
    for name, mean, verdict in estimates:
        limits: list[Cell] = [round(limit, _DIGITS) for limit in mean.interval or ()]
        rows.append((name, round(mean.value, _DIGITS), *(limits or ("", "")), verdict))
    return rows
