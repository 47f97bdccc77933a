"""What is wrong with an ontology is found, and told in a sentence."""

from __future__ import annotations

import networkx  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.ontology_building import STORMS, ontology
from scenthound.core.errors import OntologyError
from scenthound.ontology.checking import Severity, check, checked, is_serious, neighbourhood
from scenthound.ontology.circles import above, ancestors, circles, ranks
from scenthound.ontology.levels import levels
from scenthound.ontology.model import Concept, Ontology, Relation

EDGES = st.lists(st.tuples(*(st.sampled_from("abcdefg"),) * 2), max_size=14)


def sentences(found: Ontology, severity: Severity) -> list[str]:
    return [each.sentence for each in check(found) if each.severity is severity]


def serious(found: Ontology) -> str:
    (sentence,) = sentences(found, Severity.SERIOUS)
    with pytest.raises(OntologyError) as told:
        checked(found)
    assert str(told.value) == f'ontology "{found.name}": {sentence}'
    return sentence


def test_nothing_is_wrong_with_a_sound_one() -> None:
    assert check(STORMS) == [] and checked(STORMS) is STORMS


def test_no_concept_at_all() -> None:
    assert serious(Ontology("empty")).startswith("it has no concept")


def test_a_topic_that_is_not_there() -> None:
    assert '"storm" is not among' in serious(ontology(("b", "a"), topic="storm"))


def test_circles_are_named() -> None:
    found = ontology(("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"), topic="a")
    assert '"a" below "b" below "c" below "a"' in serious(found)


def test_a_concept_related_to_itself() -> None:
    assert serious(ontology(("a", "a"), topic="a")).startswith('"a" is related to itself')


def test_a_long_circle_is_told_without_its_middle() -> None:
    found = ontology(*((f"c{n}", f"c{(n + 1) % 50}") for n in range(50)), topic="c0")
    assert '"c4" below "..." below "c45"' in serious(found)


def test_of_many_circles_the_first_are_told() -> None:
    found = ontology(*((f"c{n}", f"c{n}") for n in range(9)), topic="c0")
    assert len(sentences(found, Severity.SERIOUS)) == 6
    assert "more circles" in sentences(found, Severity.SERIOUS)[-1]


def test_labels_that_are_there_twice_and_relations_that_lead_nowhere() -> None:
    twice = Ontology("x", (Concept("a"), Concept("A"), Concept(" ")), (Relation("a", "b"),), "a")
    assert sentences(twice, Severity.SERIOUS) == [
        "1 concept without a label; give each a label, or remove it.",
        'more than one concept has the label "a"; keep one of each.',
        'relations lead to "b", which are no concepts; add or remove them.',
    ]


def test_notes_keep_nobody_from_using_it() -> None:
    found = ontology(("storms", "storm"), alone=("lonely", "storm-s", "gas", "glass", "glas"))
    told = sentences(found, Severity.NOTE)
    assert [each for each in check(found) if is_serious(each)] == []
    assert told[0].startswith("no concept is marked")
    assert told[1:] == [
        '"storms" and "storm" and "storm-s" are perhaps one concept; keep one of them.'
    ]
    assert checked(found) is found


def test_concepts_without_a_way_to_the_topic() -> None:
    lost = tuple("fghijklm")
    (told,) = sentences(ontology(("b", "a"), ("b", "c"), topic="a", alone=lost), Severity.NOTE)
    assert '"f", "g", "h", "i", "j" and 3 more' in told


def test_a_hundred_thousand_concepts_in_one_chain() -> None:
    """Walks are loops, not recursions."""
    chain = ontology(*((f"c{n + 1}", f"c{n}") for n in range(100_000)), topic="c0")
    assert check(chain) == []
    assert neighbourhood(chain, "c0")["c100000"] == 100_000
    assert levels(chain)["c100000"] == 100_001


@given(EDGES)
def test_circles_are_found_where_there_are_any(edges: list[tuple[str, str]]) -> None:
    graph = networkx.DiGraph(edges)
    parents = above(Relation(*edge) for edge in edges)
    found = list(circles(parents))
    assert (found == []) == networkx.is_directed_acyclic_graph(graph)
    for circle in found:
        ends = zip(circle, (*circle[1:], circle[0]), strict=True)
        assert all(graph.has_edge(*edge) for edge in ends) and len(set(circle)) == len(circle)


@given(EDGES)
def test_ancestors_are_all_that_can_be_reached(edges: list[tuple[str, str]]) -> None:
    graph = networkx.DiGraph(edges)
    parents = above(Relation(*edge) for edge in edges)
    for label in graph:
        assert ancestors(label, parents) == {label, *networkx.descendants(graph, label)}
    assert ancestors("nobody", parents) == {"nobody"}


@given(EDGES)
def test_ranks_are_larger_below(edges: list[tuple[str, str]]) -> None:
    graph = networkx.DiGraph(edges)
    order = ranks(above(Relation(*edge) for edge in edges))
    on_circles = {node for part in networkx.simple_cycles(graph) for node in part}
    below = {n for node in on_circles for n in networkx.ancestors(graph, node)} | on_circles
    assert set(order) == set(graph) - below
    assert all(order[low] > order[high] for low, high in edges if low in order)


def test_levels_of_what_is_on_a_circle() -> None:
    found = ontology(("b", "a"), ("c", "b"), ("c", "a"), ("y", "x"), ("x", "y"))
    assert levels(found) == {"a": 1, "b": 2, "c": 2, "y": 1, "x": 2}
    assert levels(Ontology("empty")) == {}
