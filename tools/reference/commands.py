"""Every command with every option, from the command's own tree."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import typer
from tools.reference.markdown import code, prose, table

from scenthound.cli.main import app

Command = Any
"""A click command; Typer brings a click of its own, which has no types to name."""


@cache
def tree() -> Command:
    """The command ``scenthound``."""
    return typer.main.get_command(app)


def commands(group: Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Command]]:
    """Every command below a group, with the words that call it: ``topic show``."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


def options(command: Command) -> Iterator[Any]:
    """The options of a command, in the order of its help."""
    return (param for param in command.params if param.param_type_name == "option")


def spellings(option: Any) -> list[str]:
    """The long names of an option, and of its opposite; ``-q`` where it has no long one."""
    names = [*option.opts, *option.secondary_opts]
    return [name for name in names if name.startswith("--")] or names


def page() -> str:
    """The page of all commands."""
    parts = [_section(name, command) for name, command in commands(tree())]
    return "\n".join(parts)


def _section(name: str, command: Command) -> str:
    with command.make_context(name, [], resilient_parsing=True) as context:
        usage = " ".join(["scenthound", name, *command.collect_usage_pieces(context)])
        records = [(_kind(p), r) for p in command.params if (r := p.get_help_record(context))]
    parts = [f"## {name}\n", f"```text\n{usage}\n```\n", prose(_help(command))]
    for heading in dict.fromkeys(kind for kind, _ in records):
        rows = [(code(left), prose(right)) for kind, (left, right) in records if kind == heading]
        parts.append(table((heading, "what it does"), rows))
    return "\n".join(parts)


def _kind(param: Any) -> str:
    """The heading under which a parameter stands."""
    if param.param_type_name == "argument":
        return "argument"
    return getattr(param, "rich_help_panel", None) or "option"


def _help(command: Command) -> str:
    paragraphs = (command.help or "").split("\n\n")
    return "\n\n".join(" ".join(each.split()) for each in paragraphs) + "\n"
