"""Is the value of an option one that it can take?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from scenthound.core.errors import SettingsError
from scenthound.live.credentials import SECRETS

_KINDS: Mapping[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "str": (str,),
}
_TEXTS = "tuple[str, ...]"


def of_kind(name: str, value: object, kind: str) -> object:
    """The value, if it is of the field's kind; one text where a list is wanted is a list of one.

    SettingsError in words for a value of another kind.
    """
    if kind == _TEXTS:
        return _texts(name, value)
    wanted, _, optional = kind.partition(" | ")
    if value is None and optional:
        return value
    is_switch = isinstance(value, bool)
    if not isinstance(value, _KINDS[wanted]) or (is_switch and wanted != "bool"):
        raise SettingsError(f"{name} takes a value of the kind {kind}, not {shown(name, value)}.")
    return value


def shown(name: str, value: object) -> str:
    """A value in a message; of an option that may hold a password no more than its type."""
    harmless = isinstance(value, int | float) or value is None or not str(value).strip()
    if name not in SECRETS or harmless:
        return repr(value)
    return f"a value of type {type(value).__name__}"


def more_than_nothing(name: str, value: float | None) -> None:
    """SettingsError for 0, less, or a number without end; None is no limit."""
    if value is not None and not 0 < value < math.inf:
        raise SettingsError(f"{name} is more than 0, not {value:g}.")


def within(name: str, value: float | None) -> None:
    """SettingsError for a share that lies not within 0 and 1; None is not given."""
    if value is not None and not 0.0 <= value <= 1.0:
        raise SettingsError(f"{name} lies within 0 and 1, not at {value:g}.")


def _texts(name: str, value: object) -> tuple[str, ...]:
    values = (value,) if isinstance(value, str) else value
    if not isinstance(values, Iterable) or isinstance(values, bytes | Mapping):
        raise SettingsError(f"{name} takes a list of texts, not {shown(name, value)}.")
    texts = tuple(values)
    for text in texts:
        if not isinstance(text, str):
            raise SettingsError(f"{name} takes a list of texts, and {shown(name, text)} is none.")
    return texts
