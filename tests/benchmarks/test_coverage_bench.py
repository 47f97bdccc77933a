"""The bench of intervals and verdicts: its truth is true, and it counts what it says."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import fmean

import pytest
from benchmarks.coverage import HELD, TOLD, held_over_draws, main
from benchmarks.simulated_topics import EQUAL, HARVEST, NORMAL, SKEWED

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "comparison-statistics.md"


def test_the_truth_is_true_and_the_documentation_has_every_case() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for kind in (NORMAL, HARVEST, EQUAL, SKEWED):
        (values,) = kind.samples(100_000, 1)
        assert fmean(values) == pytest.approx(kind.truth, abs=0.01)
    by_topic, by_draw = held_over_draws(6, 10, 30)
    assert by_draw < 0.8 < by_topic  # draws taken for topics promise too much
    assert "python -m benchmarks.coverage" in page
    assert all(f"\n| {topics} | {kind.name} | 0." in page for topics, kind in HELD)
    assert all(f"\n| {topics} | 0." in page for topics in TOLD)


def test_what_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--rounds", "1"]) == 0
    said = capsys.readouterr().out
    rows = [line.split(" | ") for line in said.splitlines() if re.match(r"\| \d", line)]
    assert [len(row) for row in rows] == [5] * len(HELD) + [6] * len(TOLD)
    assert "6 topics of 10 draws" in said and "30 strategies as good as the baseline" in said
    assert "0.0625 |" in said and "0.0312 |" in said  # 2/32, 2/64
