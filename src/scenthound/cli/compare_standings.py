"""The table of strategies: how good each is, and how good against the baseline."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from scenthound.cli.figure_table import print_figures
from scenthound.cli.screen import figure
from scenthound.comparison.measures import Measure
from scenthound.comparison.standings import ALL, Mean, Standing, Table

Column = tuple[str, list[str]]
"""The head of a column, and its cells."""
_NAME = 12
"""Characters that a name is left at least."""


def print_standings(table: Table, measure: Measure, baseline: str, screen: Console) -> None:
    """One table where the screen is wide enough, otherwise one for means and one for differences.

    Parameters
    ----------
    table : strategies under one seed condition, or under all.
    measure : what they were compared by.
    baseline : the strategy that the others were compared with.
    screen : where to.
    """
    means, differences = _means(table, measure), _differences(table, measure, baseline)
    title = _title(table, measure)
    if _width([*means, *differences]) <= screen.width:
        _print(title, [*means, *differences], table, screen)
        return
    _print(title, means, table, screen)
    screen.print()
    _print(f"{title}, against the baseline", differences, table, screen)


def _print(title: str, columns: Sequence[Column], table: Table, screen: Console) -> None:
    rows = [
        (standing.strategy, [cells[place] for _, cells in columns])
        for place, standing in enumerate(table.standings)
    ]
    print_figures(title, "strategy", [head for head, _ in columns], rows, screen)


def _width(columns: Sequence[Column]) -> int:
    return _NAME + sum(1 + max(map(len, (head, *cells))) for head, cells in columns)


def _title(table: Table, measure: Measure) -> str:
    words = f"{measure.title}{' (lower is better)' if measure.lower_is_better else ''}"
    return f"{words}, {'all seeds together' if table.seeds == ALL else f'{table.seeds} seeds'}"


def _means(table: Table, measure: Measure) -> list[Column]:
    """Without the columns that would say nothing, or the same in every row."""
    rows, form = table.standings, f".{measure.digits}f"
    columns: list[Column] = [
        ("mean", [_value(each.mean, form) for each in rows]),
        ("interval", [_limits(each.mean, form) for each in rows]),
        ("best at", [str(each.best_at) for each in rows]),
    ]
    if any(each.seed_deviation is not None for each in rows):
        columns.append(("seeds", [figure(each.seed_deviation, measure.digits) for each in rows]))
    counts = [str(each.mean.groups if each.mean else 0) for each in rows]
    return [*columns, (table.groups, counts)] if len(set(counts)) > 1 else columns


def _differences(table: Table, measure: Measure, baseline: str) -> list[Column]:
    rows, form = table.standings, f"+.{measure.digits}f"
    found = [each.difference for each in rows]
    columns: list[Column] = [
        ("difference", [_value(each.mean if each else None, form) for each in found]),
        ("interval", [_limits(each.mean if each else None, form) for each in found]),
        ("p", [figure(each.p if each else None) for each in found]),
        ("w/t/l", ["/".join(map(str, each.record)) if each else "-" for each in found]),
        ("verdict", [_verdict(each, baseline) for each in rows]),
    ]
    if all(each is None or each.p is None for each in found):
        del columns[2]
    return columns


def _verdict(standing: Standing, baseline: str) -> str:
    if standing.strategy == baseline:
        return "baseline"
    return standing.difference.verdict if standing.difference else "-"


def _value(mean: Mean | None, form: str) -> str:
    return _shown(mean.value, form) if mean else "-"


def _limits(mean: Mean | None, form: str) -> str:
    if mean is None or mean.interval is None:
        return "-"
    return f"{_shown(mean.interval.low, form)} to {_shown(mean.interval.high, form)}"


def _shown(value: float, form: str) -> str:
    """The number; what rounds to zero is not shown as less than it."""
    text = f"{value:{form}}"
    return text if float(text) else f"{0.0:{form}}"
