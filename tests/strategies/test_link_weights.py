"""Weights that a user gives, and what a scorer makes of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.strategies.learned import LearnedTexts
from scenthound.strategies.weights import LinkWeights
from strategies.scoring import ingredients, link, scores, strategy, visit

GIVEN = LinkWeights({"anchor": 0.75, "context": 0.5}, "vsm", "weights.toml")
TOPIC = ingredients(["storm"], ["storm rain", "storm sea"])


@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan, math.inf])
def test_weights_lie_within_0_and_1(value: float) -> None:
    with pytest.raises(SettingsError, match="weight of 'full' lies within 0 and 1"):
        LinkWeights({"full": value})


@pytest.mark.parametrize("value", ["much", True, None])
def test_weights_are_numbers(value: object) -> None:
    with pytest.raises(SettingsError, match="weight of 'full' is a number"):
        LinkWeights({"full": value})  # type: ignore[dict-item]


def test_something_must_weigh_something() -> None:
    with pytest.raises(SettingsError, match="all weights are 0"):
        LinkWeights({"full": 0.0, "anchor": 0})


@pytest.mark.parametrize("values", [{}, [("full", 1.0)], None, "full"])
def test_weights_are_a_table(values: object) -> None:
    with pytest.raises(SettingsError, match="table of names and numbers"):
        LinkWeights(values)  # type: ignore[arg-type]


def test_numbers_of_numpy_will_do() -> None:
    weights = LinkWeights({"full": np.float32(0.5)})  # type: ignore[dict-item]
    assert weights.values["full"] == 0.5


def test_an_unknown_text_is_told_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"evidence 'ancor'.*did you mean 'anchor'"):
        LinkWeights({"ancor": 0.5})


@pytest.mark.parametrize("name", ["vsm", "vsm-four", "mcoa"])
def test_given_weights_take_the_place_of_the_strategys_own(name: str) -> None:
    made = strategy(name, replace(TOPIC, weights=GIVEN))
    (score,) = scores(made, visit("rain"), link("storm", "storm at sea"))
    assert [(part.name, part.weight) for part in score.parts] == [
        ("anchor", 0.75),
        ("context", 0.5),
    ]


def test_a_strategy_that_learns_goes_on_from_them() -> None:
    made = strategy("mcoa", replace(TOPIC, weights=GIVEN))
    assert isinstance(made.scorer, LearnedTexts)
    assert made.scorer.weights == GIVEN.values


def test_given_weights_may_name_structure() -> None:
    weights = LinkWeights({"inlinks": 0.5, "source": 0.5, "full": 0.2})
    made = strategy("vsm", replace(TOPIC, weights=weights))
    (score,) = scores(made, visit("storm rain"), link())
    assert [part.name for part in score.parts] == ["full", "source", "inlinks"]
    assert 0.0 < score.part("source", 0.0) <= 1.0  # by the judge


def test_to_json_has_it_all() -> None:
    assert GIVEN.to_json() == {
        "values": {"anchor": 0.75, "context": 0.5}, "model": "vsm", "origin": "weights.toml",
    }  # fmt: skip
