"""Every optimiser by its name: parameters, seeds, progress, the curve."""

from __future__ import annotations

import numpy as np
import pytest
from tools.reference.docstrings import parse_docstring

from papers.training_links import problem
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.parameters import Value
from scenthound.papers.optimiser_catalogue import OPTIMISERS, check_optimiser, solve
from scenthound.papers.weight_problem import CURVE_POINTS, Moments

SMALL: dict[str, dict[str, Value]] = {
    "mcoa": {"rounds": 2, "generations": 20},
    "mcoa-symmetric": {"rounds": 2, "generations": 20},
    "ga": {"generations": 40, "individuals": 20},
    "sa": {},
    "hybrid": {"generations": 40, "individuals": 20},
    "hybrid-relative": {"generations": 40, "individuals": 20},
    "hybrid-cuckoo": {"generations": 40, "individuals": 20},
}


@pytest.mark.parametrize("name", SMALL)
def test_never_better_than_exact_and_the_same_for_a_seed(name: str) -> None:
    for texts in (1, 4):
        weighing, told = problem(3, texts=texts), list[float]()
        outcome = solve(weighing, name, SMALL[name], 1, told.append)
        assert outcome.weights.shape == (texts,)
        assert outcome.weights.min() >= 0.0 and outcome.weights.max() <= 1.0
        assert outcome.fitness == pytest.approx(weighing.fitness(outcome.weights))
        assert outcome.fitness <= solve(weighing).fitness * (1 + 1e-9)
        assert told == sorted(told) and told[-1] == pytest.approx(1.0)
    evaluations, fitnesses = zip(*outcome.curve, strict=True)
    assert list(evaluations) == sorted(set(evaluations))
    assert list(fitnesses) == sorted(fitnesses)
    assert outcome.curve[-1] == (outcome.evaluations, outcome.fitness)
    assert len(outcome.curve) <= CURVE_POINTS
    again, other = (solve(weighing, name, SMALL[name], seed) for seed in (1, 2))
    assert outcome.weights.tolist() == again.weights.tolist() != other.weights.tolist()
    assert outcome.curve == again.curve


def test_exact_tells_that_it_is_done() -> None:
    told: list[float] = []
    assert solve(problem(0), on_progress=told.append).reason is None
    assert told == [1.0]


def test_parameters_can_be_asked_for() -> None:
    assert OPTIMISERS["mcoa"].parameters["generations"] == 3000
    assert OPTIMISERS["mcoa"].parameters["mutation"] == "literal"
    assert OPTIMISERS["mcoa-symmetric"].parameters["mutation"] == "symmetric"
    assert OPTIMISERS["sa"].parameters["hot"] == 100.0
    cuckoo = OPTIMISERS["hybrid-cuckoo"].parameters
    assert (cuckoo["start"], cuckoo["power"]) == ("cuckoo", "relative")


def test_every_parameter_is_explained_once() -> None:
    for name in OPTIMISERS:
        method = OPTIMISERS[name]
        told = [item for group in method.settings for item in parse_docstring(group).parameters]
        assert [key for key, _ in told] == list(method.parameters)
        assert all(about.endswith(".") for _, about in told)


def test_a_parameter_overrides_a_preset() -> None:
    settings: dict[str, Value] = {"mutation": "literal", "rounds": 1, "generations": 9}
    variant = solve(problem(0), "mcoa-symmetric", settings, 3)
    literal = solve(problem(0), "mcoa", {"rounds": 1, "generations": 9}, 3)
    assert variant.weights.tolist() == literal.weights.tolist()


def test_mistakes_are_told_in_one_sentence() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'hybrid'"):
        solve(problem(0), "hybird")
    with pytest.raises(UnknownNameError, match=r"key for optimiser 'mcoa'.*'generations'"):
        solve(problem(0), "mcoa", {"generation": 3})
    with pytest.raises(SettingsError, match=r"mcoa.generations takes a value like 3000, not 2.5"):
        solve(problem(0), "mcoa", {"generations": 2.5})
    with pytest.raises(SettingsError, match="optimiser 'ga': generations must be at least 1"):
        solve(problem(0), "ga", {"generations": 0})
    with pytest.raises(SettingsError, match="optimiser 'hybrid': cooling must lie between 0 and 1"):
        check_optimiser("hybrid", {"cooling": 2})
    with pytest.raises(SettingsError, match="'exact' has nothing to set"):
        solve(problem(0), "exact", {"generations": 3})
    assert check_optimiser("sa", {"hot": 5}) == {"hot": 5.0}
    assert check_optimiser("exact", {}) == {}


def test_a_curve_of_many_points_is_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    fitnesses = iter(range(1, 10_000))
    monkeypatch.setattr(
        Moments, "fitnesses", lambda _, objects: np.full(len(objects), float(next(fitnesses)))
    )
    found = solve(problem(0), "ga", {"generations": 1500, "individuals": 2})
    assert CURVE_POINTS // 3 < len(found.curve) <= CURVE_POINTS
    assert found.curve[0] == (2, 1.0) and found.curve[-1] == (3002, 1501.0)
