"""Weights of concepts on pages and in anchors, worked by hand (olmoaco Eq. 5-8)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scenthound.core.errors import UnknownNameError
from scenthound.papers.concept_model import GROUP_WEIGHTS, anchor_weights, cosines, page_weights
from scenthound.text.terms import Weights

COUNTS = np.array([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [4.0, 1.0, 0.0], [0, 3.0, 0]])
"""Three concepts: one in title and body, one in heading, body and the rest, one nowhere."""


def test_largest_frequency_is_that_of_the_word() -> None:
    """2 x 1/4 + 1.0 x 4/4 = 1.5; 1.5 x 2/3 + 1.0 x 1/3 + 0.2 x 3/3 = 1.5333."""
    assert page_weights(COUNTS).tolist() == pytest.approx([1.5, 1.0 + 1 / 3 + 0.2, 0.0])


def test_largest_frequency_is_that_of_the_group() -> None:
    """2 x 1/1 + 1.0 x 4/4 = 3; 1.5 x 2/2 + 1.0 x 1/4 + 0.2 x 3/3 = 1.95."""
    assert page_weights(COUNTS, "group").tolist() == pytest.approx([3.0, 1.95, 0.0])


def test_word_of_one_group_weighs_what_the_group_does() -> None:
    for norm in ["word", "group"]:
        for often in [1, 100]:
            for group in range(5):
                counts = np.zeros((5, 2))
                counts[group, 1] = often
                assert page_weights(counts, norm).tolist() == [0.0, GROUP_WEIGHTS[group]]


def test_unknown_norm_says_what_there_is() -> None:
    with pytest.raises(UnknownNameError, match="norm"):
        page_weights(COUNTS, "words")


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
