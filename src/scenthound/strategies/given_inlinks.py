"""How several links to a page count, where the user says so in place of the strategy."""

from __future__ import annotations

from dataclasses import replace

from scenthound.core.errors import SettingsError
from scenthound.frontier.combination import Combination
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.unscored import Unscored

INLINKS = tuple(each.value for each in Combination)
_NAMES = f"{', '.join(INLINKS[:-1])} or {INLINKS[-1]}"


def inlinks_named(name: str) -> Combination:
    """The combination of that name; SettingsError names those that there are."""
    if name not in INLINKS:
        raise SettingsError(f"give {_NAMES} as inlinks, not {name!r}.")
    return Combination(name)


def with_inlinks(recipe: Recipe, inlinks: str | None) -> Recipe:
    """The recipe with this combination of inlinks; as it is for None.

    SettingsError for a strategy that would not heed it: all links to a page score the same.
    """
    if inlinks is None:
        return recipe
    combination = inlinks_named(inlinks)
    if isinstance(recipe.scorer, type) and issubclass(recipe.scorer, Unscored):
        raise SettingsError(
            f"strategy {recipe.name!r} scores all links to a page alike, so inlinks would not be "
            "heeded; choose another strategy, or leave it out."
        )
    return replace(recipe, combination=combination)
