"""Optimisers of weights: operators and membranes (svsm-mcoa), the hybrid (bsvsm-ha), by name."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.reference.docstrings import parse_docstring

from papers.training_links import by_group, problem, rng, slow_entropy
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.parameters import Value
from scenthound.papers import bsvsm_ha
from scenthound.papers import genetic_operators as operators
from scenthound.papers.bsvsm_ha import Schedule
from scenthound.papers.genetic_operators import Breeding, Populations
from scenthound.papers.optimiser_catalogue import OPTIMISERS, check_optimiser, solve
from scenthound.papers.svsm_mcoa import Membranes, communicate, metropolis_mask
from scenthound.papers.weight_problem import CURVE_POINTS, Array, Evaluator, Moments


def test_roulette_and_weakness_by_hand() -> None:
    """Draws are in proportion to fitness and within the population."""
    groups, chance = Populations([4, 2]), rng()
    fitnesses = np.array([1.0, 2.0, 3.0, 4.0, 1.0, 9.0])
    drawn = np.concatenate([operators.roulette(fitnesses, groups, chance) for _ in range(5000)])
    shares = np.bincount(drawn, minlength=6) / 5000
    assert shares == pytest.approx([0.4, 0.8, 1.2, 1.6, 0.2, 1.8], abs=0.05)
    # Mean 2, best 4: 1 and 2 - 1 below or at the mean, 0 for the best, (4 - 3) / 2 between.
    groups = Populations([4, 3])
    found = operators.weakness(np.array([1.0, 0.0, 3.0, 4.0, 5.0, 5.0, 5.0]), groups)
    assert found.tolist() == [1.0, 1.0, 0.5, 0.0, 1.0, 1.0, 1.0]


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8), st.integers(0, 10**6))
def test_populations_do_not_mix(sizes: list[int], seed: int) -> None:
    groups, chance = Populations(sizes), rng(seed)
    drawn = operators.roulette(chance.random(groups.objects) + 1e-9, groups, chance)
    assert groups.member[drawn].tolist() == groups.member.tolist()
    first, second = groups.pairs(chance)
    assert groups.member[first].tolist() == groups.member[second].tolist()
    assert len(set(first) | set(second)) == 2 * len(first)
    assert len(first) == sum(size // 2 for size in sizes)


def test_crossover() -> None:
    draw = np.array([0.2, 0.2, 0.2])
    first, second = np.array([0.3, 0.3, 0.1]), np.array([0.2, 0.1, 0.1])
    assert [marks.tolist() for marks in operators.cross_both(draw, first, second)] == [
        [True, False, False]
    ] * 2
    each = [marks.tolist() for marks in operators.cross_each(draw, first, second)]
    assert each == [[True, True, False], [True, False, False]]
    # a crossed pair keeps its sum and lies between its parents
    objects = np.array([[0.0, 1.0], [1.0, 0.5], [0.3, 0.3]])
    pairs = np.array([0]), np.array([1])
    crossed = operators.crossover(objects, np.ones(3), pairs, operators.cross_both, rng())
    assert crossed[0] + crossed[1] == pytest.approx(objects[0] + objects[1])
    share = crossed[1, 0]
    assert 0.0 < share < 1.0
    assert crossed[0] == pytest.approx(share * objects[0] + (1 - share) * objects[1])
    assert crossed[2].tolist() == [0.3, 0.3]
    assert objects[0].tolist() == [0.0, 1.0]
    # only the parent that passes its own test is replaced
    objects = np.array([[0.0, 1.0], [1.0, 0.5]])
    pairs = np.array([0]), np.array([1])
    crossed = operators.crossover(
        objects, np.array([1.0, -1.0]), pairs, operators.cross_each, rng()
    )
    assert crossed[0].tolist() != [0.0, 1.0]
    assert crossed[1].tolist() == [1.0, 0.5]
    alone = operators.crossover(objects, np.array([1.0, -1.0]), pairs, operators.cross_both, rng())
    assert alone.tolist() == objects.tolist()


def test_mutation() -> None:
    """The printed one moves up the diagonal only."""
    objects = rng().random((50, 4))
    steps = operators.literal_mutation(objects, rng(1)) - objects
    assert steps == pytest.approx(np.repeat(steps[:, :1], 4, axis=1))
    assert steps.min() >= 0.0
    # ours moves every weight by itself and both ways
    objects = np.full((1000, 4), 0.5)
    steps = operators.symmetric_mutation(objects, rng()) - objects
    assert np.abs(steps).max() <= 1.0
    assert steps.mean(axis=0) == pytest.approx([0.0] * 4, abs=0.1)
    assert np.abs(np.corrcoef(steps.T) - np.eye(4)).max() < 0.15
    # by probability and within the range
    objects = np.full((2000, 4), 0.9)
    probability = np.repeat([-1.0, 0.25], 1000)
    mutated = operators.mutate(objects, probability, operators.literal_mutation, rng())
    changed = (mutated != objects).any(axis=1)
    assert not changed[:1000].any()
    assert changed[1000:].mean() == pytest.approx(0.25, abs=0.04)
    assert mutated.max() == 1.0


def test_entropy_diversity_and_rates() -> None:
    """Shares 1/2, 1/4, 1/4: one bit and a half. Four alike: none. Two and two: one bit."""
    a, b, c = [0.1, 0.2], [0.2, 0.1], [0.1, 0.3]
    objects = np.array([a, b, a, c, a, a, a, a, b, c, b, c])
    assert operators.entropies(objects, Populations([4, 4, 4])).tolist() == [1.5, 0.0, 1.0]
    # rates of a population that all differs
    for generation, rate in [(1, 0.70), (3, 0.50), (15, 0.303), (3000, 0.300)]:
        groups = Populations([150, 50])
        objects = np.random.default_rng(0).random((200, 4))
        now = operators.diversity(operators.entropies(objects, groups), groups.sizes, generation)
        crossing, mutating = Breeding().rates(now)
        assert crossing == pytest.approx([rate] * 2, abs=0.0005)
        assert mutating == pytest.approx(crossing - 0.2)
    # all alike: the lowest rates
    groups = Populations([4])
    now = operators.diversity(operators.entropies(np.full((4, 3), 0.5), groups), groups.sizes, 1)
    assert now.tolist() == [-1.0]
    crossing, mutating = Breeding().rates(now)
    assert crossing == pytest.approx([0.3], abs=1e-4)
    assert mutating == pytest.approx([0.1], abs=1e-4)
    # an object alone counts as all alike
    groups = Populations([1])
    now = operators.diversity(operators.entropies(np.zeros((1, 4)), groups), groups.sizes, 7)
    assert now.tolist() == [-1.0]
    # the steepest curve is a step
    crossing, mutating = Breeding(steepness=700.0).rates(np.array([-1.0, 0.0, 1.0]))
    assert crossing == pytest.approx([0.3, 0.5, 0.7])
    assert mutating == pytest.approx([0.1, 0.3, 0.5])


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
    assert operators.entropies(objects, groups) == pytest.approx(slow, abs=1e-12)


TWO_EACH = Populations([2] * 8)


def test_what_membranes_send() -> None:
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
    # Membrane 2 has 0.5 and 0.6, its fathers had 0.5: both go, and fill the skin.
    fitnesses = np.full(16, 0.1)
    fitnesses[2:4] = 0.5, 0.6
    _, fit = communicate(np.zeros((16, 1)), fitnesses, TWO_EACH, np.full(8, 0.5), 1, rng())
    assert fit[TWO_EACH.span(0)].tolist() == [0.6, 0.5]
    # worse ones by chance, later more often: exp(-1) = 0.368, exp(-1/3) = 0.717 in round 3
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


# The genetic algorithm, cuckoo search, annealing, and the hybrid (bsvsm-ha).


def column(*values: float) -> Array:
    return np.array(values)[:, None]


def test_objects_that_are_alike_are_drawn_again() -> None:
    """Fewer than half alike: only those."""
    asked: list[int] = []

    def draw(count: int) -> Array:
        asked.append(count)
        return column(*[0.5, 0.6, 0.7][:count]) if len(asked) == 1 else column(0.9)

    found = bsvsm_ha.all_different(column(0.1, 0.2, 0.5, 0.2, 0.3), draw)
    assert found.ravel().tolist() == [0.1, 0.2, 0.5, 0.9, 0.3]
    assert asked == [1, 1]  # the first draw, 0.5, was there already
    # half or more alike: all of them
    found = bsvsm_ha.all_different(
        column(0.1, 0.1, 0.1, 0.2), lambda count: np.arange(count)[:, None] / 8
    )
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
    weighing, population = problem(0), bsvsm_ha.Population(generations=300, individuals=10)
    evaluate = Recording(weighing)
    bsvsm_ha.genetic(evaluate, rng(), population, Breeding())
    smallest = evaluate.objects[0].min(axis=0) - 1e-12
    assert all((objects.min(axis=0) >= smallest).all() for objects in evaluate.objects)
    settings: dict[str, Value] = {"mutation": "symmetric", "generations": 300, "individuals": 10}
    assert evaluate.best.fitness < 0.8 * solve(weighing, "ga", settings).fitness


def test_settings_that_cannot_be_are_refused() -> None:
    population: list[tuple[dict[str, Any], str]] = [
        ({"individuals": 1}, "individuals takes a whole number from 2 to 100,000, not 1"),
        ({"individuals": 1_000_000}, "individuals takes"),
        ({"generations": 10_000_001}, "^generations takes a whole number from 1 to 10,000,000"),
        ({"cuckoo_generations": 0}, "^cuckoo_generations takes"),
        ({"start": "cuckoos"}, "start takes .* not 'cuckoos'"),
    ]
    endless = "never ends, or takes more than 10,000,000 steps; lower cooling"
    schedule: list[tuple[dict[str, Any], str]] = [
        ({"cold": 200.0}, "200.0 is not below the first, 100.0; raise hot or lower cold"),
        ({"cooling": 1.0}, endless),
        ({"cooling": 1.0 - 1e-12}, endless),
        ({"step": 0.0}, "step is more than 0, not 0"),
        ({"hot": nan}, "hot takes a number"),
        ({"power": "relativ"}, "power takes .*fitness"),
    ]
    membranes: list[tuple[dict[str, Any], str]] = [
        ({"rounds": 0}, "rounds takes"),
        ({"elemental": 100_001}, "elemental takes a whole number from 1 to 100,000, not 100001"),
        ({"generations": 10**30}, "generations takes"),
    ]
    breeding: list[tuple[dict[str, Any], str]] = [
        *(
            ({f"{kind}_low": low, f"{kind}_high": high}, kind)
            for kind in ("crossover", "mutation")
            for low, high in [(0.7, 0.3), (-0.1, 0.5), (0.5, 1.5), (nan, 0.5)]
        ),
        *(({"steepness": wrong}, "steepness") for wrong in (0.0, -1.0, nan, inf)),
        ({"mutation": "symetric"}, "mutation takes .*literal"),
    ]
    refused = {
        bsvsm_ha.Population: population, Schedule: schedule, Membranes: membranes,
        Breeding: breeding,
    }  # fmt: skip
    for made, cases in refused.items():
        for settings, words in cases:
            with pytest.raises(SettingsError, match=words):
                made(**settings)


def test_cuckoos() -> None:
    """Lévy steps are mostly short and sometimes very long."""
    assert bsvsm_ha.mantegna_scale(1.5) == pytest.approx(0.696575, abs=1e-6)
    steps = np.abs(bsvsm_ha.levy_steps((50_000, 2), rng()))
    assert np.median(steps) < 1.0
    far, further = (steps > 10.0).mean(), (steps > 40.0).mean()
    assert far / further == pytest.approx(4.0**1.5, rel=0.3)
    # the nests become better than chance
    weighing, nests = problem(1), rng().random((40, 4))
    evaluate = Evaluator(weighing, 51)
    found = bsvsm_ha.cuckoo_search(evaluate, rng(), nests, 50)
    assert np.median(weighing.fitnesses(found)) > np.median(weighing.fitnesses(nests))
    # the best nest is never given up
    assert evaluate.best.fitness == pytest.approx(weighing.fitnesses(found).max())
    assert found.min() >= 0.0
    assert found.max() <= 1.0


def test_annealing() -> None:
    assert Schedule().steps == 688
    assert solve(problem(0), "sa").evaluations == 1 + 688
    assert solve(problem(0), "sa").report["accepted"] > 0.95
    assert solve(problem(0), "sa", {"power": "relative"}).report["accepted"] < 0.6
    for seed in range(4):
        found = solve(problem(seed), "sa", {"power": "relative"}, seed)
        assert found.fitness > 0.99 * solve(problem(seed)).fitness
        assert found.report["last"] <= found.fitness


class Rising(Recording):
    """Every object is fitter than the last."""

    def __call__(self, objects: Array) -> Array:
        super().__call__(objects)
        return np.array([float(len(self.objects))])


def test_a_neighbour_is_near_and_within_the_range() -> None:
    """Every step is better than the last, so that the walk goes on from where it is."""
    evaluate = Rising(problem(0))
    bsvsm_ha.annealing(evaluate, rng(), Schedule(hot=1e7, cold=1.0))
    walk = np.concatenate(evaluate.objects[:1500])
    steps = np.diff(walk, axis=0)[(walk[:-1] > 0.2).all(axis=1) & (walk[:-1] < 0.8).all(axis=1)]
    assert steps.std() == pytest.approx(0.05, abs=0.01)
    assert walk.min() == 0.0
    assert walk.max() == 1.0


@pytest.mark.parametrize("name", ["hybrid", "hybrid-relative", "hybrid-cuckoo"])
def test_the_hybrid_is_no_worse_than_its_genetic_part(name: str) -> None:
    outcome = solve(problem(0), name, {"generations": 100, "individuals": 30})
    assert outcome.fitness >= outcome.report["genetic"] > 0.0
    if name != "hybrid":
        assert outcome.fitness > 0.99 * solve(problem(0)).fitness


def test_the_progress_of_the_hybrid_covers_both_parts() -> None:
    reported: list[float] = []
    settings: dict[str, Value] = {"generations": 50, "individuals": 10}
    outcome = solve(problem(0), "hybrid", settings, on_progress=reported.append)
    assert reported == sorted(reported)
    assert 0.0 < reported[0] < reported[60] < 1.0
    assert reported[-1] == pytest.approx(1.0)
    assert len(reported) == 51 + 688
    assert outcome.evaluations == 51 * 10 + 688


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


# Every optimiser by its name: parameters, seeds, progress, the curve.


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
        weighing, reported = problem(3, texts=texts), list[float]()
        outcome = solve(weighing, name, SMALL[name], 1, reported.append)
        assert outcome.weights.shape == (texts,)
        assert outcome.weights.min() >= 0.0 and outcome.weights.max() <= 1.0
        assert outcome.fitness == pytest.approx(weighing.fitness(outcome.weights))
        assert outcome.fitness <= solve(weighing).fitness * (1 + 1e-9)
        assert reported == sorted(reported) and reported[-1] == pytest.approx(1.0)
    evaluations, fitnesses = zip(*outcome.curve, strict=True)
    assert list(evaluations) == sorted(set(evaluations))
    assert list(fitnesses) == sorted(fitnesses)
    assert outcome.curve[-1] == (outcome.evaluations, outcome.fitness)
    assert len(outcome.curve) <= CURVE_POINTS
    again, other = (solve(weighing, name, SMALL[name], seed) for seed in (1, 2))
    assert outcome.weights.tolist() == again.weights.tolist() != other.weights.tolist()
    assert outcome.curve == again.curve


def test_exact_tells_that_it_is_done() -> None:
    reported: list[float] = []
    assert solve(problem(0), on_progress=reported.append).reason is None
    assert reported == [1.0]


def test_parameters_and_presets() -> None:
    assert OPTIMISERS["mcoa"].parameters["generations"] == 3000
    assert OPTIMISERS["mcoa"].parameters["mutation"] == "literal"
    assert OPTIMISERS["mcoa-symmetric"].parameters["mutation"] == "symmetric"
    assert OPTIMISERS["sa"].parameters["hot"] == 100.0
    cuckoo = OPTIMISERS["hybrid-cuckoo"].parameters
    assert (cuckoo["start"], cuckoo["power"]) == ("cuckoo", "relative")
    # a parameter overrides a preset
    settings: dict[str, Value] = {"mutation": "literal", "rounds": 1, "generations": 9}
    variant = solve(problem(0), "mcoa-symmetric", settings, 3)
    literal = solve(problem(0), "mcoa", {"rounds": 1, "generations": 9}, 3)
    assert variant.weights.tolist() == literal.weights.tolist()


def test_every_parameter_is_explained_once() -> None:
    for name in OPTIMISERS:
        method = OPTIMISERS[name]
        reported = [item for group in method.settings for item in parse_docstring(group).parameters]
        assert [key for key, _ in reported] == list(method.parameters)
        assert all(about.endswith(".") for _, about in reported)


def test_mistakes_are_reported_in_one_sentence() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'hybrid'"):
        solve(problem(0), "hybird")
    with pytest.raises(UnknownNameError, match=r"key for optimiser 'mcoa'.*'generations'"):
        solve(problem(0), "mcoa", {"generation": 3})
    with pytest.raises(SettingsError, match=r"mcoa.generations takes a value like 3000, not 2.5"):
        solve(problem(0), "mcoa", {"generations": 2.5})
    with pytest.raises(SettingsError, match="optimiser 'ga': generations takes a whole number"):
        solve(problem(0), "ga", {"generations": 0})
    with pytest.raises(SettingsError, match="optimiser 'hybrid': cooling from"):
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
