"""Grids, their files, and the seeds and example pages that are drawn for their runs."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from crawler.web_building import at
from evaluation.grid_web import changed, path_of, small_grid, small_web
from scenthound.core.command_options import CompareOptions
from scenthound.core.errors import InputError, SettingsError
from scenthound.core.model import Document, Topic, TopicProfile
from scenthound.evaluation import grid_file
from scenthound.evaluation.comparison_folder import GRID
from scenthound.evaluation.grid import (
    Grid,
    Web,
    contender,
    is_deterministic,
    missing_extra,
    named_contenders,
    web_name,
)
from scenthound.evaluation.outcomes import Cell
from scenthound.evaluation.run_process import PAPER_SEED_COUNT, ArchivePages, draw_topic
from scenthound.storage.archive import open_archive
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.spec import StrategyContext
from scenthound.text.analyzer import Analyzer


def test_every_combination_of_webs_and_strategies_is_a_run_of_its_own(folder: Path) -> None:
    grid = small_grid(folder, seeds=("given", "irrelevant"), draws=3)
    cells = list(grid.cells())
    assert len(cells) == len(set(cells)) == 2 * 2 * 2 * 3
    assert cells[:3] == [
        Cell("small", "coffee", "breadth-first", "given", 0, 0),
        Cell("small", "coffee", "vsm-mean", "given", 0, 0),
        Cell("small", "coffee", "breadth-first", "given", 1, 0),
    ]
    grid = small_grid(folder, "vsm-mean", "random", random_seeds=3)
    assert grid.steady == ("vsm-mean",)  # one random seed will do
    counted = [cell.strategy for cell in grid.cells() if cell.topic == "storms"]
    assert counted.count("vsm-mean") == 1 and counted.count("random") == 3
    assert changed(grid, random_seeds=1).steady == ()
    web = small_web(folder)
    with pytest.raises(InputError, match="given twice; give each one once or a name of its own"):
        Grid((web, web), (contender("vsm"),))
    assert len(list(Grid((web, replace(web, name="b")), (contender("vsm"),)).cells())) == 4
    rules = small_grid(folder, "vsm", inlinks="last")
    assert rules.spec(contender("vsm").spec).combination.value == "last"
    plain = contender("breadth-first").spec
    assert rules.spec(plain) is plain


def test_a_grid_that_cannot_be_run(folder: Path) -> None:
    assert small_grid(folder, "vsm", "shark").baseline == "vsm"
    cases: list[tuple[dict[str, object], str]] = [
        ({"webs": ()}, "nothing to crawl"),
        ({"contenders": ()}, "nothing to compare"),
        ({"seeds": ()}, "no seeds"),
        ({"seeds": ("given", "given")}, "given twice"),
        ({"seeds": ("relevnt",)}, "did you mean 'relevant'"),
        ({"draws": 0}, "draws is 1 or more"),
        ({"random_seeds": -1}, "random_seeds is 1 or more"),
        ({"baseline": "shrk"}, "unknown baseline"),
        ({"measure": "harvest"}, "unknown measure"),
        ({"contenders": (contender("vsm"), contender("vsm"))}, "'vsm' is given twice"),
    ]
    for change, reported in cases:
        with pytest.raises(InputError, match=reported):
            grid = small_grid(folder, "vsm")
            for key, value in change.items():
                if key in CompareOptions.model_fields and key != "baseline":
                    grid = changed(grid, **{key: value})
                else:
                    grid = replace(grid, **{key: value})  # type: ignore[arg-type]
    bare = replace(small_web(folder), labels=None, labels_file=None)
    for options, reported in (
        (CompareOptions(draws=2), "draws are drawn by them; give --labels"),
        (CompareOptions(seeds=("relevant",)), "relevant seeds are drawn by them"),
        (CompareOptions(budget="2x"), "give labels"),
    ):
        with pytest.raises(InputError, match=reported):
            Grid((bare,), (contender("vsm"),), options=options)
    with pytest.raises(InputError, match="needs labelled pages"):
        Grid((bare,), (contender("oracle"),))
    for keywords in ((), (" ",)):
        grid = small_grid(folder, "vsm")
        (web,) = grid.webs
        silent = replace(web.topics[0], keywords=keywords)
        for labels in (web.labels, None):
            webs = (replace(web, topics=(silent,), labels=labels),)
            assert replace(grid, webs=webs).options == grid.options
            with pytest.raises(
                SettingsError, match=r"coffee.*has no keywords, .* give it keywords"
            ):
                changed(replace(grid, webs=webs), keywords_only=True)


def test_labels_of_strategies_read_back_and_all_is_every_one_that_can_be_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    two_words = "mcoa optimiser='two words' structure=true"
    for text, label in [
        ("vsm", "vsm"),
        ("  shark   decay=.25 ", "shark decay=0.25"),
        ("olmoaco xi=2.0", "olmoaco xi=2"),
        (two_words, two_words),
    ]:
        found = contender(text)
        assert found.label == label
        assert contender(label) == found
    for text, reported in [
        ("shark 'decay", "is no strategy"),
        ("shrak", "did you mean 'shark'"),
        ("shark decay", "is no KEY=VALUE"),
        ("shark dcay=0.3", "did you mean 'decay'"),
        ("shark decay=[1]", "takes a value like"),
    ]:
        with pytest.raises(InputError, match=reported):
            contender(text)
    chosen, left_out = named_contenders(["shark decay=0.3", "all"], labelled=True)
    labels = [each.label for each in chosen]
    assert labels[0] == "shark decay=0.3" and "shark" not in labels
    assert set(CATALOGUE) - {"shark"} <= set(labels[1:]) and left_out == []
    monkeypatch.setattr(
        "scenthound.evaluation.grid.find_spec", lambda name: None if name == "torch" else name
    )
    chosen, left_out = named_contenders(["all"], labelled=False)
    names = {each.name for each in chosen}
    assert {"oracle", "bsvsm"}.isdisjoint(names) and "olmoaco" in names
    assert "oracle is left out: it needs labels" in left_out
    assert any("install it with: pip install 'scenthound[neural]'" in each for each in left_out)
    assert missing_extra(CATALOGUE["vsm"]) == ""


class Untouchable(random.Random):
    """A generator that must not be asked."""

    def random(self) -> NoReturn:
        raise AssertionError("something is left to chance")

    def getrandbits(self, k: int) -> NoReturn:
        self.random()


def test_a_steady_strategy_never_asks_its_generator() -> None:
    pages = (Document(text="storm wind rain"), Document(text="storm flood surge"))
    profile = TopicProfile("storms", ("storm",), pages)
    given = StrategyContext(profile, Analyzer("en", None, ()), Untouchable())
    steady = [name for name, spec in CATALOGUE.items() if is_deterministic(spec)]
    for name in steady:
        CATALOGUE[name].build(given, {})
        assert CATALOGUE[name].is_greedy  # whose choice asks nothing either
    assert {"breadth-first", "vsm", "shark", "soft-svsm", "fish", "oracle"} <= set(steady)
    assert {"random", "annealing", "moaco", "mcoa", "word2vec", "sdvsm"}.isdisjoint(steady)
    with pytest.raises(AssertionError, match="left to chance"):
        CATALOGUE["soft-sdvsm"].build(given, {})


# The grid file.

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
    return grid_file.make_grid(grid_file.read_grid_file(path))


def test_paths_are_relative_to_the_file_and_a_written_one_reads_back_from_anywhere(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "grid.toml").write_text(TEXT)
    monkeypatch.chdir(tmp_path)
    grid = read(Path(os.path.relpath(folder / "grid.toml")))
    (web,), set_ = grid.webs, grid.options
    assert web.name == "small" and [topic.name for topic in web.topics] == ["coffee", "storms"]
    assert [each.label for each in grid.contenders] == ["vsm", "breadth-first", "shark decay=0.3"]
    assert grid.baseline == "vsm" and (set_.draws, set_.random_seeds, set_.measure) == (2, 3, "hr")
    assert set_.count_missing and set_.threshold == 0.5 and set_.budget == "2x"
    assert set_.keywords_only and set_.keep_crawls
    assert grid.cache.path is None and grid.cache.limit == 1_000_000_000
    grid_file.write_grid_file(tmp_path / GRID, grid)
    again = read(tmp_path / GRID)
    assert list(again.cells()) == list(grid.cells())
    assert again.to_json() == grid.to_json() and again.rules == grid.rules
    assert again.cache.path == grid.cache.path
    (tmp_path / "page.txt").write_text("storm and wind")
    given = Topic('a "b"', ("storm",), ("http://w.test/",), (str(tmp_path / "page.txt"),),
                  ontology="o.owl")  # fmt: skip
    new = Web("new", grid.webs[0].archive, (given,))
    made = grid_file.with_topic_files(Grid((new,), grid.contenders), tmp_path / "topics")
    grid_file.write_grid_file(tmp_path / "made.toml", made)
    (written,) = read(tmp_path / "made.toml").webs[0].topics
    assert replace(written, file=None) == replace(given, ontology=str(Path("o.owl").resolve()))


def test_a_mistake_is_reported_with_the_file(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "g.toml"
    with pytest.raises(SettingsError, match="give the path of a TOML file"):
        grid_file.read_grid_file(path)
    for text, reported in (
        ("strategys = []", "did you mean 'strategies'"),
        ("draws = true", "draws takes a whole number, not True"),
        ("strategies = [1]", "strategies takes a list such as"),
        ("threshold = 'high'", "threshold takes a number"),
        ("keywords_only = 'yes'", "keywords_only takes true or false"),
        ("web = ['a']", "a list of tables"),
        ("[[web]]\ntopics = 3", "topics takes a list of topic files"),
        ("draws = ", "is not valid TOML"),
    ):
        path.write_text(text)
        with pytest.raises(SettingsError, match=reported) as raised:
            read(path)
        assert str(path) in str(raised.value)
    for archive, name in (("a/web.WARC.gz", "web"), ("x.y.wacz", "x.y"), ("/", "web")):
        assert web_name(Path(archive)) == name
    for web, reported in (
        ("topics = ['topics/*.toml']", "has no archive"),
        ("archive = 'small.warc.gz'", "has no topics"),
        ("archive = 'small.warc.gz'\ntopics = ['nothing/*.toml']", "no topic file is called"),
    ):
        (folder / "bad.toml").write_text(f"strategies = ['vsm']\n[[web]]\n{web}\n")
        with pytest.raises(InputError, match=reported):
            read(folder / "bad.toml")


def urls(kind: str, count: int) -> list[str]:
    return [f"http://{kind}.test/{number}" for number in range(count)]


class Pages(ArchivePages):
    """So many pages of either kind; addresses in ``unfit`` cannot be drawn."""

    def __init__(self, labelled: int, others: int, unfit: Sequence[str] = ()) -> None:
        self._good, self._bad = urls("good", labelled), urls("bad", others)
        self._unfit = set(unfit)

    def labelled(self) -> list[str]:
        return self._good

    @property
    def others(self) -> list[str]:
        return self._bad

    def page(self, url: str) -> str | None:
        return None if url in self._unfit else url

    start = page


TOPIC = Topic("storms", ("storm",), tuple(urls("seed", 3)), tuple(urls("example", 4)))
MANY = Pages(50, 50)


def test_the_first_draw_keeps_what_is_given_and_later_ones_draw_as_many() -> None:
    assert draw_topic(TOPIC, MANY, "given", 0) == TOPIC
    for seeds, kind in (("relevant", "good"), ("irrelevant", "bad")):
        drawn = draw_topic(TOPIC, MANY, seeds, 0)
        assert drawn.examples == TOPIC.examples and len(set(drawn.seeds)) == 3
        assert all(url.startswith(f"http://{kind}.test/") for url in drawn.seeds)
    drawn = draw_topic(Topic("storms", ("storm",)), MANY, "irrelevant", 1)
    assert len(drawn.seeds) == PAPER_SEED_COUNT and drawn.examples == ()
    for seeds in ("given", "relevant", "irrelevant"):
        with pytest.raises(SettingsError, match="has no page"):
            draw_topic(replace(TOPIC, examples=()), Pages(0, 0), seeds, 1)
    for seeds in ("given", "relevant", "irrelevant"):
        draws = [draw_topic(TOPIC, MANY, seeds, number) for number in (1, 2, 3)]
        for drawn in draws:
            assert len(set(drawn.seeds)) == 3 and len(set(drawn.examples)) == 4
            assert set(drawn.seeds).isdisjoint(drawn.examples)
            assert set(drawn.examples) <= set(urls("good", 50))
            assert (drawn.name, drawn.keywords) == (TOPIC.name, TOPIC.keywords)
        assert len({drawn.seeds for drawn in draws}) == 3
        examples = [draw_topic(TOPIC, MANY, "given", number).examples for number in (1, 2, 3)]
        assert [drawn.examples for drawn in draws] == examples, "they do not depend on the seeds"
        assert len(set(examples)) == 3


def test_a_label_on_a_redirect_is_one_on_its_page_and_seeds_lead_on(
    folder: Path, tmp_path: Path
) -> None:
    web, target = small_web(folder), at(path_of("storms", 3))
    assert web.labels is not None
    with open_archive(folder / "small.warc.gz", cache=tmp_path) as archive:
        pages = ArchivePages(archive, web.topic("storms"), web.labels)
        assert at("/old-storm.html") in pages.labelled() and target not in pages.labelled()
        assert pages.page(at("/old-storm.html")) == target
        assert target not in pages.others and at(path_of("coffee", 3)) in pages.others
        assert pages.start(at(path_of("town", 1))) == at(path_of("town", 1))
        assert pages.start(at("/empty.html")) is None
        assert pages.start(at("/old-storm.html")) is None, "a redirect is no page"
        assert pages.page(at("/nowhere.html")) is None
