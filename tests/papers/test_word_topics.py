"""Topics of words, and strong pairs: by hand, and equal to counting."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.papers.olmoaco import word_topics as module
from scenthound.papers.olmoaco.word_topics import (
    TOPIC_COUNTS_SEARCHED,
    Pair,
    Rows,
    heaviest,
    mean_similarity,
    strong_pairs,
    word_topics,
)

PAGES = [
    {"storm": 9, "wind": 7},
    {"storm": 5, "wind": 8},
    {"bread": 6, "flour": 5},
    {"bread": 7, "flour": 9},
]


def test_mean_similarity_worked_out_by_hand() -> None:
    # cosines: first with second 0, first with third and second with third 1 / sqrt 2
    rows = np.array([[2.0, 0.0], [0.0, 5.0], [1.0, 1.0]])
    assert mean_similarity(rows) == pytest.approx(2 / math.sqrt(2) / 3)
    assert mean_similarity(np.array([[1.0, 2.0], [2.0, 4.0]])) == pytest.approx(1.0)
    assert mean_similarity(np.ones((1, 3))) == 0.0


@settings(max_examples=25)
@given(st.lists(st.lists(st.floats(0.01, 100), min_size=3, max_size=3), min_size=2, max_size=8))
def test_mean_similarity_is_that_of_all_pairs(given_rows: list[list[float]]) -> None:
    rows = np.array(given_rows)
    cosines = [
        float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b))) for a, b in combinations(rows, 2)
    ]
    assert mean_similarity(rows) == pytest.approx(sum(cosines) / len(cosines))


def test_heaviest_words_and_ties() -> None:
    names = ["air", "bay", "cape", "dune"]
    weights = np.array([1.0, 3.0, 3.0 + 1e-12, 0.5])
    assert heaviest(weights, names, 10) == ("bay", "cape", "air")
    assert heaviest(weights, names, 1) == ("bay",)
    assert heaviest(np.zeros(4), names, 10) == ()


def test_two_topics_are_told_apart() -> None:
    found = word_topics(PAGES, topics=2)
    assert {frozenset(topic) for topic in found} == {
        frozenset({"storm", "wind"}),
        frozenset({"bread", "flour"}),
    }
    assert word_topics(PAGES, topics=2) == found


def test_fewer_pages_and_words_than_topics() -> None:
    # What 20 topics make of one page: those that got nothing are not told.
    found = word_topics(PAGES[:1], topics=20)
    assert found and {word for topic in found for word in topic} <= {"storm", "wind"}
    assert len(found) < 20


def test_the_number_whose_topics_are_least_alike_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two topics each: those of 15 share no word, those of 25 are most alike (cosine 0.45)."""
    shared = {5: 3.0, 10: 2.0, 15: 0.0, 20: 1.0, 25: 8.0, 30: 4.0}
    tried: list[int] = []

    def fitted(matrix: object, topics: int, seed: int) -> Rows:
        tried.append(topics)
        own = shared[topics]
        return np.array([[9.0 + topics, own], [own, 9.0 + topics]])

    monkeypatch.setattr(module, "_fit", fitted)
    pages = [{"storm": 1, "wind": 1}]
    assert word_topics(pages, topics=0) == (("storm",), ("wind",))
    assert tried == [5, 10, 15, 20, 25, 30] == list(TOPIC_COUNTS_SEARCHED)
    assert word_topics(pages, topics=25) == (("storm", "wind"), ("wind", "storm"))
    assert tried[6:] == [25]


def test_no_words_no_topics() -> None:
    cases: list[list[dict[str, int]]] = [[], [{}], [{}, {}]]
    for counts in cases:
        assert word_topics(counts) == ()


SETS = [("storm", "wind", "rain"), ("storm", "wind"), ("storm", "coast"), ("rain", "river")]


def test_pairs_worked_out_by_hand() -> None:
    # storm and wind: 2 of 4 sets; of the 2 sets with wind both have storm, of the 3 with storm two
    # have wind. No other pair is in more than one set.
    assert strong_pairs(SETS, 0.5, 0.6) == [Pair("wind", "storm", 0.5, 1.0)]
    assert strong_pairs(SETS, 0.51, 0.6) == []


def test_a_pair_needs_confidence_too() -> None:
    sets = [("a", "b"), ("a",), ("a",), ("b",), ("b",)]
    assert strong_pairs(sets, 0.2, 0.34) == []
    assert strong_pairs(sets, 0.2, 0.33) == [Pair("a", "b", 0.2, 1 / 3)]


def test_no_two_words_no_pair() -> None:
    cases: list[list[tuple[str, ...]]] = [[], [()], [("storm",), ("wind",)], [("storm", "storm")]]
    for sets in cases:
        assert strong_pairs(sets) == []


def slow_pairs(sets: list[set[str]], support: float, confidence: float) -> set[Pair]:
    """By counting every pair of words."""
    found = set()
    for first, second in combinations(sorted(set().union(*sets)), 2):
        both = sum({first, second} <= words for words in sets)
        if both / len(sets) < support or not both:
            continue
        rules = [
            (both / sum(one in words for words in sets), one, other)
            for one, other in ((first, second), (second, first))
        ]
        best, one, other = max(rules, key=lambda rule: rule[0])
        if best >= confidence:
            found.add(Pair(one, other, both / len(sets), best))
    return found


@settings(max_examples=25)
@given(
    st.lists(st.sets(st.sampled_from("abcdef"), min_size=1), min_size=1, max_size=12),
    st.sampled_from([0.1, 0.3, 0.5, 0.9]),
    st.sampled_from([0.2, 0.6, 1.0]),
)
def test_equal_to_counting(sets: list[set[str]], support: float, confidence: float) -> None:
    found = strong_pairs(sets, support, confidence)
    assert len(found) == len(set(found))
    assert set(found) == slow_pairs(sets, support, confidence)
    assert [pair.support for pair in found] == sorted((p.support for p in found), reverse=True)
