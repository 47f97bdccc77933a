"""Selection, crossover and mutation, with numbers one can work out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimise.training_links import rng
from scenthound.core.errors import SettingsError
from scenthound.optimise.groups import Groups
from scenthound.optimise.operators import (
    cross_both,
    cross_each,
    crossover,
    literal_mutation,
    literal_selection,
    mutate,
    roulette,
    symmetric_mutation,
    weakness,
)


def test_the_printed_selection_keeps_about_one_object_of_150() -> None:
    chance = rng()
    kept = [len(literal_selection(chance.uniform(0.2, 0.5, 150), chance)) for _ in range(2000)]
    assert np.mean(kept) == pytest.approx(1.0, abs=0.1)


def test_roulette_draws_in_proportion_to_fitness_and_within_the_population() -> None:
    groups, chance = Groups([4, 2]), rng()
    fitnesses = np.array([1.0, 2.0, 3.0, 4.0, 1.0, 9.0])
    drawn = np.concatenate([roulette(fitnesses, groups, chance) for _ in range(5000)])
    shares = np.bincount(drawn, minlength=6) / 5000
    assert shares == pytest.approx([0.4, 0.8, 1.2, 1.6, 0.2, 1.8], abs=0.05)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8), st.integers(0, 10**6))
def test_populations_do_not_mix(sizes: list[int], seed: int) -> None:
    groups, chance = Groups(sizes), rng(seed)
    drawn = roulette(chance.random(groups.objects) + 1e-9, groups, chance)
    assert groups.member[drawn].tolist() == groups.member.tolist()
    first, second = groups.pairs(chance)
    assert groups.member[first].tolist() == groups.member[second].tolist()
    assert len(set(first) | set(second)) == 2 * len(first)
    assert len(first) == sum(size // 2 for size in sizes)


def test_weakness_by_hand() -> None:
    """Mean 2, best 4: 1 and 2 - 1 below or at the mean, 0 for the best, (4 - 3) / 2 between."""
    groups = Groups([4, 3])
    found = weakness(np.array([1.0, 0.0, 3.0, 4.0, 5.0, 5.0, 5.0]), groups)
    assert found.tolist() == [1.0, 1.0, 0.5, 0.0, 1.0, 1.0, 1.0]


def test_two_rules_of_crossover() -> None:
    draw = np.array([0.2, 0.2, 0.2])
    first, second = np.array([0.3, 0.3, 0.1]), np.array([0.2, 0.1, 0.1])
    assert [marks.tolist() for marks in cross_both(draw, first, second)] == [
        [True, False, False]
    ] * 2
    each = [marks.tolist() for marks in cross_each(draw, first, second)]
    assert each == [[True, True, False], [True, False, False]]


def test_a_crossed_pair_keeps_its_sum_and_lies_between_its_parents() -> None:
    objects = np.array([[0.0, 1.0], [1.0, 0.5], [0.3, 0.3]])
    pairs = np.array([0]), np.array([1])
    crossed = crossover(objects, np.ones(3), pairs, cross_both, rng())
    assert crossed[0] + crossed[1] == pytest.approx(objects[0] + objects[1])
    share = crossed[1, 0]
    assert 0.0 < share < 1.0
    assert crossed[0] == pytest.approx(share * objects[0] + (1 - share) * objects[1])
    assert crossed[2].tolist() == [0.3, 0.3]
    assert objects[0].tolist() == [0.0, 1.0]


def test_only_the_parent_that_passes_its_own_test_is_replaced() -> None:
    objects = np.array([[0.0, 1.0], [1.0, 0.5]])
    pairs = np.array([0]), np.array([1])
    crossed = crossover(objects, np.array([1.0, -1.0]), pairs, cross_each, rng())
    assert crossed[0].tolist() != [0.0, 1.0]
    assert crossed[1].tolist() == [1.0, 0.5]
    alone = crossover(objects, np.array([1.0, -1.0]), pairs, cross_both, rng())
    assert alone.tolist() == objects.tolist()


def test_the_printed_mutation_moves_up_the_diagonal_only() -> None:
    objects = rng().random((50, 4))
    steps = literal_mutation(objects, rng(1)) - objects
    assert steps == pytest.approx(np.repeat(steps[:, :1], 4, axis=1))
    assert steps.min() >= 0.0


def test_ours_moves_every_weight_by_itself_and_both_ways() -> None:
    objects = np.full((1000, 4), 0.5)
    steps = symmetric_mutation(objects, rng()) - objects
    assert np.abs(steps).max() <= 1.0
    assert steps.mean(axis=0) == pytest.approx([0.0] * 4, abs=0.1)
    assert np.abs(np.corrcoef(steps.T) - np.eye(4)).max() < 0.15


def test_mutation_by_probability_and_within_the_range() -> None:
    objects = np.full((2000, 4), 0.9)
    probability = np.repeat([-1.0, 0.25], 1000)
    mutated = mutate(objects, probability, literal_mutation, rng())
    changed = (mutated != objects).any(axis=1)
    assert not changed[:1000].any()
    assert changed[1000:].mean() == pytest.approx(0.25, abs=0.04)
    assert mutated.max() == 1.0


def test_a_population_without_objects_is_refused() -> None:
    for sizes in ([], [3, 0]):
        with pytest.raises(SettingsError, match="at least one object"):
            Groups(sizes)
