"""A few times a second the crawl looks up: who wants something, is it time to stop, to commit?"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from scenthound.live.interruption import Interruption
from scenthound.live.stopping import INTERRUPTED, STOPPED, StopRules
from scenthound.live.worker import TICK
from scenthound.store.requests import PAUSE, STOP, Requests


class Stoppable(Protocol):
    """What can be told to stop."""

    def stop(self, reason: str) -> None:
        """End for this reason."""


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
        self._last = monotonic()

    @property
    def seconds(self) -> float:
        """How long the crawl has taken in all its runs, pauses left out."""
        return self._before + self.run_seconds

    def heed(
        self,
        target: Stoppable,
        on_pause: Callable[[bool], None] = lambda paused: None,
        on_tick: Callable[[], None] = lambda: None,
    ) -> bool:
        """Stop ``target`` where there is a reason to; True while it is paused.

        ``on_pause`` is told when a pause begins and ends, ``on_tick`` a few times a second.
        """
        if self._interruption.asked:
            target.stop(INTERRUPTED)
        now = self._monotonic()
        if now - self._last < TICK:
            return self.paused
        if not self.paused:
            self.run_seconds += now - self._last
        self._last = now
        self._look(target, on_pause)
        on_tick()
        return self.paused

    def _look(self, target: Stoppable, on_pause: Callable[[bool], None]) -> None:
        if self._requests.withdraw(STOP):
            target.stop(STOPPED)
        asked = self._requests.is_left(PAUSE)
        if asked != self.paused:
            self.paused = asked
            on_pause(asked)
        reason = self._rules.reason(self.seconds)
        if reason is not None:
            target.stop(reason)
