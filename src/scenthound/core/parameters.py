"""Values that a user sets by name: their defaults, types and descriptions, and sizes such as
``2GB``.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from scenthound.core.errors import SettingsError, UnknownNameError


def check_unit_interval(**values: float) -> None:
    """SettingsError for a value that is not within 0 and 1."""
    for name, value in values.items():
        if not 0.0 <= value <= 1.0:
            raise SettingsError(f"{name} must lie within 0 and 1, not at {value}.")


def check_at_least(least: int, **settings: int) -> None:
    """SettingsError if a setting is smaller."""
    for name, value in settings.items():
        if value < least:
            raise SettingsError(f"{name} must be at least {least}, not {value}.")


def check_name(kind: str, name: str, known: Iterable[str]) -> None:
    """UnknownNameError for a name that is not among those that are known."""
    if name not in (names := tuple(known)):
        raise UnknownNameError(kind, name, names)


Value = bool | int | float | str
Parameters = Mapping[str, Value]


def parse_value(text: str) -> Value | list[object]:
    """Read a value as TOML does, and ``.3`` as well; anything else is a text."""
    try:
        parsed = tomllib.loads(f"value = {'0' if text.startswith('.') else ''}{text}")["value"]
    except (ValueError, RecursionError):
        return text
    return parsed if isinstance(parsed, bool | int | float | str | list) else text


def keyword_parameters(factory: Callable[..., object]) -> dict[str, Value]:
    """The keyword-only parameters of ``factory`` with their defaults."""
    return {
        name: parameter.default
        for name, parameter in inspect.signature(factory).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }


def check_parameters(
    kind: str, name: str, given: Parameters, known: Parameters
) -> dict[str, Value]:
    """``given`` in the types of the defaults in ``known``: an int will do for a float.

    ``kind`` and ``name`` say in messages whose parameters they are.
    """
    checked = dict(given)
    for key, value in given.items():
        if key not in known:
            raise UnknownNameError(f"key for {kind} {name!r}:", key, known)
        if type(known[key]) is float and type(value) is int:
            checked[key] = float(value)
        elif type(value) is not type(known[key]):
            raise SettingsError(
                f"{name}.{key} takes a value like {known[key]!r}, not {value!r}; correct it in "
                "--set or in the config file."
            )
    return checked


_SECTION = re.compile(r"^(Parameters|Raises|Returns)\n-+\n", re.MULTILINE)
_ITEM = re.compile(r"^(\S.*?)(?: : (.*))?$")


@dataclass(frozen=True, slots=True)
class Docstring:
    """The text of a docstring, and what it says of each parameter and error, in its order."""

    text: str
    parameters: tuple[tuple[str, str], ...] = ()
    errors: tuple[tuple[str, str], ...] = ()


def parse_docstring(thing: object) -> Docstring:
    """The docstring of a function or class, taken apart; empty where it has none."""
    head, *sections = _SECTION.split(inspect.getdoc(thing) or "")
    found = dict(zip(sections[::2], sections[1::2], strict=True))
    # Whatever follows the list after an empty line is text again.
    parameters, _, trailing = found.get("Parameters", "").partition("\n\n")
    text = "\n\n".join(part.strip() for part in (head, trailing) if part.strip())
    return Docstring(text, _items(parameters), _items(found.get("Raises", "")))


def _items(section: str) -> tuple[tuple[str, str], ...]:
    """Names at the margin, their texts behind a colon or indented below; ``a, b : x`` is two."""
    items: list[tuple[str, list[str]]] = []
    for line in section.splitlines():
        if line.startswith(" ") and items:
            items[-1][1].append(line.strip())
        elif (found := _ITEM.match(line)) is not None:
            items.append((found[1], [found[2] or ""]))
    return tuple(
        (name, " ".join(filter(None, texts)))
        for names, texts in items
        for name in names.split(", ")
    )


_SIZE = re.compile(
    r"(?P<number>[0-9]{1,15}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})\s*"
    r"(?:(?P<prefix>[kmgt])(?P<binary>i)?)?b?"
)
_PREFIXES = " kMGT"
_ROUNDED_UP = 999.5
SIZE_EXAMPLES = "500MB, 2GB or 1.5GiB"


def parse_size(text: str) -> int | None:
    """The bytes that a text means, a thousand to the kilobyte; None where it means no size.

    Examples
    --------
    >>> parse_size("2GB"), parse_size("1.5 KiB"), parse_size("7"), parse_size("large")
    (2000000000, 1536, 7, None)
    """
    match = _SIZE.fullmatch(text.strip().lower())
    if match is None:
        return None
    step = 1024 if match["binary"] else 1000
    power = _PREFIXES.lower().index(match["prefix"] or " ")
    return round(float(match["number"]) * float(step**power))


def format_size(size: int) -> str:
    """A size for people.

    Examples
    --------
    >>> format_size(0), format_size(20_480), format_size(1_234_567_890)
    ('0 B', '20 kB', '1.2 GB')
    """
    value, power = float(size), 0
    while value >= _ROUNDED_UP and power < len(_PREFIXES) - 1:
        value, power = value / 1000, power + 1
    digits = 1 if power and value < 10 else 0
    return f"{value:.{digits}f} {_PREFIXES[power].strip()}B"
