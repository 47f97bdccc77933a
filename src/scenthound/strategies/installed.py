"""Strategies by name: ours, and those that installed packages add.

A package that declares an entry point of the group ``scenthound.strategies`` adds a strategy of
that entry point's name. It names a :class:`~scenthound.strategies.ingredients.Recipe`, or a
function without parameters that gives one. It is imported when somebody asks for its name.
"""

from __future__ import annotations

import re
from importlib.metadata import EntryPoint

from scenthound.core.entry_points import loaded, package_of
from scenthound.core.errors import PluginError
from scenthound.core.foreign import failure
from scenthound.core.open_registry import OpenRegistry
from scenthound.core.parameters import Value
from scenthound.frontier.combination import Combination
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.ingredients import Recipe

GROUP = "scenthound.strategies"
TABLES = ("crawl", "replay", "strategy")
"""Names that a settings file has for something else."""
_KIND = "strategy"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def name_fault(name: object) -> str | None:
    """Why a strategy cannot have this name, as the rest of a sentence; None where it can."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return "has a name that is not made of letters, digits, - and _, after a letter"
    return f"is named as the table [{name}] of a settings file" if name in TABLES else None


def recipe_fault(recipe: Recipe) -> str | None:
    """Why a recipe cannot be used, as the rest of a sentence; None where it can."""
    if (fault := name_fault(recipe.name)) is not None:
        return fault
    if not isinstance(recipe.combination, Combination):
        return "has a combination of inlinks that is no Combination"
    try:
        parameters = recipe.parameters
    except (TypeError, ValueError):  # a factory that shows no parameters
        return "has a scorer or policy that cannot be called"
    for key, value in parameters.items():
        if not isinstance(value, Value):
            return f"has the parameter {key!r} without a default that is a number, a text or a flag"
    return None


def _recipe(point: EntryPoint) -> Recipe:
    """The recipe that an entry point names; PluginError where it is none."""
    thing = loaded(point, _KIND)
    if not isinstance(thing, Recipe) and callable(thing):
        thing = _called(point, thing)
    if not isinstance(thing, Recipe):
        raise _unusable(point, f"is a value of type {type(thing).__name__}, not a Recipe")
    if thing.name != point.name:
        raise _unusable(point, f"names its recipe {thing.name!r}; one name must do for both")
    if (fault := recipe_fault(thing)) is not None:
        raise _unusable(point, fault)
    return thing


def _called(point: EntryPoint, thing: object) -> object:
    assert callable(thing)
    try:
        return thing()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _unusable(point, f"gives no recipe: {failure(error)}") from error


def _unusable(point: EntryPoint, fault: str) -> PluginError:
    return PluginError(
        f"the {_KIND} {point.name!r} of {package_of(point)} {fault}; correct that package, or "
        "uninstall it."
    )


STRATEGIES: OpenRegistry[Recipe] = OpenRegistry(_KIND, CATALOGUE, GROUP, _recipe)
"""Every strategy that can be asked for by name. :data:`CATALOGUE` holds ours alone."""
