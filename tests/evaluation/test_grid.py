"""Grids, their contenders and rules: which runs they have, and which cannot be run."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from crawler.web_building import page
from evaluation.grid_web import (
    Listener,
    figures,
    pages,
    run_grid,
    small_grid,
    small_web,
    workers_of,
    write_web,
)
from scenthound import replay
from scenthound.core.errors import FolderError, InputError, SettingsError
from scenthound.core.model import Document, TopicProfile
from scenthound.crawler.run_caches import CacheChoice
from scenthound.evaluation.comparison_folder import RunRecord, read_run, run_name
from scenthound.evaluation.contenders import (
    contender,
    is_deterministic,
    missing_extra,
    named_contenders,
)
from scenthound.evaluation.grid import Grid, Rules
from scenthound.evaluation.outcomes import Cell, outcome_to_json
from scenthound.evaluation.results import read_comparison
from scenthound.sample.web import SampleWeb, write_warc
from scenthound.storage.folder import FolderLock
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.spec import StrategyContext
from scenthound.text.analyzer import Analyzer


def test_every_combination_is_a_run_of_its_own(folder: Path) -> None:
    grid = small_grid(folder, seeds=("given", "irrelevant"), draws=3)
    cells = list(grid.cells())
    assert len(cells) == len(set(cells)) == 2 * 2 * 2 * 3
    assert cells[:3] == [
        Cell("small", "coffee", "breadth-first", "given", 0, 0),
        Cell("small", "coffee", "vsm-mean", "given", 0, 0),
        Cell("small", "coffee", "breadth-first", "given", 1, 0),
    ]


def test_one_random_seed_does_for_strategies_that_leave_nothing_to_chance(folder: Path) -> None:
    grid = small_grid(folder, "vsm-mean", "random", random_seeds=3)
    assert grid.steady == ("vsm-mean",)
    counted = [cell.strategy for cell in grid.cells() if cell.topic == "storms"]
    assert counted.count("vsm-mean") == 1 and counted.count("random") == 3
    assert replace(grid, random_seeds=1).steady == ()


def test_the_first_strategy_is_the_baseline_unless_another_is(folder: Path) -> None:
    assert small_grid(folder, "vsm", "shark").baseline == "vsm"
    assert small_grid(folder, "vsm", "shark", baseline="shark").baseline == "shark"


def test_a_grid_that_cannot_be_run(folder: Path) -> None:
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
    for change, told in cases:
        with pytest.raises(InputError, match=told):
            replace(small_grid(folder, "vsm"), **change)  # type: ignore[arg-type]


def test_two_webs_need_two_names(folder: Path) -> None:
    web = small_web(folder)
    with pytest.raises(InputError, match="given twice; give each one once or a name of its own"):
        Grid((web, web), (contender("vsm"),))
    assert len(list(Grid((web, replace(web, name="b")), (contender("vsm"),)).cells())) == 4


def test_what_needs_labels_says_so(folder: Path) -> None:
    cases: list[tuple[dict[str, object], str]] = [
        ({"draws": 2}, "draws are drawn by them; give --labels"),
        ({"seeds": ("relevant",)}, "relevant seeds are drawn by them"),
        ({"rules": Rules(budget="2x")}, "give --labels"),
    ]
    for more, told in cases:
        bare = replace(small_web(folder), labels=None, labels_file=None)
        with pytest.raises(InputError, match=told):
            Grid((bare,), (contender("vsm"),), **more)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="needs labelled pages"):
            Grid((bare,), (contender("oracle"),))


def test_rules_that_cannot_be() -> None:
    for rules in (
        {"threshold": 1.5},
        {"judge": "nobody"},
        {"budget": "2y"},
        {"inlinks": "median"},
    ):
        with pytest.raises(InputError):
            Rules(**rules)


def test_inlinks_are_for_the_strategies_that_heed_them() -> None:
    rules = Rules(inlinks="last")
    assert rules.spec(contender("vsm").spec).combination.value == "last"
    plain = contender("breadth-first").spec
    assert rules.spec(plain) is plain


WORDS = Rules(keywords_only=True)


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


def test_a_topic_without_keywords_is_refused(folder: Path) -> None:
    for keywords in (
        (),
        (" ",),
    ):
        grid = small_grid(folder, "vsm")
        (web,) = grid.webs
        silent = replace(web.topics[0], keywords=keywords)
        for labels in (web.labels, None):
            webs = (replace(web, topics=(silent,), labels=labels),)
            assert replace(grid, webs=webs).rules == Rules()
            with pytest.raises(
                SettingsError, match=r"coffee.*has no keywords, .* give it keywords"
            ):
                replace(grid, webs=webs, rules=WORDS)


def test_a_label_says_what_was_set_and_reads_back() -> None:
    cases: list[tuple[str, str]] = [
        ("vsm", "vsm"),
        ("  shark   decay=.25 ", "shark decay=0.25"),
        ("olmoaco xi=2.0", "olmoaco xi=2"),
        ("mcoa optimiser='two words' structure=true", "mcoa optimiser='two words' structure=true"),
    ]
    for text, label in cases:
        found = contender(text)
        assert found.label == label
        assert contender(label) == found


def test_what_is_no_contender() -> None:
    cases: list[tuple[str, str]] = [
        ("shark 'decay", "is no strategy"),
        ("shrak", "did you mean 'shark'"),
        ("shark decay", "is no KEY=VALUE"),
        ("shark dcay=0.3", "did you mean 'decay'"),
        ("shark decay=[1]", "takes a value like"),
    ]
    for text, told in cases:
        with pytest.raises(InputError, match=told):
            contender(text)


def test_all_is_every_strategy_that_has_not_been_named() -> None:
    found, left_out = named_contenders(["shark decay=0.3", "all"], labelled=True)
    labels = [each.label for each in found]
    assert labels[0] == "shark decay=0.3" and "shark" not in labels
    assert set(CATALOGUE) - {"shark"} <= set(labels[1:]) and left_out == []


def test_all_leaves_out_what_cannot_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "scenthound.evaluation.contenders.find_spec",
        lambda name: None if name == "torch" else name,
    )
    found, left_out = named_contenders(["all"], labelled=False)
    names = {each.name for each in found}
    assert {"oracle", "bsvsm"}.isdisjoint(names) and "olmoaco" in names
    assert "oracle is left out: it needs labels" in left_out
    assert any("install it with: pip install 'scenthound[neural]'" in each for each in left_out)
    assert missing_extra(CATALOGUE["vsm"]) == ""


class Untouchable(random.Random):
    """A generator that nobody may ask."""

    def random(self) -> NoReturn:
        raise AssertionError("something is left to chance")

    def getrandbits(self, k: int) -> NoReturn:
        raise AssertionError("something is left to chance")


def built(name: str) -> None:
    pages = (Document(text="storm wind rain"), Document(text="storm flood surge"))
    briefing = TopicProfile("storms", ("storm",), pages)
    CATALOGUE[name].build(StrategyContext(briefing, Analyzer("en", None, ()), Untouchable()), {})


STEADY = [name for name, spec in CATALOGUE.items() if is_deterministic(spec)]


def test_a_steady_strategy_never_asks_its_generator() -> None:
    for name in STEADY:
        built(name)
        assert CATALOGUE[name].is_greedy  # whose choice asks nothing either


def test_which_strategies_are_steady() -> None:
    assert {"breadth-first", "vsm", "shark", "soft-svsm", "fish", "oracle"} <= set(STEADY)
    assert {"random", "annealing", "moaco", "mcoa", "word2vec", "sdvsm"}.isdisjoint(STEADY)
    with pytest.raises(AssertionError, match="left to chance"):
        built("soft-sdvsm")


NO_CACHE = CacheChoice("none")


@pytest.fixture(scope="module")
def _kept(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("kept") / "out"
    run_grid(small_grid(folder), out, workers=1)
    return out


@pytest.fixture
def finished(_kept: Path, tmp_path: Path) -> Path:
    """A comparison that is finished: ``small_grid`` with its default strategies."""
    return Path(shutil.copytree(_kept, tmp_path / "finished"))


def test_two_workers_give_the_figures_of_one_and_all_is_written(
    folder: Path, tmp_path: Path
) -> None:
    grid = small_grid(
        folder, "breadth-first", "vsm-mean", "random", seeds=("given", "irrelevant"), draws=2,
        random_seeds=2,
    )  # fmt: skip
    listener = Listener()
    two = run_grid(grid, tmp_path / "two", workers=2, watch=listener)
    one = run_grid(replace(grid, cache=NO_CACHE), tmp_path / "one", workers=1)
    assert figures(two) == figures(one)
    assert [each.cell for each in two] == list(grid.cells())
    assert not any(each.error for each in two)
    assert all(each.final is not None and each.budget == 16 for each in two)
    assert listener.plans == [(len(two), 0)] and len(listener.ends) == len(two)
    assert set(listener.begins) == set(grid.cells()) and listener.deaths == []
    kept = read_comparison(tmp_path / "two")
    assert kept.finished and list(kept.outcomes) == two and kept.baseline == "breadth-first"
    assert len(list((tmp_path / "two" / "runs").iterdir())) == len(two)


def test_finished_runs_are_not_done_again_and_a_grid_may_grow(folder: Path, finished: Path) -> None:
    first = read_comparison(finished).outcomes
    written = {path: path.stat().st_mtime_ns for path in (finished / "runs").iterdir()}
    listener = Listener()
    larger = small_grid(folder, "breadth-first", "vsm-mean", "shark", draws=2, baseline="shark")
    second = run_grid(larger, finished, workers=1, watch=listener)
    assert listener.plans == [(12, 4)] and len(listener.ends) == 8
    assert all(each in second for each in first)
    assert {path: path.stat().st_mtime_ns for path in written} == written
    again = Listener()
    assert run_grid(larger, finished, watch=again) == second
    assert again.plans == [(12, 12)] and again.begins == []


@pytest.mark.parametrize(
    "change, told",
    [
        (
            {"strategies": ("breadth-first",)},
            "leaves out .strategy 'vsm-mean'.; a grid may only "
            "grow, so name them all: scenthound compare --out=.*/finished --strategy=vsm-mean "
            "--strategy=breadth-first; or",
        ),
        ({"rules": Rules(budget="5")}, "budget was '2x' and is now '5'"),
    ],
)
def test_another_grid_in_the_same_folder_is_refused(
    folder: Path, finished: Path, change: dict[str, object], told: str
) -> None:
    files = [finished / "comparison.json", finished / "grid.toml"]
    before = [file.read_bytes() for file in files]
    names = change.pop("strategies", ("breadth-first", "vsm-mean"))
    assert isinstance(names, tuple)
    with pytest.raises(FolderError, match=told):
        run_grid(small_grid(folder, *names, **change), finished)
    assert before == [file.read_bytes() for file in files]


def test_runs_of_another_archive_topic_or_version_are_refused(tmp_path: Path) -> None:
    folder, out = write_web(tmp_path / "web"), tmp_path / "out"
    run_grid(small_grid(folder, "breadth-first"), out, workers=1)
    grid = small_grid(folder, "breadth-first")
    changed = replace(grid.webs[0].topics[0], keywords=("other",))
    others = (changed, *grid.webs[0].topics[1:])
    with pytest.raises(FolderError, match="the topic file has changed"):
        run_grid(replace(grid, webs=(replace(grid.webs[0], topics=others),)), out)
    (folder / "labels.tsv").write_text("http://w.test/storms/1.html\tstorms\n"
                                       "http://w.test/coffee/1.html\tcoffee\n")  # fmt: skip
    with pytest.raises(FolderError, match="the labels have changed"):
        run_grid(small_grid(folder, "breadth-first"), out)
    (folder / "small.warc.gz").unlink()
    more = [*pages(), page("/more.html")]
    write_warc(SampleWeb(0, {r.url: r for r in more}, (), {}), folder / "small.warc.gz")
    with pytest.raises(FolderError, match="the content of the archive has changed"):
        run_grid(grid, out)
    for path in (out / "runs").iterdir():
        record = json.loads(path.read_text())
        record["made_with"]["scenthound"] = "0.0.1"
        path.write_text(json.dumps(record))
    with pytest.raises(FolderError, match=r"the version of Scenthound was '0\.0\.1'"):
        run_grid(grid, out)


def test_a_run_that_fails_is_told_and_tried_again(folder: Path, tmp_path: Path) -> None:
    web = small_web(folder)
    broken = replace(web.topics[0], ontology=str(tmp_path / "none.owl"))
    grid = small_grid(folder, "breadth-first", "best-first-ontology")
    grid = replace(grid, webs=(replace(web, topics=(broken,)),))
    listener = Listener()
    well, failed = run_grid(grid, tmp_path / "out", workers=2, watch=listener)
    assert not well.error and well.final is not None
    assert failed.error.startswith("OntologyError: ") and "none.owl" in failed.error
    assert failed.final is None and failed.checkpoints == ()
    assert read_comparison(tmp_path / "out").finished
    again = Listener()
    run_grid(grid, tmp_path / "out", watch=again)
    assert again.plans == [(2, 1)] and [each.cell for each in again.ends] == [failed.cell]


class Killer(Listener):
    """Kills the worker as soon as a strategy begins, so many times."""

    def __init__(self, strategy: str, times: int) -> None:
        super().__init__()
        self._strategy, self._left = strategy, times

    def begun(self, cell: Cell, budget: int) -> None:
        super().begun(cell, budget)
        if cell.strategy == self._strategy and self._left:
            self._left -= 1
            for worker in workers_of(os.getpid()):
                os.kill(worker, signal.SIGKILL)


SLOW = "soft-sdvsm"
"""Takes long enough to be killed in the middle."""


def test_a_run_whose_worker_dies_is_tried_once_more(folder: Path, tmp_path: Path) -> None:
    killer = Killer(SLOW, 1)
    grid = small_grid(folder, "breadth-first", SLOW)
    outcomes = run_grid(grid, tmp_path, workers=1, watch=killer)
    assert not any(each.error for each in outcomes) and len(outcomes) == 4
    assert killer.deaths == ["killed by SIGKILL, perhaps for lack of memory"]


def test_a_run_that_kills_its_worker_twice_has_failed(folder: Path, tmp_path: Path) -> None:
    killer = Killer(SLOW, 2)
    outcomes = run_grid(
        small_grid(folder, "breadth-first", SLOW), tmp_path, workers=1, watch=killer
    )
    errors = [each.error for each in outcomes if each.error]
    assert len(errors) == 1 and len(outcomes) == 4
    assert errors[0].startswith("WorkerDied: its process died 2 times, the last time killed by")


class Interrupter(Listener):
    """Ctrl-C after the first run."""

    def ended(self, outcome: object) -> None:
        raise KeyboardInterrupt


def test_what_is_finished_is_kept_when_it_is_interrupted(folder: Path, tmp_path: Path) -> None:
    grid = small_grid(folder, "breadth-first", SLOW)
    with pytest.raises(KeyboardInterrupt):
        run_grid(grid, tmp_path, workers=2, watch=Interrupter())
    assert workers_of(os.getpid()) == []
    kept = read_comparison(tmp_path)
    assert not kept.finished and len(kept.outcomes) == 1
    listener = Listener()
    assert len(run_grid(grid, tmp_path, watch=listener)) == 4
    assert listener.plans == [(4, 1)] and read_comparison(tmp_path).created == kept.created


def test_crawl_folders_are_kept_if_asked_and_made_up_for(folder: Path, finished: Path) -> None:
    assert not (finished / "crawls").exists()
    grid, listener = small_grid(folder, keep_crawls=True), Listener()
    leftover = finished / "crawls" / run_name(next(grid.cells()))
    leftover.mkdir(parents=True)
    (leftover / "journal.jsonl").write_text("of an attempt that was killed")
    (finished / "runs" / f"{leftover.name}.json").unlink()
    outcomes = run_grid(grid, finished, workers=1, watch=listener)
    assert listener.plans == [(4, 0)], "a run without its crawl folder is done again"
    assert listener.warnings == [
        "3 finished runs have left no crawl folder, and crawls are to be kept: they are done again"
    ]
    assert not any(each.error for each in outcomes)
    for cell in grid.cells():
        crawl = finished / "crawls" / run_name(cell)
        assert (crawl / "journal.jsonl").is_file() and (crawl / "results.json").is_file()


def test_a_damaged_record_is_told_and_its_run_done_again(folder: Path, finished: Path) -> None:
    first = read_comparison(finished).outcomes
    (finished / "runs" / f"{run_name(first[0].cell)}.json").write_text("{")
    listener = Listener()
    second = run_grid(small_grid(folder), finished, workers=1, watch=listener)
    assert figures(first) == figures(second) and listener.plans == [(4, 3)]
    assert any("That run is done again." in each for each in listener.warnings), listener.warnings


def test_what_is_wrong_is_found_before_the_first_run(folder: Path, tmp_path: Path) -> None:
    grid = small_grid(folder, "breadth-first")
    web = grid.webs[0]
    lost = replace(web.topics[0], seeds=("http://elsewhere.test/",))
    cases: list[tuple[Grid, str]] = [
        (replace(grid, webs=(replace(web, archive=folder / "none.warc.gz"),)), "none.warc.gz"),
        (replace(grid, webs=(replace(web, topics=(lost,)),)), "none of its 1 seeds"),
        (replace(grid, cache=CacheChoice(str(folder / "labels.tsv"))), "is no folder"),
        (replace(grid, rules=Rules(wordnet=str(folder))), "WordNet|noun"),
        (small_grid(folder, "shark decay=7"), "strategy 'shark': decay"),
        (small_grid(folder, "olmoaco ants=-1"), "strategy 'olmoaco': ants"),
    ]
    for wrong, told in cases:
        with pytest.raises(InputError, match=told):
            run_grid(wrong, tmp_path / "out")
        assert not (tmp_path / "out").exists()
    drawn = replace(grid, webs=(replace(web, topics=(lost,)),), seeds=("relevant",))
    assert not any(each.error for each in run_grid(drawn, tmp_path / "out", workers=1))


def test_folders_that_are_not_for_a_comparison(folder: Path, tmp_path: Path) -> None:
    grid = small_grid(folder, "breadth-first")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    (tmp_path / "file").write_text("")
    for out, told in (("mine", "holds other files"), ("file", "cannot be used")):
        with pytest.raises(FolderError, match=told):
            run_grid(grid, tmp_path / out)
    (tmp_path / "out").mkdir()
    told = f"another comparison works in .*process {os.getpid()}.; wait for it"
    with FolderLock(tmp_path / "out"), pytest.raises(FolderError, match=told):
        run_grid(grid, tmp_path / "out")
    with pytest.raises(SettingsError, match="0 workers"):
        run_grid(grid, tmp_path / "out", workers=0)


def test_a_run_is_the_replay_that_it_stands_for(folder: Path, finished: Path) -> None:
    web = small_web(folder)
    for outcome in read_comparison(finished).outcomes:
        plain = replay(
            web.archive, web.topic(outcome.cell.topic), outcome.cell.strategy, labels=web.labels
        )
        assert plain.to_json()["final"] == outcome_to_json(outcome)["final"]
