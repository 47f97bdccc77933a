"""Intervals: published figures, numbers worked out by hand, and slow references."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.evaluation.estimates import (
    Count,
    Estimate,
    half_step,
    is_too_low,
    likeliest,
    part_of_whole,
    share,
)

Z = 1.959964
MANY = 10**9


@st.composite
def counts(draw: st.DrawFn, most_unseen: int = 500) -> Count:
    judged = draw(st.integers(1, 60))
    return Count(judged + draw(st.integers(0, most_unseen)), judged, draw(st.integers(0, judged)))


SEVERAL = st.lists(counts(), min_size=1, max_size=6)


def test_one_share_as_published() -> None:
    """Newcombe (1998), table I, method 4: the score interval with continuity correction."""
    cases: list[tuple[int, int, float, float]] = [
        (81, 263, 0.2535, 0.3682),
        (0, 20, 0.0, 0.2005),
        (1, 29, 0.0018, 0.1963),
    ]
    for right, judged, low, high in cases:
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
def test_what_is_not_about_the_topic_has_the_mirrored_interval(several: list[Count]) -> None:
    mirrored = [Count(c.pages, c.judged, c.judged - c.right) for c in several]
    found, other = share(several, Z), share(mirrored, Z)
    assert (found.low, found.high) == pytest.approx((1 - other.high, 1 - other.low), abs=1e-7)


def test_a_ratio_of_nothing_is_none() -> None:
    assert part_of_whole([Count(5, 2, 0)], [], Z) is None
    assert part_of_whole([Count(5, 2, 0)], [Count(5, 5, 0)], Z) is None


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
