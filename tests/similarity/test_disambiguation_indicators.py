"""TR, TP, TI and co-occurrence by hand, and against counting page by page (sdvsm Eq. 10-11)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.papers.ambiguity import cooccurrence, importance, purity, topic_indicators
from scenthound.text.page_index import PageIndex
from scenthound.text.terms import Vocabulary
from similarity.bag_building import bag, numbers

PAGES = st.lists(
    st.tuples(st.lists(st.sampled_from("abcd"), max_size=6), st.booleans()), max_size=10
)


def index(
    texts: list[str], terms: str
) -> tuple[PageIndex, np.ndarray[tuple[int], np.dtype[np.int32]]]:
    vocabulary = Vocabulary()
    asked = numbers(terms, vocabulary)
    return PageIndex([bag(text, vocabulary) for text in texts], asked), asked


def test_purity() -> None:
    assert purity([7, 3, 0], [0, 3, 5]).tolist() == [7.0, 0.75, 0.0]
    assert purity(3, 1, c=0.5) == pytest.approx(2.0)


def test_importance_in_both_forms() -> None:
    """2, 6 and 8 of 16: others / own = 7, 10/6 and 1."""
    counts = np.array([2, 6, 8], np.int32)
    literal = [math.log2(7), math.log2(10 / 6), 0.0]
    assert importance(counts) == pytest.approx(literal)
    assert importance(counts, "share") == pytest.approx([-x for x in literal])


def test_indicators_by_hand() -> None:
    """python: 3 + 1 times on two relevant pages, 2 on one other: 4/3 and 2/2."""
    pages, terms = index(
        ["python python python", "python code", "python python snake", "snake"], "python snake rare"
    )
    relevant = np.array([True, True, False, False])
    table = topic_indicators(pages, terms, np.array([6, 2, 0], np.int32), relevant)
    assert table[0] == pytest.approx([4 / 3, 1.0, math.log2(2 / 6)])
    assert table[1] == pytest.approx([0.0, 0.0, math.log2(3)])
    assert table[2].tolist() == [0.0, 0.0, 0.0]


def test_only_the_best_results_are_looked_at() -> None:
    """The best page for a is the one with a alone; it is the relevant one."""
    pages, terms = index(["a b b b b b", "a a", "a b b b b b"], "a")
    relevant = np.array([False, True, False])
    one = np.array([1], np.int32)
    assert topic_indicators(pages, terms, one, relevant, results=1)[0].tolist() == [2.0, 1.0, 0.0]
    assert topic_indicators(pages, terms, one, relevant)[0] == pytest.approx([2 / 3, 1 / 3, 0.0])


def test_cooccurrence_by_hand() -> None:
    """a or b: four pages; both: three, of which two are relevant."""
    pages, terms = index(["a b", "a b c", "a b", "b", "c"], "a b c d")
    relevant = np.array([True, True, False, True, True])
    table = cooccurrence(pages, terms, relevant)
    assert table[0, 1] == pytest.approx(2 / 4)
    assert table[0, 2] == pytest.approx(1 / 4)
    assert table[1, 2] == pytest.approx(1 / 5)
    assert table[3].tolist() == [0.0] * 4
    assert (table == table.T).all() and not table.diagonal().any()


def slow_cooccurrence(pages: list[tuple[set[str], bool]], first: str, second: str) -> float:
    """Eq. 10, page by page."""
    either = [page for page in pages if first in page[0] or second in page[0]]
    both = [page for page in either if page[1] and first in page[0] and second in page[0]]
    return len(both) / len(either) if either and first != second else 0.0


@given(PAGES)
def test_cooccurrence_equals_the_slow_form(pages: list[tuple[list[str], bool]]) -> None:
    """All pages at once, and samples as large as the collection."""
    built, terms = index([" ".join(words) for words, _ in pages], "a b c d")
    relevant = np.array([good for _, good in pages], np.bool_)
    sets = [(set(words), good) for words, good in pages]
    expected = np.array([[slow_cooccurrence(sets, x, y) for y in "abcd"] for x in "abcd"])
    for results in (None, 20):
        table = cooccurrence(built, terms, relevant, results=results)
        assert table == pytest.approx(expected)


def test_samples_follow_the_seed() -> None:
    texts = ["a b", "a", "b"] * 20
    pages, terms = index(texts, "a b")
    relevant = np.ones(len(texts), np.bool_)
    drawn = [cooccurrence(pages, terms, relevant, results=5, seed=n)[0, 1] for n in range(30)]
    again = [cooccurrence(pages, terms, relevant, results=5, seed=n)[0, 1] for n in range(30)]
    assert drawn == again
    assert len(set(drawn)) > 2
    assert all(round(degree * 5, 9).is_integer() for degree in drawn)
