"""Intervals: numbers worked out by hand, and against slow references."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.assessment.intervals import (
    Count,
    Estimate,
    combined,
    part_of_whole,
    quantile,
    share,
)

Z = 1.959964
MANY = 10**9


@st.composite
def counts(draw: st.DrawFn) -> Count:
    judged = draw(st.integers(1, 60))
    return Count(judged + draw(st.integers(0, 500)), judged, draw(st.integers(0, judged)))


def test_quantiles_of_the_normal_distribution() -> None:
    assert quantile(0.95) == pytest.approx(1.959964, abs=1e-6)
    assert quantile(0.9) == pytest.approx(1.644854, abs=1e-6)


@pytest.mark.parametrize(
    ("right", "judged", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (50, 100, 0.4038, 0.5962),
    ],
)
def test_wilson_as_in_the_tables(right: int, judged: int, low: float, high: float) -> None:
    found = share(Count(MANY, judged, right), Z)
    assert found.value == right / judged
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_a_small_population_leaves_less_doubt() -> None:
    """5 of 10 drawn, none right: as if 5 * 9 / 5 = 9 had been drawn with replacement.

    Wilson's limit is z^2 / (9 + z^2) = 0.2992; the next share that ten pages can have is 0.3.
    """
    found = share(Count(10, 5, 0), Z)
    assert found.high == 0.3
    assert share(Count(1000, 5, 0), Z).high > found.high


def test_limits_are_shares_that_the_pages_can_have() -> None:
    """12 of 15 judged, all right: 14 of the 15 are right as well in one such draw of five."""
    assert share(Count(15, 12, 12), Z) == Estimate(1.0, 14 / 15, 1.0)


def test_all_judged_leaves_no_doubt() -> None:
    assert share(Count(10, 10, 7), Z) == Estimate(0.7, 0.7, 0.7)


def test_limits_stay_within_what_is_possible() -> None:
    """9 of 10 judged, 3 right: 3 or 4 of the ten."""
    found = share(Count(10, 9, 3), Z)
    assert found.low >= 0.3 and found.high <= 0.4


@given(counts())
def test_the_score_test_rejects_what_lies_outside(count: Count) -> None:
    """The slow reference: every share the pages can have is put to the test by itself.

    Wilson's interval holds those that are at most z of their own standard errors away.
    """
    found = share(count, Z)
    unseen = count.pages - count.judged
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0
    if not unseen:
        return
    drawn = count.judged * (count.pages - 1) / unseen
    possible = [k / count.pages for k in range(count.right, count.right + unseen + 1)]
    errors = [Z * math.sqrt(each * (1 - each) / drawn) for each in possible]
    kept = [
        each
        for each, error in zip(possible, errors, strict=True)
        if abs(found.value - each) <= error + 1e-9
    ]
    step = 1 / count.pages + 1e-9
    assert not kept or 0 <= kept[0] - found.low + 1e-9 <= step + 1e-9
    assert not kept or 0 <= found.high - kept[-1] + 1e-9 <= step + 1e-9


def test_one_share_alone_keeps_its_limits() -> None:
    only = share(Count(100, 20, 5), Z)
    assert combined([1.0], [only]) == only


def test_combined_by_hand() -> None:
    """Halves of 0.8 (0.5 to 0.9) and 0.2 (0.1 to 0.5): distances 0.3, 0.1 and 0.1, 0.3."""
    found = combined([0.5, 0.5], [Estimate(0.8, 0.5, 0.9), Estimate(0.2, 0.1, 0.5)])
    assert found.value == pytest.approx(0.5)
    assert found.low == pytest.approx(0.5 - math.hypot(0.15, 0.05))
    assert found.high == pytest.approx(0.5 + math.hypot(0.05, 0.15))


def test_a_negative_weight_turns_the_limits_round() -> None:
    found = combined([1.0, -1.0], [Estimate(0.8, 0.8, 0.8), Estimate(0.2, 0.1, 0.5)])
    assert (found.low, found.high) == pytest.approx((0.3, 0.7))


def test_nothing_combined_is_nothing() -> None:
    assert combined([], []) == Estimate(0.0, 0.0, 0.0)


@given(st.lists(counts(), min_size=1, max_size=6))
def test_combined_shares_stay_shares(several: list[Count]) -> None:
    total = sum(count.pages for count in several)
    found = combined([c.pages / total for c in several], [share(c, Z) for c in several])
    assert -1e-12 <= found.low <= found.value <= found.high <= 1 + 1e-12


def test_a_ratio_without_doubt() -> None:
    sure = Estimate(0.5, 0.5, 0.5)
    found = part_of_whole([(60, sure)], [(20, sure)])
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((0.75, 0.75, 0.75))


def test_a_ratio_at_one_has_no_upper_doubt_and_some_below() -> None:
    kept, left = share(Count(50, 20, 20), Z), share(Count(500, 50, 0), Z)
    found = part_of_whole([(50, kept)], [(500, left)])
    assert found is not None
    assert found.value == found.high == 1.0
    assert 0.5 < found.low < 0.8


def test_a_ratio_of_nothing_is_none() -> None:
    assert part_of_whole([(5, Estimate(0.0, 0.0, 0.5))], []) is None


@given(counts(), counts())
def test_ratio_limits_against_a_scan(kept: Count, left: Count) -> None:
    part, rest = [(kept.pages, share(kept, Z))], [(left.pages, share(left, Z))]
    found = part_of_whole(part, rest)
    if kept.right + left.right == 0:
        assert found is None
        return
    assert found is not None and 0.0 <= found.low <= found.value <= found.high <= 1.0
    step = 1 / 400
    inside = [r * step for r in range(401) if _may_be(r * step, part, rest)]
    assert inside[0] - step - 1e-9 <= found.low <= inside[0] + 1e-9
    assert inside[-1] - 1e-9 <= found.high <= inside[-1] + step + 1e-9


def _may_be(
    r: float, part: Sequence[tuple[float, Estimate]], rest: Sequence[tuple[float, Estimate]]
) -> bool:
    weights = [(1 - r) * part[0][0], -r * rest[0][0]]
    sum_ = combined(weights, [part[0][1], rest[0][1]])
    return sum_.low <= 1e-9 and sum_.high >= -1e-9
