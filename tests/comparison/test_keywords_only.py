"""Runs that know nothing of a topic but its keywords."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from comparison.grid_web import figures, small_grid, small_web, write_web
from scenthound import replay
from scenthound.comparison.grid import Grid
from scenthound.comparison.outcome_json import outcome_to_json
from scenthound.comparison.provenance import difference, made_with
from scenthound.comparison.rules import Rules
from scenthound.comparison.run_file import RunRecord, read_run, run_name
from scenthound.comparison.running import run_grid
from scenthound.core.errors import SettingsError
from scenthound.core.model import Topic
from scenthound.topics.keywords_only import without_examples

WORDS = Rules(keywords_only=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_web(tmp_path_factory.mktemp("web"))


def records(out: Path, grid: Grid) -> list[RunRecord]:
    return [read_run(out / "runs" / f"{run_name(cell)}.json") for cell in grid.cells()]


def test_seeds_and_draws_stay_and_no_example_page_is_known(folder: Path, tmp_path: Path) -> None:
    usual = small_grid(folder, "vsm", seeds=("given", "irrelevant"), draws=2)
    words = replace(usual, rules=WORDS)
    run_grid(usual, tmp_path / "usual", workers=1)
    assert not any(each.error for each in run_grid(words, tmp_path / "words", workers=1))
    before, now = records(tmp_path / "usual", usual), records(tmp_path / "words", words)
    assert [each.drawn.seeds for each in now] == [each.drawn.seeds for each in before]
    assert all(each.drawn.examples for each in before)
    assert not any(each.drawn.examples for each in now)


def test_a_run_is_the_replay_of_the_topic_without_examples(folder: Path, tmp_path: Path) -> None:
    web = small_web(folder)
    for outcome in run_grid(small_grid(folder, "vsm", rules=WORDS), tmp_path, workers=1):
        bare = replace(web.topic(outcome.cell.topic), examples=())
        plain = replay(web.archive, bare, "vsm", labels=web.labels)
        assert plain.to_json()["final"] == outcome_to_json(outcome)["final"]


def test_topics_without_examples_have_the_same_figures_anyway(folder: Path, tmp_path: Path) -> None:
    grid = small_grid(folder, "vsm")
    (web,) = grid.webs
    bare = replace(web, topics=tuple(map(without_examples, web.topics)))
    grid = replace(grid, webs=(bare,))
    usual = run_grid(grid, tmp_path / "usual", workers=1)
    words = run_grid(replace(grid, rules=WORDS), tmp_path / "words", workers=1)
    assert figures(usual) == figures(words)


@pytest.mark.parametrize("keywords", [(), (" ",)])
def test_a_topic_without_keywords_is_refused(folder: Path, keywords: tuple[str, ...]) -> None:
    grid = small_grid(folder, "vsm")
    (web,) = grid.webs
    silent = replace(web.topics[0], keywords=keywords)
    for labels in (web.labels, None):
        webs = (replace(web, topics=(silent,), labels=labels),)
        assert replace(grid, webs=webs).rules == Rules()
        with pytest.raises(SettingsError, match=r"coffee.*has no keywords, .* give it keywords"):
            replace(grid, webs=webs, rules=WORDS)


def test_an_example_file_that_no_run_reads_may_change(folder: Path, tmp_path: Path) -> None:
    page, ontology = tmp_path / "page.html", tmp_path / "storms.owl"
    page.write_text("storm")
    grid = small_grid(folder, "breadth-first", rules=WORDS)
    (web,) = grid.webs
    topic = replace(web.topics[0], examples=(str(page),), ontology=str(ontology))
    before = made_with(grid, web, topic, "an archive")
    page.write_text("rain")
    assert difference(before, made_with(grid, web, topic, "an archive")) is None
    ontology.write_text("new")
    told = difference(before, made_with(grid, web, topic, "an archive"))
    assert told == f"the file {ontology} has changed"


def test_all_but_the_examples_is_kept() -> None:
    topic = Topic("t", ("storm",), ("http://a.test/",), ("a page",), ("*x*",), "de", "o.owl", "f")
    bare = without_examples(topic)
    assert bare.examples == () and replace(bare, examples=topic.examples) == topic
    assert bare.file == "f" and without_examples(bare) == bare
