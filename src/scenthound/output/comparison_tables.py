"""The tables of a comparison: standings against the baseline, figures by topic and after so many
pages as the papers print them, cost, runs that failed.
"""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.evaluation.milestones import MilestoneTable
from scenthound.evaluation.outcomes import Measure, Outcome
from scenthound.evaluation.standings import TOPICS, Mean, Standing
from scenthound.evaluation.standings import Table as Standings
from scenthound.output.comparison_plots import capitalize_first, topic_label
from scenthound.output.document import Column, Table, format_number, make_table, shorten

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
