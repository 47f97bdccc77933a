"""The grid file (TOML) of ``--grid`` and of every comparison: read, made into a grid, written."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from scenthound.core.errors import FolderError, SettingsError, UnknownNameError
from scenthound.core.model import Topic
from scenthound.crawler.run_caches import CACHE, NO_CACHE, CacheChoice
from scenthound.evaluation.contenders import Contender, contender, named_contenders
from scenthound.evaluation.grid import (
    RULES,
    WEB,
    WEB_KEYS,
    Grid,
    Rules,
    Web,
    check_values,
    grid_options,
    read_web,
)
from scenthound.similarity.topic_file import topic_text, with_absolute_paths
from scenthound.storage.files import write_bytes
from scenthound.storage.folder import folder_name

Values = Mapping[str, object]
"""By the keys of a grid file; the paths in them are those of this process."""


def make_grid(values: Values, warn: Callable[[str], None]) -> Grid:
    """The grid that the values describe, with its files read.

    Parameters
    ----------
    values : by key; what is not given is as by default.
    warn : gets what is left out, in words.

    Raises
    ------
    InputError
        Of the kind that fits: a key or a name that there is not, a value of the wrong type, a
        file that cannot be read, an empty grid.
    """
    options = grid_options(values)
    webs = tuple(_make_web(_checked_web(table)) for table in _list(values, WEB))
    labelled = all(web.labels is not None for web in webs)
    found, left_out = named_contenders(options.strategies, labelled)
    for sentence in left_out:
        warn(sentence)
    found, baseline = _with_baseline(found, options.baseline)
    return Grid(
        webs=webs,
        contenders=tuple(found),
        baseline=baseline,
        seeds=options.seeds,
        draws=options.draws,
        random_seeds=options.random_seeds,
        rules=Rules(**{key: getattr(options, key) for key in RULES}),
        cache=CacheChoice().changed(options.cache, options.cache_limit),
        measure=options.measure or "",
        keep_crawls=options.keep_crawls,
    )


def _with_baseline(found: list[Contender], given: str | None) -> tuple[list[Contender], str]:
    """The contenders and the label of the baseline; one that is not among them joins in."""
    if given is None:
        return found, ""
    baseline = contender(given)
    if baseline.label in [each.label for each in found]:
        return found, baseline.label
    return [baseline, *found], baseline.label


def _make_web(table: Mapping[str, object]) -> Web:
    if "archive" not in table:
        raise SettingsError('a web has no archive; add a line such as archive = "a.warc.gz".')
    topics: Sequence[Topic | str] = _list(table, "topics")  # type: ignore[assignment]
    labels = None if table.get("labels") is None else Path(str(table["labels"]))
    return read_web(Path(str(table["archive"])), topics, labels, str(table.get("name", "")))


def _list(values: Values, key: str) -> list[object]:
    """A list, or one value as a list of one."""
    found = values.get(key, ())
    return list(found) if isinstance(found, list | tuple) else [found]


# The grid file: a TOML file that says what is compared, for ``--grid`` and in every comparison.
#
# Paths in it are relative to the file::
#
#     strategies = ["breadth-first", "vsm-mean", "shark decay=0.3"]
#     seeds = ["given", "irrelevant"]
#     draws = 3
#     budget = "2x"
#
#     [[web]]
#     archive = "schools.warc.gz"
#     topics = ["topics/*.toml"]
#     labels = "labels.tsv"


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
    document.add(tomlkit.comment(f"What was compared. The same again: {_repeat_command(path)}"))
    for key, value in grid.to_json().items():
        if key != WEB:
            document.add(key, tomlkit.item(value))
    tables = tomlkit.aot()
    for web in grid.webs:
        tables.append(tomlkit.item(web.to_json()))
    document.add(WEB, tables)
    write_bytes(path, tomlkit.dumps(document).encode())


def _repeat_command(path: Path) -> str:
    """The command that compares the same in another folder."""
    full = str(path.resolve())
    named = full if full.isprintable() else path.name
    return shlex.join(["scenthound", "compare", f"--grid={named}", "--out=ANOTHER-FOLDER"])


def _checked(content: Mapping[str, object], folder: Path) -> dict[str, object]:
    grid_options(content)
    found = _with_paths_resolved(content, folder)
    if webs := _list(content, WEB):
        found[WEB] = [_with_paths_resolved(_checked_web(table), folder) for table in webs]
    return found


def _checked_web(table: object) -> Mapping[str, object]:
    if not isinstance(table, Mapping):
        raise SettingsError("web must be a list of tables; write [[web]] above its keys.")
    check_values("[[web]]", table, WEB_KEYS)
    return table


def _with_paths_resolved(values: Mapping[str, object], folder: Path) -> dict[str, object]:
    """Paths in a grid file are relative to that file."""
    return {
        key: _resolve_path(key, value, folder) if key in _PATHS else value
        for key, value in values.items()
    }


def _resolve_path(key: str, value: object, folder: Path) -> object:
    if isinstance(value, list):
        return [_resolve_path(key, each, folder) for each in value]
    if key == CACHE and str(value).strip().lower() == NO_CACHE:
        return value
    return str(folder / str(value).strip())


# Topics without a file get one, so that a comparison can be repeated.


def with_topic_files(grid: Grid, folder: Path) -> Grid:
    """The grid, with a file for every topic; those that have none are written to ``folder``.

    FolderError where that cannot be.
    """
    webs = []
    for web in grid.webs:
        place = folder / folder_name(web.name)
        topics = tuple(
            topic
            if topic.file  # the number keeps apart topics whose names give one file name
            else _write_topic(topic, place / f"{number:02}-{folder_name(topic.name)}.toml")
            for number, topic in enumerate(web.topics, start=1)
        )
        webs.append(replace(web, topics=topics))
    return replace(grid, webs=tuple(webs))


def _write_topic(topic: Topic, path: Path) -> Topic:
    topic = with_absolute_paths(topic)  # names in a topic file are relative to that file
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, topic_text(topic).encode())
    except OSError as error:
        raise FolderError(f"{path} cannot be written: {error.strerror or error}.") from None
    return replace(topic, file=str(path))
