"""The papers' tables: figures after so many pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from evaluation.outcomes_made import indicators, ran
from scenthound.crawler.metrics import over_budget
from scenthound.evaluation.outcomes import Outcome, measure_named
from scenthound.evaluation.standings import MilestoneTable, milestone_tables, milestones


def milestone_table(outcomes: Sequence[Outcome], measure: str) -> MilestoneTable:
    (table,) = milestone_tables(outcomes, (measure_named(measure),))
    return table


def crawled(strategy: str, topic: str, harvest: float, pages: int, budget: int) -> Outcome:
    """A checkpoint every 100 pages; the last is over the budget, as in a run."""
    rows = [indicators(harvest, fetched) for fetched in range(100, pages + 1, 100)]
    final = over_budget(rows[-1], budget)
    return replace(
        ran(strategy, topic, harvest),
        budget=budget,
        fetched=pages,
        final=final,
        checkpoints=(*rows[:-1], final),
    )


def test_rows_are_those_of_the_papers() -> None:
    assert milestones(1_600) == (*range(100, 1_001, 100), 1_500)
    assert milestones(5_000)[-8:] == (*range(1_500, 5_001, 500),)
    assert milestones(15_000)[-10:] == (*range(6_000, 15_001, 1_000),)
    assert milestones(9) == () and milestones(0) == ()
    assert milestones(59) == (10, 20, 30, 40, 50)
    assert milestones(1_000)[:5] == (10, 20, 50, 100, 200)


def test_a_row_is_over_the_runs_that_got_there() -> None:
    outcomes = [crawled("vsm", "a", 0.2, 300, 300), crawled("vsm", "b", 0.4, 100, 300)]
    table = milestone_table(outcomes, "labelled_harvest")
    assert table.pages == (100, 200, 300)
    rows = table.by_strategy["vsm"]
    assert [row.runs for row in rows] == [2, 1, 1, 2]
    assert [row.mean for row in rows] == pytest.approx(
        [(0.2 + 0.4) / 2, 0.2, 0.2, (0.2 + 0.4 / 3) / 2], abs=1e-6
    )


def test_topics_weigh_the_same_however_many_runs_they_have() -> None:
    outcomes = [
        crawled("vsm", "a", 0.2, 100, 100),
        replace(crawled("vsm", "b", 0.4, 100, 100)),
        replace(ran("vsm", "b", 0.6, draw=1)),
    ]
    rows = milestone_table(outcomes, "hr").by_strategy["vsm"]
    assert rows[0].mean == pytest.approx((0.2 + 0.5) / 2) and rows[0].runs == 3


def test_failed_runs_have_nothing_to_show() -> None:
    table = milestone_table([replace(ran("vsm", "a", 0.2), final=None, checkpoints=())], "hr")
    assert table.pages == () and table.by_strategy == {"vsm": ((None, 0),)}
    assert milestone_table([], "hr").by_strategy == {}
