"""Plots, drawn with matplotlib: how figures are saved, one style for all, curves and bars.

Figures are made without pyplot, which keeps them in global state and may look for a display.
matplotlib is imported where something is drawn, since loading it takes long. Texts are drawn with
``parse_math=False``: a ``$`` in the name of a topic would begin a formula, and a broken one raises.
"""

from __future__ import annotations

import codecs
import csv
import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from scenthound.core.errors import InputError
from scenthound.storage.files import atomic_replace, cell, write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

    from scenthound.text.terms import Weights

# Figures and the numbers behind them on the disk, whole or not at all.

Cell = str | int | float
Rows = list[tuple[Cell, ...]]
"""Lines of a table."""
# No date and no version in the file: the same figure always gives the same bytes.
_METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
SUFFIXES = tuple(_METADATA)
"""What a figure can be drawn to."""
_DOTS_PER_INCH = 130
_MAX_LABEL = 24


def check_suffix(path: Path) -> None:
    """InputError for a file that nothing can be drawn to."""
    if path.suffix.lower() not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise InputError(f"cannot draw to {path}; give a file name that ends in one of: {known}.")


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure, by the suffix of ``path``; InputError says why it cannot be done."""
    check_suffix(path)
    with writing_errors(f"picture {path}"), atomic_replace(path) as target:
        _save(figure, target, path.suffix.lower())


def to_svg(figure: Figure) -> bytes:
    """The figure as an SVG file."""
    buffer = io.BytesIO()
    _save(figure, buffer, ".svg")
    return buffer.getvalue()


def _save(figure: Figure, target: Path | io.BytesIO, suffix: str) -> None:
    import matplotlib

    with (
        warnings.catch_warnings(),
        # A fixed salt: otherwise the ids in an SVG differ from run to run.
        # Text stays text in an SVG, so that the reader's fonts show what ours lack.
        matplotlib.rc_context({"svg.hashsalt": "scenthound", "svg.fonttype": "none"}),
    ):
        # Topics and terms come in any script, and no font has them all.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(target, format=suffix[1:], dpi=_DOTS_PER_INCH, metadata=_METADATA[suffix])


def save_numbers(columns: Sequence[str], rows: Rows, path: Path) -> None:
    """Write a table as CSV; names of topics that look like a formula are made harmless."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([cell(value) for value in row] for row in rows)
    with writing_errors(f"figure {path}"):
        write_bytes(path, codecs.BOM_UTF8 + text.getvalue().encode("utf-8", "replace"))


@contextmanager
def writing_errors(what: str) -> Iterator[None]:
    """An InputError that names the file in place of an OSError."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise InputError(f"{what}: {reason}; give a path to write to.") from None


def shorten_label(text: str, longest: int = _MAX_LABEL) -> str:
    """A text as a label: nothing invisible, and not too long."""
    clean = "".join(c if c.isprintable() else "\ufffd" for c in text)
    return clean if len(clean) <= longest else clean[: longest - 1] + "\u2026"


# The style: series are distinguished by the colour-blind, and in print without any colour.

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
_PADDING_INCHES = 0.06
_MAX_TITLE = 90


def new_figure(
    width: float = WIDTH, height: float = HEIGHT, padding: float = _PADDING_INCHES
) -> Figure:
    """An empty figure of so many inches."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    layout = ConstrainedLayoutEngine(h_pad=padding, w_pad=padding)
    return Figure(figsize=(width, height), layout=layout, facecolor=PAPER)


def new_picture(width: float, height: float, title: str, size: int) -> tuple[Figure, Axes]:
    """An empty figure without axes, for graphs; the title stands above."""
    figure = new_figure(width, height, padding=0.15)
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.set_title(shorten_label(title, _MAX_TITLE), fontsize=size, color=INK, parse_math=False)
    return figure, axes


def label_node(
    axes: Axes, place: Weights, text: str, shift: float, size: int, colour: str = INK
) -> None:
    """The label of a node of a graph, so many points above it, or below; nothing for none."""
    if text:
        axes.annotate(
            text, tuple(place), xytext=(0, shift), textcoords="offset points", ha="center",
            va="bottom" if shift > 0 else "top", fontsize=size, color=colour, zorder=3,
            parse_math=False,
            bbox={"boxstyle": "square,pad=0.05", "facecolor": "white", "alpha": 0.75,
                  "linewidth": 0},
        )  # fmt: skip


def plain_legend(legend: Legend) -> None:
    """Show the names in a legend as they are: those of topics are no formulas."""
    for text in legend.get_texts():
        text.set_parse_math(False)


def style_axes(axes: Axes, grid: str = "y") -> None:
    """No frame; thin lines behind the data, of the axis ``grid``."""
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
    axes.grid(axis=grid, color=GRID, linewidth=0.7)  # type: ignore[arg-type]
    axes.set_axisbelow(True)
    axes.set_facecolor("none")
    axes.tick_params(colors=MUTED, labelsize=9, length=3, left=grid == "both")


def label_axes(axes: Axes, across: str, up: str) -> None:
    """The names of both axes; empty ones are left out."""
    axes.set_xlabel(across, color=MUTED, fontsize=9)
    axes.set_ylabel(up, color=MUTED, fontsize=9)


def apply_layout(figure: Figure) -> None:
    """Give everything in the figure its place, as it stands now."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)


def freeze_layout(figure: Figure) -> None:
    """Arrange the figure for good: it would be done again for every file otherwise."""
    apply_layout(figure)
    figure.set_layout_engine("none")


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
    """The lines, those in the background first."""
    for curve in sorted(curves, key=lambda each: each.place is not None):
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
            zorder=3,
        )  # fmt: skip
    axes.margins(x=0.02)
    across = [x for curve in curves for x, _ in curve.points]
    if across and min(across) < _FROM_ZERO * max(across):
        axes.set_xlim(left=0)
    heights = [y for curve in curves for _, y in curve.points]
    if heights and min(heights) >= 0.0:
        axes.set_ylim(0.0, 1.06 * max(heights) or 1.0)


def label_ends(axes: Axes, curves: Sequence[Curve], size: float = 9) -> None:
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
            fontsize=size,
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


def colour(place: int) -> str:
    """The colour of a series."""
    return SERIES[place % len(SERIES)]


def dash(place: int) -> tuple[float, tuple[float, ...]]:
    """The form of its line."""
    return DASHES[place % len(DASHES)]


# Bars: relevant pages and the others, and what speaks for them.

_BAR_HEIGHT, _BARS_MARGIN = 0.27, 1.0
_MAX_BAR_NAME = 40


class Bar(NamedTuple):
    """Pages of one kind: how many were relevant, how many not."""

    name: str
    relevant: int
    off_topic: int


def bars_figure(bars: Sequence[Bar], across: str = "pages fetched") -> Figure:
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
    label_axes(axes, across, "")
    axes.legend(
        loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False, fontsize=9,
        labelcolor=INK, borderaxespad=0,
    )  # fmt: skip
    return figure
