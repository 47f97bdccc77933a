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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.core.model import Budget
from scenthound.core.registry import Registry
from scenthound.strategies.ingredients import Parameters, Recipe, Value

REPLAY_KEYS: Mapping[str, type | tuple[type, ...]] = {
    "budget": (int, str),
    "seed": int,
    "count_missing": bool,
    "threshold": (int, float),
    "wordnet": str,
}
_TAKES = {
    "budget": 'a number of pages or a multiple of the labelled pages such as "2x"',
    "seed": "a whole number",
    "count_missing": "true or false",
    "threshold": "a number within 0 and 1",
    "wordnet": "the path of a WordNet folder",
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
        shared = self.tables.get(STRATEGY, {})
        known = recipe.parameters
        fitting = {key: value for key, value in shared.items() if key in known}
        return recipe.check({**fitting, **self.tables.get(recipe.name, {})})


def read_settings(
    config: Path | None, assignments: Sequence[str], chosen: Iterable[str],
    catalogue: Registry[Recipe],
) -> Settings:  # fmt: skip
    """The settings file, with the ``--set`` options laid over it.

    ``--set strategy.KEY=VALUE`` also wins over the file's tables of single strategies, but not
    over a ``--set`` for one of them.

    Raises
    ------
    SettingsError
        With the file or option named, and what was perhaps meant.
    """
    run = [catalogue[name] for name in chosen]
    tables: dict[str, dict[str, Value]] = {}
    if config is not None:
        for table, values in _config(config).items():
            with _naming(f"config file {config}"):
                _check(table, values, run, catalogue)
            tables[table] = _beside(values, config.parent) if table == REPLAY else dict(values)
    given = [(text, *_assignment(text)) for text in assignments]
    for text, table, key, value in sorted(given, key=lambda each: each[1] != STRATEGY):
        with _naming(f"--set {text}"):
            _check(table, {key: value}, run, catalogue)
            for target in _targets(table, key, run, catalogue):
                tables.setdefault(target, {})[key] = value
    return Settings(tables)


@contextmanager
def _naming(origin: str) -> Iterator[None]:
    """Every error says which file or option it is about."""
    try:
        yield
    except (SettingsError, UnknownNameError) as error:
        raise SettingsError(f"{origin}: {error}") from None


def _targets(table: str, key: str, run: Sequence[Recipe], catalogue: Registry[Recipe]) -> list[str]:
    """The tables a ``--set`` goes to; it is an error if nothing in the run would heed it."""
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


def _check(
    table: str, values: Mapping[str, Value], run: Sequence[Recipe], catalogue: Registry[Recipe]
) -> None:
    if table == REPLAY:
        _check_replay(values)
    elif table == STRATEGY:
        _check_shared(values, run, catalogue)
    elif table in catalogue:
        catalogue[table].check(values)
    else:
        raise UnknownNameError("table", table, [REPLAY, STRATEGY, *catalogue])


def _check_shared(
    values: Mapping[str, Value], run: Sequence[Recipe], catalogue: Registry[Recipe]
) -> None:
    known = {key for recipe in catalogue.values() for key in recipe.parameters}
    for key, value in values.items():
        if key not in known:
            raise UnknownNameError("strategy key", key, known)
        for recipe in run:
            if key in recipe.parameters:
                recipe.check({key: value})


def _check_replay(values: Mapping[str, Value]) -> None:
    for key, value in values.items():
        if key not in REPLAY_KEYS:
            raise UnknownNameError("key of [replay]:", key, REPLAY_KEYS)
        if not _fits(key, value):
            raise SettingsError(f"replay.{key} takes {_TAKES[key]}, not {value!r}.")


def _fits(key: str, value: Value) -> bool:
    wanted = REPLAY_KEYS[key]
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
        return False
    if key == "budget":
        Budget.parse(str(value), labelled=1)
    if key == "wordnet":
        return bool(str(value).strip())
    return key != "threshold" or 0.0 <= float(value) <= 1.0


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


def _beside(values: Mapping[str, Value], folder: Path) -> dict[str, Value]:
    """Paths in a settings file are relative to that file."""
    found = dict(values)
    if "wordnet" in found:
        found["wordnet"] = str(folder / str(found["wordnet"]).strip())
    return found


def _assignment(text: str) -> tuple[str, str, Value]:
    name, equals, value = text.partition("=")
    table, dot, key = name.strip().rpartition(".")
    if not (equals and dot and table and key):
        raise SettingsError(f"--set {text}: write it as STRATEGY.KEY=VALUE, e.g. shark.decay=0.4.")
    return table, key, _value(value.strip())


def _value(text: str) -> Value:
    """As TOML would read it, and ``.3`` as well; anything else is a text."""
    try:
        parsed = tomllib.loads(f"value = {'0' if text.startswith('.') else ''}{text}")["value"]
    except (ValueError, RecursionError):
        return text
    return parsed if isinstance(parsed, bool | int | float | str) else text
