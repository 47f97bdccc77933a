"""The genetic algorithm, cuckoo search, annealing, and the hybrid (bsvsm-ha)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from papers.training_links import problem, rng
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.parameters import Value
from scenthound.papers import bsvsm_ha
from scenthound.papers.bsvsm_ha import (
    Annealing,
    CuckooSearch,
    Genetic,
    Population,
    Schedule,
    all_different,
    levy_steps,
    mantegna_scale,
    steps_between,
)
from scenthound.papers.genetic_operators import Breeding
from scenthound.papers.optimiser import optimise
from scenthound.papers.optimiser_catalogue import OPTIMISERS, solve
from scenthound.papers.weight_problem import Array


def column(*values: float) -> Array:
    return np.array(values)[:, None]


def test_fewer_than_half_alike_only_those_are_drawn_again() -> None:
    asked: list[int] = []

    def draw(count: int) -> Array:
        asked.append(count)
        return column(*[0.5, 0.6, 0.7][:count]) if len(asked) == 1 else column(0.9)

    found = all_different(column(0.1, 0.2, 0.5, 0.2, 0.3), draw)
    assert found.ravel().tolist() == [0.1, 0.2, 0.5, 0.9, 0.3]
    assert asked == [1, 1]  # the first draw, 0.5, was there already


def test_half_or_more_alike_all_are_drawn_again() -> None:
    found = all_different(column(0.1, 0.1, 0.1, 0.2), lambda count: np.arange(count)[:, None] / 8)
    assert found.ravel().tolist() == [0.0, 0.125, 0.25, 0.375]


@pytest.mark.parametrize("start", ["random", "cuckoo"])
def test_it_finds_good_weights_and_reports_the_last_generation(start: str) -> None:
    population = Population(generations=200, individuals=40, start=start)
    genetic = Genetic(4, rng(0), population, Breeding(mutation="symmetric"))
    outcome = optimise(genetic, problem(0))
    assert outcome.fitness > 0.85 * solve(problem(0)).fitness
    assert 0.0 < outcome.report["last"] <= outcome.fitness
    assert genetic.progress == 1.0
    assert outcome.evaluations == 201 * 40 + (51 * 50 - 10 if start == "cuckoo" else 0)


def test_the_printed_rules_never_find_weights_below_those_of_the_first_population() -> None:
    """The best weights here are (0.21, 0.09, 0.24, 0.19), and no individual starts near them."""
    weighing, population = problem(0), Population(generations=300, individuals=10)
    genetic = Genetic(4, rng(), population, Breeding())
    smallest = genetic.ask().min(axis=0)
    while not genetic.done:
        assert (genetic.ask().min(axis=0) >= smallest - 1e-12).all()
        genetic.tell(weighing.fitnesses(genetic.ask()))
    literal = genetic.best.fitness
    settings: dict[str, Value] = {"mutation": "symmetric", "generations": 300, "individuals": 10}
    assert literal < 0.8 * solve(weighing, "ga", settings).fitness


def test_settings_that_cannot_be_are_refused() -> None:
    population: list[tuple[dict[str, Any], str]] = [
        ({"individuals": 1}, "individuals must be at least 2"),
        ({"individuals": 1_000_000}, "individuals must be at most 100,000, not 1,000,000"),
        ({"generations": 10_000_001}, "^generations must be at most 10,000,000"),
        ({"cuckoo_generations": 10_000_001}, "^cuckoo_generations must be at most 10,000,000"),
        ({"start": "cuckoo", "cuckoo_generations": 0}, "cuckoo_generations must be at least 1"),
        ({"start": "cuckoos"}, "did you mean 'cuckoo'"),
    ]
    for settings, words in population:
        with pytest.raises((SettingsError, UnknownNameError), match=words):
            Population(**settings)
    schedule: list[tuple[dict[str, Any], str]] = [
        ({"cold": 200.0}, "0 < cold < hot"),
        ({"cooling": 1.0}, "cooling must lie between"),
        ({"step": 0.0}, "step must be larger"),
        ({"power": "relativ"}, "did you mean 'relative'"),
    ]
    for settings, words in schedule:
        with pytest.raises((SettingsError, UnknownNameError), match=words):
            Schedule(**settings)
    with pytest.raises(SettingsError, match="nests must be at least 2"):
        CuckooSearch(4, rng(), nests=1)
    with pytest.raises(SettingsError, match="generations must be at least 1"):
        CuckooSearch(4, rng(), generations=0)


def test_levy_steps_are_mostly_short_and_sometimes_very_long() -> None:
    assert mantegna_scale(1.5) == pytest.approx(0.696575, abs=1e-6)
    steps = np.abs(levy_steps((50_000, 2), rng()))
    assert np.median(steps) < 1.0
    far, further = (steps > 10.0).mean(), (steps > 40.0).mean()
    assert far / further == pytest.approx(4.0**1.5, rel=0.3)


def test_cuckoos_make_the_nests_better_than_chance() -> None:
    weighing = problem(1)
    cuckoos = CuckooSearch(4, rng(), nests=40, generations=50)
    at_first = weighing.fitnesses(cuckoos.nests)
    outcome = optimise(cuckoos, weighing)
    nests = weighing.fitnesses(cuckoos.nests)
    assert np.median(nests) > np.median(at_first)
    assert nests.max() == pytest.approx(outcome.report["last"])
    assert outcome.fitness == pytest.approx(nests.max())  # the best nest is never given up
    assert cuckoos.nests.min() >= 0.0
    assert cuckoos.nests.max() <= 1.0


def test_the_printed_cooling_takes_688_steps() -> None:
    assert steps_between(100.0, 0.1, 0.99) == 688
    assert optimise(Annealing(4, rng(), Schedule()), problem(0)).evaluations == 1 + 688


def test_a_neighbour_is_near_and_within_the_range() -> None:
    """Every step is better than the last, so that the walk goes on from where it is."""
    search = Annealing(4, rng(), Schedule(hot=1e9, cold=1.0))
    asked = []
    for fitness in range(1, 1500):
        asked.append(search.ask()[0])
        search.tell(np.array([float(fitness)]))
    walk = np.array(asked)
    steps = np.diff(walk, axis=0)[(walk[:-1] > 0.2).all(axis=1) & (walk[:-1] < 0.8).all(axis=1)]
    assert steps.std() == pytest.approx(0.05, abs=0.01)
    assert walk.min() == 0.0
    assert walk.max() == 1.0


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


@pytest.mark.parametrize("name", ["hybrid", "hybrid-relative", "hybrid-cuckoo"])
def test_the_hybrid_is_no_worse_than_its_genetic_part(name: str) -> None:
    outcome = solve(problem(0), name, {"generations": 100, "individuals": 30})
    assert outcome.fitness >= outcome.report["genetic"] > 0.0
    if name != "hybrid":
        assert outcome.fitness > 0.99 * solve(problem(0)).fitness


def test_the_progress_of_the_hybrid_covers_both_parts() -> None:
    told: list[float] = []
    hybrid = OPTIMISERS["hybrid"].build(4, 0, {"generations": 50, "individuals": 10})
    outcome = optimise(hybrid, problem(0), told.append)
    assert told == sorted(told)
    assert 0.0 < told[0] < told[60] < 1.0
    assert told[-1] == pytest.approx(1.0)
    assert len(told) == 51 + 688
    assert outcome.evaluations == 51 * 10 + 688


def test_a_cooling_that_hardly_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """0.99 times the second smallest number there is, rounded, is that number again."""
    monkeypatch.setattr(bsvsm_ha, "MOST_STEPS", 100_000)
    for wrong in [{"cooling": 1.0 - 1e-12}, {"cold": 5e-324}]:
        with pytest.raises(SettingsError, match="more than 100,000 steps; lower cooling"):
            Schedule(**wrong)  # type: ignore[arg-type]


def test_the_best_is_the_first_of_equally_fit_objects_and_a_copy() -> None:
    search, objects = Annealing(1, rng(), Schedule()), np.array([[0.1], [0.2], [0.3]])
    assert (search.best.weights.tolist(), search.best.fitness) == ([], -math.inf)
    search.note(objects, np.array([1.0, 2.0, 2.0]))
    objects[:] = 0.9
    assert (search.best.weights.tolist(), search.best.fitness) == ([0.2], 2.0)
    assert search.steps_done == 1 and search.progress == 1 / search.steps and not search.done
