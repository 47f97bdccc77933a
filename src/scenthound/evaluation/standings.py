"""Tables of a comparison: every strategy with its mean and its difference from the baseline, and
milestones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import NamedTuple

from scenthound.crawler.metrics import Indicators, over_budget
from scenthound.evaluation import statistics
from scenthound.evaluation.outcomes import (
    HARVEST,
    MEASURES,
    SEEDS,
    Cell,
    Measure,
    Outcome,
    known_figures,
    measure_named,
    missing_label_remarks,
    strongest_measure,
)

TOPICS, DRAWS = "topics", "draws"

ALL = "all"
"""The table over both seed conditions (sdvsm Table 6)."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean over ``groups`` topics or draws; without an interval where there is only one."""

    value: float
    interval: statistics.Interval | None
    groups: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A strategy less the baseline, over what both have.

    ``p`` is that of the flips of signs and ``p_holm`` the one that counts how many strategies
    were compared; both are None where there are too few topics. The verdict goes by the interval.
    """

    mean: Mean
    verdict: str
    record: statistics.WinRecord
    p: float | None = None
    p_holm: float | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """One strategy: how good it is, and how good against the baseline.

    ``mean`` is None where no run has the figure; ``difference`` is None for the baseline, and
    where nothing can be compared. ``best_at`` counts topics (or draws). ``seed_deviation`` is
    None without several random seeds. ``by_topic`` has the topics it has figures of, and
    ``best_topics`` those among them at which no other strategy is better.
    """

    strategy: str
    runs: int
    failed: int
    mean: Mean | None
    difference: Difference | None
    best_at: int
    seed_deviation: float | None
    by_topic: Mapping[statistics.Topic, float]
    best_topics: frozenset[statistics.Topic] = frozenset()


@dataclass(frozen=True, slots=True)
class Table:
    """All strategies under one seed condition, or under :data:`ALL`; the best come first.

    ``groups`` says what is counted as independent, :data:`TOPICS` or :data:`DRAWS`.
    """

    seeds: str
    groups: str
    topics: tuple[statistics.Topic, ...]
    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class Statistics:
    """A table for each seed condition and, where there are several, one for all together.

    ``remarks`` are sentences on what the figures do not prove and on what was left out. There are
    no tables where there are no runs.
    """

    measure: Measure
    baseline: str
    tables: tuple[Table, ...]
    remarks: tuple[str, ...]


# The papers' tables: every figure after so many pages, strategy by strategy.


_STEPS = ((1_000, 100), (5_000, 500))

_LAST_STEP = 1_000
"""Every 100 pages up to 1,000, every 500 up to 5,000 as bsvsm-ha prints, then every 1,000."""

_SMALL, _SMALL_STEP = 100, 10

_FINER, _FINER_UP_TO = (10, 20, 50), 1_000
"""Rows before those of the papers, for runs that are shorter than theirs."""


class MilestoneMean(NamedTuple):
    """The mean over the runs that got so far, and their number; None where none did."""

    mean: float | None
    runs: int


_NO_RUNS = MilestoneMean(None, 0)


@dataclass(frozen=True, slots=True)
class MilestoneTable:
    """One measure: for each strategy a value at each of ``pages``, and at last one at the end.

    A run that ended before is not in the mean, so means of a row may be over fewer runs than
    those of the row above. Labelled harvest is over the pages fetched so far; that at the end is
    over the budget, spent or not.
    """

    measure: Measure
    pages: tuple[int, ...]
    by_strategy: Mapping[str, tuple[MilestoneMean, ...]]


def milestones(longest: int) -> tuple[int, ...]:
    """The numbers of pages at which the papers' tables have rows, up to ``longest``.

    Examples
    --------
    >>> milestones(30), milestones(250)
    ((10, 20, 30), (10, 20, 50, 100, 200))
    """
    if longest < _SMALL:
        return tuple(range(_SMALL_STEP, longest + 1, _SMALL_STEP))
    found: list[int] = []
    for end, step in (*_STEPS, (longest, _LAST_STEP)):
        start = found[-1] if found else 0
        found.extend(range(start + step, min(end, longest) + 1, step))
    return (*(_FINER if longest <= _FINER_UP_TO else ()), *found)


def milestone_tables(
    outcomes: Sequence[Outcome], measures: Sequence[Measure] = MEASURES
) -> list[MilestoneTable]:
    """The tables of some measures, by default of all.

    Parameters
    ----------
    outcomes : runs, of one seed condition or of several; failed ones have nothing to show. There
        are no rows for pages that no run has a checkpoint at.
    measures : one table for each.
    """
    reached = [(each.cell, _by_pages(each)) for each in outcomes if each.final is not None]
    longest = max((max(rows, default=0) for _, rows in reached), default=0)
    present = {pages for _, rows in reached for pages in rows}
    pages = tuple(each for each in milestones(longest) if each in present)
    rows = [[(cell, found.get(at)) for cell, found in reached] for at in pages]
    rows.append([(each.cell, each.final) for each in outcomes])
    names = list(dict.fromkeys(outcome.cell.strategy for outcome in outcomes))
    tables = []
    for measure in measures:
        means = [_row(row, measure) for row in rows]
        by_strategy = {name: tuple(each.get(name, _NO_RUNS) for each in means) for name in names}
        tables.append(MilestoneTable(measure, pages, by_strategy))
    return tables


def _by_pages(outcome: Outcome) -> dict[int, Indicators]:
    """Its checkpoints; the last one too has labelled harvest over the pages, not the budget."""
    found = {row.fetched: row for row in outcome.checkpoints if row.fetched}
    if found:
        last = max(found)
        found[last] = over_budget(found[last], last)
    return found


def _row(
    cells: Iterable[tuple[Cell, Indicators | None]], measure: Measure
) -> dict[str, MilestoneMean]:
    """By strategy: the mean over topics of the mean over their runs, as everywhere."""
    known = known_figures(cells, measure)
    runs = Counter(cell.strategy for cell, _ in known)
    return {
        name: MilestoneMean(
            fmean(statistics.group_means(own, statistics.grouping(own)).values()), runs[name]
        )
        for name, own in statistics.unit_figures(known).items()
    }


# Remarks beside the figures, so that nobody reads more into them than is there.


def rule_remarks(grid: Mapping[str, object]) -> list[str]:
    """Sentences on rules that make other figures than usual; empty for none.

    Parameters
    ----------
    grid : what was asked for, by the keys of a grid file.
    """
    if grid.get("keywords_only") is not True:
        return []
    return ["keywords only: no run knew example pages; runs that do have other figures."]


def remarks(outcomes: Sequence[Outcome], baseline: str, measure: Measure) -> list[str]:
    """Sentences on runs that were left out, on the baseline, and on topics; empty for none.

    Parameters
    ----------
    outcomes : all runs.
    baseline : name of the strategy the others are compared with.
    measure : what they are compared by.
    """
    if not outcomes:
        return ["no run has finished: there is nothing to compare."]
    finished = [outcome for outcome in outcomes if outcome.final is not None]
    known = [outcome for outcome in finished if measure.of(outcome.final) is not None]
    found = [
        _left_out(len(outcomes) - len(finished), len(outcomes), "failed"),
        _left_out(len(finished) - len(known), len(finished), f"have no {measure.title}"),
        _baseline_remarks(outcomes, known, baseline),
        _topic_remarks(known),
        _gap_remarks(known),
        *_text_representation_remarks(finished),
    ]
    return [sentence for sentence in found if sentence]


def _left_out(count: int, of: int, reason: str) -> str:
    return f"{count:,} of {of:,} runs {reason} and are left out." if count else ""


def _baseline_remarks(outcomes: Sequence[Outcome], known: Sequence[Outcome], baseline: str) -> str:
    if any(outcome.cell.strategy == baseline for outcome in known):
        return ""
    if any(outcome.cell.strategy == baseline for outcome in outcomes):
        return f"no run of the baseline {baseline} has a figure: nothing is compared with it."
    if not baseline:
        return "no baseline was named: means are given, and no differences."
    return f"the baseline {baseline} has not been run: means are given, and no differences."


def _topic_remarks(known: Sequence[Outcome]) -> str:
    if len({statistics.topic_of(outcome.cell.unit) for outcome in known}) != 1:
        return ""
    return "there is one topic only: what the figures say holds for it, not for other topics."


def _text_representation_remarks(finished: Sequence[Outcome]) -> list[str]:
    """In which ways strategies read texts that depend on what is installed: figures do too."""
    found = [
        (each.cell.strategy, each.ways.describe()) for each in finished if each.ways is not None
    ]
    return [f"{strategy}: texts were read {ways}." for strategy, ways in dict.fromkeys(found)]


def _gap_remarks(known: Sequence[Outcome]) -> str:
    """Means over other topics than those of the others are no fair comparison; pairs are."""
    units = {outcome.cell.unit for outcome in known}
    by_strategy: dict[str, set[object]] = {}
    for outcome in known:
        by_strategy.setdefault(outcome.cell.strategy, set()).add(outcome.cell.unit)
    gaps = sum(own != units for own in by_strategy.values())
    if not gaps:
        return ""
    return (
        f"{gaps:,} of {len(by_strategy):,} strategies lack runs that others have: their means are "
        "not over the same runs; differences to the baseline are over what both have."
    )


# The statistics: means with intervals, and every strategy against the baseline.


def compare_with(
    outcomes: Sequence[Outcome], baseline: str, measure: str | None = None
) -> Statistics:
    """Compare every strategy with a baseline.

    Parameters
    ----------
    outcomes : runs of a grid, finished or not; failed ones are left out and counted.
    baseline : name of a strategy. Where it was not run, a remark says so; the means are given.
    measure : name of the figure to compare; by default labelled harvest where all runs have it.

    Raises
    ------
    UnknownNameError
        There is no measure of this name.
    """
    chosen = strongest_measure(outcomes) if measure is None else measure_named(measure)
    present = {outcome.cell.seeds for outcome in outcomes}
    conditions: list[tuple[str, ...]] = [(seeds,) for seeds in SEEDS if seeds in present]
    if len(conditions) > 1:
        conditions.append(SEEDS)
    tables = tuple(
        _table([each for each in outcomes if each.cell.seeds in seeds], seeds, baseline, chosen)
        for seeds in conditions
    )
    labels = missing_label_remarks(outcomes) if chosen is HARVEST else []
    return Statistics(chosen, baseline, tables, (*labels, *remarks(outcomes, baseline, chosen)))


def _table(
    outcomes: Sequence[Outcome], seeds: Sequence[str], baseline: str, measure: Measure
) -> Table:
    """The strategies by their means, those without any last."""
    known = known_figures([(each.cell, each.final) for each in outcomes], measure)
    figures = statistics.unit_figures(known)
    group_of = statistics.grouping(unit for own in figures.values() for unit in own)
    differences = _differences(figures, baseline, group_of, measure.lower_is_better)
    runs = Counter(outcome.cell.strategy for outcome in outcomes)
    failed = Counter(outcome.cell.strategy for outcome in outcomes if outcome.final is None)
    rivals = figures if len(runs) > 1 else {}  # a strategy that runs alone is best at nothing
    best = statistics.best_groups(rivals, group_of, measure.lower_is_better)
    best_topics = statistics.best_groups(rivals, statistics.topic_of, measure.lower_is_better)
    standings = [
        Standing(
            name,
            count,
            failed[name],
            _mean(list(statistics.group_means(figures.get(name, {}), group_of).values())),
            differences.get(name),
            len(best.get(name, ())),
            statistics.seed_deviation(pair for pair in known if pair[0].strategy == name),
            statistics.group_means(figures.get(name, {}), statistics.topic_of),
            best_topics.get(name, frozenset()),
        )
        for name, count in runs.items()
    ]
    return Table(
        seeds[0] if len(seeds) == 1 else ALL,
        TOPICS if group_of is statistics.topic_of else DRAWS,
        tuple(dict.fromkeys(statistics.topic_of(outcome.cell.unit) for outcome in outcomes)),
        tuple(sorted(standings, key=lambda each: _place(each, measure))),
    )


def _mean(values: Sequence[float]) -> Mean | None:
    return Mean(fmean(values), statistics.mean_interval(values), len(values)) if values else None


def _differences(
    figures: Mapping[str, statistics.Figures],
    baseline: str,
    group_of: statistics.Grouping,
    lower_is_better: bool,
) -> dict[str, Difference]:
    """Each strategy that shares a unit with the baseline against it; p-values with Holm's."""
    base = figures.get(baseline, {})
    found: dict[str, Difference] = {}
    for name, own in figures.items():
        values = list(statistics.paired_differences(own, base, group_of).values())
        if name != baseline and values:
            found[name] = _difference(values, lower_is_better, group_of is not statistics.topic_of)
    tested = {name: each.p for name, each in found.items() if each.p is not None}
    adjusted = dict(zip(tested, statistics.holm(list(tested.values())), strict=True))
    return {name: replace(each, p_holm=adjusted.get(name)) for name, each in found.items()}


def _difference(values: Sequence[float], lower_is_better: bool, of_draws: bool) -> Difference:
    count, interval = len(values), statistics.mean_interval(values)
    return Difference(
        Mean(fmean(values), interval, count),
        statistics.verdict(interval, count, lower_is_better, of_draws),
        statistics.win_record(values, lower_is_better),
        statistics.sign_flip_p(values) if count >= statistics.LEAST_GROUPS else None,
    )


def _place(standing: Standing, measure: Measure) -> tuple[bool, float]:
    if standing.mean is None:
        return True, 0.0
    value = standing.mean.value
    return False, value if measure.lower_is_better else -value


_LEVEL = 0.05


def significance_sentence(table: Table) -> str:
    """How many differences to the baseline are left by Holm's p; "" for fewer than two."""
    found = [each.difference for each in table.standings]
    tested = [each for each in found if each is not None and each.p_holm is not None]
    if len(tested) < 2:
        return ""
    stand = sum((each.p_holm or 0.0) < _LEVEL for each in tested)
    sentence = (
        f"{stand} of {len(tested)} differences stand when it counts that {len(tested)} were "
        "looked at (Holm, 5 %)."
    )
    most = max(each.mean.groups for each in tested)
    if len(tested) * 2.0 ** (1 - most) >= _LEVEL:
        sentence += f" With {most} {table.groups} none can: compare fewer strategies on more."
    return sentence
