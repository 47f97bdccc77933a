"""Links that cannot teach weights: a reason, and equal weights."""

from __future__ import annotations

import numpy as np
import pytest

from optimise.training_links import NAMES, links
from scenthound.optimise.arrays import Array
from scenthound.optimise.catalogue import NAMES as WAYS
from scenthound.optimise.catalogue import solve
from scenthound.optimise.problem import Moments, WeightProblem
from scenthound.optimise.soundness import why_not

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
    (ROWS, np.zeros(40), "equally relevant"),
    (ROWS, np.full(40, 0.3), "equally relevant"),
    (np.tile(ROWS[:1], (40, 1)), TARGETS, "same similarities"),
    (np.outer(TARGETS, [1.0, 0.5, 0.0, 0.2]), TARGETS, "same similarities"),
]


@pytest.mark.parametrize(("rows", "targets", "reason"), BAD)
@pytest.mark.parametrize("way", WAYS)
def test_bad_links_give_a_reason_and_equal_weights(
    rows: Array, targets: Array, reason: str, way: str
) -> None:
    outcome = solve(WeightProblem(Moments.of(rows, targets), NAMES), way)
    assert outcome.reason is not None
    assert reason in outcome.reason
    assert outcome.reason.endswith(".")
    assert outcome.weights.tolist() == [0.25] * 4
    assert np.isfinite(outcome.fitness)


def test_good_links_give_no_reason() -> None:
    assert why_not(Moments.of(ROWS, TARGETS)) is None
    assert why_not(Moments.of(ROWS[:20], TARGETS[:20])) is None


def test_one_text_that_alone_has_similarities_can_be_weighed() -> None:
    only = ROWS * [0.0, 1.0, 0.0, 0.0]
    moments = Moments.of(only, TARGETS)
    assert why_not(moments) is None
    weights = solve(WeightProblem(moments, NAMES)).weights
    expected = min(1.0, only[:, 1] @ TARGETS / (only[:, 1] @ only[:, 1]))
    assert weights == pytest.approx([0.0, expected, 0.0, 0.0])
    assert why_not(Moments.of(ROWS[:, :1], TARGETS)) is None
