"""Fish search: who breeds, who dies out, and what "relevant" is."""

from __future__ import annotations

import pytest

from engines.web_building import Plant, at
from engines.web_building import page as archived
from scenthound.core.errors import SettingsError
from scenthound.core.model import Part, Refusal
from scenthound.core.protocols import Scorer
from strategies.scoring import ingredients, link, scores, strategy, visit


def left(steps: float) -> tuple[Part, ...]:
    """The parts of a candidate with so many steps left."""
    return (Part("page", 0.0, 0.0), Part("steps", steps, 1 / 3))


def test_links_of_a_relevant_page_go_to_the_front_with_all_steps() -> None:
    (score,) = scores(strategy("fish"), visit("storm", parts=left(1)), link())
    assert score.value == 1.0
    assert score.part("steps", 0.0) == 3


@pytest.mark.parametrize("steps", [3, 2])
def test_links_of_another_page_have_a_step_less_and_go_behind(steps: int) -> None:
    (score,) = scores(strategy("fish"), visit("cake", parts=left(steps)), link("storm"))
    assert score.part("steps", 0.0) == steps - 1
    assert score.value == pytest.approx((steps - 1) / 3)


def test_no_steps_left_is_a_refusal_with_a_reason() -> None:
    answers = strategy("fish").scorer.score(visit("cake", parts=left(1)), [link(), link()])
    assert answers == [Refusal("no steps left")] * 2


def test_seed_starts_with_all_steps() -> None:
    (score,) = scores(strategy("fish"), visit("cake"), link())
    assert score.part("steps", 0.0) == 2


def test_depth_is_a_parameter() -> None:
    fish = strategy("fish", depth=5)
    assert scores(fish, visit("storm"), link())[0].part("steps", 0.0) == 5
    assert scores(fish, visit("cake"), link())[0].value == pytest.approx(4 / 5)


def test_chain_of_irrelevant_pages_dies_out_after_three(plant: Plant) -> None:
    chain = [archived(f"/{n}", f"/{n + 1}", text="cake") for n in range(5)]
    crawl = plant(*chain).crawl("fish", seeds=["/0"])
    assert crawl.paths == ["/0", "/1", "/2"]
    assert crawl.events("page")[2]["dropped"] == {"no steps left": [1, [at("/3")]]}


def test_relevant_page_feeds_the_chain_again(plant: Plant) -> None:
    texts = ["cake", "cake", "storm", "cake", "cake", "cake", "cake"]
    chain = [archived(f"/{n}", f"/{n + 1}", text=text) for n, text in enumerate(texts)]
    assert plant(*chain).crawl("fish", seeds=["/0"]).paths == [f"/{n}" for n in range(6)]


def test_children_of_relevant_pages_are_fetched_before_the_others(plant: Plant) -> None:
    web = plant(
        archived("/", "/dull", "/good", text="storm"),
        archived("/dull", "/behind", text="cake"),
        archived("/good", "/front", text="storm"),
        archived("/behind"),
        archived("/front"),
    )
    assert web.crawl("fish").paths == ["/", "/dull", "/good", "/front", "/behind"]


def relevant(fish: Scorer, text: str) -> bool:
    (answer,) = fish.score(visit(text, parts=left(1)), [link()])
    return not isinstance(answer, Refusal)


def test_threshold_without_examples_is_a_tenth() -> None:
    """One word in 64 has a cosine of 1/8, one in 121 of 1/11."""
    fish = strategy("fish").scorer
    assert relevant(fish, "storm " + " ".join(f"word{n}" for n in range(63)))
    assert not relevant(fish, "storm " + " ".join(f"word{n}" for n in range(120)))


def test_threshold_is_that_of_the_examples_themselves() -> None:
    """One example, the topic itself: its similarity is 1, a page with a word more is below."""
    fish = strategy("fish", ingredients((), ["storm flood"])).scorer
    assert relevant(fish, "flood storm")
    assert not relevant(fish, "flood storm cake")


def test_given_threshold_wins() -> None:
    fish = strategy("fish", ingredients((), ["storm flood"]), threshold=0.5).scorer
    assert relevant(fish, "flood storm cake")


@pytest.mark.parametrize("bad", [{"depth": 0}, {"depth": -1}, {"threshold": 1.5}])
def test_parameters_out_of_range(bad: dict[str, int | float]) -> None:
    with pytest.raises(SettingsError, match="fish"):
        strategy("fish", None, **bad)
