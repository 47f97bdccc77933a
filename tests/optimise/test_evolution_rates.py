"""Entropy and the rates of crossover and mutation (svsm-mcoa Eq. 5)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optimise.training_links import by_group, slow_entropy
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.optimise.breeding import Breeding
from scenthound.optimise.groups import Groups
from scenthound.optimise.rates import diversity, entropies


@pytest.mark.parametrize(
    ("generation", "crossover"), [(1, 0.70), (3, 0.50), (15, 0.303), (3000, 0.300)]
)
def test_rates_of_a_population_that_all_differs(generation: int, crossover: float) -> None:
    groups = Groups([150, 50])
    objects = np.random.default_rng(0).random((200, 4))
    now = diversity(entropies(objects, groups), groups.sizes, generation)
    crossing, mutating = Breeding().rates(now)
    assert crossing == pytest.approx([crossover] * 2, abs=0.0005)
    assert mutating == pytest.approx(crossing - 0.2)


def test_entropy_by_hand() -> None:
    """Shares 1/2, 1/4, 1/4: one bit and a half. Four alike: none. Two and two: one bit."""
    a, b, c = [0.1, 0.2], [0.2, 0.1], [0.1, 0.3]
    objects = np.array([a, b, a, c, a, a, a, a, b, c, b, c])
    assert entropies(objects, Groups([4, 4, 4])).tolist() == [1.5, 0.0, 1.0]


def test_a_population_all_alike_gets_the_lowest_rates() -> None:
    groups = Groups([4])
    now = diversity(entropies(np.full((4, 3), 0.5), groups), groups.sizes, 1)
    assert now.tolist() == [-1.0]
    crossing, mutating = Breeding().rates(now)
    assert crossing == pytest.approx([0.3], abs=1e-4)
    assert mutating == pytest.approx([0.1], abs=1e-4)


def test_an_object_alone_counts_as_all_alike() -> None:
    groups = Groups([1])
    assert diversity(entropies(np.zeros((1, 4)), groups), groups.sizes, 7).tolist() == [-1.0]


@given(
    st.integers(0, 10**6),
    st.lists(st.integers(1, 30), min_size=1, max_size=9),
    st.integers(1, 6),
    st.sampled_from([1, 2, 3, 1000]),
)
def test_fingerprints_tell_objects_apart_as_the_vectors_do(
    seed: int, sizes: list[int], texts: int, levels: int
) -> None:
    """Vectors of few levels, so that many are equal, 0 and 1 among them."""
    groups = Groups(sizes)
    objects = np.random.default_rng(seed).integers(0, levels + 1, (groups.objects, texts)) / levels
    slow = [slow_entropy(part) for part in by_group(objects, groups)]
    assert entropies(objects, groups) == pytest.approx(slow, abs=1e-12)


@pytest.mark.parametrize("wrong", [(0.7, 0.3), (-0.1, 0.5), (0.5, 1.5), (float("nan"), 0.5)])
def test_rates_that_are_none_are_refused(wrong: tuple[float, float]) -> None:
    low, high = wrong
    with pytest.raises(SettingsError, match="crossover rates"):
        Breeding(crossover_low=low, crossover_high=high)
    with pytest.raises(SettingsError, match="mutation rates"):
        Breeding(mutation_low=low, mutation_high=high)


@pytest.mark.parametrize("wrong", [0.0, -1.0, 701.0, float("nan"), float("inf")])
def test_a_steepness_that_makes_no_curve_is_refused(wrong: float) -> None:
    with pytest.raises(SettingsError, match="above 0 and at most 700"):
        Breeding(steepness=wrong)


def test_the_steepest_curve_is_a_step_from_low_to_high() -> None:
    crossing, mutating = Breeding(steepness=700.0).rates(np.array([-1.0, 0.0, 1.0]))
    assert crossing == pytest.approx([0.3, 0.5, 0.7])
    assert mutating == pytest.approx([0.1, 0.3, 0.5])


def test_a_mutation_without_a_name_of_ours_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'symmetric'"):
        Breeding(mutation="symetric")
