"""The disambiguation graph of a topic, as GraphML for Gephi, yEd and Cytoscape and as a picture."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scenthound.output.plots.figure import (
    label_node,
    new_picture,
    save_figure,
    shorten_label,
    writing_errors,
)
from scenthound.papers.ambiguity import Flags
from scenthound.papers.ontologies.model import one_line
from scenthound.papers.sdvsm import DisambiguationGraph
from scenthound.storage.files import atomic_replace
from scenthound.text.terms import Numbers, Weights

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def as_networkx(graph: DisambiguationGraph) -> Any:
    """The graph as a ``networkx.Graph``: what is known of terms and pairs as attributes.

    Nodes are called ``n0``, ``n1``, ... and carry the term; pairs that never occur together
    have no edge.
    """
    drawn = import_module("networkx").Graph()
    for place, name in enumerate(graph.nodes.names):
        relevance, popularity, importance = graph.indicators[place].tolist()
        drawn.add_node(
            f"n{place}",
            term=one_line(name),
            weight=float(graph.nodes.weights[place]),
            TR=relevance,
            TP=popularity,
            TI=importance,
            ambiguity=float(graph.ambiguity[place]),
            ambiguous=bool(graph.ambiguous[place]),
        )
    for first, second in zip(*np.nonzero(np.triu(graph.cooccurrence)), strict=True):
        drawn.add_edge(f"n{first}", f"n{second}", cd=float(graph.cooccurrence[first, second]))
    return drawn


def write_graph(graph: DisambiguationGraph, path: str | Path) -> None:
    """Write the graph as GraphML, whole or not at all; InputError says why it cannot be done."""
    with writing_errors(f"graph file {path}"), atomic_replace(Path(path)) as target:
        # The writer of the standard library: one of lxml would depend on what is installed.
        import_module("networkx").write_graphml_xml(as_networkx(graph), str(target))


_AMBIGUOUS, _CLEAR, _EDGE = "#d95f02", "#1b7f8c", "#7a8794"
_MOST_NODES = 60
"""Of 500 and more networkx could not place the nodes without scipy."""
_STRONGEST = 3
"""Edges drawn from each node. All pairs of 40 terms would be one grey cloud."""
_LEGEND_AREA = 120.0
_ROUNDS = 400


def draw_graph(graph: DisambiguationGraph, path: str | Path, title: str = "") -> None:
    """Draw the graph to a ``.png``, ``.svg`` or ``.pdf`` file, by the suffix of ``path``.

    Ambiguous terms are orange, clear ones blue; the larger a node, the more its term goes with
    the others; the wider an edge, the more often the two go together. Only the 60 terms that go
    with the others most are shown, and the strongest edges of each. ``title`` stands above. The
    file is there whole or not at all.
    """
    save_figure(_figure(graph, title), Path(path))


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


def layout(cooccurrence: Weights) -> Weights:
    """A place in the plane for each node; the more often two go together, the nearer."""
    networkx = import_module("networkx")
    # A faint pull between all keeps the lonely from drifting far out.
    pull = cooccurrence / max(cooccurrence.max(initial=0.0), 1e-12) + 0.05
    np.fill_diagonal(pull, 0.0)
    places = networkx.spring_layout(networkx.from_numpy_array(pull), iterations=_ROUNDS, seed=0)
    return np.array([places[node] for node in range(len(pull))]).reshape(-1, 2)


def _figure(graph: DisambiguationGraph, title: str) -> Figure:
    chosen = best_connected(graph, _MOST_NODES)
    degrees = graph.cooccurrence[np.ix_(chosen, chosen)]
    places = layout(degrees)
    figure, axes = new_picture(13, 9, title, 16)
    axes.margins(0.08)
    strongest = max(degrees.max(initial=0.0), 1e-12)
    for first, second in strongest_pairs(degrees):
        width = 0.4 + 3.6 * degrees[first, second] / strongest
        ends = places[[first, second]]
        axes.plot(*ends.T, color=_EDGE, linewidth=width, alpha=0.45, zorder=1)
    sums = graph.cooccurrence.sum(axis=1)[chosen]
    sizes: Weights = 60.0 + 540.0 * sums / max(sums.max(initial=0.0), 1e-12)  # square points
    _draw_nodes(axes, places, sizes, graph.ambiguous[chosen])
    for number, place, size in zip(chosen.tolist(), places, sizes.tolist(), strict=True):
        label_node(axes, place, shorten_label(graph.nodes.names[number]), size**0.5 / 2.0, 11)
    return figure


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
