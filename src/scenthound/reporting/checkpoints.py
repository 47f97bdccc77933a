"""At which numbers of pages figures are told: as the papers do, and finer for small crawls."""

from __future__ import annotations

from collections.abc import Sequence

from scenthound.experiments.metrics import Indicators

_STEPS = (1, 2, 5, 10, 20, 50, 100)
_POINTS = 200
"""A curve needs no more."""
_SMALL = 100
_ROWS = 10
"""Lines of a table of a small crawl, about."""
PAPERS = (*range(100, 1001, 100), *range(1500, 5001, 500))
_BEYOND = 5_000
_MOST_ROWS = 60


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
    ([], [5, 10, 15, 20, 25, 30], [100, 200, 250])
    """
    if pages <= 0:
        return []
    if pages < _SMALL:
        step = next(step for step in (1, 2, 5, 10) if pages / step <= _ROWS)
        return sorted({*range(step, pages + 1, step), pages})
    step = _BEYOND
    while pages / step > _MOST_ROWS - len(PAPERS):
        step *= 2
    beyond = range(2 * _BEYOND if step == _BEYOND else step, pages + 1, step)
    return sorted({*(each for each in (*PAPERS, *beyond) if each <= pages), pages})


def at_pages(rows: Sequence[Indicators], wanted: Sequence[int]) -> list[Indicators]:
    """Those of the indicators that are told; none of those that are not there."""
    by_pages = {row.fetched: row for row in rows}
    return [by_pages[pages] for pages in wanted if pages in by_pages]
