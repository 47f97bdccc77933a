"""Values out of files that anybody may have written, made fit for JSON and for a screen.

A journal may be damaged, and what it tells of pages was written by strangers. Nothing is taken to
be of the type it should be, no text is longer than a screen can use.
"""

from __future__ import annotations

from collections.abc import Mapping

Json = dict[str, object]

_MOST = 2**53
"""Beyond it browsers do not count one by one, and nothing here has so many of anything."""
_DEEPEST = 12
_WORDS = 300
_ADDRESS = 2_000


def number(value: object) -> float | None:
    """A number that a screen can show; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if -_MOST <= value <= _MOST else None


def whole(value: object) -> int:
    """A whole number that something can be counted with; 0 for anything else."""
    if isinstance(value, bool) or not isinstance(value, int):
        return 0
    return value if -_MOST <= value <= _MOST else 0


def words(value: object, most: int = _WORDS) -> str:
    """A text of at most so many letters; "" for anything else."""
    return value[:most] if isinstance(value, str) else ""


def address(value: object) -> str:
    """A URL, cut where it is absurdly long; "" for anything else."""
    return words(value, _ADDRESS)


def table(value: object) -> Mapping[str, object]:
    """Values by name; an empty table for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[object]:
    """A list; an empty one for anything else."""
    return value if isinstance(value, list) else []


def plain(value: object, deepest: int = _DEEPEST) -> object:
    """Tables and lists with numbers that a screen can show; None for what is none, or too deep."""
    if deepest == 0:
        return None
    if isinstance(value, dict):
        return {str(name): plain(each, deepest - 1) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each, deepest - 1) for each in value]
    return value if isinstance(value, str | bool) else number(value)


def shown(value: object) -> str:
    """A setting in words: lists and tables in one line, nothing as a dash."""
    if value is None or value in ("", [], {}):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return words(", ".join(map(shown, value[:50])))
    if isinstance(value, dict):
        return words(", ".join(f"{name} {shown(each)}" for name, each in value.items()))
    return words(str(value))
