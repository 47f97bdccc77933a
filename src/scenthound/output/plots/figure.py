"""A figure of matplotlib: one style for all that is drawn, and how it is saved.

Figures are made without pyplot, which keeps them in global state and may look for a display.
matplotlib is imported where something is drawn, since loading it takes long. Texts are drawn with
``parse_math=False``: a ``$`` in the name of a topic would begin a formula, and a broken one raises.
"""

from __future__ import annotations

import codecs
import csv
import io
import warnings
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scenthound.core.errors import InputError
from scenthound.storage.files import atomic_replace, cell, os_errors_as, write_bytes

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


def writing_errors(what: str) -> AbstractContextManager[None]:
    """An InputError that names the file in place of an OSError."""
    return os_errors_as(InputError, what, "; give a path to write to")


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


def colour(place: int) -> str:
    """The colour of a series."""
    return SERIES[place % len(SERIES)]


def dash(place: int) -> tuple[float, tuple[float, ...]]:
    """The form of its line."""
    return DASHES[place % len(DASHES)]
