"""How long a worker waits before it asks again where there was nothing to lease."""

from __future__ import annotations

LOOK_AGAIN = 0.05
"""Seconds after which others may have brought something to lease."""
_LEAST, _MOST, _MOST_IN_VAIN = 0.005, 0.25, 8
"""Seconds between two looks where leasing was in vain, and was so again."""


class Patience:
    """Waits until a host has rested; where others are quicker each time, longer and longer."""

    def __init__(self) -> None:
        self.until = 0.0
        """Before this it is no use to ask."""
        self._in_vain = 0

    def nothing_came(self, now: float, rested_at: float | None) -> None:
        """There is nothing more to lease; a host has rested then, if one rests."""
        soon = now + LOOK_AGAIN
        longer = min(_MOST, _LEAST * 2**self._in_vain) if self._in_vain else 0.0
        self.until = max(now + longer, soon if rested_at is None else min(soon, rested_at))
        self._in_vain = min(self._in_vain + 1, _MOST_IN_VAIN)

    def leased(self) -> None:
        """It was not in vain."""
        self._in_vain = 0

    def end(self) -> None:
        """Something has changed: ask at once."""
        self.until = 0.0
