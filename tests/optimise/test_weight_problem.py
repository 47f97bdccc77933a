"""The fitness of weights through the moments of the links."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimise.training_links import NAMES, links, problem, recomputed, slow_fitness, speedup
from scenthound.core.errors import InputError
from scenthound.optimise.problem import Moments, WeightProblem, equal_weights


def test_worked_by_hand() -> None:
    """Two links, (1, 0) -> 1 and (1, 1) -> 0; weights (1/2, 1/4): errors 1/2 and -3/4."""
    moments = Moments.of([[1.0, 0.0], [1.0, 1.0]], [1.0, 0.0])
    assert moments.gram.tolist() == [[2.0, 1.0], [1.0, 1.0]]
    assert moments.moment.tolist() == [1.0, 0.0]
    assert (moments.square, moments.total, moments.count) == (1.0, 1.0, 2)
    weighing = WeightProblem(moments, ("full", "anchor"))
    assert weighing.error([0.5, 0.25]) == pytest.approx(0.25 + 0.5625)
    assert weighing.fitness([0.5, 0.25]) == pytest.approx(1.0 / math.sqrt(0.8125))


@given(st.integers(0, 50), st.integers(1, 7))
def test_the_fast_form_equals_the_sum_over_the_links(seed: int, texts: int) -> None:
    rows, targets = links(seed, texts=texts)
    objects = np.random.default_rng(seed).random((20, texts))
    fast = problem(seed, texts=texts).fitnesses(objects)
    assert fast == pytest.approx(recomputed(rows, targets, objects), rel=1e-9, abs=1e-9)
    assert fast[0] == pytest.approx(slow_fitness(rows, targets, objects[0]), rel=1e-9, abs=1e-9)
    assert problem(seed, texts=texts).fitness(objects[3]) == pytest.approx(fast[3], rel=1e-12)


def test_both_forms_can_be_timed() -> None:
    assert speedup(objects=10, repeats=1) > 0.0


def test_links_added_one_by_one_or_in_parts_make_the_same_moments() -> None:
    rows, targets = links(1, count=60)
    whole, grown = Moments.of(rows, targets), Moments.none(4)
    for row, target in zip(rows[:30], targets[:30], strict=True):
        grown = grown.plus(row, float(target))
    grown = grown + Moments.of(rows[30:], targets[30:])
    assert grown.gram == pytest.approx(whole.gram)
    assert grown.moment == pytest.approx(whole.moment)
    assert grown.square == pytest.approx(whole.square)
    assert grown.total == pytest.approx(whole.total)
    assert grown.count == whole.count == 60


def test_moments_come_back_from_their_state() -> None:
    moments = problem(2).moments
    back = Moments.from_state(moments.to_state())
    assert back.gram.tolist() == moments.gram.tolist()
    assert back.moment.tolist() == moments.moment.tolist()
    assert (back.square, back.total) == (moments.square, moments.total)
    assert back.count == moments.count


def test_a_perfect_fit_is_very_fit_and_not_infinitely() -> None:
    rows, _ = links(3)
    weighing = WeightProblem(Moments.of(rows, rows @ [0.1, 0.2, 0.3, 0.4]), NAMES)
    assert 1e4 < weighing.fitness([0.1, 0.2, 0.3, 0.4]) < math.inf
    nothing = WeightProblem(Moments.none(4), NAMES)
    assert 0.0 < nothing.fitness(equal_weights(4)) < math.inf


def test_equal_weights_add_up_to_one() -> None:
    assert equal_weights(4).tolist() == [0.25] * 4
    assert equal_weights(1).tolist() == [1.0]


def test_tables_that_do_not_fit_together_are_refused() -> None:
    with pytest.raises(InputError, match="one target a row"):
        Moments.of([[1.0, 0.0]], [1.0, 2.0])
    with pytest.raises(InputError, match="one target a row"):
        Moments.of([1.0, 0.0], [1.0, 2.0])
    with pytest.raises(InputError, match="use the same texts"):
        Moments.none(4).plus([1.0, 2.0], 1.0)
    with pytest.raises(InputError, match="name each text"):
        WeightProblem(Moments.none(4), ("full", "anchor"))
