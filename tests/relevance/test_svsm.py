"""SVSM against the double sum it is printed as, the papers' figures, and its known flaw."""

from __future__ import annotations

import pytest
from hypothesis import given

from relevance.told_similarity import SIMILARITIES, TEXTS, TOPICS, Told, slow_svsm
from relevance.weighing import Vector, similarities
from scenthound.relevance.svsm import Svsm
from scenthound.text.vocabulary import Vocabulary


def svsm(texts: list[Vector], columns: list[Vector], told: Told) -> list[float]:
    vocabulary = Vocabulary()
    return similarities(Svsm(told.likeness(vocabulary)), texts, columns, vocabulary)


@given(TEXTS, TOPICS, SIMILARITIES)
def test_the_fast_form_is_the_printed_one_the_highest_over_the_columns(
    texts: list[Vector], columns: list[Vector], told: Told
) -> None:
    found = svsm(texts, columns, told)
    expected = [max(slow_svsm(w, t, told) for t in columns) for w in texts]
    assert found == pytest.approx(expected, abs=1e-6)
    assert all(0.0 <= value <= 1.0 for value in found)


def test_figure_2_of_svsm_mcoa() -> None:
    rows = {"a": (0.99, 0.72, 0.72), "b": (0.80, 0.61, 0.61)}
    pairs = {i + j: s for i, row in rows.items() for j, s in zip("cde", row, strict=True)}
    topic = {"c": 0.119, "d": 0.106, "e": 0.196}
    (found,) = svsm([{"a": 1.493, "b": 1.182}], [topic], Told(pairs=pairs))
    assert found == pytest.approx(0.9598, abs=5e-5)


def test_figure_2_of_bsvsm_ha() -> None:
    """Eq. 4; the figure's own 0.92 takes the first row of s for the second word."""
    pairs = {"ac": 0.85, "ad": 0.40, "bc": 0.99, "bd": 0.84}
    (found,) = svsm([{"a": 0.32, "b": 1.18}], [{"c": 0.84, "d": 0.52}], Told(pairs=pairs))
    assert found == pytest.approx(0.869, abs=5e-4)


def test_the_flaw_a_faint_relative_scores_like_a_synonym() -> None:
    """One word, one topic term: whatever their similarity, it cancels."""
    told = Told(pairs={"ab": 0.07, "ac": 1.0})
    assert svsm([{"b": 1.0}, {"c": 1.0}], [{"a": 1.0}], told) == pytest.approx([1.0, 1.0])


def test_a_page_is_compared_as_if_the_topic_had_no_other() -> None:
    """The terms of other pages must not lengthen the vector of the text."""
    told = Told(pairs={"ab": 0.5, "bc": 0.9})
    (alone,) = svsm([{"b": 1.0}], [{"a": 1.0}], told)
    (beside,) = svsm([{"b": 1.0}], [{"a": 1.0}, {"c": 1.0, "x": 1.0}], told)
    assert alone == pytest.approx(1.0)
    assert beside == pytest.approx(1.0)


def test_terms_without_weight_are_not_in_the_text() -> None:
    told = Told(pairs={"ab": 0.5, "ac": 0.9, "bc": 0.4})
    with_zero, without = svsm([{"b": 2.0, "c": 0.0}, {"b": 2.0}], [{"a": 1.0, "c": 3.0}], told)
    assert with_zero == pytest.approx(without)
    assert svsm([{"c": 0.0}], [{"a": 1.0}], told) == [0.0]


def test_empty_texts_unknown_words_and_an_empty_topic_give_0() -> None:
    told = Told(pairs={"ab": 0.5})
    assert svsm([{}, {"x": 1.0}, {"f": 1.0}], [{"a": 1.0}], told) == [0.0, 0.0, 0.0]
    assert svsm([{"a": 1.0}, {}], [{}], told) == [0.0, 0.0]
    assert svsm([], [{"a": 1.0}], told) == []


def test_a_topic_term_outside_the_lexicon_is_similar_to_itself() -> None:
    assert svsm([{"x": 1.0}, {"y": 1.0}], [{"x": 2.0}], Told()) == [1.0, 0.0]
