"""Senses that count for a topic, by hand on the farm; "cat" is an animal or a gossip.

By Lin's measure the animal is 4/7 similar to a dog and the gossip 1/2 to a singer; a stone is less
than 1/5 similar to anything.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.lexicon.taxonomy import Integers, Taxonomy, build_taxonomy
from scenthound.lexicon.wordnet import shipped
from scenthound.relevance.likeness import Likeness
from scenthound.semantics.information import Array
from scenthound.semantics.senses import AllSenses, Senses, VouchedSenses
from scenthound.semantics.similarity import TaxonomySimilarity
from scenthound.semantics.table import MEASURES
from scenthound.text.vocabulary import Vocabulary
from scenthound.topics.senses import ConceptNames
from semantics.farm import concept, farm
from semantics.slow_similarity import SlowSimilarity
from semantics.test_similarity_against_pairs import taxonomies
from topics.bag_building import numbers

FARM = farm()
SIMILARITY = TaxonomySimilarity(FARM)
DOG, ANIMAL, GOSSIP = (concept(FARM, name) for name in ("dog", "cat", "gossip"))


def vouched(topic: str, floor: float = 0.5) -> dict[str, Senses]:
    """The senses of each word of a topic on the farm."""
    words = topic.split()
    return dict(zip(words, VouchedSenses(SIMILARITY, floor, company=0).senses(words), strict=True))


@pytest.mark.parametrize(
    ("topic", "senses"),
    [
        ("cat dog", (ANIMAL,)),
        ("cat singer", (GOSSIP,)),
        ("singer cat dog", (ANIMAL, GOSSIP)),
        ("cat gossip", (GOSSIP,)),
        ("cat stone", ()),
        ("cat zorp", ()),
        ("cat", ()),
    ],
    ids=["animal", "gossip", "both", "synonym", "stranger", "unknown company", "alone"],
)
def test_a_sense_counts_where_another_word_vouches_for_it(topic: str, senses: Senses) -> None:
    assert vouched(topic)["cat"] == senses


@pytest.mark.parametrize(("floor", "senses"), [(0.57, (ANIMAL,)), (0.58, ())])
def test_the_floor_is_what_it_takes_to_vouch(floor: float, senses: Senses) -> None:
    """Cat and dog are 4/7 = 0.571 similar."""
    assert vouched("cat dog", floor)["cat"] == senses


def test_a_similarity_right_at_the_floor_is_enough() -> None:
    assert vouched("cat singer", 0.5)["cat"] == (GOSSIP,)


def test_synonyms_vouch_for_each_other_at_any_floor() -> None:
    assert vouched("dog hound", 1.0) == {"dog": (DOG,), "hound": (DOG,)}


def test_a_word_does_not_vouch_for_itself() -> None:
    """Two senses of one word are brothers, 2/3 similar: no company is needed to see it."""
    taxonomy = build_taxonomy(
        {"twin": [3, 4], "stone": [2]}, {1: [], 2: [1], 5: [1], 3: [5], 4: [5]}
    )
    similarity = TaxonomySimilarity(taxonomy, "wu-palmer")
    first, second = taxonomy.concepts("twin").tolist()
    assert similarity.concept_to_all(first)[second] == pytest.approx(2 / 3)
    assert VouchedSenses(similarity, 0.6, company=0).senses(["twin", "stone"]) == [(), ()]


def test_without_enough_company_every_sense_counts() -> None:
    """Four words of which three have a sense: enough for company=3, too few for company=4."""
    words = ["cat", "stone", "zorp", "dog"]
    everything = AllSenses(SIMILARITY).senses(words)
    assert VouchedSenses(SIMILARITY, 0.99, company=4).senses(words) == everything
    assert VouchedSenses(SIMILARITY, 0.99, company=3).senses(words) != everything


def test_unknown_words_have_no_sense_and_vouch_for_none() -> None:
    assert vouched("zorp dog blip") == {"zorp": (), "dog": (), "blip": ()}


def test_a_topic_of_no_words() -> None:
    assert (
        VouchedSenses(SIMILARITY, 0.5, company=0).senses([])
        == AllSenses(SIMILARITY).senses([])
        == []
    )


def test_at_the_floor_0_every_sense_counts() -> None:
    topic = ["cat", "stone", "zorp"]
    everything = AllSenses(SIMILARITY).senses(topic)
    assert everything == [(ANIMAL, GOSSIP), (concept(FARM, "stone"),), ()]
    assert VouchedSenses(SIMILARITY, 0.0, company=0).senses(topic) == everything


def test_a_word_is_similar_in_the_senses_given_alone() -> None:
    """Dog 4/7 by the animal, singer 1/2 by the gossip."""
    senses = VouchedSenses(SIMILARITY, 0.5, company=0)
    for given_, dog, singer in (
        ((ANIMAL,), 4 / 7, 0.0),
        ((GOSSIP,), 0.0, 0.5),
        ((ANIMAL, GOSSIP), 4 / 7, 0.5),
    ):
        row = senses.to_all("cat", given_)
        found = [row[senses.index[word]] for word in ("cat", "dog", "singer")]
        assert found == pytest.approx([1.0, dog, singer])


def test_a_stranger_is_similar_to_itself_alone() -> None:
    row = VouchedSenses(SIMILARITY, 0.5, company=0).to_all("cat", ())
    assert {word for word, at in FARM.index.items() if row[at] > 0.0} == {"cat"}
    assert row[FARM.index["cat"]] == 1.0
    assert not VouchedSenses(SIMILARITY, 0.5, company=0).to_all("zorp", ()).any()


def test_all_senses_are_those_of_the_lexicon() -> None:
    senses = AllSenses(SIMILARITY)
    for word in FARM.lemmas:
        (every,) = senses.senses([word])
        assert list(every) == FARM.concepts(word).tolist()
        assert senses.to_all(word, every).tolist() == SIMILARITY.to_all(word).tolist()


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
    senses = VouchedSenses(TaxonomySimilarity(taxonomy, measure), floor, company=0)
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


def test_four_words_are_remembered_for_each_word_of_the_topic() -> None:
    """The fifth of five topics of one word is one too many: the next topic starts anew."""
    counting = Counting(FARM)
    senses = VouchedSenses(counting, 0.5, company=0)
    words = ["dog", "horse", "cow", "goat", "sheep"]
    once = [concept(FARM, word) for word in words]
    for word in (*words[:4], "dog", "sheep"):
        senses.senses([word])
    assert counting.asked == once
    senses.senses(["dog"])
    senses.senses(["dog"])
    assert counting.asked == [*once, DOG]


def test_the_memory_does_not_grow_with_the_words_that_have_left() -> None:
    """Topics of one word: five at most are remembered, and their pairs both ways."""
    senses = VouchedSenses(SIMILARITY, 0.5, company=0)
    for word in FARM.lemmas:
        senses.senses([word])
        assert len(senses._met) <= 5 and len(senses._near) <= 20


def test_when_a_voucher_leaves_the_topic_the_row_changes() -> None:
    vocabulary = Vocabulary()
    likeness = Likeness(VouchedSenses(SIMILARITY, 0.5, company=0), vocabulary, floor=0.5, power=2.0)
    asked = numbers("cat gossip dog singer", vocabulary)
    rows = {
        "cat dog": [1.0, 0.0, 16 / 49, 0.0],
        "cat singer": [1.0, 1.0, 0.0, 0.25],
        "cat stone": [1.0, 0.0, 0.0, 0.0],
        "cat singer dog": [1.0, 1.0, 16 / 49, 0.25],
        "cat": [1.0, 0.0, 0.0, 0.0],
    }
    for topic, expected in rows.items():
        likeness.take(numbers(topic, vocabulary))
        assert likeness.rows(asked)[:, 0] == pytest.approx(expected, abs=1e-6), topic


@pytest.mark.parametrize(
    ("word", "company", "kinds"),
    [
        ("jaguar", "car roadster engine road", set()),
        ("jaguar", "lion tiger leopard", {"big cat"}),
        ("python", "program compiler software", set()),
        ("python", "snake viper boa", {"boa"}),
        ("compiler", "program software", {"computer program"}),
    ],
)
def test_the_shipped_wordnet(word: str, company: str, kinds: set[str]) -> None:
    """What the vouched sense of a word is a kind of; in strange company it has none."""
    nouns = shipped().nouns
    vouching = VouchedSenses(TaxonomySimilarity(nouns), 0.6, company=0)
    senses = vouching.senses([word, *company.split()])[0]
    names = ConceptNames(nouns)
    assert len(senses) == len(kinds)
    assert {names.sense(sense, word).kind_of[0] for sense in senses} == kinds
