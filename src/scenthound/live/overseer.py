"""A few times a second the crawl looks up: who wants something, is it time to stop, to commit?"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from scenthound.live.deciding import Heed
from scenthound.live.interruption import Interruption
from scenthound.live.stopping import INTERRUPTED, STOPPED, StopRules
from scenthound.live.worker import TICK
from scenthound.store.requests import PAUSE, STOP, Requests


class Wishes(Protocol):
    """Requests that were left for this process, and perhaps for others too."""

    def is_left(self, name: str) -> bool:
        """Does somebody ask for this?"""
        ...


class Overseer:
    """Heeds Ctrl-C, requests left in the folder, and the limits of the crawl.

    Parameters
    ----------
    folder : where requests are left.
    interruption : has somebody pressed Ctrl-C?
    rules : the limits.
    seconds : how long the crawl has taken in earlier runs.
    monotonic : the time, for measuring.
    shared : requests for all the workers of a crawl; None where it has but this one.
    elapsed : seconds since the crawl began; by default how long it has taken here.
    """

    def __init__(
        self,
        folder: Path,
        interruption: Interruption,
        rules: StopRules,
        seconds: float,
        monotonic: Callable[[], float] = time.monotonic,
        shared: Wishes | None = None,
        elapsed: Callable[[], float] | None = None,
    ) -> None:
        self._shared = shared
        self._elapsed = elapsed or (lambda: self.seconds)
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
        if self._requests.withdraw(STOP) or self._is_wished(STOP):
            self._end(STOPPED)
        asked = self._requests.is_left(PAUSE) or self._is_wished(PAUSE)
        if asked != self.paused:
            self.paused = asked
            on_pause(asked)
        self._end(self._rules.reason(self._elapsed()))

    def _is_wished(self, name: str) -> bool:
        return self._shared is not None and self._shared.is_left(name)

    def _end(self, reason: str | None) -> None:
        """The first reason stays."""
        self.reason = self.reason or reason
