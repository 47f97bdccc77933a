"""Weights of concepts on pages and in anchors, worked by hand (olmoaco Eq. 5-8)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scenthound.core.errors import UnknownNameError
from scenthound.relevance.concept_formulas import (
    GROUP_WEIGHTS,
    anchor_weights,
    cosines,
    page_weights,
)
from scenthound.text.vocabulary import Weights

COUNTS = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [4.0, 1.0, 0.0], [0, 3.0, 0]])
"""Three concepts: one in title and body, one in heading, body and the rest, one nowhere."""


def test_largest_frequency_is_that_of_the_word() -> None:
    """2 x 1/4 + 1.0 x 4/4 = 1.5; 1.5 x 2/3 + 1.0 x 1/3 + 0.2 x 3/3 = 1.5333."""
    assert page_weights(COUNTS).tolist() == pytest.approx([1.5, 1.0 + 1 / 3 + 0.2, 0.0])


def test_largest_frequency_is_that_of_the_group() -> None:
    """2 x 1/1 + 1.0 x 4/4 = 3; 1.5 x 2/2 + 1.0 x 1/4 + 0.2 x 3/3 = 1.95."""
    assert page_weights(COUNTS, "group").tolist() == pytest.approx([3.0, 1.95, 0.0])


@pytest.mark.parametrize("norm", ["word", "group"])
@pytest.mark.parametrize("often", [1, 100])
@pytest.mark.parametrize("group", range(5))
def test_word_of_one_group_weighs_what_the_group_does(norm: str, often: int, group: int) -> None:
    counts = np.zeros((5, 2))
    counts[group, 1] = often
    assert page_weights(counts, norm).tolist() == [0.0, GROUP_WEIGHTS[group]]


def test_groups_weigh_as_printed() -> None:
    assert GROUP_WEIGHTS == (2.0, 1.5, 1.2, 1.0, 0.2)


@pytest.mark.parametrize("norm", ["word", "group"])
def test_no_concepts_and_no_words_weigh_nothing(norm: str) -> None:
    assert page_weights(np.zeros((5, 0)), norm).tolist() == []
    assert page_weights(np.zeros((5, 2)), norm).tolist() == [0.0, 0.0]


def test_unknown_norm_says_what_there_is() -> None:
    with pytest.raises(UnknownNameError, match="norm"):
        page_weights(COUNTS, "words")


def test_page_with_one_concept_scores_its_weight_over_the_length_of_the_topic() -> None:
    topic = np.array([1.0, 0.5, 0.25])
    for column, weight in enumerate(topic):
        counts = np.zeros((5, 3))
        counts[3, column] = 7.0
        (found,) = cosines(page_weights(counts)[None, :], topic)
        assert found == pytest.approx(weight / math.sqrt(1.0 + 0.25 + 0.0625))


def test_cosine_of_nothing_is_nothing() -> None:
    assert cosines(np.zeros((2, 3)), np.ones(3)).tolist() == [0.0, 0.0]
    assert cosines(np.ones((1, 2)), np.zeros(2)).tolist() == [0.0]
    assert cosines(np.zeros((0, 2)), np.ones(2)).tolist() == []
    assert cosines(np.zeros((1, 0)), np.zeros(0)).tolist() == [0.0]


def literal_anchor(counts: Weights, pages: int, containing: Weights, base: float) -> list[float]:
    """Eq. 7 as it is printed: f_i / sum f * log_k(N / N_i + 0.01)."""
    total = sum(counts)
    return [
        f / total * math.log(max(1, pages) / max(1.0, n) + 0.01, base) if f else 0.0
        for f, n in zip(counts, containing, strict=True)
    ]


def literal_cosine(first: list[float], second: list[float]) -> float:
    """Eq. 8 as it is printed."""
    product = sum(a * b for a, b in zip(first, second, strict=True))
    return product / (math.hypot(*first) * math.hypot(*second)) if product else 0.0


@given(
    counts=arrays(np.float64, 4, elements=st.integers(0, 5).map(float)),
    containing=arrays(np.float64, 4, elements=st.integers(0, 30).map(float)),
    base=st.sampled_from([1.5, 2.0, math.e, 10.0]),
)
def test_base_and_sum_cancel(counts: Weights, containing: Weights, base: float) -> None:
    topic = [1.0, 0.7, 0.3, 0.1]
    weights = anchor_weights(counts[None, :], 30, containing)
    literal = literal_cosine(literal_anchor(counts, 30, containing, base), topic)
    assert cosines(weights, np.array(topic))[0] == pytest.approx(literal, abs=1e-12)


def test_concept_of_every_page_still_counts_a_little() -> None:
    weights = anchor_weights(np.array([[1.0, 2.0]]), 10, np.array([10.0, 1.0]))
    assert weights[0].tolist() == pytest.approx([math.log(1.01), 2 * math.log(10.01)])


def test_before_the_first_page_all_concepts_count_alike() -> None:
    weights = anchor_weights(np.array([[1.0, 1.0]]), 0, np.zeros(2))
    assert weights[0].tolist() == pytest.approx([math.log(1.01)] * 2)
