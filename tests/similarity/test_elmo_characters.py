"""Words as numbers of characters, and passages as windows."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scenthound.papers.elmo import padded_sentences, windows_of
from scenthound.papers.elmo_network import characters_of, marked_characters, without_padding

PADDING = 261


def test_cat_by_hand() -> None:
    """Begin of word 258, c a t = 99 97 116, end of word 259, padding 260, each raised by one."""
    (row,) = characters_of(["cat"]).tolist()
    assert row == [259, 100, 98, 117, 260] + [PADDING] * 45


def test_marks_of_a_sentence_come_before_the_words() -> None:
    begin, end, word = marked_characters(["a"], 5).tolist()
    assert begin == [259, 257, 260, PADDING, PADDING]
    assert end == [259, 258, 260, PADDING, PADDING]
    assert word == [259, 98, 260, PADDING, PADDING]


def test_words_of_five_characters() -> None:
    cases: list[tuple[str, list[int]]] = [
        ("", [259, 260, 261, 261, 261]),
        ("\ud800", [259, 260, 261, 261, 261]),
        ("é", [259, 0xC3 + 1, 0xA9 + 1, 260, 261]),
        ("abcdef", [259, 98, 99, 100, 260]),
        ("éé", [259, 0xC3 + 1, 0xA9 + 1, 0xC3 + 1, 260]),
        ("\x00\xff", [259, 1, 0xC3 + 1, 0xBF + 1, 260]),
    ]
    for word, row in cases:
        assert characters_of([word], 5).tolist() == [row]


def test_padding_is_cut_but_for_a_filter_width() -> None:
    rows = characters_of(["a", "abc"], 50)
    assert without_padding(rows, 4).tolist() == rows[:, :9].tolist()
    assert without_padding(characters_of(["a" * 60], 50), 7).shape == (1, 50)


@given(st.lists(st.integers(0, 40), max_size=6), st.integers(1, 12))
def test_windows_cover_every_word_once(lengths: list[int], most: int) -> None:
    windows = windows_of(lengths, most)
    words = [(w.passage, place) for w in windows for place in range(w.start, w.end)]
    assert words == [(p, place) for p, length in enumerate(lengths) for place in range(length)]
    assert all(0 < len(window) <= most for window in windows)
    for passage in range(len(lengths)):
        sizes = [len(window) for window in windows if window.passage == passage]
        assert not sizes or max(sizes) - min(sizes) <= 1


def test_sentences_get_their_marks() -> None:
    rows, lengths = padded_sentences([np.array([5, 6]), np.array([7])])
    assert rows.tolist() == [[0, 5, 6, 1], [0, 7, 1, 1]]
    assert lengths.tolist() == [4, 3]
