from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from comparison.grid_web import (
    Listener,
    figures,
    pages,
    small_grid,
    small_web,
    workers_of,
    write_web,
)
from engines.web_building import page
from scenthound import replay
from scenthound.comparison.contenders import contender
from scenthound.comparison.grid import Grid
from scenthound.comparison.model import Cell
from scenthound.comparison.outcome_json import outcome_to_json
from scenthound.comparison.results_file import read_comparison
from scenthound.comparison.rules import Rules
from scenthound.comparison.run_file import read_run, run_name
from scenthound.comparison.running import compare_grid, run_grid
from scenthound.core.errors import FolderError, InputError, SettingsError
from scenthound.experiments.equipping import CacheChoice
from scenthound.sample import SampleWeb, write_warc
from scenthound.store.lock import FolderLock

NO_CACHE = CacheChoice("none")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_web(tmp_path_factory.mktemp("web"))


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


def test_what_was_drawn_is_in_the_record(folder: Path, tmp_path: Path) -> None:
    grid = small_grid(folder, "breadth-first", seeds=("irrelevant",), draws=2)
    run_grid(grid, tmp_path, workers=1)
    records = {
        cell: read_run(tmp_path / "runs" / f"{run_name(cell)}.json") for cell in grid.cells()
    }
    given = small_web(folder).topic("storms")
    first = records[Cell("small", "storms", "breadth-first", "irrelevant", 0)].drawn
    second = records[Cell("small", "storms", "breadth-first", "irrelevant", 1)].drawn
    assert first.examples == given.examples and len(second.examples) == 2
    assert not any("/storms/" in url for url in (*first.seeds, *second.seeds))
    assert first.seeds != second.seeds and len(first.seeds) == len(second.seeds) == 2


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
        ({"rules": Rules(count_missing=True)}, "count_missing was False and is now True"),
        ({"rules": Rules(keywords_only=True)}, "keywords_only was False and is now True"),
        ({"seeds": ("irrelevant",)}, "leaves out .seeds 'given'."),
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
    assert any("cannot be read" in each and "done again" in each for each in listener.warnings)


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


def test_a_missing_extra_is_told_first(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scenthound.comparison.every_strategy.find_spec", lambda name: None)
    with pytest.raises(SettingsError, match=r"'bsvsm': it needs torch; install it with: pip"):
        run_grid(small_grid(folder, "bsvsm"), tmp_path / "out")


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


def test_figures_so_far_are_written_now_and_then(folder: Path, tmp_path: Path) -> None:
    def one_run_takes_ten_seconds() -> float:
        return 10.0 * len(list((tmp_path / "runs").glob("*.json")))

    assert figures_seen(folder, tmp_path, one_run_takes_ten_seconds) == [1, 2, 3, 4]


def test_figures_that_take_long_to_write_are_written_less_often(
    folder: Path, tmp_path: Path
) -> None:
    ticks = iter(range(0, 10_000, 10))
    assert figures_seen(folder, tmp_path, lambda: next(ticks)) == [1, 1, 1, 1]


def figures_seen(folder: Path, out: Path, clock: Callable[[], float]) -> list[int]:
    """How many runs the figures on disk had when each run had ended."""
    seen = []

    class Reader(Listener):
        def ended(self, outcome: object) -> None:
            seen.append(len(read_comparison(out).outcomes))

    compare_grid(small_grid(folder), out, workers=1, watch=Reader(), clock=clock)
    return seen


def test_a_run_is_the_replay_that_it_stands_for(folder: Path, finished: Path) -> None:
    web = small_web(folder)
    for outcome in read_comparison(finished).outcomes:
        plain = replay(
            web.archive, web.topic(outcome.cell.topic), outcome.cell.strategy, labels=web.labels
        )
        assert plain.to_json()["final"] == outcome_to_json(outcome)["final"]


def test_the_usual_budget_is_the_same_by_name(folder: Path, finished: Path) -> None:
    listener = Listener()
    run_grid(small_grid(folder, rules=Rules(budget="2x")), finished, watch=listener)
    assert listener.plans == [(4, 4)]


def test_contenders_of_one_strategy_are_runs_of_their_own(folder: Path, tmp_path: Path) -> None:
    web = small_web(folder)
    chosen = tuple(map(contender, ("shark decay=0.1", "shark decay=0.9")))
    outcomes = run_grid(Grid((web,), chosen), tmp_path, workers=1)
    assert [each.parameters["decay"] for each in outcomes if each.parameters] == [0.1, 0.9] * 2
