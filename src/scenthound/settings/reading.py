"""Reads the settings file and the ``--set`` options, and checks them against what exists."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.parameters import Value
from scenthound.core.registry import Registry
from scenthound.experiments.equipping import CACHE, NO_CACHE
from scenthound.live.credentials import SECRETS
from scenthound.settings.assignments import CRAWL, assignment, told_assignment, value_in
from scenthound.settings.keys import (
    CRAWL_KEYS,
    PATHS,
    CrawlValue,
    check_crawl,
    check_replay,
    crawl_value,
)
from scenthound.strategies.ingredients import Recipe

REPLAY, STRATEGY = "replay", "strategy"
_COMMANDS = (REPLAY, CRAWL)
Table = Mapping[str, CrawlValue]
"""Values by key; lists of texts stand in ``[crawl]`` alone."""
Given = str | bool | list[str] | None
"""What an option of the command line was given: a text, a switch, texts; None for nothing."""


@dataclass(frozen=True)
class Settings:
    """Values by table and key, checked against what exists."""

    tables: Mapping[str, Table] = field(default_factory=dict)

    def replay(self, key: str) -> Value | None:
        """A key of the ``[replay]`` table; None where it is not set."""
        value = self.tables.get(REPLAY, {}).get(key)
        return None if isinstance(value, tuple) else value

    @property
    def crawl(self) -> Table:
        """The ``[crawl]`` table, with times in seconds; empty where nothing is set."""
        return self.tables.get(CRAWL, {})

    def for_strategy(self, recipe: Recipe) -> dict[str, Value]:
        """The parameters set for a strategy: its own table wins over ``[strategy]``."""
        shared = self.tables.get(STRATEGY, {})
        known = recipe.parameters
        fitting = {key: value for key, value in shared.items() if key in known}
        chosen = {**fitting, **self.tables.get(recipe.name, {})}
        return recipe.check(chosen)  # type: ignore[arg-type]


def read_settings(
    config: Path | None, assignments: Sequence[str], chosen: Iterable[str],
    catalogue: Registry[Recipe], command: str = REPLAY,
) -> Settings:  # fmt: skip
    """The settings file, with the ``--set`` options laid over it.

    ``--set strategy.KEY=VALUE`` also wins over the file's tables of single strategies, but not
    over a ``--set`` for one of them. ``command`` is :data:`REPLAY` or :data:`CRAWL`: a file may
    have the table of the other one, an option may not.

    Raises
    ------
    SettingsError
        With the file or option named, and what was perhaps meant.
    """
    run = [catalogue[name] for name in chosen]
    tables: dict[str, dict[str, CrawlValue]] = {}
    if config is not None:
        for table, values in _config(config).items():
            with _naming(f"config file {config}"):
                checked = _checked(table, values, run, catalogue)
            tables[table] = _beside(checked, config.parent) if table in _COMMANDS else checked
    given = [(text, *assignment(text)) for text in assignments]
    for text, table, key, value in sorted(given, key=lambda each: each[1] != STRATEGY):
        with _naming(told_assignment(text)):
            checked = _checked(table, {key: value}, run, catalogue)
            for target in _targets(table, key, run, catalogue, command):
                tables.setdefault(target, {}).update(checked)
    return Settings(tables)


def option_values(given: Mapping[str, Given]) -> dict[str, CrawlValue]:
    """What the options of ``scenthound crawl`` set, by key of ``[crawl]``; None is not given.

    Raises
    ------
    SettingsError
        With the option named.
    """
    found: dict[str, CrawlValue] = {}
    for key, text in given.items():
        if text is not None:
            option = f"--{key.replace('_', '-')}"
            hidden = key in SECRETS or isinstance(text, list)  # whose errors say what is wrong
            origin = option if hidden else f"{option} {text}"
            with _naming(origin, option, key):
                found[key] = crawl_value(key, _read(key, text), option)
    return found


def _read(key: str, text: str | bool | list[str]) -> Value | list[str]:
    """The value in the text of an option; one that takes a text takes any."""
    if not isinstance(text, str) or CRAWL_KEYS[key] is str:
        return text
    parsed = value_in(text.strip())
    return text if isinstance(parsed, list) else parsed


@contextmanager
def _naming(origin: str, option: str | None = None, key: str = "") -> Iterator[None]:
    """Every error says which file or option it is about; one that begins with it does.

    An error that begins with the key of an option begins with the option instead.
    """
    try:
        yield
    except (SettingsError, UnknownNameError) as error:
        told = str(error)
        if option is not None and told.startswith(f"{key} "):
            told = option + told.removeprefix(key)
        named = option is not None and told.startswith(option)
        raise SettingsError(told if named else f"{origin}: {told}") from None


def _targets(
    table: str, key: str, run: Sequence[Recipe], catalogue: Registry[Recipe], command: str
) -> list[str]:
    """The tables a ``--set`` goes to; it is an error if nothing in the run would heed it."""
    if table in _COMMANDS and table != command:
        raise SettingsError(f"this is no {table}, so it would not be heeded; drop the option.")
    if table == STRATEGY:
        heeding = [recipe.name for recipe in run if key in recipe.parameters]
        if not heeding:
            raise SettingsError(f"no strategy of this run has the key {key!r}; drop the option.")
        return heeding
    if table in catalogue and table not in [recipe.name for recipe in run]:
        raise SettingsError(
            f"strategy {table!r} is not in this run; add --strategy {table} or drop the option."
        )
    return [table]


def _checked(
    table: str, values: Mapping[str, Value], run: Sequence[Recipe], catalogue: Registry[Recipe]
) -> dict[str, CrawlValue]:
    """The values of a table, as its part takes them."""
    if table == CRAWL:
        return check_crawl(values)
    if table == REPLAY:
        check_replay(values)
    elif table == STRATEGY:
        _check_shared(values, run, catalogue)
    elif table in catalogue:
        catalogue[table].check(values)
    else:
        raise UnknownNameError("table", table, [*_COMMANDS, STRATEGY, *catalogue])
    return dict(values)


def _check_shared(
    values: Mapping[str, Value], run: Sequence[Recipe], catalogue: Registry[Recipe]
) -> None:
    for key, value in values.items():
        heeding = [recipe for recipe in run if key in recipe.parameters]
        for recipe in heeding:
            recipe.check({key: value})
        if not heeding:  # then all are looked at, and those of other packages are loaded
            known = {key for recipe in catalogue.usable() for key in recipe.parameters}
            if key not in known:
                raise UnknownNameError("strategy key", key, known)


def _config(path: Path) -> dict[str, dict[str, Value]]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SettingsError(f"config file {path}: {error.strerror}; give its path.") from None
    except (ValueError, RecursionError) as error:  # TOML, UTF-8, huge numbers, deep nesting
        raise SettingsError(f"config file {path} is not valid TOML: {error}.") from None
    for table, values in content.items():
        if not isinstance(values, dict):
            raise SettingsError(f"config file {path}: {table!r} must be a table, as [{table}].")
    return content


def _beside(values: Table, folder: Path) -> dict[str, CrawlValue]:
    """Paths in a settings file are relative to that file."""
    named = {key: str(values[key]).strip() for key in PATHS if key in values}
    paths = {key: path for key, path in named.items() if (key, path.lower()) != (CACHE, NO_CACHE)}
    return {**values, **{key: str(folder / path) for key, path in paths.items()}}
