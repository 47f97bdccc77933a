"""At which numbers of pages figures are told: as the papers do, and finer for small crawls."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scenthound.comparison.milestones import milestones
from scenthound.experiments.metrics import Indicators

_STEPS = (1, 2, 5, 10, 20, 50, 100)
_POINTS = 200
"""A curve needs no more."""
_TINY = 20
_ROWS = 10
"""Lines of a table of a tiny crawl, about."""
_BEYOND = 5_000
_MOST_BEYOND = 40
"""Lines of a table beyond those that the papers print."""


def step_for(pages: int) -> int:
    """Every how many pages a curve has a point; it divides 100.

    Examples
    --------
    >>> step_for(0), step_for(150), step_for(3_000), step_for(100_000)
    (1, 1, 20, 100)
    """
    return next((step for step in _STEPS if pages / step <= _POINTS), _STEPS[-1])


def told_pages(pages: int) -> list[int]:
    """The numbers of pages that stand in a table of a crawl of so many pages, its end included.

    Examples
    --------
    >>> told_pages(0), told_pages(30), told_pages(250)
    ([], [10, 20, 30], [10, 20, 50, 100, 200, 250])
    """
    if pages <= 0:
        return []
    if pages < _TINY:
        step = next(step for step in (1, 2) if pages / step <= _ROWS)
        return sorted({*range(step, pages + 1, step), pages})
    step = _round_step(pages / _MOST_BEYOND)
    told = (each for each in milestones(pages) if each <= _BEYOND or each % step == 0)
    return sorted({*told, pages})


def _round_step(least: float) -> int:
    """The first of 1, 2, 5, 10, 20, ... that is no less."""
    power = int(10.0 ** math.floor(math.log10(max(least, 1.0))))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def at_pages(rows: Sequence[Indicators], wanted: Sequence[int]) -> list[Indicators]:
    """Those of the indicators that are told; none of those that are not there."""
    by_pages = {row.fetched: row for row in rows}
    return [by_pages[pages] for pages in wanted if pages in by_pages]
