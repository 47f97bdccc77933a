"""The genetic algorithm, cuckoo search, annealing, and the hybrid (bsvsm-ha)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from papers.training_links import problem, rng
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.parameters import Value
from scenthound.papers import bsvsm_ha
from scenthound.papers.bsvsm_ha import (
    Population,
    Schedule,
    all_different,
    annealing,
    cuckoo_search,
    genetic,
    levy_steps,
    mantegna_scale,
)
from scenthound.papers.genetic_operators import Breeding
from scenthound.papers.optimiser_catalogue import solve
from scenthound.papers.weight_problem import Array, Evaluator, Moments


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
    settings: dict[str, Value] = {"generations": 200, "individuals": 40, "start": start}
    outcome = solve(problem(0), "ga", {"mutation": "symmetric", **settings})
    assert outcome.fitness > 0.85 * solve(problem(0)).fitness
    assert 0.0 < outcome.report["last"] <= outcome.fitness
    assert outcome.evaluations == 201 * 40 + (51 * 50 - 10 if start == "cuckoo" else 0)


class Recording(Evaluator):
    """Remembers what was evaluated."""

    def __init__(self, weighing: Moments) -> None:
        super().__init__(weighing, 1)
        self.objects: list[Array] = []

    def __call__(self, objects: Array) -> Array:
        self.objects.append(objects)
        return super().__call__(objects)


def test_the_printed_rules_never_find_weights_below_those_of_the_first_population() -> None:
    """The best weights here are (0.21, 0.09, 0.24, 0.19), and no individual starts near them."""
    weighing, population = problem(0), Population(generations=300, individuals=10)
    evaluate = Recording(weighing)
    genetic(evaluate, rng(), population, Breeding())
    smallest = evaluate.objects[0].min(axis=0) - 1e-12
    assert all((objects.min(axis=0) >= smallest).all() for objects in evaluate.objects)
    settings: dict[str, Value] = {"mutation": "symmetric", "generations": 300, "individuals": 10}
    assert evaluate.best.fitness < 0.8 * solve(weighing, "ga", settings).fitness


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


def test_levy_steps_are_mostly_short_and_sometimes_very_long() -> None:
    assert mantegna_scale(1.5) == pytest.approx(0.696575, abs=1e-6)
    steps = np.abs(levy_steps((50_000, 2), rng()))
    assert np.median(steps) < 1.0
    far, further = (steps > 10.0).mean(), (steps > 40.0).mean()
    assert far / further == pytest.approx(4.0**1.5, rel=0.3)


def test_cuckoos_make_the_nests_better_than_chance() -> None:
    weighing, nests = problem(1), rng().random((40, 4))
    evaluate = Evaluator(weighing, 51)
    found = cuckoo_search(evaluate, rng(), nests, 50)
    assert np.median(weighing.fitnesses(found)) > np.median(weighing.fitnesses(nests))
    # the best nest is never given up
    assert evaluate.best.fitness == pytest.approx(weighing.fitnesses(found).max())
    assert found.min() >= 0.0
    assert found.max() <= 1.0


def test_the_printed_cooling_takes_688_steps() -> None:
    assert Schedule().steps == 688
    assert solve(problem(0), "sa").evaluations == 1 + 688


class Rising(Recording):
    """Every object is fitter than the last."""

    def __call__(self, objects: Array) -> Array:
        super().__call__(objects)
        return np.array([float(len(self.objects))])


def test_a_neighbour_is_near_and_within_the_range() -> None:
    """Every step is better than the last, so that the walk goes on from where it is."""
    evaluate = Rising(problem(0))
    annealing(evaluate, rng(), Schedule(hot=1e7, cold=1.0))
    walk = np.concatenate(evaluate.objects[:1500])
    steps = np.diff(walk, axis=0)[(walk[:-1] > 0.2).all(axis=1) & (walk[:-1] < 0.8).all(axis=1)]
    assert steps.std() == pytest.approx(0.05, abs=0.01)
    assert walk.min() == 0.0
    assert walk.max() == 1.0


def test_nearly_all_steps_are_taken_where_power_is_the_fitness() -> None:
    assert solve(problem(0), "sa").report["accepted"] > 0.95
    assert solve(problem(0), "sa", {"power": "relative"}).report["accepted"] < 0.6


def test_in_thousandths_of_the_fitness_it_comes_close() -> None:
    for seed in range(4):
        found = solve(problem(seed), "sa", {"power": "relative"}, seed)
        assert found.fitness > 0.99 * solve(problem(seed)).fitness
        assert found.report["last"] <= found.fitness


@pytest.mark.parametrize("name", ["hybrid", "hybrid-relative", "hybrid-cuckoo"])
def test_the_hybrid_is_no_worse_than_its_genetic_part(name: str) -> None:
    outcome = solve(problem(0), name, {"generations": 100, "individuals": 30})
    assert outcome.fitness >= outcome.report["genetic"] > 0.0
    if name != "hybrid":
        assert outcome.fitness > 0.99 * solve(problem(0)).fitness


def test_the_progress_of_the_hybrid_covers_both_parts() -> None:
    told: list[float] = []
    settings: dict[str, Value] = {"generations": 50, "individuals": 10}
    outcome = solve(problem(0), "hybrid", settings, on_progress=told.append)
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
    evaluate = Evaluator(problem(0, texts=1), 4)
    best, objects = solve(problem(0, texts=1)).weights, np.array([[0.0], [0.0], [0.0]])
    objects[1:] = best
    evaluate(objects[:1])
    evaluate(objects)
    objects[:] = 0.9
    assert evaluate.best.weights.tolist() == best.tolist()
    outcome = evaluate.outcome({})
    assert (outcome.evaluations, outcome.curve[-1]) == (4, (4, evaluate.best.fitness))
