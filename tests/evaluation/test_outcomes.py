"""A run as JSON, and back."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.grid_web import small_grid
from evaluation.outcomes_made import failed, indicators, ran
from scenthound.core.errors import FolderError
from scenthound.core.events import TextRepresentations
from scenthound.evaluation.compare import cost_of
from scenthound.evaluation.comparison_folder import run_name
from scenthound.evaluation.grid import Rules
from scenthound.evaluation.outcomes import (
    Cell,
    Outcome,
    outcome_from_json,
    outcome_to_json,
    plain_json,
)
from scenthound.evaluation.worker_pool import Schedule

FULL = Outcome(
    Cell("schools", "storms", "olmoaco xi=2", "irrelevant", 3, 7),
    budget=200,
    fetched=180,
    missing=4,
    failed=2,
    stopped="no links left",
    seconds=1.5,
    peak_rss_mb=101.5,
    labelled_pages=100,
    relevant_by="similarity",
    threshold=0.25,
    parameters={"xi": 2, "name": "x", "on": True},
    final=indicators(0.25, 180),
    checkpoints=(indicators(0.2, 100), indicators(0.25, 180)),
    ways=TextRepresentations(("words", "meaning"), "the extra neural is not installed"),
)


def test_what_is_written_is_read_back() -> None:
    for outcome in (
        FULL,
        failed("vsm", "a"),
        ran("vsm", "a", 0.1, labelled=False),
    ):
        text = json.dumps(outcome_to_json(outcome), allow_nan=False)
        assert outcome_from_json(json.loads(text)) == outcome


def test_a_run_of_an_older_comparison_tells_no_ways_of_reading() -> None:
    older = {key: value for key, value in outcome_to_json(FULL).items() if key != "reading"}
    assert outcome_from_json(older) == replace(FULL, ways=None)


def test_figures_are_rounded_to_six_digits() -> None:
    stored = outcome_to_json(replace(FULL, final=indicators(1 / 3), seconds=1.23456))
    final = stored["final"]
    assert isinstance(final, dict) and final["hr"] == 0.333333
    assert stored["seconds"] == 1.235 and stored["pages_per_second"] == 145.8


def test_what_is_no_number_is_null_and_stays_none() -> None:
    broken = replace(indicators(0.1), hr=math.nan, as_=math.inf, labelled_harvest=math.nan)
    stored = outcome_to_json(replace(FULL, final=broken, threshold=math.nan))
    read = outcome_from_json(json.loads(json.dumps(stored, allow_nan=False)))
    assert read.final is not None and math.isnan(read.final.hr)
    assert read.final.as_ is None and read.final.labelled_harvest is None and read.threshold is None


def test_parameters_of_any_kind_can_be_written() -> None:
    value = {"path": Path("a/b"), "pair": (1, 2.5), "none": None, 3: {"x": math.inf}}
    assert plain_json(value) == {
        "path": "a/b", "pair": [1, 2.5], "none": None, "3": {"x": None},
    }  # fmt: skip


def test_what_is_no_run_is_told() -> None:
    cases: list[tuple[str, object, str]] = [
        ("web", 3, "'web' of a run is damaged: input should be a valid string"),
        ("seeds", "somewhere", "none of given, relevant, irrelevant"),
        ("budget", None, "'budget' of a run is damaged: input should be a valid integer"),
        ("seconds", 10**400, "'seconds' of a run is damaged"),
        ("parameters", [1], "'parameters' of a run is damaged"),
        ("final", {}, "'final.fetched' of a run is damaged: field required"),
        ("checkpoints", [1], "'checkpoints.0' of a run is damaged"),
        ("checkpoints", 3, "'checkpoints' of a run is damaged"),
    ]
    for name, value, words in cases:
        with pytest.raises(FolderError, match=words):
            outcome_from_json(outcome_to_json(FULL) | {name: value})


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


def test_who_has_nothing_left_helps_from_the_end() -> None:
    schedule = Schedule([*cells("a", 4), *cells("b", 1)], even)
    first, second = schedule.next(1), schedule.next(2)
    assert (first, second) == (cells("a", 4)[0], cells("b", 1)[0])
    assert schedule.next(2) == cells("a", 4)[3]
    assert schedule.next(1) == cells("a", 4)[1]
    assert {schedule.next(2), schedule.next(1)} == {cells("a", 4)[2], None}


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
