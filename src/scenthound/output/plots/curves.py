"""Plots of reports: curves over the pages fetched, and bars of relevant pages and others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scenthound.output.plots.figure import (
    INK,
    MARKERS,
    MUTED,
    OTHERS,
    SERIES,
    WIDTH,
    apply_layout,
    colour,
    dash,
    label_axes,
    new_figure,
    shorten_label,
    style_axes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# Curves over the pages fetched, with their names at their ends.

PAGES = "pages fetched"
_LABEL_POINTS = 11.0
"""From one label to the next, so that none covers another."""
_MARKERS_PER_CURVE = 7
_FROM_ZERO = 0.25
"""Curves that begin within this part of the axis are shown from 0 on."""
_MAX_CURVE_NAME = 26
Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """A named line; ``place`` is its colour and form, None for one in the background."""

    name: str
    points: Points
    place: int | None = 0


def curves_figure(curves: Sequence[Curve], up: str, across: str = PAGES) -> Figure:
    """One picture of all curves; those without points are left out."""
    figure = new_figure()
    axes = figure.add_subplot()
    draw_curves(axes, curves)
    style_axes(axes)
    label_axes(axes, across, up)
    apply_layout(figure)  # where the ends of curves are
    label_ends(axes, curves)
    return figure


def draw_curves(axes: Axes, curves: Sequence[Curve], width: float = 1.8) -> None:
    """The lines, those in the background first, the others in the order of a legend."""
    for curve in sorted(curves, key=lambda each: -1 if each.place is None else each.place):
        if not curve.points:
            continue
        x, y = zip(*curve.points, strict=True)
        if curve.place is None:
            axes.plot(x, y, color=OTHERS, linewidth=0.7, zorder=1)
            continue
        every = max(1, len(x) // _MARKERS_PER_CURVE)
        axes.plot(
            x, y, color=colour(curve.place), linestyle=dash(curve.place), linewidth=width,
            marker=MARKERS[curve.place % len(MARKERS)], markersize=4, markevery=every,
            zorder=3, label=curve.name,
        )  # fmt: skip
    axes.margins(x=0.02)
    across = [x for curve in curves for x, _ in curve.points]
    if across and min(across) < _FROM_ZERO * max(across):
        axes.set_xlim(left=0)
    heights = [y for curve in curves for _, y in curve.points]
    if heights and min(heights) >= 0.0:
        axes.set_ylim(0.0, 1.06 * max(heights) or 1.0)


def label_ends(axes: Axes, curves: Sequence[Curve]) -> None:
    """The name of each curve at its end, moved up or down where two would meet."""
    named = [each for each in curves if each.place is not None and each.points]
    if not named:
        return
    transform = axes.transData
    points = axes.figure.dpi / 72.0
    heights = [float(transform.transform(each.points[-1])[1]) / points for each in named]
    right = max(float(each.points[-1][0]) for each in named)
    for curve, height, wanted in zip(
        named, heights, spread_labels(heights, _LABEL_POINTS), strict=True
    ):
        assert curve.place is not None
        x, y = curve.points[-1]
        shift = (float(transform.transform((right, y))[0]) -
                 float(transform.transform((x, y))[0])) / points  # fmt: skip
        axes.annotate(
            shorten_label(curve.name, _MAX_CURVE_NAME),
            (x, y),
            xytext=(shift + 7.0, wanted - height),
            textcoords="offset points",
            va="center",
            ha="left",
            fontsize=9,
            color=colour(curve.place),
            parse_math=False,
            annotation_clip=False,
        )


def spread_labels(heights: Sequence[float], least: float) -> list[float]:
    """Places near the heights, in their order, none nearer to the next than ``least``.

    Examples
    --------
    >>> spread_labels([0.0, 1.0, 50.0], 10.0)
    [-4.5, 5.5, 50.0]
    """
    # Labels that overlap become a group around their mean height, which may then reach the group
    # before it: the same pooling as in isotonic regression.
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    groups: list[tuple[list[int], float]] = []
    for place in order:
        members, middle = [place], heights[place]
        while groups and middle - groups[-1][1] < least * (len(members) + len(groups[-1][0])) / 2:
            earlier, _ = groups.pop()
            members = earlier + members
            middle = sum(heights[each] for each in members) / len(members)
        groups.append((members, middle))
    places = [0.0] * len(heights)
    for members, middle in groups:
        for number, place in enumerate(members):
            places[place] = middle + (number - (len(members) - 1) / 2) * least
    return places


# Bars: relevant pages and the others, and what speaks for them.

_BAR_HEIGHT, _BARS_MARGIN = 0.27, 1.0
_MAX_BAR_NAME = 40


class Bar(NamedTuple):
    """Pages of one kind: how many were relevant, how many not."""

    name: str
    relevant: int
    off_topic: int


def bars_figure(bars: Sequence[Bar]) -> Figure:
    """A bar each, the first one on top; what is off topic is hatched."""
    figure = new_figure(WIDTH, _BARS_MARGIN + _BAR_HEIGHT * max(1, len(bars)))
    axes = figure.add_subplot()
    places = range(len(bars))
    relevant = [bar.relevant for bar in bars]
    axes.barh(places, relevant, color=SERIES[0], height=0.66, label="relevant")
    axes.barh(
        places, [bar.off_topic for bar in bars], left=relevant, height=0.66, color=OTHERS,
        edgecolor="#ffffff", hatch="////", linewidth=0, label="off topic",
    )  # fmt: skip
    for place, bar in enumerate(bars):
        pages = bar.relevant + bar.off_topic
        axes.annotate(
            f"{bar.relevant:,} of {pages:,}", (pages, place), xytext=(5, 0),
            textcoords="offset points", va="center", fontsize=8, color=MUTED,
        )  # fmt: skip
    axes.set_yticks(
        places, [shorten_label(bar.name, _MAX_BAR_NAME) for bar in bars], parse_math=False
    )
    axes.invert_yaxis()
    axes.margins(x=0.16)
    axes.set_xlim(left=0)
    style_axes(axes, grid="x")
    axes.tick_params(axis="y", labelcolor=INK)
    label_axes(axes, PAGES, "")
    axes.legend(
        loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False, fontsize=9,
        labelcolor=INK, borderaxespad=0,
    )  # fmt: skip
    return figure
