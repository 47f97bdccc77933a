"""Ways through an ontology: paths between concepts, and how much lies above both."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from scenthound.ontology.circles import ancestors, ranks
from scenthound.ontology.model import Kind, Ontology


class Path(NamedTuple):
    """The shortest path from one concept to another; of several the one of most weight."""

    edges: int
    total: float


class Above(NamedTuple):
    """The ancestors of a concept, itself included."""

    size: int
    common: int
    """How many of them are ancestors of the other concept too."""


class Ways:
    """The relations of an ontology, each pair of concepts once; circles do no harm.

    Parameters
    ----------
    ontology : relations of a concept to itself, or to what is no concept, are left out.
    weights : of the relations; of several between two concepts the largest counts.
    """

    def __init__(self, ontology: Ontology, weights: Mapping[Kind, float]) -> None:
        self.children: dict[str, set[str]] = {label: set() for label in ontology.labels}
        """What stands directly below each concept."""
        self.parents: dict[str, set[str]] = {label: set() for label in ontology.labels}
        self._near: dict[str, dict[str, float]] = {label: {} for label in ontology.labels}
        for relation in ontology.relations:
            child, parent, weight = relation.child, relation.parent, weights[relation.kind]
            if child != parent and child in self.children and parent in self.children:
                self.children[parent].add(child)
                self.parents[child].add(parent)
                best = max(weight, self._near[child].get(parent, weight))
                self._near[child][parent] = self._near[parent][child] = best

    def paths(self, start: str) -> dict[str, Path]:
        """The path from ``start`` to each concept that has one, up and down relations."""
        found = {start: Path(0, 0.0)}
        waiting = deque([start])
        while waiting:
            here = waiting.popleft()
            edges, total = found[here]
            for there, weight in self._near[here].items():
                if there not in found:
                    waiting.append(there)
                known = found.get(there, Path(edges + 1, 0.0))
                # Nothing one step further is left before all of this length have come by.
                if known.edges == edges + 1:
                    found[there] = Path(edges + 1, max(known.total, total + weight))
        return found

    def ancestors(self, other: str) -> dict[str, Above]:
        """How many ancestors each concept has, and how many of them ``other`` shares."""
        shared = ancestors(other, self.parents)
        found: dict[str, Above] = {}
        for label in ranks(self.parents):  # after its parents; none that is on or below a circle
            # With one parent they are the parent's and the concept: no need to walk up again.
            if len(self.parents[label]) == 1:
                (parent,) = self.parents[label]
                size, common = found[parent]
                found[label] = Above(size + 1, common + (label in shared))
            else:
                found[label] = self._above(label, shared)
        circling = (label for label in self.parents if label not in found)
        return found | {label: self._above(label, shared) for label in circling}

    def _above(self, label: str, shared: set[str]) -> Above:
        above = ancestors(label, self.parents)
        return Above(len(above), len(above & shared))
