"""The genetic algorithm, its first population, and the cuckoos that may find it."""

from __future__ import annotations

import numpy as np
import pytest

from optimise.training_links import problem, rng
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.parameters import Value
from scenthound.optimise.arrays import Array
from scenthound.optimise.breeding import Breeding
from scenthound.optimise.catalogue import solve
from scenthound.optimise.cuckoo import CuckooSearch, levy_steps, mantegna_scale
from scenthound.optimise.genetic import Genetic, Population
from scenthound.optimise.optimiser import optimise
from scenthound.optimise.population import all_different, repeated


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


def test_individuals_that_equal_an_earlier_one() -> None:
    assert repeated(column(0.1, 0.2, 0.1, 0.1)).tolist() == [False, False, True, True]


@pytest.mark.parametrize("start", ["random", "cuckoo"])
def test_it_finds_good_weights_and_reports_the_last_generation(start: str) -> None:
    for seed in range(3):
        weighing = problem(seed)
        population = Population(generations=200, individuals=40, start=start)
        genetic = Genetic(4, rng(seed), population, Breeding(mutation="symmetric"))
        outcome = optimise(genetic, weighing)
        assert outcome.fitness > 0.85 * solve(weighing).fitness
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
    with pytest.raises(SettingsError, match="individuals must be at least 2"):
        Population(individuals=1)
    with pytest.raises(UnknownNameError, match="did you mean 'cuckoo'"):
        Population(start="cuckoos")
    with pytest.raises(SettingsError, match="individuals must be at most 100,000, not 1,000,000"):
        Population(individuals=1_000_000)
    for times in ("generations", "cuckoo_generations"):
        with pytest.raises(SettingsError, match=f"^{times} must be at most 10,000,000"):
            Population(**{times: 10_000_001})  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="cuckoo_generations must be at least 1"):
        Population(start="cuckoo", cuckoo_generations=0)
    with pytest.raises(SettingsError, match="nests must be at least 2"):
        CuckooSearch(4, rng(), nests=1)
    with pytest.raises(SettingsError, match="generations must be at least 1"):
        CuckooSearch(4, rng(), generations=0)


def test_the_best_of_the_cuckoos_counts() -> None:
    """Only their fitnesses are high, so the answer is theirs."""
    population = Population(generations=1, individuals=4, start="cuckoo", cuckoo_generations=1)
    genetic = Genetic(2, rng(), population, Breeding())
    first = genetic.ask()[2].tolist()
    genetic.tell(np.array([0.1, 0.2, 0.9, 0.3]))
    while not genetic.done:
        genetic.tell(np.full(len(genetic.ask()), 0.5))
    assert genetic.best.weights.tolist() == first
    assert genetic.best.fitness == 0.9
    assert genetic.report()["last"] == 0.5


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
