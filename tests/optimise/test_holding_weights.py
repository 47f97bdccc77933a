"""Weights held near those one begins with, as long as few links speak for others."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from scenthound.optimise.exact import exact_weights
from scenthound.optimise.holding import best_multiple, held
from scenthound.optimise.problem import Moments

ROWS = [[1.0, 0.0], [0.0, 2.0]]
TARGETS = [1.0, 1.0]
EQUAL = [0.5, 0.5]


def test_the_best_multiple_by_hand() -> None:
    # Equal weights predict 0.5 and 1: s = (0.5 * 1 + 1 * 1) / (0.5^2 + 1^2) = 1.5 / 1.25
    assert best_multiple(Moments.of(ROWS, TARGETS), EQUAL) == pytest.approx(1.2)


def test_two_links_and_two_that_hold_by_hand() -> None:
    # Centre 1.2 x 0.5 = 0.6. The first text: links alone say 1, mean square 1/2, pull 2/2 x 1 = 1:
    # (1 + 1 x 0.6) / (1 + 1) = 0.8. The second: links say 1/2, pull 4: (2 + 4 x 0.6) / (4 + 4).
    found = exact_weights(held(Moments.of(ROWS, TARGETS), EQUAL, 2.0))
    assert found == pytest.approx([0.8, 0.55])


def test_a_text_that_said_nothing_keeps_its_weight() -> None:
    # Only the first text counts, s = 2; the second is held at 2 x 0.5 however faint the pull.
    found = exact_weights(held(Moments.of([[1.0, 0.0], [1.0, 0.0]], [1.0, 1.0]), EQUAL, 2.0))
    assert found == pytest.approx([1.0, 1.0])


def test_nothing_is_held_by_nothing() -> None:
    moments = Moments.of(ROWS, TARGETS)
    assert held(moments, EQUAL, 0.0) is moments
    none = Moments.none(2)
    assert held(none, EQUAL, 5.0) is none


def test_held_fast_the_proportions_stay() -> None:
    rng = np.random.default_rng(3)
    rows, targets = rng.random((40, 3)), rng.random(40)
    start = np.array([0.1, 0.2, 0.1])
    found = exact_weights(held(Moments.of(rows, targets), start, 1e9))
    assert found / found[0] == pytest.approx([1.0, 2.0, 1.0], abs=1e-4)


@pytest.mark.parametrize("links", [0.0, 3.0, 200.0])
def test_same_as_least_squares_with_the_pulls_written_out_as_links(links: float) -> None:
    rng = np.random.default_rng(7)
    rows, targets = rng.random((60, 4)), rng.random(60)
    moments, start = Moments.of(rows, targets), np.full(4, 0.25)
    strength = np.sqrt(links * (rows**2).mean(axis=0))
    prediction = rows @ start
    centre = start * (prediction @ targets) / (prediction @ prediction)
    more_rows = np.vstack([rows, np.diag(strength)])
    more_targets = np.concatenate([targets, strength * centre])
    slow = lsq_linear(more_rows, more_targets, bounds=(0.0, 1.0), method="bvls").x
    assert exact_weights(held(moments, start, links)) == pytest.approx(slow, abs=1e-8)


def test_the_count_of_links_is_that_of_real_ones() -> None:
    assert held(Moments.of(ROWS, TARGETS), EQUAL, 100.0).count == 2
