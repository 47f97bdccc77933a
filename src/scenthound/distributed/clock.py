"""One time for all workers: the server's. Clocks of machines differ, and hosts must not notice."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from scenthound.distributed.keys import crawl_prefix
from scenthound.distributed.scripts import Scripts

if TYPE_CHECKING:
    from redis import Redis

SECONDS_BETWEEN = 60.0
"""How often the server is asked for its time."""
_ASKED = 3


class ServerClock:
    """Seconds since 1970 by the clock of the server, which never goes back.

    Between two questions it goes on by a clock that nobody sets: a machine whose time is put right
    by an hour must not have the leases of all others expire.

    Parameters
    ----------
    client : the server.
    crawl : name of the crawl.
    local : the time here, which may be set.
    monotonic : the time here, for measuring.
    """

    def __init__(
        self,
        client: Redis,
        crawl: str,
        local: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._crawl = crawl
        self._local = local
        self._monotonic = monotonic
        self._ahead = 0.0
        self.set_right()

    def __call__(self) -> float:
        """The time now."""
        return self._monotonic() + self._ahead

    def of(self, local: float) -> float:
        """The server's time when it was ``local`` here, a moment ago."""
        return self() - max(0.0, self._local() - local)

    def set_right(self) -> None:
        """Ask the server what time it is; the quickest of a few answers counts."""
        self._ahead = min(self._asked() for _ in range(_ASKED))[1]

    def _asked(self) -> tuple[float, float]:
        """How long the answer took, and how far the server is ahead."""
        before = self._monotonic()
        told = server_time(self._client, self._crawl)
        after = self._monotonic()
        return after - before, told - (before + after) / 2


def server_time(client: Redis, crawl: str) -> float:
    """The time of a crawl; in a cluster one node tells it, always the same."""
    return float(Scripts(client).run("time", crawl_prefix(crawl)))
