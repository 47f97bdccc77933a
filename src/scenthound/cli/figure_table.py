"""Tables of figures, none of which is ever cut: on a narrow screen each stands in its own line."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from scenthound.cli.screen import plain, table

Named = tuple[str, Sequence[str]]
"""What a row is called, and its figures."""
_LEAST_NAME = 12
"""Names may break, but not into narrower pieces."""


def print_figures(
    title: str, left: str, columns: Sequence[str], rows: Sequence[Named], screen: Console
) -> None:
    """A table if the screen is wide enough, otherwise a line for each figure.

    Parameters
    ----------
    title : of the table.
    left : the column of the names, which are not ours: they cannot steer the terminal.
    columns : those of the figures.
    rows : a name and its figures; an empty one parts what is above from what is below.
    screen : where to.
    """
    longest = max((len(name) for name, _ in rows), default=0)
    if _width(columns, rows) + min(longest, _LEAST_NAME) <= screen.width:
        _print_table(title, left, columns, rows, screen)
    else:
        _print_lines(title, columns, rows, screen)


def _width(columns: Sequence[str], rows: Sequence[Named]) -> int:
    """What the figures need, each with the space before it."""
    cells = [columns, *(figures for _, figures in rows if figures)]
    return sum(1 + max(map(len, column)) for column in zip(*cells, strict=True))


def _print_table(
    title: str, left: str, columns: Sequence[str], rows: Sequence[Named], screen: Console
) -> None:
    made = table(title, (left,), (), wrapped=(left,))
    made.columns[0].overflow = "fold"
    for name in columns:
        made.add_column(plain(name), justify="right", no_wrap=True)
    for name, figures in rows:
        made.add_row(plain(name), *figures)
    screen.print(made)


def _print_lines(
    title: str, columns: Sequence[str], rows: Sequence[Named], screen: Console
) -> None:
    screen.print(title, style="bold")
    left = max(map(len, columns), default=0)
    right = max((len(cell) for _, figures in rows for cell in figures), default=0)
    for name, figures in rows:
        if not figures:
            continue
        screen.print(plain(name), soft_wrap=True)
        for column, cell in zip(columns, figures, strict=True):
            screen.print(plain(f"  {column:{left}} {cell:>{right}}"), soft_wrap=True)
