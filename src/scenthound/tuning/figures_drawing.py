"""How the figures of tunings are drawn.

Colours are told apart by the colour-blind; lines differ in form as well, for print in black.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from scenthound.experiments.graph_drawing import shown
from scenthound.optimise.arrays import Array
from scenthound.tuning.figures_numbers import differences, group_means, shares
from scenthound.tuning.result import Tuning, rounded_share

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

_INK, _EQUAL, _LEARNT, _NONE = "#1d2329", "#d95f02", "#1b7f8c", "#d3d8dc"
_OKABE_ITO = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
_FORMS = ("-", "--", "-.", ":")
_WIDTH, _LINE_HEIGHT = 13.0, 0.36
_SCALE_HEIGHT, _AROUND_MAP = 0.18, 2.0
_EVERY = 5
"""Groups from one mark of the axis to the next."""
_SMALLEST_SCALE = 1e-6
"""The colours of a heat map in which nothing differs have to end somewhere."""


def heat_map(tunings: Sequence[Tuning]) -> Figure:
    """Topics by groups of test links: by how much learnt weights are better (svsm-mcoa Fig. 3)."""
    values = differences(tunings)
    figure, axes, bar_axes = _empty_map(len(tunings))
    limit = max(float(np.nanmax(np.abs(values), initial=0.0)), _SMALLEST_SCALE)
    axes.set_facecolor(_NONE)
    mesh = axes.pcolormesh(
        np.ma.masked_invalid(values), cmap="RdBu", vmin=-limit, vmax=limit, edgecolors="white",
        linewidth=0.6,
    )  # fmt: skip
    _mark_worse(axes, values)
    labels = [_row_label(tuning, row) for tuning, row in zip(tunings, values, strict=True)]
    axes.set_yticks(np.arange(len(labels)) + 0.5, labels, parse_math=False)
    axes.invert_yaxis()
    axes.tick_params(left=False)
    _group_axis(axes, values.shape[1], centre=0.5)
    axes.set_title("Error with equal weights less error with learnt weights, on the test links")
    bar = figure.colorbar(mesh, cax=bar_axes, orientation="horizontal")
    bar.set_label("above 0: learnt weights are better; below 0, with a dot: worse")
    return figure


def mean_errors(tunings: Sequence[Tuning]) -> Figure:
    """Mean errors over topics by group, equal against learnt weights (svsm-mcoa Fig. 4)."""
    means = group_means(tunings)
    figure, axes = _empty(5.2)
    groups = np.arange(1, len(means.topics) + 1)
    for name, errors, colour, form in (
        ("equal weights", means.equal, _EQUAL, "s--"),
        ("learnt weights", means.learnt, _LEARNT, "o-"),
    ):
        label = f"{name}: {np.nanmean(errors):.4f}, mean over groups"
        axes.plot(groups, errors, form, color=colour, markersize=4, linewidth=1.4, label=label)
    axes.set_ylim(bottom=0.0)
    axes.margins(x=0.02)
    _group_axis(axes, len(groups))
    axes.set_ylabel("mean absolute error")
    axes.set_title(f"Mean absolute error on the test links, {_counted(len(tunings))}")
    axes.grid(axis="y", color=_NONE, linewidth=0.6)
    axes.legend(frameon=False)
    return figure


def convergence(tunings: Sequence[Tuning]) -> Figure:
    """Best fitness over evaluations for each topic, as a part of the exact optimum's."""
    drawn = [(tuning, shares(tuning)) for tuning in tunings if shares(tuning)]
    figure, axes = _empty(max(5.2, 1.6 + 0.25 * len(drawn)))
    axes.axhline(1.0, color=_INK, linewidth=1.0, label="1.0000 exact optimum")
    for place, (tuning, curve) in enumerate(drawn):
        evaluations, values = zip(*curve, strict=True)
        axes.step(
            evaluations, values, where="post", linewidth=1.6,
            color=_OKABE_ITO[place % len(_OKABE_ITO)], linestyle=_FORMS[place % len(_FORMS)],
            label=f"{rounded_share(values[-1], 4):.4f} {shown(tuning.topic)} ({tuning.optimiser})",
        )  # fmt: skip
    axes.set_xscale("log")
    axes.set_xlabel("evaluations")
    axes.set_ylabel("best fitness / exact fitness")
    axes.set_title("Convergence: best fitness so far, as a part of the exact optimum's")
    axes.grid(color=_NONE, linewidth=0.6)
    _as_written(axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0)))
    return figure


def _empty(height: float) -> tuple[Figure, Axes]:
    figure = _paper(height)
    return figure, figure.add_subplot()


def _empty_map(rows: int) -> tuple[Figure, Axes, Axes]:
    """A place for the rows and one for the scale below, whose text runs across like the rows."""
    height = _LINE_HEIGHT * rows
    figure = _paper(_AROUND_MAP + height + _SCALE_HEIGHT)
    axes, scale = figure.subplots(2, 1, height_ratios=(height, _SCALE_HEIGHT))
    return figure, axes, scale


def _paper(height: float) -> Figure:
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout = ConstrainedLayoutEngine(h_pad=0.12, w_pad=0.12)
    return Figure(figsize=(_WIDTH, height), layout=layout)


def _mark_worse(axes: Axes, values: Array) -> None:
    """Red and blue are one grey in print: a dot says which is which."""
    rows, columns = np.nonzero(values < 0.0)
    axes.plot(
        columns + 0.5, rows + 0.5, "o", color=_INK, markersize=3.4, markeredgecolor="white",
        markeredgewidth=0.5, linestyle="none",
    )  # fmt: skip


def _row_label(tuning: Tuning, row: Array) -> str:
    better, known = int((row > 0.0).sum()), int(np.isfinite(row).sum())
    told = f"better in {better} of {known}" if known else "no test links"
    told = "equal weights" if tuning.reason else told
    return f"{shown(tuning.topic)}  ({told})"


def _group_axis(axes: Axes, groups: int, centre: float = 0.0) -> None:
    """``centre`` is where the middle of a group lies beyond its number less one."""
    numbers = [1, *range(_EVERY, groups + 1, _EVERY)]
    axes.set_xticks([number - 1 + centre if centre else number for number in numbers], numbers)
    axes.set_xlabel("group of consecutive test links")


def _as_written(legend: Legend) -> None:
    """Names of topics are no formulas."""
    for text in legend.get_texts():
        text.set_parse_math(False)


def _counted(topics: int) -> str:
    return f"mean of {topics} topics" if topics != 1 else "1 topic"
