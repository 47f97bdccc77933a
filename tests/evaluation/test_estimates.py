"""Estimates and intervals: published figures, numbers by hand, slow references, known truth."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.frame_making import frame
from scenthound.evaluation.estimates import (
    Count,
    Estimate,
    half_step,
    is_too_low,
    likeliest,
    part_of_whole,
    precision,
    recall,
    share,
)
from scenthound.evaluation.sampling import Band, Frame, cut_bands, draw
from scenthound.evaluation.scoring import JudgedPage, count_strata

Z = 1.959964
MANY = 10**9


@st.composite
def counts(draw: st.DrawFn, most_unseen: int = 500) -> Count:
    judged = draw(st.integers(1, 60))
    return Count(judged + draw(st.integers(0, most_unseen)), judged, draw(st.integers(0, judged)))


SEVERAL = st.lists(counts(), min_size=1, max_size=6)


def test_one_share_as_published_and_of_a_small_population() -> None:
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
    # 5 of 10 drawn, none right: as if 5 * 9 / 5 = 9 had been drawn with replacement. 0.3 is
    # possible, 0.3 < 1/18 + 1.96 sqrt(0.21 / 9) = 0.355, and 0.4 is not: 0.4 > 0.376. The limit
    # lies between, and the next share of ten pages is 0.4.
    assert Count(10, 5, 0).drawn == 9
    found = share([Count(10, 5, 0)], Z)
    assert found.high == 0.4
    assert share([Count(1000, 5, 0)], Z).high > found.high
    assert share([Count(10, 10, 7)], Z) == Estimate(0.7, 0.7, 0.7)
    # 12 of 15 judged, all right. With 13 right pages 13 of the 455 draws show that, 2.9 %.
    assert share([Count(15, 12, 12)], Z) == Estimate(1.0, 13 / 15, 1.0)
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


DRAWS = 500


def crawl_with_truth(size: int, rng: random.Random) -> tuple[Frame, dict[str, bool]]:
    """Documents whose chance to be about the topic grows with their similarity."""
    made = frame([round(rng.betavariate(1.2, 3.0), 5) for _ in range(size)], threshold=0.3)
    truth = {p.url: rng.random() < min(0.98, 2.4 * p.similarity**1.3) for p in made.documents}
    return made, truth


def figures(bands: Sequence[Band], truth: dict[str, bool], n: int, seed: int) -> list[Estimate]:
    """Precision of the relevant documents and of all, and recall."""
    drawn = [JudgedPage(page, truth[page.url], 0) for page, _ in draw(bands, n, seed)]
    strata = count_strata(bands, drawn)
    kept = [stratum.count for stratum in strata if stratum.relevant]
    left = [stratum.count for stratum in strata if not stratum.relevant]
    found = precision(kept, Z), precision([*kept, *left], Z), recall(kept, left, Z)
    known = [each for each in found if each is not None]
    assert len(known) == 3
    return known


def true_figures(made: Frame, truth: dict[str, bool]) -> tuple[float, float, float]:
    relevant = [truth[p.url] for p in made.documents if p.relevant]
    everything = [truth[p.url] for p in made.documents]
    return fmean(relevant), fmean(everything), sum(relevant) / sum(everything)


def test_intervals_hold_what_they_promise() -> None:
    """Of 500 samples 475 intervals or more hold the truth; four deviations fewer would be 455."""
    made, truth = crawl_with_truth(120, random.Random(5))
    bands, wanted, held = cut_bands(made.documents, 5), true_figures(made, truth), [0, 0, 0]
    for seed in range(DRAWS):
        for i, (each, true) in enumerate(zip(figures(bands, truth, 60, seed), wanted, strict=True)):
            held[i] += each.low <= true <= each.high
    assert all(count >= 455 for count in held), held
    assert min(held) < DRAWS, "an interval that always holds is too wide to say anything"


def test_estimates_are_unbiased() -> None:
    """Drawn evenly, not by size: only the weights keep the estimate from leaning."""
    made, truth = crawl_with_truth(400, random.Random(6))
    relevant, everything, _ = true_figures(made, truth)
    bands = cut_bands(made.documents, 5)
    found = [figures(bands, truth, 60, seed) for seed in range(DRAWS)]
    assert fmean(each[0].value for each in found) == pytest.approx(relevant, abs=0.01)
    assert fmean(each[1].value for each in found) == pytest.approx(everything, abs=0.01)
    unweighed = [fmean(truth[page.url] for page, _ in draw(bands, 60, seed)) for seed in range(100)]
    assert abs(fmean(unweighed) - everything) > 0.05


BANDS = [(15, 12, (0.93, 0.93, 0.8)), (30, 12, (1, 0.9, 0.8, 0.2, 0)), (400, 10, (0.99,) * 5)]


@pytest.mark.parametrize(("size", "judged", "shares"), BANDS)
def test_precision_holds_in_small_bands_and_near_one(
    size: int, judged: int, shares: tuple[float, ...]
) -> None:
    """Bands of one size, as many judged of each, true shares given: 0.95 or more hold the truth."""
    rng = random.Random(8)
    bands = [[i < round(share * size) for i in range(size)] for share in shares]
    true = sum(map(sum, bands)) / (size * len(bands))
    held = 0
    for _ in range(DRAWS):
        drawn = [Count(size, judged, sum(rng.sample(band, judged))) for band in bands]
        found = precision(drawn, Z)
        assert found is not None
        held += found.low - 1e-12 <= true <= found.high + 1e-12
    assert held >= 455, held


def test_recall_holds_in_small_crawls() -> None:
    """Bands as (documents, judged, truly about the topic)."""
    kept, left = [(15, 12, 14), (15, 12, 12)], [(20, 12, 2), (40, 12, 0)]
    rng = random.Random(9)
    inside, outside = sum(k for _, _, k in kept), sum(k for _, _, k in left)
    true, held = inside / (inside + outside), 0
    for _ in range(DRAWS):
        found = recall([drawn_from(b, rng) for b in kept], [drawn_from(b, rng) for b in left], Z)
        assert found is not None
        held += found.low - 1e-12 <= true <= found.high + 1e-12
    assert held >= 455, held


def drawn_from(band: tuple[int, int, int], rng: random.Random) -> Count:
    pages, judged, right = band
    return Count(pages, judged, sum(n < right for n in rng.sample(range(pages), judged)))
