"""The priority of links (olmoaco Eq. 10) and the map that pages are entered in."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engines.web_building import Plant
from engines.web_building import page as archived
from scenthound.core.errors import SettingsError
from scenthound.core.model import Candidate, Document, Page, Refusal, Score, Visit
from scenthound.frontier.combination import Combination
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.link_map import ANCHOR_WEIGHT
from scenthound.strategies.mapped import BELOW_ETA, MappedTexts, PriorityTexts
from scenthound.strategies.weights import LinkWeights
from strategies.scoring import URL, ingredients, link, parts, scores, strategy, visit

WALKING = ["moaco", "olmoaco", "wseo"]
STORM = visit("a storm")
"""Its only concept is the one keyword: both page and an anchor of that word are fully relevant."""


def mapped(eta: float = 0.0) -> MappedTexts:
    scorer = strategy("moaco", eta=eta).scorer
    assert isinstance(scorer, MappedTexts)
    return scorer


def test_anchor_and_page_are_weighed_4_to_1() -> None:
    both, page_only = scores(strategy("moaco"), STORM, link("storm"), link("cake"))
    assert both.value == pytest.approx(1.0) and page_only.value == pytest.approx(0.2)
    assert parts(both) == {"full": (1.0, pytest.approx(0.2)), "anchor": (1.0, 0.8)}
    (anchor_only,) = scores(strategy("moaco"), visit("cake"), link("storm"))
    assert anchor_only.value == pytest.approx(0.8)


def test_proportion_of_anchor_and_page_is_that_of_the_paper() -> None:
    assert pytest.approx(0.6 / 0.15) == ANCHOR_WEIGHT / (1 - ANCHOR_WEIGHT)


def test_weight_of_the_anchor_can_be_set() -> None:
    found = scores(strategy("moaco", anchor_weight=0.5), visit("cake"), link("storm"))
    assert found[0].value == pytest.approx(0.5)


@pytest.mark.parametrize("name", [*WALKING, "annealing", "best-first-ontology"])
def test_holders_of_a_link_count_in_the_mean(name: str) -> None:
    assert CATALOGUE[name].combination is Combination.MEAN


def test_priority_is_the_mean_over_the_pages_that_hold_the_link(plant: Plant) -> None:
    """0.8 x 1 + 0.2 x 1 on the one seed, 0.8 x 0 + 0.2 x 0 on the other."""
    field = plant(
        archived("/", ("/x", "storm"), text="storm"),
        archived("/other", ("/x", "tea"), text="cake"),
        archived("/x", text="flood"),
    )
    outcome = field.crawl("moaco", seeds=("/", "/other"))
    assert outcome.paths == ["/", "/other", "/x"]
    assert outcome.events("page")[2]["priority"] == pytest.approx(0.5, abs=1e-5)


@pytest.mark.parametrize("name", [*WALKING, "annealing", "best-first-ontology"])
def test_link_at_eta_is_refused_and_one_above_is_not(name: str) -> None:
    answer = strategy(name).scorer.score(STORM, [link("storm")])[0]
    assert isinstance(answer, Score)
    at, below = answer.value, answer.value - 1e-9
    if at >= 1.0:
        at, below = 0.2, 0.2 - 1e-9  # that of the other link
    anchors = [link("storm"), link("cake")]
    refused = strategy(name, eta=at).scorer.score(STORM, anchors)
    kept = strategy(name, eta=below).scorer.score(STORM, anchors)
    assert Refusal(BELOW_ETA) in refused
    assert sum(isinstance(each, Score) for each in kept) > sum(
        isinstance(each, Score) for each in refused
    )


def test_eta_of_nothing_queues_links_that_are_worth_nothing() -> None:
    assert [s.value for s in scores(strategy("moaco"), visit("cake"), link("tea"))] == [0.0]


@pytest.mark.parametrize("eta", [-0.1, 1.0, 1.5])
def test_eta_out_of_bounds(eta: float) -> None:
    with pytest.raises(SettingsError, match="eta must lie within 0 and 1"):
        strategy("moaco", eta=eta)


def test_refused_links_are_on_no_map() -> None:
    scorer = mapped(eta=0.5)
    scorer.score(STORM, [link("storm", path="good"), link("cake", path="poor")])
    assert scorer.map.urls(scorer.map.waiting().tolist()) == [f"{URL}good"]


def test_map_has_the_best_anchor_and_the_best_promise_of_several_links() -> None:
    scorer = mapped()
    links = [link("cake", "tea"), link("storm", "tea"), link("cake", "a storm")]
    scorer.score(visit("cake", url=f"{URL}page"), links)
    assert scorer.map.objectives(scorer.map.waiting())[0, :3].tolist() == pytest.approx([1, 0, 1])


def test_context_promises_what_the_anchor_does_not_say() -> None:
    scorer = mapped()
    scorer.score(visit("cake", url=f"{URL}page"), [link("here", "read of the storm here")])
    assert scorer.map.objectives(scorer.map.waiting())[0, :3].tolist() == pytest.approx([0, 0, 1])


def test_page_that_is_an_error_leads_nowhere() -> None:
    scorer = mapped()
    scorer.score(visit("storm", url=f"{URL}page"), [link("storm", path="gone")])
    gone = Page(f"{URL}gone", 404, Document())
    assert list(scorer.score(Visit(Candidate(gone.url, Score(1.0), 1), gone), [])) == []
    assert scorer.map.waiting().tolist() == []


def test_redirects_lead_to_the_page() -> None:
    scorer = mapped()
    scorer.score(visit("storm", url=f"{URL}page"), [link("storm", path="old")])
    page = Page(f"{URL}new", 200, Document(text="storm"), redirects=(f"{URL}old", f"{URL}hop"))
    scorer.score(Visit(Candidate(f"{URL}old", Score(1.0), 1), page), [])
    ends = scorer.map.ends(scorer.map.graph.links(0).targets)
    assert scorer.map.urls(ends.tolist()) == [f"{URL}new"]
    assert scorer.map.waiting().tolist() == []


def test_given_weights_take_the_place_of_those_of_the_paper() -> None:
    given = replace(ingredients(), weights=LinkWeights({"anchor": 0.3, "title": 0.7}))
    (found,) = scores(strategy("moaco", given), visit("cake", title="storm"), link("cake"))
    assert found.value == pytest.approx(0.7)


def test_words_of_the_topic_are_all_alike_without_an_ontology() -> None:
    scorer = strategy("moaco", ingredients(["storm", "flood"])).scorer
    assert isinstance(scorer, PriorityTexts)
    found = scores(strategy("moaco", ingredients(["storm", "flood"])), visit("cake"),
                   link("storm"), link("flood"), link("storm flood"))  # fmt: skip
    half = 0.8 / 2**0.5
    assert [s.value for s in found] == pytest.approx([half, half, 0.8])


def test_without_keywords_the_heaviest_words_of_the_examples_are_the_subject() -> None:
    given = ingredients([], ["typhoon typhoon typhoon landfall", "typhoon"])
    first, second, third = scores(
        strategy("moaco", given), visit("cake"), link("typhoons"), link("landfall"), link("cake")
    )
    assert first.value > 0.0 and second.value > 0.0 and third.value == 0.0


def test_topic_of_stop_words_steers_nothing_and_breaks_nothing() -> None:
    found = scores(strategy("moaco", ingredients(["the"])), STORM, link("the storm"))
    assert [s.value for s in found] == [0.0]


def objectives(scorer: MappedTexts, path: str) -> list[float]:
    number = scorer.map.graph.number(f"{URL}{path}")
    found: list[float] = scorer.map.objectives(np.array([number], np.int32))[0].tolist()
    return found


def test_a_link_refused_on_one_page_counts_in_the_means_of_all_that_hold_it() -> None:
    """Eq. 10 to 12: relevance 1 on one page and 0 on the other, whatever eta is."""
    for eta in (0.0, 0.1):
        scorer = mapped(eta)
        scorer.score(visit("storm", url=f"{URL}a"), [link("storm", path="x")])
        scorer.score(visit("cake", url=f"{URL}b"), [link("cake", path="x")])
        assert objectives(scorer, "x")[:3] == pytest.approx([0.5, 0.5, 1.0])


def test_a_link_that_every_page_refuses_does_not_wait() -> None:
    scorer = mapped(0.1)
    scorer.score(visit("cake", url=f"{URL}a"), [link("cake", path="x"), link("storm", path="y")])
    waiting = scorer.map.urls(scorer.map.waiting().tolist())
    assert waiting == [f"{URL}y"]
    scorer.score(visit("storm", url=f"{URL}b"), [link("storm", path="x")])
    assert sorted(scorer.map.urls(scorer.map.waiting().tolist())) == [f"{URL}x", f"{URL}y"]


def test_objectives_do_not_depend_on_what_the_priority_weighs() -> None:
    given = replace(ingredients(), weights=LinkWeights({"full": 0.5, "title": 0.5}))
    scorer = strategy("moaco", given).scorer
    assert isinstance(scorer, MappedTexts)
    scorer.score(visit("cake", url=f"{URL}a"), [link("storm", path="x")])
    assert objectives(scorer, "x")[:3] == pytest.approx([1.0, 0.0, 1.0])


def test_looking_ahead_refuses_nothing_before_the_target_is_known() -> None:
    made = strategy("moaco", eta=0.5, lookahead=True)
    (found,) = made.scorer.score(visit("cake"), [link("cake")])
    assert isinstance(found, Score)
