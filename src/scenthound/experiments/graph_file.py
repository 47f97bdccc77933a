"""A disambiguation graph as a GraphML file, which Gephi, yEd and Cytoscape open."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from scenthound.core.errors import InputError
from scenthound.store.atomic import replacing
from scenthound.topics.disambiguation import DisambiguationGraph

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 cannot hold, not even escaped. Terms come from crawled pages."""


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
            term=_NOT_XML.sub("\ufffd", name),
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
    try:
        with replacing(Path(path)) as target:
            # The writer of the standard library: one of lxml would depend on what is installed.
            import_module("networkx").write_graphml_xml(as_networkx(graph), str(target))
    except OSError as error:
        reason = error.strerror or "cannot be written"
        raise InputError(f"graph file {path}: {reason}; give a path to write to.") from None
