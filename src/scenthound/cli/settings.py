"""One TOML file, ``--set TABLE.KEY=VALUE`` and the options of a command, mapped to the models.

A settings file has a table for replays, one for live crawls, one for every chosen strategy at
once, and one for each strategy by name. Replays ignore ``[crawl]`` and crawls ``[replay]``::

    [replay]
    budget = "2x"
    random_seed = 7

    [crawl]             # the fields of CrawlOptions and RunOptions
    max_pages = 5000
    max_time = "2h"
    delay = 1.5
    include = ["*/news/*", "*storm*"]

    [strategy]          # for each strategy of the run that has the key
    decay = 0.4

    [shark]             # for one of them
    anchor_weight = 0.9
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scenthound.cli.options import CRAWL_MODELS, Models, keys_of, naming_error
from scenthound.core.command_options import ReplayOptions
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.options import SECRETS, Options, option_text
from scenthound.core.parameters import Value, parse_value
from scenthound.core.registry import Registry
from scenthound.crawler.caches import CACHE, NO_CACHE
from scenthound.similarity.topic_file import read_toml
from scenthound.strategies.spec import StrategySpec

REPLAY, CRAWL, STRATEGY = "replay", "crawl", "strategy"
TABLES: Mapping[str, Models] = {REPLAY: (ReplayOptions,), CRAWL: CRAWL_MODELS}
"""The tables of a settings file that set options, each with the models of its keys."""
Table = Mapping[str, Any]
"""Values by key, as the models keep them."""


# Values that are given as texts.

_LIKE_A_SECRET = re.compile(r"[:@=]")


def assignment(text: str) -> tuple[str, str, Value]:
    """Table, key and value of a ``--set``; SettingsError for one that has not all of them."""
    name, equals, value = text.partition("=")
    table, dot, key = name.strip().rpartition(".")
    if not (equals and dot and table and key):
        raise SettingsError(
            f"{masked_assignment(text)}: write it as TABLE.KEY=VALUE, e.g. shark.decay=0.4."
        )
    parsed = parse_value(value.strip())
    if isinstance(parsed, list) and table != CRAWL:  # lists stand in [crawl] alone
        parsed = value.strip()
    return table, key, parsed  # type: ignore[return-value]


def masked_assignment(text: str) -> str:
    """A ``--set`` in a message: without its value where that may be a password.

    That is the value of an option that takes one, or of an unknown option if it looks like one.
    """
    name, _, value = text.partition("=")
    key = name.strip().rpartition(".")[2]
    if _LIKE_A_SECRET.search(name):
        return "--set"
    unknown = key not in keys_of(CRAWL_MODELS)
    hidden = key in SECRETS or (unknown and _LIKE_A_SECRET.search(value))
    return f"--set {name.strip() if hidden else text}"


def naming_option(text: str) -> AbstractContextManager[None]:
    """Say which ``--set`` an error is about."""
    return naming_error(masked_assignment(text))


# The settings file.


@dataclass(frozen=True)
class Settings:
    """Values by table and key, checked against what exists."""

    tables: Mapping[str, Table] = field(default_factory=dict)

    def of(self, table: str) -> dict[str, Any]:
        """A table; empty where nothing is set."""
        return dict(self.tables.get(table, {}))

    def for_strategy(self, spec: StrategySpec) -> dict[str, Value]:
        """The parameters set for a strategy: its own table wins over ``[strategy]``."""
        shared = {key: each for key, each in self.of(STRATEGY).items() if key in spec.parameters}
        return spec.check({**shared, **self.of(spec.name)})


def read_settings(
    config: Path | None,
    assignments: Sequence[str],
    chosen: Iterable[str],
    catalogue: Registry[StrategySpec],
    command: str = REPLAY,
) -> Settings:
    """Read the settings file, and lay the ``--set`` options over it.

    ``--set strategy.KEY=VALUE`` also wins over the file's tables of single strategies, but not
    over a ``--set`` for one of them. ``command`` is :data:`REPLAY` or :data:`CRAWL`: a file may
    have the table of the other one, an option may not. SettingsError names the file or option.
    """
    run = [catalogue[name] for name in chosen]
    tables: dict[str, dict[str, Any]] = {}
    if config is not None:
        for table, values in _config(config).items():
            with naming_error(f"config file {config}"):
                checked = _checked(table, values, run, catalogue)
            known = keys_of(TABLES.get(table, ()))
            for key in checked:  # paths in a settings file are relative to that file
                if key in known and option_text(known[key], key).is_path:
                    name = checked[key].strip()
                    if (key, name.lower()) != (CACHE, NO_CACHE):
                        checked[key] = str(config.parent / name)
            tables[table] = checked
    given = [(text, *assignment(text)) for text in assignments]
    # ``strategy.KEY`` first, whatever the order on the command line: the special one overrides it.
    for text, table, key, value in sorted(given, key=lambda each: each[1] != STRATEGY):
        with naming_option(text):
            checked = _checked(table, {key: value}, run, catalogue)
            for target in _targets(table, key, run, catalogue, command):
                tables.setdefault(target, {}).update(checked)
    return Settings(tables)


def _targets(
    table: str,
    key: str,
    run: Sequence[StrategySpec],
    catalogue: Registry[StrategySpec],
    command: str,
) -> list[str]:
    """The tables a ``--set`` goes to; it is an error if nothing in the run would use it."""
    if table in TABLES and table != command:
        raise SettingsError(f"this is no {table}, so it would not be used; drop the option.")
    if table == STRATEGY:
        users = [spec.name for spec in run if key in spec.parameters]
        if not users:
            raise SettingsError(f"no strategy of this run has the key {key!r}; drop the option.")
        return users
    if table in catalogue and table not in [spec.name for spec in run]:
        raise SettingsError(
            f"strategy {table!r} is not in this run; add --strategy {table} or drop the option."
        )
    return [table]


def _checked(
    table: str, values: Table, run: Sequence[StrategySpec], catalogue: Registry[StrategySpec]
) -> dict[str, Any]:
    """The values of a table, as its part takes them."""
    if table in TABLES:
        known = keys_of(TABLES[table])
        for key in values:
            if key not in known:
                raise UnknownNameError(f"key of [{table}]:", key, known)
        return {key: _read(table, known[key], key, value) for key, value in values.items()}
    if table == STRATEGY:
        for key, value in values.items():
            users = [spec for spec in run if key in spec.parameters]
            for spec in users:
                spec.check({key: value})
            if not users:  # only then are all looked at, and those of other packages loaded
                known_keys = {key for spec in catalogue.usable() for key in spec.parameters}
                if key not in known_keys:
                    raise UnknownNameError("strategy key", key, known_keys)
    elif table in catalogue:
        catalogue[table].check(values)
    else:
        raise UnknownNameError("table", table, [*TABLES, STRATEGY, *catalogue])
    return dict(values)


def _read(table: str, model: type[Options], key: str, value: object) -> object:
    """One value; an error that begins with the key names the table too."""
    try:
        return model.read(key, value)
    except SettingsError as error:
        message = str(error)
        named = message.startswith(f"{key} ")
        raise SettingsError(f"{table}.{message}" if named else message) from None


def _config(path: Path) -> dict[str, dict[str, Value]]:
    content: dict[str, Any] = read_toml(path, "config file")
    for table, values in content.items():
        if not isinstance(values, dict):
            raise SettingsError(f"config file {path}: {table!r} must be a table, as [{table}].")
    return content
