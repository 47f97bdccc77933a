"""Companions and what becomes of ambiguous terms on a page (sdvsm Eq. 16 and 20)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import UnknownNameError
from scenthound.papers.disambiguation import (
    disambiguation_terms,
    mean_degrees,
    removed_terms,
    topic_evidence,
)
from scenthound.text.terms import Vocabulary, Weights
from similarity.bag_building import bag, graph

FIGURE_4 = {(1, 0): 0.36, (1, 2): 0.35, (1, 3): 0.86, (1, 4): 0.61}
NAMES = ("k1", "k2", "k3", "k4", "k5")


def symmetric(size: int, degrees: list[float]) -> Weights:
    table = np.zeros((size, size))
    table[np.triu_indices(size, 1)] = degrees[: size * (size - 1) // 2]
    return table + table.T


def tables() -> st.SearchStrategy[Weights]:
    """Degrees as they come: shares of up to 20 pages."""
    degree = st.builds(lambda n, of: min(n, of) / of, st.integers(0, 20), st.integers(1, 20))
    return st.integers(1, 7).flatmap(
        lambda size: st.lists(degree, min_size=21, max_size=21).map(lambda d: symmetric(size, d))
    )


def test_figure_4() -> None:
    """Degrees 0.36, 0.35, 0.86, 0.61 and T = 0.4: k4 and k5 tell what k2 means; mean 0.735."""
    figure = graph(NAMES, FIGURE_4, [1], Vocabulary(), threshold=0.4)
    assert figure.companions[1].tolist() == [False, False, False, True, True]
    assert figure.companions.sum() == 2
    assert figure.kept_mean == pytest.approx([0.0, 0.735, 0.0, 0.0, 0.0])


def test_figure_4_on_pages() -> None:
    """Eq. 20: with k4 the mean is 0.86, with k5 0.61, with both 0.735; T_P is 0.735."""
    for page, goes in [
        ("k2 k4", False),
        ("k2 k5", True),
        ("k2 k4 k5", False),
        ("k2", True),
        ("k2 k1 k3", True),
        ("k4 k5", False),
        ("", False),
    ]:
        vocabulary = Vocabulary()
        figure = graph(NAMES, FIGURE_4, [1], vocabulary, threshold=0.4)
        dropped = figure.dropped(bag(f"{page} other words", vocabulary))
        assert vocabulary.terms(dropped.tolist()) == (["k2"] if goes else [])


def test_the_mean_degree_is_the_threshold_unless_given() -> None:
    """Mean of 0.36, 0.35, 0.86, 0.61 = 0.545: k4 and k5 again; the mean itself is enough."""
    assert graph(NAMES, FIGURE_4, [1], Vocabulary()).companions[1].tolist() == [
        False, False, False, True, True,
    ]  # fmt: skip
    even = disambiguation_terms(symmetric(3, [0.1, 0.1, 0.1]), np.array([True, False, False]))
    assert even.tolist() == [[False, True, True], [False] * 3, [False] * 3]


def slow_removed(degrees: Weights, ambiguous: list[bool], present: list[bool]) -> list[bool]:
    """Eq. 16 and 20 term by term, as they are printed."""
    size = len(ambiguous)
    gone = []
    for k in range(size):
        others = [j for j in range(size) if j != k]
        mean = sum(degrees[k, j] for j in others) / max(len(others), 1)
        company = [j for j in others if degrees[k, j] >= mean - 1e-12]
        on_page = [degrees[k, j] for j in company if present[j]]
        bar = sum(degrees[k, j] for j in company) / max(len(company), 1)
        found = sum(on_page) / len(on_page) if on_page else 0.0
        gone.append(ambiguous[k] and present[k] and found < bar - 1e-12)
    return gone


@given(tables(), st.data())
def test_removal_equals_the_slow_form(degrees: Weights, data: st.DataObject) -> None:
    flags = st.lists(st.booleans(), min_size=len(degrees), max_size=len(degrees))
    ambiguous, present = data.draw(flags), data.draw(flags)
    company = disambiguation_terms(degrees, np.array(ambiguous))
    bars = mean_degrees(degrees, company)
    fast = removed_terms(degrees, company, bars, np.array(present))
    assert fast.tolist() == slow_removed(degrees, ambiguous, present)


@given(tables(), st.data())
def test_more_company_is_never_less_evidence(degrees: Weights, data: st.DataObject) -> None:
    size = len(degrees)
    flags = st.lists(st.booleans(), min_size=size, max_size=size).map(np.array)
    some, more = data.draw(flags), data.draw(flags)
    company = disambiguation_terms(degrees, np.ones(size, np.bool_))
    before = topic_evidence(degrees, company, some, 3)
    after = topic_evidence(degrees, company, some | more, 3)
    assert ((before >= 0.0) & (before <= after + 1e-12) & (after <= 1.0)).all()


def test_evidence_by_hand() -> None:
    """Companions 0.86 and 0.61, together 1.47: k4 alone is 0.585 of it, k5 0.415."""
    vocabulary = Vocabulary()
    figure = graph(NAMES, FIGURE_4, [1], vocabulary, threshold=0.4, rule="evidence")
    for page, factor in (("k2", 0.0), ("k2 k4", 0.86 / 1.47), ("k2 k5", 0.61 / 1.47)):
        ids, factors = figure.factors(bag(page, vocabulary))
        assert vocabulary.terms(ids.tolist()) == ["k2"]
        assert factors == pytest.approx([factor])
    assert figure.factors(bag("k2 k4 k5", vocabulary))[1] == pytest.approx([1.0])
    assert len(figure.factors(bag("k1 k4", vocabulary))[0]) == 0


def test_the_few_strongest_companions_are_enough() -> None:
    """Companions 0.5, 0.4, 0.3, 0.2: the last three, 0.9, are three quarters of 1.2."""
    edges = {(0, 1): 0.5, (0, 2): 0.4, (0, 3): 0.3, (0, 4): 0.2}
    degrees = graph(NAMES, edges, [0], Vocabulary()).cooccurrence
    company = disambiguation_terms(degrees, np.array([True, False, False, False, False]), 0.1)
    present = np.array([True, False, True, True, True])
    assert topic_evidence(degrees, company, present, 3)[0] == pytest.approx(0.75)
    assert topic_evidence(degrees, company, present, 1)[0] == 1.0


def test_factors_of_the_papers_rule_are_0_and_1() -> None:
    vocabulary = Vocabulary()
    figure = graph(NAMES, FIGURE_4 | {(3, 4): 0.5}, [1, 3], vocabulary, threshold=0.4)
    page = bag("k5 k4 k2 k2 word", vocabulary)
    ids, factors = figure.factors(page)
    kept = dict(zip(vocabulary.terms(ids.tolist()), factors.tolist(), strict=True))
    assert kept == {"k2": 1.0, "k4": 1.0}
    ids, factors = figure.factors(bag("k5 k2", vocabulary))
    assert factors.tolist() == [0.0]
    assert ids.tolist() == figure.dropped(bag("k5 k2", vocabulary)).tolist()


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="removal"):
        graph(NAMES, {}, [], Vocabulary(), rule="remove")
