"""Standings of a comparison: every strategy with its mean and its difference from the baseline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import NamedTuple

from scenthound.crawler.metrics import Indicators, over_budget
from scenthound.evaluation import statistics
from scenthound.evaluation.outcomes import (
    HARVEST,
    LABELLED_HARVEST,
    MEASURES,
    SEEDS,
    Cell,
    Measure,
    Outcome,
    known_figures,
    measure_named,
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

    ``p`` is from the sign-flip test, ``p_holm`` corrects it for the number of strategies; both are
    None where there are too few topics. The verdict goes by the interval.
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
    None without several random seeds. ``by_topic`` has the topics with figures, ``best_topics``
    those among them at which no other strategy is better.
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


# Remarks beside the figures, so that nobody reads more into them than is there.


def remarks(outcomes: Sequence[Outcome], baseline: str, measure: Measure) -> list[str]:
    """Sentences on labels, runs that are left out, the baseline, and topics.

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
    found = [_label_remark(finished)] if measure is HARVEST else []
    for left_out, of, reason in (
        (len(outcomes) - len(finished), len(outcomes), "failed"),
        (len(finished) - len(known), len(finished), f"have no {measure.title}"),
    ):
        found.append(f"{left_out:,} of {of:,} runs {reason} and are left out." if left_out else "")
    if all(outcome.cell.strategy != baseline for outcome in known):
        found.append(
            f"no run of the baseline {baseline} has a figure: means are given, and no differences."
            if baseline
            else "no baseline was named: means are given, and no differences."
        )
    if len({statistics.topic_of(outcome.cell.unit) for outcome in known}) == 1:
        found.append(
            "there is one topic only: what the figures say holds for it, not for other topics."
        )
    found.append(_gap_remark(known))
    # Which texts a strategy can represent depends on what is installed, and its figures too.
    read = [
        (each.cell.strategy, each.representations.describe())
        for each in finished
        if each.representations
    ]
    found += [f"{strategy}: texts were read {how}." for strategy, how in dict.fromkeys(read)]
    return [sentence for sentence in found if sentence]


def _label_remark(finished: Sequence[Outcome]) -> str:
    lacking = sum(
        each.final is not None and each.final.labelled_harvest is None for each in finished
    )
    if not lacking:
        return ""
    who = "the runs have no labels" if lacking == len(finished) else "not all runs have labels"
    return (
        f"{who}, so strategies are compared by HR: pages are judged by a model of the kind that "
        "steers the crawl, which proves less than labels do."
    )


def _gap_remark(known: Sequence[Outcome]) -> str:
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


# Means with intervals, and every strategy against the baseline.


def compare_with(
    outcomes: Sequence[Outcome], baseline: str, measure: str | None = None
) -> Statistics:
    """Compare every strategy with a baseline.

    Parameters
    ----------
    outcomes : runs of a grid, finished or not; failed ones are left out and counted.
    baseline : name of a strategy. Where it was not run, a remark says so; the means are given.
    measure : name of the figure to compare; by default labelled harvest where all runs that did
        not fail have it, otherwise HR. UnknownNameError for an unknown one.
    """
    finals = [each.final for each in outcomes if each.final is not None]
    labelled = all(final.labelled_harvest is not None for final in finals)
    usual = LABELLED_HARVEST if labelled else HARVEST
    chosen = usual if measure is None else measure_named(measure)
    present = {outcome.cell.seeds for outcome in outcomes}
    conditions: list[tuple[str, ...]] = [(seeds,) for seeds in SEEDS if seeds in present]
    if len(conditions) > 1:
        conditions.append(SEEDS)
    tables = tuple(
        _table([each for each in outcomes if each.cell.seeds in seeds], seeds, baseline, chosen)
        for seeds in conditions
    )
    return Statistics(chosen, baseline, tables, tuple(remarks(outcomes, baseline, chosen)))


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
        tuple(sorted(standings, key=lambda each: _rank(each, measure.lower_is_better))),
    )


def _mean(values: Sequence[float]) -> Mean | None:
    return Mean(fmean(values), statistics.mean_interval(values), len(values)) if values else None


def _differences(
    figures: Mapping[str, statistics.Figures], baseline: str, group_of: statistics.Grouping,
    lower_is_better: bool,
) -> dict[str, Difference]:  # fmt: skip
    """Each strategy that shares a unit with the baseline against it; p-values with Holm's."""
    base, of_draws = figures.get(baseline, {}), group_of is not statistics.topic_of
    found: dict[str, Difference] = {}
    for name, own in figures.items():
        values = list(statistics.paired_differences(own, base, group_of).values())
        if name != baseline and (mean := _mean(values)) is not None:
            found[name] = Difference(
                mean,
                statistics.verdict(mean.interval, mean.groups, lower_is_better, of_draws),
                statistics.win_record(values, lower_is_better),
                statistics.sign_flip_p(values) if mean.groups >= statistics.LEAST_GROUPS else None,
            )
    tested = {name: each.p for name, each in found.items() if each.p is not None}
    adjusted = dict(zip(tested, statistics.holm(list(tested.values())), strict=True))
    return {name: replace(each, p_holm=adjusted.get(name)) for name, each in found.items()}


def _rank(standing: Standing, lower_is_better: bool) -> tuple[bool, float]:
    value = 0.0 if standing.mean is None else standing.mean.value
    return standing.mean is None, value if lower_is_better else -value


_LEVEL = 0.05


def significance_sentence(table: Table) -> str:
    """Say how many differences to the baseline are significant by Holm; "" for fewer than two."""
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


# The papers' tables: every figure after so many pages, strategy by strategy.

_STEPS = ((1_000, 100), (5_000, 500))
_LAST_STEP = 1_000
"""Every 100 pages up to 1,000, every 500 up to 5,000 as bsvsm-ha prints, then every 1,000."""
_FINER, _FINER_UP_TO = (10, 20, 50), 1_000
"""Rows before those of the papers, for runs that are shorter than theirs."""


class MilestoneMean(NamedTuple):
    """The mean over the runs that got so far, and their number; None where none did."""

    mean: float | None = None
    runs: int = 0


@dataclass(frozen=True, slots=True)
class MilestoneTable:
    """One measure: for each strategy a value at each of ``pages``, and one at the end.

    A run that ended before is not in the mean, so means of a row may be over fewer runs than
    those of the row above. Labelled harvest is over the pages fetched so far; at the end it is
    over the budget, used up or not.
    """

    measure: Measure
    pages: tuple[int, ...]
    by_strategy: Mapping[str, tuple[MilestoneMean, ...]]

    def to_json(self) -> dict[str, object]:
        """Column by column; the last value of each strategy is the one at the end of its runs."""
        return {
            "pages": [*self.pages, "end"],
            "strategies": {
                name: {"mean": [each.mean for each in row], "runs": [each.runs for each in row]}
                for name, row in self.by_strategy.items()
            },
        }


def milestones(longest: int) -> tuple[int, ...]:
    """The numbers of pages at which the papers' tables have rows, up to ``longest``.

    Examples
    --------
    >>> milestones(30), milestones(250)
    ((10, 20, 30), (10, 20, 50, 100, 200))
    """
    if longest < 100:
        return tuple(range(10, longest + 1, 10))
    found: list[int] = []
    for end, step in (*_STEPS, (longest, _LAST_STEP)):
        start = found[-1] if found else 0
        found.extend(range(start + step, min(end, longest) + 1, step))
    return (*(_FINER if longest <= _FINER_UP_TO else ()), *found)


def milestone_tables(
    outcomes: Sequence[Outcome], measures: Sequence[Measure] = MEASURES
) -> list[MilestoneTable]:
    """Return one table for each measure.

    Failed runs have nothing to show. There are no rows for pages that no run has a checkpoint at.
    """
    reached = [(each.cell, _by_pages(each)) for each in outcomes if each.final is not None]
    present = {pages for _, rows in reached for pages in rows}
    pages = tuple(each for each in milestones(max(present, default=0)) if each in present)
    rows = [[(cell, found.get(at)) for cell, found in reached] for at in pages]
    rows.append([(each.cell, each.final) for each in outcomes])
    names = list(dict.fromkeys(outcome.cell.strategy for outcome in outcomes))
    tables = []
    for measure in measures:
        means = [_milestone_means(known_figures(row, measure)) for row in rows]
        by_strategy = {
            name: tuple(each.get(name, MilestoneMean()) for each in means) for name in names
        }
        tables.append(MilestoneTable(measure, pages, by_strategy))
    return tables


def _by_pages(outcome: Outcome) -> dict[int, Indicators]:
    """Its checkpoints; the last one too has labelled harvest over the pages, not the budget."""
    found = {row.fetched: row for row in outcome.checkpoints if row.fetched}
    if found:
        last = max(found)
        found[last] = over_budget(found[last], last)
    return found


def _milestone_means(known: Sequence[tuple[Cell, float]]) -> dict[str, MilestoneMean]:
    """By strategy: the mean over topics of the mean over their runs, as everywhere."""
    runs = Counter(cell.strategy for cell, _ in known)
    return {
        name: MilestoneMean(
            fmean(statistics.group_means(own, statistics.grouping(own)).values()), runs[name]
        )
        for name, own in statistics.unit_figures(known).items()
    }
