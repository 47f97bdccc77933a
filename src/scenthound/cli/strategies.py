"""``scenthound strategies``: the table of named crawlers."""

from __future__ import annotations

import json
from typing import Annotated

import typer

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
        rows.add_row(recipe.name, recipe.combination.value, recipe.summary, recipe.paper)
    screen = output()
    screen.print(rows)
    screen.print("\nparameters, for --set:")
    for recipe in CATALOGUE.values():
        for key, value in recipe.parameters.items():
            screen.print(f"  {recipe.name}.{key} = {value}")


def _row(recipe: Recipe) -> dict[str, object]:
    return {
        "name": recipe.name,
        "summary": recipe.summary,
        "inlinks": recipe.combination.value,
        "paper": recipe.paper,
        "needs_labels": recipe.needs_labels,
        "parameters": recipe.parameters,
    }
