"""The report of a comparison: which strategy is better than the baseline, by how much, on which
topics, at what cost.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from scenthound.core.errors import UnknownNameError
from scenthound.evaluation.comparison_folder import CRAWLS, GRID, crawl_path
from scenthound.evaluation.outcomes import Outcome
from scenthound.evaluation.results import Comparison, read_comparison
from scenthound.evaluation.standings import ALL, Statistics, milestone_tables, significance_sentence
from scenthound.evaluation.standings import Table as Standings
from scenthound.output.plots.comparison import (
    capitalize_first,
    curve_plots,
    highlighted,
    interval_plots,
    topics_plot,
)
from scenthound.output.report.comparison_tables import (
    by_topic_table,
    cost_table,
    failed_table,
    milestone_rows,
    standings_table,
)
from scenthound.output.report.document import (
    Block,
    Code,
    Document,
    Fact,
    Facts,
    Folded,
    Paragraph,
    Plots,
    Section,
    format_number,
    shorten,
)

# What a report tells of one seed condition: means, differences, curves, topics, milestones.

_CONDITIONS = {
    "given": "Seeds of the topic files",
    "relevant": "Relevant seeds",
    "irrelevant": "Irrelevant seeds",
    ALL: "All seeds together",
}
_COLOURS_NOTE = (
    "The best strategies and the baseline have colours of their own, the others are thin lines."
)
_CURVES_NOTE = (
    "Each curve goes as far as all runs of its strategy do; between checkpoints it is a straight "
    "line."
)
_MILESTONES_NOTE = (
    "Each figure is the mean of the runs that got so far; their number stands in brackets where it "
    "is not all of them, so that the mean may be over other topics than its neighbours."
)


def condition_section(
    outcomes: Sequence[Outcome], table: Standings, statistics: Statistics, several: bool
) -> Section:
    """All about one seed condition; what is over all of them has no curves."""
    own = [each for each in outcomes if table.seeds in (ALL, each.cell.seeds)]
    baseline, measure = statistics.baseline, statistics.measure
    prefix = f"{table.seeds}-" if several else ""
    intervals = tuple(interval_plots(table, baseline, measure, prefix))
    stand = significance_sentence(table)
    blocks: list[Block] = [
        *([Plots(intervals)] if intervals else []),
        standings_table(table, baseline, measure),
        *([Paragraph(stand)] if stand else []),
        *([] if table.seeds == ALL else _curve_blocks(own, table, statistics, prefix)),
        by_topic_table(table, baseline, measure),
        *_milestone_blocks(own, table),
    ]
    return Section(f"seeds-{table.seeds}", _CONDITIONS[table.seeds], tuple(blocks))


def _curve_blocks(
    outcomes: Sequence[Outcome], table: Standings, statistics: Statistics, prefix: str
) -> list[Block]:
    places, measure = highlighted(table, statistics.baseline), statistics.measure
    plots = list(curve_plots(outcomes, places, measure, prefix))
    topics = topics_plot(outcomes, places, measure, prefix)
    if topics is not None and len(table.topics) > 1:
        plots.append(topics)
    if not plots:
        return [Paragraph("There are too few checkpoints for curves.")]
    notes = [_COLOURS_NOTE] if len(table.standings) > len(places) else []
    notes.append(_CURVES_NOTE)
    known = [outcome for outcome in outcomes if outcome.final is not None]
    drawn = {outcome.cell.topic for outcome in known if len(outcome.checkpoints) > 1}
    missing = dict.fromkeys(o.cell.topic for o in known if o.cell.topic not in drawn)
    if missing:
        names = ", ".join(shorten(name, 40) for name in missing)
        notes.append(f"Not in the curves, since their runs have one checkpoint only: {names}.")
    return [Paragraph(" ".join(notes)), Plots(tuple(plots))]


def _milestone_blocks(outcomes: Sequence[Outcome], table: Standings) -> list[Block]:
    """The papers' tables; nothing where no run has a figure."""
    order = [each.strategy for each in table.standings]
    tables = tuple(
        milestone_rows(each, order)
        for each in milestone_tables(outcomes)
        if any(value.mean is not None for row in each.by_strategy.values() for value in row)
    )
    title = "All indicators after so many pages, as the papers print them"
    return [Folded(title, (Paragraph(_MILESTONES_NOTE), *tables))] if tables else []


# What it takes to run a comparison again, and to look at single runs of it.


def repeat_blocks(folder: Path, comparison: Comparison) -> list[Block]:
    """The command, the grid, the versions; and the crawls that were stored, where some were."""
    import tomlkit

    path = folder.resolve()
    command = shlex.join(["scenthound", "compare", "--grid", str(path / GRID), "--out",
                          f"{path.name}-again"])  # fmt: skip
    grid = tomlkit.dumps({k: v for k, v in comparison.grid.items() if v is not None})
    blocks: list[Block] = [Code("The command", command), Code(GRID, grid)]
    if comparison.versions:
        versions = ", ".join(f"{name} {value}" for name, value in comparison.versions.items())
        blocks.append(Paragraph(f"Run with {versions}."))
    crawls = [crawl_path(path / CRAWLS, each.cell) for each in comparison.outcomes]
    there = [crawl.path for crawl in crawls if crawl.spec_path.exists()]
    if there:
        one = shlex.join(["scenthound", "report", str(there[0])])
        stored = "1 crawl is" if len(there) == 1 else f"{len(there):,} crawls are"
        caption = f"{stored} stored in {path / CRAWLS}. A report of the first one"
        blocks.append(Code(caption, one))
    return blocks


_UNFINISHED = (
    "The comparison is not finished: runs that are missing may change every figure. The same "
    "command with the same --out goes on with it."
)


def comparison_document(
    folder: Path, baseline: str | None, measure: str | None, running: bool = False
) -> Document:
    """The report of the comparison in a folder, finished or under way.

    Parameters
    ----------
    folder : that ``scenthound compare`` wrote.
    baseline : strategy to compare with; None for that of the grid.
    measure : name of the figure to compare by; None for that of the grid.
    running : does a process compare in the folder now?

    FolderError where there is none; UnknownNameError for names that there are not.
    """
    comparison = read_comparison(folder)
    outcomes, finished = comparison.outcomes, comparison.finished
    strategies = {outcome.cell.strategy for outcome in outcomes}
    if baseline is not None and baseline not in strategies:
        raise UnknownNameError("baseline", baseline, strategies)
    statistics = comparison.statistics(measure, baseline)
    several = len(statistics.tables) > 1
    topics = {(outcome.cell.web, outcome.cell.topic) for outcome in outcomes}
    planned = None if finished else comparison.planned
    facts = (
        Fact("runs", format_number(len(outcomes)), "" if planned is None else f"of {planned:,}"),
        Fact("strategies", format_number(len(strategies))),
        Fact("topics", format_number(len(topics))),
        Fact("pages fetched", format_number(sum(outcome.fetched for outcome in outcomes))),
        Fact("compared by", statistics.measure.title),
        Fact("baseline", statistics.baseline or "-"),
    )
    warning = [] if finished else [Paragraph(_UNFINISHED, warns=True)]
    remarks = [Paragraph(capitalize_first(each)) for each in statistics.remarks]
    costs = [each for each in (failed_table(outcomes), cost_table(outcomes)) if each.rows]
    sections = (
        Section("summary", "Summary", (Facts(facts), *warning, *remarks)),
        *(condition_section(outcomes, table, statistics, several) for table in statistics.tables),
        Section("cost", "Cost", tuple(costs) or (Paragraph("No run has finished."),)),
        Section("repeat", "To run it again", tuple(repeat_blocks(folder, comparison))),
    )
    named = "1 strategy" if len(strategies) == 1 else f"{len(strategies)} strategies"
    title = f"{named} on {_count(len(topics), 'topic')}{'' if finished else ' so far'}"
    if not outcomes:
        title = "A comparison without a run so far"
    return Document("Comparison", title, _state(comparison, running), sections)


def _state(comparison: Comparison, running: bool) -> str:
    done, failed = len(comparison.outcomes), sum(o.final is None for o in comparison.outcomes)
    failures = f", {failed:,} of them failed" if failed else ""
    if comparison.finished:
        return f"finished; {_count(done, 'run')}{failures}"
    so_far = f"{_count(done, 'run')} so far"
    if comparison.planned is not None:
        so_far = f"{done:,} of {_count(comparison.planned, 'run')}"
    return f"not finished: {'under way' if running else 'broken off'}; {so_far}{failures}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
