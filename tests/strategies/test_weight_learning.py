"""Weights learnt from the links whose targets a crawl has fetched."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scenthound.core.errors import InputError, SettingsError
from scenthound.optimise.exact import exact_weights
from scenthound.optimise.problem import Moments
from scenthound.strategies.weight_learning import WeightLearner

EQUAL = {"full": 0.5, "anchor": 0.5}
ROWS = np.random.default_rng(1).random((60, 2))
TARGETS = ROWS @ [0.2, 0.7]


def taught(links: int = 60, **settings: object) -> WeightLearner:
    learner = WeightLearner(EQUAL, **settings)  # type: ignore[arg-type]
    for row, target in zip(ROWS[:links], TARGETS[:links], strict=True):
        learner.add(row.tolist(), float(target))
        learner.count_page()
    return learner


def test_exact_weights_are_found_when_the_pages_are_full() -> None:
    found = taught(every=60).fit()
    assert found == pytest.approx({"full": 0.2, "anchor": 0.7})


def test_before_that_nothing_happens() -> None:
    assert taught(59, every=60).fit() is None


def test_pages_that_no_link_led_to_count_too() -> None:
    learner = taught(58, every=60)
    learner.count_page()
    assert learner.fit() is None
    learner.count_page()
    assert learner.fit() is not None
    assert learner.links == 58


def test_weights_that_have_not_moved_are_not_told_again() -> None:
    learner = taught(30, every=10)
    assert learner.fit() is not None
    assert learner.fit() is None  # not yet time
    for row, target in zip(ROWS[30:], TARGETS[30:], strict=True):
        learner.add(row.tolist(), float(target))
        learner.count_page()
    assert learner.fit() is None  # time, but they are the same
    for row in ROWS:
        learner.add(row.tolist(), float(row[0]))
        learner.count_page()
    moved = learner.fit()
    assert moved is not None and moved["full"] > 0.21


@pytest.mark.parametrize("links", [0, 19])
def test_too_few_links_leave_the_weights_as_they_are(links: int) -> None:
    learner = taught(links, every=1)
    learner.count_page()
    assert learner.fit() is None


def test_links_that_are_all_alike_leave_them_too() -> None:
    learner = WeightLearner(EQUAL, every=1)
    for _ in range(30):
        learner.add([0.5, 0.5], 0.4)
        learner.count_page()
    assert learner.fit() is None


def test_held_weights_stay_nearer_to_the_start() -> None:
    free, firm = (taught(every=60, hold=hold).fit() for hold in (0.0, 500.0))
    assert free is not None and firm is not None
    assert firm["anchor"] / firm["full"] < free["anchor"] / free["full"]


def test_another_optimiser_runs_once_when_enough_links_are_known() -> None:
    learner = taught(39, optimiser="sa", enough=40)
    assert learner.fit() is None
    learner.add(ROWS[39].tolist(), float(TARGETS[39]))
    learner.count_page()
    found = learner.fit()
    assert found is not None
    best = exact_weights(Moments.of(ROWS[:40], TARGETS[:40]))
    assert list(found.values()) == pytest.approx(best, abs=0.3)
    for _ in range(200):
        learner.add([1.0, 0.0], 1.0)
        learner.count_page()
    assert learner.fit() is None


def test_the_seed_decides_what_a_search_finds() -> None:
    def found(seed: int) -> dict[str, float] | None:
        return taught(optimiser="sa", enough=40, seed=seed).fit()

    assert found(1) == found(1)
    assert found(1) != found(2)


@pytest.mark.parametrize("optimiser", ["exact", "sa"])
@pytest.mark.parametrize("fitted", [False, True])
def test_what_was_learnt_comes_back(optimiser: str, fitted: bool) -> None:
    settings = {"every": 30} if optimiser == "exact" else {"enough": 30}
    learner = taught(40, optimiser=optimiser, **settings)
    before = learner.fit() if fitted else EQUAL
    again = WeightLearner(EQUAL, optimiser, **settings)
    assert again.restore(learner.state()) == before
    for each in (learner, again):
        for _ in range(30):
            each.add([0.9, 0.1], 0.9)
            each.count_page()
    assert learner.fit() == again.fit()


def test_fits_become_rarer_as_the_crawl_grows() -> None:
    learner, fits = WeightLearner(EQUAL, every=10), []
    for page in range(1, 1001):
        learner.add([0.5, 0.1], 0.3)
        learner.count_page()
        before = learner.state()["tried_at"]
        learner.fit()
        if learner.state()["tried_at"] != before:
            fits.append(page)
    assert fits[:10] == list(range(10, 101, 10))
    assert fits[-1] - fits[-2] >= fits[-2] // 10
    assert len(fits) < 40


def test_links_that_lead_to_the_opposite_of_the_topic_leave_the_weights() -> None:
    learner = WeightLearner(EQUAL, every=1, hold=50.0)
    for number in range(60):
        similar = number % 2
        learner.add([0.9 * similar, 0.8 * similar + 0.01 * number * similar], 0.3 * (1 - similar))
        learner.count_page()
    assert learner.fit() is None


def test_a_search_that_could_not_learn_tries_again() -> None:
    learner = WeightLearner(EQUAL, "sa", enough=20)
    for _ in range(30):
        learner.add([0.0, 0.0], 0.0)
        learner.count_page()
    assert learner.fit() is None
    assert learner.why_not is not None and "every similarity is 0" in learner.why_not
    for row, target in zip(ROWS, TARGETS, strict=True):
        learner.add(row.tolist(), float(target))
        learner.count_page()
    assert learner.fit() is not None
    assert learner.why_not is None


def test_a_link_that_is_no_number_is_left_out() -> None:
    learner = taught(30, every=1)
    learner.add([math.nan, 0.5], 0.5)
    learner.add([0.5, 0.5], math.inf)
    assert learner.links == 30
    assert learner.fit() is not None


def test_links_that_are_all_alike_are_seen_through_what_is_held() -> None:
    learner = WeightLearner(EQUAL, every=1, hold=400.0)
    for _ in range(30):
        learner.add([0.5, 0.25], 0.4)
        learner.count_page()
    assert learner.fit() is None


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"optimiser": "exact", "enough": 40}, "enough would not be heeded"),
        ({"optimiser": "sa", "every": 10}, "every would not be heeded"),
    ],
)
def test_what_would_not_be_heeded_is_refused(settings: dict[str, object], told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        WeightLearner(EQUAL, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "settings",
    [{"optimiser": "luck"}, {"every": 0}, {"enough": 19}, {"hold": -1.0}, {"hold": float("nan")}],
)
def test_nonsense_is_refused(settings: dict[str, object]) -> None:
    with pytest.raises(InputError):
        WeightLearner(EQUAL, **settings)  # type: ignore[arg-type]
