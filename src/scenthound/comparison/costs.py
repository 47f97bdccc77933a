"""What a run costs, roughly: so that the longest work is begun first."""

from __future__ import annotations

from scenthound.comparison.grid import Grid
from scenthound.comparison.model import Cell
from scenthound.strategies.ingredients import Recipe

_NEURAL, _ONTOLOGY, _WORDNET, _PLAIN = 30.0, 6.0, 3.0, 1.0
"""For a page, measured on the sample web; only the order of magnitude matters."""


def cost_of(grid: Grid, cell: Cell) -> float:
    """Pages that the run may fetch, times what a page costs with its strategy.

    Where the budget is no plain number, the labelled pages stand for it.
    """
    return _pages(grid, cell) * _per_page(grid.contender(cell.strategy).recipe)


def _pages(grid: Grid, cell: Cell) -> int:
    budget, labels = grid.rules.budget, grid.web(cell.web).labels
    if labels is None or (budget is not None and budget.strip().isdigit()):
        return 1
    return len(labels.of(cell.topic))


def _per_page(recipe: Recipe) -> float:
    if recipe.extra:
        return _NEURAL if recipe.extra == "neural" else _ONTOLOGY
    return _WORDNET if recipe.uses_wordnet else _PLAIN
