"""Bags one by one and end to end, against plain counting."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.text.terms import Bag, Bags, Column, Vocabulary, bags_from_keys
from similarity.bag_building import bag

TEXTS = st.lists(st.lists(st.integers(0, 6), max_size=8), max_size=6)
"""Texts as the numbers of their terms; some are empty."""


def keys(texts: list[list[int]], terms: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([row * terms + term for row, text in enumerate(texts) for term in text], int)


@given(TEXTS, st.integers(7, 20))
def test_gathered_bags_are_the_counted_texts(texts: list[list[int]], terms: int) -> None:
    shuffled = np.random.default_rng(terms).permutation(keys(texts, terms))
    found = bags_from_keys(shuffled, len(texts), terms)
    counted = [dict(zip(b.ids.tolist(), b.counts.tolist(), strict=True)) for b in found]
    assert counted == [Counter(text) for text in texts]
    assert all(np.all(np.diff(b.ids) > 0) for b in found)


@given(TEXTS)
def test_sums_are_taken_text_by_text(texts: list[list[int]]) -> None:
    bags = Bags(bags_from_keys(keys(texts, 7), len(texts), 7))
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


def test_gathered_bags_cannot_be_changed() -> None:
    """They are views of what other texts share."""
    (found,) = bags_from_keys(np.array([1, 1]), 1, 3)
    assert isinstance(found, Bag)
    for values in (found.ids, found.counts):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 0


# Terms as numbers, and columns of what is known about them.


@given(st.lists(st.text(max_size=3)))
def test_terms_are_numbered_in_order_of_appearance(terms: list[str]) -> None:
    vocabulary = Vocabulary()
    numbers = [vocabulary.number(term) for term in terms]
    distinct = list(dict.fromkeys(terms))
    assert numbers == [distinct.index(term) for term in terms]
    assert vocabulary.terms() == vocabulary.terms(range(len(distinct))) == distinct
    assert vocabulary.terms(numbers) == terms
    assert [vocabulary.term(number) for number in numbers] == terms
    assert len(vocabulary) == len(distinct)


def test_a_value_that_was_not_set_is_the_default() -> None:
    column = Column(np.int32, -1)
    column.upto(2 + 1)[2] = 7
    assert column.upto(4).tolist() == [-1, -1, 7, -1]
    assert column.upto(0).tolist() == []


def test_values_stay_when_the_column_grows() -> None:
    column = Column(np.float64, 0.5)
    column.upto(3 + 1)[3] = 2.0
    column.upto(5)[4] = 3.0
    column.upto(100_000 + 1)[100_000] = 4.0
    values = column.upto(100_002)
    assert (values[3], values[4], values[100_000]) == (2.0, 3.0, 4.0)
    assert np.count_nonzero(values != 0.5) == 3
