"""p-values of differences, against all flips of signs, and their adjustment."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.comparison.sign_flips import holm, sign_flip_p


def all_flips(differences: list[float]) -> float:
    """The slow way: twice the share of flips that are at least as far out on that side."""
    seen = sum(differences)
    sums = [
        sum(sign * each for sign, each in zip(signs, differences, strict=True))
        for signs in product((1, -1), repeat=len(differences))
    ]
    above = sum(each >= seen - 1e-12 for each in sums) / len(sums)
    below = sum(each <= seen + 1e-12 for each in sums) / len(sums)
    return min(1.0, 2 * min(above, below))


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ([0.1, 0.2, 0.3, 0.1, 0.2, 0.3], 2 / 64),
        ([-0.1] * 5, 2 / 32),
        ([0.1, -0.1], 1.0),
        ([0.0, 0.0, 0.0, 0.0, 0.0], 1.0),
        ([], 1.0),
    ],
)
def test_p_can_be_counted(differences: list[float], p: float) -> None:
    assert sign_flip_p(differences) == pytest.approx(p)


@given(st.lists(st.integers(-50, 50).map(lambda n: n / 100), min_size=2, max_size=7))
@settings(max_examples=40, deadline=None)
def test_it_is_that_of_all_flips(differences: list[float]) -> None:
    assert sign_flip_p(differences) == pytest.approx(all_flips(differences))


def test_many_differences_are_flipped_at_random_and_the_same_each_time() -> None:
    differences = [0.1, -0.05, 0.2, 0.02] * 5
    assert sign_flip_p(differences) == sign_flip_p(differences)
    assert 0.0 < sign_flip_p(differences) < 0.05


def test_holm_by_hand() -> None:
    """Sorted 0.01, 0.02, 0.04 become 0.03, 0.04, 0.04; the order is that given."""
    assert holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])


def test_holm_never_exceeds_one_nor_falls() -> None:
    assert holm([0.6, 0.5, 0.9]) == [1.0, 1.0, 1.0]
    assert holm([0.01, 0.011]) == pytest.approx([0.02, 0.02])
    assert holm([0.03]) == [0.03]
    assert holm([]) == []
