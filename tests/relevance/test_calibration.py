"""The threshold that the example pages give themselves."""

from __future__ import annotations

import pytest

from scenthound.relevance.calibration import calibrated_threshold, leave_one_out


def test_each_page_is_compared_with_the_nearest_other() -> None:
    """cos(a, b) = 0.6, cos(a, c) = 0, cos(b, c) = 0.8."""
    a, b, c = {"x": 1.0}, {"x": 0.6, "y": 0.8}, {"y": 1.0}
    assert leave_one_out([a, b, c]) == pytest.approx([0.6, 0.8, 0.8])


def test_fewer_than_two_pages_have_no_other() -> None:
    assert leave_one_out([]) == leave_one_out([{"x": 1.0}]) == []


def test_fifth_percentile_is_interpolated() -> None:
    """Rank 0.05 * 2 = 0.1 between 0.6 and 0.8."""
    assert calibrated_threshold([0.8, 0.6, 0.8]) == pytest.approx(0.62)
    assert calibrated_threshold([0.4]) == pytest.approx(0.4)


def test_no_pages_give_no_threshold() -> None:
    assert calibrated_threshold([]) is None
