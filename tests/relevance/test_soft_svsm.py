"""Soft SVSM against its double sum, and that it has not the flaw of SVSM."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relevance.told_similarity import SIMILARITIES, TEXTS, TOPICS, Told, slow_soft_svsm
from relevance.weighing import Vector, similarities
from scenthound.relevance.soft_svsm import SoftSvsm
from scenthound.text.vocabulary import Vocabulary


def soft(
    texts: list[Vector], columns: list[Vector], told: Told, floor: float = 0.0, power: float = 1.0
) -> list[float]:
    vocabulary = Vocabulary()
    form = SoftSvsm(told.likeness(vocabulary, floor, power))
    return similarities(form, texts, columns, vocabulary)


@given(
    TEXTS, TOPICS, SIMILARITIES, st.sampled_from([0.0, 0.3, 0.6]), st.sampled_from([0.5, 1.0, 4.0])
)
def test_the_fast_form_is_the_formula_the_highest_over_the_columns(
    texts: list[Vector], columns: list[Vector], told: Told, floor: float, power: float
) -> None:
    found = soft(texts, columns, told, floor, power)
    expected = [max(slow_soft_svsm(w, t, told, floor, power) for t in columns) for w in texts]
    assert found == pytest.approx(expected, abs=1e-6)
    assert all(0.0 <= value <= 1.0 for value in found)


def test_by_hand() -> None:
    """w = (3, 4), s = 0.9 and 0.5: 3 * 0.9^4 / 5 = 0.39366, the other is below the floor.

    With a second topic term, 0.8 to the first: norm sqrt(1 + 1 + 2 * 0.8^4) = 1.679047.
    """
    told = Told(pairs={"ac": 0.9, "bc": 0.5, "cd": 0.8})
    texts: list[Vector] = [{"a": 3.0, "b": 4.0}]
    (one,) = soft(texts, [{"c": 2.0}], told, floor=0.6, power=4.0)
    (two,) = soft(texts, [{"c": 1.0, "d": 1.0}], told, floor=0.6, power=4.0)
    assert one == pytest.approx(0.39366, abs=1e-6)
    assert two == pytest.approx(0.39366 / 1.679047, abs=1e-6)


def test_a_faint_relative_scores_faintly() -> None:
    """Where SVSM gives both of them 1."""
    told = Told(pairs={"ab": 0.07, "ac": 1.0})
    texts: list[Vector] = [{"b": 1.0}, {"c": 1.0}]
    assert soft(texts, [{"a": 1.0}], told) == pytest.approx([0.07, 1.0])
    assert soft(texts, [{"a": 1.0}], told, power=2.0) == pytest.approx([0.0049, 1.0])
    assert soft(texts, [{"a": 1.0}], told, floor=0.6) == pytest.approx([0.0, 1.0])


@pytest.mark.parametrize("k", [2, 5])
def test_synonyms_that_would_reach_the_root_of_their_number_are_cut_off_at_1(k: int) -> None:
    told = Told(pairs={f"a{word}": 1.0 for word in "bcdef"})
    text = dict.fromkeys("bcdef"[:k], 1.0)
    assert soft([text], [{"a": 1.0}], told) == [1.0]
    (half,) = soft([{**text, "x": math.sqrt(3 * k)}], [{"a": 1.0}], told)
    assert half == pytest.approx(min(1.0, math.sqrt(k) / 2))


def test_without_a_lexicon_it_is_the_cosine() -> None:
    """(1, 1) and (1, 1) with one term in common."""
    (found,) = soft([{"x": 1.0, "y": 1.0}], [{"x": 1.0, "z": 1.0}], Told(words=""))
    assert found == pytest.approx(0.5)


def test_empty_texts_unknown_words_and_an_empty_topic_give_0() -> None:
    told = Told(pairs={"ab": 0.5})
    assert soft([{}, {"x": 1.0}, {"a": 0.0}], [{"a": 1.0}], told) == [0.0, 0.0, 0.0]
    assert soft([{"a": 1.0}, {}], [{}], told) == [0.0, 0.0]
    assert soft([], [{"a": 1.0}], told) == []


def test_a_topic_term_outside_the_lexicon_is_similar_to_itself() -> None:
    assert soft([{"x": 1.0}, {"y": 1.0}], [{"x": 2.0}], Told(), 0.6, 4.0) == [1.0, 0.0]
