"""The same curves topic by topic: small pictures in a grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from scenthound.experiments.graph_drawing import shown
from scenthound.reporting.line_drawing import PAGES, Curve, colour, dash, draw_curves
from scenthound.reporting.plot_style import INK, MARKERS, calm, name_axes, paper

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ACROSS, _WIDTH, _HEIGHT, _BELOW = 3, 9.6, 2.1, 0.7
_LONGEST_NAME, _LONGEST_LABEL = 40, 26


def topics_figure(by_topic: Mapping[str, Sequence[Curve]], up: str, across: str = PAGES) -> Figure:
    """A small picture for each topic, and one key to the lines below all; there must be one."""
    lines = -(-len(by_topic) // _ACROSS)
    figure = paper(_WIDTH, _HEIGHT * lines + _BELOW)
    columns = min(_ACROSS, len(by_topic))
    grid = figure.subplots(lines, columns, squeeze=False).ravel()
    for axes, (name, curves) in zip(grid, by_topic.items(), strict=False):
        draw_curves(axes, curves, width=1.3)
        calm(axes)
        axes.set_title(
            shown(name, _LONGEST_NAME), fontsize=9, color=INK, loc="left", parse_math=False
        )
        axes.tick_params(labelsize=8)
    for axes in grid[len(by_topic) :]:
        axes.set_visible(False)
    name_axes(grid[0], "", up)
    name_axes(grid[len(by_topic) - 1], across, up if len(by_topic) == 1 else "")
    _key(figure, [curve for curves in by_topic.values() for curve in curves])
    return figure


def _key(figure: Figure, curves: Sequence[Curve]) -> None:
    from matplotlib.lines import Line2D

    places = {curve.place: curve.name for curve in curves if curve.place is not None}
    handles = [
        Line2D([], [], color=colour(place), linestyle=dash(place), linewidth=1.6, markersize=4,
               marker=MARKERS[place], label=shown(name, _LONGEST_LABEL))
        for place, name in sorted(places.items())
    ]  # fmt: skip
    if not handles:
        return
    legend = figure.legend(
        handles=handles, loc="outside lower center", ncols=4, frameon=False, fontsize=8,
        labelcolor=INK, handlelength=3.4,
    )  # fmt: skip
    for text in legend.get_texts():
        text.set_parse_math(False)
