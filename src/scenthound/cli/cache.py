"""``scenthound cache``: what the cache of vectors holds, and how to empty it."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from scenthound import api
from scenthound.cli.screen import output, plain, say_warning, table
from scenthound.core.sizes import told_size
from scenthound.store.vector_cache_report import CachedVectors


def cache(
    folder: Annotated[
        str | None,
        typer.Option("--cache", metavar="DIR", help="Its folder. [default: ~/.cache/scenthound]"),
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Empty it.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Show what is kept of vectors of words and texts, by model, or empty it.

    Strategies that compare by vectors work each one out once and find it there later.
    """
    if clear:
        api.clear_cache(folder, warn=say_warning)
    found = api.cached_vectors(folder, warn=say_warning)
    if as_json:
        typer.echo(json.dumps(found.to_json(), indent=1))
    else:
        _print(found)


def _print(found: CachedVectors) -> None:
    screen = output()
    screen.print(plain(f"{found.folder}: {told_size(found.bytes)}"), soft_wrap=True)
    if not found.entries:
        screen.print("nothing is kept there")
        return
    rows = table("", ("model",), ("entries",), wrapped=("model",))
    for model, entries in found.entries.items():
        rows.add_row(plain(model), f"{entries:,}")
    screen.print(rows)
