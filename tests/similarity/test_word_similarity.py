"""Senses that count for a topic, by hand on the farm; "cat" is an animal or a gossip.

By Lin's measure the animal is 4/7 similar to a dog and the gossip 1/2 to a singer; a stone is less
than 1/5 similar to anything.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.core.errors import UnknownNameError
from scenthound.similarity.concept_similarity import MEASURES, Array
from scenthound.similarity.topic_senses import ConceptNames
from scenthound.similarity.word_similarity import (
    AllSenses,
    Senses,
    SupportedSenses,
    TaxonomySimilarity,
)
from scenthound.text.wordnet import Integers, Taxonomy, build_taxonomy
from scenthound.text.wordnet_files import shipped
from similarity.farm import concept, farm
from similarity.slow_similarity import SlowSimilarity
from similarity.test_concept_similarity_similarity import taxonomies

FARM = farm()
SIMILARITY = TaxonomySimilarity(FARM)
DOG, ANIMAL, GOSSIP = (concept(FARM, name) for name in ("dog", "cat", "gossip"))


def vouched(topic: str, floor: float = 0.5) -> dict[str, Senses]:
    """The senses of each word of a topic on the farm."""
    words = topic.split()
    return dict(
        zip(words, SupportedSenses(SIMILARITY, floor, min_nouns=0).senses(words), strict=True)
    )


def test_a_sense_counts_where_another_word_vouches_for_it() -> None:
    cases: list[tuple[str, Senses]] = [
        ("cat dog", (ANIMAL,)),
        ("cat singer", (GOSSIP,)),
        ("singer cat dog", (ANIMAL, GOSSIP)),
        ("cat gossip", (GOSSIP,)),
        ("cat stone", ()),
        ("cat zorp", ()),
        ("cat", ()),
    ]
    for topic, senses in cases:
        assert vouched(topic)["cat"] == senses


def test_a_word_does_not_vouch_for_itself() -> None:
    """Two senses of one word are brothers, 2/3 similar: no company is needed to see it."""
    taxonomy = build_taxonomy(
        {"twin": [3, 4], "stone": [2]}, {1: [], 2: [1], 5: [1], 3: [5], 4: [5]}
    )
    similarity = TaxonomySimilarity(taxonomy, "wu-palmer")
    first, second = taxonomy.concepts("twin").tolist()
    assert similarity.concept_to_all(first)[second] == pytest.approx(2 / 3)
    assert SupportedSenses(similarity, 0.6, min_nouns=0).senses(["twin", "stone"]) == [(), ()]


def test_without_enough_company_every_sense_counts() -> None:
    """Four words of which three have a sense: enough for min_nouns=3, too few for company=4."""
    words = ["cat", "stone", "zorp", "dog"]
    everything = AllSenses(SIMILARITY).senses(words)
    assert SupportedSenses(SIMILARITY, 0.99, min_nouns=4).senses(words) == everything
    assert SupportedSenses(SIMILARITY, 0.99, min_nouns=3).senses(words) != everything


def test_a_word_is_similar_in_the_senses_given_alone() -> None:
    """Dog 4/7 by the animal, singer 1/2 by the gossip."""
    senses = SupportedSenses(SIMILARITY, 0.5, min_nouns=0)
    for given_, dog, singer in (
        ((ANIMAL,), 4 / 7, 0.0),
        ((GOSSIP,), 0.0, 0.5),
        ((ANIMAL, GOSSIP), 4 / 7, 0.5),
    ):
        row = senses.to_all("cat", given_)
        found = [row[senses.index[word]] for word in ("cat", "dog", "singer")]
        assert found == pytest.approx([1.0, dog, singer])


def slow(taxonomy: Taxonomy, measure: str, floor: float, topic: Sequence[str]) -> list[Senses]:
    """As it is defined: every sense against every sense of every other word."""
    similarity = SlowSimilarity(taxonomy)

    def counts(sense: int, word: str) -> bool:
        others = [o for other in topic if other != word for o in taxonomy.concepts(other).tolist()]
        pairs = (similarity.concepts(measure, "informative", sense, o) for o in others)
        return any(value >= floor for value in pairs)

    return [tuple(s for s in taxonomy.concepts(w).tolist() if counts(s, w)) for w in topic]


TOPICS = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", "d", "e", "zorp"]), unique=True), max_size=8
)


@given(taxonomies(), TOPICS, st.sampled_from(list(MEASURES)), st.floats(0.05, 0.95))
@settings(max_examples=60)
def test_words_that_come_and_go_against_the_definition(
    taxonomy: Taxonomy, topics: list[list[str]], measure: str, drawn: float
) -> None:
    """One memory through many topics, short ones after long ones too."""
    floor = drawn + 1e-7  # beside the round numbers, so that rounding decides nothing
    senses = SupportedSenses(TaxonomySimilarity(taxonomy, measure), floor, min_nouns=0)
    for topic in topics:
        assert senses.senses(topic) == slow(taxonomy, measure, floor, topic)


class Counting(TaxonomySimilarity):
    """Remembers which concepts were compared."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        super().__init__(taxonomy)
        self.asked: list[int] = []

    def concept_to(self, concept: int, others: Integers) -> Array:
        self.asked.append(concept)
        return super().concept_to(concept, others)


def test_the_shipped_wordnet() -> None:
    """What the vouched sense of a word is a kind of; in strange company it has none."""
    cases: list[tuple[str, str, set[str]]] = [
        ("jaguar", "car roadster engine road", set()),
        ("jaguar", "lion tiger leopard", {"big cat"}),
        ("python", "program compiler software", set()),
        ("python", "snake viper boa", {"boa"}),
        ("compiler", "program software", {"computer program"}),
    ]
    for word, company, kinds in cases:
        nouns = shipped().nouns
        vouching = SupportedSenses(TaxonomySimilarity(nouns), 0.6, min_nouns=0)
        senses = vouching.senses([word, *company.split()])[0]
        names = ConceptNames(nouns)
        assert len(senses) == len(kinds)
        assert {names.sense(sense, word).kind_of[0] for sense in senses} == kinds


# Similarity of words by hand: senses, synonyms, unknown words, names of measures.

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


def between(similarity: TaxonomySimilarity, first: str, second: str) -> float:
    place = similarity.index.get(second)
    row = similarity.to_all(first)
    return float(first == second) if place is None else float(row[place])


def test_dog_and_cat() -> None:
    for measure, lso in DOG_AND_CAT:
        similarity = TaxonomySimilarity(FARM, measure, lso)
        expected = pytest.approx(DOG_AND_CAT[measure, lso], abs=1e-12)
        assert between(similarity, "dog", "cat") == expected
        assert between(similarity, "cat", "dog") == expected
        assert similarity.to_all("dog")[FARM.index["cat"]] == expected
        assert similarity.to_all("cat")[FARM.index["dog"]] == expected


def test_the_best_pair_of_senses_counts() -> None:
    """A cat that gossips is a person: under person (0.5) with a singer, 2 * 0.5 / 2."""
    similarity = TaxonomySimilarity(FARM)
    assert between(similarity, "cat", "singer") == pytest.approx(0.5)
    assert between(similarity, "dog", "singer") == 0.0


def test_synonyms_and_a_word_with_itself_are_exactly_1() -> None:
    for measure in MEASURES:
        similarity = TaxonomySimilarity(FARM, measure)
        for word, same in (
            ("dog", "hound"),
            ("cat", "gossip"),
            ("entity", "entity"),
            ("pet", "pet"),
        ):
            assert between(similarity, word, same) == 1.0
            assert similarity.to_all(word)[FARM.index[same]] == 1.0


def test_an_unknown_word_is_similar_to_itself_alone() -> None:
    for measure in MEASURES:
        similarity = TaxonomySimilarity(FARM, measure)
        assert between(similarity, "zorp", "zorp") == 1.0
        assert between(similarity, "zorp", "dog") == between(similarity, "dog", "zorp") == 0.0
        assert between(similarity, "zorp", "blip") == 0.0
        assert similarity.to_all("zorp").tolist() == [0.0] * len(FARM.lemmas)


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
