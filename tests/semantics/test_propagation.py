"""Marks that flow down a taxonomy, against what one reads off the drawing."""

from __future__ import annotations

import numpy as np

from scenthound.lexicon.taxonomy import build_taxonomy
from scenthound.semantics.information import Array, information_content
from scenthound.semantics.kin import Everyone, Few, climb
from scenthound.semantics.propagation import Descent
from semantics.farm import NAMES, concept, farm

FARM = farm()
DOG = concept(FARM, "dog")


def by_name(values: Array) -> dict[str, float]:
    return {name: float(values[concept(FARM, name)]) for name in NAMES}


def test_climbing_takes_the_shortest_way() -> None:
    """Two parents: the root is two steps up through pet, three through animal."""
    names = {concept(FARM, name): name for name in NAMES}
    steps = {names[c]: n for c, n in climb(FARM, DOG).items()}
    assert steps == {"dog": 0, "animal": 1, "pet": 1, "object": 2, "entity": 2}
    assert next(iter(climb(FARM, DOG))) == DOG


def test_largest_information_of_a_common_ancestor() -> None:
    found = by_name(Everyone(Descent(FARM), DOG).largest(information_content(FARM).round(3)))
    assert found["dog"] == found["puppy"] == 0.75
    assert found["cat"] == found["pet"] == 0.5
    assert found["horse"] == found["animal"] == 0.25
    assert found["stone"] == found["object"] == 0.17
    assert found["singer"] == found["entity"] == 0.0


def test_shortest_way_through_a_common_ancestor() -> None:
    """To a person it leads through pet, to a stone through animal."""
    found = by_name(Everyone(Descent(FARM), DOG).length())
    assert found["dog"] == 0
    assert found["puppy"] == found["pet"] == found["animal"] == 1
    assert found["cat"] == found["horse"] == 2
    assert found["person"] == found["stone"] == 3
    assert found["gossip"] == 4


def test_common_ancestors_count_once_where_ways_meet() -> None:
    found = by_name(Everyone(Descent(FARM), DOG).common())
    assert found["dog"] == found["puppy"] == 5
    assert found["cat"] == 4  # animal, object, pet, entity: not entity twice
    assert found["horse"] == 3
    assert found["stone"] == found["pet"] == 2
    assert found["child"] == 1


def test_features_are_a_concept_and_its_ancestors() -> None:
    found = by_name(Descent(FARM).total(np.ones(len(FARM))))
    assert found["entity"] == 1
    assert found["horse"] == 4
    assert found["dog"] == found["cat"] == 5
    assert found["puppy"] == 6


def test_a_few_are_told_the_same_as_everyone() -> None:
    depth = FARM.depth.astype(float)
    others = [climb(FARM, c) for c in range(len(FARM))]
    for one in range(len(FARM)):
        everyone, few = Everyone(Descent(FARM), one), Few(climb(FARM, one), others)
        assert few.concept == one
        assert few.others.tolist() == list(range(len(FARM)))
        assert few.largest(depth).tolist() == everyone.largest(depth).tolist()
        assert few.length().tolist() == everyone.length().tolist()
        assert few.common().tolist() == everyone.common().tolist()


def test_a_taxonomy_of_one_concept_has_nothing_to_carry() -> None:
    alone = Everyone(Descent(build_taxonomy({}, {7: []})), 0)
    assert alone.largest(np.array([3.0])).tolist() == [3.0]
    assert alone.length().tolist() == [0.0]
    assert alone.common().tolist() == [1.0]
