"""Which workers have died: those of whom nothing new is seen, whatever the clocks say."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from scenthound.distributed.roll import DEAD_AFTER, WorkerEntry

LONGEST_GAP = 60.0
"""One who has not looked for longer does not know who was silent: the server may have been away."""


class Deaths:
    """Looks at the roll now and then, and tells who has been silent for ``DEAD_AFTER`` seconds.

    By its own clock: after an hour without a server, or when the server's clock is put forward,
    all workers were last heard of long ago, and none of them has died.

    Parameters
    ----------
    monotonic : the time here, for measuring.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._looked = -LONGEST_GAP
        self._silent: dict[str, tuple[float, float]] = {}
        """By worker: when it said it was last heard of, and since when it says so."""

    def among(self, entries: Iterable[WorkerEntry]) -> list[WorkerEntry]:
        """Those that have died, of all that were at work when they were last heard of."""
        now = self._monotonic()
        if now - self._looked > LONGEST_GAP:
            self._silent.clear()
        self._looked = now
        at_work = {entry.name: entry for entry in entries if entry.is_at_work}
        self._silent = {name: self._since(entry, now) for name, entry in at_work.items()}
        return [
            entry for name, entry in at_work.items() if now - self._silent[name][1] > DEAD_AFTER
        ]

    def _since(self, entry: WorkerEntry, now: float) -> tuple[float, float]:
        heard, since = self._silent.get(entry.name, (entry.heard, now))
        return (heard, since) if heard == entry.heard else (entry.heard, now)
