"""The crawlers whose harvest is compared: a name of the catalogue, and settings of it."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.variants import Variant
from scenthound.core.crawl_loop import Greedy
from scenthound.core.errors import SettingsError
from scenthound.core.parameters import Value, parse_value
from scenthound.papers.olmoaco.rivals import WebSpaceEvolution
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.spec import StrategySpec

OURS, RIVAL, BASE = "olmoaco", "moaco", "breadth-first"
"""In the order that their harvest should have."""
CRAWLERS = (
    BASE, "best-first", "annealing", "best-first-ontology", "wseo", RIVAL, OURS,
    f"{OURS} lookahead=true", "olmode",
)  # fmt: skip
_CERTAIN = (Greedy, WebSpaceEvolution)


def crawler(text: str) -> Variant:
    """The crawler that ``NAME KEY=VALUE ...`` describes, with as many settings as wanted.

    UnknownNameError for a name or a key that there is not, SettingsError for a value that does not
    fit.
    """
    name, _, settings = text.partition(" ")
    spec = CATALOGUE[name]
    parameters = spec.check(dict(_setting(each) for each in settings.split()))
    return Variant(text, replace(spec, name=text), parameters)


def draws(spec: StrategySpec) -> bool:
    """Does its policy leave something to chance, so that one run tells little?"""
    return spec.policy not in _CERTAIN


def _setting(text: str) -> tuple[str, Value]:
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise SettingsError(f"{text!r} is no setting; write KEY=VALUE, e.g. 'olmoaco ants=10'.")
    parsed = parse_value(value)
    return key, value if isinstance(parsed, list) else parsed
