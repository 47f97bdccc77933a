"""Sizes as people write them: ``500MB``, ``2GB``, ``1.5 GiB``."""

from __future__ import annotations

import re

_SIZE = re.compile(
    r"(?P<number>[0-9]{1,15}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})\s*"
    r"(?:(?P<prefix>[kmgt])(?P<binary>i)?)?b?"
)
_PREFIXES = " kMGT"
_ROUNDED_UP = 999.5
SIZES = "500MB, 2GB or 1.5GiB"


def size_in(text: str) -> int | None:
    """The bytes that a text means, a thousand to the kilobyte; None where it means no size.

    Examples
    --------
    >>> size_in("2GB"), size_in("1.5 KiB"), size_in("7"), size_in("large")
    (2000000000, 1536, 7, None)
    """
    match = _SIZE.fullmatch(text.strip().lower())
    if match is None:
        return None
    step = 1024 if match["binary"] else 1000
    power = _PREFIXES.lower().index(match["prefix"] or " ")
    return round(float(match["number"]) * float(step**power))


def told_size(size: int) -> str:
    """A size for people.

    Examples
    --------
    >>> told_size(0), told_size(20_480), told_size(1_234_567_890)
    ('0 B', '20 kB', '1.2 GB')
    """
    value, power = float(size), 0
    while value >= _ROUNDED_UP and power < len(_PREFIXES) - 1:
        value, power = value / 1000, power + 1
    digits = 1 if power and value < 10 else 0
    return f"{value:.{digits}f} {_PREFIXES[power].strip()}B"
