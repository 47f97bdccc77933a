"""A clock that does not run: it jumps to what happens next."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

from scenthound.frontier.redis.server import ServerClock


class Events:
    """What happens when: a clock that jumps from one event to the next."""

    def __init__(self) -> None:
        self.now = 0.0
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._order = count()

    def at(self, time: float, happen: Callable[[], None]) -> None:
        """Let something happen at a time, after what was planned for it before."""
        heappush(self._queue, (time, next(self._order), happen))

    def run(self) -> None:
        """Until nothing is planned any more."""
        while self._queue:
            self.now, _, happen = heappop(self._queue)
            happen()


class SimulatedClock(ServerClock):
    """The time of the events, which the server would have too."""

    def __init__(self, events: Events) -> None:
        self._events = events

    def __call__(self) -> float:
        """The time now."""
        return self._events.now

    def of(self, local: float) -> float:
        """All clocks agree."""
        return local
