"""How all plots look: told apart by the colour-blind, and in print without any colour."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, MUTED, GRID, PAPER, OTHERS = "#1d2329", "#5b6670", "#d3d8dc", "#ffffff", "#aab2ba"
SERIES = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b07800", "#3d9bd6", "#4d4d4d", "#6b4fa3",
)  # fmt: skip
"""Okabe and Ito's colours, the pale ones darkened for thin lines on white."""
DASHES: tuple[tuple[float, tuple[float, ...]], ...] = (
    (0.0, ()), (0.0, (6.0, 2.0)), (0.0, (1.2, 1.6)), (0.0, (6.0, 2.0, 1.2, 2.0)),
)  # fmt: skip
"""Lengths of lines and gaps; the first one is a whole line."""
MARKERS = "osD^vPX*"
MOST_HIGHLIGHTED = len(SERIES)
WIDTH, HEIGHT = 6.4, 3.5
_INCHES_APART = 0.06


def paper(width: float = WIDTH, height: float = HEIGHT) -> Figure:
    """An empty figure of so many inches."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout = ConstrainedLayoutEngine(h_pad=_INCHES_APART, w_pad=_INCHES_APART)
    return Figure(figsize=(width, height), layout=layout, facecolor=PAPER)


def calm(axes: Axes, grid: str = "y") -> None:
    """No frame; thin lines behind the data, of the axis ``grid``."""
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
    axes.grid(axis=grid, color=GRID, linewidth=0.7)  # type: ignore[arg-type]
    axes.set_axisbelow(True)
    axes.set_facecolor("none")
    axes.tick_params(colors=MUTED, labelsize=9, length=3, left=grid == "both")


def name_axes(axes: Axes, across: str, up: str) -> None:
    """The names of both axes; empty ones are left out."""
    axes.set_xlabel(across, color=MUTED, fontsize=9)
    axes.set_ylabel(up, color=MUTED, fontsize=9)


def arrange(figure: Figure) -> None:
    """Give everything in the figure its place, as it stands now."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)


def settle(figure: Figure) -> None:
    """Arrange the figure for good: it would be done again for every file otherwise."""
    arrange(figure)
    figure.set_layout_engine("none")
