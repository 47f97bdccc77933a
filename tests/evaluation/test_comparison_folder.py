"""Crawl folders that runs leave: of finished runs, and never of an earlier attempt."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.grid_web import Listener, run_grid, small_grid
from scenthound.core.errors import FolderError
from scenthound.evaluation.comparison_folder import crawl_path, is_complete
from scenthound.evaluation.grid import Grid
from scenthound.evaluation.outcomes import Cell
from scenthound.evaluation.results import read_comparison
from scenthound.storage.journal import read_journal
from strategies.plugin_installing import TIRING, install

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


def cell_of(grid: Grid, strategy: str) -> Cell:
    return next(cell for cell in grid.cells() if cell.strategy == strategy)


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


def test_a_run_whose_process_died_has_fetched_what_it_told(
    folder: Path, tmp_path: Path, tired: Path
) -> None:
    """Pages are told four times a second."""
    slow = TIRING.replace("self.seen += 1", "self.seen += 1; time.sleep(0.3 * (self.seen == 4))")
    dying = slow.replace('raise ValueError("enough\\nof it")', "os._exit(7)")
    tired.with_name("tiring.py").write_text(f"import os\nimport time\n{dying}")
    (failed,) = run_grid(one_topic(folder, "tiring"), tmp_path / "out", workers=1)
    assert failed.error.startswith("WorkerDied: ") and failed.fetched == 4


@pytest.mark.parametrize("keep", [True, False])
def test_what_an_earlier_attempt_left_is_gone_when_it_is_done_again(
    folder: Path, tmp_path: Path, tired: Path, keep: bool
) -> None:
    grid, out = one_topic(folder, GOOD, "tiring"), tmp_path / "out"
    run_grid(grid, out, workers=1)
    tired.unlink()
    again = replace(grid, keep_crawls=keep)
    good, done = run_grid(again, out, workers=1)
    crawls = out / "crawls"
    assert not done.error and done.fetched > 4
    assert crawl_path(crawls, done.cell).path.exists() is keep
    assert not keep or pages_in(crawls, done.cell) == done.fetched
    assert is_complete(crawls, good.cell), "a finished run keeps its own"
    assert read_comparison(out).grid["keep_crawls"] is keep


def test_a_crawl_that_was_broken_off_is_not_taken_for_that_of_a_finished_run(
    folder: Path, tmp_path: Path
) -> None:
    grid, out = one_topic(folder, GOOD, "vsm-mean"), tmp_path / "out"
    first = run_grid(grid, out, workers=1)
    crawls, cell = out / "crawls", cell_of(grid, GOOD)
    crawl_path(crawls, cell).results_path.unlink()
    listener = Listener()
    assert run_grid(replace(grid, keep_crawls=False), out, watch=listener) == first
    assert not crawl_path(crawls, cell).path.exists() and listener.warnings == []
    told = "1 finished run has left no crawl folder, and crawls are to be kept: it is done again"
    run_grid(grid, out, workers=1, watch=listener)
    assert listener.warnings == [told] and [each.cell for each in listener.ends] == [cell]
    assert all(is_complete(crawls, each.cell) for each in first)


def test_what_cannot_be_removed_is_told(folder: Path, tmp_path: Path) -> None:
    grid, out = one_topic(folder, GOOD), tmp_path / "out"
    run_grid(replace(grid, keep_crawls=False), out, workers=1)
    shutil.rmtree(out / "runs")
    (tmp_path / "mine").mkdir()
    (out / "crawls").mkdir()
    crawl_path(out / "crawls", cell_of(grid, GOOD)).path.symlink_to(tmp_path / "mine")
    with pytest.raises(FolderError, match="is of an earlier attempt and cannot be removed"):
        run_grid(grid, out, workers=1)
    assert (tmp_path / "mine").is_dir()
