"""Means with their intervals, one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scenthound.comparison.bootstrap import Interval
from scenthound.comparison.wins import BETTER, NO_DIFFERENCE, TOO_FEW, TOO_FEW_DRAWS, WORSE
from scenthound.experiments.graph_drawing import shown
from scenthound.reporting.plot_style import INK, MUTED, PAPER, SERIES, WIDTH, calm, name_axes, paper

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LINE, _AROUND = 0.23, 0.9
_LONGEST_NAME = 34
_MARKS = {
    BETTER: ("^", SERIES[0], SERIES[0]),
    WORSE: ("v", SERIES[1], SERIES[1]),
    NO_DIFFERENCE: ("o", MUTED, PAPER),
    TOO_FEW: ("D", MUTED, PAPER),
    TOO_FEW_DRAWS: ("D", MUTED, PAPER),
    "": ("o", INK, INK),
}
"""For each verdict the form of the mark, its edge and what fills it: told apart in grey too."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A named value, its interval, and the verdict on it; "" for none."""

    name: str
    value: float
    interval: Interval | None
    verdict: str = ""


def intervals_figure(estimates: Sequence[Estimate], across: str, line_at: float | None) -> Figure:
    """The first one on top; ``line_at`` is what they are compared with, None for nothing."""
    figure = paper(WIDTH, _AROUND + _LINE * max(3, len(estimates)))
    axes = figure.add_subplot()
    if line_at is not None:
        axes.axvline(line_at, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    for place, each in enumerate(estimates):
        form, edge, inside = _MARKS[each.verdict]
        if each.interval is not None:
            axes.plot(each.interval, (place, place), color=edge, linewidth=1.4, zorder=2)
        axes.plot(
            [each.value], [place], form, markersize=5.5, markeredgecolor=edge,
            markerfacecolor=inside, markeredgewidth=1.2, zorder=3,
        )  # fmt: skip
    names = [shown(each.name, _LONGEST_NAME) for each in estimates]
    axes.set_yticks(range(len(names)), names, parse_math=False)
    axes.set_ylim(len(estimates) - 0.4, -0.6)
    calm(axes, grid="x")
    axes.tick_params(axis="y", labelcolor=INK)
    name_axes(axes, across, "")
    given = {each.verdict for each in estimates}
    _explain_marks(axes, [verdict for verdict in _MARKS if verdict and verdict in given])
    return figure


def _explain_marks(axes: Axes, verdicts: Sequence[str]) -> None:
    """What the forms of the marks say; nothing without verdicts."""
    if not verdicts:
        return
    for verdict in verdicts:
        form, edge, inside = _MARKS[verdict]
        axes.plot([], [], form, markeredgecolor=edge, markerfacecolor=inside, markersize=5.5,
                  label=verdict)  # fmt: skip
    axes.legend(
        loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(verdicts), frameon=False,
        fontsize=8, labelcolor=INK, handletextpad=0.2, columnspacing=1.0, borderaxespad=0.1,
    )  # fmt: skip
