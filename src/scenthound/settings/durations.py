"""Times as people write them: ``1.5``, ``100ms``, ``90s``, ``15m``, ``2h``, ``1d``."""

from __future__ import annotations

import re

_TIME = re.compile(r"(?P<number>[0-9]{1,9}(?:\.[0-9]{1,9})?|\.[0-9]{1,9})\s*(?P<unit>ms|[smhd]?)")
_SECONDS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
FORMS = "1.5, 100ms, 90s, 15m, 2h or 1d"


def seconds(text: str) -> float | None:
    """The seconds that a text means; None where it means no time."""
    match = _TIME.fullmatch(text.strip().lower())
    if match is None:
        return None
    return float(match["number"]) * _SECONDS[match["unit"]]
