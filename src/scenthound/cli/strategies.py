"""``scenthound strategies``: the table of named crawlers, or one of them in full."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer
from rich.columns import Columns
from rich.console import Console

from scenthound.cli.screen import output, plain, say_warning, table
from scenthound.cli.strategy_names import named_strategies
from scenthound.strategies.explained import documented, parameter_texts
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.installed import STRATEGIES


def strategies(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Only this one, with its parameters "
                                   "explained.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:  # fmt: skip
    """List the crawling strategies: what each does, its paper, its parameters."""
    if name is None:
        for problem in STRATEGIES.problems():
            say_warning(problem)
    recipes = STRATEGIES.usable() if name is None else named_strategies([name])
    packages = STRATEGIES.packages()
    if as_json:
        rows = [_row(recipe, packages) for recipe in recipes]
        typer.echo(json.dumps(rows if name is None else rows[0], indent=1))
    elif name is None:
        _print_all(recipes, packages, output())
    else:
        _print_one(recipes[0], packages, output())


def _print_all(recipes: Sequence[Recipe], packages: Mapping[str, str], screen: Console) -> None:
    columns = ("strategy", "inlinks", "what it fetches next", "paper")
    rows = table("", columns, (), wrapped=columns[2:])
    for recipe in recipes:
        inlinks, paper = recipe.combination.value, plain(_origin(recipe, packages))
        rows.add_row(plain(recipe.name), inlinks, plain(_summary(recipe)), paper)
    screen.print(rows)
    screen.print("\nparameters, for --set:")
    _print_parameters(recipes, screen)


def _print_parameters(recipes: Sequence[Recipe], screen: Console) -> None:
    """Side by side, as many as fit; each strategy begins a new line, with columns of its own."""
    for recipe in recipes:
        texts = [f"  {recipe.name}.{key} = {value}" for key, value in recipe.parameters.items()]
        if texts:
            cells = [plain(text) for text in texts]
            screen.print(Columns(cells, width=max(map(len, texts)), padding=(0, 1)))


def _print_one(recipe: Recipe, packages: Mapping[str, str], screen: Console) -> None:
    """What it does, where it is from, and each parameter with its default and what it is."""
    screen.print(plain(f"{recipe.name}: {_summary(recipe)}"), style="bold", soft_wrap=True)
    inlinks = f"several links to a page count by their {recipe.combination.value}"
    screen.print(plain(f"from: {_origin(recipe, packages)}; {inlinks}"), soft_wrap=True)
    for paragraph in documented(recipe).text.split("\n\n"):
        text = " ".join(_unmarked(paragraph).split())
        if text.rstrip(".").lower() != recipe.summary.lower():  # said already
            screen.print()
            screen.print(plain(text))
    if recipe.parameters:
        columns = ("name", "default", "what it is")
        rows = table("parameters, for --set", columns, (), wrapped=columns[2:])
        about = parameter_texts(recipe)
        for key, value in recipe.parameters.items():
            told = plain(_unmarked(about[key]))
            rows.add_row(plain(f"{recipe.name}.{key}"), plain(str(value)), told)
        screen.print()
        screen.print(rows)


def _unmarked(text: str) -> str:
    """A docstring's text without the marks of code."""
    return text.replace("``", "").replace(":class:", "").replace(":func:", "")


def _summary(recipe: Recipe) -> str:
    """What it does, and the extra that it needs."""
    needed = f"; needs the extra {recipe.extra}" if recipe.extra else ""
    return recipe.summary + needed


def _origin(recipe: Recipe, packages: Mapping[str, str]) -> str:
    """Its paper and, for one that is not ours, the package that adds it."""
    package = packages.get(recipe.name)
    added = [f"the package {package}"] if package else []
    return "; ".join(filter(None, [recipe.paper, *added]))


def _row(recipe: Recipe, packages: Mapping[str, str]) -> dict[str, object]:
    return {
        "name": recipe.name,
        "summary": recipe.summary,
        "inlinks": recipe.combination.value,
        "paper": recipe.paper,
        "package": packages.get(recipe.name),
        "needs_labels": recipe.needs_labels,
        "uses_wordnet": recipe.uses_wordnet,
        "extra": recipe.extra or None,
        "parameters": recipe.parameters,
        "explained": parameter_texts(recipe),
    }
