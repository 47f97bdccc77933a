"""Terms as numbers, and columns of what is known about them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.text.vocabulary import Column, Vocabulary


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


def test_finding_a_term_does_not_number_it() -> None:
    vocabulary = Vocabulary()
    assert vocabulary.find("storm") is None
    assert len(vocabulary) == 0
    assert vocabulary.number("storm") == 0 == vocabulary.find("storm")


def test_the_list_of_terms_is_a_copy() -> None:
    vocabulary = Vocabulary()
    vocabulary.number("storm")
    vocabulary.terms().append("flood")
    assert vocabulary.terms() == ["storm"]


def test_a_number_that_no_term_has_is_an_error() -> None:
    with pytest.raises(IndexError):
        Vocabulary().term(0)


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


def test_a_column_is_written_through_its_head() -> None:
    column = Column(np.int32)
    column.upto(5)[np.array([1, 3])] += 1
    column.upto(3)[np.array([1])] += 1
    assert column.upto(5).tolist() == [0, 2, 0, 1, 0]
    assert column.upto(5).dtype == np.int32
