"""What the runs of a grid say: means with intervals, and every strategy against a baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from scenthound.comparison.bootstrap import mean_interval
from scenthound.comparison.measures import (
    HARVEST,
    Measure,
    best_proof,
    known_figures,
    measure_named,
    own_kind,
)
from scenthound.comparison.model import SEEDS, Outcome
from scenthound.comparison.pairing import (
    Figures,
    Grouping,
    group_means,
    grouping,
    paired_differences,
    seed_deviation,
    topic_of,
    unit_figures,
)
from scenthound.comparison.remarks import remarks
from scenthound.comparison.sign_flips import holm, sign_flip_p
from scenthound.comparison.standings import (
    ALL,
    DRAWS,
    TOPICS,
    Difference,
    Mean,
    Standing,
    Statistics,
    Table,
)
from scenthound.comparison.wins import LEAST_GROUPS, best_groups, record, verdict


def compare_with(
    outcomes: Sequence[Outcome], baseline: str, measure: str | None = None
) -> Statistics:
    """Compare every strategy with a baseline.

    Parameters
    ----------
    outcomes : runs of a grid, finished or not; failed ones are left out and counted.
    baseline : name of a strategy. One that was not run is told; the means are given all the same.
    measure : name of the figure to compare; by default labelled harvest where all runs have it.

    Raises
    ------
    UnknownNameError
        There is no measure of this name.
    """
    chosen = best_proof(outcomes) if measure is None else measure_named(measure)
    present = {outcome.cell.seeds for outcome in outcomes}
    conditions: list[tuple[str, ...]] = [(seeds,) for seeds in SEEDS if seeds in present]
    if len(conditions) > 1:
        conditions.append(SEEDS)
    tables = tuple(
        _table([each for each in outcomes if each.cell.seeds in seeds], seeds, baseline, chosen)
        for seeds in conditions
    )
    told = own_kind(outcomes) if chosen is HARVEST else []
    return Statistics(chosen, baseline, tables, (*told, *remarks(outcomes, baseline, chosen)))


def _table(
    outcomes: Sequence[Outcome], seeds: Sequence[str], baseline: str, measure: Measure
) -> Table:
    """The strategies by their means, those without any last."""
    known = known_figures([(each.cell, each.final) for each in outcomes], measure)
    figures = unit_figures(known)
    group_of = grouping(unit for own in figures.values() for unit in own)
    standings = _standings(outcomes, figures, group_of, measure)
    differences = _differences(figures, baseline, group_of, measure.lower_is_better)
    told = [
        replace(
            each,
            difference=differences.get(each.strategy),
            seed_deviation=seed_deviation(
                pair for pair in known if pair[0].strategy == each.strategy
            ),
        )
        for each in standings
    ]
    return Table(
        seeds[0] if len(seeds) == 1 else ALL,
        TOPICS if group_of is topic_of else DRAWS,
        tuple(dict.fromkeys(topic_of(outcome.cell.unit) for outcome in outcomes)),
        tuple(sorted(told, key=lambda each: _place(each, measure))),
    )


def _standings(
    outcomes: Sequence[Outcome],
    figures: Mapping[str, Figures],
    group_of: Grouping,
    measure: Measure,
) -> list[Standing]:
    """Each strategy by itself and among the others; not yet against the baseline."""
    runs = Counter(outcome.cell.strategy for outcome in outcomes)
    rivals = figures if len(runs) > 1 else {}  # who runs alone is best at nothing
    best = best_groups(rivals, group_of, measure.lower_is_better)
    best_topics = best_groups(rivals, topic_of, measure.lower_is_better)
    failed = Counter(outcome.cell.strategy for outcome in outcomes if outcome.final is None)
    return [
        Standing(
            name,
            count,
            failed[name],
            _mean(list(group_means(figures.get(name, {}), group_of).values())),
            difference=None,
            best_at=len(best.get(name, ())),
            seed_deviation=None,
            by_topic=group_means(figures.get(name, {}), topic_of),
            best_topics=best_topics.get(name, frozenset()),
        )
        for name, count in runs.items()
    ]


def _mean(values: Sequence[float]) -> Mean | None:
    return Mean(fmean(values), mean_interval(values), len(values)) if values else None


def _differences(
    figures: Mapping[str, Figures], baseline: str, group_of: Grouping, lower_is_better: bool
) -> dict[str, Difference]:
    """Each strategy that shares a unit with the baseline against it; p-values with Holm's."""
    base = figures.get(baseline, {})
    found: dict[str, Difference] = {}
    for name, own in figures.items():
        values = list(paired_differences(own, base, group_of).values())
        if name != baseline and values:
            found[name] = _difference(values, lower_is_better, group_of is not topic_of)
    tested = {name: each.p for name, each in found.items() if each.p is not None}
    adjusted = dict(zip(tested, holm(list(tested.values())), strict=True))
    return {name: replace(each, p_holm=adjusted.get(name)) for name, each in found.items()}


def _difference(values: Sequence[float], lower_is_better: bool, of_draws: bool) -> Difference:
    count, interval = len(values), mean_interval(values)
    return Difference(
        Mean(fmean(values), interval, count),
        verdict(interval, count, lower_is_better, of_draws),
        record(values, lower_is_better),
        sign_flip_p(values) if count >= LEAST_GROUPS else None,
    )


def _place(standing: Standing, measure: Measure) -> tuple[bool, float]:
    if standing.mean is None:
        return True, 0.0
    value = standing.mean.value
    return False, value if measure.lower_is_better else -value
