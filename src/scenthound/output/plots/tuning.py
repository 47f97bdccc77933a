"""The papers' figures of tunings: the numbers behind them, how they are drawn and saved.

Every figure has three parts, in this order in the file: arrays (``group_errors`` and what follows
from it), rows for the CSV file, and the drawing; ``draw_tuning`` at the end saves them. Topics have
different numbers of groups, so the arrays are padded with NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from scenthound.evaluation.tuning_result import Tuning, rounded_share
from scenthound.output.plots.figure import (
    INK,
    Rows,
    check_suffix,
    colour,
    dash,
    new_figure,
    plain_legend,
    save_figure,
    save_numbers,
    shorten_label,
    writing_errors,
)
from scenthound.papers.weight_problem import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def group_errors(tunings: Sequence[Tuning]) -> tuple[Array, Array]:
    """Test errors with equal and with learned weights: a row a topic, a column a group.

    Not a number where a topic has no such group, or where one of the two errors is none. As many
    columns as the longest row needs; no tunings give no rows.
    """
    width = max((len(tuning.groups) for tuning in tunings), default=0)
    equal, learned = np.full((2, len(tunings), width), np.nan)
    for row, tuning in enumerate(tunings):
        equal[row, : len(tuning.groups_equal)] = tuning.groups_equal
        learned[row, : len(tuning.groups)] = tuning.groups
    known = np.isfinite(equal) & np.isfinite(learned)
    return np.where(known, equal, np.nan), np.where(known, learned, np.nan)


def group_means(tunings: Sequence[Tuning]) -> tuple[Array, Array, Array]:
    """Mean errors over the topics that have a group, with equal and with learned weights, and over
    how many that is (svsm-mcoa Fig. 4, bsvsm-ha Fig. 3). Means over none are not a number."""
    equal, learned = group_errors(tunings)
    topics = np.isfinite(equal).sum(axis=0)
    # Not np.nanmean, which warns of groups that no topic has.
    divisor = np.where(topics, topics, np.nan)
    return np.nansum(equal, axis=0) / divisor, np.nansum(learned, axis=0) / divisor, topics


def shares(tuning: Tuning) -> list[tuple[int, float]]:
    """The curve of a tuning in parts of the exact fitness; empty where there is no such thing."""
    best = tuning.exact_fitness
    if not (math.isfinite(best) and best > 0.0):
        return []
    return [(evaluations, min(fitness / best, 1.0)) for evaluations, fitness in tuning.curve]


def heat_map_rows(tunings: Sequence[Tuning]) -> Rows:
    """Topic, group, error with equal and with learned weights, difference."""
    equal, learned = group_errors(tunings)
    return [
        (tunings[row].topic, column + 1, *_rounded(a, b, a - b))
        for row, column in np.argwhere(np.isfinite(equal)).tolist()
        for a, b in [(equal[row, column], learned[row, column])]
    ]


def mean_error_rows(tunings: Sequence[Tuning]) -> Rows:
    """Group, number of topics that have it, mean error with equal and with learned weights."""
    equal, learned, topics = group_means(tunings)
    return [
        (group + 1, int(topics[group]), *_rounded(equal[group], learned[group]))
        for group in np.flatnonzero(topics).tolist()
    ]


def convergence_rows(tunings: Sequence[Tuning]) -> Rows:
    """Topic, optimiser, evaluations, best fitness by then, exact fitness, share of it."""
    return [
        (tuning.topic, tuning.optimiser, evaluations,
         *_rounded(share * tuning.exact_fitness, tuning.exact_fitness), rounded_share(share))
        for tuning in tunings
        for evaluations, share in shares(tuning)
    ]  # fmt: skip


def _rounded(*values: float) -> tuple[float, ...]:
    return tuple(round(float(value), 6) for value in values)


# How the figures of tunings are drawn.
#
# The colour-blind can distinguish the colours; lines differ in form as well, for print in black.

_EQUAL, _LEARNED, _NONE = "#d95f02", "#1b7f8c", "#d3d8dc"
_WIDTH, _LINE_HEIGHT = 13.0, 0.36
_SCALE_HEIGHT, _AROUND_MAP = 0.18, 2.0
_EVERY = 5
"""Groups from one mark of the axis to the next."""
_SMALLEST_SCALE = 1e-6
"""The colours of a heat map in which nothing differs have to end somewhere."""


def heat_map(tunings: Sequence[Tuning]) -> Figure:
    """Topics by groups of test links: by how much learned weights are better (svsm-mcoa Fig. 3)."""
    equal, learned = group_errors(tunings)
    values = equal - learned
    # A place for the rows and one for the scale below, whose text runs across like the rows.
    height = _LINE_HEIGHT * len(tunings)
    figure = new_figure(_WIDTH, _AROUND_MAP + height + _SCALE_HEIGHT, padding=0.12)
    axes, bar_axes = figure.subplots(2, 1, height_ratios=(height, _SCALE_HEIGHT))
    limit = max(float(np.nanmax(np.abs(values), initial=0.0)), _SMALLEST_SCALE)
    axes.set_facecolor(_NONE)
    mesh = axes.pcolormesh(
        np.ma.masked_invalid(values), cmap="RdBu", vmin=-limit, vmax=limit, edgecolors="white",
        linewidth=0.6,
    )  # fmt: skip
    rows, columns = np.nonzero(values < 0.0)  # red and blue are one grey in print: a dot says it
    axes.plot(
        columns + 0.5, rows + 0.5, "o", color=INK, markersize=3.4, markeredgecolor="white",
        markeredgewidth=0.5, linestyle="none",
    )  # fmt: skip
    labels = [_row_label(tuning, row) for tuning, row in zip(tunings, values, strict=True)]
    axes.set_yticks(np.arange(len(labels)) + 0.5, labels, parse_math=False)
    axes.invert_yaxis()
    axes.tick_params(left=False)
    _group_axis(axes, values.shape[1], centre=0.5)
    axes.set_title("Error with equal weights less error with learned weights, on the test links")
    bar = figure.colorbar(mesh, cax=bar_axes, orientation="horizontal")
    bar.set_label("above 0: learned weights are better; below 0, with a dot: worse")
    return figure


def mean_errors(tunings: Sequence[Tuning]) -> Figure:
    """Mean errors over topics by group, equal against learned weights (svsm-mcoa Fig. 4)."""
    equal, learned, topics = group_means(tunings)
    figure = new_figure(_WIDTH, 5.2, padding=0.12)
    axes = figure.add_subplot()
    groups = np.arange(1, len(topics) + 1)
    for name, errors, line, form in (
        ("equal weights", equal, _EQUAL, "s--"),
        ("learned weights", learned, _LEARNED, "o-"),
    ):
        label = f"{name}: {np.nanmean(errors):.4f}, mean over groups"
        axes.plot(groups, errors, form, color=line, markersize=4, linewidth=1.4, label=label)
    axes.set_ylim(bottom=0.0)
    axes.margins(x=0.02)
    _group_axis(axes, len(groups))
    axes.set_ylabel("mean absolute error")
    count = f"mean of {len(tunings)} topics" if len(tunings) != 1 else "1 topic"
    axes.set_title(f"Mean absolute error on the test links, {count}")
    axes.grid(axis="y", color=_NONE, linewidth=0.6)
    axes.legend(frameon=False)
    return figure


def convergence(tunings: Sequence[Tuning]) -> Figure:
    """Best fitness over evaluations for each topic, as a part of the exact optimum's."""
    drawn = [(tuning, shares(tuning)) for tuning in tunings if shares(tuning)]
    figure = new_figure(_WIDTH, max(5.2, 1.6 + 0.25 * len(drawn)), padding=0.12)
    axes = figure.add_subplot()
    axes.axhline(1.0, color=INK, linewidth=1.0, label="1.0000 exact optimum")
    for place, (tuning, curve) in enumerate(drawn):
        evaluations, values = zip(*curve, strict=True)
        share = rounded_share(values[-1], 4)
        (line,) = axes.step(evaluations, values, where="post", linewidth=1.6, color=colour(place))
        line.set_linestyle(dash(place))
        line.set_label(f"{share:.4f} {shorten_label(tuning.topic)} ({tuning.optimiser})")
    axes.set_xscale("log")
    axes.set_xlabel("evaluations")
    axes.set_ylabel("best fitness / exact fitness")
    axes.set_title("Convergence: best fitness so far, as a part of the exact optimum's")
    axes.grid(color=_NONE, linewidth=0.6)
    plain_legend(axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0)))
    return figure


def _row_label(tuning: Tuning, row: Array) -> str:
    better, known = int((row > 0.0).sum()), int(np.isfinite(row).sum())
    result = f"better in {better} of {known}" if known else "no test links"
    result = "equal weights" if tuning.reason else result
    return f"{shorten_label(tuning.topic)}  ({result})"


def _group_axis(axes: Axes, groups: int, centre: float = 0.0) -> None:
    """``centre`` is where the middle of a group lies beyond its number less one."""
    numbers = [1, *range(_EVERY, groups + 1, _EVERY)]
    axes.set_xticks([number - 1 + centre if centre else number for number in numbers], numbers)
    axes.set_xlabel("group of consecutive test links")


# The papers' figures of tunings, each with the numbers behind it.

Tunings = Sequence[Tuning]
HEAT_MAP, MEAN_ERRORS, CONVERGENCE = "heat-map", "mean-errors", "convergence"


@dataclass(frozen=True)
class Drawn:
    """The figures that were written, and why others were not, by their names."""

    paths: tuple[Path, ...]
    left_out: Mapping[str, str]


@dataclass(frozen=True)
class TuningFigure:
    """A figure: its file's name and title, why it may be empty, its numbers, how it is drawn."""

    name: str
    title: str
    why_empty: str
    columns: tuple[str, ...]
    rows: Callable[[Tunings], Rows]
    draw: Callable[[Tunings], Figure]


def draw_tuning(tunings: Tunings, folder: str | Path, suffix: str = ".svg") -> Drawn:
    """Draw tunings of one or more topics, as the papers do, into a folder.

    ``heat-map`` shows for every topic and group of test links by how much learned weights are
    better than equal ones (svsm-mcoa Fig. 3), ``mean-errors`` the mean errors of both over all
    topics (its Fig. 4), ``convergence`` how near the optimiser came to the exact optimum. Beside
    each stands a CSV file of the same name with its numbers. A figure that would be empty is not
    drawn; the answer says why.

    Parameters
    ----------
    tunings : in the order in which their topics are shown; none leave every figure out.
    folder : where to, made if it is not there. Figures in it are replaced.
    suffix : ``.svg``, ``.png`` or ``.pdf``.

    Raises
    ------
    InputError
        The suffix is another one, or the folder cannot be written to.
    """
    suffix, folder = suffix.lower(), Path(folder)
    check_suffix(folder / f"{HEAT_MAP}{suffix}")
    with writing_errors(f"folder {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
    paths: list[Path] = []
    left_out: dict[str, str] = {}
    for each in TUNING_FIGURES:
        rows = each.rows(tunings)
        if not rows:
            left_out[each.name] = each.why_empty
            continue
        path = folder / f"{each.name}{suffix}"
        save_figure(each.draw(tunings), path)
        save_numbers(each.columns, rows, path.with_suffix(".csv"))
        paths.append(path)
    return Drawn(tuple(paths), left_out)


_NO_ERRORS = "no topic has test links whose errors are known"
TUNING_FIGURES = (
    TuningFigure(
        HEAT_MAP,
        "By how much learned weights are better, by group of test links",
        _NO_ERRORS,
        ("topic", "group", "error_equal", "error_learnt", "difference"),
        heat_map_rows,
        heat_map,
    ),
    TuningFigure(
        MEAN_ERRORS,
        "Mean error on the test links, by group",
        _NO_ERRORS,
        ("group", "topics", "error_equal", "error_learnt"),
        mean_error_rows,
        mean_errors,
    ),
    TuningFigure(
        CONVERGENCE,
        "How near the optimiser came to the exact optimum",
        "no topic was searched; the exact optimum needs no search",
        ("topic", "optimiser", "evaluations", "best_fitness", "exact_fitness", "share"),
        convergence_rows,
        convergence,
    ),
)
