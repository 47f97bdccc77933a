"""Weights that a user gives: who takes them, and what is said where nobody does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.parameters import Value
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.given_weights import refuse_weights, text_model
from scenthound.strategies.weights import LinkWeights
from strategies.scoring import ingredients

VALUES = {"full": 0.3, "anchor": 0.9}
ANY = LinkWeights(VALUES)
OF_VSM = LinkWeights(VALUES, "vsm", "w.toml")
SILENT = ("scent", "breadth-first", "random", "best-first", "fish", "shark", "oracle")


def refused(name: str, weights: LinkWeights, **parameters: Value) -> str:
    with pytest.raises(SettingsError) as caught:
        refuse_weights(CATALOGUE[name], weights, parameters)
    message = str(caught.value)
    assert "\n" not in message and message.endswith(".")
    return message


def test_the_models_of_strategies() -> None:
    models = {name: text_model(recipe) for name, recipe in CATALOGUE.items()}
    assert {name for name, model in models.items() if model is None} == set(SILENT)
    assert (models["vsm-four"], models["ssvsm"], models["soft-svsm-mcoa"]) == (
        "vsm", "svsm", "soft-svsm",
    )  # fmt: skip


@pytest.mark.parametrize("name", SILENT)
def test_who_weighs_nothing_names_those_who_do(name: str) -> None:
    message = refused(name, ANY)
    assert message.startswith(f"strategy {name!r} takes no weights, so they would not be heeded")
    named = message.partition("(")[2].partition(")")[0].split(", ")
    assert named == [each for each in CATALOGUE if each not in SILENT]
    assert "that does (vsm, vsm-mean, vsm-four, mcoa, annealing), or" in refused(name, OF_VSM)


def test_weights_of_another_model() -> None:
    assert refused("soft-svsm", OF_VSM) == (
        "the weights from w.toml were learnt for the text model 'vsm', and strategy 'soft-svsm' "
        "has the model 'soft-svsm'; choose a strategy of that model (vsm, vsm-mean, vsm-four, "
        "mcoa, annealing), or tune again with --model soft-svsm."
    )


def test_what_the_weights_settle_cannot_be_set_as_well() -> None:
    assert refused("ssrm", ANY, balance=0.3).startswith("ssrm.balance would not be heeded")
    assert "mcoa.structure" in refused("mcoa", OF_VSM, structure=True)


@pytest.mark.parametrize("name", [name for name in CATALOGUE if name not in SILENT])
def test_weights_of_no_model_are_for_all_that_weigh(name: str) -> None:
    refuse_weights(CATALOGUE[name], ANY)
    given = replace(ingredients(examples=["storm and rain"]), weights=ANY)
    made = CATALOGUE[name].build(given, {})
    assert made.scorer.weights == VALUES  # type: ignore[attr-defined]


def test_none_and_those_of_the_model_are_taken() -> None:
    for name in CATALOGUE:
        refuse_weights(CATALOGUE[name], None, {"balance": 0.3})
    refuse_weights(CATALOGUE["mcoa"], OF_VSM, {"every": 20})


def test_weights_come_back_from_json() -> None:
    assert LinkWeights.from_json(OF_VSM.to_json()) == OF_VSM
    assert LinkWeights.from_json(ANY.to_json()) == ANY


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"values": [1]}, TypeError),
        ({"model": 7}, TypeError),
        ({"values": {"colour": 0.5}}, UnknownNameError),
        ({"values": {"full": 7}}, SettingsError),
        ({"values": {"full": float("nan")}}, SettingsError),
    ],
)
def test_json_that_no_weights_gave(changed: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        LinkWeights.from_json({**OF_VSM.to_json(), **changed})
    with pytest.raises(KeyError):
        LinkWeights.from_json({"values": VALUES})
