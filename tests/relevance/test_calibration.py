"""The threshold that the example pages give themselves."""

from __future__ import annotations

import numpy as np
import pytest

from scenthound.relevance.calibration import calibrated_threshold, leave_one_out


def test_each_page_is_compared_with_the_nearest_other() -> None:
    """Columns a, b, c with cos(a, b) = 0.6, cos(a, c) = 0, cos(b, c) = 0.8."""
    columns = np.array([[1.0, 0.6, 0.0], [0.0, 0.8, 1.0]])
    assert leave_one_out(columns) == pytest.approx([0.6, 0.8, 0.8])


def test_fewer_than_two_pages_have_no_other() -> None:
    assert leave_one_out(np.zeros((1, 0))) == leave_one_out(np.ones((1, 1))) == []


def test_rounding_does_not_lift_a_cosine_above_1() -> None:
    """A hundred weights of a little more than 0.1 are a little longer than 1."""
    unit = np.full((100, 1), 0.1 + 1e-12)
    assert leave_one_out(np.hstack([unit, unit])) == [1.0, 1.0]


def test_fifth_percentile_is_interpolated() -> None:
    """Rank 0.05 * 2 = 0.1 between 0.6 and 0.8."""
    assert calibrated_threshold([0.8, 0.6, 0.8]) == pytest.approx(0.62)
    assert calibrated_threshold([0.4]) == pytest.approx(0.4)


def test_no_pages_give_no_threshold() -> None:
    assert calibrated_threshold([]) is None
