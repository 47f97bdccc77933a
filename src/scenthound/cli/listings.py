"""``scenthound strategies``: the table of strategies, or one of them in full. ``scenthound
cache``: the content of the cache folder, and how to empty it.
"""

from __future__ import annotations

from collections.abc import Mapping

from rich.columns import Columns
from rich.console import Console

from scenthound.cli.options import AS_JSON, argument, option, switch
from scenthound.cli.screen import output, plain, print_json, print_warning, say, table
from scenthound.core.parameters import format_size
from scenthound.crawler import caches
from scenthound.strategies.catalogue import STRATEGIES, parameter_descriptions, strategy_docstring
from scenthound.strategies.spec import StrategySpec


def strategies(
    name: str | None = argument(
        "NAME", "Show only this one, with its parameters explained.", default=None
    ),
    as_json: bool = AS_JSON,
) -> None:
    """List the crawling strategies: what each does, its paper, its parameters."""
    if name is None:
        for problem in STRATEGIES.problems():
            print_warning(problem)
    specs = STRATEGIES.usable() if name is None else [STRATEGIES[name]]
    packages = STRATEGIES.packages()
    if as_json:
        rows = [_to_json(spec, packages) for spec in specs]
        print_json(rows if name is None else rows[0], indent=1)
        return
    screen = output()
    if name is not None:
        _print_one(specs[0], packages, screen)
        return
    columns = ("strategy", "inlinks", "what it fetches next", "paper")
    listed = table("", columns, (), wrapped=columns[2:])
    for spec in specs:
        inlinks, paper = spec.combination.value, plain(_origin(spec, packages))
        listed.add_row(plain(spec.name), inlinks, plain(_summary(spec)), paper)
    screen.print(listed)
    screen.print("\nparameters, for --set:")
    for spec in specs:  # side by side, as many as fit; each strategy begins a new line
        texts = [f"  {spec.name}.{key} = {value}" for key, value in spec.parameters.items()]
        if texts:
            width = max(map(len, texts))
            screen.print(Columns(map(plain, texts), width=width, padding=(0, 1)))


def _print_one(spec: StrategySpec, packages: Mapping[str, str], screen: Console) -> None:
    """What it does, where it is from, and each parameter with its default and its description."""
    say(f"{spec.name}: {_summary(spec)}", screen, "bold")
    inlinks = f"several links to a page count by their {spec.combination.value}"
    say(f"from: {_origin(spec, packages)}; {inlinks}", screen)
    for paragraph in strategy_docstring(spec).text.split("\n\n"):
        text = " ".join(_without_markup(paragraph).split())
        if text.rstrip(".").lower() != spec.summary.lower():  # it is printed above
            screen.print()
            screen.print(plain(text))
    if spec.parameters:
        columns = ("name", "default", "what it is")
        rows = table("parameters, for --set", columns, (), wrapped=columns[2:])
        about = parameter_descriptions(spec)
        for key, value in spec.parameters.items():
            described = plain(_without_markup(about[key]))
            rows.add_row(plain(f"{spec.name}.{key}"), plain(str(value)), described)
        screen.print()
        screen.print(rows)


def _without_markup(text: str) -> str:
    return text.replace("``", "").replace(":class:", "").replace(":func:", "")


def _summary(spec: StrategySpec) -> str:
    """What it does, and the extra that it needs."""
    return spec.summary + (f"; needs the extra {spec.extra}" if spec.extra else "")


def _origin(spec: StrategySpec, packages: Mapping[str, str]) -> str:
    """Its paper and, for one that is not ours, the package that adds it."""
    package = packages.get(spec.name)
    return "; ".join(filter(None, [spec.paper, package and f"the package {package}"]))


def _to_json(spec: StrategySpec, packages: Mapping[str, str]) -> dict[str, object]:
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


def cache(
    folder: str | None = option("DIR", "Cache folder. [default: ~/.cache/scenthound]", "--cache"),
    clear: bool = switch("--clear", "Empty it."),
    as_json: bool = AS_JSON,
) -> None:
    """Show the cache, or empty it: vectors by model, pages, archive indexes.

    With it a text is encoded once for all runs, a comparison reads each page once, and an archive
    is indexed once.
    """
    if clear:
        caches.clear_cache(folder)
    found = caches.cache_report(folder)
    if as_json:
        print_json(found.to_json(), indent=1)
        return
    screen = output()
    say(f"{found.folder}: {format_size(found.bytes)}", screen)
    kept = {
        **found.entries,
        "pages read": found.pages,
        "archives indexed": found.indexes,
    }
    if not any(kept.values()):
        screen.print("the cache is empty")
        return
    rows = table("", ("kept",), ("entries",), wrapped=("kept",))
    for name, entries in kept.items():
        if entries:
            rows.add_row(plain(name), f"{entries:,}")
    screen.print(rows)
    if found.page_bytes:
        screen.print(f"pages take {format_size(found.page_bytes)}")
    if found.index_bytes:
        screen.print(f"indexes of archives take {format_size(found.index_bytes)}")
