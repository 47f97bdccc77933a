"""Bags one by one and end to end, against plain counting."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.text.bags import EMPTY, Bag, Bags, gathered
from scenthound.text.vocabulary import Vocabulary
from topics.bag_building import bag

TEXTS = st.lists(st.lists(st.integers(0, 6), max_size=8), max_size=6)
"""Texts as the numbers of their terms; some are empty."""


def keys(texts: list[list[int]], terms: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([row * terms + term for row, text in enumerate(texts) for term in text], int)


@given(TEXTS, st.integers(7, 20))
def test_gathered_bags_are_the_counted_texts(texts: list[list[int]], terms: int) -> None:
    shuffled = np.random.default_rng(terms).permutation(keys(texts, terms))
    found = gathered(shuffled, len(texts), terms)
    counted = [dict(zip(b.ids.tolist(), b.counts.tolist(), strict=True)) for b in found]
    assert counted == [Counter(text) for text in texts]
    assert all(np.all(np.diff(b.ids) > 0) for b in found)


def test_texts_without_terms_have_empty_bags() -> None:
    """The first, one in the middle, and the last; and all of them."""
    sizes = [len(b) for b in gathered(np.array([5, 5, 9]), 4, 4)]
    assert sizes == [0, 1, 1, 0]
    assert [len(b) for b in gathered(np.empty(0, np.int64), 3, 0)] == [0, 0, 0]
    assert gathered(np.empty(0, np.int64), 0, 0) == []


def test_the_highest_term_of_a_text_is_not_the_lowest_of_the_next() -> None:
    first, second = gathered(np.array([3, 4]), 2, 4)
    assert (first.ids.tolist(), second.ids.tolist()) == ([3], [0])


@given(TEXTS)
def test_sums_are_taken_text_by_text(texts: list[list[int]]) -> None:
    bags = Bags(gathered(keys(texts, 7), len(texts), 7))
    values = bags.ids.astype(np.float64) * 10.0 + bags.counts
    expected = [sum(10.0 * term + n for term, n in Counter(text).items()) for text in texts]
    assert bags.sums(values).tolist() == expected


def test_entries_stand_end_to_end() -> None:
    vocabulary = Vocabulary()
    rows = [bag(text, vocabulary) for text in ("b a b", "", "c a")]
    bags = Bags(rows)
    assert vocabulary.terms(bags.ids.tolist()) == ["b", "a", "a", "c"]
    assert bags.counts.tolist() == [2, 1, 1, 1]
    assert len(bags) == 3
    assert all(bags[row] is rows[row] for row in range(3))


def test_no_texts_and_only_empty_ones() -> None:
    nothing = np.empty(0)
    assert (len(Bags([])), Bags([]).sums(nothing).tolist()) == (0, [])
    assert Bags([EMPTY, EMPTY]).sums(nothing).tolist() == [0.0, 0.0]


def test_length_of_a_bag_is_the_number_of_distinct_terms() -> None:
    assert len(bag("a b a", Vocabulary())) == 2
    assert len(EMPTY) == 0


def test_gathered_bags_cannot_be_changed() -> None:
    """They are views of what other texts share."""
    (found,) = gathered(np.array([1, 1]), 1, 3)
    assert isinstance(found, Bag)
    for values in (found.ids, found.counts):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 0
