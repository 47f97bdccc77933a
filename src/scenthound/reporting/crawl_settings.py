"""The settings of a crawl that differ from the defaults, as a settings file."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from scenthound.corpus.stored_crawl import StoredCrawl
from scenthound.live.options import AUTH_HOSTS, CrawlOptions
from scenthound.strategies.installed import STRATEGIES

_REPLAY_KEYS = ("count_missing", "judge", "threshold", "pdf")
_PRIVATE = ("header", "proxy", "cookie_file", "netrc", AUTH_HOSTS)
"""May hold what is nobody else's business, so that a report only says that they were set."""
_CALLED = {AUTH_HOSTS: "auth"}
_ELSEWHERE = frozenset({*_PRIVATE, "max_pages", "random_seed", "inlinks", "weights", "auth"})
"""Not told, or in the command."""
_DEFAULTS = {
    **{each.name: each.default for each in dataclasses.fields(CrawlOptions)},
    "count_missing": False,
}
_NO_END = 1_000_000_000
"""In place of no limit, where a settings file has to have a number."""
Settings = dict[str, object]


def not_told(stored: StoredCrawl) -> list[str]:
    """The names of what was set and is left out of reports; empty for nothing."""
    return [_CALLED.get(name, name) for name in _PRIVATE if stored.settings.get(name)]


def settings_text(stored: StoredCrawl) -> str:
    """The settings file: TOML; one line where nothing differs from the defaults."""
    import tomlkit

    document = tomlkit.document()
    settings, recipe = stored.settings, STRATEGIES.get(stored.strategy)
    given = _crawl(settings) if stored.is_live else _replay(settings)
    inlinks = settings.get("inlinks")
    if recipe is not None and inlinks not in (None, recipe.combination.value):
        given["inlinks"] = inlinks
    if given:
        document.add("crawl" if stored.is_live else "replay", tomlkit.item(given))
    parameters = _parameters(stored)
    if parameters:
        document.add(stored.strategy, tomlkit.item(parameters))
    private = not_told(stored)
    if private:
        told = f"set besides, and not told in reports: {', '.join(private)}"
        document.add(tomlkit.comment(told))
    return tomlkit.dumps(document) or "# all settings have their defaults\n"


def _crawl(settings: Mapping[str, object]) -> Settings:
    """What differs; pages and the random seed are in the command."""
    given = {
        name: list(value) if isinstance(value, list | tuple) else value
        for name, value in settings.items()
        if name in _DEFAULTS and name not in _ELSEWHERE
        if value != _DEFAULTS[name] and not (value == [] and _DEFAULTS[name] == ())
    }
    return {name: _NO_END if value is None else value for name, value in given.items()}


def _replay(settings: Mapping[str, object]) -> Settings:
    given = {name: settings.get(name) for name in _REPLAY_KEYS}
    return {
        name: value
        for name, value in given.items()
        if value is not None and value != _DEFAULTS.get(name)
    }


def _parameters(stored: StoredCrawl) -> Settings:
    """Those of the strategy that differ from its own."""
    parameters, recipe = stored.order.get("parameters"), STRATEGIES.get(stored.strategy)
    own = {} if recipe is None else recipe.parameters
    given = parameters if isinstance(parameters, dict) else {}
    return {
        name: value for name, value in given.items() if value is not None and own.get(name) != value
    }
