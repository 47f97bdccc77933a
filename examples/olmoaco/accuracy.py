"""From crawls to the table of accuracies: pure, and the same for any archive."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from examples.olmoaco.experiment import Grid, Published

DRY = "-"
_WIDTH = 22


@dataclass(frozen=True)
class Crawled:
    """One crawl.

    Parameters
    ----------
    eta, random_seed : what it was run with.
    fetched : pages in all.
    relevance : of each page that may count as relevant; dead links and copies may not.
    warnings : what was left out, in words.
    """

    eta: float
    random_seed: int
    fetched: int
    relevance: tuple[float, ...]
    warnings: tuple[str, ...] = ()

    def accuracy(self, sigma: float) -> float:
        """Relevant pages of all fetched (AC, olmoaco Eq. 19), relevant being R > sigma (Eq. 6)."""
        return sum(value > sigma for value in self.relevance) / max(1, self.fetched)


@dataclass(frozen=True)
class Cell:
    """Accuracy over some runs; ``dry`` of them ended before all pages were fetched."""

    sigma: float
    eta: float
    runs: int
    dry: int
    mean: float
    deviation: float
    published: Published | None

    def __str__(self) -> str:
        measured = DRY if self.dry else f"{self.mean:.2f} ± {self.deviation:.2f}"
        if self.published is None:
            return measured
        printed = self.published if isinstance(self.published, str) else f"{self.published:.2f}"
        return f"{measured} ({printed})"


def cells(grid: Grid, crawls: Sequence[Crawled]) -> list[Cell]:
    """The table, row by row; there must be a crawl for each eta."""
    return [
        _cell(grid, row, column, [each for each in crawls if each.eta == eta])
        for row in range(len(grid.sigma))
        for column, eta in enumerate(grid.eta)
    ]


def _cell(grid: Grid, row: int, column: int, runs: Sequence[Crawled]) -> Cell:
    sigma = grid.sigma[row]
    accuracies = [each.accuracy(sigma) for each in runs]
    return Cell(
        sigma=sigma,
        eta=grid.eta[column],
        runs=len(runs),
        dry=sum(each.fetched < grid.pages for each in runs),
        mean=statistics.fmean(accuracies),
        deviation=statistics.pstdev(accuracies),
        published=grid.published[row][column] if grid.published else None,
    )


def table_text(grid: Grid, found: Sequence[Cell]) -> str:
    """The table in words: mean ± deviation (published); "-" where a run was dry."""
    columns = len(grid.eta)
    head = "sigma \\ eta" + "".join(f"{eta:>{_WIDTH}}" for eta in grid.eta)
    rows = [found[start : start + columns] for start in range(0, len(found), columns)]
    lines = [f"{row[0].sigma:<11}" + "".join(f"{cell!s:>{_WIDTH}}" for cell in row) for row in rows]
    return "\n".join([head, *lines])
