"""The folder of a comparison: kills at every write, leftovers, and who stops a run by hand."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.grid_web import Listener, run_grid, small_grid
from scenthound.crawler import replay
from scenthound.evaluation import worker
from scenthound.evaluation.comparison_folder import run_name
from scenthound.evaluation.grid import Grid
from scenthound.evaluation.results import read_comparison
from scenthound.evaluation.worker import WorkerContext
from scenthound.evaluation.worker_pool import WorkOrder
from scenthound.storage.folder import STOP, ControlRequests

LEFT = "0123456789abcdef"


def filed(folder: Path) -> Grid:
    return small_grid(folder, "breadth-first")


def unfiled(folder: Path) -> Grid:
    """The same, with topics that come from no file."""
    grid = filed(folder)
    (web,) = grid.webs
    topics = tuple(replace(topic, file=None) for topic in web.topics)
    return replace(grid, webs=(replace(web, topics=topics),))


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
    "made, write, name",
    [
        (filed, 2, "grid.toml"),
        (filed, 3, "breadth-first"),
        (unfiled, 2, "01-coffee.toml"),
    ],
)
def test_a_kill_at_any_write_leaves_a_folder_that_can_be_used(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    made: Callable[[Path], Grid], write: int, name: str,
) -> None:  # fmt: skip
    out = tmp_path / "out"
    with monkeypatch.context() as patched:
        named = kill_at(write, out, patched)
        with pytest.raises(Killed):
            run_grid(made(folder), out, workers=1)
        assert name in named[write - 1]
    assert any(path.name.startswith(".") for path in out.rglob("*")), "something is left over"
    outcomes = run_grid(made(folder), out, workers=1)
    assert len(outcomes) == 2 and not any(each.error for each in outcomes)
    assert list(out.rglob(".*")) == [] and not (out / "crawl.lock").exists()
    assert read_comparison(out).finished


def test_only_our_own_leftovers_are_removed(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_grid(filed(folder), out, workers=1)
    ours = [
        out / f".comparison.{LEFT}.json", out / f".results.{LEFT}.csv",
        out / f".grid.{LEFT}.toml", out / "runs" / f".storms.{LEFT}.json",
    ]  # fmt: skip
    theirs = [out / ".notes", out / "runs" / ".storms.json"]
    for path in (*ours, *theirs):
        path.write_text("{")
    listener = Listener()
    run_grid(filed(folder), out, watch=listener)
    assert listener.plans == [(2, 2)] and listener.warnings == []
    assert not any(path.exists() for path in ours) and all(path.exists() for path in theirs)


def test_a_run_that_is_stopped_by_hand_counts_for_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker's part, in this process: a stop is left as soon as the folder is there."""
    monkeypatch.setattr(replay, "_POLL_INTERVAL_S", 0.0)
    grid, crawls = filed(folder), tmp_path / "crawls"
    cell = next(iter(grid.cells()))

    def on_page(event: object) -> None:
        ControlRequests(crawls / run_name(cell)).leave(STOP)

    monkeypatch.setattr(
        worker, "run_job", lambda archive, job, _: replay.run_job(archive, job, on_page)
    )
    with ExitStack() as resources:
        workplace = WorkerContext(WorkOrder(grid, crawls), resources, print)
        ended = worker.execute_run(workplace, cell, lambda _: None, lambda: 0.0)
        assert ended.outcome.error == "stopped by hand after 1 pages"
        assert ended.outcome.final is None and ended.outcome.checkpoints == ()
        assert ended.outcome.fetched == 1
