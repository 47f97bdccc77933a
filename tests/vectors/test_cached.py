from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from scenthound.vectors.cached import (
    CachedEncoder,
    CachedWords,
    Remembered,
    passage_key,
    remembered,
    text_key,
)
from scenthound.vectors.protocols import Vectors


class Memory:
    """A cache that holds everything."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, bytes], Remembered] = {}

    def find(self, model: str, keys: Sequence[bytes]) -> Mapping[bytes, Remembered]:
        return {key: self.rows[model, key] for key in keys if (model, key) in self.rows}

    def keep(self, model: str, found: Mapping[bytes, Remembered]) -> None:
        self.rows |= {(model, key): row for key, row in found.items()}


class Counting:
    """Makes a vector out of a text's length, and knows what it was asked for."""

    def __init__(self, name: str = "counting") -> None:
        self.name, self.dimensions = name, 3
        self.asked: list[list[str]] = []
        self.passages: list[list[tuple[str, ...]]] = []

    def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        return np.array([_vector(text) for text in texts], np.float32)

    def encode_words(self, passages: Sequence[Sequence[str]]) -> list[Vectors]:
        self.passages.append([tuple(words) for words in passages])
        return [np.array([_vector(word) for word in words], np.float32) for words in passages]


def _vector(text: str) -> list[float]:
    return [len(text) / 3, 1 / (len(text) + 1), 0.1]


def test_rows_come_in_order_and_a_text_is_read_once() -> None:
    encoder = Counting()
    cached = CachedEncoder(encoder, Memory())
    found = cached.encode(["aa", "b", "aa"])
    assert np.allclose(found, [_vector("aa"), _vector("b"), _vector("aa")], atol=1e-3)
    cached.encode(["c", "b"])
    assert encoder.asked == [["aa", "b"], ["c"]]


def test_a_full_cache_gives_the_very_numbers_of_an_empty_one() -> None:
    memory = Memory()
    first = CachedEncoder(Counting(), memory).encode(["aa", "bbbb"])
    unasked = Counting()
    second = CachedEncoder(unasked, memory).encode(["bbbb", "aa"])
    assert unasked.asked == []
    assert first.dtype == second.dtype == np.float32
    assert first[::-1].tobytes() == second.tobytes()
    assert first.tobytes() == first.astype(np.float16).astype(np.float32).tobytes()


def test_no_text_gives_no_row_and_asks_nobody() -> None:
    encoder = Counting()
    assert CachedEncoder(encoder, Memory()).encode([]).shape == (0, 3)
    assert CachedWords(encoder, Memory()).encode_words([]) == []
    assert encoder.asked == []
    assert encoder.passages == []


def test_models_do_not_share_vectors() -> None:
    memory, other = Memory(), Counting("other")
    CachedEncoder(Counting(), memory).encode(["aa"])
    CachedEncoder(other, memory).encode(["aa"])
    assert other.asked == [["aa"]]


@pytest.mark.parametrize("shape", [(2,), (3, 1), ()])
def test_vectors_of_another_shape_are_made_again(shape: tuple[int, ...]) -> None:
    memory = Memory()
    memory.rows["counting", text_key("aa")] = np.zeros(shape, np.float16)
    found = CachedEncoder(Counting(), memory).encode(["aa"])
    assert np.allclose(found, [_vector("aa")], atol=1e-3)
    assert memory.rows["counting", text_key("aa")].shape == (3,)


def test_halves_of_characters_have_keys() -> None:
    assert len({text_key("\ud800"), text_key("\ud801"), text_key("?")}) == 3
    assert passage_key(["\ud800"]) != passage_key(["\ud801"])


def test_passages_are_tables_in_order_and_read_once() -> None:
    encoder = Counting()
    cached = CachedWords(encoder, Memory())
    found = cached.encode_words([["a", "bb"], [], ["bb", "a"], ["a", "bb"]])
    assert [table.shape for table in found] == [(2, 3), (0, 3), (2, 3), (2, 3)]
    assert np.array_equal(found[0], found[2][::-1])
    assert encoder.passages == [[("a", "bb"), ("bb", "a")]]
    again = cached.encode_words([["a", "bb"]])
    assert len(encoder.passages) == 1
    assert again[0].tobytes() == found[0].tobytes()


def test_a_passage_of_one_word_is_no_text() -> None:
    assert passage_key(["aa"]) != text_key("aa")
    assert passage_key(["a", "b"]) != passage_key(["ab"])


def test_a_table_with_too_few_rows_is_made_again() -> None:
    memory, encoder = Memory(), Counting()
    memory.rows["counting", passage_key(["a", "b"])] = np.zeros((1, 3), np.float16)
    (found,) = CachedWords(encoder, memory).encode_words([["a", "b"]])
    assert found.shape == (2, 3)
    assert encoder.passages == [[("a", "b")]]


def test_what_is_missing_is_made_in_one_go_and_the_rest_is_found() -> None:
    memory, asked = Memory(), list[Sequence[int]]()
    memory.keep("squares", {b"2": np.array([4], np.float16), b"3": np.zeros(7, np.float16)})

    def squares(numbers: Sequence[int]) -> list[Vectors]:
        asked.append(numbers)
        return [np.array([number**2], np.float32) for number in numbers]

    found = remembered(memory, "squares", {b"2": 2, b"3": 3, b"4": 4}, lambda _: (1,), squares)
    assert {key: row.tolist() for key, row in found.items()} == {b"2": [4], b"3": [9], b"4": [16]}
    assert asked == [[3, 4]]
    assert {key: row.tolist() for (_, key), row in memory.rows.items()} == {
        b"2": [4],
        b"3": [9],
        b"4": [16],
    }
    assert remembered(memory, "squares", {}, lambda _: (1,), squares) == {}


def test_numbers_that_float16_does_not_hold_stay_finite() -> None:
    class Huge(Counting):
        def encode(self, texts: Sequence[str]) -> Vectors:
            return np.full((len(texts), 3), 1e9, np.float32)

    assert np.isfinite(CachedEncoder(Huge(), Memory()).encode(["aa"])).all()
