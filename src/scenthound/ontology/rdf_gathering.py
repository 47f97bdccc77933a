"""What is found in an RDF file, on its way to an ontology."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from rdflib import Graph, Literal
from rdflib.term import Node

from scenthound.ontology.circles import above, circles, ranks
from scenthound.ontology.model import Concept, Kind, Ontology, Relation, squeezed
from scenthound.ontology.rdf_names import TOPIC_CONCEPT, label_of, origin_of, title_of

Pair = tuple[str, str]
"""Labels of a child and its parent."""


@dataclass
class Gathering:
    """Concepts and relations so far.

    Parameters
    ----------
    graph : the file.
    left_out : how much of what was not understood, in words.
    """

    graph: Graph
    left_out: Counter[str] = field(default_factory=Counter)
    _labels: dict[Node, str] = field(default_factory=dict)
    _concepts: dict[str, Concept] = field(default_factory=dict)
    _firm: dict[Pair, Kind] = field(default_factory=dict)
    _loose: dict[Pair, Kind] = field(default_factory=dict)

    def add_concepts(self, nodes: Iterable[Node]) -> None:
        """Nodes that are concepts; those of one label become one."""
        for node in dict.fromkeys(nodes):
            if node in self._labels:
                continue
            label = squeezed(label_of(self.graph, node))
            if not label:
                self.left_out["nodes without a name"] += 1
            elif label in self._concepts:
                self.left_out["concepts of the same label as another, which became one"] += 1
                self._labels[node] = label
            else:
                self._labels[node] = label
                self._concepts[label] = Concept(label, origin_of(self.graph, node))

    @property
    def nodes(self) -> list[Node]:
        """The nodes that are concepts, in the order of the file."""
        return list(self._labels)

    def __contains__(self, node: Node) -> bool:
        return node in self._labels

    def label(self, node: Node) -> str:
        """What a concept is called here."""
        return self._labels[node]

    def relate(self, child: Node, parent: Node, kind: Kind, loose: bool = False) -> None:
        """Relate two nodes; nothing happens where one is no concept, or the two are related.

        ``loose`` : it may be turned round where it would close a circle. The order of the two
        says little where others wrote the file.
        """
        if child in self._labels and parent in self._labels:
            self._relate(self._labels[child], self._labels[parent], kind, loose)

    def add_synonym(self, label: str, parent: Node) -> None:
        """Another name of a concept, as a concept of its own below it."""
        label, above_it = squeezed(label), self._labels[parent]
        if not label or label == above_it:
            return
        known = label in self._concepts
        self._concepts.setdefault(label, Concept(label))
        self._relate(label, above_it, Kind.SYNONYM, loose=known)

    def ontology(self, name: str, heads: Iterable[Node]) -> Ontology:
        """All of it; ``heads`` are the nodes that stand for the ontology as a whole."""
        heads = list(heads)
        titles = (title_of(self.graph, head) for head in heads)
        title = next(filter(None, titles), name)
        topics = (topic for head in heads for topic in self.graph.objects(head, TOPIC_CONCEPT))
        topic = next((self._topic(each) for each in topics), None)
        return Ontology(title, tuple(self._concepts.values()), self._relations(), topic)

    def _topic(self, node: Node) -> str:
        if isinstance(node, Literal):
            return str(node)
        return self._labels.get(node) or label_of(self.graph, node)

    def _relate(self, child: str, parent: str, kind: Kind, loose: bool) -> None:
        if child == parent:
            self.left_out["relations of a concept to itself"] += 1
        elif loose:
            if (parent, child) not in self._loose:
                self._loose.setdefault((child, parent), kind)
        else:
            self._firm.setdefault((child, parent), kind)

    def _relations(self) -> tuple[Relation, ...]:
        firm = [Relation(*pair, kind) for pair, kind in self._firm.items()]
        loose = [
            Relation(child, parent, kind)
            for (child, parent), kind in self._loose.items()
            if (child, parent) not in self._firm and (parent, child) not in self._firm
        ]
        return turned(firm, loose)


def turned(firm: list[Relation], loose: list[Relation]) -> tuple[Relation, ...]:
    """All relations; where there is a circle, the loose ones turned so that they close none.

    Examples
    --------
    >>> firm, loose = [Relation("b", "a")], [Relation("a", "b", Kind.COORDINATE)]
    >>> [(each.child, each.parent) for each in turned(firm, loose)]
    [('b', 'a'), ('b', 'a')]
    """
    together = (*firm, *loose)
    if next(circles(above(together)), None) is None:
        return together
    order = ranks(above(firm))
    lowest = len(order)

    def upwards(relation: Relation) -> Relation:
        child, parent = relation.child, relation.parent
        places = order.get(child, lowest), order.get(parent, lowest)
        # What has no firm relation is below all that has one; among themselves, by label.
        if (places[0], child) < (places[1], parent):
            return Relation(parent, child, relation.kind)
        return relation

    return (*firm, *map(upwards, loose))
