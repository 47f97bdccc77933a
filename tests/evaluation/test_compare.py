"""Comparisons: runs in processes, resuming, kept crawl folders, kills, and which run is next."""

from __future__ import annotations

import json
import os
import shutil
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from crawler.web_building import page
from evaluation.grid_web import (
    Listener,
    LocalPool,
    changed,
    figures,
    pages,
    run_grid,
    small_grid,
    small_web,
    workers_of,
    write_web,
)
from scenthound import ScenthoundWarning, replay
from scenthound.core.errors import FolderError, InputError, SettingsError
from scenthound.crawler import replay as replaying
from scenthound.crawler.control import ControlRequests
from scenthound.evaluation import run_process
from scenthound.evaluation.comparison_folder import crawl_path, is_complete, run_name
from scenthound.evaluation.grid import Grid
from scenthound.evaluation.outcomes import Cell, outcome_to_json
from scenthound.evaluation.results import read_comparison
from scenthound.evaluation.run_process import WorkerContext, WorkOrder
from scenthound.evaluation.worker_pool import Schedule
from scenthound.sample.web import SampleWeb, write_warc
from scenthound.storage.folder import STOP, FolderLock
from scenthound.storage.journal import read_journal
from strategies.plugin_installing import TIRING, install


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
    folder: Path, tmp_path: Path, worker_processes: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid = small_grid(folder, "vsm-mean", "random", seeds=("given", "irrelevant"), random_seeds=2)
    listener = Listener()
    two = run_grid(grid, tmp_path / "two", workers=2, watch=listener)
    monkeypatch.setattr("scenthound.evaluation.compare.WorkerPool", LocalPool)
    one = run_grid(changed(grid, cache="none"), tmp_path / "one", workers=1)
    assert figures(two) == figures(one)
    assert [each.cell for each in two] == list(grid.cells())
    assert not any(each.error for each in two)
    assert all(each.final is not None and each.budget == 16 for each in two)
    assert listener.plans == [(len(two), 0)] and len(listener.ends) == len(two)
    assert set(listener.begins) == set(grid.cells())
    kept = read_comparison(tmp_path / "two")
    assert kept.finished and list(kept.outcomes) == two and kept.baseline == "vsm-mean"
    assert len(list((tmp_path / "two" / "runs").iterdir())) == len(two)


def test_finished_runs_are_not_done_again_and_a_grid_may_grow(folder: Path, finished: Path) -> None:
    first, web = read_comparison(finished).outcomes, small_web(folder)
    for outcome in first:
        topic, strategy = web.topic(outcome.cell.topic), outcome.cell.strategy
        plain = replay(web.archive, topic, strategy, labels=web.labels)
        assert plain.to_json()["final"] == outcome_to_json(outcome)["final"]
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
    (finished / "runs" / f"{run_name(first[0].cell)}.json").write_text("{")
    with pytest.warns(ScenthoundWarning, match="That run is done again"):
        third = run_grid(larger, finished, workers=1, watch=again)
    assert figures(third) == figures(second) and again.plans[1:] == [(12, 11)]


def test_another_grid_in_the_same_folder_is_refused(folder: Path, finished: Path) -> None:
    files = [finished / "comparison.json", finished / "grid.toml"]
    before = [file.read_bytes() for file in files]
    for grid, reported in (
        (small_grid(folder, "breadth-first"), "leaves out: .* 'vsm-mean' .*; a grid may only grow"),
        (small_grid(folder, budget="5"), "budget has changed .'2x', now '5'."),
    ):
        with pytest.raises(FolderError, match=reported):
            run_grid(grid, finished)
    assert before == [file.read_bytes() for file in files]


def test_runs_of_another_archive_topic_or_version_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, out = write_web(tmp_path / "web"), tmp_path / "out"
    grid = small_grid(folder, "breadth-first")
    run_grid(grid, out, workers=1)
    other = replace(grid.webs[0].topics[0], keywords=("other",))
    others = (other, *grid.webs[0].topics[1:])
    with pytest.raises(FolderError, match="the topic file has changed"):
        run_grid(replace(grid, webs=(replace(grid.webs[0], topics=others),)), out)
    with monkeypatch.context() as patched:
        patched.setattr("scenthound.evaluation.comparison_folder.program_digest", lambda: "another")
        with pytest.raises(FolderError, match="since then the source of Scenthound has changed"):
            run_grid(grid, out)
    (folder / "labels.tsv").write_text("http://w.test/storms/1.html\tstorms\n"
                                       "http://w.test/coffee/1.html\tcoffee\n")  # fmt: skip
    with pytest.raises(FolderError, match="labels has changed"):
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
    with pytest.raises(FolderError, match=r"the version of Scenthound has changed .'0\.0\.1', now"):
        run_grid(grid, out)


def test_a_run_that_fails_is_reported_and_tried_again(folder: Path, tmp_path: Path) -> None:
    web = small_web(folder)
    broken = replace(web.topics[0], ontology=str(tmp_path / "none.owl"))
    grid = small_grid(folder, "breadth-first", "best-first-ontology")
    grid = replace(grid, webs=(replace(web, topics=(broken,)),))
    well, failed = run_grid(grid, tmp_path / "out", workers=2)
    assert not well.error and well.final is not None
    assert failed.error.startswith("OntologyError: ") and "none.owl" in failed.error
    assert failed.final is None and failed.checkpoints == ()
    assert read_comparison(tmp_path / "out").finished
    again = Listener()
    run_grid(grid, tmp_path / "out", watch=again)
    assert again.plans == [(2, 1)] and [each.cell for each in again.ends] == [failed.cell]


SLOW = "soft-sdvsm"
"""Takes long enough to be killed in the middle."""


class Interrupter(Listener):
    """Ctrl-C after the first run."""

    def ended(self, outcome: object) -> None:
        raise KeyboardInterrupt


def test_what_is_finished_is_kept_when_it_is_interrupted(
    folder: Path, tmp_path: Path, worker_processes: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid = small_grid(folder, "breadth-first", SLOW)
    with pytest.raises(KeyboardInterrupt):
        run_grid(grid, tmp_path, workers=1, watch=Interrupter())
    assert workers_of(os.getpid()) == []
    kept = read_comparison(tmp_path)
    assert not kept.finished and len(kept.outcomes) == 1
    listener = Listener()
    monkeypatch.setattr("scenthound.evaluation.compare.WorkerPool", LocalPool)
    assert len(run_grid(grid, tmp_path, watch=listener)) == 4
    assert listener.plans == [(4, 1)] and read_comparison(tmp_path).created == kept.created


def test_crawl_folders_are_kept_if_asked_and_made_up_for(folder: Path, finished: Path) -> None:
    grid, listener, crawls = small_grid(folder, keep_crawls=True), Listener(), finished / "crawls"
    assert not crawls.exists()
    leftover = crawls / run_name(next(grid.cells()))
    leftover.mkdir(parents=True)
    (leftover / "journal.jsonl").write_text("of an attempt that was killed")
    (finished / "runs" / f"{leftover.name}.json").unlink()
    with pytest.warns(ScenthoundWarning, match="without a crawl folder are done again: 3"):
        outcomes = run_grid(grid, finished, workers=1, watch=listener)
    assert listener.plans == [(4, 0)], "a run without its crawl folder is done again"
    assert not any(each.error for each in outcomes)
    for cell in grid.cells():
        crawl = crawls / run_name(cell)
        assert (crawl / "journal.jsonl").is_file() and (crawl / "results.json").is_file()
    (leftover / "results.json").unlink()  # a crawl that was broken off is not of a finished run
    assert run_grid(changed(grid, keep_crawls=False), finished) == outcomes
    assert not leftover.exists()
    listener = Listener()
    with pytest.warns(ScenthoundWarning, match="without a crawl folder are done again: 1"):
        run_grid(grid, finished, workers=1, watch=listener)
    assert [run_name(each.cell) for each in listener.ends] == [leftover.name]
    assert all(is_complete(crawls, each.cell) for each in outcomes)


def test_what_is_wrong_is_found_before_the_first_run(folder: Path, tmp_path: Path) -> None:
    grid = small_grid(folder, "breadth-first")
    web = grid.webs[0]
    lost = replace(web.topics[0], seeds=("http://elsewhere.test/",))
    cases: list[tuple[Grid, str]] = [
        (replace(grid, webs=(replace(web, archive=folder / "none.warc.gz"),)), "none.warc.gz"),
        (replace(grid, webs=(replace(web, topics=(lost,)),)), "none of its 1 seeds"),
        (changed(grid, cache=str(folder / "labels.tsv")), "is no folder"),
        (changed(grid, wordnet=str(folder)), "WordNet|noun"),
        (small_grid(folder, "shark decay=7"), "strategy 'shark': decay"),
        (small_grid(folder, "olmoaco ants=-1"), "strategy 'olmoaco': ants"),
    ]
    for wrong, reported in cases:
        with pytest.raises(InputError, match=reported):
            run_grid(wrong, tmp_path / "out")
        assert not (tmp_path / "out").exists()
    drawn = changed(replace(grid, webs=(replace(web, topics=(lost,)),)), seeds=("relevant",))
    assert not any(each.error for each in run_grid(drawn, tmp_path / "out", workers=1))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    (tmp_path / "file").write_text("")
    for name, reported in (("mine", "holds other files"), ("file", "cannot be used")):
        with pytest.raises(FolderError, match=reported):
            run_grid(grid, tmp_path / name)
    (tmp_path / "busy").mkdir()
    reported = f"by process {os.getpid()}"
    with FolderLock(tmp_path / "busy"), pytest.raises(FolderError, match=reported):
        run_grid(grid, tmp_path / "busy")
    with pytest.raises(SettingsError, match="0 workers"):
        run_grid(grid, tmp_path / "busy", workers=0)


def test_seeds_and_draws_stay_and_no_example_page_is_known(folder: Path, tmp_path: Path) -> None:
    usual = small_grid(folder, "vsm", seeds=("given", "irrelevant"), draws=2)
    words = changed(usual, keywords_only=True)
    drawn = []
    for name, grid in (("usual", usual), ("words", words)):
        assert not any(each.error for each in run_grid(grid, tmp_path / name, workers=1))
        files = [tmp_path / name / "runs" / f"{run_name(cell)}.json" for cell in grid.cells()]
        drawn.append([json.loads(file.read_text())["drawn"] for file in files])
    before, now = drawn
    assert [each["seeds"] for each in now] == [each["seeds"] for each in before]
    assert all(each["examples"] for each in before) and not any(each["examples"] for each in now)


# Crawl folders that runs leave: of finished runs, and never of an earlier attempt.

GOOD = "breadth-first"


@pytest.fixture
def tired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The strategy ``tiring`` is installed; while this file is there it fails."""
    packages = tmp_path / "site-packages"
    packages.mkdir()
    monkeypatch.syspath_prepend(packages)
    monkeypatch.delitem(sys.modules, "tiring", raising=False)
    install(packages, "tiring-pack", {"tiring": "tiring:RECIPE"}, {"tiring": TIRING})
    file = packages / "tired"
    file.touch()
    return file


def one_topic(folder: Path, *strategies: str) -> Grid:
    grid = small_grid(folder, *strategies, keep_crawls=True)
    (web,) = grid.webs
    return replace(grid, webs=(replace(web, topics=web.topics[:1]),))


def pages_in(crawls: Path, cell: Cell) -> int:
    events = read_journal(crawl_path(crawls, cell).journal_path)
    return sum(event["event"] == "page" for event in events)


def test_a_run_that_raised_tells_what_it_fetched_and_why_it_ended(
    folder: Path, tmp_path: Path, tired: Path
) -> None:
    grid, out = one_topic(folder, GOOD, "tiring"), tmp_path / "out"
    good, failed = run_grid(grid, out, workers=1)
    assert not good.error and failed.final is None
    assert failed.fetched == pages_in(out / "crawls", failed.cell) == 4
    stored = json.loads((out / "comparison.json").read_text())["runs"][1]
    assert stored["fetched"] == 4 and stored["pages_per_second"] == 0.0
    *_, last = read_journal(crawl_path(out / "crawls", failed.cell).journal_path)
    sentence = "strategy 'tiring' failed in score(): ValueError: enough of it (tiring.py, line 9)"
    assert last["event"] == "stopped"
    assert str(last["reason"]).startswith(f"error: StrategyError: {sentence}")
    assert last["reason"] == f"error: {failed.error}"


DYING = """
def die(file):
    tired = file.with_name("tired")
    tired.write_text(tired.read_text() + "died ")
    if tired.read_text().count("died") == 3:
        tired.unlink()
    os.kill(os.getpid(), 9)
"""


def test_a_run_whose_process_dies_is_tried_once_more_and_then_has_failed(
    folder: Path, tmp_path: Path, tired: Path, worker_processes: None
) -> None:
    """The run of the first topic kills its worker twice, that of the second once."""
    slow = TIRING.replace("self.seen += 1", "self.seen += 1; time.sleep(0.3 * (self.seen == 4))")
    dying = slow.replace(
        'raise ValueError("enough\\nof it")', "die(Path(__file__).parent / 'tired')"
    )
    tired.with_name("tiring.py").write_text(f"import os\nimport time\n{dying}{DYING}")
    with pytest.warns(ScenthoundWarning, match="died, perhaps for lack of memory; it is tried onc"):
        outcomes = run_grid(small_grid(folder, GOOD, "tiring"), tmp_path / "out", workers=1)
    (failed,) = [each for each in outcomes if each.error]
    assert len(outcomes) == 4 and failed.cell == Cell("small", "coffee", "tiring")
    assert failed.error.startswith("WorkerDied: its process died 2 times, perhaps")
    assert failed.fetched == 4, "as it reported: four times a second"


@pytest.mark.parametrize("keep", [True, False])
def test_what_an_earlier_attempt_left_is_gone_when_it_is_done_again(
    folder: Path, tmp_path: Path, tired: Path, keep: bool
) -> None:
    grid, out = one_topic(folder, GOOD, "tiring"), tmp_path / "out"
    run_grid(grid, out, workers=1)
    tired.unlink()
    again = changed(grid, keep_crawls=keep)
    good, done = run_grid(again, out, workers=1)
    crawls = out / "crawls"
    assert not done.error and done.fetched > 4
    assert crawl_path(crawls, done.cell).path.exists() is keep
    assert not keep or pages_in(crawls, done.cell) == done.fetched
    assert is_complete(crawls, good.cell), "a finished run keeps its own"
    assert read_comparison(out).grid["keep_crawls"] is keep


# A kill at any write, leftovers, and a run that is stopped by hand.


class Killed(BaseException):
    """The process is gone: nothing more is written, and nothing is tidied up."""


def kill_at(write: int, out: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """From this write on nothing gets to its place in ``out``; gives the names of all writes."""
    named: list[str] = []
    put = os.replace

    def placed(source: Path, target: Path) -> None:
        if Path(target).is_relative_to(out):
            named.append(Path(target).name)
            if len(named) >= write:
                raise Killed
        put(source, target)

    monkeypatch.setattr("scenthound.storage.files.os.replace", placed)
    monkeypatch.setattr("scenthound.storage.files.os.unlink", lambda path: None)
    return named


@pytest.mark.parametrize(
    "filed, write, name",
    [(True, 2, "grid.toml"), (True, 3, "breadth-first"), (False, 2, "01-coffee.toml")],
)
def test_a_kill_at_any_write_leaves_a_folder_that_can_be_used(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    filed: bool, write: int, name: str,
) -> None:  # fmt: skip
    out, grid = tmp_path / "out", small_grid(folder, GOOD)
    if not filed:
        topics = tuple(replace(topic, file=None) for topic in grid.webs[0].topics)
        grid = replace(grid, webs=(replace(grid.webs[0], topics=topics),))
    with monkeypatch.context() as patched:
        named = kill_at(write, out, patched)
        with pytest.raises(Killed):
            run_grid(grid, out, workers=1)
        assert name in named[write - 1]
    assert any(path.name.startswith(".") for path in out.rglob("*")), "something is left over"
    outcomes = run_grid(grid, out, workers=1)
    assert len(outcomes) == 2 and not any(each.error for each in outcomes)
    assert list(out.rglob(".*")) == [] and not (out / "crawl.lock").exists()
    assert read_comparison(out).finished


def test_only_our_own_leftovers_are_removed(folder: Path, tmp_path: Path) -> None:
    grid, out, left = small_grid(folder, GOOD), tmp_path / "out", "0123456789abcdef"
    run_grid(grid, out, workers=1)
    ours = [
        out / f".comparison.{left}.json", out / f".results.{left}.csv",
        out / f".grid.{left}.toml", out / "runs" / f".storms.{left}.json",
    ]  # fmt: skip
    theirs = [out / ".notes", out / "runs" / ".storms.json"]
    for path in (*ours, *theirs):
        path.write_text("{")
    listener = Listener()
    run_grid(grid, out, watch=listener)
    assert listener.plans == [(2, 2)]
    assert not any(path.exists() for path in ours) and all(path.exists() for path in theirs)
    shutil.rmtree(out / "runs")
    (tmp_path / "mine").mkdir()
    (out / "crawls").mkdir()
    crawl_path(out / "crawls", next(grid.cells())).path.symlink_to(tmp_path / "mine")
    with pytest.raises(FolderError, match="is of an earlier attempt and cannot be removed"):
        run_grid(changed(grid, keep_crawls=True), out, workers=1)
    assert (tmp_path / "mine").is_dir()


def test_a_run_that_is_stopped_by_hand_counts_for_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker's part, in this process: a stop is left as soon as the folder is there."""
    monkeypatch.setattr(replaying, "_POLL_INTERVAL_S", 0.0)
    grid, crawls = small_grid(folder, GOOD), tmp_path / "crawls"
    cell = next(iter(grid.cells()))

    def on_page(event: object) -> None:
        ControlRequests(crawls / run_name(cell)).leave(STOP)

    monkeypatch.setattr(
        run_process, "run_job", lambda archive, job, _: replaying.run_job(archive, job, on_page)
    )
    with ExitStack() as resources:
        context = WorkerContext(WorkOrder(grid, crawls), resources)
        ended = run_process.execute_run(context, cell, lambda _: None)
        assert ended.outcome.error == "stopped by hand after 1 pages"
        assert ended.outcome.final is None and ended.outcome.checkpoints == ()
        assert ended.outcome.fetched == 1


# Which run a worker does next.


def cells(topic: str, count: int) -> list[Cell]:
    return [Cell("web", topic, f"s{number}") for number in range(count)]


def test_a_worker_stays_with_its_topic_and_then_helps_another() -> None:
    schedule = Schedule([*cells("a", 2), *cells("b", 3)])
    assert [schedule.next(1) for _ in range(3)] == cells("b", 3), "the longer one first"
    assert [schedule.next(1) for _ in range(2)] == cells("a", 2)
    assert schedule.next(1) is None
    schedule.again(cells("a", 1)[0])
    assert schedule.next(1) == cells("a", 1)[0]
    schedule = Schedule([*cells("a", 4), *cells("b", 1)])
    assert (schedule.next(1), schedule.next(2)) == (cells("a", 4)[0], cells("b", 1)[0])
    assert [schedule.next(number) for number in (2, 1, 2, 1)] == [*cells("a", 4)[1:], None]
