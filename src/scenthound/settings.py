"""One TOML file, and ``--set TABLE.KEY=VALUE``, mapped to the parts.

A settings file has a table for the replay, one for every chosen strategy at once, and one
for each strategy by name::

    [replay]
    budget = "2x"
    seed = 7

    [strategy]          # for each strategy of the run that has the key
    decay = 0.4

    [shark]             # for one of them
    anchor_weight = 0.9
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.registry import Registry
from scenthound.strategies.ingredients import Parameters, Recipe, Value

REPLAY_KEYS: Mapping[str, type | tuple[type, ...]] = {
    "budget": (int, str),
    "seed": int,
    "count_missing": bool,
    "threshold": (int, float),
}
REPLAY, STRATEGY = "replay", "strategy"


@dataclass(frozen=True)
class Settings:
    """Values by table and key, checked against what exists."""

    tables: Mapping[str, Parameters] = field(default_factory=dict)

    def replay(self, key: str) -> Value | None:
        """A key of the ``[replay]`` table; None where it is not set."""
        return self.tables.get(REPLAY, {}).get(key)

    def for_strategy(self, recipe: Recipe) -> dict[str, Value]:
        """The parameters set for a strategy: its own table wins over ``[strategy]``."""
        merged = {**self.tables.get(STRATEGY, {}), **self.tables.get(recipe.name, {})}
        return recipe.check(merged)


def read_settings(
    config: Path | None, assignments: Sequence[str], chosen: Iterable[str],
    catalogue: Registry[Recipe],
) -> Settings:  # fmt: skip
    """The settings file, with the ``--set`` options laid over it.

    Raises
    ------
    SettingsError, UnknownNameError
        With the file or option named, and what was perhaps meant.
    """
    tables: dict[str, dict[str, Value]] = {}
    if config is not None:
        _merge(tables, _config(config), f"config file {config}", catalogue)
    names = set(chosen)
    for assignment in assignments:
        table, key, value = _assignment(assignment)
        if table in catalogue and table not in names:
            raise SettingsError(
                f"--set {assignment}: strategy {table!r} is not in this run; "
                f"add --strategy {table} or drop the option."
            )
        _merge(tables, {table: {key: value}}, f"--set {assignment}", catalogue)
    return Settings(tables)


def _merge(
    tables: dict[str, dict[str, Value]],
    more: Mapping[str, Mapping[str, Value]],
    origin: str,
    catalogue: Registry[Recipe],
) -> None:
    for table, values in more.items():
        try:
            _check(table, values, catalogue)
        except (SettingsError, UnknownNameError) as error:
            raise SettingsError(f"{origin}: {error}") from None
        tables.setdefault(table, {}).update(values)


def _check(table: str, values: Mapping[str, Value], catalogue: Registry[Recipe]) -> None:
    if table == REPLAY:
        _check_replay(values)
    elif table == STRATEGY:
        known = {key for recipe in catalogue.values() for key in recipe.parameters}
        for key in values:
            if key not in known:
                raise UnknownNameError("strategy key", key, known)
    elif table in catalogue:
        catalogue[table].check(values)
    else:
        raise UnknownNameError("table", table, [REPLAY, STRATEGY, *catalogue])


def _check_replay(values: Mapping[str, Value]) -> None:
    for key, value in values.items():
        if key not in REPLAY_KEYS:
            raise UnknownNameError("key of [replay]:", key, REPLAY_KEYS)
        wanted = REPLAY_KEYS[key]
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            raise SettingsError(f"replay.{key} cannot be {value!r}; see the documentation.")


def _config(path: Path) -> dict[str, dict[str, Value]]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"config file {path}: {error.strerror}; give its path.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"config file {path} is not valid TOML: {error}.") from None
    for table, values in content.items():
        if not isinstance(values, dict):
            raise SettingsError(f"config file {path}: {table!r} must be a table, as [{table}].")
    return content


def _assignment(text: str) -> tuple[str, str, Value]:
    name, equals, value = text.partition("=")
    table, dot, key = name.strip().rpartition(".")
    if not (equals and dot and table and key):
        raise SettingsError(f"--set {text}: write it as STRATEGY.KEY=VALUE, e.g. shark.decay=0.4.")
    return table, key, _value(value.strip())


def _value(text: str) -> Value:
    """As TOML would read it; anything else is a text."""
    try:
        parsed = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
    return parsed if isinstance(parsed, bool | int | float | str) else text
