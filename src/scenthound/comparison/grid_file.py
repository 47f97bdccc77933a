"""The grid file: a TOML file that says what is compared, for ``--grid`` and in every comparison.

Paths in it are relative to the file::

    strategies = ["breadth-first", "vsm-mean", "shark decay=0.3"]
    seeds = ["given", "irrelevant"]
    draws = 3
    budget = "2x"

    [[web]]
    archive = "schools.warc.gz"
    topics = ["topics/*.toml"]
    labels = "labels.tsv"
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Mapping
from pathlib import Path

from scenthound.comparison.grid import Grid
from scenthound.comparison.grid_keys import GRID_KEYS, WEB, WEB_KEYS, check_values
from scenthound.core.errors import SettingsError, UnknownNameError
from scenthound.experiments.equipping import CACHE, NO_CACHE
from scenthound.store.atomic import write_bytes

_PATHS = ("archive", "topics", "labels", "wordnet", "cache")


def read_grid_file(path: Path) -> dict[str, object]:
    """The values in a grid file by key, with paths as this process finds them.

    SettingsError names the file and what is wrong with it. What the paths lead to is seen later.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SettingsError(f"grid file {path}: {error.strerror}; give its path.") from None
    except (ValueError, RecursionError) as error:  # TOML, UTF-8, huge numbers, deep nesting
        raise SettingsError(f"grid file {path} is not valid TOML: {error}.") from None
    try:
        return _checked(content, path.parent)
    except (SettingsError, UnknownNameError) as error:
        raise SettingsError(f"grid file {path}: {error}") from None


def write_grid_file(path: Path, grid: Grid) -> None:
    """The grid as a file that :func:`read_grid_file` reads back, replaced in one step.

    Topics are named by their files; one without a file is left out, so give it one first.
    """
    import tomlkit

    document = tomlkit.document()
    document.add(tomlkit.comment(f"What was compared. The same again: {_again(path)}"))
    for key, value in grid.to_json().items():
        if key != WEB:
            document.add(key, tomlkit.item(value))
    tables = tomlkit.aot()
    for web in grid.webs:
        tables.append(tomlkit.item(web.to_json()))
    document.add(WEB, tables)
    write_bytes(path, tomlkit.dumps(document).encode())


def _again(path: Path) -> str:
    """The command that compares the same in another folder."""
    full = str(path.resolve())
    named = full if full.isprintable() else path.name
    return shlex.join(["scenthound", "compare", f"--grid={named}", "--out=ANOTHER-FOLDER"])


def _checked(content: Mapping[str, object], folder: Path) -> dict[str, object]:
    check_values("the grid", content, GRID_KEYS)
    webs = content.get(WEB, [])
    listed = [_web(table, folder) for table in (webs if isinstance(webs, list) else [webs])]
    found = _beside(content, folder)
    return {**found, WEB: listed} if listed else found


def _web(table: object, folder: Path) -> dict[str, object]:
    if not isinstance(table, Mapping):
        raise SettingsError("web must be a list of tables; write [[web]] above its keys.")
    check_values("[[web]]", table, WEB_KEYS)
    return _beside(table, folder)


def _beside(values: Mapping[str, object], folder: Path) -> dict[str, object]:
    """Paths in a grid file are relative to that file."""
    return {
        key: _placed(key, value, folder) if key in _PATHS else value
        for key, value in values.items()
    }


def _placed(key: str, value: object, folder: Path) -> object:
    if isinstance(value, list):
        return [_placed(key, each, folder) for each in value]
    if key == CACHE and str(value).strip().lower() == NO_CACHE:
        return value
    return str(folder / str(value).strip())
