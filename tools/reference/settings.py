"""Every key of a settings file: from the models of the options."""

from __future__ import annotations

from tools.reference.commands import commands, options, tree
from tools.reference.markdown import code, prose, table

from scenthound.cli.options import keys_of
from scenthound.cli.settings import TABLES
from scenthound.core.options import Options, option_text


def page() -> str:
    """The tables ``[crawl]`` and ``[replay]``."""
    columns = ("key", "takes", "default", "option", "what it is")
    parts: list[str] = []
    for name in ("crawl", "replay"):
        rows = [_row(name, model, key) for key, model in keys_of(TABLES[name]).items()]
        parts += [f"## The table [{name}]\n", table(columns, rows)]
    return "\n".join(parts)


def _row(name: str, model: type[Options], key: str) -> tuple[str, ...]:
    about = option_text(model, key)
    return (
        code(key),
        about.takes,
        "-" if about.default is None else code(str(about.default)),
        _option(name, key),
        prose(about.description),
    )


def _option(command: str, key: str) -> str:
    found = dict(commands(tree()))[command]
    names = [option.opts[0] for option in options(found) if option.name == key]
    return code(names[0]) if names else "-"
