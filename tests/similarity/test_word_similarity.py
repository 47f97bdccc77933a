"""Similarity of words: of concepts in a taxonomy, by the senses that count, and in tables."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.core.errors import UnknownNameError
from scenthound.similarity import word_similarity
from scenthound.similarity import wordnet_similarity as measures
from scenthound.similarity.topic_senses import ConceptNames
from scenthound.similarity.vector_similarity import Table
from scenthound.similarity.word_similarity import (
    LexiconSimilarityTable,
    Senses,
    SupportedSenses,
    TaxonomySimilarity,
    VectorSimilarityTable,
)
from scenthound.similarity.wordnet_similarity import (
    LSOS,
    MEASURES,
    ancestor_distances,
    information_content,
)
from scenthound.text.terms import Vocabulary, Weights
from scenthound.text.wordnet import Taxonomy, build_taxonomy
from scenthound.text.wordnet_files import shipped
from similarity.bag_building import numbers
from similarity.farm import NAMES, concept, farm
from similarity.fixed_similarity import LEXICON, OUTSIDE, SIMILARITIES, FixedSimilarity

# The slow way: all pairs of senses, sets of ancestors, as printed.


class SlowSimilarity:
    """Everything worked out from the parents alone, a pair at a time."""

    def __init__(self, taxonomy: Taxonomy) -> None:
        self._taxonomy = taxonomy
        self._parents = [taxonomy.parents[c].tolist() for c in range(len(taxonomy))]

    @cached_property
    def _up(self) -> list[dict[int, int]]:
        """Of each concept: its ancestors, and the edges up to each; parents come first."""
        up: list[dict[int, int]] = []
        for number, parents in enumerate(self._parents):
            ways: dict[int, int] = {}
            for parent in parents:
                for ancestor, steps in up[parent].items():
                    ways[ancestor] = min(steps + 1, ways.get(ancestor, steps + 1))
            up.append({number: 0, **ways})
        return up

    @cached_property
    def _below(self) -> Counter[int]:
        return Counter(ancestor for up in self._up for ancestor in up)

    @cached_property
    def _longest(self) -> int:
        longest: list[int] = []
        for parents in self._parents:
            longest.append(1 + max((longest[p] for p in parents), default=0))
        return max(longest)

    def information(self, concept: int) -> float:
        if concept == 0:
            return 0.0
        return 1.0 - math.log(self._below[concept]) / math.log(len(self._parents))

    def depth(self, concept: int) -> int:
        return self._up[concept][0] + 1

    def concepts(self, measure: str, lso: str, first: int, second: int) -> float:
        """Similarity of two concepts; 1 for one and the same."""
        if first == second:
            return 1.0
        one, two = self._up[first], self._up[second]
        shared = one.keys() & two.keys()
        deepest = max(self.depth(c) for c in shared)
        candidates = [c for c in shared if lso == "informative" or self.depth(c) == deepest]
        common = max(self.information(c) for c in candidates)
        both = self.information(first) + self.information(second)
        length = min(one[c] + two[c] for c in shared)
        values = {
            "lin": 2 * common / both,
            "resnik": common,
            "jiang-conrath": 1 - (both - 2 * common) / 2,
            "wu-palmer": 2 * deepest / (length + 2 * deepest),
            "leacock-chodorow": math.log(2 * self._longest / (length + 1))
            / math.log(2 * self._longest),
            "li": math.exp(-0.2 * length) * math.tanh(0.6 * (deepest - 1)),
            "tversky": 2 * len(shared) / (len(one) + len(two)),
        }
        return values[measure]

    def words(self, measure: str, lso: str, first: str, second: str) -> float:
        """The most similar pair of senses; 1 for equal words, 0 if one has no sense."""
        pairs = [
            (a, b)
            for a in self._taxonomy.concepts(first).tolist()
            for b in self._taxonomy.concepts(second).tolist()
        ]
        values = [self.concepts(measure, lso, a, b) for a, b in pairs]
        return 1.0 if first == second else max(values, default=0.0)


FARM = farm()
SIMILARITY = TaxonomySimilarity(FARM)
DOG, ANIMAL, GOSSIP = (concept(FARM, name) for name in ("dog", "cat", "gossip"))
KINDS = [(measure, lso) for measure in MEASURES for lso in LSOS]


@st.composite
def taxonomies(draw: st.DrawFn) -> Taxonomy:
    """Up to twelve concepts, each with any earlier ones as parents; words with any senses."""
    size = draw(st.integers(1, 12))
    parents = {
        concept: draw(st.lists(st.integers(0, concept - 1), unique=True, max_size=3))
        if concept
        else []
        for concept in range(size)
    }
    senses = st.lists(st.integers(0, size - 1), unique=True, max_size=4)
    return build_taxonomy({word: draw(senses) for word in "abcde"}, parents)


@given(taxonomies())
@settings(max_examples=40)
def test_words_and_concepts_of_random_taxonomies(taxonomy: Taxonomy) -> None:
    slow = SlowSimilarity(taxonomy)
    lemmas, everyone = taxonomy.lemmas, range(len(taxonomy))
    for measure, lso in KINDS:
        fast = TaxonomySimilarity(taxonomy, measure, lso)
        rows = np.array([fast.to_all(word) for word in lemmas])
        expected = [[slow.words(measure, lso, a, b) for b in lemmas] for a in lemmas]
        assert rows == pytest.approx(np.array(expected), abs=1e-9)
        assert np.array_equal(rows, rows.T) and np.all(np.diag(rows) == 1.0)
        assert rows.min() >= 0.0 and rows.max() <= 1.0
        of_concepts = np.array([fast.concept_to(concept) for concept in everyone])
        slowly = [[slow.concepts(measure, lso, a, b) for b in everyone] for a in everyone]
        assert of_concepts == pytest.approx(np.array(slowly), abs=1e-9)


def companions(taxonomy: Taxonomy, word: str, chance: random.Random) -> Sequence[str]:
    """Five words at random, and five of the most similar: random ones share the root alone."""
    near = np.argsort(TaxonomySimilarity(taxonomy).to_all(word), kind="stable")[-100:]
    numbers = chance.sample(near.tolist(), 5) + chance.sample(range(len(taxonomy.lemmas)), 5)
    return [taxonomy.lemmas[number] for number in numbers]


def test_words_of_wordnet() -> None:
    """Pairs with all their senses, half of the first words with several."""
    for part in ["nouns", "verbs"]:
        taxonomy: Taxonomy = getattr(shipped(), part)
        chance = random.Random(7)
        several = np.flatnonzero(np.diff(taxonomy.senses.starts) > 2).tolist()
        numbers = chance.sample(several, 1) + chance.sample(range(len(taxonomy.lemmas)), 1)
        words = [taxonomy.lemmas[number] for number in numbers]
        others = {word: companions(taxonomy, word, chance) for word in words}
        slow = SlowSimilarity(taxonomy)
        # Nouns are six times as many: with them one measure of each sort.
        for measure, lso in KINDS if part == "verbs" else KINDS[::3]:
            fast = TaxonomySimilarity(taxonomy, measure, lso)
            for word in words:
                row = fast.to_all(word)
                for other in others[word]:
                    expected = pytest.approx(slow.words(measure, lso, word, other), abs=1e-9)
                    assert row[taxonomy.index[other]] == expected, (measure, lso, word, other)


# Each measure by hand, on single numbers and on arrays.

SHARES = st.floats(0.0, 1.0)


@given(SHARES, SHARES, SHARES)
def test_lin_equals_the_printed_quotient(lso: float, more: float, still_more: float) -> None:
    first, second = max(lso, more), max(lso, still_more)
    value = measures.lin(lso, first, second)
    assert 0.0 <= value <= 1.0
    assert value == measures.lin(lso, second, first)
    if first + second > 1e-300:
        assert value == pytest.approx(2 * lso / (first + second), abs=1e-12)


def test_tversky_ratio() -> None:
    assert measures.tversky_ratio(4.0, 1.0, 1.0) == pytest.approx(0.8)
    assert measures.tversky_ratio(1.0, 5.0, 2.0) == pytest.approx(2 / 9)
    assert measures.tversky_ratio(3.0, 0.0, 0.0) == 1.0


# Intrinsic information content on numbers that come out in quarters.


def test_information_by_hand() -> None:
    names = ("entity", "object", "animal", "pet", "dog", "stone")
    values = [information_content(FARM)[concept(FARM, name)] for name in names]
    expected = [0.0, 1 - math.log2(10) / 4, 0.25, 0.5, 0.75, 1.0]
    assert values == pytest.approx(expected, abs=1e-12)


# Marks that flow down a taxonomy, against what one reads off the drawing.


def test_climbing_takes_the_shortest_way() -> None:
    """Two parents: the root is two steps up through pet, three through animal."""
    names = {concept(FARM, name): name for name in NAMES}
    steps = {names[c]: n for c, n in ancestor_distances(FARM, DOG).items()}
    assert steps == {"dog": 0, "animal": 1, "pet": 1, "object": 2, "entity": 2}
    assert next(iter(ancestor_distances(FARM, DOG))) == DOG


# Senses that count for a topic, by hand on the farm; "cat" is an animal or a gossip. By Lin's
# measure the animal is 4/7 similar to a dog and the gossip 1/2 to a singer; a stone is less than
# 1/5 similar to anything.


def vouched(topic: str, floor: float = 0.5) -> dict[str, Senses]:
    """The senses of each word of a topic on the farm."""
    words = topic.split()
    senses = SupportedSenses(SIMILARITY, floor, min_nouns=0).senses(words)
    return dict(zip(words, senses, strict=True))


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
    # Four words of which three have a sense: enough for min_nouns=3, too few for company=4.
    words = ["cat", "stone", "zorp", "dog"]
    everything = SIMILARITY.senses(words)
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


def test_the_shipped_wordnet() -> None:
    """What the vouched sense of a word is a kind of; in strange company it has none."""
    cases: list[tuple[str, str, set[str]]] = [
        ("jaguar", "car roadster engine road", set()),
        ("jaguar", "lion tiger leopard", {"big cat"}),
        ("python", "program compiler software", set()),
        ("python", "snake viper boa", {"boa"}),
        ("compiler", "program software", {"computer program"}),
    ]
    nouns = shipped().nouns
    vouching = SupportedSenses(TaxonomySimilarity(nouns), 0.6, min_nouns=0)
    names = ConceptNames(nouns)
    for word, company, kinds in cases:
        senses = vouching.senses([word, *company.split()])[0]
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


def test_dog_and_cat() -> None:
    for (measure, lso), expected in DOG_AND_CAT.items():
        similarity = TaxonomySimilarity(FARM, measure, lso)
        assert similarity.to_all("dog")[FARM.index["cat"]] == pytest.approx(expected, abs=1e-12)
        assert similarity.to_all("cat")[FARM.index["dog"]] == pytest.approx(expected, abs=1e-12)
    with pytest.raises(UnknownNameError, match=r"unknown measure of similarity 'lim'.*'lin'"):
        TaxonomySimilarity(FARM, "lim")
    with pytest.raises(UnknownNameError, match=r"ancestor \(lso\) 'deep'.*'deepest'"):
        TaxonomySimilarity(FARM, lso="deep")


def test_synonyms_and_a_word_with_itself_are_exactly_1_and_an_unknown_word_0() -> None:
    for measure in MEASURES:
        similarity = TaxonomySimilarity(FARM, measure)
        for word, same in (("dog", "hound"), ("cat", "gossip"), ("entity", "entity")):
            assert similarity.to_all(word)[FARM.index[same]] == 1.0
        assert not similarity.to_all("zorp").any()


# The table of similarities as the topic and the vocabulary change.


@dataclass(frozen=True)
class CountingSimilarity(FixedSimilarity):
    """Remembers what it was asked for."""

    asked: list[str] = field(default_factory=list)

    def to_all(self, word: str, senses: tuple[int, ...]) -> Weights:
        self.asked.append(word)
        return super().to_all(word, senses)


def table(
    rows: LexiconSimilarityTable, topic: str, words: str, vocabulary: Vocabulary
) -> list[list[float]]:
    """Similarities of the topic terms (rows) to the words (columns)."""
    rows.take(numbers(topic, vocabulary))
    found: list[list[float]] = rows.rows(numbers(words, vocabulary)).T.tolist()
    return found


TABLE_SIMILARITY = FixedSimilarity(pairs={"ab": 0.5, "bc": 0.25})


def test_similarities_are_worked_out_once_for_as_long_as_a_term_stays() -> None:
    vocabulary = Vocabulary()
    counting = CountingSimilarity()
    rows = LexiconSimilarityTable(counting, vocabulary)
    for topic in ("a b", "b c", "c", "b"):
        rows.take(numbers(topic, vocabulary))
    assert counting.asked == ["a", "b", "c", "b"]


def test_floor_and_power() -> None:
    """0.5 is at the floor and stays: 0.5^3 = 0.125; 0.25 is below."""
    vocabulary = Vocabulary()
    rows = LexiconSimilarityTable(TABLE_SIMILARITY, vocabulary, floor=0.5, power=3.0)
    assert table(rows, "b x", "a b c x", vocabulary) == [
        [0.125, 1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]


WORDS = st.lists(st.sampled_from(LEXICON + OUTSIDE), max_size=6, unique=True).map(" ".join)


@given(SIMILARITIES, st.lists(st.tuples(WORDS, WORDS), max_size=5))
def test_terms_come_and_go(similarity: FixedSimilarity, steps: list[tuple[str, str]]) -> None:
    """One table through many topics says the same as the similarity itself."""
    vocabulary = Vocabulary()
    rows = LexiconSimilarityTable(similarity, vocabulary)
    for topic, words in steps:
        expected = [[similarity.of(term, word) for word in words.split()] for term in topic.split()]
        found = np.array(table(rows, topic, words, vocabulary))
        assert found.ravel() == pytest.approx([s for row in expected for s in row], abs=1e-7)


def test_sums_over_the_topic_follow_it() -> None:
    """a: 2 x 0.5 + 3 x 0, b: 2 + 0, x: 3; then with another topic a: 5, b: 2.5."""
    vocabulary = Vocabulary()
    rows = LexiconSimilarityTable(TABLE_SIMILARITY, vocabulary)
    rows.take(numbers("b x", vocabulary))
    weights = np.array([[2.0, 1.0], [3.0, 0.0]])
    for _ in range(2):
        found = rows.sums(numbers("a b x a", vocabulary), weights)
        assert found.tolist() == [[1.0, 0.5], [2.0, 1.0], [3.0, 0.0], [1.0, 0.5]]
    late = numbers(" ".join(f"word{n}" for n in range(3000)), vocabulary)
    assert not rows.sums(late, weights).any()
    rows.take(numbers("a", vocabulary))
    assert rows.sums(numbers("a b", vocabulary), np.array([[5.0]])).tolist() == [[5.0], [2.5]]


# Rows that are worked out as words are met equal those of a lexicon that knows them all.


class Pairs:
    """The fixed similarities as a table, and what it was asked for."""

    def __init__(self, fixed: FixedSimilarity) -> None:
        self._reported = fixed
        self.asked: list[tuple[Sequence[str], Sequence[str]]] = []

    def similarities(self, terms: Sequence[str], topic_terms: Sequence[str]) -> Table:
        self.asked.append((terms, topic_terms))
        rows = [[self._reported.of(term, other) for other in topic_terms] for term in terms]
        return np.array(rows, np.float32).reshape(len(terms), len(topic_terms))

    def among(self, topic_terms: Sequence[str]) -> Table:
        return self.similarities(topic_terms, topic_terms)


TOPIC = st.lists(st.sampled_from(LEXICON), unique=True, min_size=1)
STEPS = st.lists(st.tuples(TOPIC, st.lists(st.sampled_from(LEXICON), min_size=1)), max_size=5)


@given(SIMILARITIES, STEPS, st.sampled_from([0.0, 0.6]), st.sampled_from([1.0, 4.0]))
def test_as_a_lexicon_whatever_topics_and_words_come(
    fixed: FixedSimilarity, steps: list[tuple[list[str], list[str]]], floor: float, power: float
) -> None:
    vocabulary, pairs = Vocabulary(), Pairs(fixed)
    found = VectorSimilarityTable(lambda: pairs, vocabulary, floor, power)
    expected = fixed.table(vocabulary, floor, power)
    for topic, words in steps:
        ids = np.array([vocabulary.number(word) for word in topic], np.int32)
        own = np.array([vocabulary.number(word) for word in words], np.int32)
        found.take(ids)
        expected.take(ids)
        assert found.rows(own) == pytest.approx(expected.rows(own), abs=1e-6)
        assert found.among() == pytest.approx(expected.among(), abs=1e-6)


def test_only_what_is_new_is_compared() -> None:
    vocabulary, pairs = Vocabulary(), Pairs(FixedSimilarity())
    table = VectorSimilarityTable(lambda: pairs, vocabulary)
    table.take(numbers("a b", vocabulary))
    table.rows(numbers("c d", vocabulary))
    table.rows(numbers("d c e", vocabulary))
    table.take(numbers("b f", vocabulary))
    table.rows(numbers("c d e", vocabulary))
    assert pairs.asked == [(["c", "d"], ["a", "b"]), (["e"], ["a", "b"]), (["c", "d", "e"], ["f"])]


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_similarity, "_CACHED_TERMS", 3)
    vocabulary, fixed = Vocabulary(), FixedSimilarity(pairs={"ac": 0.5, "ae": 0.25})
    pairs = Pairs(fixed)
    table = VectorSimilarityTable(lambda: pairs, vocabulary)
    table.take(numbers("a", vocabulary))
    for words, rows in (("bc", [0.0, 0.5]), ("de", [0.0, 0.25]), ("cb", [0.5, 0.0])):
        assert table.rows(numbers(" ".join(words), vocabulary))[:, 0].tolist() == rows
