"""``scenthound cache``: what the cache folder holds, and how to empty it."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from scenthound.cli.screen import output, plain, table
from scenthound.core.parameters import format_size
from scenthound.crawler import caches
from scenthound.crawler.caches import CacheReport

PAGES, COUNTED_TEXTS, INDEXES = "pages read", "texts counted", "archives indexed"


def cache(
    folder: Annotated[
        str | None,
        typer.Option("--cache", metavar="DIR", help="Its folder. [default: ~/.cache/scenthound]"),
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Empty it.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Show what is kept between runs, or empty it: vectors by model, pages, counted texts, indexes.

    Strategies that compare by vectors work each one out once; a comparison reads each page once;
    an archive is looked through once.
    """
    if clear:
        caches.clear_cache(folder)
    found = caches.cache_report(folder)
    if as_json:
        typer.echo(json.dumps(found.to_json(), indent=1))
    else:
        _print(found)


def _print(found: CacheReport) -> None:
    screen = output()
    screen.print(plain(f"{found.folder}: {format_size(found.bytes)}"), soft_wrap=True)
    kept = {
        **found.entries, PAGES: found.pages, COUNTED_TEXTS: found.counted_texts,
        INDEXES: found.indexes,
    }  # fmt: skip
    kept = {name: entries for name, entries in kept.items() if entries}
    if not kept:
        screen.print("nothing is kept there")
        return
    rows = table("", ("kept",), ("entries",), wrapped=("kept",))
    for name, entries in kept.items():
        rows.add_row(plain(name), f"{entries:,}")
    screen.print(rows)
    if found.page_bytes:
        screen.print(f"pages and counted texts take {format_size(found.page_bytes)}")
    if found.index_bytes:
        screen.print(f"indexes of archives take {format_size(found.index_bytes)}")
