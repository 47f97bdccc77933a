"""Similarity of words by hand: senses, synonyms, unknown words, names of measures."""

from __future__ import annotations

import math

import pytest

from scenthound.core.errors import UnknownNameError
from scenthound.lexicon.taxonomy import build_taxonomy
from scenthound.semantics.similarity import TaxonomySimilarity
from scenthound.semantics.table import LSOS, MEASURES
from semantics.farm import farm

FARM = farm()
DOG_AND_CAT = {
    ("lin", "informative"): 4 / 7,  # pet: 2 * 0.5 / (0.75 + 1)
    ("lin", "deepest"): 2 / 7,  # animal: 2 * 0.25 / (0.75 + 1)
    ("resnik", "informative"): 0.5,
    ("resnik", "deepest"): 0.25,
    ("jiang-conrath", "informative"): 0.625,  # 1 - (1.75 - 1) / 2
    ("jiang-conrath", "deepest"): 0.375,  # 1 - (1.75 - 0.5) / 2
    ("wu-palmer", "informative"): 0.75,  # 1 - 2 / (2 + 2 * 3)
    ("leacock-chodorow", "informative"): 1 - math.log10(3),  # ln(10 / 3) / ln 10
    ("li", "informative"): math.exp(-0.4) * math.tanh(1.2),
    ("tversky", "informative"): 0.8,  # 4 of 5 features each
}


@pytest.mark.parametrize(("measure", "lso"), DOG_AND_CAT)
def test_dog_and_cat(measure: str, lso: str) -> None:
    similarity = TaxonomySimilarity(FARM, measure, lso)
    expected = pytest.approx(DOG_AND_CAT[measure, lso], abs=1e-12)
    assert similarity.between("dog", "cat") == expected
    assert similarity.between("cat", "dog") == expected
    assert similarity.to_all("dog")[FARM.index["cat"]] == expected
    assert similarity.to_all("cat")[FARM.index["dog"]] == expected


@pytest.mark.parametrize("measure", ["wu-palmer", "leacock-chodorow", "li", "tversky"])
def test_other_measures_do_not_look_at_the_ancestor_chosen(measure: str) -> None:
    informative, deepest = (TaxonomySimilarity(FARM, measure, lso) for lso in LSOS)
    for lemma in FARM.lemmas:
        assert informative.to_all(lemma).tolist() == deepest.to_all(lemma).tolist()


def test_lin_with_the_most_informative_ancestor_is_the_default() -> None:
    assert TaxonomySimilarity(FARM).between("dog", "cat") == pytest.approx(4 / 7)


def test_the_best_pair_of_senses_counts() -> None:
    """A cat that gossips is a person: under person (0.5) with a singer, 2 * 0.5 / 2."""
    similarity = TaxonomySimilarity(FARM)
    assert similarity.between("cat", "singer") == pytest.approx(0.5)
    assert similarity.between("dog", "singer") == 0.0


@pytest.mark.parametrize("measure", MEASURES)
def test_synonyms_and_a_word_with_itself_are_exactly_1(measure: str) -> None:
    similarity = TaxonomySimilarity(FARM, measure)
    for word, same in (("dog", "hound"), ("cat", "gossip"), ("entity", "entity"), ("pet", "pet")):
        assert similarity.between(word, same) == 1.0
        assert similarity.to_all(word)[FARM.index[same]] == 1.0


@pytest.mark.parametrize("measure", MEASURES)
def test_an_unknown_word_is_similar_to_itself_alone(measure: str) -> None:
    similarity = TaxonomySimilarity(FARM, measure)
    assert similarity.between("zorp", "zorp") == 1.0
    assert similarity.between("zorp", "dog") == similarity.between("dog", "zorp") == 0.0
    assert similarity.between("zorp", "blip") == 0.0
    assert similarity.to_all("zorp").tolist() == [0.0] * len(FARM.lemmas)


def test_a_word_without_senses_is_like_an_unknown_one() -> None:
    taxonomy = build_taxonomy({"a": [], "b": [2], "c": [2, 3], "d": []}, {1: [], 2: [1], 3: [1]})
    similarity = TaxonomySimilarity(taxonomy)
    assert similarity.to_all("b").tolist() == [0.0, 1.0, 1.0, 0.0]
    assert similarity.to_all("a").tolist() == [1.0, 0.0, 0.0, 0.0]
    assert similarity.between("a", "b") == similarity.between("b", "d") == 0.0


@pytest.mark.parametrize("measure", MEASURES)
def test_a_taxonomy_of_one_concept(measure: str) -> None:
    similarity = TaxonomySimilarity(build_taxonomy({"all": [1], "every": [1]}, {1: []}), measure)
    assert similarity.to_all("all").tolist() == [1.0, 1.0]
    assert similarity.between("all", "every") == 1.0


def test_a_taxonomy_without_words_gives_nothing() -> None:
    assert TaxonomySimilarity(build_taxonomy({}, {1: []})).to_all("dog").tolist() == []


def test_unknown_names_are_told_with_what_was_perhaps_meant() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown measure of similarity 'lim'.*'lin'"):
        TaxonomySimilarity(FARM, "lim")
    with pytest.raises(
        UnknownNameError, match=r"unknown common ancestor \(lso\) 'deep'.*'deepest'"
    ):
        TaxonomySimilarity(FARM, lso="deep")


def test_the_table_has_the_seven_measures() -> None:
    assert sorted(MEASURES) == [
        "jiang-conrath",
        "leacock-chodorow",
        "li",
        "lin",
        "resnik",
        "tversky",
        "wu-palmer",
    ]
