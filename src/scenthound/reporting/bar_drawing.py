"""Bars: relevant pages and the others, and what speaks for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scenthound.experiments.graph_drawing import shown
from scenthound.reporting.plot_style import (
    INK,
    MUTED,
    OTHERS,
    SERIES,
    WIDTH,
    calm,
    name_axes,
    paper,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BAR, _AROUND = 0.27, 1.0
_LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Bar:
    """Pages of one kind: how many were relevant, how many not."""

    name: str
    relevant: int
    off_topic: int

    @property
    def pages(self) -> int:
        """All of them."""
        return self.relevant + self.off_topic


def bars_figure(bars: Sequence[Bar], across: str = "pages fetched") -> Figure:
    """A bar each, the first one on top; what is off topic is hatched."""
    figure = paper(WIDTH, _AROUND + _BAR * max(1, len(bars)))
    axes = figure.add_subplot()
    places = range(len(bars))
    relevant = [bar.relevant for bar in bars]
    axes.barh(places, relevant, color=SERIES[0], height=0.66, label="relevant")
    axes.barh(
        places, [bar.off_topic for bar in bars], left=relevant, height=0.66, color=OTHERS,
        edgecolor="#ffffff", hatch="////", linewidth=0, label="off topic",
    )  # fmt: skip
    for place, bar in enumerate(bars):
        axes.annotate(
            f"{bar.relevant:,} of {bar.pages:,}", (bar.pages, place), xytext=(5, 0),
            textcoords="offset points", va="center", fontsize=8, color=MUTED,
        )  # fmt: skip
    axes.set_yticks(places, [shown(bar.name, _LONGEST_NAME) for bar in bars], parse_math=False)
    axes.invert_yaxis()
    axes.margins(x=0.16)
    axes.set_xlim(left=0)
    calm(axes, grid="x")
    axes.tick_params(axis="y", labelcolor=INK)
    name_axes(axes, across, "")
    axes.legend(
        loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False, fontsize=9,
        labelcolor=INK, borderaxespad=0,
    )  # fmt: skip
    return figure
