from __future__ import annotations

import random
from typing import NoReturn

import pytest

from scenthound.comparison.chance import is_steady
from scenthound.comparison.contenders import Contender, contender
from scenthound.comparison.every_strategy import contenders, missing_extra
from scenthound.core.errors import InputError
from scenthound.core.model import Briefing, Document
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.ingredients import Ingredients
from scenthound.text.analyzer import Analyzer


@pytest.mark.parametrize(
    "text, label",
    [
        ("vsm", "vsm"),
        ("  shark   decay=.25 ", "shark decay=0.25"),
        ("olmoaco xi=2", "olmoaco xi=2"),
        ("olmoaco xi=2.0", "olmoaco xi=2"),
        ("mcoa optimiser='two words' structure=true", "mcoa optimiser='two words' structure=true"),
    ],
)
def test_a_label_says_what_was_set_and_reads_back(text: str, label: str) -> None:
    found = contender(text)
    assert found.label == label
    assert contender(label) == found


def test_the_order_in_which_parameters_are_given_does_not_matter() -> None:
    first, second = contender("mcoa every=7 hold=1"), contender("mcoa hold=1.0 every=7")
    assert first.label == second.label
    assert first.changed({"every": 9}) == Contender("mcoa", {"every": 9, "hold": 1.0})


@pytest.mark.parametrize(
    "text, told",
    [
        ("", "is no strategy"),
        ("shark 'decay", "is no strategy"),
        ("shrak", "did you mean 'shark'"),
        ("shark decay", "is no KEY=VALUE"),
        ("shark =3", "is no KEY=VALUE"),
        ("shark dcay=0.3", "did you mean 'decay'"),
        ("shark decay=yes", "takes a value like"),
        ("shark decay=[1]", "takes a value like"),
    ],
)
def test_what_is_no_contender(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        contender(text)


def test_all_is_every_strategy_that_has_not_been_named() -> None:
    found, left_out = contenders(["shark decay=0.3", "all"], labelled=True)
    labels = [each.label for each in found]
    assert labels[0] == "shark decay=0.3" and "shark" not in labels
    assert set(CATALOGUE) - {"shark"} <= set(labels[1:]) and left_out == []


def test_all_leaves_out_what_cannot_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "scenthound.comparison.every_strategy.find_spec",
        lambda name: None if name == "torch" else name,
    )
    found, left_out = contenders(["all"], labelled=False)
    names = {each.name for each in found}
    assert {"oracle", "bsvsm"}.isdisjoint(names) and "olmoaco" in names
    assert "oracle is left out: it needs labels" in left_out
    assert any("install it with: pip install 'scenthound[neural]'" in each for each in left_out)
    assert missing_extra(CATALOGUE["vsm"]) == ""


class Untouchable(random.Random):
    """A generator that nobody may ask."""

    def random(self) -> NoReturn:
        raise AssertionError("something is left to chance")

    def getrandbits(self, k: int) -> NoReturn:
        raise AssertionError("something is left to chance")


def built(name: str) -> None:
    pages = (Document(text="storm wind rain"), Document(text="storm flood surge"))
    briefing = Briefing("storms", ("storm",), pages)
    CATALOGUE[name].build(Ingredients(briefing, Analyzer("en", None, ()), Untouchable()), {})


STEADY = [name for name, recipe in CATALOGUE.items() if is_steady(recipe)]


@pytest.mark.parametrize("name", STEADY)
def test_a_steady_strategy_never_asks_its_generator(name: str) -> None:
    built(name)
    assert CATALOGUE[name].is_greedy  # whose choice asks nothing either


def test_which_strategies_are_steady() -> None:
    assert {"breadth-first", "vsm", "shark", "soft-svsm", "fish", "oracle"} <= set(STEADY)
    assert {"random", "annealing", "moaco", "mcoa", "word2vec", "sdvsm"}.isdisjoint(STEADY)
    with pytest.raises(AssertionError, match="left to chance"):
        built("soft-sdvsm")
