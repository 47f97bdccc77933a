"""Weights learned from the links whose targets a crawl has fetched."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence

import numpy as np
import pytest

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.model import Link, Part, Score
from scenthound.core.protocols import Revision, SupportsRevision
from scenthound.papers.least_squares import exact_weights
from scenthound.papers.weight_problem import Moments
from scenthound.similarity.link_priority import STRUCTURE, TEXTS
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.weight_learning import WeightLearner
from scenthound.strategies.weighting import LearnedTexts
from strategies.scoring import followed, link, strategy, strategy_context, visit

EQUAL = {"full": 0.5, "anchor": 0.5}
ROWS = np.random.default_rng(1).random((60, 2))
TARGETS = ROWS @ [0.2, 0.7]


def teach(
    learner: WeightLearner, rows: Iterable[Sequence[float]], targets: Iterable[float]
) -> None:
    """A link a page."""
    for row, target in zip(rows, targets, strict=True):
        learner.add([float(value) for value in row], float(target))
        learner.count_page()


def taught(links: int = 60, **settings: object) -> WeightLearner:
    learner = WeightLearner(EQUAL, **settings)  # type: ignore[arg-type]
    teach(learner, ROWS[:links], TARGETS[:links])
    return learner


def test_exact_weights_are_found_when_the_pages_are_full_unless_links_mislead() -> None:
    free, firm = (taught(every=60, prior_weight=weight).fit() for weight in (0.0, 500.0))
    assert free is not None and firm is not None
    assert free == pytest.approx({"full": 0.2, "anchor": 0.7})
    assert firm["anchor"] / firm["full"] < free["anchor"] / free["full"]  # nearer to the start
    for links in [0, 19]:
        few = taught(links, every=1)
        few.count_page()
        assert few.fit() is None
    learner = WeightLearner(EQUAL, every=1, prior_weight=50.0)
    rows = [[0.9, 0.8 + 0.01 * n] if n % 2 else [0.0, 0.0] for n in range(60)]
    teach(learner, rows, [0.3, 0.0] * 30)
    assert learner.fit() is None


def test_weights_that_have_not_moved_are_not_reported_again_and_fits_become_rarer() -> None:
    learner = taught(30, every=10)
    assert learner.fit() is not None
    assert learner.fit() is None  # not yet time
    teach(learner, ROWS[30:], TARGETS[30:])
    assert learner.fit() is None  # time, but they are the same
    teach(learner, ROWS, ROWS[:, 0])
    moved = learner.fit()
    assert moved is not None and moved["full"] > 0.21
    learner, fits = WeightLearner(EQUAL, every=10), []
    for page in range(1, 1001):
        teach(learner, [[0.5, 0.1]], [0.3])
        before = learner.state()["tried_at"]
        learner.fit()
        if learner.state()["tried_at"] != before:
            fits.append(page)
    assert fits[:10] == list(range(10, 101, 10))
    assert fits[-1] - fits[-2] >= fits[-2] // 10
    assert len(fits) < 40


def test_another_optimiser_runs_once_when_enough_links_are_known_that_teach() -> None:
    learner = taught(39, optimiser="sa", enough=40)
    assert learner.fit() is None
    assert learner.why_not == "there are 39 links, and enough are 40."
    teach(learner, ROWS[39:40], TARGETS[39:40])
    found = learner.fit()
    assert found is not None
    best = exact_weights(Moments.of(ROWS[:40], TARGETS[:40]))
    assert list(found.values()) == pytest.approx(best, abs=0.3)
    teach(learner, [[1.0, 0.0]] * 200, [1.0] * 200)
    assert learner.fit() is None
    learner = WeightLearner(EQUAL, "sa", enough=20)
    teach(learner, [[0.0, 0.0]] * 30, [0.0] * 30)
    assert learner.fit() is None
    assert learner.why_not is not None and "every similarity is 0" in learner.why_not
    teach(learner, ROWS, TARGETS)
    assert learner.fit() is not None
    assert learner.why_not is None


@pytest.mark.parametrize("optimiser", ["exact", "sa"])
@pytest.mark.parametrize("fitted", [False, True])
def test_what_was_learned_comes_back(optimiser: str, fitted: bool) -> None:
    settings = {"every": 30} if optimiser == "exact" else {"enough": 30}
    learner = taught(40, optimiser=optimiser, **settings)
    before = learner.fit() if fitted else EQUAL
    again = WeightLearner(EQUAL, optimiser, **settings)
    assert again.restore(learner.state()) == before
    for each in (learner, again):
        teach(each, [[0.9, 0.1]] * 30, [0.9] * 30)
    assert learner.fit() == again.fit()


def test_what_is_no_number_is_left_out_and_what_would_not_be_heeded_is_refused() -> None:
    learner = taught(30, every=1)
    learner.add([math.nan, 0.5], 0.5)
    learner.add([0.5, 0.5], math.inf)
    assert learner.links == 30
    assert learner.fit() is not None
    # Every strategy is tested with values that cannot be.
    with pytest.raises(SettingsError, match="enough 20 or more"):
        WeightLearner(EQUAL, "sa", enough=19)
    with pytest.raises(SettingsError, match="every has no effect with the optimiser 'sa'"):
        WeightLearner(EQUAL, "sa", every=40)
    with pytest.raises(SettingsError, match="enough has no effect with the optimiser 'exact'"):
        WeightLearner(EQUAL, enough=600)


LEARNING = ["mcoa", "svsm-mcoa", "soft-svsm-mcoa"]
RIVALS = {"mcoa": "vsm-four", "svsm-mcoa": "svsm", "soft-svsm-mcoa": "soft-svsm"}
TOPIC = strategy_context(["storm"], ["storm rain wind", "storm sea flood"])


def crawled(
    name: str = "mcoa", pages: int = 50, good: str = "storm rain wind", **parameters: object
) -> LearnedTexts:
    """Links whose anchor is like the topic lead to pages that are; the other texts say nothing."""
    rng = random.Random(4)
    made = strategy(name, TOPIC, **parameters)  # type: ignore[arg-type]
    assert isinstance(made.scorer, LearnedTexts)
    for _ in range(pages):
        made.scorer.observe(followed(made.scorer.names, rng, good=good))
    return made.scorer


def revised(scorer: LearnedTexts) -> Revision:
    revision = scorer.revise()
    assert revision is not None
    return revision


@pytest.mark.parametrize("name", LEARNING)
def test_at_first_links_score_as_with_equal_weights(name: str) -> None:
    links = [link("storm", "a storm at sea"), link("cake"), link("", "rain")]
    where = visit("storm over the sea", "the storm")
    learning, rival = (strategy(each, TOPIC).scorer for each in (name, RIVALS[name]))
    assert isinstance(learning, SupportsRevision) and not isinstance(rival, SupportsRevision)
    assert learning.score(where, links) == rival.score(where, links)
    assert CATALOGUE[name].combination is CATALOGUE[RIVALS[name]].combination


def test_the_text_that_predicts_gets_the_weight_and_scores_are_weighed_again() -> None:
    scorer = crawled()
    revision = revised(scorer)
    weights = revision.weights
    assert max(weights, key=lambda name: weights[name]) == "anchor"
    (score,) = scorer.score(visit("tea"), [link("storm")])
    assert score.parts == tuple(
        Part(part.name, part.value, weights[part.name]) for part in score.parts
    )
    assert score.value == pytest.approx(sum(p.value * p.weight for p in score.parts))
    assert revision.links == 50
    parts = tuple(Part(name, 0.4, 0.25) for name in TEXTS)
    worth = scorer.reweighed(Score(0.4, parts))
    assert worth.value == pytest.approx(0.4 * sum(revision.weights.values()))
    assert [part.weight for part in worth.parts] == [revision.weights[n] for n in TEXTS]
    assert scorer.reweighed(Score(1.0)) == Score(1.0)  # of a seed, which teaches nothing
    fresh = crawled(pages=0, every=1)
    for _ in range(30):
        fresh.observe(visit("storm"))
    assert fresh.revise() is None
    assert fresh.why_not is not None and "0 training links" in fresh.why_not


def test_target_and_structure_are_parameters_and_what_was_learned_comes_back() -> None:
    """Only the model takes a gale and a hurricane for kinds of storm."""
    judge, model = (
        revised(crawled("soft-svsm-mcoa", good="storm gale hurricane", target=target)).weights
        for target in ("judge", "model")
    )
    assert model["anchor"] > judge["anchor"] + 0.1
    with pytest.raises(UnknownNameError, match="target 'labels'"):
        strategy("mcoa", TOPIC, target="labels")
    scorer = crawled(structure=True)
    assert scorer.names == (*TEXTS, *STRUCTURE)
    assert revised(scorer).weights.keys() == {*TEXTS, *STRUCTURE}
    fresh = crawled(pages=0, structure=True)
    fresh.restore(scorer.state())
    links = [link("storm"), Link("http://other.test/", "sea")]
    assert fresh.score(visit("rain"), links) == scorer.score(visit("rain"), links)
    assert fresh.weights == scorer.weights
