"""A run as JSON, and back."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.outcomes_made import failed, indicators, ran
from scenthound.core.errors import FolderError
from scenthound.core.events import TextRepresentations
from scenthound.evaluation.comparison_folder import run_name
from scenthound.evaluation.outcomes import (
    Cell,
    Outcome,
    outcome_from_json,
    outcome_to_json,
    plain_json,
)

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


def test_names_of_runs_are_readable_and_differ() -> None:
    hostile = Cell("w", "../../etc/passwd\n", "vsm")
    assert "/" not in run_name(hostile) and "\n" not in run_name(hostile)
    alike = [Cell("w", "a b", "vsm"), Cell("w", "a/b", "vsm"), Cell("v", "a b", "vsm")]
    assert len(set(map(run_name, alike))) == 3
    assert run_name(alike[0]).startswith("a-b-vsm-given-0-0-")
    assert len(run_name(Cell("w", "x" * 5_000, "vsm"))) < 120
