"""The tables of a comparison: standings against the baseline, figures by topic and after so many
pages as the papers print them, cost, runs that failed.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.evaluation.outcomes import Measure, Outcome
from scenthound.evaluation.standings import TOPICS, Mean, MilestoneTable, Standing
from scenthound.evaluation.standings import Table as Standings
from scenthound.output.plots.comparison import capitalize_first, topic_label
from scenthound.output.report.document import Column, Table, format_number, make_table, shorten

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
    rows = [
        (
            shorten(each.strategy),
            *_format_mean(each.mean, measure.digits),
            *_compared(each, baseline, measure.digits),
            each.best_at,
            *([each.seed_deviation] if deviation else []),
            each.runs,
            *([each.failed] if failed else []),
        )
        for each in table.standings
    ]
    groups = "each topic counts once" if table.groups == TOPICS else "one topic: draws count"
    caption = f"All strategies, by {measure.title} ({groups})"
    return make_table(caption, columns, rows, _baseline_row(table, baseline))


def _baseline_row(table: Standings, baseline: str) -> frozenset[int]:
    return frozenset(row for row, each in enumerate(table.standings) if each.strategy == baseline)


def _compared(each: Standing, baseline: str, digits: int) -> tuple[str | float | None, ...]:
    """The cells on the difference to the baseline."""
    found = each.difference
    if found is None:
        return ("-", "-", "baseline" if each.strategy == baseline else "-", "-", "-", "-")
    record = "-".join(map(str, found.record))
    return (*_format_mean(found.mean, digits, "+"), found.verdict, found.p, found.p_holm, record)


def _format_mean(mean: Mean | None, digits: int, sign: str = "") -> tuple[str, str]:
    """A mean and its interval; dashes for none."""
    if mean is None:
        return "-", "-"
    value, *limits = (f"{each:{sign},.{digits}f}" for each in (mean.value, *(mean.interval or ())))
    return value, " to ".join(limits) or "-"


def by_topic_table(table: Standings, baseline: str, measure: Measure) -> Table:
    """A row a strategy, a column a topic; the best of each topic has a star."""
    names = [Column(shorten(topic_label(topic, table.topics), 30)) for topic in table.topics]
    rows = []
    for each in table.standings:
        cells = [shorten(each.strategy)]
        for topic in table.topics:
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
        cells, reached = [shorten(name)], table.by_strategy[name]
        for each in reached:
            runs = f" ({each.runs:,})" if 0 < each.runs < reached[-1].runs else ""
            cells.append(f"{format_number(each.mean, table.measure.digits)}{runs}")
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
            *(shorten(name) for name in (o.cell.web, o.cell.topic, o.cell.strategy)),
            f"{o.cell.seeds} seeds, draw {o.cell.draw}, random seed {o.cell.random_seed}",
            shorten(o.error or "it has no figures", 400),
        )
        for o in outcomes
        if o.final is None
    ]
    return make_table("Runs that failed", columns, rows)
