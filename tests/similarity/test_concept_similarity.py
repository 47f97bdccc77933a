"""All words at once must be what the slow comparison of pairs gives."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.similarity import concept_similarity as measures
from scenthound.similarity.concept_similarity import (
    LSOS,
    MEASURES,
    ancestor_distances,
    information_content,
)
from scenthound.similarity.word_similarity import TaxonomySimilarity
from scenthound.text.wordnet import Taxonomy, build_taxonomy
from scenthound.text.wordnet_files import shipped
from similarity.farm import NAMES, concept, farm
from similarity.slow_similarity import SlowSimilarity

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
    few = np.arange(0, len(taxonomy), 2, dtype=np.int32)
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
        some = np.array([fast.concept_to(concept, few) for concept in everyone])
        assert np.array_equal(some, of_concepts[:, few])


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
    for name, expected in [
        ("entity", 0.0),
        ("object", 1 - math.log2(10) / 4),
        ("animal", 0.25),
        ("pet", 0.5),
        ("dog", 0.75),
        ("stone", 1.0),
    ]:
        taxonomy = farm()
        value = information_content(taxonomy)[concept(taxonomy, name)]
        assert value == pytest.approx(expected, abs=1e-12)


# Marks that flow down a taxonomy, against what one reads off the drawing.

FARM = farm()
DOG = concept(FARM, "dog")


def test_climbing_takes_the_shortest_way() -> None:
    """Two parents: the root is two steps up through pet, three through animal."""
    names = {concept(FARM, name): name for name in NAMES}
    steps = {names[c]: n for c, n in ancestor_distances(FARM, DOG).items()}
    assert steps == {"dog": 0, "animal": 1, "pet": 1, "object": 2, "entity": 2}
    assert next(iter(ancestor_distances(FARM, DOG))) == DOG
