"""Which strategies several workers can crawl by."""

from __future__ import annotations

import pytest

from scenthound.core.errors import SettingsError
from scenthound.frontier.combination import Combination
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.policies import Greedy
from scenthound.strategies.sharing import (
    counting_of,
    fitting_of,
    refuse_sharing,
    sharing_advice,
)
from scenthound.strategies.unscored import Unscored
from strategies.scoring import strategy

WALKERS = {"wseo", "moaco", "olmoaco", "olmode"}
ALONE = {"annealing", "sdvsm", "soft-sdvsm", "word2vec", "elmo"}


class Foreign(Unscored):
    """A strategy that somebody else wrote."""


class Telling(Foreign):
    """One that says what it counts."""

    def counted_here(self) -> None:
        """Nothing."""


def foreign(scorer: type[Foreign]) -> Recipe:
    return Recipe("theirs", scorer, Greedy, Combination.MAX, "", "")


@pytest.mark.parametrize("name", CATALOGUE)
def test_strategies_that_walk_a_map_are_refused_and_no_others(name: str) -> None:
    recipe = CATALOGUE[name]
    if name in WALKERS:
        with pytest.raises(SettingsError, match=f"{name!r} walks a map of all links.* scent"):
            refuse_sharing(recipe)
    else:
        refuse_sharing(recipe)
        assert (sharing_advice(recipe) is not None) == (name in ALONE)


def test_vectors_from_a_file_are_the_same_for_all() -> None:
    assert "--set vectors=FILE" in (sharing_advice(CATALOGUE["word2vec"]) or "")
    assert sharing_advice(CATALOGUE["word2vec"], {"vectors": "glove.txt"}) is None


def test_a_strategy_of_a_plug_in_is_allowed_and_remarked_on() -> None:
    refuse_sharing(foreign(Foreign))
    assert "each learns from its own pages" in (sharing_advice(foreign(Foreign)) or "")
    assert sharing_advice(foreign(Telling)) is None


def test_what_learns_nothing_has_nothing_to_share() -> None:
    for name in ("breadth-first", "random", "sentences-light"):
        scorer = strategy(name).scorer
        assert counting_of(scorer) is None and fitting_of(scorer) is None
    assert fitting_of(strategy("vsm").scorer) is None
