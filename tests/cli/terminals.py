"""Consoles of rich that keep what is written to them."""

from __future__ import annotations

import io
import re

from rich.console import Console


def terminal(term: str = "xterm") -> Console:
    return Console(file=io.StringIO(), force_terminal=True, width=100, _environ={"TERM": term})


def pipe(width: int = 200) -> Console:
    return Console(file=io.StringIO(), force_terminal=False, width=width, highlight=False)


def written(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def shown(console: Console) -> str:
    """What was written, without the signs that steer a terminal."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written(console))
