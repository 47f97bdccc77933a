""""""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scenthound.core.errors import InputError, SettingsError
from scenthound.core.model import Topic
from scenthound.evaluation.comparison_folder import GRID
from scenthound.evaluation.grid import Grid, Web, web_name
from scenthound.evaluation.grid_file import (
    make_grid,
    read_grid_file,
    with_topic_files,
    write_grid_file,
)

TEXT = """
strategies = ["breadth-first", "shark decay=0.3"]
baseline = "vsm"
seeds = ["given", "irrelevant"]
draws = 2
random_seeds = 3
budget = "2x"
threshold = 0.5
count_missing = true
keywords_only = true
cache = "none"
cache_limit = "1GB"
measure = "hr"
keep_crawls = true

[[web]]
archive = "small.warc.gz"
topics = ["topics/*.toml"]
labels = "labels.tsv"
"""


def read(path: Path) -> Grid:
    return make_grid(read_grid_file(path), lambda _: None)


def test_paths_are_relative_to_the_file(folder: Path, tmp_path: Path) -> None:
    (folder / "grid.toml").write_text(TEXT)
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        grid = read(Path(os.path.relpath(folder / "grid.toml")))
    finally:
        os.chdir(before)
    (web,) = grid.webs
    assert web.name == "small" and [topic.name for topic in web.topics] == ["coffee", "storms"]
    assert [each.label for each in grid.contenders] == ["vsm", "breadth-first", "shark decay=0.3"]
    assert (grid.baseline, grid.draws, grid.random_seeds, grid.measure) == ("vsm", 2, 3, "hr")
    assert grid.rules.count_missing and grid.rules.threshold == 0.5 and grid.rules.budget == "2x"
    assert grid.rules.keywords_only
    assert grid.cache.path is None and grid.cache.limit == 1_000_000_000 and grid.keep_crawls


def test_what_is_written_reads_back_from_anywhere(folder: Path, tmp_path: Path) -> None:
    (folder / "grid.toml").write_text(TEXT)
    grid = read(folder / "grid.toml")
    write_grid_file(tmp_path / GRID, grid)
    again = read(tmp_path / GRID)
    assert list(again.cells()) == list(grid.cells())
    assert again.to_json() == grid.to_json() and again.rules == grid.rules
    assert again.cache.path == grid.cache.path


def test_a_topic_without_a_file_gets_one(folder: Path, tmp_path: Path) -> None:
    (folder / "grid.toml").write_text(TEXT)
    grid = read(folder / "grid.toml")
    (tmp_path / "page.txt").write_text("storm and wind")
    given = Topic('a "b"', ("storm",), ("http://w.test/",), (str(tmp_path / "page.txt"),),
                  ontology="o.owl")  # fmt: skip
    web = Web("new", grid.webs[0].archive, (given,))
    made = with_topic_files(Grid((web,), grid.contenders), tmp_path / "topics")
    write_grid_file(tmp_path / "made.toml", made)
    (again,) = read(tmp_path / "made.toml").webs[0].topics
    assert (again.name, again.keywords, again.seeds) == (given.name, given.keywords, given.seeds)
    assert again.examples == given.examples and again.ontology == str(Path("o.owl").resolve())


def test_a_mistake_is_told_with_the_file(tmp_path: Path) -> None:
    cases: list[tuple[str, str]] = [
        ("strategys = []", "did you mean 'strategies'"),
        ("draws = true", "draws takes a whole number, not True"),
        ("strategies = [1]", "strategies takes a list such as"),
        ("threshold = 'high'", "threshold takes a number"),
        ("keywords_only = 'yes'", "keywords_only takes true or false"),
        ("web = ['a']", "a list of tables"),
        ("[[web]]\ntopics = 3", "topics takes a list of topic files"),
        ("draws = ", "is not valid TOML"),
    ]
    for text, told in cases:
        path = tmp_path / "g.toml"
        path.write_text(text)
        with pytest.raises(SettingsError, match=told) as raised:
            read(path)
        assert str(path) in str(raised.value)


def test_a_web_that_is_not_whole(folder: Path) -> None:
    cases: list[tuple[str, str]] = [
        ("topics = ['topics/*.toml']", "has no archive"),
        ("archive = 'small.warc.gz'", "has no topics"),
        ("archive = 'small.warc.gz'\ntopics = ['nothing/*.toml']", "no topic file is called"),
    ]
    for web, told in cases:
        (folder / "bad.toml").write_text(f"strategies = ['vsm']\n[[web]]\n{web}\n")
        with pytest.raises(InputError, match=told):
            read(folder / "bad.toml")


def test_a_missing_file_and_an_empty_grid(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="give its path"):
        read_grid_file(tmp_path / "none.toml")
    (tmp_path / "empty.toml").write_text("")
    with pytest.raises(SettingsError, match="nothing to crawl"):
        read(tmp_path / "empty.toml")


def test_a_web_is_called_as_its_archive() -> None:
    cases: list[tuple[str, str]] = [
        ("a/web.WARC.gz", "web"),
        ("site", "site"),
        ("x.y.wacz", "x.y"),
        ("/", "web"),
    ]
    for path, name in cases:
        assert web_name(Path(path)) == name
