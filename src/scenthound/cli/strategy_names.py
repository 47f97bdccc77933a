"""The strategies that a user asks for by name."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.cli.screen import say_warning
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.installed import STRATEGIES


def named_strategies(names: Sequence[str]) -> list[Recipe]:
    """Their recipes, ours and those of installed packages; a name of ours that is taken is told.

    UnknownNameError for a name that there is not, PluginError for one that cannot be used.
    """
    recipes = [STRATEGIES[name] for name in names]
    for name in dict.fromkeys(names):
        for hidden in STRATEGIES.hidden(name):
            say_warning(hidden)
    return recipes
