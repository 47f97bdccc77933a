"""All words at once must be what the slow comparison of pairs gives."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.similarity.concept_similarity import LSOS, MEASURES
from scenthound.similarity.word_similarity import TaxonomySimilarity
from scenthound.text.wordnet import Taxonomy, build_taxonomy
from scenthound.text.wordnet_files import shipped
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
def test_random_taxonomies(taxonomy: Taxonomy) -> None:
    slow = SlowSimilarity(taxonomy)
    for measure, lso in KINDS:
        fast = TaxonomySimilarity(taxonomy, measure, lso)
        rows = np.array([fast.to_all(word) for word in taxonomy.lemmas])
        expected = [
            [slow.words(measure, lso, a, b) for b in taxonomy.lemmas] for a in taxonomy.lemmas
        ]
        assert rows == pytest.approx(np.array(expected), abs=1e-9)
        assert np.array_equal(rows, rows.T)
        assert np.all(np.diag(rows) == 1.0)
        assert rows.min() >= 0.0 and rows.max() <= 1.0


@given(taxonomies())
@settings(max_examples=15)
def test_concepts_of_random_taxonomies(taxonomy: Taxonomy) -> None:
    slow = SlowSimilarity(taxonomy)
    everyone = range(len(taxonomy))
    for measure, lso in KINDS:
        fast = TaxonomySimilarity(taxonomy, measure, lso)
        rows = np.array([fast.concept_to_all(concept) for concept in everyone])
        expected = [[slow.concepts(measure, lso, a, b) for b in everyone] for a in everyone]
        assert rows == pytest.approx(np.array(expected), abs=1e-9)
        few = np.arange(0, len(taxonomy), 2, dtype=np.int32)
        some = np.array([fast.concept_to(concept, few) for concept in everyone])
        assert np.array_equal(some, rows[:, few])


def companions(taxonomy: Taxonomy, word: str, chance: random.Random) -> Sequence[str]:
    """Five words at random, and five of the most similar: random ones share the root alone."""
    near = np.argsort(TaxonomySimilarity(taxonomy).to_all(word), kind="stable")[-100:]
    numbers = chance.sample(near.tolist(), 5) + chance.sample(range(len(taxonomy.lemmas)), 5)
    return [taxonomy.lemmas[number] for number in numbers]


def test_words_of_wordnet() -> None:
    """90 pairs with all their senses, a third of the first words with several."""
    for part in ["nouns", "verbs"]:
        taxonomy: Taxonomy = getattr(shipped(), part)
        chance = random.Random(7)
        several = np.flatnonzero(np.diff(taxonomy.senses.starts) > 2).tolist()
        numbers = chance.sample(several, 3) + chance.sample(range(len(taxonomy.lemmas)), 6)
        words = [taxonomy.lemmas[number] for number in numbers]
        others = {word: companions(taxonomy, word, chance) for word in words}
        slow = SlowSimilarity(taxonomy)
        for measure, lso in KINDS:
            fast = TaxonomySimilarity(taxonomy, measure, lso)
            for word in words:
                row = fast.to_all(word)
                for other in others[word]:
                    expected = pytest.approx(slow.words(measure, lso, word, other), abs=1e-9)
                    assert row[taxonomy.index[other]] == expected, (measure, lso, word, other)
