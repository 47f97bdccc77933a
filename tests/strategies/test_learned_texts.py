"""Crawlers that learn how to weigh the texts of a link while they crawl."""

from __future__ import annotations

import random

import pytest

from scenthound.core.errors import UnknownNameError
from scenthound.core.model import Candidate, Link, Page, Part, Score, Visit
from scenthound.core.protocols import Revising, Revision
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.learned import LearnedTexts
from scenthound.strategies.link_structure import STRUCTURE
from scenthound.strategies.weighted import TEXTS
from strategies.scoring import ingredients, link, strategy, visit

LEARNING = ["mcoa", "svsm-mcoa", "soft-svsm-mcoa"]
RIVALS = {"mcoa": "vsm-four", "svsm-mcoa": "svsm", "soft-svsm-mcoa": "soft-svsm"}
TOPIC = ingredients(["storm"], ["storm rain wind", "storm sea flood"])


def followed(texts: dict[str, float], text: str) -> Visit:
    """A page with ``text``, fetched because of a link with these similarities."""
    parts = tuple(Part(name, value, 0.25) for name, value in texts.items())
    return visit(text, parts=parts)


def taught(
    name: str = "mcoa", pages: int = 50, good: str = "storm rain wind", **parameters: object
) -> LearnedTexts:
    """Links whose anchor is like the topic lead to pages that are; the other texts say nothing."""
    rng = random.Random(4)
    made = strategy(name, TOPIC, **parameters)  # type: ignore[arg-type]
    assert isinstance(made.scorer, LearnedTexts)
    for _ in range(pages):
        values = {text: rng.random() for text in made.scorer.names}
        relevant = rng.random() < 0.5
        values["anchor"] = 0.9 if relevant else 0.1
        made.scorer.observe(followed(values, good if relevant else "cake tea"))
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
    assert isinstance(learning, Revising) and not isinstance(rival, Revising)
    assert learning.score(where, links) == rival.score(where, links)
    assert CATALOGUE[name].combination is CATALOGUE[RIVALS[name]].combination


def test_the_text_that_predicts_gets_the_weight() -> None:
    scorer = taught()
    weights = revised(scorer).weights
    assert max(weights, key=lambda name: weights[name]) == "anchor"
    (score,) = scorer.score(visit("tea"), [link("storm")])
    assert score.parts == tuple(
        Part(part.name, part.value, weights[part.name]) for part in score.parts
    )
    assert score.value == pytest.approx(sum(p.value * p.weight for p in score.parts))


def test_a_score_is_weighed_anew_with_the_weights_of_now() -> None:
    scorer = taught()
    revision = revised(scorer)
    assert revision.links == 50
    parts = tuple(Part(name, 0.4, 0.25) for name in TEXTS)
    worth = scorer.reweighed(Score(0.4, parts))
    assert worth.value == pytest.approx(0.4 * sum(revision.weights.values()))
    assert [part.weight for part in worth.parts] == [revision.weights[n] for n in TEXTS]


def test_a_seed_that_waits_keeps_its_score_and_teaches_nothing() -> None:
    scorer = taught()
    assert scorer.reweighed(Score(1.0)) == Score(1.0)
    fresh = taught(pages=0, every=1)
    for _ in range(30):
        fresh.observe(visit("storm"))
    assert fresh.revise() is None
    assert fresh.why_not is not None and "0 training links" in fresh.why_not


def test_target_is_what_the_judge_says_or_what_the_model_says() -> None:
    """Only the model takes a gale and a hurricane for kinds of storm."""
    judge, model = (
        revised(taught("soft-svsm-mcoa", good="storm gale hurricane", target=target)).weights
        for target in ("judge", "model")
    )
    assert model["anchor"] > judge["anchor"] + 0.1
    with pytest.raises(UnknownNameError, match="target 'labels'"):
        strategy("mcoa", TOPIC, target="labels")


def test_structure_is_learnt_beside_the_texts() -> None:
    scorer = taught(structure=True)
    assert scorer.names == (*TEXTS, *STRUCTURE)
    assert revised(scorer).weights.keys() == {*TEXTS, *STRUCTURE}


def test_state_with_weights_comes_back() -> None:
    scorer = taught(structure=True)
    revised(scorer)
    fresh = taught(pages=0, structure=True)
    fresh.restore(scorer.state())
    links = [link("storm"), Link("http://other.test/", "sea")]
    assert fresh.score(visit("rain"), links) == scorer.score(visit("rain"), links)
    assert fresh.weights == scorer.weights


def test_a_page_that_cannot_be_read_is_no_target() -> None:
    """Crawls do not let strategies observe those; one that came all the same is not relevant."""
    scorer = taught(pages=0)
    parts = tuple(Part(name, 0.5, 0.25) for name in TEXTS)
    scorer.observe(
        Visit(Candidate("u", Score(0.5, parts), 1), Page("u", 200, visit("").page.document))
    )
    assert scorer.revise() is None


def test_any_optimiser_can_find_the_weights() -> None:
    exact = revised(taught(pages=60)).weights
    searched = revised(taught(pages=60, optimiser="sa", enough=60)).weights
    assert searched["anchor"] == pytest.approx(exact["anchor"], abs=0.4)
