"""How similar the concepts of an ontology are to the topic concept: five factors and their
weighted sum (olmoaco Eq. 2-4). The paper prints the factor of the relations and cites Ma, Li,
Lian, Liang and Chen (2016) for the other four; the definitions of those are ours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scenthound.core.errors import OntologyError, SettingsError
from scenthound.papers.ontologies.model import Kind, Ontology, ancestors, concept_levels


class ConceptGraph:
    """The relations of an ontology, each pair of concepts once; cycles do no harm.

    Relations of a concept to itself, or to what is no concept, are left out; of several between two
    concepts the largest of ``weights`` counts.
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

    def paths(self, start: str) -> dict[str, tuple[int, float]]:
        """Return the shortest path from ``start`` to each concept that has one, up and down
        relations: its edges and their weights together; of several the one of most weight.
        """
        found, newest, edges = {start: (0, 0.0)}, {start: 0.0}, 0
        while newest:
            edges += 1
            reached: dict[str, float] = {}
            for here, total in newest.items():
                for there, weight in self._near[here].items():
                    if there not in found:
                        reached[there] = max(reached.get(there, 0.0), total + weight)
            found |= {label: (edges, total) for label, total in reached.items()}
            newest = reached
        return found


RELATION_WEIGHTS: Mapping[Kind, float] = {
    Kind.SYNONYM: 1.0,
    Kind.INDUCED_BY: 1 / 2,
    Kind.IS_A: 1 / 3,
    Kind.PART_OF: 2 / 7,
    Kind.COORDINATE: 1 / 4,
}
"""olmoaco Definition 4."""
EQUAL = (0.2, 0.2, 0.2, 0.2, 0.2)
"""k1 to k5 of olmoaco Eq. 3, which the paper does not print."""


class Factors(NamedTuple):
    """What makes two concepts similar, in the order of olmoaco Eq. 3."""

    distance: float
    density: float
    depth: float
    coincidence: float
    relation: float


def distance_factor(edges: int | None) -> float:
    """IF_dis = 1 / (1 + edges of the shortest path); 0 without a path. Ours."""
    return 0.0 if edges is None else 1.0 / (1.0 + edges)


def density_factor(first: int, second: int, most: int) -> float:
    """IF_den = (children of both) / (2 * the most children of any concept). Ours.

    0 where no concept has a child.
    """
    return (first + second) / (2.0 * most) if most else 0.0


def depth_factor(first: int, second: int, deepest: int) -> float:
    """IF_dep = (d1 + d2) / (|d1 - d2| + 2 * deepest), where a root has depth 1. Ours."""
    return (first + second) / (abs(first - second) + 2.0 * deepest)


def coincidence_factor(common: int, first: int, second: int) -> float:
    """IF_coi = ancestors of both / ancestors of either; a concept is one of its own. Ours."""
    return common / (first + second - common)


def relation_factor(total: float, edges: int | None) -> float:
    """IF_rel, the mean weight of the relations on the shortest path (olmoaco Eq. 2).

    1 for a concept and itself, 0 without a path. Of several shortest paths ``total`` is the
    largest.
    """
    if edges is None:
        return 0.0
    return total / edges if edges else 1.0


def concept_factors(ontology: Ontology, topic: str) -> dict[str, Factors]:
    """Return the five factors between ``topic`` and each concept, by label.

    A concept costs its ancestors. OntologyError where the ontology has no concept ``topic``.
    """
    if topic not in ontology:
        raise OntologyError(
            f"the ontology {ontology.name!r} has no concept {topic!r}; name one that it has."
        )
    topic, graph = ontology[topic].label, ConceptGraph(ontology, RELATION_WEIGHTS)
    paths, depths = graph.paths(topic), concept_levels(ontology)
    own = ancestors(topic, graph.parents)
    children = {label: len(below) for label, below in graph.children.items()}
    most, deepest = max(children.values()), max(depths.values())

    def factors(label: str) -> Factors:
        edges, total = paths.get(label, (None, 0.0))
        above = ancestors(label, graph.parents)
        return Factors(
            distance_factor(edges),
            density_factor(children[topic], children[label], most),
            depth_factor(depths[topic], depths[label], deepest),
            coincidence_factor(len(above & own), len(own), len(above)),
            relation_factor(total, edges),
        )

    return {label: factors(label) for label in graph.children}


def concept_similarities(
    ontology: Ontology, topic: str, factors: Sequence[float] = EQUAL
) -> dict[str, float]:
    """Return the similarity of each concept to ``topic``, by label (olmoaco Eq. 3-4).

    ``factors`` are k1 to k5, in the order of :class:`Factors`. The similarity of the topic to
    itself is 1, which Eq. 3 alone does not give. A concept without a path to it has what density
    and depth give.
    """
    check_weights(factors)
    found = {
        label: math.fsum(weight * factor for weight, factor in zip(factors, each, strict=True))
        for label, each in concept_factors(ontology, topic).items()
    }
    return found | {ontology[topic].label: 1.0}


def check_weights(factors: Sequence[float]) -> None:
    """Raise SettingsError unless there are five weights of 0 or more that sum up to 1."""
    usable = len(factors) == len(EQUAL) and all(weight >= 0.0 for weight in factors)
    if not usable or not math.isclose(math.fsum(factors), 1.0, abs_tol=1e-6):
        given = ", ".join(f"{weight:g}" for weight in factors)
        raise SettingsError(
            f"the factor weights are {given or 'missing'}; give five numbers of 0 or more that "
            f"sum up to 1, for {', '.join(Factors._fields)}."
        )
