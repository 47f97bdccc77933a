"""How far priorities lie from the relevance found: link by link, in the mean, in groups."""

from __future__ import annotations

import numpy as np
import pytest

from optimise.training_links import links
from scenthound.core.errors import InputError, SettingsError
from scenthound.optimise.absolute_error import (
    absolute_errors,
    grouped_errors,
    mean_absolute_error,
)
from scenthound.optimise.problem import equal_weights

ROWS, TARGETS, WEIGHTS = [[1.0, 0.0], [1.0, 1.0]], [1.0, 0.0], [0.5, 0.25]
FIVE = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
AIMS = np.array([1.0, 0.0, 0.5, 0.5, 0.75])


def test_worked_by_hand() -> None:
    """Priorities 1/2 and 3/4 against 1 and 0."""
    assert absolute_errors(ROWS, TARGETS, WEIGHTS).tolist() == [0.5, 0.75]
    assert mean_absolute_error(ROWS, TARGETS, WEIGHTS) == 0.625


def test_groups_by_hand() -> None:
    """Errors 0.5, 0.75, 0.5, 0.25 and 0: three and two links, then two, two and one."""
    assert absolute_errors(FIVE, AIMS, WEIGHTS).tolist() == [0.5, 0.75, 0.5, 0.25, 0.0]
    assert grouped_errors(FIVE, AIMS, WEIGHTS, 2) == pytest.approx([1.75 / 3, 0.125])
    assert grouped_errors(FIVE, AIMS, WEIGHTS, 3).tolist() == [0.625, 0.375, 0.0]
    assert grouped_errors(FIVE, AIMS, WEIGHTS, 1) == pytest.approx([0.4])


def test_the_papers_have_fifty_groups_of_ten() -> None:
    rows, targets = links(0, count=500)
    weights = equal_weights(4)
    found = grouped_errors(rows, targets, weights)
    assert found.shape == (50,)
    assert found[2] == pytest.approx(mean_absolute_error(rows[20:30], targets[20:30], weights))
    assert found.mean() == pytest.approx(mean_absolute_error(rows, targets, weights))


def test_fewer_links_than_groups_are_a_group_each() -> None:
    assert grouped_errors(FIVE, AIMS, WEIGHTS).tolist() == [0.5, 0.75, 0.5, 0.25, 0.0]


def test_without_links_there_is_no_error_and_no_group() -> None:
    nothing = np.empty((0, 2))
    assert absolute_errors(nothing, [], WEIGHTS).shape == (0,)
    assert mean_absolute_error(nothing, [], WEIGHTS) == 0.0
    assert grouped_errors(nothing, [], WEIGHTS).shape == (0,)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_spoils_its_own_group_only(bad: float) -> None:
    rows, targets = FIVE.copy(), AIMS.copy()
    rows[0, 1] = bad
    targets[4] = bad
    found = grouped_errors(rows, targets, WEIGHTS, 3)
    assert np.isfinite(found).tolist() == [False, True, False]
    assert found[1] == 0.375
    assert not np.isfinite(grouped_errors(rows, targets, [0.5, 0.0], 3)[0])
    assert not np.isfinite(mean_absolute_error(rows, targets, WEIGHTS))


def test_what_does_not_fit_together_is_refused() -> None:
    with pytest.raises(InputError, match="one target a row"):
        grouped_errors(ROWS, [1.0], WEIGHTS)
    with pytest.raises(InputError, match="2 texts a link but 3 weights"):
        grouped_errors(ROWS, TARGETS, [0.1, 0.2, 0.3])
    with pytest.raises(SettingsError, match="groups must be at least 1, not 0"):
        grouped_errors(ROWS, TARGETS, WEIGHTS, 0)
