"""``scenthound strategies``: the table of named crawlers, or one of them in full."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer
from rich.columns import Columns
from rich.console import Console

from scenthound.cli.options import named_strategies
from scenthound.cli.screen import output, plain, print_warning, table
from scenthound.strategies.catalogue import STRATEGIES, parameter_descriptions, strategy_docstring
from scenthound.strategies.spec import StrategySpec


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
            print_warning(problem)
    specs = STRATEGIES.usable() if name is None else named_strategies([name])
    packages = STRATEGIES.packages()
    if as_json:
        rows = [_row(spec, packages) for spec in specs]
        typer.echo(json.dumps(rows if name is None else rows[0], indent=1))
    elif name is None:
        _print_all(specs, packages, output())
    else:
        _print_one(specs[0], packages, output())


def _print_all(specs: Sequence[StrategySpec], packages: Mapping[str, str], screen: Console) -> None:
    columns = ("strategy", "inlinks", "what it fetches next", "paper")
    rows = table("", columns, (), wrapped=columns[2:])
    for spec in specs:
        inlinks, paper = spec.combination.value, plain(_origin(spec, packages))
        rows.add_row(plain(spec.name), inlinks, plain(_summary(spec)), paper)
    screen.print(rows)
    screen.print("\nparameters, for --set:")
    _print_parameters(specs, screen)


def _print_parameters(specs: Sequence[StrategySpec], screen: Console) -> None:
    """Side by side, as many as fit; each strategy begins a new line, with columns of its own."""
    for spec in specs:
        texts = [f"  {spec.name}.{key} = {value}" for key, value in spec.parameters.items()]
        if texts:
            cells = [plain(text) for text in texts]
            screen.print(Columns(cells, width=max(map(len, texts)), padding=(0, 1)))


def _print_one(spec: StrategySpec, packages: Mapping[str, str], screen: Console) -> None:
    """What it does, where it is from, and each parameter with its default and what it is."""
    screen.print(plain(f"{spec.name}: {_summary(spec)}"), style="bold", soft_wrap=True)
    inlinks = f"several links to a page count by their {spec.combination.value}"
    screen.print(plain(f"from: {_origin(spec, packages)}; {inlinks}"), soft_wrap=True)
    for paragraph in strategy_docstring(spec).text.split("\n\n"):
        text = " ".join(_unmarked(paragraph).split())
        if text.rstrip(".").lower() != spec.summary.lower():  # said already
            screen.print()
            screen.print(plain(text))
    if spec.parameters:
        columns = ("name", "default", "what it is")
        rows = table("parameters, for --set", columns, (), wrapped=columns[2:])
        about = parameter_descriptions(spec)
        for key, value in spec.parameters.items():
            described = plain(_unmarked(about[key]))
            rows.add_row(plain(f"{spec.name}.{key}"), plain(str(value)), described)
        screen.print()
        screen.print(rows)


def _unmarked(text: str) -> str:
    """A docstring's text without the marks of code."""
    return text.replace("``", "").replace(":class:", "").replace(":func:", "")


def _summary(spec: StrategySpec) -> str:
    """What it does, and the extra that it needs."""
    needed = f"; needs the extra {spec.extra}" if spec.extra else ""
    return spec.summary + needed


def _origin(spec: StrategySpec, packages: Mapping[str, str]) -> str:
    """Its paper and, for one that is not ours, the package that adds it."""
    package = packages.get(spec.name)
    added = [f"the package {package}"] if package else []
    return "; ".join(filter(None, [spec.paper, *added]))


def _row(spec: StrategySpec, packages: Mapping[str, str]) -> dict[str, object]:
    return {
        "name": spec.name,
        "summary": spec.summary,
        "inlinks": spec.combination.value,
        "paper": spec.paper,
        "package": packages.get(spec.name),
        "needs_labels": spec.needs_labels,
        "uses_wordnet": spec.uses_wordnet,
        "extra": spec.extra or None,
        "parameters": spec.parameters,
        "explained": parameter_descriptions(spec),
    }
