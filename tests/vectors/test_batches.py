from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.vectors.batches import padded, token_batches, word_windows

LENGTHS = st.lists(st.integers(1, 300), max_size=60)


@given(LENGTHS, st.integers(1, 900), st.integers(0, 200))
def test_every_text_is_in_one_batch(lengths: list[int], most: int, spare: int) -> None:
    batches = list(token_batches(lengths, most, spare))
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))


@given(LENGTHS, st.integers(1, 900), st.integers(0, 200))
def test_a_batch_keeps_to_its_limits(lengths: list[int], most: int, spare: int) -> None:
    for batch in token_batches(lengths, most, spare):
        inside = [lengths[place] for place in batch]
        table = max(inside) * len(inside)
        assert len(batch) == 1 or (table <= most and table - sum(inside) <= spare)


def test_the_longest_texts_come_first_and_like_lengths_together() -> None:
    assert list(token_batches([3, 40, 5, 38, 4], 100, 10)) == [[1, 3], [2, 4, 0]]


def test_equal_texts_fill_a_batch() -> None:
    assert [len(batch) for batch in token_batches([10] * 25, 100, 0)] == [10, 10, 5]


def test_rows_are_filled_up_and_the_mask_says_where() -> None:
    table, mask = padded([[5, 6, 7], [8]], 9)
    assert table.tolist() == [[5, 6, 7], [8, 9, 9]]
    assert mask.tolist() == [[1, 1, 1], [1, 0, 0]]


def test_no_rows_make_an_empty_table() -> None:
    table, mask = padded([], 0)
    assert table.shape == mask.shape == (0, 0)


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([], []),
        ([2, 2, 1], [(0, 3)]),
        ([2, 2, 2], [(0, 2), (2, 3)]),
        ([5, 5], [(0, 1), (1, 2)]),
        ([0, 5, 0, 1], [(0, 3), (3, 4)]),
        ([0, 0], [(0, 2)]),
    ],
)
def test_windows_hold_whole_words(pieces: list[int], expected: list[tuple[int, int]]) -> None:
    assert list(word_windows(pieces, 5)) == expected


@given(st.lists(st.integers(0, 7), max_size=50))
def test_windows_follow_each_other_and_fit(pieces: list[int]) -> None:
    windows = list(word_windows(pieces, 7))
    assert [place for start, end in windows for place in range(start, end)] == [*range(len(pieces))]
    assert all(np.sum(pieces[start:end]) <= 7 for start, end in windows)
