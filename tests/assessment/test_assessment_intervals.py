"""Intervals: published figures, numbers worked out by hand, and slow references."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.assessment.counts import Count, added
from scenthound.assessment.intervals import Estimate, part_of_whole, quantile, share
from scenthound.assessment.plausibility import half_step, is_too_low, likeliest

Z = 1.959964
MANY = 10**9
SURE = Count(10, 10, 5)


@st.composite
def counts(draw: st.DrawFn, most_unseen: int = 500) -> Count:
    judged = draw(st.integers(1, 60))
    return Count(judged + draw(st.integers(0, most_unseen)), judged, draw(st.integers(0, judged)))


SEVERAL = st.lists(counts(), min_size=1, max_size=6)


def test_quantiles_of_the_normal_distribution() -> None:
    assert quantile(0.95) == pytest.approx(1.959964, abs=1e-6)
    assert quantile(0.9) == pytest.approx(1.644854, abs=1e-6)


@pytest.mark.parametrize(
    ("right", "judged", "low", "high"),
    [
        (81, 263, 0.2535, 0.3682),
        (15, 148, 0.0598, 0.1644),
        (0, 20, 0.0, 0.2005),
        (1, 29, 0.0018, 0.1963),
    ],
)
def test_one_share_as_published(right: int, judged: int, low: float, high: float) -> None:
    """Newcombe (1998), table I, method 4: the score interval with continuity correction."""
    found = share([Count(MANY, judged, right)], Z)
    assert found.value == right / judged
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)
    mirrored = share([Count(MANY, judged, judged - right)], Z)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((low, high), abs=5e-5)


def test_a_small_population_leaves_less_doubt() -> None:
    """5 of 10 drawn, none right: as if 5 * 9 / 5 = 9 had been drawn with replacement.

    0.3 is possible, 0.3 < 1/18 + 1.96 sqrt(0.21 / 9) = 0.355, and 0.4 is not: 0.4 > 0.376. The
    limit lies between, and the next share of ten pages is 0.4.
    """
    assert Count(10, 5, 0).drawn == 9
    found = share([Count(10, 5, 0)], Z)
    assert found.high == 0.4
    assert share([Count(1000, 5, 0)], Z).high > found.high


def test_limits_are_shares_that_the_pages_can_have() -> None:
    """12 of 15 judged, all right. With 13 right pages 13 of the 455 draws show that, 2.9 %."""
    assert share([Count(15, 12, 12)], Z) == Estimate(1.0, 13 / 15, 1.0)


def test_all_judged_leaves_no_doubt() -> None:
    assert share([Count(10, 10, 7)], Z) == Estimate(0.7, 0.7, 0.7)
    found = share([Count(10, 10, 7), Count(30, 30, 1)], Z)
    assert (found.low, found.value, found.high) == pytest.approx((0.2, 0.2, 0.2))


def test_limits_stay_within_what_is_possible() -> None:
    """9 of 10 judged, 3 right: 3 or 4 of the ten."""
    found = share([Count(10, 9, 3)], Z)
    assert found.low >= 0.3 and found.high <= 0.4


def test_bands_are_rounded_and_cut_as_a_whole() -> None:
    """Three bands of 15 with 12 judged: 43 of the 45 are right, which the sample may well show
    as 36 of 36. Band by band 14/15 is the least, and their distances, squared and added, would
    end above 43/45."""
    found = share([Count(15, 12, 12)] * 3, Z)
    assert found.low <= 43 / 45
    assert found.low * 45 == pytest.approx(round(found.low * 45))
    assert found.high == 1.0


@given(counts())
def test_one_group_against_the_test_of_every_share(count: Count) -> None:
    """The slow reference: every share the pages can have is put to the test by itself.

    Kept are those that are at most z of their own standard errors away, and half a step.
    """
    found = share([count], Z)
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0
    if not count.unseen:
        return
    possible = [k / count.pages for k in range(count.right, count.right + count.unseen + 1)]
    kept = [
        each
        for each in possible
        if abs(found.value - each) - 0.5 / count.drawn
        <= Z * math.sqrt(each * (1 - each) / count.drawn) + 1e-9
    ]
    step = 1 / count.pages + 1e-9
    assert not kept or 0 <= kept[0] - found.low + 1e-9 <= step + 1e-9
    assert not kept or 0 <= found.high - kept[-1] + 1e-9 <= step + 1e-9


@given(st.floats(0, 1), st.floats(-1e6, 1e6))
def test_the_likeliest_share_solves_its_equation(p: float, pull: float) -> None:
    q = likeliest(p, pull)
    assert 0.0 <= q <= 1.0
    assert p - q == pytest.approx(pull * q * (1 - q), abs=1e-6 * max(1.0, abs(pull)))


@given(counts(), counts(), st.floats(0.001, 0.999))
def test_two_groups_against_a_search_for_the_likeliest_shares(
    one: Count, other: Count, target: float
) -> None:
    """The slow reference: of 2,000 pairs that add up to the target, the likeliest is taken."""
    if not (one.unseen and other.unseen):
        return
    whole = one.pages + other.pages
    terms = [(one.pages / whole, one), (other.pages / whole, other)]
    (a, _), (b, _) = terms
    distance = a * one.share + b * other.share - target
    pairs = [(p, (target - a * p) / b) for i in range(1, 2000) if (p := i / 2000)]
    inside = [(p, q) for p, q in pairs if 0 < q < 1]
    if not inside or distance <= 0:
        assert distance > 0 or not is_too_low(target, terms, Z)
        return
    p, q = max(inside, key=lambda pair: _likelihood(one, pair[0]) + _likelihood(other, pair[1]))
    variance = a * a * p * (1 - p) / one.drawn + b * b * q * (1 - q) / other.drawn
    reach = half_step(terms) + Z * math.sqrt(variance)
    if abs(distance - reach) > 0.01:
        assert is_too_low(target, terms, Z) == (distance > reach)


def _likelihood(count: Count, p: float) -> float:
    return count.drawn * (count.share * math.log(p) + (1 - count.share) * math.log(1 - p))


@given(SEVERAL)
def test_combined_shares_stay_shares(several: list[Count]) -> None:
    found, whole = share(several, Z), added(several)
    assert 0.0 <= found.low <= found.value + 1e-12 and found.value <= found.high + 1e-12 <= 1 + 1e-9
    assert found.low >= whole.right / whole.pages - 1e-12
    assert found.high <= (whole.right + whole.unseen) / whole.pages + 1e-12


@given(SEVERAL)
def test_what_is_not_about_the_topic_has_the_mirrored_interval(several: list[Count]) -> None:
    mirrored = [Count(c.pages, c.judged, c.judged - c.right) for c in several]
    found, other = share(several, Z), share(mirrored, Z)
    assert (found.low, found.high) == pytest.approx((1 - other.high, 1 - other.low), abs=1e-7)


def test_half_a_step() -> None:
    """Halves with 10 and 20 judged: steps of 0.05 and 0.025, on average 0.0375."""
    terms = [(0.5, Count(MANY, 10, 3)), (0.5, Count(MANY, 20, 3))]
    assert half_step(terms) == pytest.approx(0.0375 / 2)
    assert half_step([(1.0, SURE)]) == half_step([]) == 0.0


def test_a_ratio_without_doubt() -> None:
    found = part_of_whole([Count(60, 60, 30)], [Count(20, 20, 10)], Z)
    assert found == Estimate(0.75, 0.75, 0.75)


def test_a_ratio_at_one_has_no_upper_doubt_and_some_below() -> None:
    found = part_of_whole([Count(50, 20, 20)], [Count(500, 50, 0)], Z)
    assert found is not None
    assert found.value == found.high == 1.0
    assert 0.5 < found.low < 0.8


def test_a_ratio_of_nothing_is_none() -> None:
    assert part_of_whole([Count(5, 2, 0)], [], Z) is None
    assert part_of_whole([Count(5, 2, 0)], [Count(5, 5, 0)], Z) is None


def test_a_ratio_stays_within_what_is_possible() -> None:
    """All of the part judged and 4 right, of the rest 1 of 9, one page unseen: 4/6 or 4/5."""
    found = part_of_whole([Count(10, 10, 4)], [Count(10, 9, 1)], Z)
    assert found is not None
    assert 4 / 6 - 1e-9 <= found.low <= found.value <= found.high <= 4 / 5 + 1e-9


@given(counts(), counts())
def test_ratio_limits_against_a_scan(kept: Count, left: Count) -> None:
    found = part_of_whole([kept], [left], Z)
    if kept.right + left.right == 0:
        assert found is None
        return
    assert found is not None and 0.0 <= found.low <= found.value <= found.high <= 1.0
    least = kept.right / max(1, kept.right + left.right + left.unseen)
    most = (kept.right + kept.unseen) / max(1, kept.right + kept.unseen + left.right)
    step = 1 / 400
    inside = [
        r * step for r in range(401) if least <= r * step <= most and _may_be(r * step, kept, left)
    ]
    assert all(found.low - 1e-9 <= r <= found.high + 1e-9 for r in inside)
    outside = [r * step for r in range(401) if found.low + step < r * step < found.high - step]
    assert all(_may_be(r, kept, left) for r in outside)


def _may_be(r: float, kept: Count, left: Count) -> bool:
    terms = [((1 - r) * kept.pages, kept), (-r * left.pages, left)]
    opposite = [(-weight, count) for weight, count in terms]
    return not is_too_low(0.0, terms, Z) and not is_too_low(0.0, opposite, Z)
