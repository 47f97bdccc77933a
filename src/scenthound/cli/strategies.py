"""``scenthound strategies``: the table of named crawlers."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.columns import Columns
from rich.console import Console

from scenthound.cli.screen import output, table
from scenthound.strategies.catalogue import CATALOGUE
from scenthound.strategies.ingredients import Recipe


def strategies(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the crawling strategies: what each does, its paper, its parameters."""
    if as_json:
        typer.echo(json.dumps([_row(recipe) for recipe in CATALOGUE.values()], indent=1))
        return
    columns = ("strategy", "inlinks", "what it fetches next", "paper")
    rows = table("", columns, (), wrapped=columns[2:])
    for recipe in CATALOGUE.values():
        rows.add_row(recipe.name, recipe.combination.value, _summary(recipe), recipe.paper)
    screen = output()
    screen.print(rows)
    screen.print("\nparameters, for --set:")
    _print_parameters(screen)


def _print_parameters(screen: Console) -> None:
    """Side by side, as many as fit; each strategy begins a new line, with columns of its own."""
    for recipe in CATALOGUE.values():
        texts = [f"  {recipe.name}.{key} = {value}" for key, value in recipe.parameters.items()]
        if texts:
            screen.print(Columns(texts, width=max(map(len, texts)), padding=(0, 1)))


def _summary(recipe: Recipe) -> str:
    """What it does, and the extra that it needs."""
    needed = f"; needs the extra {recipe.extra}" if recipe.extra else ""
    return recipe.summary + needed


def _row(recipe: Recipe) -> dict[str, object]:
    return {
        "name": recipe.name,
        "summary": recipe.summary,
        "inlinks": recipe.combination.value,
        "paper": recipe.paper,
        "needs_labels": recipe.needs_labels,
        "uses_wordnet": recipe.uses_wordnet,
        "extra": recipe.extra or None,
        "parameters": recipe.parameters,
    }
