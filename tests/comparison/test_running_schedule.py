from __future__ import annotations

from pathlib import Path

import pytest

from comparison.grid_web import small_grid, write_web
from scenthound.comparison.costs import cost_of
from scenthound.comparison.model import Cell
from scenthound.comparison.rules import Rules
from scenthound.comparison.run_file import run_name
from scenthound.comparison.schedule import Schedule


def cells(topic: str, count: int) -> list[Cell]:
    return [Cell("web", topic, f"s{number}") for number in range(count)]


def even(cell: Cell) -> float:
    del cell
    return 1.0


def test_a_worker_stays_with_its_topic() -> None:
    schedule = Schedule([*cells("a", 2), *cells("b", 3)], even)
    assert [schedule.next(1) for _ in range(3)] == cells("b", 3), "the longer one first"
    assert [schedule.next(1) for _ in range(2)] == cells("a", 2)
    assert schedule.next(1) is None and len(schedule) == 0


def test_workers_have_topics_of_their_own() -> None:
    schedule = Schedule([*cells("a", 3), *cells("b", 2)], even)
    assert schedule.next(1) == cells("a", 3)[0]
    assert schedule.next(2) == cells("b", 2)[0]
    assert schedule.next(1) == cells("a", 3)[1]


def test_who_has_nothing_left_helps_from_the_end() -> None:
    schedule = Schedule([*cells("a", 4), *cells("b", 1)], even)
    first, second = schedule.next(1), schedule.next(2)
    assert (first, second) == (cells("a", 4)[0], cells("b", 1)[0])
    assert schedule.next(2) == cells("a", 4)[3]
    assert schedule.next(1) == cells("a", 4)[1]
    assert {schedule.next(2), schedule.next(1)} == {cells("a", 4)[2], None}


def test_one_topic_keeps_all_workers_busy() -> None:
    schedule = Schedule(cells("a", 4), even)
    assert len({schedule.next(worker) for worker in range(4)}) == 4


def test_the_most_work_counts_and_not_the_most_runs() -> None:
    costs = {"a": 1.0, "b": 10.0}
    schedule = Schedule([*cells("a", 5), *cells("b", 1)], lambda cell: costs[cell.topic])
    assert schedule.next(1) == cells("b", 1)[0]


def test_a_run_that_has_to_be_done_again_is_next_of_its_topic() -> None:
    schedule = Schedule(cells("a", 2), even)
    first = schedule.next(1)
    assert first is not None
    schedule.again(first)
    assert len(schedule) == 2 and schedule.next(1) == first


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_web(tmp_path_factory.mktemp("costs"))


def test_costs_go_by_strategy_and_pages(folder: Path) -> None:
    grid = small_grid(folder, "vsm", "soft-svsm", "bsvsm")
    plain, meaning, neural = [cost_of(grid, cell) for cell in grid.cells()][:3]
    assert plain < meaning < neural and plain == 8
    fixed = small_grid(folder, "vsm", rules=Rules(budget="50"))
    assert cost_of(fixed, next(fixed.cells())) == 1


def test_names_of_runs_are_readable_and_differ() -> None:
    hostile = Cell("w", "../../etc/passwd\n", "vsm")
    assert "/" not in run_name(hostile) and "\n" not in run_name(hostile)
    alike = [Cell("w", "a b", "vsm"), Cell("w", "a/b", "vsm"), Cell("v", "a b", "vsm")]
    assert len(set(map(run_name, alike))) == 3
    assert run_name(alike[0]).startswith("a-b-vsm-given-0-0-")
    assert len(run_name(Cell("w", "x" * 5_000, "vsm"))) < 120
