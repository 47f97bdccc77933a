"""Intervals of means, against all resamples there are and against Student's."""

from __future__ import annotations

from itertools import product
from statistics import NormalDist, fmean

import numpy as np
import pytest

from scenthound.comparison.bootstrap import Interval, expanded, mean_interval

SIX = [0.05, 0.11, 0.13, 0.20, 0.22, 0.31]


def all_resamples(values: list[float], level: float) -> tuple[float, float]:
    """The slow way: every resample there is, none drawn at random."""
    means = [fmean(drawn) for drawn in product(values, repeat=len(values))]
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def test_it_is_that_of_all_resamples() -> None:
    found = mean_interval(SIX)
    assert found == pytest.approx(all_resamples(SIX, expanded(0.95, 6)), abs=0.005)


def test_less_confidence_is_a_narrower_interval() -> None:
    wide, narrow = mean_interval(SIX), mean_interval(SIX, confidence=0.5)
    assert wide is not None and narrow is not None
    assert wide.low < narrow.low < fmean(SIX) < narrow.high < wide.high


def test_percentiles_are_taken_further_out_the_fewer_values_there_are() -> None:
    """Six values: Student's 2.571 times the root of 6/5 is 2.816 deviations."""
    assert expanded(0.95, 6) == pytest.approx(2 * NormalDist().cdf(2.8161) - 1, abs=1e-4)
    assert expanded(0.95, 6) == pytest.approx(0.9951, abs=1e-4)
    assert expanded(0.95, 100_000) == pytest.approx(0.95, abs=1e-4)


def test_of_normal_values_it_is_as_wide_as_students() -> None:
    """40 values: mean +- 2.023 deviations / root of 40."""
    values = list(np.random.default_rng(5).normal(1.0, 2.0, 40))
    half = 2.0227 * float(np.std(values, ddof=1)) / 40**0.5
    found = mean_interval(values)
    assert found == pytest.approx((fmean(values) - half, fmean(values) + half), abs=0.1 * half)


def test_the_same_values_have_the_same_interval() -> None:
    assert mean_interval(SIX) == mean_interval(list(SIX))


def test_one_value_has_none() -> None:
    assert mean_interval([0.3]) is None
    assert mean_interval([]) is None


def test_equal_values_have_one_of_no_width() -> None:
    assert mean_interval([0.1] * 6) == Interval(0.1, 0.1)
    assert mean_interval([0.0] * 6) == Interval(0.0, 0.0)


def test_two_values_are_all_that_is_known() -> None:
    assert mean_interval([0.1, 0.3]) == Interval(0.1, 0.3)
