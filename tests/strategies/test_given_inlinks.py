"""How several links to a page count, where the user says so."""

from __future__ import annotations

import pytest

from scenthound.core.errors import SettingsError
from scenthound.frontier.combination import Combination
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.given_inlinks import INLINKS, inlinks_named, with_inlinks


def test_every_way_has_a_name() -> None:
    assert {inlinks_named(name) for name in INLINKS} == set(Combination)
    with pytest.raises(SettingsError, match="give max, mean or last as inlinks, not 'sum'"):
        inlinks_named("sum")


@pytest.mark.parametrize("inlinks", INLINKS)
def test_any_strategy_that_scores_takes_any(inlinks: str) -> None:
    alike = {"breadth-first", "random", "oracle"}
    for recipe in CATALOGUE.values():
        if recipe.name in alike:
            with pytest.raises(SettingsError, match=f"'{recipe.name}' scores all links to a page"):
                with_inlinks(recipe, inlinks)
        else:
            changed = with_inlinks(recipe, inlinks)
            assert (changed.name, changed.combination.value) == (recipe.name, inlinks)


def test_nothing_given_changes_nothing() -> None:
    for recipe in CATALOGUE.values():
        assert with_inlinks(recipe, None) is recipe
