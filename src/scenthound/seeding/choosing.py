"""Which of the proposals? ``1, 3-5``, ``all`` or ``none``."""

from __future__ import annotations

import re

from scenthound.core.errors import SettingsError

_RANGE = re.compile(r"(\d{1,6})(?:-(\d{1,6}))?")
_AROUND_DASH = re.compile(r"\s*-\s*")


def chosen_numbers(text: str, count: int) -> tuple[int, ...]:
    """The numbers in an answer, from 1 to ``count``, in order, each once.

    Nothing, or ``none``, is no number; ``all`` is every one.

    Raises
    ------
    SettingsError
        A part of it is neither a number nor a range of those there are.
    """
    text = text.strip().lower()
    if text in ("", "none"):
        return ()
    if text == "all":
        return tuple(range(1, count + 1))
    numbers: set[int] = set()
    for part in _AROUND_DASH.sub("-", text).replace(",", " ").split():
        numbers.update(_numbers(part, count))
    return tuple(sorted(numbers))


def _numbers(part: str, count: int) -> range:
    match = _RANGE.fullmatch(part)
    first = int(match[1]) if match else 0
    last = int(match[2] or match[1]) if match else 0
    if not 1 <= first <= last <= count:
        raise SettingsError(
            f"{part!r} is none of the proposals; give numbers from 1 to {count} such as 1,3-5, "
            "or all, or none."
        )
    return range(first, last + 1)
