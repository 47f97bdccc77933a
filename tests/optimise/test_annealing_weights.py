"""Simulated annealing, by itself and after the genetic algorithm."""

from __future__ import annotations

import math

import numpy as np
import pytest

from optimise.training_links import problem, rng
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.optimise.annealing import (
    Annealing,
    Schedule,
    acceptance,
    neighbour,
    steps_between,
)
from scenthound.optimise.catalogue import build, solve
from scenthound.optimise.optimiser import Found, optimise


def test_the_printed_cooling_takes_688_steps() -> None:
    assert steps_between(100.0, 0.1, 0.99) == 688
    assert optimise(Annealing(4, rng(), Schedule()), problem(0)).evaluations == 1 + 688


def test_acceptance_by_hand() -> None:
    assert acceptance(0.4, 0.5, 1.0) == 1.0
    assert acceptance(0.5, 0.4, 0.1) == pytest.approx(math.exp(-1.0))
    assert acceptance(0.5, 0.4, 100.0) == pytest.approx(0.999, abs=1e-4)


def test_a_neighbour_is_near_and_within_the_range() -> None:
    chance = rng()
    steps = np.array([neighbour(np.full(4, 0.5), 0.05, chance) for _ in range(2000)]) - 0.5
    assert steps.std(axis=0) == pytest.approx([0.05] * 4, abs=0.005)
    corner = np.array([neighbour(np.array([0.0, 1.0]), 0.5, chance) for _ in range(100)])
    assert corner.min() == 0.0
    assert corner.max() == 1.0


def test_nearly_all_steps_are_taken_where_power_is_the_fitness() -> None:
    walk = optimise(Annealing(4, rng(), Schedule()), problem(0)).report
    real = optimise(Annealing(4, rng(), Schedule(power="relative")), problem(0)).report
    assert walk["accepted"] > 0.95
    assert real["accepted"] < 0.6


def test_in_thousandths_of_the_fitness_it_comes_close() -> None:
    for seed in range(4):
        weighing = problem(seed)
        found = optimise(Annealing(4, rng(seed), Schedule(power="relative")), weighing)
        assert found.fitness > 0.99 * solve(weighing).fitness
        assert found.report["last"] <= found.fitness


def test_it_never_ends_worse_than_it_started() -> None:
    weighing = problem(2)
    best = solve(weighing)
    annealing = Annealing(4, rng(), Schedule())
    annealing.start_from(Found(best.weights, best.fitness))
    outcome = optimise(annealing, weighing)
    assert outcome.evaluations == 688
    assert outcome.fitness == pytest.approx(best.fitness)
    assert outcome.weights == pytest.approx(best.weights, abs=1e-3)


@pytest.mark.parametrize("name", ["hybrid", "hybrid-relative", "hybrid-cuckoo"])
def test_the_hybrid_is_no_worse_than_its_genetic_part(name: str) -> None:
    for seed in range(3):
        weighing = problem(seed)
        outcome = solve(weighing, name, {"generations": 100, "individuals": 30}, seed)
        assert outcome.fitness >= outcome.report["genetic"] > 0.0
        if name != "hybrid":
            assert outcome.fitness > 0.99 * solve(weighing).fitness


def test_the_progress_of_the_hybrid_covers_both_parts() -> None:
    told: list[float] = []
    hybrid = build("hybrid", 4, generations=50, individuals=10)
    outcome = optimise(hybrid, problem(0), told.append)
    assert told == sorted(told)
    assert 0.0 < told[0] < told[60] < 1.0
    assert told[-1] == pytest.approx(1.0)
    assert len(told) == 51 + 688
    assert outcome.evaluations == 51 * 10 + 688


def test_settings_that_cannot_be_are_refused() -> None:
    with pytest.raises(SettingsError, match="0 < cold < hot"):
        Schedule(cold=200.0)
    with pytest.raises(SettingsError, match="cooling must lie between"):
        Schedule(cooling=1.0)
    with pytest.raises(SettingsError, match="step must be larger"):
        Schedule(step=0.0)
    with pytest.raises(UnknownNameError, match="did you mean 'relative'"):
        Schedule(power="relativ")


@pytest.mark.parametrize("wrong", [{"cooling": 1.0 - 1e-12}, {"cold": 5e-324}])
def test_a_cooling_that_hardly_ends_is_refused(wrong: dict[str, float]) -> None:
    """0.99 times the second smallest number there is, rounded, is that number again."""
    with pytest.raises(SettingsError, match="more than 10,000,000 steps; lower cooling"):
        Schedule(**wrong)  # type: ignore[arg-type]
