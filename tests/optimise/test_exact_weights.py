"""The best weights, against ways to find them that take long."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import lsq_linear

from optimise.training_links import NAMES, best_by_cases, links, problem
from scenthound.optimise.exact import exact_weights, square_root
from scenthound.optimise.problem import Moments, WeightProblem


def test_worked_by_hand() -> None:
    """Free weights would be (0.5, 2); held at 1 for the second, the first is free: 0.5."""
    moments = Moments.of([[1.0, 0.0], [0.0, 1.0]], [0.5, 2.0])
    assert exact_weights(moments) == pytest.approx([0.5, 1.0])
    assert exact_weights(Moments.of([[1.0, 0.0], [0.0, 1.0]], [-0.5, 0.25])) == pytest.approx(
        [0.0, 0.25]
    )


@pytest.mark.parametrize("seed", range(5))
def test_no_better_weights_on_a_grid(seed: int) -> None:
    rows, targets = links(seed, texts=2)
    weighing = WeightProblem(Moments.of(rows, targets), NAMES[:2])
    line = np.linspace(0.0, 1.0, 201)
    grid = np.array(np.meshgrid(line, line)).reshape(2, -1).T
    found = exact_weights(weighing.moments)
    fitnesses = weighing.fitnesses(grid)
    assert weighing.fitness(found) >= fitnesses.max()
    assert found == pytest.approx(grid[fitnesses.argmax()], abs=0.01)


@given(st.integers(0, 2000), st.integers(1, 5), st.floats(0.1, 5.0))
def test_as_good_as_the_best_of_all_cases(seed: int, texts: int, scale: float) -> None:
    """Targets scaled so that weights meet either bound."""
    rows, targets = links(seed, count=60, texts=texts)
    targets = scale * targets - 0.2 * (seed % 3)
    moments = Moments.of(rows, targets)
    weighing = WeightProblem(moments, tuple(map(str, range(texts))))
    found = exact_weights(moments)
    assert found.min() >= 0.0
    assert found.max() <= 1.0
    assert weighing.error(found) == pytest.approx(best_by_cases(moments), rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_the_moments_are_enough(seed: int) -> None:
    rows, targets = links(seed)
    whole = lsq_linear(rows, targets, bounds=(0.0, 1.0), method="bvls", tol=1e-14).x
    assert exact_weights(problem(seed).moments) == pytest.approx(whole, abs=1e-8)


def test_the_square_root_stands_for_all_links() -> None:
    moments = problem(4).moments
    matrix, target = square_root(moments.gram, moments.moment)
    assert matrix.T @ matrix == pytest.approx(moments.gram)
    assert matrix.T @ target == pytest.approx(moments.moment)


def test_texts_that_are_always_alike_share_their_weight() -> None:
    rows, targets = links(5)
    rows[:, 3] = rows[:, 1]
    found = exact_weights(Moments.of(rows, targets))
    three = exact_weights(Moments.of(rows[:, :3], targets))
    assert found[1] == pytest.approx(found[3], abs=1e-6)
    assert rows @ found == pytest.approx(rows[:, :3] @ three, abs=1e-6)


def test_a_text_without_similarities_gets_no_weight() -> None:
    rows, targets = links(6)
    rows[:, 2] = 0.0
    found = exact_weights(Moments.of(rows, targets))
    assert found[2] == pytest.approx(0.0, abs=1e-12)
    others = exact_weights(Moments.of(rows[:, [0, 1, 3]], targets))
    assert found[[0, 1, 3]] == pytest.approx(others, abs=1e-8)


def test_without_links_all_weights_are_zero() -> None:
    assert exact_weights(Moments.none(4)).tolist() == [0.0] * 4
