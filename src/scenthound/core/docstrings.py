"""Docstrings of this project: paragraphs, then sections of ``name : what it is``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from dataclasses import dataclass

_SECTION = re.compile(r"^(Parameters|Raises|Returns)\n-+\n", re.MULTILINE)
_ITEM = re.compile(r"^(\S.*?)(?: : (.*))?$")


@dataclass(frozen=True, slots=True)
class Docstring:
    """What it says at first, and what of each parameter and error, in the order it names them."""

    text: str
    parameters: tuple[tuple[str, str], ...] = ()
    errors: tuple[tuple[str, str], ...] = ()


def docstring(thing: object) -> Docstring:
    """The docstring of a function or class, taken apart; empty where it has none."""
    head, *sections = _SECTION.split(inspect.getdoc(thing) or "")
    found = dict(zip(sections[::2], sections[1::2], strict=True))
    trailing = ""
    if "Parameters" in found:
        # Whatever follows the list after an empty line is text again.
        found["Parameters"], _, trailing = found["Parameters"].partition("\n\n")
    text = "\n\n".join(part.strip() for part in (head, trailing) if part.strip())
    return Docstring(
        text,
        _items(found.get("Parameters", "").splitlines()),
        _items(found.get("Raises", "").splitlines()),
    )


def _items(lines: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Names at the margin, their texts behind a colon or indented below; ``a, b : x`` is two."""
    items: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith(" ") and items:
            items[-1][1].append(line.strip())
        elif (found := _ITEM.match(line)) is not None:
            items.append((found[1], [found[2] or ""]))
    return tuple(
        (name, " ".join(filter(None, texts)))
        for names, texts in items
        for name in names.split(", ")
    )
