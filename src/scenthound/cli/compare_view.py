"""How a comparison is shown: strategies against the baseline, topic by topic, what failed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from rich.console import Console

from scenthound.cli.compare_standings import print_standings
from scenthound.cli.compare_topics import print_topics
from scenthound.cli.screen import plain
from scenthound.comparison.looked_at import stand_sentence
from scenthound.comparison.model import Cell, Outcome
from scenthound.comparison.results_file import Comparison
from scenthound.comparison.standings import ALL, TOPICS, Statistics
from scenthound.comparison.wins import LEAST_GROUPS, TOO_FEW, TOO_FEW_DRAWS

_MOST_REASONS = 10
_INTERVAL = "interval: 95 %, bootstrap over {groups}. "
_LEGEND = (
    "best at: {groups} where no other is better. difference: to the baseline, over what both have. "
    "w/t/l: {groups} won, tied, lost against it. verdict: by the interval of the difference."
)
_P = "p: how often chance alone would make such a difference (flips of signs)."
_FEW = "Intervals over fewer than {least} {groups} are narrower than they should be: no verdict."
_DEVIATION = "seeds: deviation over random seeds."


def print_comparison(
    comparison: Comparison, screen: Console, *, measure: str | None = None
) -> None:
    """All strategies by their means, under each seed condition and under all together.

    Parameters
    ----------
    comparison : finished or not; where no run is, that is what is said.
    screen : where to.
    measure : the figure to compare by; by default that of the grid, or what proves most.
    """
    statistics = comparison.statistics(measure)
    for table in statistics.tables:
        print_standings(table, statistics.measure, statistics.baseline, screen)
        if stand := stand_sentence(table):
            screen.print(stand, style="dim")
        screen.print()
        if table.seeds != ALL:  # whose topics are but the means of those above
            print_topics(table, statistics.measure, screen)
    if statistics.tables:
        _print_legend(statistics, screen)
    for sentence in statistics.remarks:
        screen.print(plain(f"Note: {sentence}"), soft_wrap=True)
    if not comparison.finished:
        told = f"Note: the comparison is not finished; {len(comparison.outcomes):,} runs are over."
        screen.print(told, soft_wrap=True)
    print_failed(comparison.outcomes, screen)


def _print_legend(statistics: Statistics, screen: Console) -> None:
    """What the columns are; only of those that are there."""
    standings = [each for table in statistics.tables for each in table.standings]
    differences = [each.difference for each in standings if each.difference is not None]
    spread = any(each.mean is not None and each.mean.interval is not None for each in standings)
    groups = statistics.tables[0].groups if spread else TOPICS
    lines = [f"{_INTERVAL if spread else ''}{_LEGEND}".format(groups=groups)]
    if any(each.p is not None for each in differences):
        lines.append(_P)
    if spread and any(each.verdict in (TOO_FEW, TOO_FEW_DRAWS) for each in differences):
        lines.append(_FEW.format(least=LEAST_GROUPS, groups=groups))
    if any(each.seed_deviation is not None for each in standings):
        lines.append(_DEVIATION)
    for line in lines:
        screen.print(line, style="dim")


def print_failed(outcomes: Sequence[Outcome], screen: Console) -> None:
    """Why runs failed, a line for each strategy and reason, the most frequent first.

    Nothing is printed where none did.
    """
    runs = Counter(outcome.cell.strategy for outcome in outcomes)
    found: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for outcome in outcomes:
        if outcome.final is None:
            found[outcome.cell.strategy, outcome.error].append(outcome.cell)
    reasons = sorted(found.items(), key=lambda pair: -len(pair[1]))
    for (strategy, reason), cells in reasons[:_MOST_REASONS]:
        told = f"failed: {strategy} {_where(cells, runs[strategy])}: {reason}"
        screen.print(plain(told), soft_wrap=True)
    if len(reasons) > _MOST_REASONS:
        told = f"failed: {len(reasons) - _MOST_REASONS:,} more reasons are in comparison.json."
        screen.print(told)


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
