"""The table of similarities as the topic and the vocabulary change."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relevance.told_similarity import LEXICON, OUTSIDE, SIMILARITIES, Told
from scenthound.relevance.likeness import Likeness
from scenthound.text.vocabulary import Vocabulary, Weights
from topics.bag_building import numbers


@dataclass(frozen=True)
class Counting(Told):
    """Remembers what it was asked for."""

    asked: list[str] = field(default_factory=list)

    def to_all(self, word: str, senses: tuple[int, ...]) -> Weights:
        self.asked.append(word)
        return super().to_all(word, senses)


def table(likeness: Likeness, topic: str, words: str, vocabulary: Vocabulary) -> list[list[float]]:
    """Similarities of the topic terms (rows) to the words (columns)."""
    likeness.take(numbers(topic, vocabulary))
    found: list[list[float]] = likeness.rows(numbers(words, vocabulary)).T.tolist()
    return found


TOLD = Told(pairs={"ab": 0.5, "bc": 0.25})


def test_rows_are_topic_terms_and_columns_are_words() -> None:
    vocabulary = Vocabulary()
    found = table(Likeness(TOLD, vocabulary), "b x", "a b c x y", vocabulary)
    assert found == [[0.5, 1.0, 0.25, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0]]


def test_words_that_came_before_and_after_the_topic() -> None:
    vocabulary = Vocabulary()
    likeness = Likeness(TOLD, vocabulary)
    assert table(likeness, "a", "z b a", vocabulary) == [[0.0, 0.5, 1.0]]
    late = numbers(" ".join(f"word{n}" for n in range(3000)), vocabulary)
    assert likeness.rows(late).shape == (3000, 1) and not likeness.rows(late).any()


def test_a_word_keeps_its_row() -> None:
    vocabulary = Vocabulary()
    likeness = Likeness(TOLD, vocabulary)
    likeness.take(numbers("b x", vocabulary))
    found = likeness.rows(numbers("c x q c", vocabulary)).tolist()
    assert found == [[0.25, 0.0], [0.0, 1.0], [0.0, 0.0], [0.25, 0.0]]


def test_no_words_have_no_rows() -> None:
    vocabulary = Vocabulary()
    likeness = Likeness(TOLD, vocabulary)
    likeness.take(numbers("", vocabulary))
    assert likeness.rows(numbers("a b", vocabulary)).shape == (2, 0)
    assert likeness.rows(numbers("", vocabulary)).shape == (0, 0)


def test_topic_terms_outside_the_lexicon_that_leave_no_longer_match() -> None:
    vocabulary = Vocabulary()
    likeness = Likeness(TOLD, vocabulary)
    assert table(likeness, "x a", "x y", vocabulary) == [[1.0, 0.0], [0.0, 0.0]]
    assert table(likeness, "y a", "x y", vocabulary) == [[0.0, 1.0], [0.0, 0.0]]
    assert table(likeness, "a", "x y", vocabulary) == [[0.0, 0.0]]
    assert table(likeness, "y x", "x y", vocabulary) == [[0.0, 1.0], [1.0, 0.0]]


def test_similarities_are_worked_out_once_for_as_long_as_a_term_stays() -> None:
    vocabulary = Vocabulary()
    counting = Counting()
    likeness = Likeness(counting, vocabulary)
    for topic in ("a b", "b c", "c", "b"):
        likeness.take(numbers(topic, vocabulary))
    assert counting.asked == ["a", "b", "c", "b"]


def test_floor_and_power() -> None:
    """0.5 is at the floor and stays: 0.5^3 = 0.125; 0.25 is below."""
    vocabulary = Vocabulary()
    likeness = Likeness(TOLD, vocabulary, floor=0.5, power=3.0)
    assert table(likeness, "b x", "a b c x", vocabulary) == [
        [0.125, 1.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
    ]


WORDS = st.lists(st.sampled_from(LEXICON + OUTSIDE), max_size=6, unique=True).map(" ".join)


@given(SIMILARITIES, st.lists(st.tuples(WORDS, WORDS), max_size=5))
def test_terms_come_and_go(told: Told, steps: list[tuple[str, str]]) -> None:
    """One table through many topics says the same as the similarity itself."""
    vocabulary = Vocabulary()
    likeness = Likeness(told, vocabulary)
    for topic, words in steps:
        expected = [[told.of(term, word) for word in words.split()] for term in topic.split()]
        found = np.array(table(likeness, topic, words, vocabulary))
        assert found.ravel() == pytest.approx([s for row in expected for s in row], abs=1e-7)


def test_sums_over_the_topic_follow_it() -> None:
    """a: 2 x 0.5 + 3 x 0, b: 2 + 0, x: 3; then with another topic a: 5, b: 2.5."""
    vocabulary = Vocabulary()
    likeness = Likeness(TOLD, vocabulary)
    likeness.take(numbers("b x", vocabulary))
    weights = np.array([[2.0, 1.0], [3.0, 0.0]])
    for _ in range(2):
        found = likeness.sums(numbers("a b x a", vocabulary), weights)
        assert found.tolist() == [[1.0, 0.5], [2.0, 1.0], [3.0, 0.0], [1.0, 0.5]]
    late = numbers(" ".join(f"word{n}" for n in range(3000)), vocabulary)
    assert not likeness.sums(late, weights).any()
    likeness.take(numbers("a", vocabulary))
    assert likeness.sums(numbers("a b", vocabulary), np.array([[5.0]])).tolist() == [[5.0], [2.5]]
