"""Senses by their company, worked out by hand on the farm; "cat" is an animal or a gossip.

By Lin's measure the animal is 4/7 similar to a dog (they meet in pet) and not at all to a singer;
the gossip is 1/2 similar to a singer (they meet in person) and not at all to a dog.
"""

from __future__ import annotations

import pytest

from scenthound.lexicon.taxonomy import ROOT, Integers, Taxonomy, build_taxonomy
from scenthound.lexicon.wordnet import shipped
from scenthound.semantics.similarity import TaxonomySimilarity
from scenthound.topics.senses import ConceptNames, Sense, fitting_sense, sense_fit
from semantics.farm import concept, farm

FARM = farm()
SIMILARITY = TaxonomySimilarity(FARM)
ANIMAL, GOSSIP = concept(FARM, "cat"), concept(FARM, "gossip")


def company(**weights: float) -> list[tuple[Integers, float]]:
    return [(FARM.concepts(term), weight) for term, weight in weights.items()]


@pytest.mark.parametrize(
    ("sense", "weights", "fit"),
    [
        (ANIMAL, {"dog": 1.0}, 4 / 7),
        (ANIMAL, {"dog": 2.0, "singer": 5.0}, 8 / 7),
        (GOSSIP, {"dog": 2.0, "singer": 5.0}, 5 / 2),
        (GOSSIP, {"tractor": 3.0}, 0.0),
        (GOSSIP, {}, 0.0),
    ],
)
def test_the_fit_is_the_weighted_sum_of_similarities(
    sense: int, weights: dict[str, float], fit: float
) -> None:
    assert sense_fit(SIMILARITY.concept_to_all(sense), company(**weights)) == pytest.approx(fit)


def test_of_the_senses_of_a_companion_the_nearest_counts() -> None:
    singer = SIMILARITY.concept_to_all(concept(FARM, "singer"))
    assert sense_fit(singer, company(cat=1.0)) == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("weights", "sense"),
    [
        ({"cat": 9.0, "dog": 1.0, "singer": 1.0}, ANIMAL),
        ({"cat": 9.0, "dog": 1.0, "singer": 2.0}, GOSSIP),
        ({"cat": 9.0, "tractor": 1.0}, ANIMAL),
        ({"cat": 9.0}, ANIMAL),
    ],
    ids=["dog outweighs singer", "singer outweighs dog", "unknown company", "no company"],
)
def test_the_sense_that_fits_best(weights: dict[str, float], sense: int) -> None:
    """Of equal fits the more frequent sense is taken: the animal."""
    assert fitting_sense(SIMILARITY, "cat", weights) == sense


def test_the_sense_is_one_of_those_that_may_be_chosen() -> None:
    weights = {"cat": 9.0, "dog": 1.0}
    assert fitting_sense(SIMILARITY, "cat", weights, (GOSSIP,)) == GOSSIP
    assert fitting_sense(SIMILARITY, "cat", weights, ()) is None


def test_a_word_without_senses_has_no_sense() -> None:
    assert fitting_sense(SIMILARITY, "tractor", {"tractor": 1.0, "dog": 1.0}) is None


def test_a_sense_is_told_by_synonyms_and_what_it_is_a_kind_of() -> None:
    names = ConceptNames(FARM)
    assert names.sense(GOSSIP, "cat") == Sense(("cat", "gossip"), ("person",))
    dog = names.sense(concept(FARM, "dog"), "hound")
    assert dog.synonyms == ("hound", "dog") and set(dog.kind_of) == {"animal", "pet"}
    assert names.sense(ROOT, "entity") == Sense(("entity",), ())


def test_the_word_that_means_it_first_of_all_comes_first() -> None:
    assert ConceptNames(FARM).of(GOSSIP) == ("gossip", "cat")


def test_a_root_put_above_the_others_has_no_name() -> None:
    names = ConceptNames(build_taxonomy({"move": [1], "rain": [2]}, {1: [], 2: []}))
    assert names.of(ROOT) == ()
    assert names.sense(1, "move") == Sense(("move",), ())


@pytest.mark.parametrize("taxonomy", [FARM, shipped().verbs], ids=["farm", "verbs"])
def test_names_against_a_slow_search(taxonomy: Taxonomy) -> None:
    slow: dict[int, list[tuple[int, str]]] = {}
    for lemma in taxonomy.lemmas:
        for rank, number in enumerate(taxonomy.concepts(lemma).tolist()):
            slow.setdefault(number, []).append((rank, lemma))
    names = ConceptNames(taxonomy)
    for number in range(len(taxonomy)):
        expected = tuple(lemma for _, lemma in sorted(slow.get(number, [])))
        assert names.of(number) == expected
