"""Bands and draws: no band mixes the sides, every draw is as asked for, and repeatable."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assessment.frame_making import frame
from scenthound.assessment.bands import cut_bands
from scenthound.assessment.drawing import allocate, draw

SIMILARITIES = st.lists(st.integers(0, 40).map(lambda i: i / 40), max_size=120)
SIZES = st.lists(st.integers(0, 30), min_size=1, max_size=8)


def test_bands_by_hand() -> None:
    """Ten documents, four of them relevant; four bands: two and two, in halves."""
    made = frame([0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9])
    found = [(b.relevant, b.low, b.high, len(b.documents)) for b in cut_bands(made.documents, 4)]
    assert found == [
        (True, 0.7, 0.9, 2), (True, 0.5, 0.6, 2), (False, 0.2, 0.4, 3), (False, 0.05, 0.15, 3),
    ]  # fmt: skip


def test_five_bands_give_three_to_the_relevant_side() -> None:
    bands = cut_bands(frame([i / 100 for i in range(100)]).documents, 5)
    assert [band.relevant for band in bands] == [True, True, True, False, False]


def test_one_side_alone_gets_all_bands() -> None:
    assert len(cut_bands(frame([0.1, 0.2, 0.3]).documents, 3)) == 3
    assert cut_bands((), 5) == ()


def test_equal_similarities_stay_together() -> None:
    bands = cut_bands(frame([0.1] * 9 + [0.2]).documents, 2)
    assert [len(band.documents) for band in bands] == [1, 9]


@given(SIMILARITIES, st.integers(2, 9))
def test_bands_part_all_documents_by_similarity(similarities: list[float], count: int) -> None:
    made = frame(similarities)
    bands = cut_bands(made.documents, count)
    numbers = [page.n for band in bands for page in band.documents]
    assert sorted(numbers) == list(range(1, len(similarities) + 1))
    assert [band.number for band in bands] == list(range(1, len(bands) + 1))
    assert all(a.low > b.high for a, b in pairwise(bands))
    assert all(page.relevant == band.relevant for band in bands for page in band.documents)
    assert len(bands) <= count


def test_allocation_by_hand() -> None:
    assert allocate([10, 10, 10], 9) == [3, 3, 3]
    assert allocate([10, 10, 10], 10) == [4, 3, 3]
    assert allocate([2, 10, 10], 12) == [2, 5, 5]
    assert allocate([2, 3], 100) == [2, 3]
    assert allocate([], 5) == []


@given(SIZES, st.integers(0, 200))
def test_a_larger_sample_takes_no_less_from_any_band(sizes: list[int], n: int) -> None:
    given_now, given_next = allocate(sizes, n), allocate(sizes, n + 1)
    assert sum(given_now) == min(n, sum(sizes))
    assert all(a <= b for a, b in zip(given_now, given_next, strict=True))
    assert all(a <= size for a, size in zip(given_now, sizes, strict=True))


@given(SIMILARITIES, st.integers(1, 40), st.integers(0, 5))
def test_a_larger_draw_holds_the_smaller_one(similarities: list[float], n: int, seed: int) -> None:
    bands = cut_bands(frame(similarities).documents, 5)
    first, larger = draw(bands, n, seed), draw(bands, n + 7, seed)
    assert first == draw(bands, n, seed)
    assert len({each.page.n for each in first}) == min(n, len(similarities))
    assert set(first) <= set(larger)


def test_every_page_of_a_band_is_as_likely() -> None:
    """Of 10 pages 4 are drawn, 2,000 times: each 800 times, give or take five deviations."""
    bands = cut_bands(frame([i / 1000 for i in range(10)]).documents, 1)
    drawn = Counter(each.page.n for seed in range(2000) for each in draw(bands, 4, seed))
    deviation = (2000 * 0.4 * 0.6) ** 0.5
    assert len(drawn) == 10
    assert all(abs(times - 800) < 5 * deviation for times in drawn.values())


def test_the_order_is_mixed() -> None:
    bands = cut_bands(frame([i / 100 for i in range(100)]).documents, 5)
    order = [each.band for each in draw(bands, 50, 0)]
    assert order != sorted(order) and order != sorted(order, reverse=True)
    assert Counter(order) == dict.fromkeys(range(1, 6), 10)
    assert pytest.approx(sum(order[:25]) / 25, abs=1.0) == 3
