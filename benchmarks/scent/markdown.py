"""Figures as the tables of the protocol show them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from scenthound.evaluation.statistics import Interval

_ZERO = re.compile(r"^([+-]?)0\.")
_EMPTY = re.compile(r"\|  (?=\|)")


def share(value: float | None, digits: int = 3) -> str:
    """Without the zero in front; nothing for None.

    Examples
    --------
    >>> share(0.335), share(1.0, 2)
    ('.335', '1.00')
    """
    return "" if value is None else _ZERO.sub(r"\1.", f"{round(value, digits) + 0.0:.{digits}f}")


def signed(value: float) -> str:
    """The same with its sign; nothing is below zero that is printed as zero.

    Examples
    --------
    >>> signed(-0.0081), signed(-0.0001)
    ('-.008', '+.000')
    """
    return _ZERO.sub(r"\1.", f"{round(value, 3) + 0.0:+.3f}")


def limits(interval: Interval | None) -> str:
    """Both ends of an interval; nothing for None."""
    return "" if interval is None else f"{signed(interval.low)} to {signed(interval.high)}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return [_EMPTY.sub("| ", f"| {' | '.join(cells)} |") for cells in lines]


def named(names: Iterable[str]) -> str:
    """Strategies in a line; "none" where there are none."""
    return ", ".join(f"`{name}`" for name in names) or "none"
