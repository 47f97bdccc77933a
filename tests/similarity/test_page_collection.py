"""The collection that stands for a search engine: ranking, sampling, and coming back."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import InputError
from scenthound.papers.ambiguity import PageCollection
from scenthound.text.terms import Bag, Vocabulary
from similarity.bag_building import bag, numbers

TEXTS = st.lists(st.sampled_from("a b c d e f".split()), max_size=12).map(" ".join)


def collection(
    texts: Sequence[str],
    examples: Sequence[str] = (),
    most: int = 2_000,
    seed: int = 0,
    vocabulary: Vocabulary | None = None,
) -> tuple[PageCollection, Vocabulary]:
    vocabulary = Vocabulary() if vocabulary is None else vocabulary
    pages = PageCollection(vocabulary, [bag(text, vocabulary) for text in examples], most, seed)
    for text in texts:
        pages.add(bag(text, vocabulary))
    return pages, vocabulary


def search(pages: PageCollection, term: int, results: int | None = 20) -> list[int]:
    found: list[int] = pages.index(np.array([term], np.int32)).search(term, results).tolist()
    return found


def words_of(pages: Sequence[Bag], vocabulary: Vocabulary) -> list[dict[str, int]]:
    return [
        dict(zip(vocabulary.terms(page.ids.tolist()), page.counts.tolist(), strict=True))
        for page in pages
    ]


def bm25(term: str, texts: Sequence[str]) -> list[float]:
    """Robertson and Zaragoza's formula with k1 = 1.5, b = 0.75 and an idf that is never negative.

    Written out from the definition, one page at a time.
    """
    pages = [text.split() for text in texts]
    mean = sum(map(len, pages)) / len(pages)
    holding = sum(term in page for page in pages)
    idf = math.log(1.0 + (len(pages) - holding + 0.5) / (holding + 0.5))
    return [
        idf * page.count(term) / (page.count(term) + 1.5 * (0.25 + 0.75 * len(page) / mean))
        if term in page
        else 0.0
        for page in pages
    ]


def test_search_by_hand() -> None:
    """Twice in a short page beats once; once in a short page beats once in a long one."""
    pages, vocabulary = collection(
        ["storm sea sea sea sea", "cake", "storm storm", "storm sea", "storm storm"]
    )
    storm = vocabulary.number("storm")
    assert search(pages, storm) == [2, 4, 3, 0]
    assert search(pages, storm, 2) == [2, 4]
    assert search(pages, vocabulary.number("unheard")) == []


@given(st.lists(TEXTS.filter(bool), min_size=1, max_size=8), st.sampled_from("abcdef"))
def test_search_ranks_as_the_formula_does(texts: list[str], term: str) -> None:
    """Other words than those asked for must count for a page's length."""
    pages, vocabulary = collection(texts)
    scores = bm25(term, texts)
    found = search(pages, vocabulary.number(term), None)
    assert sorted(found) == [page for page, score in enumerate(scores) if score > 0.0]
    ranked = [scores[page] for page in found]
    assert all(a > b - 1e-6 for a, b in pairwise(ranked))


def test_either_of_two_terms() -> None:
    pages, vocabulary = collection(["a", "b", "c", "a b", "c a"])
    index = pages.index(numbers("a b", vocabulary))
    a, b = vocabulary.number("a"), vocabulary.number("b")
    everything = index.search_either(a, b, 20, np.random.default_rng(0))
    assert everything.tolist() == [0, 1, 3, 4]
    draws = [index.search_either(a, b, 2, np.random.default_rng(n)).tolist() for n in range(60)]
    assert all(len(set(draw)) == 2 and set(draw) <= {0, 1, 3, 4} for draw in draws)
    assert {tuple(draw) for draw in draws} == {
        (0, 1), (0, 3), (0, 4), (1, 3), (1, 4), (3, 4),
    }  # fmt: skip
    assert index.search_either(a, b, 2, np.random.default_rng(7)).tolist() == draws[7]


def test_examples_stay_and_fetched_pages_are_sampled() -> None:
    pages, vocabulary = collection([f"p{n}" for n in range(50)], ["e0", "e1"], most=5)
    kept = words_of(pages.pages, vocabulary)
    assert (len(pages.pages), pages.fetched) == (7, 50)
    assert kept[:2] == [{"e0": 1}, {"e1": 1}]
    assert len({next(iter(page)) for page in kept}) == 7


def test_every_page_has_the_same_chance_to_stay() -> None:
    """4 of 12 pages, 300 crawls: each stays 100 times, give or take 5 deviations of 8.2."""
    texts = [f"p{n}" for n in range(12)]
    stayed: Counter[str] = Counter()
    for seed in range(300):
        pages, vocabulary = collection(texts, most=4, seed=seed)
        stayed.update(next(iter(page)) for page in words_of(pages.pages, vocabulary))
    assert set(stayed) == set(texts)
    assert all(abs(n - 100) < 41 for n in stayed.values())


@given(st.lists(TEXTS, max_size=12), st.lists(TEXTS, max_size=6), st.integers(0, 8))
def test_a_restored_collection_goes_on_like_the_saved_one(
    before: list[str], after: list[str], most: int
) -> None:
    """In another run words have other numbers, so the saved state must not depend on them."""
    saved, vocabulary = collection(before, ["a f"], most, seed=1)
    other = Vocabulary()
    for word in "z f e d c b a".split():
        other.number(word)
    restored, _ = collection([], ["a f"], most, seed=1, vocabulary=other)
    restored.restore(saved.state())
    for text in after:
        saved.add(bag(text, vocabulary))
        restored.add(bag(text, other))
    assert words_of(restored.pages, other) == words_of(saved.pages, vocabulary)
    assert all((np.diff(page.ids) > 0).all() for page in restored.pages)
    for word in "abcdef":
        found = search(restored, other.number(word))
        assert found == search(saved, vocabulary.number(word))


def test_a_collection_cannot_keep_fewer_than_no_pages() -> None:
    with pytest.raises(InputError, match="0 or more"):
        PageCollection(Vocabulary(), most=-1)
