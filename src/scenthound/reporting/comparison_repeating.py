"""What it takes to run a comparison again, and to look at single runs of it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from scenthound.comparison.folder_upkeep import CRAWLS, GRID
from scenthound.comparison.model import Cell, Outcome
from scenthound.comparison.results_file import Comparison
from scenthound.comparison.run_file import run_name
from scenthound.reporting.document import Block, Code, Column, Entry, Folded, Table, Words, told
from scenthound.reporting.visible_text import cut
from scenthound.store.folder import CrawlFolder

_LARGEST_GRID = 200_000
_PRINTED = 30
"""Rows of crawls that are worth the paper."""
_VARYING: Mapping[str, Callable[[Cell], str | int]] = {
    "web": lambda cell: cut(cell.web),
    "seeds": lambda cell: cell.seeds,
    "draw": lambda cell: cell.draw,
    "random seed": lambda cell: cell.random_seed,
}
"""Columns that are there where their values differ."""


def repeating(folder: Path, comparison: Comparison) -> list[Block]:
    """The command, the grid, the versions; and the crawls that were kept, where some were."""
    path = folder.resolve()
    command = shlex.join(["scenthound", "compare", "--grid", str(path / GRID), "--out",
                          f"{path.name}-again"])  # fmt: skip
    versions = ", ".join(f"{name} {value}" for name, value in comparison.versions.items())
    blocks: list[Block] = [Code("The command", command), Code(GRID, _grid(folder, comparison))]
    if versions:
        blocks.append(Words(f"Run with {versions}."))
    return [*blocks, *_kept(path / CRAWLS, comparison.outcomes)]


def _grid(folder: Path, comparison: Comparison) -> str:
    """The grid file as it stands, or the grid as the results have it."""
    import tomlkit

    try:
        with (folder / GRID).open(encoding="utf-8", errors="replace") as file:
            return file.read(_LARGEST_GRID)
    except OSError:
        return tomlkit.dumps({k: v for k, v in comparison.grid.items() if v is not None})


def _kept(crawls: Path, outcomes: Sequence[Outcome]) -> list[Block]:
    """The crawls of runs that were kept, and how to look at one; nothing where none was."""
    there = [each for each in outcomes
             if CrawlFolder(crawls / run_name(each.cell)).order_path.exists()]  # fmt: skip
    if not there:
        return []
    one = shlex.join(["scenthound", "report", str(crawls / run_name(there[0].cell))])
    title, few = f"Crawls that were kept ({len(there):,})", len(there) <= _PRINTED
    return [Code("A report of a single run, such as the first one whose crawl was kept", one),
            Folded(title, (_kept_table(there),), in_print=few)]  # fmt: skip


def _kept_table(outcomes: Sequence[Outcome]) -> Table:
    """A row a crawl; what is the same for all of them has no column."""
    named = [Column("strategy", figures=False), Column("topic", figures=False)]
    cells: list[list[str]] = [[cut(o.cell.strategy), cut(o.cell.topic)] for o in outcomes]
    for name, of in _VARYING.items():
        values = [of(outcome.cell) for outcome in outcomes]
        if len(set(values)) > 1:
            named.append(Column(name, figures=isinstance(values[0], int)))
            cells = [[*row, str(value)] for row, value in zip(cells, values, strict=True)]
    columns = (*named, Column("pages"), Column("its folder", figures=False))
    rows: tuple[tuple[Entry, ...], ...] = tuple(
        (*row, told(outcome.fetched), run_name(outcome.cell))
        for row, outcome in zip(cells, outcomes, strict=True)
    )
    return Table(columns, rows)
