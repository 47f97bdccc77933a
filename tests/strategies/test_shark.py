"""Shark search, each number worked out by hand. No page was learnt, so every idf is 1."""

from __future__ import annotations

import pytest

from engines.web_building import Plant
from engines.web_building import page as archived
from scenthound.core.errors import SettingsError
from scenthound.core.model import Part
from scenthound.strategies.shark import context_score, inherited_score
from strategies.scoring import link, parts, scores, strategy, visit


def test_link_inherits_half_of_its_page_or_of_what_the_page_inherited() -> None:
    assert inherited_score(0.6, 0.9, 0.5) == pytest.approx(0.3)
    assert inherited_score(0.0, 0.9, 0.5) == pytest.approx(0.45)
    assert inherited_score(0.0, 0.0, 0.5) == 0.0


def test_anchor_that_says_anything_speaks_for_its_context() -> None:
    assert context_score(0.5, 0.0) == 1.0
    assert context_score(0.0, 0.6) == 0.6
    assert context_score(0.0, 0.0) == 0.0


def test_score_with_a_good_anchor() -> None:
    """Page 0.707107, inherited 0.353553; neighbourhood 0.8 + 0.2 = 1; score 0.676777."""
    (score,) = scores(strategy("shark"), visit("storm wind"), link("storm", "cake"))
    assert parts(score) == {
        "inherited": (pytest.approx(0.353553, abs=1e-6), 0.5),
        "anchor": (pytest.approx(1.0), pytest.approx(0.4)),
        "context": (1.0, pytest.approx(0.1)),
    }
    assert score.value == pytest.approx(0.676777, abs=1e-6)


def test_score_with_an_empty_anchor_in_a_good_context() -> None:
    """Context 0.707107, neighbourhood 0.2 * 0.707107 = 0.141421; score 0.247487."""
    (score,) = scores(strategy("shark"), visit("storm wind"), link("cake", "storm cake"))
    assert score.value == pytest.approx(0.5 * 0.353553 + 0.5 * 0.141421, abs=1e-6)


def test_page_that_is_not_similar_passes_on_half_of_what_it_inherited() -> None:
    where = visit("cake", parts=(Part("inherited", 0.4, 0.5), Part("anchor", 0.9, 0.4)))
    (score,) = scores(strategy("shark"), where, link("cake", "cake"))
    assert score.part("inherited", -1.0) == pytest.approx(0.2)
    assert score.value == pytest.approx(0.1)


def test_seed_has_inherited_nothing() -> None:
    (score,) = scores(strategy("shark"), visit("cake"), link())
    assert score.value == 0.0


def test_inheritance_halves_along_a_chain(plant: Plant) -> None:
    """The seed is all about the topic: 1/2, 1/4, 1/8; no anchor adds anything."""
    web = plant(
        archived("/0", "/1", text="storm"),
        archived("/1", "/2", text="cake"),
        archived("/2", "/3", text="cake"),
        archived("/3"),
    )
    rows = [e["parts"] for e in web.crawl("shark", seeds=["/0"]).events("page")[1:]]
    assert rows == [
        {"inherited": [value, 0.5], "anchor": [0.0, 0.4], "context": [0.0, 0.1]}
        for value in (0.5, 0.25, 0.125)
    ]


def test_weights_are_parameters() -> None:
    shark = strategy("shark", None, decay=1.0, inherited_weight=0.25, anchor_weight=0.5)
    (score,) = scores(shark, visit("storm"), link("cake", "storm"))
    assert score.value == pytest.approx(0.25 * 1.0 + 0.75 * 0.5)


@pytest.mark.parametrize("name", ["decay", "inherited_weight", "anchor_weight"])
@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_weights_out_of_range(name: str, value: float) -> None:
    with pytest.raises(SettingsError, match=f"{name} must lie within 0 and 1"):
        strategy("shark", None, **{name: value})
