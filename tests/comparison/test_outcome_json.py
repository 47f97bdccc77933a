"""A run as JSON, and back."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from comparison.outcomes_made import failed, indicators, ran
from scenthound.comparison.model import Cell, Outcome
from scenthound.comparison.outcome_json import outcome_from_json, outcome_to_json, plain_json
from scenthound.core.errors import FolderError
from scenthound.core.ways_read import WaysRead

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
    ways=WaysRead(("words", "meaning"), "the extra neural is not installed"),
)


@pytest.mark.parametrize(
    "outcome", [FULL, failed("vsm", "a"), ran("vsm", "a", 0.1, labelled=False)]
)
def test_what_is_written_is_read_back(outcome: Outcome) -> None:
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


def test_a_long_error_is_cut() -> None:
    assert len(str(outcome_to_json(failed("vsm", "a", "x" * 9_000))["error"])) == 2_000


def test_names_that_are_not_known_are_left_aside() -> None:
    stored = outcome_to_json(FULL) | {"drawn_seeds": ["https://a.example/"]}
    assert outcome_from_json(stored) == FULL


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("web", 3, "'web' of a run is no text"),
        ("seeds", "somewhere", "none of given, relevant, irrelevant"),
        ("draw", "0", "'draw' of a run is no whole number"),
        ("budget", None, "'budget' of a run is no whole number"),
        ("fetched", True, "no whole number"),
        ("labelled_pages", 1.5, "no whole number"),
        ("threshold", "high", "'threshold' of a run is no number"),
        ("seconds", 10**400, "'seconds' of a run is no number"),
        ("parameters", [1], "'parameters' of a run is no table"),
        ("final", 3, "'final' of a run is no table"),
        ("final", {}, "a run has no 'fetched'"),
        ("checkpoints", {}, "no list of tables"),
        ("checkpoints", [1], "no list of tables"),
    ],
)
def test_what_is_no_run_is_told(name: str, value: object, words: str) -> None:
    with pytest.raises(FolderError, match=words):
        outcome_from_json(outcome_to_json(FULL) | {name: value})


def test_a_name_that_is_missing_is_told() -> None:
    with pytest.raises(FolderError, match="a run has no 'stopped'"):
        outcome_from_json({k: v for k, v in outcome_to_json(FULL).items() if k != "stopped"})
