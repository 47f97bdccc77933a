"""The weight problem: fitness, exact solution, prior, and links that cannot teach weights."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import lsq_linear

from papers.training_links import best_by_cases, links, problem, recomputed, slow_fitness
from scenthound.core.errors import InputError
from scenthound.papers import least_squares
from scenthound.papers.least_squares import exact_weights, with_prior
from scenthound.papers.optimiser_catalogue import solve
from scenthound.papers.weight_problem import (
    Array,
    Moments,
    absolute_errors,
    equal_weights,
    grouped_errors,
    mean_absolute_error,
)


def test_moments_by_hand() -> None:
    """Two links, (1, 0) -> 1 and (1, 1) -> 0; weights (1/2, 1/4): errors 1/2 and -3/4."""
    moments = Moments.of([[1.0, 0.0], [1.0, 1.0]], [1.0, 0.0])
    assert moments.gram.tolist() == [[2.0, 1.0], [1.0, 1.0]]
    assert moments.moment.tolist() == [1.0, 0.0]
    assert (moments.square, moments.total, moments.count) == (1.0, 1.0, 2)
    assert moments.errors(np.array([[0.5, 0.25]])) == pytest.approx([0.25 + 0.5625])
    assert moments.fitness([0.5, 0.25]) == pytest.approx(1.0 / math.sqrt(0.8125))
    # a perfect fit is very fit, and not infinitely
    rows, _ = links(3)
    weighing = Moments.of(rows, rows @ [0.1, 0.2, 0.3, 0.4])
    assert 1e4 < weighing.fitness([0.1, 0.2, 0.3, 0.4]) < math.inf
    nothing = Moments.none(4)
    assert 0.0 < nothing.fitness(equal_weights(4)) < math.inf


@given(st.integers(0, 50), st.integers(1, 7))
def test_the_fast_form_equals_the_sum_over_the_links(seed: int, texts: int) -> None:
    rows, targets = links(seed, texts=texts)
    objects = np.random.default_rng(seed).random((20, texts))
    fast = problem(seed, texts=texts).fitnesses(objects)
    assert fast == pytest.approx(recomputed(rows, targets, objects), rel=1e-9, abs=1e-9)
    assert fast[0] == pytest.approx(slow_fitness(rows, targets, objects[0]), rel=1e-9, abs=1e-9)
    assert problem(seed, texts=texts).fitness(objects[3]) == pytest.approx(fast[3], rel=1e-12)


def test_what_does_not_fit_together_is_refused() -> None:
    with pytest.raises(InputError, match="one target a row"):
        Moments.of([[1.0, 0.0]], [1.0, 2.0])
    with pytest.raises(InputError, match="one target a row"):
        Moments.of([1.0, 0.0], [1.0, 2.0])
    with pytest.raises(InputError, match="one target a row"):
        grouped_errors(TWO, [1.0], WEIGHTS)


def test_exact_weights() -> None:
    """Free weights would be (0.5, 2); held at 1 for the second, the first is free: 0.5."""
    moments = Moments.of([[1.0, 0.0], [0.0, 1.0]], [0.5, 2.0])
    assert exact_weights(moments) == pytest.approx([0.5, 1.0])
    assert exact_weights(Moments.of([[1.0, 0.0], [0.0, 1.0]], [-0.5, 0.25])) == pytest.approx(
        [0.0, 0.25]
    )
    # the square root stands for all links
    moments = problem(4)
    matrix, target = least_squares.square_root(moments.gram, moments.moment)
    assert matrix.T @ matrix == pytest.approx(moments.gram)
    assert matrix.T @ target == pytest.approx(moments.moment)
    # a text without similarities gets no weight
    rows, targets = links(6)
    rows[:, 2] = 0.0
    found = exact_weights(Moments.of(rows, targets))
    assert found[2] == pytest.approx(0.0, abs=1e-12)
    others = exact_weights(Moments.of(rows[:, [0, 1, 3]], targets))
    assert found[[0, 1, 3]] == pytest.approx(others, abs=1e-8)
    assert exact_weights(Moments.none(4)).tolist() == [0.0] * 4


@given(st.integers(0, 2000), st.integers(1, 5), st.floats(0.1, 5.0))
def test_as_good_as_the_best_of_all_cases(seed: int, texts: int, scale: float) -> None:
    """Targets scaled so that weights meet either bound."""
    rows, targets = links(seed, count=60, texts=texts)
    targets = scale * targets - 0.2 * (seed % 3)
    moments = Moments.of(rows, targets)
    found = exact_weights(moments)
    assert found.min() >= 0.0
    assert found.max() <= 1.0
    assert moments.errors(found[None, :]) == pytest.approx(best_by_cases(moments), rel=1e-9)


ROWS, TARGETS = links(0, count=40)
HOLED, INFINITE = ROWS.copy(), TARGETS.copy()
HOLED[3, 1] = np.nan
INFINITE[3] = np.inf
BAD: list[tuple[Array, Array, str]] = [
    (ROWS[:0], TARGETS[:0], "there are 0 training links"),
    (ROWS[:19], TARGETS[:19], "there are 19 training links and at least 20"),
    (HOLED, TARGETS, "not a finite number"),
    (ROWS, INFINITE, "not a finite number"),
    (np.zeros((40, 4)), TARGETS, "every similarity is 0"),
    (ROWS, np.full(40, 0.3), "equally relevant"),
    (np.outer(TARGETS, [1.0, 0.5, 0.0, 0.2]), TARGETS, "same similarities"),
]


@pytest.mark.parametrize(("rows", "targets", "reason"), BAD)
def test_bad_links_give_a_reason_and_equal_weights(
    rows: Array, targets: Array, reason: str
) -> None:
    for way in ("exact", "sa"):
        outcome = solve(Moments.of(rows, targets), way)
        assert outcome.reason is not None and outcome.reason.endswith(".")
        assert reason in outcome.reason
        assert outcome.weights.tolist() == [0.25] * 4
        assert np.isfinite(outcome.fitness)


def test_one_text_that_alone_has_similarities_can_be_weighed() -> None:
    only = ROWS * [0.0, 1.0, 0.0, 0.0]
    moments = Moments.of(only, TARGETS)
    assert least_squares.untrainable_reason(moments) is None
    weights = solve(moments).weights
    expected = min(1.0, only[:, 1] @ TARGETS / (only[:, 1] @ only[:, 1]))
    assert weights == pytest.approx([0.0, expected, 0.0, 0.0])
    for rows, targets in ((ROWS[:, :1], TARGETS), (ROWS[:20], TARGETS[:20])):
        assert least_squares.untrainable_reason(Moments.of(rows, targets)) is None


EQUAL = [0.5, 0.5]


def test_held_weights_by_hand() -> None:
    # Equal weights predict 0.5 and 1: s = (0.5 * 1 + 1 * 1) / (0.5^2 + 1^2) = 1.5 / 1.25
    held = Moments.of([[1.0, 0.0], [0.0, 2.0]], [1.0, 1.0])
    assert least_squares.best_scale(held, EQUAL) == pytest.approx(1.2)
    # Centre 1.2 x 0.5 = 0.6. The first text: links alone say 1, mean square 1/2, pull 2/2 x 1 = 1:
    # (1 + 1 x 0.6) / (1 + 1) = 0.8. The second: links say 1/2, pull 4: (2 + 4 x 0.6) / (4 + 4).
    assert exact_weights(with_prior(held, EQUAL, 2.0)) == pytest.approx([0.8, 0.55])
    # Only the first text counts, s = 2; the second is held at 2 x 0.5 however faint the pull.
    found = exact_weights(with_prior(Moments.of([[1.0, 0.0], [1.0, 0.0]], [1.0, 1.0]), EQUAL, 2.0))
    assert found == pytest.approx([1.0, 1.0])
    # nothing is held by nothing
    assert with_prior(held, EQUAL, 0.0) is held
    none = Moments.none(2)
    assert with_prior(none, EQUAL, 5.0) is none


def test_same_as_least_squares_with_the_pulls_written_out_as_links() -> None:
    for prior in [0.0, 3.0, 200.0]:
        rng = np.random.default_rng(7)
        rows, targets = rng.random((60, 4)), rng.random(60)
        moments, start = Moments.of(rows, targets), np.full(4, 0.25)
        strength = np.sqrt(prior * (rows**2).mean(axis=0))
        prediction = rows @ start
        centre = start * (prediction @ targets) / (prediction @ prediction)
        more_rows = np.vstack([rows, np.diag(strength)])
        more_targets = np.concatenate([targets, strength * centre])
        slow = lsq_linear(more_rows, more_targets, bounds=(0.0, 1.0), method="bvls").x
        assert exact_weights(with_prior(moments, start, prior)) == pytest.approx(slow, abs=1e-8)


TWO, AIMED, WEIGHTS = [[1.0, 0.0], [1.0, 1.0]], [1.0, 0.0], [0.5, 0.25]
FIVE = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
AIMS = np.array([1.0, 0.0, 0.5, 0.5, 0.75])


def test_groups_of_errors() -> None:
    """Errors 0.5, 0.75, 0.5, 0.25 and 0: three and two links, then two, two and one."""
    assert absolute_errors(FIVE, AIMS, WEIGHTS).tolist() == [0.5, 0.75, 0.5, 0.25, 0.0]
    assert mean_absolute_error(FIVE, AIMS, WEIGHTS) == pytest.approx(0.4)
    assert grouped_errors(FIVE, AIMS, WEIGHTS, 2) == pytest.approx([1.75 / 3, 0.125])
    assert grouped_errors(FIVE, AIMS, WEIGHTS, 3).tolist() == [0.625, 0.375, 0.0]
    assert grouped_errors(FIVE, AIMS, WEIGHTS).tolist() == [0.5, 0.75, 0.5, 0.25, 0.0]
    # the papers have fifty groups of ten
    rows, targets = links(0, count=500)
    weights = equal_weights(4)
    found = grouped_errors(rows, targets, weights)
    assert found.shape == (50,)
    assert found[2] == pytest.approx(mean_absolute_error(rows[20:30], targets[20:30], weights))
    assert found.mean() == pytest.approx(mean_absolute_error(rows, targets, weights))
    nothing = np.empty((0, 2))
    assert absolute_errors(nothing, [], WEIGHTS).shape == (0,)
    assert mean_absolute_error(nothing, [], WEIGHTS) == 0.0
    assert grouped_errors(nothing, [], WEIGHTS).shape == (0,)
    # what is not finite spoils its own group only
    for bad in [np.nan, np.inf, -np.inf]:
        rows, targets = FIVE.copy(), AIMS.copy()
        rows[0, 1] = bad
        targets[4] = bad
        found = grouped_errors(rows, targets, WEIGHTS, 3)
        assert np.isfinite(found).tolist() == [False, True, False]
        assert found[1] == 0.375
        assert not np.isfinite(grouped_errors(rows, targets, [0.5, 0.0], 3)[0])
        assert not np.isfinite(mean_absolute_error(rows, targets, WEIGHTS))
