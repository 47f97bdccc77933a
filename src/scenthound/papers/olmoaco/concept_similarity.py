"""How similar the concepts of an ontology are to the topic concept: five factors and their
weighted sum (olmoaco Eq. 2-4). The paper prints the factor of the relations and cites Ma, Li,
Lian, Liang and Chen (2016) for the other four; the definitions of those are ours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from scenthound.core.errors import OntologyError, SettingsError
from scenthound.papers.ontologies.model import Ontology, ancestors, concept_levels, shortest_paths

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
    topic = ontology[topic].label
    paths, depths = shortest_paths(ontology, topic), concept_levels(ontology)
    # Relations of a concept to itself, or to what is no concept, are left out.
    parents = {
        label: {each.parent for each in relations if each.parent in ontology}
        for label, relations in ontology.parents.items()
    }
    children = {
        label: len({each.child for each in relations if each.child in ontology} - {label})
        for label, relations in ontology.children.items()
    }
    own = ancestors(topic, parents)
    most, deepest = max(children.values()), max(depths.values())

    def factors(label: str) -> Factors:
        edges, total = paths.get(label, (None, 0.0))
        above = ancestors(label, parents)
        return Factors(
            distance_factor(edges),
            density_factor(children[topic], children[label], most),
            depth_factor(depths[topic], depths[label], deepest),
            coincidence_factor(len(above & own), len(own), len(above)),
            relation_factor(total, edges),
        )

    return {label: factors(label) for label in children}


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
