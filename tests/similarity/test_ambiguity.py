"""Which terms are ambiguous: fuzzy inference, criteria, the page collection and its indicators."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.core.errors import UnknownNameError
from scenthound.papers.ambiguity import (
    RULES,
    FuzzyCriterion,
    PageCollection,
    PopularityCriterion,
    Thresholds,
    cooccurrence,
    importance,
    topic_indicators,
)
from scenthound.papers.fuzzy import (
    Falling,
    Gaussian,
    Labels,
    Rising,
    bisector,
    centroid,
    inferred,
    maximum_membership,
    output_shape,
)
from scenthound.text.page_index import PageIndex
from scenthound.text.terms import Bag, Vocabulary
from similarity.bag_building import bag, numbers

# Memberships and inference on numbers that can be worked out by hand.

OUTPUT: Labels = {"L": Falling(10.0, 20.0), "H": Rising(10.0, 20.0)}
UNIT: Labels = {"L": Falling(0.0, 1.0), "H": Rising(0.0, 1.0)}
INTERVAL = (10.0, 20.0)
FIGURE_3 = [{"L": low, "H": 1.0 - low} for low in (0.7, 0.575, 0.7)]


def test_labels_and_the_way_back() -> None:
    """Between 2 and 6: a quarter of the way at 3."""
    x = [-5.0, 2.0, 3.0, 4.0, 6.0, 99.0]
    assert Falling(2.0, 6.0).degree(x).tolist() == [1.0, 1.0, 0.75, 0.5, 0.0, 0.0]
    assert Rising(2.0, 6.0).degree(x).tolist() == [0.0, 0.0, 0.25, 0.5, 1.0, 1.0]
    assert Gaussian(1.0, 2.0).degree([1, 3, -1]) == pytest.approx([1.0, *[math.exp(-0.5)] * 2])
    cases: list[tuple[Falling | Gaussian, float, float]] = [
        (Falling(10.0, 20.0), 0.3, 17.0),
        (Falling(10.0, 20.0), 0.0, 20.0),
        (Falling(10.0, 20.0), 1.0, 10.0),
        (Rising(10.0, 20.0), 0.575, 15.75),
        (Rising(10.0, 20.0), 0.0, 10.0),
        (Rising(10.0, 20.0), 1.0, 20.0),
        (Gaussian(4.0, 1.0), 0.2, 4.0),
    ]
    for label, degree, number in cases:
        assert label.inverse(degree) == pytest.approx(number)


def test_rules_by_hand() -> None:
    """sdvsm Fig. 3, Eq. 13: minimum of each rule, maximum over the rules of a result."""
    assert inferred(FIGURE_3, RULES) == pytest.approx({"H": 0.575, "L": 0.3})
    # H: the first rule, 0.7 * 0.575 * 0.7. L: the others hold two highs; 0.7 * 0.425 * 0.3.
    support = inferred(FIGURE_3, RULES, "larsen")
    assert support == pytest.approx({"H": 0.7 * 0.575 * 0.7, "L": 0.7 * 0.425 * 0.3})
    # av_L = 20 - 0.3 * 10 = 17, av_H = 10 + 0.575 * 10 = 15.75, mean 16.375.
    assert maximum_membership(OUTPUT, {"L": 0.3, "H": 0.575}) == pytest.approx(16.375)


def test_output_shapes_by_hand() -> None:
    """Low alone, in full: a third of the way, and where (20 - x)^2 is half of 100."""
    grid, height = output_shape(OUTPUT, {"L": 1.0, "H": 0.0}, INTERVAL, "mamdani")
    assert centroid(grid, height) == pytest.approx(10.0 + 10.0 / 3.0, abs=1e-4)
    assert bisector(grid, height) == pytest.approx(20.0 - math.sqrt(50.0), abs=1e-4)
    # Low at 0.5: a plateau up to 15, then the slope; or the whole slope at half its height.
    degrees = {"L": 0.5}
    _, cut = output_shape(OUTPUT, degrees, INTERVAL, "mamdani")
    _, scaled = output_shape(OUTPUT, degrees, INTERVAL, "larsen")
    assert cut[[0, 250, 500, 750, 1000]] == pytest.approx([0.5, 0.5, 0.5, 0.25, 0.0])
    assert scaled[[0, 250, 500, 750, 1000]] == pytest.approx([0.5, 0.375, 0.25, 0.125, 0.0])


# Criteria: the full engine against the majority of three midpoints.

WAYS = (
    ("piecewise-linear", "gaussian"), ("mamdani", "larsen"), ("maximum", "centroid", "bisector"),
)  # fmt: skip
"""Memberships, inferences and defuzzifications."""
EIGHTHS = st.integers(-400, 400).map(lambda n: n / 8.0)
WIDTHS = st.sampled_from([0.25, 0.5, 1.0, 2.0, 8.0, 32.0])


def majority(row: tuple[float, ...], thresholds: Thresholds) -> bool:
    """At least two indicators at or below their midpoint."""
    middles = [(a + b) / 2.0 for a, b in thresholds]
    return sum(x <= middle for x, middle in zip(row, middles, strict=True)) >= 2


def exact_pairs() -> st.SearchStrategy[Thresholds]:
    pair = st.tuples(EIGHTHS, WIDTHS).map(lambda start: (start[0], start[0] + start[1]))
    return st.tuples(pair, pair, pair)


@given(st.tuples(EIGHTHS, EIGHTHS, EIGHTHS), exact_pairs(), st.booleans())
def test_the_engine_is_a_majority_of_midpoints(
    row: tuple[float, ...], thresholds: Thresholds, in_the_middle: bool
) -> None:
    """Eighths and widths that are powers of two: every comparison at a midpoint is exact."""
    if in_the_middle:
        row = (row[0], *((a + b) / 2.0 for a, b in thresholds[1:]))
    _, flags = FuzzyCriterion(thresholds).judge(np.array([row]))
    assert flags.tolist() == [majority(row, thresholds)]


def test_every_way_of_inference_gives_the_same_terms() -> None:
    """All places of three indicators, midpoints and the outside included."""
    thresholds = ((0.0, 1.0), (2.0, 6.0), (-3.0, -2.0))
    steps = (-1.0, 0.0, 0.125, 0.5, 0.625, 1.0, 3.0)
    places = np.array(np.meshgrid(steps, steps, steps)).reshape(3, -1).T
    starts, ends = np.array(thresholds).T
    rows = starts + (ends - starts) * places
    expected = [majority(tuple(row), thresholds) for row in rows.tolist()]
    for membership, inference, defuzzification in product(*WAYS):
        criterion = FuzzyCriterion(
            thresholds, membership=membership, inference=inference, defuzzification=defuzzification
        )
        assert criterion.judge(rows)[1].tolist() == expected


def test_criteria_by_hand() -> None:
    """Table 2 and Fig. 3 of sdvsm, and more relevant pages than irrelevant ones."""
    for rule in RULES:
        assert rule.result == ("H" if rule.conditions.count("L") >= 2 else "L")
    assert len({rule.conditions for rule in RULES}) == 8
    # TR 7.1, TP 3.4, TI 5.7, with thresholds that give the degrees 0.7, 0.575 and 0.7.
    thresholds = ((4.1, 14.1), (2.55, 4.55), (2.7, 12.7))
    values, flags = FuzzyCriterion(thresholds).judge(np.array([[7.1, 3.4, 5.7]]))
    assert values == pytest.approx([16.375])
    assert flags.tolist() == [True]
    # 3 and 3 pages: TP = 3/4, ambiguous. 3 and 2: TP = 1, clear. None of 4: TP = 0.
    indicators = np.array([[9.0, 0.75, 9.0], [0.0, 1.0, 0.0], [9.0, 0.0, 9.0]])
    values, flags = PopularityCriterion().judge(indicators)
    assert flags.tolist() == [True, False, True]
    assert values == pytest.approx([1 / 1.75, 0.5, 1.0])


def test_what_cannot_be_used_is_reported_at_once() -> None:
    with pytest.raises(UnknownNameError, match="gaussian"):
        FuzzyCriterion(membership="gauss")
    with pytest.raises(UnknownNameError, match="larsen"):
        FuzzyCriterion(inference="larson")
    with pytest.raises(UnknownNameError, match="centroid"):
        FuzzyCriterion(defuzzification="centroids")


# The collection that stands for a search engine: ranking, sampling, and coming back.

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
    index = PageIndex(pages.pages, np.array([term], np.int32))
    found: list[int] = index.search(term, results).tolist()
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
    index = PageIndex(pages.pages, numbers("a b", vocabulary))
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


# TR, TP, TI and co-occurrence by hand, and against counting page by page (sdvsm Eq. 10-11).

PAGES = st.lists(
    st.tuples(st.lists(st.sampled_from("abcd"), max_size=6), st.booleans()), max_size=10
)


def index(
    texts: list[str], terms: str
) -> tuple[PageIndex, np.ndarray[tuple[int], np.dtype[np.int32]]]:
    vocabulary = Vocabulary()
    asked = numbers(terms, vocabulary)
    return PageIndex([bag(text, vocabulary) for text in texts], asked), asked


def test_importance_and_indicators_by_hand() -> None:
    """2, 6 and 8 of 16: others / own = 7, 10/6 and 1."""
    counts = np.array([2, 6, 8], np.int32)
    literal = [math.log2(7), math.log2(10 / 6), 0.0]
    assert importance(counts) == pytest.approx(literal)
    assert importance(counts, "share") == pytest.approx([-x for x in literal])
    # python: 3 + 1 times on two relevant pages, 2 on one other: 4/3 and 2/2.
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
