"""A disambiguation graph as a picture."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from scenthound.core.errors import InputError
from scenthound.experiments.figure_file import SUFFIXES, save_figure
from scenthound.text.vocabulary import Numbers, Weights
from scenthound.topics.disambiguation import DisambiguationGraph
from scenthound.topics.indicators import Flags

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_AMBIGUOUS, _CLEAR, _EDGE, _INK = "#d95f02", "#1b7f8c", "#7a8794", "#1d2329"
_MOST_NODES = 60
_LAYOUT_LIMIT = 499
"""More nodes than this cannot be placed without scipy, nor read."""
_STRONGEST = 3
"""Edges drawn from each node. All pairs of 40 terms would be one grey cloud."""
_LONGEST_LABEL, _LONGEST_TITLE = 24, 90
_LEGEND_AREA = 120.0
_ROUNDS = 400


def draw_graph(
    graph: DisambiguationGraph,
    path: str | Path,
    seed: int = 0,
    most: int = _MOST_NODES,
    title: str = "",
) -> None:
    """Draw the graph to a ``.png``, ``.svg`` or ``.pdf`` file, by the suffix of ``path``.

    Ambiguous terms are orange, clear ones blue; the larger a node, the more its term goes with
    the others; the wider an edge, the more often the two go together. Only the ``most`` terms
    that go with the others most are shown, and the strongest edges of each. ``seed`` places the
    nodes; ``title`` stands above them. The file is there whole or not at all.
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        known = ", ".join(SUFFIXES)
        raise InputError(f"cannot draw to {path}; give a file name that ends in one of: {known}.")
    try:
        save_figure(_figure(graph, seed, most, title), path)
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise InputError(f"picture {path}: {reason}; give a path to write to.") from None


def best_connected(graph: DisambiguationGraph, most: int) -> Numbers:
    """The ``most`` terms with the largest sums of degrees, in the order of the graph.

    Weights decide between equals only: the topic's own name is on nearly every page, which
    leaves it next to no TF-IDF, and it is what the picture is about.
    """
    order = np.lexsort((-graph.nodes.weights, -graph.cooccurrence.sum(axis=1)))
    return np.sort(order[:most]).astype(np.int32)


def strongest_pairs(cooccurrence: Weights, each: int = _STRONGEST) -> list[tuple[int, int]]:
    """Pairs that are among the ``each`` strongest of either member; pairs of 0 are not."""
    pairs = set()
    for node, degrees in enumerate(cooccurrence):
        for other in np.argsort(-degrees, kind="stable")[:each].tolist():
            if degrees[other] > 0.0:
                pairs.add((min(node, other), max(node, other)))
    return sorted(pairs)


def layout(cooccurrence: Weights, seed: int) -> Weights:
    """A place in the plane for each node; the more often two go together, the nearer."""
    networkx = import_module("networkx")
    # A faint pull between all keeps the lonely from drifting far out.
    pull = cooccurrence / max(cooccurrence.max(initial=0.0), 1e-12) + 0.05
    np.fill_diagonal(pull, 0.0)
    places = networkx.spring_layout(networkx.from_numpy_array(pull), iterations=_ROUNDS, seed=seed)
    return np.array([places[node] for node in range(len(pull))]).reshape(-1, 2)


def shown(text: str, longest: int = _LONGEST_LABEL) -> str:
    """A text as a label: nothing invisible, and not too long."""
    clean = "".join(c if c.isprintable() else "\ufffd" for c in text)
    return clean if len(clean) <= longest else clean[: longest - 1] + "\u2026"


def _figure(graph: DisambiguationGraph, seed: int, most: int, title: str) -> Figure:
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    chosen = best_connected(graph, min(most, _LAYOUT_LIMIT))
    degrees = graph.cooccurrence[np.ix_(chosen, chosen)]
    places = layout(degrees, seed)
    figure = Figure(figsize=(13, 9), layout=ConstrainedLayoutEngine(h_pad=0.15, w_pad=0.15))
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.margins(0.08)
    axes.set_title(shown(title, _LONGEST_TITLE), fontsize=16, color=_INK, parse_math=False)
    _draw_edges(axes, degrees, places)
    sizes = _areas(graph.cooccurrence.sum(axis=1)[chosen])
    _draw_nodes(axes, places, sizes, graph.ambiguous[chosen])
    for number, place, size in zip(chosen.tolist(), places, sizes.tolist(), strict=True):
        _draw_label(axes, place, shown(graph.nodes.names[number]), above=size**0.5 / 2.0)
    return figure


def _areas(sums: Weights) -> Weights:
    """Areas of the nodes, in square points."""
    areas: Weights = 60.0 + 540.0 * sums / max(sums.max(initial=0.0), 1e-12)
    return areas


def _draw_edges(axes: Axes, degrees: Weights, places: Weights) -> None:
    strongest = max(degrees.max(initial=0.0), 1e-12)
    for first, second in strongest_pairs(degrees):
        share = degrees[first, second] / strongest
        ends = places[[first, second]]
        axes.plot(*ends.T, color=_EDGE, linewidth=0.4 + 3.6 * share, alpha=0.45, zorder=1)


def _draw_nodes(axes: Axes, places: Weights, sizes: Weights, ambiguous: Flags) -> None:
    for flag, colour, word in ((False, _CLEAR, "clear"), (True, _AMBIGUOUS, "ambiguous")):
        chosen = ambiguous == flag
        axes.scatter(
            places[chosen, 0], places[chosen, 1], s=sizes[chosen], color=colour,
            edgecolors="white", zorder=2,
        )  # fmt: skip
        # The marker of the legend is one of its own: it would have the size of some node.
        axes.scatter([], [], s=_LEGEND_AREA, color=colour, label=f"{word} ({chosen.sum()})")
    axes.legend(loc="lower right", frameon=False, fontsize=12)


def _draw_label(axes: Axes, place: Weights, text: str, above: float) -> None:
    axes.annotate(
        text, tuple(place), xytext=(0, above), textcoords="offset points", ha="center", va="bottom",
        fontsize=11, color=_INK, zorder=3, parse_math=False,
        bbox={"boxstyle": "square,pad=0.05", "facecolor": "white", "alpha": 0.7, "linewidth": 0},
    )  # fmt: skip
