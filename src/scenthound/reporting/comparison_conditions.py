"""What a report tells of one seed condition: means, differences, curves, topics, milestones."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.comparison.looked_at import stand_sentence
from scenthound.comparison.milestones import milestone_tables
from scenthound.comparison.model import Outcome
from scenthound.comparison.standings import ALL, Statistics
from scenthound.comparison.standings import Table as Standings
from scenthound.reporting.comparison_plots import (
    curve_plots,
    differences_plot,
    highlighted,
    means_plot,
    topics_plot,
)
from scenthound.reporting.comparison_tables import by_topic_table, milestone_rows, standings_table
from scenthound.reporting.document import Block, Folded, Plot, Plots, Section, Words
from scenthound.reporting.visible_text import cut

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
_REACHED = (
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
    found = (means_plot(table, baseline, measure, prefix),
             differences_plot(table, baseline, measure, prefix))  # fmt: skip
    intervals = tuple(plot for plot in found if plot is not None)
    blocks: list[Block] = [Plots(intervals)] if intervals else []
    blocks.append(standings_table(table, baseline, measure))
    stand = stand_sentence(table)
    blocks += [Words(stand)] if stand else []
    if table.seeds != ALL:
        blocks += _curves(own, table, statistics, prefix)
    blocks.append(by_topic_table(table, baseline, measure))
    blocks += _milestones(own, table)
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


def _milestones(outcomes: Sequence[Outcome], table: Standings) -> list[Block]:
    """The papers' tables; nothing where no run has a figure."""
    order = [each.strategy for each in table.standings]
    tables = tuple(
        milestone_rows(each, order)
        for each in milestone_tables(outcomes)
        if any(value.mean is not None for row in each.by_strategy.values() for value in row)
    )
    title = "All indicators after so many pages, as the papers print them"
    return [Folded(title, (Words(_REACHED), *tables))] if tables else []
