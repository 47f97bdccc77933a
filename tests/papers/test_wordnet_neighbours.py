"""Neighbours in WordNet: by hand on a farm, and what the shipped WordNet says of storms."""

from __future__ import annotations

from math import exp, tanh

import numpy as np
import pytest

from scenthound.papers.olmoaco.skeleton import Proposal
from scenthound.papers.olmoaco.wordnet_neighbours import (
    NeighbourFinder,
    RelativePosition,
    fit,
    known_relations,
    near,
    neighbour_proposals,
    position,
)
from scenthound.papers.ontologies.model import Kind
from scenthound.text.wordnet import Taxonomy, build_taxonomy
from scenthound.text.wordnet_files import shipped
from similarity.farm import concept, farm

STORMS = ["severe weather", "storm", "hurricane", "wind", "rain"]


def names(taxonomy: Taxonomy, concepts: set[int]) -> set[str]:
    return {lemma for lemma in taxonomy.lemmas for c in concepts if c in taxonomy.concepts(lemma)}


def carriages() -> Taxonomy:
    """thing > vehicle > car > taxi; a wheel (a thing) is a part of a car."""
    senses = {"thing": [0], "vehicle": [1], "car": [2], "taxi": [3], "wheel": [4]}
    return build_taxonomy(senses, {0: [], 1: [0], 2: [1], 3: [2], 4: [0]}, {4: [2]})


def test_what_is_near() -> None:
    taxonomy = farm()
    dog = concept(taxonomy, "dog")
    one = {"animal", "pet", "puppy"}
    assert names(taxonomy, near(taxonomy, dog, 1)) == one
    two = {"object", "entity", "cat", "horse", "cow", "goat", "sheep"}
    assert names(taxonomy, near(taxonomy, dog)) == one | two


def test_where_a_concept_stands() -> None:
    taxonomy = carriages()
    car, taxi, wheel, thing = (concept(taxonomy, n) for n in ("car", "taxi", "wheel", "thing"))
    assert position(taxonomy, car, car) is RelativePosition.SAME
    assert position(taxonomy, taxi, car) is RelativePosition.BELOW
    assert position(taxonomy, thing, car) is RelativePosition.ABOVE
    assert position(taxonomy, wheel, car) is RelativePosition.PART
    assert position(taxonomy, wheel, taxi) is RelativePosition.BESIDE


def test_fit_worked_out_by_hand() -> None:
    # 3 * 1^4 + 1 * 0.8^4; 0.5 is not near
    similarities = np.array([[1.0, 0.5], [0.8, 0.6]])
    weights = np.array([3.0, 1.0])
    assert fit(similarities, weights) == pytest.approx([3.4096, 0.1296])


def test_neighbours_on_the_farm() -> None:
    around = NeighbourFinder(farm(), {})
    hound, puppy = around.find({"dog": concept(farm(), "dog")}, ["dog"])
    assert (hound.label, hound.place, hound.similarity) == ("hound", RelativePosition.SAME, 1.0)
    # puppy is one edge away; the common ancestor, dog, lies two edges below entity
    assert puppy.similarity == pytest.approx(exp(-0.2) * tanh(0.6 * 2))
    assert (puppy.label, puppy.host, puppy.place) == ("puppy", "dog", RelativePosition.BELOW)


def test_parts_join_where_texts_name_them() -> None:
    taxonomy = carriages()
    car = {"car": concept(taxonomy, "car")}
    assert "wheel" not in [each.label for each in NeighbourFinder(taxonomy, {}).find(car, ["car"])]
    found = {
        each.label: each for each in NeighbourFinder(taxonomy, {"wheel": 1}).find(car, ["car"])
    }
    assert found["wheel"].place is RelativePosition.PART
    assert found["wheel"].similarity == pytest.approx(exp(-0.2) * tanh(0.6 * 2))


def proposals(counts: dict[str, int]) -> dict[str, Proposal]:
    around = NeighbourFinder(shipped().nouns, counts)
    found = neighbour_proposals(around, STORMS, STORMS[0], ["storm", "hurricane"])
    return {each.label: each for each in found}


def test_what_wordnet_says_of_storms() -> None:
    found = proposals({"tornado": 3})
    assert (found["tornado"].parent, found["tornado"].kind) == ("hurricane", Kind.COORDINATE)
    assert (found["blizzard"].parent, found["blizzard"].kind) == ("storm", Kind.IS_A)
    assert (found["rainfall"].parent, found["rainfall"].kind) == ("rain", Kind.SYNONYM)
    assert found["blizzard"].origin == 'WordNet: a kind of "storm" (similarity 0.82)'
    assert not found.keys() & set(STORMS)


def test_general_names_join_only_where_texts_use_them() -> None:
    assert not proposals({}).keys() & {"atmospheric phenomenon", "weather"}
    assert proposals({"weather": 1})["weather"].parent in STORMS
    # above hurricane, but a kind of storm
    assert proposals({})["windstorm"].parent == "storm"
    hosts = [each.parent for each in proposals({}).values()]
    assert max(hosts.count(host) for host in hosts) == 5  # one concept brings no more


def test_what_lies_between_a_concept_and_the_topic() -> None:
    around = NeighbourFinder(shipped().nouns, {"shore": 4})
    found = list(neighbour_proposals(around, ["seaside", "coast"], "seaside", ["coast"]))
    shore = next(each for each in found if each.label == "shore")
    assert (shore.parent, shore.kind) == ("seaside", Kind.IS_A)
    assert shore.origin.startswith('WordNet: "coast" is a kind of it')
    # nothing goes above the topic
    assert "shore" not in [p.label for p in neighbour_proposals(around, ["coast"], "coast")]


def test_relations_of_what_is_there() -> None:
    taxonomy = shipped().nouns
    around = NeighbourFinder(taxonomy, {})
    labels = ["storm", "hurricane", "windstorm", "atlantic", "atlantic ocean"]
    found = {
        (each.label, each.parent, each.kind)
        for each in known_relations(around.nouns, around.senses(labels))
    }
    assert found == {
        ("hurricane", "windstorm", Kind.IS_A),  # and not below storm as well
        ("windstorm", "storm", Kind.IS_A),
        ("atlantic ocean", "atlantic", Kind.SYNONYM),
    }


def test_words_that_wordnet_does_not_know() -> None:
    around = NeighbourFinder(shipped().nouns, {})
    assert around.senses(["xyzzy", "severe weather"]) == {}
    assert list(neighbour_proposals(around, ["xyzzy"], "xyzzy")) == []
