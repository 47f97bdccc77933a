"""An ontology as a picture: a tree from left to right. All places are computed first, without
matplotlib. Files of others may hold circles and long chains, so the layout does not recurse.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import east_asian_width

from scenthound.core.errors import InputError
from scenthound.output.plots.figure import INK, PAPER, check_suffix, save_figure, shorten_label
from scenthound.papers.ontologies.model import (
    Kind,
    Ontology,
    Relation,
    concept_levels,
    shortest_paths,
)
from scenthound.storage.folder import check_required_path

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# Places for the concepts of an ontology in a picture of it: columns are levels.


class Place(NamedTuple):
    """Where a concept stands; the rows of two in one column differ by at least 1."""

    column: int
    row: float


def tree_layout(ontology: Ontology) -> dict[str, Place]:
    """A place for each concept; each has a column right of the parent that it is drawn below.

    That is the first one on the shortest way from a root. Leaves take one row each, and a parent
    stands in the middle of what is below it. Empty for an ontology without concepts.
    """
    column = concept_levels(ontology)
    roots = [label for label in column if column[label] == 1]
    # What is drawn below each concept: each concept once, also those on a circle.
    below: dict[str, list[str]] = {label: [] for label in column}
    placed = set(roots)
    for label in column:
        for relation in ontology.children[label]:
            child = relation.child
            if child not in placed and column.get(child) == column[label] + 1:
                placed.add(child)
                below[label].append(child)
    order, stack = [], list(reversed(roots))
    while stack:
        order.append(label := stack.pop())
        stack.extend(reversed(below[label]))
    rows: dict[str, float] = {}
    next_row = 0.0
    for label in reversed(order):  # children before their parents
        children = below[label]
        if children:
            rows[label] = (rows[children[0]] + rows[children[-1]]) / 2.0
        else:
            rows[label] = next_row
            next_row += 1.0
    last = next_row - 1.0
    return {label: Place(column[label] - 1, last - rows[label]) for label in below}


# An ontology as a picture: roots to the left, what is below them to the right.

MOST_CONCEPTS = 100
"""Concepts that are drawn by default."""
_LARGEST = 500
"""Concepts that are drawn at most: a picture of more cannot be held, nor read."""
_TOPIC = "#ffe9a8"
_LINES: dict[Kind, tuple[str, tuple[float, tuple[float, ...]]]] = {
    Kind.IS_A: ("#4a5560", (0, (1, 0))),
    Kind.PART_OF: ("#1b7f8c", (0, (5, 2))),
    Kind.SYNONYM: ("#7b3fa0", (0, (1, 1.5))),
    Kind.INDUCED_BY: ("#d95f02", (0, (7, 2, 1, 2))),
    Kind.COORDINATE: ("#5c8f22", (0, (4, 2, 1, 2, 1, 2))),
}
"""The colour of each kind, and its dashes and gaps."""
_LONGEST_LABEL, _LONGEST_TITLE = 26, 90
_COLUMN, _ROW = 2.7, 0.3
"""Inches from one level to the next, and from one concept to the next."""
_LETTER = 0.07
"""Inches that a letter is wide."""
_MARGIN = 1.1
_SMALLEST, _WIDEST = (7.0, 3.0), 60.0
"""Of a picture. Some twenty levels fit; of a longer chain the labels cover each other."""
_FONT = 10


def draw_ontology(
    ontology: Ontology, path: str | Path, *, most: int = MOST_CONCEPTS, title: str | None = None
) -> None:
    """Draw an ontology to a ``.png``, ``.svg`` or ``.pdf`` file, by the suffix of ``path``.

    Each kind of relation has its colour and dashes; the topic concept is yellow. The file is
    there whole or not at all; InputError says why it cannot be.

    Parameters
    ----------
    ontology : what to draw; one without concepts gives an empty picture.
    path : where to.
    most : concepts to draw, those nearest to the topic concept; the picture says how many there are
        in all.
    title : stands above; the name of the ontology where it is None.
    """
    check_required_path("path", path)
    check_suffix(Path(path))
    if not isinstance(most, int) or not 1 <= most <= _LARGEST:
        raise InputError(f"{most} concepts cannot be drawn; give a number from 1 to {_LARGEST:,}.")
    figure = _figure(nearest(ontology, most), ontology, ontology.name if title is None else title)
    save_figure(figure, Path(path))


def nearest(ontology: Ontology, most: int) -> Ontology:
    """The part of an ontology with the ``most`` concepts that are nearest to the topic concept.

    Those that no relation leads to come last. Without a topic concept the first root is it.
    """
    starts = (ontology.topic, *ontology.roots, *ontology.labels)
    start = next((label for label in starts if label is not None and label in ontology), None)
    if start is None:
        return ontology
    order = dict.fromkeys((*shortest_paths(ontology, start), *ontology.labels))
    drawn = set([label for label in order if label in ontology][:most])
    concepts = tuple(each for each in ontology.concepts if each.label in drawn)
    relations = tuple(
        each
        for each in dict.fromkeys(ontology.relations)
        if each.child in drawn and each.parent in drawn and each.child != each.parent
    )
    return Ontology(ontology.name, concepts, relations, ontology.topic)


def _figure(drawn: Ontology, whole: Ontology, title: str) -> Figure:
    from matplotlib.figure import Figure

    places = tree_layout(drawn)
    columns = 1 + max((place.column for place in places.values()), default=0)
    rows = 1 + max((place.row for place in places.values()), default=0.0)
    wanted = max(columns * _COLUMN + _MARGIN, _SMALLEST[0])
    height = max(rows * _ROW + 2 * _MARGIN, _SMALLEST[1])
    figure = Figure(figsize=(min(wanted, _WIDEST), height))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(-_MARGIN / 2 / _COLUMN, (wanted - _MARGIN / 2) / _COLUMN)
    axes.set_ylim(rows - 1 + _MARGIN / _ROW, -_MARGIN / _ROW)
    for relation in drawn.relations:
        _draw_relation(axes, relation, places)
    for label, place in places.items():
        is_topic = label == drawn.topic
        axes.text(
            place.column, place.row, shorten_label(label, _LONGEST_LABEL), ha="left", va="center",
            fontsize=_FONT, color=INK, zorder=3, parse_math=False,
            fontweight="bold" if is_topic else "normal",
            bbox={
                "boxstyle": "round,pad=0.2", "facecolor": _TOPIC if is_topic else PAPER,
                "edgecolor": INK, "linewidth": 1.0 if is_topic else 0.3,
            },
        )  # fmt: skip
    _draw_words(figure, drawn, whole, title)
    return figure


def _draw_relation(axes: Axes, relation: Relation, places: dict[str, Place]) -> None:
    """A curve from the right of the parent to the left of the child."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Curve

    parent, child = places[relation.parent], places[relation.child]
    end = (child.column, child.row)
    if child.column > parent.column:
        # About how long the label is, rather too little: its box covers the line.
        text = shorten_label(relation.parent, _LONGEST_LABEL)
        letters = sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
        start = (parent.column + letters * _LETTER / _COLUMN, parent.row)
        bend = (end[0] - start[0]) / 2.0
        corners = [start, (start[0] + bend, start[1]), (end[0] - bend, end[1]), end]
    else:  # it leaves the parent on its left, and comes back
        start = (parent.column, parent.row)
        corners = [start, (start[0] - 0.3, start[1]), (end[0] - 0.3, end[1]), end]
    curve = Curve(corners, [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4])
    colour, dashes = _LINES[relation.kind]
    axes.add_patch(
        PathPatch(curve, fill=False, edgecolor=colour, linestyle=dashes, linewidth=1.1, zorder=1)
    )


def _draw_words(figure: Figure, drawn: Ontology, whole: Ontology, title: str) -> None:
    """Title, legend, and how many concepts are not there."""
    from matplotlib.lines import Line2D

    height = figure.get_figheight()
    figure.text(
        0.5, 1 - 0.35 / height, shorten_label(title, _LONGEST_TITLE), ha="center", va="center",
        fontsize=15, color=INK, parse_math=False,
    )  # fmt: skip
    used = {relation.kind for relation in drawn.relations}
    lines = [
        Line2D([], [], color=colour, linestyle=dashes, linewidth=1.6, label=kind.value)
        for kind, (colour, dashes) in _LINES.items()
        if kind in used
    ]
    if lines:
        figure.legend(handles=lines, loc="lower center", ncols=len(lines), frameon=False)
    missing = len(whole) - len(drawn)
    if missing:
        note = f"{len(drawn):,} of {len(whole):,} concepts, those nearest to the topic"
        figure.text(0.5, 0.6 / height, note, ha="center", va="center", fontsize=9, color=INK)
