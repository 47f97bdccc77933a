"""The grid file of a comparison (TOML): read into the values of a grid, and written from one.

Paths in a grid file are relative to the file::

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
from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Annotated, Any

from scenthound.core.command_options import CompareOptions
from scenthound.core.errors import FolderError, SettingsError, UnknownNameError, warn_caller
from scenthound.core.model import Topic
from scenthound.core.options import REJECTED, Options, Takes, read_path
from scenthound.crawler.caches import CACHE, NO_CACHE
from scenthound.evaluation.grid import WEB, Grid, Web, contender, named_contenders, read_web
from scenthound.similarity.topic_file import read_toml, topic_text, with_absolute_paths
from scenthound.storage.files import os_errors_as, write_bytes
from scenthound.storage.folder import folder_name

Values = Mapping[str, object]
"""By the keys of a grid file; the paths in them are those of this process."""


# Values by key, from a grid file or from options, and the grid they describe.


def _topics(value: object) -> object:
    values = value if isinstance(value, list | tuple) else (value,)
    known = all(isinstance(each, Topic | PathLike | str) and str(each).strip() for each in values)
    return tuple(t if isinstance(t, Topic) else str(t) for t in values) if known else REJECTED


class WebOptions(Options):
    """The keys of ``[[web]]``."""

    name: Annotated[str, Takes("a text", read_path)] = ""
    archive: Annotated[str, Takes("the path of an archive", read_path)] | None = None
    topics: Annotated[
        tuple[Topic | str, ...], Takes('a list of topic files such as ["topics/*.toml"]', _topics)
    ] = ()
    labels: Annotated[str, Takes("the path of a labels file", read_path)] | None = None


def make_grid(values: Values) -> Grid:
    """Build the grid that the values describe, and read its files.

    InputError of the fitting kind: an unknown key or name, a value of the wrong type, a file that
    cannot be read, an empty grid.
    """
    options, tables = _check(values)
    webs = tuple(map(_make_web, tables))
    labelled = all(web.labels is not None for web in webs)
    found, left_out = named_contenders(options.strategies, labelled)
    for sentence in left_out:
        warn_caller(sentence)
    baseline = None if options.baseline is None else contender(options.baseline)
    if baseline is not None and baseline.label not in [each.label for each in found]:
        found.insert(0, baseline)  # it runs too
    return Grid(webs, tuple(found), "" if baseline is None else baseline.label, options)


def _check(values: Values) -> tuple[CompareOptions, list[WebOptions]]:
    """Check the values of a grid, and those of its webs."""
    tables = values.get(WEB, ())
    if not isinstance(tables, list | tuple) or not all(isinstance(t, Mapping) for t in tables):
        raise SettingsError("web must be a list of tables; write [[web]] above its keys.")
    others: dict[str, Any] = {key: value for key, value in values.items() if key != WEB}
    return CompareOptions(**others), [WebOptions(**table) for table in tables]


def _make_web(web: WebOptions) -> Web:
    if web.archive is None:
        raise SettingsError('a web has no archive; add a line such as archive = "a.warc.gz".')
    labels = None if web.labels is None else Path(web.labels)
    return read_web(Path(web.archive), web.topics, labels, web.name)


# The grid file.


def read_grid_file(path: Path) -> dict[str, object]:
    """Read the values of a grid file, with paths as this process finds them.

    SettingsError names the file and what is wrong with it. The files it names are not opened.
    """
    content = read_toml(path, "grid file")
    try:
        _, webs = _check(content)
    except (SettingsError, UnknownNameError) as error:
        raise SettingsError(f"grid file {path}: {error}") from None
    found = _with_paths_resolved(content, path.parent)
    tables = [web.model_dump(exclude_unset=True) for web in webs]
    return found | ({WEB: [_with_paths_resolved(t, path.parent) for t in tables]} if webs else {})


def _with_paths_resolved(values: Values, folder: Path) -> dict[str, object]:
    """The values with paths relative to ``folder``."""
    found: dict[str, Any] = dict(values)
    for key in ("archive", "labels", "wordnet", CACHE):
        if key in found and (key != CACHE or str(found[key]).strip().lower() != NO_CACHE):
            found[key] = str(folder / str(found[key]).strip())
    if "topics" in found:
        found["topics"] = [str(folder / str(each)) for each in found["topics"]]
    return found


def write_grid_file(path: Path, grid: Grid) -> None:
    """Write the grid as a file that :func:`read_grid_file` reads back, atomically.

    Topics are named by their files; :func:`with_topic_files` gives one to each.
    """
    import tomlkit

    full = str(path.resolve())
    named = full if full.isprintable() else path.name
    again = shlex.join(["scenthound", "compare", f"--grid={named}", "--out=ANOTHER-FOLDER"])
    document = tomlkit.document()
    document.add(tomlkit.comment(f"What was compared. The same again: {again}"))
    for key, value in grid.to_json().items():
        if key != WEB:
            document.add(key, tomlkit.item(value))
    tables = tomlkit.aot()
    for web in grid.webs:
        tables.append(tomlkit.item(web.to_json()))
    document.add(WEB, tables)
    write_bytes(path, tomlkit.dumps(document).encode())


def with_topic_files(grid: Grid, folder: Path) -> Grid:
    """The grid with a file for every topic, so that it can be repeated; new ones go to ``folder``.

    FolderError where they cannot be written.
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
    with os_errors_as(FolderError, f"{path} cannot be written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, topic_text(topic).encode())
    return replace(topic, file=str(path))
