"""How a term finds its vector."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.similarity.encoders import Vectors
from scenthound.similarity.word2vec import WordTable

WORDS = ("flood", "climate_change", "climate", "change", "London", "LONDON", "NASA", "X-ray")


def row(place: int) -> list[float]:
    return [float(place == other) for other in range(len(WORDS))]


@pytest.fixture
def table() -> WordTable:
    return WordTable("eight words", WORDS, np.eye(len(WORDS), dtype=np.float32))


@pytest.mark.parametrize(
    ("term", "found"),
    [
        ("flood", 0),
        ("climate change", 1),
        ("london", 4),  # the first of the two
        ("LONDON", 5),  # as it is goes before all else
        ("nasa", 6),
        ("x ray", 7),
        ("Flood", 0),
    ],
)
def test_a_term_is_found_by_its_spelling(table: WordTable, term: str, found: int) -> None:
    assert table.look_up([term])[0].tolist() == row(found)


def test_a_phrase_is_the_mean_of_its_known_words(table: WordTable) -> None:
    both, one, none = table.look_up(["climate flood", "flood unheard", "unheard words"])
    assert both.tolist() == [0.5, 0, 0.5, 0, 0, 0, 0, 0]
    assert one.tolist() == row(0)
    assert not none.any()


def test_a_guess_is_asked_last_and_only_for_words() -> None:
    asked: list[str] = []

    def guess(word: str) -> Vectors | None:
        asked.append(word)
        return np.full(2, 3.0, np.float32)

    table = WordTable("guessing", ["flood"], np.ones((1, 2), np.float32), guess)
    found = table.look_up(["flood", "flooded", "flood plain", ""])
    assert found.tolist() == [[1, 1], [3, 3], [2, 2], [0, 0]]
    assert asked == ["flooded", "plain"]


@given(st.lists(st.text(min_size=1), unique=True, min_size=1, max_size=8))
def test_every_word_of_the_table_finds_its_own_row(words: list[str]) -> None:
    vectors = np.arange(1, len(words) + 1, dtype=np.float32)[:, None]
    assert np.array_equal(WordTable("any", words, vectors).look_up(words), vectors)
