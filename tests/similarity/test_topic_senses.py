"""Senses by their company, worked out by hand on the farm; "cat" is an animal or a gossip.

By Lin's measure the animal is 4/7 similar to a dog (they meet in pet) and not at all to a singer;
the gossip is 1/2 similar to a singer (they meet in person) and not at all to a dog.
"""

from __future__ import annotations

import pytest

from scenthound.similarity.topic_senses import ConceptNames, Sense, fitting_sense, sense_fit
from scenthound.similarity.word_similarity import TaxonomySimilarity
from scenthound.text.wordnet import ROOT, Integers, Taxonomy
from scenthound.text.wordnet_files import shipped
from similarity.farm import concept, farm

FARM = farm()
SIMILARITY = TaxonomySimilarity(FARM)
ANIMAL, GOSSIP = concept(FARM, "cat"), concept(FARM, "gossip")


def company(**weights: float) -> list[tuple[Integers, float]]:
    return [(FARM.concepts(term), weight) for term, weight in weights.items()]


def test_the_fit_is_the_weighted_sum_of_similarities() -> None:
    cases: list[tuple[int, dict[str, float], float]] = [
        (ANIMAL, {"dog": 1.0}, 4 / 7),
        (ANIMAL, {"dog": 2.0, "singer": 5.0}, 8 / 7),
        (GOSSIP, {"dog": 2.0, "singer": 5.0}, 5 / 2),
        (GOSSIP, {"tractor": 3.0}, 0.0),
        (GOSSIP, {}, 0.0),
    ]
    for sense, weights, fit in cases:
        assert sense_fit(SIMILARITY.concept_to_all(sense), company(**weights)) == pytest.approx(fit)


def test_the_sense_that_fits_best() -> None:
    """Of equal fits the more frequent sense is taken: the animal."""
    cases: list[tuple[dict[str, float], int]] = [
        ({"cat": 9.0, "dog": 1.0, "singer": 1.0}, ANIMAL),
        ({"cat": 9.0, "dog": 1.0, "singer": 2.0}, GOSSIP),
        ({"cat": 9.0, "tractor": 1.0}, ANIMAL),
        ({"cat": 9.0}, ANIMAL),
    ]
    for weights, sense in cases:
        assert fitting_sense(SIMILARITY, "cat", weights) == sense


def test_a_sense_is_told_by_synonyms_and_what_it_is_a_kind_of() -> None:
    names = ConceptNames(FARM)
    assert names.sense(GOSSIP, "cat") == Sense(("cat", "gossip"), ("person",))
    dog = names.sense(concept(FARM, "dog"), "hound")
    assert dog.synonyms == ("hound", "dog") and set(dog.kind_of) == {"animal", "pet"}
    assert names.sense(ROOT, "entity") == Sense(("entity",), ())


def test_names_against_a_slow_search() -> None:
    cases: list[Taxonomy] = [FARM, shipped().verbs]
    for taxonomy in cases:
        slow: dict[int, list[tuple[int, str]]] = {}
        for lemma in taxonomy.lemmas:
            for rank, number in enumerate(taxonomy.concepts(lemma).tolist()):
                slow.setdefault(number, []).append((rank, lemma))
        names = ConceptNames(taxonomy)
        for number in range(len(taxonomy)):
            expected = tuple(lemma for _, lemma in sorted(slow.get(number, [])))
            assert names.of(number) == expected
