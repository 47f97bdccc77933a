"""Statistics as JSON: what comparison.json says besides the runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scenthound.comparison.measures import DIGITS
from scenthound.comparison.milestones import MilestoneTable, milestone_tables
from scenthound.comparison.model import Outcome
from scenthound.comparison.standings import ALL, Difference, Mean, Standing, Statistics, Table


def statistics_to_json(statistics: Statistics, outcomes: Sequence[Outcome]) -> dict[str, object]:
    """The tables of strategies, and under each the papers' table of every measure.

    Parameters
    ----------
    statistics : of these runs.
    outcomes : the runs, for the figures after so many pages.
    """
    return {
        "measure": statistics.measure.name,
        "lower_is_better": statistics.measure.lower_is_better,
        "baseline": statistics.baseline,
        "remarks": list(statistics.remarks),
        "tables": [_table(table, _under(outcomes, table.seeds)) for table in statistics.tables],
    }


def _under(outcomes: Sequence[Outcome], seeds: str) -> list[Outcome]:
    return [outcome for outcome in outcomes if seeds in (ALL, outcome.cell.seeds)]


def _table(table: Table, outcomes: Sequence[Outcome]) -> dict[str, object]:
    return {
        "seeds": table.seeds,
        "independent": table.groups,
        "strategies": [_standing(standing) for standing in table.standings],
        "milestones": {each.measure.name: _milestones(each) for each in milestone_tables(outcomes)},
    }


def _standing(standing: Standing) -> dict[str, object]:
    difference = standing.difference
    return {
        "strategy": standing.strategy,
        "runs": standing.runs,
        "failed": standing.failed,
        "mean": None if standing.mean is None else _mean(standing.mean),
        "difference": None if difference is None else _difference(difference),
        "best_at": standing.best_at,
        "random_seed_deviation": _rounded(standing.seed_deviation),
        "by_topic": [
            {"web": topic.web, "topic": topic.topic, "mean": _rounded(value)}
            for topic, value in standing.by_topic.items()
        ],
    }


def _mean(mean: Mean) -> dict[str, object]:
    low, high = mean.interval or (None, None)
    return {
        "mean": _rounded(mean.value),
        "low": _rounded(low),
        "high": _rounded(high),
        "independent": mean.groups,
    }


def _difference(difference: Difference) -> dict[str, object]:
    return {
        **_mean(difference.mean),
        "p": _rounded(difference.p),
        "p_holm": _rounded(difference.p_holm),
        "verdict": difference.verdict,
        **difference.record._asdict(),
    }


def _milestones(table: MilestoneTable) -> Mapping[str, object]:
    """Column by column; the last value of each strategy is that at the end of its runs."""
    return {
        "pages": [*table.pages, "end"],
        "strategies": {
            name: {
                "mean": [_rounded(each.mean) for each in row],
                "runs": [each.runs for each in row],
            }
            for name, row in table.by_strategy.items()
        },
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)
