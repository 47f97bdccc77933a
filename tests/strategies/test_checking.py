"""The contract that authors of strategies can run over theirs: ours keep it, broken ones do not."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from examples.plugin.url_words import RECIPE, address_words

from scenthound import CATALOGUE, plugins
from scenthound.plugins import (
    Candidate,
    Frontier,
    Greedy,
    Ingredients,
    Link,
    Part,
    Recipe,
    Score,
    State,
    StrategyError,
    Visit,
    check_strategy,
)

OURS = ["scent", "vsm", "annealing", "moaco", "oracle"]
"""One of each kind of scorer and policy; ``test_every_strategy`` runs over all."""


@pytest.mark.parametrize("name", OURS)
def test_our_strategies_keep_the_contract(name: str) -> None:
    assert check_strategy(CATALOGUE[name]) is None  # type: ignore[func-returns-value]


def test_the_example_keeps_the_contract_and_everything_public_is_there() -> None:
    assert check_strategy(RECIPE, {"enough": 1}) is None  # type: ignore[func-returns-value]
    assert address_words("http://a.test/heavy-rain_2.html") == "heavy rain html"
    assert [name for name in plugins.__all__ if not hasattr(plugins, name)] == []


class Plain:
    """A scorer that is right; what is given replaces one of its answers."""

    predicts = True

    def __init__(self, strategy_context: Ingredients) -> None:
        self.rng = strategy_context.rng
        self.pages = 0

    def observe(self, visit: Visit) -> None:
        self.pages += 1

    def score(self, visit: Visit, links: Sequence[Link]) -> Sequence[Score]:
        return [Score(min(1.0, self.pages / 100)) for _ in links]

    def state(self) -> State:
        return {"pages": self.pages}

    def restore(self, state: State) -> None:
        self.pages = int(str(state["pages"]))


def spec(**changes: object) -> Recipe:
    scorer = type("Changed", (Plain,), {"__module__": __name__, **changes})
    return replace(RECIPE, name="changed", scorer=scorer)


def scoring(answer: Callable[[Plain], Score]) -> Recipe:
    return spec(score=lambda self, visit, links: [answer(self) for _ in links])


class Stuck(Greedy):
    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        return None


class Peeking(Greedy):
    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        return Candidate("http://trial.test/", Score(1.0), 1)


FAULTS = {
    "no number": (scoring(lambda self: Score(float("nan"))), "no finite number"),
    "no finite part": (scoring(lambda self: Score(0.0, (Part("a", float("inf")),))), "no finite"),
    "too large": (scoring(lambda self: Score(1.5)), "gives 1.5, not within 0 and 1"),
    "other parts": (scoring(lambda self: Score(0.5, (Part("a", 0.4),))), "parts that come to 0.4"),
    "chance": (scoring(lambda self: Score(random.random())), "draws from the global generator"),
    "too few": (spec(score=lambda self, visit, links: [Score(0.1)]), "gives 1 scores for 0"),
    "none": (spec(score=lambda self, visit, links: None), "failed in score()"),
    "forgets": (spec(restore=lambda self, state: None), "after its state was restored"),
    "keeps a set": (spec(state=lambda self: {"pages": set()}), "has a set in its state"),
    "keeps a number": (spec(state=lambda self: {"pages": [{1: 2}]}), "a key that is no text"),
    "keeps of numpy": (spec(state=lambda self: {"pages": np.int64(3)}), "has a int64 in its state"),
    "keeps objects": (spec(state=lambda self: {"a": np.array([None])}), "an array of Python obj"),
    "does not start": (spec(__init__=lambda self, _: 1 / 0), "failed in making its scorer"),
    "stuck": (replace(spec(), policy=Stuck), "chooses nothing though links wait"),
    "again": (replace(spec(), policy=Peeking), "chooses a link that was fetched before"),
    "name": (replace(RECIPE, name="two words"), "not made of letters"),
}


def test_what_breaks_the_contract_is_named() -> None:
    assert check_strategy(spec()) is None  # type: ignore[func-returns-value]
    for fault, (broken, words) in FAULTS.items():
        with pytest.raises(StrategyError) as caught:
            check_strategy(broken)
        assert words in str(caught.value), fault
    given = iter(range(10_000))
    with pytest.raises(StrategyError, match="otherwise with the same random seed"):
        check_strategy(scoring(lambda self: Score(next(given) / 10_000)))
