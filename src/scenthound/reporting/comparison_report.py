"""The report of a comparison: who is better than the baseline, by how much, where, at what cost."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from scenthound.comparison.milestones import milestone_tables
from scenthound.comparison.model import Outcome
from scenthound.comparison.results_file import Comparison, read_comparison
from scenthound.comparison.standings import ALL, Statistics
from scenthound.comparison.standings import Table as Standings
from scenthound.comparison.statistics import compare_with
from scenthound.core.errors import UnknownNameError
from scenthound.reporting.comparison_plots import (
    capital,
    curve_plots,
    differences_plot,
    highlighted,
    means_plot,
    topics_plot,
)
from scenthound.reporting.comparison_tables import (
    by_topic_table,
    cost_table,
    failed_table,
    milestone_rows,
    standings_table,
)
from scenthound.reporting.document import (
    Block,
    Code,
    Document,
    Fact,
    Facts,
    Folded,
    Plot,
    Plots,
    Section,
    Words,
    told,
)
from scenthound.reporting.visible_text import cut

_GRID = "grid.toml"
_LARGEST_GRID = 200_000
_CONDITIONS = {
    "given": "Seeds of the topic files",
    "relevant": "Relevant seeds",
    "irrelevant": "Irrelevant seeds",
    ALL: "All seeds together",
}
_GREY = "The best strategies and the baseline have colours of their own, the others are thin lines."
_COMMON = (
    "Each curve goes as far as all runs of its strategy do; between checkpoints it is a straight "
    "line."
)


def comparison_document(folder: Path, baseline: str | None, measure: str | None) -> Document:
    """The report of the comparison in a folder, finished or under way.

    Parameters
    ----------
    folder : that ``scenthound compare`` wrote.
    baseline : strategy to compare with; None for that of the grid.
    measure : name of the figure to compare by; None for that of the grid.

    FolderError where there is none; UnknownNameError for names that there are not.
    """
    comparison = read_comparison(folder)
    statistics = _statistics(comparison, baseline, measure)
    several = len(statistics.tables) > 1
    sections = [
        Section("summary", "Summary", tuple(_summary(comparison, statistics))),
        *(_condition(comparison.outcomes, table, statistics, several)
          for table in statistics.tables),
        Section("cost", "Cost", tuple(_cost(comparison.outcomes))),
        Section("repeat", "To run it again", tuple(_repeat(folder, comparison))),
    ]  # fmt: skip
    title = f"{_strategies(comparison)} strategies on {_topics(comparison)} topics"
    return Document("Comparison", title, _state(comparison), tuple(sections))


def _statistics(comparison: Comparison, baseline: str | None, measure: str | None) -> Statistics:
    if baseline is None:
        return comparison.statistics(measure)
    names = {outcome.cell.strategy for outcome in comparison.outcomes}
    if baseline not in names:
        raise UnknownNameError("baseline", baseline, names)
    named = measure or comparison.grid.get("measure") or None
    return compare_with(comparison.outcomes, baseline, None if named is None else str(named))


def _state(comparison: Comparison) -> str:
    done, failed = len(comparison.outcomes), sum(o.final is None for o in comparison.outcomes)
    failures = f", {failed:,} of them failed" if failed else ""
    state = "finished" if comparison.finished else "not finished: under way, or broken off"
    return f"{state}; {done:,} run{'' if done == 1 else 's'}{failures}"


def _strategies(comparison: Comparison) -> int:
    return len({outcome.cell.strategy for outcome in comparison.outcomes})


def _topics(comparison: Comparison) -> int:
    return len({(o.cell.web, o.cell.topic) for o in comparison.outcomes})


def _summary(comparison: Comparison, statistics: Statistics) -> list[Block]:
    pages = sum(outcome.fetched for outcome in comparison.outcomes)
    facts = [
        Fact("runs", told(len(comparison.outcomes))),
        Fact("strategies", told(_strategies(comparison))),
        Fact("topics", told(_topics(comparison))),
        Fact("pages fetched", told(pages)),
        Fact("compared by", statistics.measure.title),
        Fact("baseline", statistics.baseline or "-"),
    ]
    return [Facts(tuple(facts)), *(Words(capital(each)) for each in statistics.remarks)]


def _condition(
    outcomes: Sequence[Outcome], table: Standings, statistics: Statistics, several: bool
) -> Section:
    """All about one seed condition; what is over all of them has no curves."""
    own = [each for each in outcomes if table.seeds in (ALL, each.cell.seeds)]
    baseline, measure = statistics.baseline, statistics.measure
    prefix = f"{table.seeds}-" if several else ""
    found = (means_plot(table, baseline, measure, prefix),
             differences_plot(table, baseline, measure, prefix))  # fmt: skip
    intervals = tuple(plot for plot in found if plot is not None)
    blocks: list[Block] = [Plots(intervals)] if intervals else []
    blocks.append(standings_table(table, baseline, measure))
    if table.seeds != ALL:
        blocks += _curves(own, table, statistics, prefix)
    blocks.append(by_topic_table(table, baseline, measure))
    blocks.append(_milestones(own, table))
    return Section(f"seeds-{table.seeds}", _CONDITIONS[table.seeds], tuple(blocks))


def _curves(
    outcomes: Sequence[Outcome], table: Standings, statistics: Statistics, prefix: str
) -> list[Block]:
    places, measure = highlighted(table, statistics.baseline), statistics.measure
    plots: list[Plot] = curve_plots(outcomes, places, measure, prefix)
    topics = topics_plot(outcomes, places, measure, prefix)
    if topics is not None and len(table.topics) > 1:
        plots.append(topics)
    if not plots:
        return [Words("There are too few checkpoints for curves.")]
    told_so = [_GREY] if len(table.standings) > len(places) else []
    told_so += [_COMMON, *_without_curve(outcomes)]
    return [Words(" ".join(told_so)), Plots(tuple(plots))]


def _without_curve(outcomes: Sequence[Outcome]) -> list[str]:
    """Which topics are in no curve, in a sentence; nothing where all are."""
    known = [outcome for outcome in outcomes if outcome.final is not None]
    topics = dict.fromkeys(outcome.cell.topic for outcome in known)
    drawn = {outcome.cell.topic for outcome in known if len(outcome.checkpoints) > 1}
    missing = [cut(topic, 40) for topic in topics if topic not in drawn]
    if not missing:
        return []
    return [f"Not in the curves, since their runs have one checkpoint only: {', '.join(missing)}."]


def _milestones(outcomes: Sequence[Outcome], table: Standings) -> Folded:
    order = [each.strategy for each in table.standings]
    tables = tuple(
        milestone_rows(each, order)
        for each in milestone_tables(outcomes)
        if any(value.mean is not None for row in each.by_strategy.values() for value in row)
    )
    return Folded("All indicators at 100, 200, ... pages, as the papers print them", tables)


def _cost(outcomes: Sequence[Outcome]) -> list[Block]:
    failed = failed_table(outcomes)
    blocks: list[Block] = [] if failed is None else [failed]
    if any(outcome.final is not None for outcome in outcomes):
        blocks.append(cost_table(outcomes))
    return blocks or [Words("No run has finished.")]


def _repeat(folder: Path, comparison: Comparison) -> list[Block]:
    command = shlex.join(["scenthound", "compare", "--grid", str(folder / _GRID), "--out",
                          f"{folder.name}-again"])  # fmt: skip
    versions = ", ".join(f"{name} {value}" for name, value in comparison.versions.items())
    blocks: list[Block] = [Code("The command", command), Code(_GRID, _grid(folder, comparison))]
    return [*blocks, Words(f"Run with {versions}.")] if versions else blocks


def _grid(folder: Path, comparison: Comparison) -> str:
    """The grid file as it stands, or the grid as the results have it."""
    import tomlkit

    try:
        with (folder / _GRID).open(encoding="utf-8", errors="replace") as file:
            return file.read(_LARGEST_GRID)
    except OSError:
        return tomlkit.dumps({k: v for k, v in comparison.grid.items() if v is not None})
