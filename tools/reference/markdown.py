"""Markdown from texts that were not written for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_ROLE = re.compile(r":\w+:`~?([^`]+)`")
_DOUBLE = re.compile(r"``(.+?)``", re.DOTALL)
_CODE = re.compile(r"(`[^`]*`)")


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the empty text where there are no rows."""
    lines = [f"| {' | '.join(cell(each) for each in row)} |" for row in rows]
    if not lines:
        return ""
    head = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    return "\n".join([*head, *lines]) + "\n"


def cell(text: str) -> str:
    """In one line, and without a bar that would end the cell; within code none does."""
    parts = _CODE.split(" ".join(text.split()))
    return "".join(p if p.startswith("`") else p.replace("|", "\\|") for p in parts)


def code(text: str) -> str:
    """As code; a dash for nothing."""
    return f"`{text}`" if text else "-"


def prose(text: str) -> str:
    """A plain text, or a docstring: its roles and double backticks become code, the rest text."""
    text = _DOUBLE.sub(r"`\1`", _ROLE.sub(r"`\1`", text))
    return "".join(part if part.startswith("`") else _escaped(part) for part in _CODE.split(text))


def _escaped(text: str) -> str:
    """Signs that Markdown would read are shown."""
    return re.sub(r"([*_<\[])", r"\\\1", text)
