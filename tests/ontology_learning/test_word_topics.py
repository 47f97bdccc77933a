"""Topics of words: the measure worked by hand, and what comes out of plain collections."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.ontology_learning import word_topics as module
from scenthound.ontology_learning.word_topics import (
    SEARCHED,
    TOPICS,
    WORDS,
    Rows,
    heaviest,
    mean_similarity,
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


def test_one_topic_is_like_no_other() -> None:
    assert mean_similarity(np.ones((1, 3))) == 0.0
    assert mean_similarity(np.ones((0, 3))) == 0.0


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


def test_the_number_of_topics_is_searched() -> None:
    found = word_topics(PAGES, topics=0)
    assert found and len(found) <= max(SEARCHED)
    assert found == word_topics(PAGES, topics=0)


def test_the_number_whose_topics_are_least_alike_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two topics each: those of 15 share no word, those of 25 are most alike (cosine 0.45)."""
    shared = {5: 3.0, 10: 2.0, 15: 0.0, 20: 1.0, 25: 8.0, 30: 4.0}
    tried: list[int] = []

    def fitted(counts: object, names: object, topics: int, seed: int) -> Rows:
        tried.append(topics)
        own = shared[topics]
        return np.array([[9.0 + topics, own], [own, 9.0 + topics]])

    monkeypatch.setattr(module, "_fitted", fitted)
    pages = [{"storm": 1, "wind": 1}]
    assert word_topics(pages, topics=0) == (("storm",), ("wind",))
    assert tried == [5, 10, 15, 20, 25, 30] == list(SEARCHED)
    assert word_topics(pages, topics=25) == (("storm", "wind"), ("wind", "storm"))
    assert tried[6:] == [25]


def test_topics_and_words_as_in_the_paper() -> None:
    assert (TOPICS, WORDS) == (20, 10)


def test_words_at_most() -> None:
    assert all(len(topic) == 1 for topic in word_topics(PAGES, topics=2, words=1))


@pytest.mark.parametrize("counts", [[], [{}], [{}, {}]])
def test_no_words_no_topics(counts: list[dict[str, int]]) -> None:
    assert word_topics(counts) == ()


def test_an_empty_page_among_others_changes_nothing_else() -> None:
    assert word_topics([*PAGES, {}], topics=2)
