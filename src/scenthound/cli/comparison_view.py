"""Tables of a comparison: strategies against the baseline, topic by topic, and the runs that
failed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from rich.console import Console

from scenthound.cli.screen import cut, figure, print_figures, say
from scenthound.evaluation import standings
from scenthound.evaluation.outcomes import Cell, Measure, Outcome
from scenthound.evaluation.results import Comparison
from scenthound.evaluation.statistics import LEAST_GROUPS, TOO_FEW, TOO_FEW_DRAWS, Topic

Column = tuple[str, list[str]]
"""The head of a column, and its cells."""
_NAME = 12
"""Characters that a name is left at least."""
_LONGEST = 12
"""Characters of a topic's name at the head of a column, if they are unique."""
_NAMES = 20
"""Characters that are left to the names of strategies; longer ones break."""
_BEST = "*"
_MOST_REASONS = 10
_INTERVAL = "interval: 95 %, bootstrap over {groups}. "
_LEGEND = (
    "best at: {groups} where no other is better. difference: to the baseline, over what both have. "
    "w/t/l: {groups} won, tied, lost against it. verdict: by the interval of the difference."
)
_P = "p: how often chance alone would make such a difference (flips of signs)."
_FEW = "Intervals over fewer than {least} {groups} are narrower than they should be: no verdict."
_DEVIATION = "seeds: deviation over random seeds."


def print_standings(
    table: standings.Table, measure: Measure, baseline: str, screen: Console
) -> None:
    """One table where the screen is wide enough, otherwise one for means and one for differences.

    ``table`` has the strategies under one seed condition, or under all.
    """
    means, differences = _means(table, measure), _differences(table, measure, baseline)
    title = f"{measure.title}{' (lower is better)' if measure.lower_is_better else ''}, "
    title += "all seeds together" if table.seeds == standings.ALL else f"{table.seeds} seeds"
    both = [*means, *differences]
    if _NAME + sum(1 + max(map(len, (head, *cells))) for head, cells in both) <= screen.width:
        _print(title, both, table, screen)
        return
    _print(title, means, table, screen)
    screen.print()
    _print(f"{title}, against the baseline", differences, table, screen)


def _print(title: str, columns: Sequence[Column], table: standings.Table, screen: Console) -> None:
    rows = [
        (standing.strategy, [cells[place] for _, cells in columns])
        for place, standing in enumerate(table.standings)
    ]
    print_figures(title, "strategy", [head for head, _ in columns], rows, screen)


def _means(table: standings.Table, measure: Measure) -> list[Column]:
    """Without the columns that would say nothing, or the same in every row."""
    rows, form = table.standings, f".{measure.digits}f"
    columns: list[Column] = [
        ("mean", [_shown(each.mean.value if each.mean else None, form) for each in rows]),
        ("interval", [_limits(each.mean, form) for each in rows]),
        ("best at", [str(each.best_at) for each in rows]),
    ]
    if any(each.seed_deviation is not None for each in rows):
        columns.append(("seeds", [figure(each.seed_deviation, measure.digits) for each in rows]))
    counts = [str(each.mean.groups if each.mean else 0) for each in rows]
    return [*columns, (table.groups, counts)] if len(set(counts)) > 1 else columns


def _differences(table: standings.Table, measure: Measure, baseline: str) -> list[Column]:
    rows, form = table.standings, f"+.{measure.digits}f"
    found = [each.difference for each in rows]
    columns: list[Column] = [
        ("difference", [_shown(each.mean.value if each else None, form) for each in found]),
        ("interval", [_limits(each.mean if each else None, form) for each in found]),
        ("p", [figure(each.p if each else None) for each in found]),
        ("w/t/l", ["/".join(map(str, each.record)) if each else "-" for each in found]),
        ("verdict", [_verdict(each, baseline) for each in rows]),
    ]
    if all(each is None or each.p is None for each in found):
        del columns[2]
    return columns


def _verdict(standing: standings.Standing, baseline: str) -> str:
    if standing.strategy == baseline:
        return "baseline"
    return standing.difference.verdict if standing.difference else "-"


def _limits(mean: standings.Mean | None, form: str) -> str:
    if mean is None or mean.interval is None:
        return "-"
    return f"{_shown(mean.interval.low, form)} to {_shown(mean.interval.high, form)}"


def _shown(value: float | None, form: str) -> str:
    """The number, a dash for None; a number that rounds to zero has no minus."""
    if value is None:
        return "-"
    text = f"{value:{form}}"
    return text if float(text) else f"{0.0:{form}}"


def print_topics(table: standings.Table, measure: Measure, screen: Console) -> None:
    """A row for each strategy, a column for each topic; the best of each topic has a star.

    Nothing for a single topic: the table above has its figures.
    """
    if len(table.topics) < 2:
        return
    cells = [
        [
            figure(each.by_topic.get(topic), measure.digits)
            + (_BEST if topic in each.best_topics else " ")
            for each in table.standings
        ]
        for topic in table.topics
    ]
    heads = _heads(table.topics)
    widths = [max(map(len, (head, *c))) for head, c in zip(heads, cells, strict=True)]
    room = screen.width - min(_NAMES, max(len(each.strategy) for each in table.standings))
    for start, end in _chunks(widths, room):
        rows = [
            (each.strategy, [column[place] for column in cells[start:end]])
            for place, each in enumerate(table.standings)
        ]
        title = f"by topic ({_BEST} best)"
        print_figures(title, "strategy", heads[start:end], rows, screen)
        screen.print()


def _heads(topics: Sequence[Topic]) -> list[str]:
    """The topics' names, with their webs where there are several; cut where they stay apart."""
    several = len({topic.web for topic in topics}) > 1
    names = [f"{topic.web}: {topic.topic}" if several else topic.topic for topic in topics]
    short = [cut(name, _LONGEST) for name in names]
    return short if len(set(short)) == len(set(names)) else names


def _chunks(widths: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    """Which columns stand beside each other, each with a space before it; at least one does."""
    start, used = 0, 0
    for place, width in enumerate(widths):
        if place > start and used + width + 1 > room:
            yield start, place
            start, used = place, 0
        used += width + 1
    if widths:
        yield start, len(widths)


def print_comparison(
    comparison: Comparison, screen: Console, *, measure: str | None = None
) -> None:
    """All strategies by their means, under each seed condition and under all together.

    ``measure`` is the figure to compare by; by default that of the grid, or what proves most.
    """
    statistics = comparison.statistics(measure)
    for table in statistics.tables:
        print_standings(table, statistics.measure, statistics.baseline, screen)
        if stand := standings.significance_sentence(table):
            screen.print(stand, style="dim")
        screen.print()
        if table.seeds != standings.ALL:  # whose topics are but the means of those above
            print_topics(table, statistics.measure, screen)
    if statistics.tables:
        _print_legend(statistics, screen)
    for sentence in statistics.remarks:
        say(f"Note: {sentence}", screen)
    if not comparison.finished:
        over = f"{len(comparison.outcomes):,} runs are over"
        say(f"Note: the comparison is not finished; {over}.", screen)
    print_failed(comparison.outcomes, screen)


def _print_legend(statistics: standings.Statistics, screen: Console) -> None:
    """What the columns are; only of those that are there."""
    rows = [each for table in statistics.tables for each in table.standings]
    differences = [each.difference for each in rows if each.difference is not None]
    spread = any(each.mean is not None and each.mean.interval is not None for each in rows)
    groups = statistics.tables[0].groups if spread else standings.TOPICS
    lines = [f"{_INTERVAL if spread else ''}{_LEGEND}".format(groups=groups)]
    if any(each.p is not None for each in differences):
        lines.append(_P)
    if spread and any(each.verdict in (TOO_FEW, TOO_FEW_DRAWS) for each in differences):
        lines.append(_FEW.format(least=LEAST_GROUPS, groups=groups))
    if any(each.seed_deviation is not None for each in rows):
        lines.append(_DEVIATION)
    for line in lines:
        screen.print(line, style="dim")


def print_failed(outcomes: Sequence[Outcome], screen: Console) -> None:
    """Why runs failed, a line for each strategy and reason, the most frequent first."""
    runs = Counter(outcome.cell.strategy for outcome in outcomes)
    found: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for outcome in outcomes:
        if outcome.final is None:
            found[outcome.cell.strategy, outcome.error].append(outcome.cell)
    reasons = sorted(found.items(), key=lambda pair: -len(pair[1]))
    for (strategy, reason), cells in reasons[:_MOST_REASONS]:
        say(f"failed: {strategy} {_where(cells, runs[strategy])}: {reason}", screen)
    if len(reasons) > _MOST_REASONS:
        more = len(reasons) - _MOST_REASONS
        say(f"failed: {more:,} more reasons are in comparison.json.", screen)


def _where(cells: Sequence[Cell], of: int) -> str:
    """The run that failed, or how many of a strategy's runs did, and one of them."""
    first = cells[0]
    run = (
        f"on {first.topic} ({first.web}, {first.seeds} seeds, draw {first.draw}, "
        f"random seed {first.random_seed})"
    )
    if len(cells) == 1:
        return run
    share = f"all {of:,}" if len(cells) == of else f"{len(cells):,} of {of:,}"
    return f"in {share} runs, such as {run}"
