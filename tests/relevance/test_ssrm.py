"""SSRM against the double sum it is printed as."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relevance.told_similarity import SIMILARITIES, TEXTS, TOPICS, Told, slow_ssrm
from relevance.weighing import Vector, similarities
from scenthound.relevance.ssrm import Ssrm
from scenthound.text.vocabulary import Vocabulary


def ssrm(texts: list[Vector], columns: list[Vector], told: Told, floor: float = 0.0) -> list[float]:
    vocabulary = Vocabulary()
    form = Ssrm(told.likeness(vocabulary, floor))
    return similarities(form, texts, columns, vocabulary)


@given(TEXTS, TOPICS, SIMILARITIES, st.sampled_from([0.0, 0.3, 0.6, 1.0]))
def test_the_fast_form_is_the_printed_one_the_highest_over_the_columns(
    texts: list[Vector], columns: list[Vector], told: Told, floor: float
) -> None:
    found = ssrm(texts, columns, told, floor)
    expected = [max(slow_ssrm(w, t, told, floor) for t in columns) for w in texts]
    assert found == pytest.approx(expected, abs=1e-6)
    assert all(0.0 <= value <= 1.0 for value in found)


def test_by_hand() -> None:
    """w = (1, 3), t = (1, 1), s = ((1, 0.5), (0.5, 0)): (1 + 0.5 + 3 * 0.5) / (4 * 2) = 3 / 8."""
    told = Told(pairs={"ad": 0.5, "ba": 0.5})
    assert ssrm([{"a": 1.0, "b": 3.0}], [{"a": 1.0, "d": 1.0}], told) == [0.375]


def test_a_text_of_the_topic_term_is_1_and_one_of_a_faint_relative_is_faint() -> None:
    told = Told(pairs={"ab": 0.07})
    found = ssrm([{"a": 2.0}, {"b": 2.0}, {"a": 1.0, "b": 1.0}], [{"a": 5.0}], told)
    assert found == pytest.approx([1.0, 0.07, 0.535])


def test_faint_similarities_add_up_unless_there_is_a_floor() -> None:
    told = Told(pairs={"ad": 0.2, "bd": 0.2, "cd": 0.2})
    texts: list[Vector] = [{"a": 1.0, "b": 1.0, "c": 1.0}]
    assert ssrm(texts, [{"d": 1.0}], told) == pytest.approx([0.2])
    assert ssrm(texts, [{"d": 1.0}], told, floor=0.3) == [0.0]


def test_empty_texts_unknown_words_and_an_empty_topic_give_0() -> None:
    told = Told(pairs={"ab": 0.5})
    assert ssrm([{}, {"x": 1.0}, {"a": 0.0}], [{"a": 1.0}], told) == [0.0, 0.0, 0.0]
    assert ssrm([{"a": 1.0}, {}], [{}], told) == [0.0, 0.0]
    assert ssrm([], [{"a": 1.0}], told) == []


def test_a_topic_term_outside_the_lexicon_is_similar_to_itself() -> None:
    assert ssrm([{"x": 1.0}, {"y": 1.0}], [{"x": 1.0}], Told()) == [1.0, 0.0]
