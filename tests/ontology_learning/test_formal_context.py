"""The order of terms that follows from the texts they are in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ontology_learning.table_one import context_of, table_one
from scenthound.ontology_learning.context import (
    Flags,
    FormalContext,
    covering,
    order_of_terms,
    term_order,
)
from scenthound.ontology_learning.sources import Source
from scenthound.ontology_learning.terms import Candidates


def slow_covering(sets: Flags) -> list[tuple[int, int]]:
    """By the definition, on Python's own sets."""
    each = [frozenset(np.flatnonzero(row).tolist()) for row in sets]
    below = [
        (large, small)
        for large in range(len(each))
        for small in range(len(each))
        if each[small] and each[small] < each[large]
    ]
    return [
        (large, small)
        for large, small in below
        if not any(
            (large, middle) in below and (middle, small) in below for middle in range(len(each))
        )
    ]


def test_table_one_gives_the_order_of_the_paper() -> None:
    assert set(term_order(table_one())) == {
        ("term 1", "term 2"),
        ("term 3", "term 2"),
        ("term 1", "term 4"),
        ("term 5", "term 4"),
        ("term 1", "term 6"),
    }


@given(arrays(np.bool_, st.tuples(st.integers(0, 9), st.integers(0, 6))))
def test_covering_is_what_its_definition_says(sets: Flags) -> None:
    distinct = np.unique(sets, axis=0) if sets.size else sets[:1]
    assert covering(distinct) == slow_covering(distinct)


def test_derivation() -> None:
    """The node "doc 2, term 2" of olmoaco Fig. 1 has the terms 1, 2, 3 and the texts 2, 5."""
    context = table_one()
    assert context.intent([1]) == {0, 1, 2}
    assert context.extent([0, 1, 2]) == context.extent([1]) == {1, 4}
    assert context.intent([]) == set(range(6))
    assert context.extent([]) == set(range(5))


def test_terms_in_the_same_texts_are_one_group_and_the_first_speaks() -> None:
    context = context_of(["xxx.", "xx.x", "..x."], ["sea", "tide", "wind", "dike"])
    order = order_of_terms(context)
    assert order.groups == ((0, 1), (2,), (3,))
    assert term_order(context) == (("sea", "dike"),)


def test_a_term_of_no_text_is_below_nothing() -> None:
    assert term_order(context_of(["x.", "x."], ["sea", "unseen"])) == ()


@pytest.mark.parametrize("shape", [(0, 0), (0, 2), (2, 0)])
def test_an_empty_context_has_no_order(shape: tuple[int, int]) -> None:
    rows, columns = shape
    context = FormalContext(("a", "b")[:rows], ("x", "y")[:columns], np.zeros(shape, np.bool_))
    assert term_order(context) == ()


def test_candidates_become_a_context_with_the_frequent_first() -> None:
    counts = np.array([[1, 4], [2, 0], [0, 0]], np.int32)
    sources = [Source("a.txt", "", ""), Source("a.txt", "", ""), Source("b.txt", "", "")]
    context = FormalContext.of_candidates(Candidates(("sea", "storm"), counts), sources)
    assert context.objects == ("a.txt", "a.txt (2)", "b.txt")
    assert context.attributes == ("storm", "sea")
    assert context.incidence.tolist() == [[True, True], [False, True], [False, False]]
    assert context.spread.tolist() == [1, 2]


def test_names_that_look_numbered_stay_apart() -> None:
    names = ["a", "a (2)", "a", "a"]
    sources = [Source(name, "", "") for name in names]
    context = FormalContext.of_candidates(Candidates((), np.zeros((4, 0), np.int32)), sources)
    assert len(set(context.objects)) == 4
