"""The bench of intervals and verdicts: its truth is true, and it counts what it says."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import fmean, variance

import numpy as np
import pytest
from benchmarks.coverage import (
    HELD,
    TOLD,
    held,
    held_over_draws,
    main,
    many_equals,
    plain_intervals,
    told_apart,
)
from benchmarks.simulated_topics import EQUAL, HARVEST, NORMAL, SKEWED, Kind, drawn_figures

from scenthound.comparison.bootstrap import Interval
from scenthound.comparison.pairing import group_means, topic_of

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "comparison-statistics.md"


@pytest.mark.parametrize("kind", [NORMAL, HARVEST, EQUAL, SKEWED])
def test_the_true_mean_is_that_of_many_topics(kind: Kind) -> None:
    (values,) = kind.samples(100_000, 1)
    assert fmean(values) == pytest.approx(kind.truth, abs=0.01)


def test_topics_differ_as_much_as_draws() -> None:
    figures = drawn_figures(np.random.default_rng(1), 2_500, 4)
    assert len(figures) == 10_000
    assert variance(figures.values()) == pytest.approx(2.0, rel=0.1)
    assert variance(group_means(figures, topic_of).values()) == pytest.approx(1.25, rel=0.1)


def test_three_values_hold_the_mean_three_times_of_four() -> None:
    """It lies beyond all three with probability 2/8, and no resample does."""
    assert held(NORMAL, 3, 100)[2] == pytest.approx(0.75, abs=0.1)


def test_ours_is_wider_than_the_plain_percentile_interval() -> None:
    percentile, _, ours = held(NORMAL, 5, 50)
    assert percentile < ours <= 1.0


def test_equal_values_have_intervals_of_no_width() -> None:
    assert plain_intervals([0.1] * 5) == (Interval(0.1, 0.1), Interval(0.1, 0.1))


def test_draws_taken_for_topics_promise_too_much() -> None:
    by_topic, by_draw = held_over_draws(6, 10, 30)
    assert by_draw < 0.8 < by_topic


def test_five_topics_are_told_apart_by_the_interval_and_never_by_p() -> None:
    verdicts, tests = told_apart(NORMAL, 5, 60)
    assert 0.0 < verdicts < 0.2
    assert tests == 0.0


def test_false_verdicts_are_the_intervals_that_miss() -> None:
    assert told_apart(NORMAL, 6, 50)[0] == pytest.approx(1 - held(NORMAL, 6, 50)[2])


def test_none_of_thirty_stands_on_six_topics() -> None:
    """Thirty times 2/64 is more than 0.05, whatever chance does."""
    found = many_equals(30, 6, 3)
    assert len(found) == 3 and sum(each.better + each.worse for each in found) > 0
    assert [each.stand for each in found] == [0] * 3


def test_what_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--rounds", "1"]) == 0
    said = capsys.readouterr().out
    rows = [line.split(" | ") for line in said.splitlines() if re.match(r"\| \d", line)]
    assert [len(row) for row in rows] == [5] * len(HELD) + [6] * len(TOLD)
    assert "6 topics of 10 draws" in said and "30 strategies as good as the baseline" in said
    assert "0.0625 |" in said and "0.0312 |" in said  # 2/32, 2/64


def test_the_documentation_has_every_case() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert "python -m benchmarks.coverage" in page
    assert all(f"\n| {topics} | {kind.name} | 0." in page for topics, kind in HELD)
    assert all(f"\n| {topics} | 0." in page for topics in TOLD)


def test_no_rounds_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["--rounds", "0"])
    assert "--rounds must be 1 or more" in capsys.readouterr().err
