"""Clipped cosines of vectors: by hand, and with words the model does not have."""

from __future__ import annotations

import numpy as np
import pytest

from scenthound.similarity.encoders import unit_rows
from scenthound.similarity.vector_similarity import IsolatedWords, VectorSimilarity, clipped_cosines
from similarity.fixed_vectors import FixedReader, FixedWords

WORDS = {"east": (2.0, 0.0), "north": (0.0, 1.0), "northeast": (3.0, 3.0), "west": (-1.0, 0.0)}


def test_the_cosine_printed_in_the_paper() -> None:
    """bsvsm-ha Fig. 2: (0.26, 0.34) and (1.91, 0.71) give 0.85 (0.846)."""
    rows = unit_rows(np.array([[0.26, 0.34]], np.float32))
    columns = unit_rows(np.array([[1.91, 0.71]], np.float32))
    assert clipped_cosines(rows, columns)[0, 0] == pytest.approx(0.846, abs=5e-4)


def test_by_hand() -> None:
    """East and north are 90 degrees apart, northeast is 45 from both; east and west are opposed."""
    found = VectorSimilarity(FixedWords(WORDS)).similarities(
        ["east", "north", "west"], ["east", "northeast"]
    )
    half = 2**-0.5
    assert found == pytest.approx(np.array([[1.0, half], [0.0, half], [0.0, 0.0]]), abs=1e-3)


def test_a_word_without_a_vector_is_similar_to_itself_alone() -> None:
    found = VectorSimilarity(FixedWords(WORDS)).similarities(["up", "east"], ["up", "down", "east"])
    assert found.tolist() == [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]


def test_it_goes_on_when_more_words_are_met_than_it_remembers() -> None:
    many = [f"word{n}" for n in range(20)]
    vectors = {word: (float(n), 1.0) for n, word in enumerate(many)}
    remembers_few = VectorSimilarity(FixedWords(vectors), cached=5)
    plain = VectorSimilarity(FixedWords(vectors))
    for word in many:
        assert remembers_few.similarities([word], ["word3"]) == pytest.approx(
            plain.similarities([word], ["word3"])
        )


def test_a_phrase_that_stands_alone_is_the_mean_of_its_words() -> None:
    """ "north east" is read as (0, 1) and (2, 0) + (0, 1) / 2; their mean is (1, 0.75)."""
    words = IsolatedWords(FixedReader(WORDS))
    assert words.look_up(["north east", "up", ""]).tolist() == [[1.0, 0.75], [0.0, 0.0], [0.0, 0.0]]
