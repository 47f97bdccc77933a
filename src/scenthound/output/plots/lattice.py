"""A concept lattice as a picture: its Hasse diagram, as in olmoaco Fig. 1. Places are computed
first, without matplotlib.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from scenthound.output.plots.figure import (
    INK,
    PAPER,
    label_node,
    new_picture,
    save_figure,
    shorten_label,
)
from scenthound.papers.olmoaco.formal_context import ConceptLattice, FormalConcept, covers_among
from scenthound.text.terms import Weights

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TERM, _EDGE = "#3b6fb6", "#7a8794"
_MOST_CONCEPTS = 150
_LABELS = 3
"""Names at one side of a node; of more, how many."""
_LONGEST_NODE_LABEL = 22
_SWEEPS = 12
_WIDTH, _HEIGHT = 1.6, 1.25
"""Inches for each node of the widest level, and for each level."""
_SMALLEST_LATTICE, _WIDEST_LATTICE, _HIGHEST = 6.0, 60.0, 30.0
Pairs = Sequence[tuple[int, int]]


def draw_lattice(lattice: ConceptLattice, path: str | Path, title: str = "") -> None:
    """Draw the lattice to a ``.png``, ``.svg`` or ``.pdf`` file, by the suffix of ``path``.

    The upper half of a node is blue where a term is new, with the term above it; the lower half is
    black where a text is, with its name below. A node has all terms above it and all texts below
    it. Of more than 150 concepts only those that introduce something are drawn, the largest first.
    ``title`` stands above. The file is there whole or not at all.
    """
    save_figure(_lattice_figure(lattice, title), Path(path))


def drawn_part(lattice: ConceptLattice, most: int) -> tuple[tuple[FormalConcept, ...], Pairs]:
    """The concepts to draw and which covers which: all, or the ``most`` that introduce something.

    The order among those that are left is computed again.
    """
    if len(lattice.concepts) <= most:
        return lattice.concepts, lattice.covers
    drawn = tuple(each for each in lattice.concepts if each.objects or each.attributes)[:most]
    return drawn, covers_among([each.extent for each in drawn], len(lattice.context.objects))


def levels_of(count: int, covers: Pairs) -> list[int]:
    """Level of each concept: the longest way down to it from one that nothing covers.

    ``covers`` are pairs (upper, lower) of numbers; an upper one has the smaller number.
    """
    levels = [0] * count
    for upper, lower in sorted(covers):
        levels[lower] = max(levels[lower], levels[upper] + 1)
    return levels


def places_of(levels: Sequence[int], covers: Pairs) -> Weights:
    """A place for each concept: levels from above, each ordered by its neighbours' mean place.

    The barycentre method of Sugiyama, Tagawa and Toda 1981, a fixed number of sweeps.
    """
    rows = [
        [node for node, level in enumerate(levels) if level == here]
        for here in range(max(levels, default=-1) + 1)
    ]
    neighbours: list[list[int]] = [[] for _ in levels]
    for upper, lower in covers:
        neighbours[upper].append(lower)
        neighbours[lower].append(upper)
    across: Weights = np.zeros(len(levels))
    for row in rows:
        across[row] = _spread(len(row))
    for sweep in range(_SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            pull = [np.mean(across[neighbours[node] or [node]]) for node in row]
            order = np.argsort(pull, kind="stable")
            across[[row[place] for place in order.tolist()]] = _spread(len(row))
    places: Weights = np.stack([across, -np.array(levels, np.float64)], axis=1)
    return places


def _spread(count: int) -> Weights:
    """Places in a row about the middle."""
    places: Weights = np.arange(count, dtype=np.float64) - (count - 1) / 2.0
    return places


def _lattice_figure(lattice: ConceptLattice, title: str) -> Figure:
    concepts, covers = drawn_part(lattice, _MOST_CONCEPTS)
    places = places_of(levels_of(len(concepts), covers), covers)
    wide, high = np.ptp(places, axis=0).tolist()
    size = (
        float(np.clip(_WIDTH * (wide + 1), _SMALLEST_LATTICE, _WIDEST_LATTICE)),
        float(np.clip(_HEIGHT * (high + 1), _SMALLEST_LATTICE, _HIGHEST)),
    )
    figure, axes = new_picture(*size, title, 14)
    axes.margins(0.1)
    for pair in covers:
        axes.plot(*places[list(pair)].T, color=_EDGE, linewidth=0.8, alpha=0.7, zorder=1)
    for concept, place in zip(concepts, places, strict=True):
        _draw_node(axes, lattice, concept, place)
    return figure


def _draw_node(axes: Axes, lattice: ConceptLattice, concept: FormalConcept, place: Weights) -> None:
    axes.plot(
        *place, marker="o", markersize=11, markeredgecolor=INK, zorder=2, fillstyle="top",
        markerfacecolor=_TERM if concept.attributes else PAPER,
        markerfacecoloralt=INK if concept.objects else PAPER,
    )  # fmt: skip
    terms = [lattice.context.attributes[number] for number in concept.attributes]
    texts = [lattice.context.objects[number] for number in concept.objects]
    # Of a path or an address what stands behind the last slash.
    names = [text.rstrip("/").rpartition("/")[2] or text for text in texts]
    label_node(axes, place, list_names(terms), 8.0, 8, _TERM)
    label_node(axes, place, list_names(names), -8.0, 8)


def list_names(names: Sequence[str]) -> str:
    """Names as a label, one a line; of many the first ones, and how many more there are."""
    lines = [shorten_label(name, _LONGEST_NODE_LABEL) for name in names[:_LABELS]]
    more = len(names) - len(lines)
    return "\n".join([*lines, f"and {more} more"] if more else lines)
