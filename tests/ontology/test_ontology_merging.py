"""Several ontologies become one, and what does not fit is told."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from ontology.ontology_building import STORMS, ontologies, ontology, same
from scenthound.core.errors import OntologyError
from scenthound.ontology.circles import above, circles
from scenthound.ontology.merging import LeftOut, merge
from scenthound.ontology.model import Concept, Kind, Ontology, Relation


def test_one_concept_of_each_label_with_both_origins() -> None:
    first = Ontology("one", (Concept("storm", "a book"), Concept("eye")), topic="storm")
    second = Ontology("two", (Concept("Storm", "WordNet"), Concept("eye"), Concept("sea")))
    merged = merge(first, second, second).ontology
    assert merged.concepts == (Concept("storm", "a book; WordNet"), Concept("eye"), Concept("sea"))
    assert (merged.name, merged.topic) == ("one", "storm")


def test_the_topic_is_that_of_the_first_that_has_one() -> None:
    assert merge(ontology(alone=("a",)), ontology(alone=("b",), topic="b")).ontology.topic == "b"


def test_what_would_close_a_circle_is_left_out() -> None:
    first, second = ontology(("b", "a"), ("c", "b")), ontology(("a", "c"), ("d", "c"), ("d", "a"))
    merged = merge(first, second)
    assert merged.left_out == (LeftOut(Relation("a", "c"), "it would close a circle"),)
    assert set(merged.ontology.relations) == {
        Relation("b", "a"), Relation("c", "b"), Relation("d", "c"), Relation("d", "a"),
    }  # fmt: skip


def test_the_first_kind_of_a_pair_counts() -> None:
    part = Relation("b", "a", Kind.PART_OF)
    merged = merge(ontology(("b", "a")), replace(ontology(("b", "a")), relations=(part,)))
    assert merged.left_out == (LeftOut(part, "the two are already related as is-a"),)
    assert merged.ontology.relations == (Relation("b", "a"),)


def test_relations_that_lead_nowhere_are_left_out() -> None:
    lost = Ontology("x", (Concept("a"),), (Relation("a", "b"), Relation("a", "a")))
    assert [each.reason for each in merge(lost).left_out] == [
        "it leads to no concept", "it would close a circle",
    ]  # fmt: skip


def test_nothing_to_merge() -> None:
    with pytest.raises(OntologyError, match="at least one"):
        merge()


@given(ontologies(), ontologies())
@settings(deadline=None)
def test_any_two_merge_into_one_without_circles(first: Ontology, second: Ontology) -> None:
    merged = merge(first, second)
    assert list(circles(above(merged.ontology.relations))) == []
    assert set(merged.ontology.labels) == {*first.labels, *second.labels}
    assert set(first.relations) <= set(merged.ontology.relations)
    left = {each.relation for each in merged.left_out}
    assert set(second.relations) <= {*merged.ontology.relations, *left}


def test_merging_with_itself_changes_nothing() -> None:
    merged = merge(STORMS, STORMS)
    assert same(merged.ontology, STORMS) and merged.left_out == ()


def test_a_hundred_thousand_concepts() -> None:
    first = ontology(*((f"c{n + 1}", f"c{n}") for n in range(100_000)))
    second = ontology(*((f"c{n + 1}", f"c{n // 2}") for n in range(100_000)))
    merged = merge(first, second)
    assert merged.left_out == () and len(merged.ontology) == 100_001
