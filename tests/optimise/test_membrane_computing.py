"""Membrane computing: what goes where, and how close it comes."""

from __future__ import annotations

import numpy as np
import pytest

from optimise.training_links import problem, rng
from scenthound.core.errors import SettingsError
from scenthound.optimise.breeding import Breeding
from scenthound.optimise.catalogue import solve
from scenthound.optimise.groups import Groups
from scenthound.optimise.membrane import (
    MembraneComputing,
    Membranes,
    communicated,
    good_enough,
)
from scenthound.optimise.optimiser import optimise

TWO_EACH = Groups([2] * 8)


def test_the_best_of_an_inner_membrane_reaches_the_skin_in_one_round() -> None:
    """Membrane 8 has the best object; the copy in 3 is sent on, and stays in 8 and 3 too."""
    fitnesses = np.full(16, 0.2)
    fitnesses[15] = 0.9
    objects = np.arange(16.0)[:, None] / 16
    after, fit = communicated(objects, fitnesses, TWO_EACH, np.full(8, 1e6), 1, rng())
    assert fit[TWO_EACH.span(0)].tolist() == [0.9, 0.2]
    assert fit[TWO_EACH.span(2)].tolist() == [0.9, 0.2]
    assert fit[TWO_EACH.span(1)].max() == 0.2
    assert after[0, 0] == after[4, 0] == after[15, 0] == 15 / 16
    assert objects[0, 0] == 0.0


def test_an_elemental_membrane_sends_only_its_best() -> None:
    """Both objects of membrane 4 beat all of 2, which stands around it; one arrives."""
    fitnesses = np.full(16, 0.1)
    fitnesses[6:8] = 0.5, 0.6
    _, fit = communicated(np.zeros((16, 1)), fitnesses, TWO_EACH, np.full(8, 1e6), 1, rng())
    assert fit[TWO_EACH.span(1)].tolist() == [0.6, 0.1]


def test_a_middle_membrane_sends_what_is_as_good_as_its_fathers() -> None:
    """Membrane 2 has 0.5 and 0.6, its fathers had 0.5: both go, and fill the skin."""
    fitnesses = np.full(16, 0.1)
    fitnesses[2:4] = 0.5, 0.6
    _, fit = communicated(np.zeros((16, 1)), fitnesses, TWO_EACH, np.full(8, 0.5), 1, rng())
    assert fit[TWO_EACH.span(0)].tolist() == [0.6, 0.5]


def test_worse_objects_are_sent_by_chance_and_later_more_often() -> None:
    """exp(-1) = 0.368 in round 1, exp(-1/3) = 0.717 in round 3."""
    fitnesses = np.full(20_000, 1.0)
    assert good_enough(fitnesses, 2.0, 1, rng()).mean() == pytest.approx(0.368, abs=0.02)
    assert good_enough(fitnesses, 2.0, 3, rng()).mean() == pytest.approx(0.717, abs=0.02)
    assert good_enough(fitnesses, 1.0, 1, rng()).all()


def test_it_asks_about_all_membranes_in_every_generation() -> None:
    sizes = Membranes(rounds=2, generations=5, skin=6, middle=4, elemental=3)
    membranes = MembraneComputing(4, rng(), sizes, Breeding())
    asked = []
    while not membranes.done:
        objects = membranes.ask()
        asked.append(objects.shape)
        assert objects.min() >= 0.0
        assert objects.max() <= 1.0
        before = membranes.progress
        membranes.tell(problem(0).fitnesses(objects))
        assert membranes.progress > before
    assert asked == [(6 + 2 * 4 + 5 * 3, 4)] * (1 + 2 * 5)
    assert membranes.progress == 1.0
    assert 0.0 < membranes.report()["last"] <= membranes.best.fitness


@pytest.mark.parametrize("name", ["mcoa", "mcoa-symmetric"])
def test_close_to_the_best_weights_even_after_few_generations(name: str) -> None:
    reached = []
    for seed in range(4):
        weighing = problem(seed)
        found = solve(weighing, name, {"rounds": 2, "generations": 150}, seed).fitness
        reached.append(found / solve(weighing).fitness)
    assert max(reached) <= 1.0 + 1e-9
    assert np.mean(reached) > {"mcoa": 0.90, "mcoa-symmetric": 0.97}[name]


def test_the_evaluations_do_not_grow_with_the_links() -> None:
    short = Membranes(rounds=1, generations=20)
    few, many = (
        optimise(MembraneComputing(4, rng(), short, Breeding()), problem(0, count))
        for count in (50, 5000)
    )
    assert few.evaluations == many.evaluations == 700 * 21


def test_settings_that_cannot_be_are_refused() -> None:
    with pytest.raises(SettingsError, match="rounds must be at least 1, not 0"):
        Membranes(rounds=0)
    with pytest.raises(SettingsError, match="skin must be at least 1"):
        Membranes(skin=-3)
    for size in ("skin", "middle", "elemental"):
        with pytest.raises(SettingsError, match=f"{size} must be at most 100,000, not 100,001"):
            Membranes(**{size: 100_001})
    for times in ("rounds", "generations"):
        with pytest.raises(SettingsError, match=f"{times} must be at most 10,000,000"):
            Membranes(**{times: 10**30})
