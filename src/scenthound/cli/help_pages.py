"""Help in two pages: ``--help`` shows what people use, ``--help-all`` every option in groups.

An option belongs to a group by its ``rich_help_panel``; those without one are what people use.
"""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperCommand

WIDTH = 100
"""Columns that help takes where the screen has them."""
FEW = 20
"""So many options need no second page."""
_ALL = "scenthound.help_all"
_USED = "Options"


Records = list[tuple[str, str]]


class HelpPages(TyperCommand):
    """A command whose help comes in two pages, where it has many options and some in groups."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The arguments, and the options of the page that is asked for."""
        arguments, options = self._records(ctx)
        groups: dict[str, Records] = {_USED: []}
        for panel, record in options:
            groups.setdefault(_USED if len(options) <= FEW else panel, []).append(record)
        shown = groups if ctx.meta.get(_ALL) else {_USED: groups[_USED]}
        for heading, records in {"Arguments": arguments, **shown}.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)
        if len(shown) < len(groups):
            formatter.write_paragraph()
            formatter.write_text("--help-all lists every option.")

    def _records(self, ctx: Any) -> tuple[Records, list[tuple[str, tuple[str, str]]]]:
        """What is told of each argument, and of each option with its group."""
        arguments: Records = []
        options: list[tuple[str, tuple[str, str]]] = []
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is None:
                continue
            if param.param_type_name == "argument":
                arguments.append(record)
            else:
                options.append((getattr(param, "rich_help_panel", None) or _USED, record))
        return arguments, options


def _show_all(ctx: typer.Context, wanted: bool) -> None:
    if wanted:
        ctx.meta[_ALL] = True
        typer.echo(ctx.get_help())
        raise typer.Exit


HelpAll = Annotated[
    bool,
    typer.Option("--help-all", is_eager=True, callback=_show_all, hidden=True),
]
"""The option of a command that has groups; its last line of help names it."""
