"""The table of similarities as the topic and the vocabulary change."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.similarity.word_similarity import LexiconSimilarityTable
from scenthound.text.terms import Vocabulary, Weights
from similarity.bag_building import numbers
from similarity.fixed_similarity import LEXICON, OUTSIDE, SIMILARITIES, FixedSimilarity


@dataclass(frozen=True)
class Counting(FixedSimilarity):
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


SIMILARITY = FixedSimilarity(pairs={"ab": 0.5, "bc": 0.25})


def test_topic_terms_outside_the_lexicon_that_leave_no_longer_match() -> None:
    vocabulary = Vocabulary()
    rows = LexiconSimilarityTable(SIMILARITY, vocabulary)
    assert table(rows, "x a", "x y", vocabulary) == [[1.0, 0.0], [0.0, 0.0]]
    assert table(rows, "y a", "x y", vocabulary) == [[0.0, 1.0], [0.0, 0.0]]
    assert table(rows, "a", "x y", vocabulary) == [[0.0, 0.0]]
    assert table(rows, "y x", "x y", vocabulary) == [[0.0, 1.0], [1.0, 0.0]]


def test_similarities_are_worked_out_once_for_as_long_as_a_term_stays() -> None:
    vocabulary = Vocabulary()
    counting = Counting()
    rows = LexiconSimilarityTable(counting, vocabulary)
    for topic in ("a b", "b c", "c", "b"):
        rows.take(numbers(topic, vocabulary))
    assert counting.asked == ["a", "b", "c", "b"]


def test_floor_and_power() -> None:
    """0.5 is at the floor and stays: 0.5^3 = 0.125; 0.25 is below."""
    vocabulary = Vocabulary()
    rows = LexiconSimilarityTable(SIMILARITY, vocabulary, floor=0.5, power=3.0)
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
    rows = LexiconSimilarityTable(SIMILARITY, vocabulary)
    rows.take(numbers("b x", vocabulary))
    weights = np.array([[2.0, 1.0], [3.0, 0.0]])
    for _ in range(2):
        found = rows.sums(numbers("a b x a", vocabulary), weights)
        assert found.tolist() == [[1.0, 0.5], [2.0, 1.0], [3.0, 0.0], [1.0, 0.5]]
    late = numbers(" ".join(f"word{n}" for n in range(3000)), vocabulary)
    assert not rows.sums(late, weights).any()
    rows.take(numbers("a", vocabulary))
    assert rows.sums(numbers("a b", vocabulary), np.array([[5.0]])).tolist() == [[5.0], [2.5]]
