"""The folder of a comparison: kills at every write, leftovers, and who stops a run by hand."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from comparison.grid_web import Listener, small_grid, write_web
from scenthound.comparison import worker
from scenthound.comparison.grid import Grid
from scenthound.comparison.messages import WorkOrder
from scenthound.comparison.results_file import read_comparison
from scenthound.comparison.run_file import run_name
from scenthound.comparison.running import run_grid
from scenthound.comparison.workplace import Workplace
from scenthound.core.errors import FolderError
from scenthound.experiments import runner, steering
from scenthound.store.requests import STOP, Requests

LEFT = "0123456789abcdef"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_web(tmp_path_factory.mktemp("web"))


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

    monkeypatch.setattr("scenthound.store.atomic.os.replace", placed)
    monkeypatch.setattr("scenthound.store.atomic.os.unlink", lambda path: None)
    return named


@pytest.mark.parametrize(
    "made, write, name",
    [
        (filed, 1, "comparison.json"),
        (filed, 2, "grid.toml"),
        (filed, 3, "breadth-first"),
        (filed, 4, "comparison.json"),
        (unfiled, 1, "comparison.json"),
        (unfiled, 2, "01-coffee.toml"),
        (unfiled, 3, "02-storms.toml"),
        (unfiled, 4, "grid.toml"),
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


def test_a_young_comparison_can_be_read(folder: Path, tmp_path: Path) -> None:
    seen = []

    class Reader(Listener):
        def planned(self, total: int, finished: int, workers: int) -> None:
            seen.append(read_comparison(tmp_path / "out"))
            assert workers == 1

        def ended(self, outcome: object) -> None:
            seen.append(read_comparison(tmp_path / "out"))

    run_grid(filed(folder), tmp_path / "out", workers=1, watch=Reader())
    assert [(len(each.outcomes), each.planned) for each in seen[:2]] == [(0, 2), (1, 2)]
    assert not any(each.finished for each in seen[:2])


def test_a_file_of_that_name_makes_no_comparison(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "comparison.json").write_text("{}")
    with pytest.raises(FolderError, match="holds other files"):
        run_grid(filed(folder), tmp_path)


def test_a_run_that_is_stopped_by_hand_counts_for_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker's part, in this process: a stop is left as soon as the folder is there."""
    monkeypatch.setattr(steering, "_LOOK", 0.0)
    grid, crawls = filed(folder), tmp_path / "crawls"
    cell = next(iter(grid.cells()))

    def on_page(event: object) -> None:
        Requests(crawls / run_name(cell)).leave(STOP)

    monkeypatch.setattr(worker, "run", lambda archive, job, _: runner.run(archive, job, on_page))
    with ExitStack() as resources:
        workplace = Workplace(WorkOrder(grid, crawls), resources, print)
        ended = worker.do_run(workplace, cell, lambda _: None, lambda: 0.0)
        assert ended.outcome.error == "stopped by hand after 1 pages"
        assert ended.outcome.final is None and ended.outcome.checkpoints == ()
        assert ended.outcome.fetched == 1
