"""The option ``--set TABLE.KEY=VALUE``: read, and told in messages without its passwords."""

from __future__ import annotations

import re
import tomllib

from scenthound.core.errors import SettingsError
from scenthound.core.parameters import Value
from scenthound.live.credentials import SECRETS
from scenthound.settings.keys import CRAWL_KEYS

CRAWL = "crawl"
"""The table whose values may be lists."""
_LIKE_A_SECRET = re.compile(r"[:@=]")


def assignment(text: str) -> tuple[str, str, Value]:
    """Table, key and value of a ``--set``; SettingsError for one that has not all of them."""
    name, equals, value = text.partition("=")
    table, dot, key = name.strip().rpartition(".")
    if not (equals and dot and table and key):
        raise SettingsError(
            f"{told_assignment(text)}: write it as TABLE.KEY=VALUE, e.g. shark.decay=0.4."
        )
    parsed = value_in(value.strip())
    if isinstance(parsed, list) and table != CRAWL:
        parsed = value.strip()
    return table, key, parsed  # type: ignore[return-value]


def told_assignment(text: str) -> str:
    """A ``--set`` in a message: without its value where that may be a password.

    That is a value of an option that takes some, and one that looks like it under a name that
    nobody knows.
    """
    name, _, value = text.partition("=")
    key = name.strip().rpartition(".")[2]
    if _LIKE_A_SECRET.search(name):
        return "--set"
    hidden = key in SECRETS or (key not in CRAWL_KEYS and _LIKE_A_SECRET.search(value))
    return f"--set {name.strip() if hidden else text}"


def value_in(text: str) -> Value | list[object]:
    """As TOML would read it, and ``.3`` as well; anything else is a text."""
    try:
        parsed = tomllib.loads(f"value = {'0' if text.startswith('.') else ''}{text}")["value"]
    except (ValueError, RecursionError):
        return text
    return parsed if isinstance(parsed, bool | int | float | str | list) else text
