"""How fast a crawl goes: pages a second over the last minute."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

MINUTE = 60.0
_SHORTEST = 1.0
"""Seconds between two looks that say something about the speed."""
_KEPT = 240


def rate(samples: Sequence[tuple[float, int]], now: float) -> float | None:
    """Pages a second, from times and the number of pages by then, in order.

    None where nothing, or too little, is known of the last minute; 0 where it saw no page.
    """
    recent = [(at, pages) for at, pages in samples if now - MINUTE <= at <= now]
    if not recent:
        return 0.0 if samples else None
    (begun, before), (_, pages) = recent[0], recent[-1]
    seconds = now - begun
    return (pages - before) / seconds if seconds >= _SHORTEST else None


class Watched:
    """Pages by the time at which they were seen, for a replay, whose own clock counts pages."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque(maxlen=_KEPT)

    def saw(self, pages: int, now: float) -> None:
        """So many pages at this time; fewer than before is a journal that begins anew."""
        samples = self._samples
        if samples and pages < samples[-1][1]:
            samples.clear()
        if not samples or now - samples[-1][0] >= MINUTE / _KEPT:
            samples.append((now, pages))

    def rate(self, now: float) -> float | None:
        """Pages a second over the last minute, or since the first look; None before a second."""
        return rate(self._samples, now)
