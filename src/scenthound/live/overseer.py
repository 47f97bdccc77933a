"""A few times a second the crawl looks up: who wants something, is it time to stop, to commit?"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from scenthound.live.deciding import Heed
from scenthound.live.interruption import Interruption
from scenthound.live.stopping import INTERRUPTED, STOPPED, StopRules
from scenthound.live.worker import TICK
from scenthound.store.requests import PAUSE, STOP, Requests


class Overseer:
    """Heeds Ctrl-C, requests left in the folder, and the limits of the crawl.

    Parameters
    ----------
    folder : where requests are left.
    interruption : has somebody pressed Ctrl-C?
    rules : the limits.
    seconds : how long the crawl has taken in earlier runs.
    monotonic : the time, for measuring.
    """

    def __init__(
        self,
        folder: Path,
        interruption: Interruption,
        rules: StopRules,
        seconds: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._requests = Requests(folder)
        self._interruption = interruption
        self._rules = rules
        self._monotonic = monotonic
        self._before = seconds
        self.run_seconds = 0.0
        self.paused = False
        self.reason: str | None = None
        self._last = monotonic()

    @property
    def seconds(self) -> float:
        """How long the crawl has taken in all its runs, pauses left out."""
        return self._before + self.run_seconds

    def heed(
        self,
        on_pause: Callable[[bool], None] = lambda paused: None,
        on_tick: Callable[[], None] = lambda: None,
    ) -> Heed:
        """What the crawl is to do now; ``reason`` says why, where it is to end.

        ``on_pause`` is told when a pause begins and ends, ``on_tick`` a few times a second.
        """
        if self._interruption.asked:
            self._end(INTERRUPTED)
        now = self._monotonic()
        if now - self._last >= TICK:
            if not self.paused:
                self.run_seconds += now - self._last
            self._last = now
            self._look(on_pause)
            on_tick()
        if self.reason is not None:
            return Heed.END
        return Heed.WAIT if self.paused else Heed.GO_ON

    def _look(self, on_pause: Callable[[bool], None]) -> None:
        if self._requests.withdraw(STOP):
            self._end(STOPPED)
        asked = self._requests.is_left(PAUSE)
        if asked != self.paused:
            self.paused = asked
            on_pause(asked)
        self._end(self._rules.reason(self.seconds))

    def _end(self, reason: str | None) -> None:
        """The first reason stays."""
        self.reason = self.reason or reason
