"""Concept similarity: the five factors by hand, and against all shortest paths."""

from __future__ import annotations

from itertools import pairwise
from math import inf, nan
from statistics import fmean

import networkx as nx  # type: ignore[import-untyped]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.core.errors import OntologyError, SettingsError
from scenthound.papers.olmoaco.concept_similarity import (
    Factors,
    coincidence_factor,
    concept_factors,
    concept_similarities,
    density_factor,
    depth_factor,
    distance_factor,
    relation_factor,
)
from scenthound.papers.ontologies.model import RELATION_WEIGHTS, Concept, Kind, Ontology, Relation

LABELS = tuple("abcdefgh")


def ontology(labels: str, *relations: tuple[str, str, Kind]) -> Ontology:
    """Labels apart by blanks; relations from child to parent."""
    concepts = tuple(Concept(label) for label in labels.split())
    return Ontology("weather", concepts, tuple(Relation(*each) for each in relations))


WEATHER = ontology(
    "disaster storm typhoon hurricane surge flood",
    ("storm", "disaster", Kind.IS_A),
    ("flood", "disaster", Kind.IS_A),
    ("typhoon", "storm", Kind.IS_A),
    ("hurricane", "typhoon", Kind.SYNONYM),
    ("surge", "typhoon", Kind.INDUCED_BY),
    ("surge", "flood", Kind.PART_OF),
)
"""Depths 1, 2, 3, 4, 3, 2: surge is nearer to the root by flood. At most 2 children."""
BY_HAND = {
    # distance, density, depth, coincidence, relation; typhoon has depth 3, 2 children and the
    # ancestors typhoon, storm, disaster
    "disaster": Factors(1 / 3, 4 / 4, 4 / 10, 1 / 3, 1 / 3),
    "storm": Factors(1 / 2, 3 / 4, 5 / 9, 2 / 3, 1 / 3),
    "typhoon": Factors(1.0, 4 / 4, 6 / 8, 1.0, 1.0),
    "hurricane": Factors(1 / 2, 2 / 4, 7 / 9, 3 / 4, 1.0),
    "surge": Factors(1 / 2, 2 / 4, 6 / 8, 3 / 5, 1 / 2),
    "flood": Factors(1 / 3, 3 / 4, 5 / 9, 1 / 4, (1 / 2 + 2 / 7) / 2),
}


def test_factors_and_similarities_by_hand() -> None:
    found = concept_factors(WEATHER, "typhoon")
    assert list(found) == list(WEATHER.labels)
    for label, factors in BY_HAND.items():
        assert found[label] == pytest.approx(factors), label
    # The mean of the five factors; of the topic, 1.
    assert concept_similarities(WEATHER, "Typhoon") == pytest.approx({
        "disaster": 0.48, "storm": 0.561111, "typhoon": 1.0, "hurricane": 0.705556,
        "surge": 0.57, "flood": 0.456349,
    }, abs=1e-6)  # fmt: skip
    assert [distance_factor(edges) for edges in (0, 1, 3, None)] == [1.0, 0.5, 0.25, 0.0]
    assert (density_factor(1, 2, 3), density_factor(0, 0, 0)) == (0.5, 0.0)
    assert (depth_factor(1, 1, 1), depth_factor(1, 3, 3), depth_factor(3, 3, 3)) == (1.0, 0.5, 1.0)
    assert coincidence_factor(1, 2, 3) == 0.25
    assert [relation_factor(0.5, edges) for edges in (2, 0, None)] == [0.25, 1.0, 0.0]


def test_odd_ontologies() -> None:
    """A concept that nothing connects has density and depth."""
    apart = ontology("a b c", ("b", "a", Kind.IS_A))
    assert concept_factors(apart, "b")["c"] == pytest.approx(Factors(0.0, 0.0, 3 / 5, 0.0, 0.0))
    assert concept_similarities(apart, "b")["c"] == pytest.approx(0.12)
    # relations that lead nowhere count for nothing
    for labels in ["a b", "b a"]:
        plain = ontology(labels, ("b", "a", Kind.IS_A))
        odd = ontology(
            labels, ("b", "a", Kind.IS_A), ("a", "gone", Kind.IS_A), ("gone", "b", Kind.IS_A),
            ("b", "b", Kind.SYNONYM), ("a", "a", Kind.SYNONYM),
        )  # fmt: skip
        assert concept_factors(odd, "a") == concept_factors(plain, "a")
    # b, c and d go round; nothing but a has a root above it, or is one.
    circle = ontology(
        "a b c d e",
        ("b", "c", Kind.IS_A), ("c", "d", Kind.IS_A), ("d", "b", Kind.IS_A), ("e", "d", Kind.IS_A),
    )  # fmt: skip
    found = concept_factors(circle, "e")
    assert found["c"] == pytest.approx(Factors(1 / 3, 1 / 4, 1.0, 3 / 4, 1 / 3))
    assert found["a"].distance == 0.0
    # a deep one takes no recursion
    names = [f"c{number}" for number in range(1_000)]
    chain = ontology(" ".join(names), *((b, a, Kind.IS_A) for a, b in pairwise(names)))
    found = concept_factors(chain, "c999")
    assert found["c0"].distance == pytest.approx(1 / 1_000)
    assert found["c499"].coincidence == pytest.approx(0.5)


def test_topics_and_weights_that_cannot_be_used() -> None:
    with pytest.raises(OntologyError, match="'weather' has no concept 'rain'; name one"):
        concept_similarities(WEATHER, "rain")
    with pytest.raises(OntologyError, match="no concept"):
        concept_similarities(Ontology("nothing"), "rain")
    negative, infinite = (0.5, 0.5, 0.5, -0.5, 0.0), (inf, 0, 0, 0, 0)
    for weights in [(), (0.2,) * 4, (0.2,) * 6, negative, (0.3,) * 5, (nan,) * 5, infinite]:
        with pytest.raises(SettingsError, match="five numbers of 0 or more that sum up to 1"):
            concept_similarities(WEATHER, "storm", weights)


@st.composite
def ontologies(draw: st.DrawFn) -> Ontology:
    """Without a circle: a child comes after its parents in the alphabet."""
    size = draw(st.integers(1, len(LABELS)))
    pairs = [(b, a) for at, a in enumerate(LABELS[:size]) for b in LABELS[at + 1 : size]]
    drawn = draw(
        st.lists(st.tuples(st.sampled_from(pairs), st.sampled_from(list(Kind))), max_size=12)
        if pairs
        else st.just([])
    )
    relations = ((child, parent, kind) for (child, parent), kind in drawn)
    return ontology(" ".join(LABELS[:size]), *relations)


@given(ontologies(), st.integers(0, len(LABELS) - 1))
@settings(max_examples=20, deadline=None)
def test_against_all_shortest_paths(drawn: Ontology, place: int) -> None:
    topic = drawn.labels[place % len(drawn)]
    found = concept_factors(drawn, topic)
    assert set(found) == set(drawn.labels)
    for label, factors in found.items():
        assert factors == pytest.approx(slow_factors(drawn, topic, label))
        assert all(0.0 <= factor <= 1.0 for factor in factors)


def slow_factors(drawn: Ontology, first: str, second: str) -> Factors:
    above = nx.DiGraph()
    above.add_nodes_from(drawn.labels)
    weights: dict[frozenset[str], float] = {}
    for relation in drawn.relations:
        above.add_edge(relation.child, relation.parent)
        ends = frozenset({relation.child, relation.parent})
        weights[ends] = max(weights.get(ends, 0.0), RELATION_WEIGHTS[relation.kind])
    roots = [label for label in above if not above.out_degree(label)]
    depth = {
        label: 1 + min(nx.shortest_path_length(above, label, root) for root in roots
                       if nx.has_path(above, label, root))
        for label in above
    }  # fmt: skip
    children = dict(above.in_degree())
    one, two = ({label, *nx.descendants(above, label)} for label in (first, second))
    most, deepest = max(children.values()), max(depth.values())
    edges, relation_mean = slow_path(above.to_undirected(), weights, first, second)
    return Factors(
        0.0 if edges is None else 1 / (1 + edges),
        (children[first] + children[second]) / (2 * most) if most else 0.0,
        (depth[first] + depth[second]) / (abs(depth[first] - depth[second]) + 2 * deepest),
        len(one & two) / len(one | two),
        relation_mean,
    )


def slow_path(
    graph: nx.Graph, weights: dict[frozenset[str], float], first: str, second: str
) -> tuple[int | None, float]:
    """Its length, and the largest mean weight of all that are as short."""
    if first == second:
        return 0, 1.0
    if not nx.has_path(graph, first, second):
        return None, 0.0
    paths = list(nx.all_shortest_paths(graph, first, second))
    means = [fmean(weights[frozenset(ends)] for ends in pairwise(path)) for path in paths]
    return len(paths[0]) - 1, max(means)
