"""The tables of a comparison."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.comparison.measures import Measure
from scenthound.comparison.milestones import MilestoneTable, Reached
from scenthound.comparison.model import Outcome
from scenthound.comparison.pairing import Topic
from scenthound.comparison.standings import TOPICS, Mean, Standing
from scenthound.comparison.standings import Table as Standings
from scenthound.reporting.comparison_plots import capital, told_topic
from scenthound.reporting.document import Column, Entry, Table, told
from scenthound.reporting.visible_text import cut

Rows = tuple[tuple[Entry, ...], ...]
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
    rows = tuple(_standing(each, baseline, measure, deviation, failed) for each in table.standings)
    strong = frozenset(
        place for place, each in enumerate(table.standings) if each.strategy == baseline
    )
    groups = "each topic counts once" if table.groups == TOPICS else "one topic: draws count"
    return Table(tuple(columns), rows, f"All strategies, by {measure.title} ({groups})", strong)


def _standing(
    each: Standing, baseline: str, measure: Measure, deviation: bool, failed: bool
) -> tuple[Entry, ...]:
    digits, difference = measure.digits, each.difference
    verdict = _BASELINE if each.strategy == baseline else "-"
    compared: tuple[Entry, ...] = ("-", "-", verdict, "-", "-", "-")
    if difference is not None:
        won = difference.record
        compared = (
            _signed(difference.mean.value, digits), _between(difference.mean, digits, signed=True),
            difference.verdict, told(difference.p), told(difference.p_holm),
            f"{won.wins}-{won.ties}-{won.losses}",
        )  # fmt: skip
    apart = (told(each.seed_deviation),) if deviation else ()
    mean = None if each.mean is None else each.mean.value
    return (
        cut(each.strategy), told(mean, digits), _between(each.mean, digits), *compared,
        told(each.best_at), *apart, told(each.runs), *((told(each.failed),) if failed else ()),
    )  # fmt: skip


def _between(mean: Mean | None, digits: int, signed: bool = False) -> str:
    if mean is None or mean.interval is None:
        return "-"
    written = _signed if signed else told
    return f"{written(mean.interval.low, digits)} to {written(mean.interval.high, digits)}"


def _signed(value: float, digits: int = 3) -> str:
    return f"{value:+,.{digits}f}"


def by_topic_table(table: Standings, baseline: str, measure: Measure) -> Table:
    """A row a strategy, a column a topic; the best of each topic has a star."""
    topics = dict.fromkeys(table.topics)
    columns = (Column("strategy", figures=False),
               *(Column(cut(told_topic(topic, topics), 30)) for topic in topics))  # fmt: skip
    rows: Rows = tuple(
        (cut(each.strategy),
         *(_starred(each, topic, measure) for topic in topics))
        for each in table.standings
    )  # fmt: skip
    strong = frozenset(
        place for place, each in enumerate(table.standings) if each.strategy == baseline
    )
    return Table(columns, rows, f"{capital(measure.title)} by topic ({_BEST} best)", strong)


def _starred(standing: Standing, topic: Topic, measure: Measure) -> str:
    value = told(standing.by_topic.get(topic), measure.digits)
    return f"{value} {_BEST}" if topic in standing.best_topics else f"{value} \u2007"


def milestone_rows(table: MilestoneTable, order: Sequence[str]) -> Table:
    """One measure after so many pages, as the papers print it.

    A figure that is not over all runs of its strategy says over how many.
    """
    columns = (Column("strategy", figures=False), *(Column(f"{at:,}") for at in table.pages),
               Column("at the end"))  # fmt: skip
    rows: Rows = tuple(
        (cut(name), *(_reached(each, found[-1].runs, table.measure) for each in found))
        for name in order
        if (found := table.by_strategy.get(name))
    )
    return Table(columns, rows, f"{capital(table.measure.title)} after so many pages")


def _reached(reached: Reached, runs: int, measure: Measure) -> str:
    number = f" ({reached.runs:,})" if 0 < reached.runs < runs else ""
    return f"{told(reached.mean, measure.digits)}{number}"


def cost_table(outcomes: Sequence[Outcome]) -> Table:
    """Time, speed and memory by strategy, over the runs that did not fail."""
    gathered: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.final is not None:
            gathered.setdefault(outcome.cell.strategy, []).append(outcome)
    columns = (Column("strategy", figures=False), Column("runs"), Column("pages"),
               Column("seconds a run"), Column("pages a second"),
               Column("memory", meaning="highest of a process that ran it, in MB"))  # fmt: skip
    return Table(columns, tuple(_cost(name, own) for name, own in gathered.items()),
                 "By strategy, while other runs went on beside it")  # fmt: skip


def _cost(name: str, outcomes: Sequence[Outcome]) -> tuple[Entry, ...]:
    pages, seconds = sum(o.fetched for o in outcomes), sum(o.seconds for o in outcomes)
    speed = pages / seconds if seconds > 0 else None
    memory = max(outcome.peak_rss_mb for outcome in outcomes)
    return (cut(name), told(len(outcomes)), told(pages), told(seconds / len(outcomes), 1),
            told(speed, 1), f"{memory:,.0f} MB")  # fmt: skip


def failed_table(outcomes: Sequence[Outcome]) -> Table | None:
    """The runs that failed, each with its sentence; None for none."""
    failed = [outcome for outcome in outcomes if outcome.final is None]
    if not failed:
        return None
    columns = tuple(Column(name, figures=False) for name in ("web", "topic", "strategy", "run",
                                                             "what happened"))  # fmt: skip
    rows: Rows = tuple(
        (cut(o.cell.web), cut(o.cell.topic), cut(o.cell.strategy),
         f"{o.cell.seeds} seeds, draw {o.cell.draw}, random seed {o.cell.random_seed}",
         cut(o.error or "it has no figures", 400))
        for o in failed
    )  # fmt: skip
    return Table(columns, rows, "Runs that failed")
