"""The report of a comparison: which strategy is better than the baseline, by how much, on which
topics, at what cost.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from scenthound.core.errors import UnknownNameError
from scenthound.evaluation.comparison_folder import CRAWLS, GRID, run_name
from scenthound.evaluation.outcomes import Measure, Outcome
from scenthound.evaluation.results import Comparison, read_comparison
from scenthound.evaluation.standings import (
    ALL,
    TOPICS,
    Mean,
    MilestoneTable,
    Standing,
    Statistics,
    milestone_tables,
    significance_sentence,
)
from scenthound.evaluation.standings import Table as Standings
from scenthound.output.comparison_plots import (
    capitalize_first,
    curve_plots,
    differences_plot,
    highlighted,
    means_plot,
    topic_label,
    topics_plot,
)
from scenthound.output.document import (
    Block,
    Code,
    Column,
    Document,
    Fact,
    Facts,
    Folded,
    Paragraph,
    Plot,
    Plots,
    Section,
    Table,
    TableCell,
    format_number,
    make_table,
    shorten,
)
from scenthound.storage.folder import CrawlFolder

Rows = tuple[tuple[TableCell, ...], ...]
_BASELINE = "baseline"
_BEST = "*"


def standings_table(table: Standings, baseline: str, measure: Measure) -> Table:
    """Mean, difference, verdict, wins; all strategies, the best first."""
    deviation = any(each.seed_deviation is not None for each in table.standings)
    failed = any(each.failed for each in table.standings)
    columns = [
        Column("strategy", figures=False), Column(f"mean {measure.title}"), Column("95 % interval"),
        Column(f"less {baseline}"), Column("95 % interval"), Column("verdict", figures=False),
        Column("p", meaning="how often chance alone would make such a difference (flips of signs)"),
        Column("p (Holm)", meaning="the same, adjusted for the number of strategies"),
        Column("wins-ties-losses", meaning=f"{table.groups} against the baseline"),
        Column("best at", meaning=f"{table.groups} where no other strategy is better"),
        *([Column("seeds apart", meaning="deviation over random seeds")] if deviation else []),
        Column("runs"), *([Column("failed")] if failed else []),
    ]  # fmt: skip
    rows = [_standing_row(each, baseline, measure, deviation, failed) for each in table.standings]
    groups = "each topic counts once" if table.groups == TOPICS else "one topic: draws count"
    caption = f"All strategies, by {measure.title} ({groups})"
    return make_table(caption, columns, rows, _baseline_row(table, baseline))


def _baseline_row(table: Standings, baseline: str) -> frozenset[int]:
    names = [each.strategy for each in table.standings]
    return frozenset({names.index(baseline)} if baseline in names else ())


def _standing_row(
    each: Standing, baseline: str, measure: Measure, deviation: bool, failed: bool
) -> list[str | float | None]:
    digits, difference = measure.digits, each.difference
    verdict = _BASELINE if each.strategy == baseline else "-"
    compared: tuple[str | float | None, ...] = ("-", "-", verdict, "-", "-", "-")
    if difference is not None:
        won = difference.record
        compared = (
            f"{difference.mean.value:+,.{digits}f}",
            _format_interval(difference.mean, digits, "+"),
            difference.verdict,
            difference.p,
            difference.p_holm,
            f"{won.wins}-{won.ties}-{won.losses}",
        )
    mean = format_number(None if each.mean is None else each.mean.value, digits)
    apart = [each.seed_deviation] if deviation else []
    runs = [each.runs, each.failed] if failed else [each.runs]
    interval = _format_interval(each.mean, digits)
    return [shorten(each.strategy), mean, interval, *compared, each.best_at, *apart, *runs]


def _format_interval(mean: Mean | None, digits: int, sign: str = "") -> str:
    if mean is None or mean.interval is None:
        return "-"
    return f"{mean.interval.low:{sign},.{digits}f} to {mean.interval.high:{sign},.{digits}f}"


def by_topic_table(table: Standings, baseline: str, measure: Measure) -> Table:
    """A row a strategy, a column a topic; the best of each topic has a star."""
    topics = dict.fromkeys(table.topics)
    names = [Column(shorten(topic_label(topic, topics), 30)) for topic in topics]
    rows = []
    for each in table.standings:
        cells = [shorten(each.strategy)]
        for topic in topics:
            mark = _BEST if topic in each.best_topics else "\u2007"
            cells.append(f"{format_number(each.by_topic.get(topic), measure.digits)} {mark}")
        rows.append(cells)
    caption = f"{capitalize_first(measure.title)} by topic ({_BEST} best)"
    return make_table(caption, ["strategy:", *names], rows, _baseline_row(table, baseline))


def milestone_rows(table: MilestoneTable, order: Sequence[str]) -> Table:
    """One measure after so many pages, as the papers print it.

    A figure that is not over all runs of its strategy says over how many.
    """
    columns = ["strategy:", *(f"{at:,}" for at in table.pages), "at the end"]
    rows = []
    for name in order:
        cells = [shorten(name)]
        reached = table.by_strategy.get(name) or ()
        for each in reached:
            runs = f" ({each.runs:,})" if 0 < each.runs < reached[-1].runs else ""
            cells.append(f"{format_number(each.mean, table.measure.digits)}{runs}")
        if reached:
            rows.append(cells)
    return make_table(f"{capitalize_first(table.measure.title)} after so many pages", columns, rows)


def cost_table(outcomes: Sequence[Outcome]) -> Table:
    """Time, speed and memory by strategy, over the runs that did not fail."""
    gathered: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.final is not None:
            gathered.setdefault(outcome.cell.strategy, []).append(outcome)
    memory = Column("memory", meaning="highest of a process that ran it, in MB")
    columns = ("strategy:", "runs", "pages", "seconds a run", "pages a second", memory)
    rows: list[list[str | float | None]] = []
    for name, own in gathered.items():
        pages, seconds = sum(o.fetched for o in own), sum(o.seconds for o in own)
        speed = format_number(pages / seconds if seconds > 0 else None, 1)
        each = format_number(seconds / len(own), 1)
        used = f"{max(o.peak_rss_mb for o in own):,.0f} MB"
        rows.append([shorten(name), len(own), pages, each, speed, used])
    return make_table("By strategy, while other runs went on beside it", columns, rows)


def failed_table(outcomes: Sequence[Outcome]) -> Table:
    """The runs that failed, each with its sentence."""
    columns = ["web:", "topic:", "strategy:", "run:", "what happened:"]
    rows = [
        (
            shorten(o.cell.web),
            shorten(o.cell.topic),
            shorten(o.cell.strategy),
            f"{o.cell.seeds} seeds, draw {o.cell.draw}, random seed {o.cell.random_seed}",
            shorten(o.error or "it has no figures", 400),
        )
        for o in outcomes
        if o.final is None
    ]
    return make_table("Runs that failed", columns, rows)


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
    found = (means_plot(table, baseline, measure, prefix),
             differences_plot(table, baseline, measure, prefix))  # fmt: skip
    intervals = tuple(plot for plot in found if plot is not None)
    blocks: list[Block] = [Plots(intervals)] if intervals else []
    blocks.append(standings_table(table, baseline, measure))
    stand = significance_sentence(table)
    blocks += [Paragraph(stand)] if stand else []
    if table.seeds != ALL:
        blocks += _curve_blocks(own, table, statistics, prefix)
    blocks.append(by_topic_table(table, baseline, measure))
    blocks += _milestone_blocks(own, table)
    return Section(f"seeds-{table.seeds}", _CONDITIONS[table.seeds], tuple(blocks))


def _curve_blocks(
    outcomes: Sequence[Outcome], table: Standings, statistics: Statistics, prefix: str
) -> list[Block]:
    places, measure = highlighted(table, statistics.baseline), statistics.measure
    plots: list[Plot] = curve_plots(outcomes, places, measure, prefix)
    topics = topics_plot(outcomes, places, measure, prefix)
    if topics is not None and len(table.topics) > 1:
        plots.append(topics)
    if not plots:
        return [Paragraph("There are too few checkpoints for curves.")]
    notes = [_COLOURS_NOTE] if len(table.standings) > len(places) else []
    notes.append(_CURVES_NOTE)
    known = [outcome for outcome in outcomes if outcome.final is not None]
    names = dict.fromkeys(outcome.cell.topic for outcome in known)
    drawn = {outcome.cell.topic for outcome in known if len(outcome.checkpoints) > 1}
    missing = ", ".join(shorten(name, 40) for name in names if name not in drawn)
    if missing:
        notes.append(f"Not in the curves, since their runs have one checkpoint only: {missing}.")
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

_LARGEST_GRID = 200_000


def repeat_blocks(folder: Path, comparison: Comparison) -> list[Block]:
    """The command, the grid, the versions; and the crawls that were stored, where some were."""
    import tomlkit

    path = folder.resolve()
    command = shlex.join(["scenthound", "compare", "--grid", str(path / GRID), "--out",
                          f"{path.name}-again"])  # fmt: skip
    versions = ", ".join(f"{name} {value}" for name, value in comparison.versions.items())
    try:
        with (folder / GRID).open(encoding="utf-8", errors="replace") as file:
            grid = file.read(_LARGEST_GRID)
    except OSError:  # then as the results have it
        grid = tomlkit.dumps({k: v for k, v in comparison.grid.items() if v is not None})
    blocks: list[Block] = [Code("The command", command), Code(GRID, grid)]
    if versions:
        blocks.append(Paragraph(f"Run with {versions}."))
    crawls = path / CRAWLS
    there = [each for each in comparison.outcomes
             if CrawlFolder(crawls / run_name(each.cell)).order_path.exists()]  # fmt: skip
    if there:
        one = shlex.join(["scenthound", "report", str(crawls / run_name(there[0].cell))])
        stored = "1 crawl is" if len(there) == 1 else f"{len(there):,} crawls are"
        blocks.append(Code(f"{stored} stored in {crawls}. A report of the first one", one))
    return blocks


_NONE = "No run has finished."
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
    names = {outcome.cell.strategy for outcome in comparison.outcomes}
    if baseline is not None and baseline not in names:
        raise UnknownNameError("baseline", baseline, names)
    statistics = comparison.statistics(measure, baseline)
    several = len(statistics.tables) > 1
    sections = [
        Section("summary", "Summary", tuple(_summary(comparison, statistics))),
        *(condition_section(comparison.outcomes, table, statistics, several)
          for table in statistics.tables),
        Section("cost", "Cost", tuple(_cost_blocks(comparison.outcomes))),
        Section("repeat", "To run it again", tuple(repeat_blocks(folder, comparison))),
    ]  # fmt: skip
    return Document("Comparison", _title(comparison), _state(comparison, running), tuple(sections))


def _state(comparison: Comparison, running: bool) -> str:
    done, failed = len(comparison.outcomes), sum(o.final is None for o in comparison.outcomes)
    failures = f", {failed:,} of them failed" if failed else ""
    if comparison.finished:
        return f"finished; {_count(done, 'run')}{failures}"
    state = "under way" if running else "broken off"
    so_far = f"{_count(done, 'run')} so far"
    if comparison.planned is not None:
        so_far = f"{done:,} of {_count(comparison.planned, 'run')}"
    return f"not finished: {state}; {so_far}{failures}"


def _title(comparison: Comparison) -> str:
    if not comparison.outcomes:
        return "A comparison without a run so far"
    strategies, topics = _strategies_and_topics(comparison)
    named = "strategy" if strategies == 1 else "strategies"
    so_far = "" if comparison.finished else " so far"
    return f"{strategies} {named} on {_count(topics, 'topic')}{so_far}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _strategies_and_topics(comparison: Comparison) -> tuple[int, int]:
    cells = [outcome.cell for outcome in comparison.outcomes]
    return len({cell.strategy for cell in cells}), len({(cell.web, cell.topic) for cell in cells})


def _summary(comparison: Comparison, statistics: Statistics) -> list[Block]:
    pages = sum(outcome.fetched for outcome in comparison.outcomes)
    strategies, topics = _strategies_and_topics(comparison)
    unfinished = not comparison.finished and comparison.planned is not None
    planned = f"of {comparison.planned:,}" if unfinished else ""
    facts = [
        Fact("runs", format_number(len(comparison.outcomes)), planned),
        Fact("strategies", format_number(strategies)),
        Fact("topics", format_number(topics)),
        Fact("pages fetched", format_number(pages)),
        Fact("compared by", statistics.measure.title),
        Fact("baseline", statistics.baseline or "-"),
    ]
    warning = [] if comparison.finished else [Paragraph(_UNFINISHED, warns=True)]
    return [Facts(tuple(facts)), *warning,
            *(Paragraph(capitalize_first(each)) for each in statistics.remarks)]  # fmt: skip


def _cost_blocks(outcomes: Sequence[Outcome]) -> list[Block]:
    tables = [failed_table(outcomes), cost_table(outcomes)]
    return [table for table in tables if table.rows] or [Paragraph(_NONE)]
