"""The crawlers whose harvest is compared: a name of the catalogue, and settings of it."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.variants import Variant
from scenthound.core.errors import SettingsError
from scenthound.core.parameters import Value
from scenthound.settings.assignments import value_in
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.evolution import Evolution
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.policies import Greedy

OURS, RIVAL, BASE = "olmoaco", "moaco", "breadth-first"
"""In the order that their harvest should have."""
CRAWLERS = (
    BASE, "best-first", "annealing", "best-first-ontology", "wseo", RIVAL, OURS,
    f"{OURS} lookahead=true", "olmode",
)  # fmt: skip
_CERTAIN = (Greedy, Evolution)


def crawler(text: str) -> Variant:
    """The crawler that ``NAME KEY=VALUE ...`` describes, with as many settings as wanted.

    UnknownNameError for a name or a key that there is not, SettingsError for a value that does not
    fit.
    """
    name, _, settings = text.partition(" ")
    recipe = CATALOGUE[name]
    parameters = recipe.check(dict(_setting(each) for each in settings.split()))
    return Variant(text, replace(recipe, name=text), parameters)


def draws(recipe: Recipe) -> bool:
    """Does its policy leave something to chance, so that one run tells little?"""
    return recipe.policy not in _CERTAIN


def _setting(text: str) -> tuple[str, Value]:
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise SettingsError(f"{text!r} is no setting; write KEY=VALUE, e.g. 'olmoaco ants=10'.")
    parsed = value_in(value)
    return key, value if isinstance(parsed, list) else parsed
