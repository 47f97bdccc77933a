"""Selection, crossover, mutation and their rates (svsm-mcoa Eq. 5), and the membranes (Eq. 6)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from papers.training_links import by_group, problem, rng, slow_entropy
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.parameters import Value
from scenthound.papers.genetic_operators import (
    Breeding,
    Populations,
    cross_both,
    cross_each,
    crossover,
    diversity,
    entropies,
    literal_mutation,
    mutate,
    roulette,
    symmetric_mutation,
    weakness,
)
from scenthound.papers.optimiser_catalogue import solve
from scenthound.papers.svsm_mcoa import Membranes, communicate, metropolis_mask


def test_roulette_draws_in_proportion_to_fitness_and_within_the_population() -> None:
    groups, chance = Populations([4, 2]), rng()
    fitnesses = np.array([1.0, 2.0, 3.0, 4.0, 1.0, 9.0])
    drawn = np.concatenate([roulette(fitnesses, groups, chance) for _ in range(5000)])
    shares = np.bincount(drawn, minlength=6) / 5000
    assert shares == pytest.approx([0.4, 0.8, 1.2, 1.6, 0.2, 1.8], abs=0.05)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8), st.integers(0, 10**6))
def test_populations_do_not_mix(sizes: list[int], seed: int) -> None:
    groups, chance = Populations(sizes), rng(seed)
    drawn = roulette(chance.random(groups.objects) + 1e-9, groups, chance)
    assert groups.member[drawn].tolist() == groups.member.tolist()
    first, second = groups.pairs(chance)
    assert groups.member[first].tolist() == groups.member[second].tolist()
    assert len(set(first) | set(second)) == 2 * len(first)
    assert len(first) == sum(size // 2 for size in sizes)


def test_weakness_by_hand() -> None:
    """Mean 2, best 4: 1 and 2 - 1 below or at the mean, 0 for the best, (4 - 3) / 2 between."""
    groups = Populations([4, 3])
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
            Populations(sizes)


def test_rates_of_a_population_that_all_differs() -> None:
    for generation, rate in [(1, 0.70), (3, 0.50), (15, 0.303), (3000, 0.300)]:
        groups = Populations([150, 50])
        objects = np.random.default_rng(0).random((200, 4))
        now = diversity(entropies(objects, groups), groups.sizes, generation)
        crossing, mutating = Breeding().rates(now)
        assert crossing == pytest.approx([rate] * 2, abs=0.0005)
        assert mutating == pytest.approx(crossing - 0.2)


def test_entropy_by_hand() -> None:
    """Shares 1/2, 1/4, 1/4: one bit and a half. Four alike: none. Two and two: one bit."""
    a, b, c = [0.1, 0.2], [0.2, 0.1], [0.1, 0.3]
    objects = np.array([a, b, a, c, a, a, a, a, b, c, b, c])
    assert entropies(objects, Populations([4, 4, 4])).tolist() == [1.5, 0.0, 1.0]


def test_a_population_all_alike_gets_the_lowest_rates() -> None:
    groups = Populations([4])
    now = diversity(entropies(np.full((4, 3), 0.5), groups), groups.sizes, 1)
    assert now.tolist() == [-1.0]
    crossing, mutating = Breeding().rates(now)
    assert crossing == pytest.approx([0.3], abs=1e-4)
    assert mutating == pytest.approx([0.1], abs=1e-4)


def test_an_object_alone_counts_as_all_alike() -> None:
    groups = Populations([1])
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
    groups = Populations(sizes)
    objects = np.random.default_rng(seed).integers(0, levels + 1, (groups.objects, texts)) / levels
    slow = [slow_entropy(part) for part in by_group(objects, groups)]
    assert entropies(objects, groups) == pytest.approx(slow, abs=1e-12)


def test_breeding_that_cannot_be_is_refused() -> None:
    for low, high in [(0.7, 0.3), (-0.1, 0.5), (0.5, 1.5), (float("nan"), 0.5)]:
        with pytest.raises(SettingsError, match="crossover rates"):
            Breeding(crossover_low=low, crossover_high=high)
        with pytest.raises(SettingsError, match="mutation rates"):
            Breeding(mutation_low=low, mutation_high=high)
    for wrong in [0.0, -1.0, 701.0, float("nan"), float("inf")]:
        with pytest.raises(SettingsError, match="above 0 and at most 700"):
            Breeding(steepness=wrong)
    with pytest.raises(UnknownNameError, match="did you mean 'symmetric'"):
        Breeding(mutation="symetric")


def test_the_steepest_curve_is_a_step_from_low_to_high() -> None:
    crossing, mutating = Breeding(steepness=700.0).rates(np.array([-1.0, 0.0, 1.0]))
    assert crossing == pytest.approx([0.3, 0.5, 0.7])
    assert mutating == pytest.approx([0.1, 0.3, 0.5])


TWO_EACH = Populations([2] * 8)


def test_the_best_of_an_inner_membrane_reaches_the_skin_in_one_round() -> None:
    """Membrane 8 has the best object; the copy in 3 is sent on, and stays in 8 and 3 too."""
    fitnesses = np.full(16, 0.2)
    fitnesses[15] = 0.9
    objects = np.arange(16.0)[:, None] / 16
    after, fit = communicate(objects, fitnesses, TWO_EACH, np.full(8, 1e6), 1, rng())
    assert fit[TWO_EACH.span(0)].tolist() == [0.9, 0.2]
    assert fit[TWO_EACH.span(2)].tolist() == [0.9, 0.2]
    assert fit[TWO_EACH.span(1)].max() == 0.2
    assert after[0, 0] == after[4, 0] == after[15, 0] == 15 / 16
    assert objects[0, 0] == 0.0


def test_a_middle_membrane_sends_what_is_as_good_as_its_fathers() -> None:
    """Membrane 2 has 0.5 and 0.6, its fathers had 0.5: both go, and fill the skin."""
    fitnesses = np.full(16, 0.1)
    fitnesses[2:4] = 0.5, 0.6
    _, fit = communicate(np.zeros((16, 1)), fitnesses, TWO_EACH, np.full(8, 0.5), 1, rng())
    assert fit[TWO_EACH.span(0)].tolist() == [0.6, 0.5]


def test_worse_objects_are_sent_by_chance_and_later_more_often() -> None:
    """exp(-1) = 0.368 in round 1, exp(-1/3) = 0.717 in round 3."""
    fitnesses = np.full(20_000, 1.0)
    assert metropolis_mask(fitnesses, 2.0, 1, rng()).mean() == pytest.approx(0.368, abs=0.02)
    assert metropolis_mask(fitnesses, 2.0, 3, rng()).mean() == pytest.approx(0.717, abs=0.02)
    assert metropolis_mask(fitnesses, 1.0, 1, rng()).all()


def test_all_membranes_are_evaluated_in_every_generation() -> None:
    settings: dict[str, Value] = {
        "rounds": 2, "generations": 5, "skin": 6, "middle": 4, "elemental": 3,
    }  # fmt: skip
    found = solve(problem(0), "mcoa", settings)
    assert found.evaluations == (6 + 2 * 4 + 5 * 3) * (1 + 2 * 5)
    assert 0.0 < found.report["last"] <= found.fitness


@pytest.mark.parametrize("name", ["mcoa", "mcoa-symmetric"])
def test_close_to_the_best_weights_even_after_few_generations(name: str) -> None:
    reached = []
    for seed in range(2):
        weighing = problem(seed)
        found = solve(weighing, name, {"rounds": 2, "generations": 150}, seed).fitness
        reached.append(found / solve(weighing).fitness)
    assert max(reached) <= 1.0 + 1e-9
    assert np.mean(reached) > {"mcoa": 0.90, "mcoa-symmetric": 0.97}[name]


def test_settings_that_cannot_be_are_refused() -> None:
    for settings, words in (
        ({"rounds": 0}, "rounds must be at least 1, not 0"),
        ({"skin": -3}, "skin must be at least 1"),
        ({"elemental": 100_001}, "elemental must be at most 100,000, not 100,001"),
        ({"generations": 10**30}, "generations must be at most 10,000,000"),
    ):
        with pytest.raises(SettingsError, match=words):
            Membranes(**settings)
