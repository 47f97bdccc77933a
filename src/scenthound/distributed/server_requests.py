"""Requests left on the server for all the workers of a crawl: pause, stop."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from scenthound.distributed.keys import crawl_prefix

if TYPE_CHECKING:
    from redis import Redis


LOOK_AGAIN = 1.0
"""Seconds between two looks at the server."""


class ServerRequests:
    """As :class:`scenthound.store.requests.Requests`, but a request stays for every worker.

    Parameters
    ----------
    client : the server.
    crawl : name of the crawl.
    monotonic : the time, for measuring.
    """

    def __init__(
        self, client: Redis, crawl: str, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._client = client
        self._key = f"{crawl_prefix(crawl)}:requests"
        self._monotonic = monotonic
        self._left: frozenset[bytes] = frozenset()
        self._looked: float | None = None

    def leave(self, name: str) -> None:
        """Leave a request; a second time does nothing."""
        self._client.sadd(self._key, name)

    def withdraw(self, name: str) -> bool:
        """Take a request away; False where there was none."""
        return bool(self._client.srem(self._key, name))

    def is_left(self, name: str) -> bool:
        """Does somebody ask for this, or did a second ago?"""
        now = self._monotonic()
        if self._looked is None or now - self._looked >= LOOK_AGAIN:
            self._left = frozenset(map(bytes, self._client.smembers(self._key)))  # type: ignore[arg-type]
            self._looked = now
        return name.encode() in self._left
