"""``scenthound explain``: why a page was fetched, and why another one was not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from scenthound.api.explanations import TERMS, explain_all
from scenthound.cli.ending import ToldExit
from scenthound.cli.explain_view import print_explanation
from scenthound.cli.progress import bars
from scenthound.cli.screen import notices, output, say_error
from scenthound.core.errors import InputError, SettingsError
from scenthound.explanation.model import Explanation


def explain(
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="Folder of a crawl, or replay.", show_default=False),
    ],
    urls: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="URL",
            help="A URL, perhaps without https://, or a page's number.",
            show_default=False,
        ),
    ] = None,
    page: Annotated[
        list[int] | None, typer.Option("--page", metavar="N", help="A page by its number.")
    ] = None,
    terms: Annotated[
        int, typer.Option(metavar="N", help="Terms of a page's relevance to show.")
    ] = TERMS,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Explain why a page was fetched, or why a URL was not.

    Prints the pages that led there, every part of its priority and of its relevance. For a URL
    that was not fetched: where it stands in the frontier, or what dropped it. Works while the
    crawl runs. What is no URL is told, and the others are explained.
    """
    what: list[str | int] = [*(urls or ()), *(page or ())]
    if not what:
        raise SettingsError("explain needs something to explain: give a URL, or --page N.")
    with bars(notices(), quiet=False) as progress:
        task = progress.add_task("looking for links", total=None, found="pages", visible=False)

        def on_page(done: int, pages: int) -> None:
            progress.update(task, completed=done, total=pages, visible=True)

        bad: list[InputError] = []
        told = explain_all(folder, what, terms=terms, on_page=on_page, on_bad=bad.append)
    _show(told, as_json)
    for error in bad:
        say_error(str(error))
    if bad:
        raise ToldExit(1 if told else 2)


def _show(told: Sequence[Explanation], as_json: bool) -> None:
    if as_json and told:
        typer.echo(json.dumps({"explanations": [each.to_json() for each in told]}, indent=1))
        return
    console = output()
    for number, each in enumerate(told):
        if number:
            console.print()
        print_explanation(each, console)
