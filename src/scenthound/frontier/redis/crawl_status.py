"""Requests to pause or stop a shared crawl, for all its workers, and its status."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scenthound.frontier.politeness import NO_LIMITS
from scenthound.frontier.redis.crawls import SharedCrawl
from scenthound.frontier.redis.partitions import Partitions
from scenthound.frontier.redis.scripts import crawl_prefix
from scenthound.frontier.redis.server import server_time
from scenthound.frontier.redis.workers import (
    ENDED,
    LOST,
    PAUSED,
    WorkerEntry,
    WorkerRegistry,
    pages_stored,
)
from scenthound.storage.folder import PAUSE, STOP

if TYPE_CHECKING:
    from redis import Redis

LOOK_AGAIN = 1.0
"""Seconds between two looks at the server."""


class ServerControl:
    """As the ``ControlRequests`` of a folder, but a request stays for every worker."""

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
        """Is this requested, or was it a second ago?"""
        now = self._monotonic()
        if self._looked is None or now - self._looked >= LOOK_AGAIN:
            self._left = frozenset(map(bytes, self._client.smembers(self._key)))  # type: ignore[arg-type]
            self._looked = now
        return name.encode() in self._left


# The status.


NOT_BEGUN, RUNNING, STOPPING = "not begun", "running", "stopping"


@dataclass(frozen=True, slots=True)
class SharedCrawlStatus:
    """One crawl and its workers.

    ``state`` is "not begun" (no worker yet), "running", "paused", "stopping", "ended", or "lost"
    where the last workers sent no heartbeat any more; ``reason`` is why it ended. ``pages`` of
    ``budget`` are kept, ``relevant`` of them relevant. ``waiting`` URLs wait, ``leased`` are being
    fetched, of ``hosts`` hosts. ``at`` is the server's time.
    """

    name: str
    id: str
    topic: str
    strategy: str
    version: str
    state: str
    reason: str
    budget: int
    pages: int
    relevant: int
    waiting: int
    leased: int
    hosts: int
    workers: tuple[WorkerEntry, ...]
    at: float

    @property
    def has_ended(self) -> bool:
        """Is nobody at work any more?"""
        return self.state in (ENDED, LOST)

    @property
    def harvest(self) -> float | None:
        """Share of relevant pages, as of the last heartbeats; None before the first page."""
        pages = sum(worker.pages for worker in self.workers)
        return self.relevant / pages if pages else None


def shared_crawl_status(crawl: SharedCrawl) -> SharedCrawlStatus:
    """The status of the crawl now."""
    client, name = crawl.client, crawl.name
    now = server_time(client, name)
    workers = tuple(WorkerRegistry(client, name).entries())
    partitions = Partitions(client, name, crawl.partitions, NO_LIMITS)
    waiting, leased = partitions.left()
    control = ServerControl(client, name)
    going = STOPPING if control.is_left(STOP) else PAUSED if control.is_left(PAUSE) else RUNNING
    state = _final_state(workers, now) or (going if workers else NOT_BEGUN)
    return SharedCrawlStatus(
        name=name,
        id=crawl.id,
        topic=str(crawl.spec["topic"]["name"]),
        strategy=str(crawl.spec["strategy"]),
        version=crawl.version,
        state=state,
        reason=_reason(workers, state),
        budget=crawl.limits().max_pages,
        pages=max(
            pages_stored(client, name),
            sum(worker.pages for worker in workers if worker.state == ENDED),
        ),
        relevant=sum(worker.relevant for worker in workers),
        waiting=waiting,
        leased=leased,
        hosts=sum(hosts for _, _, hosts in partitions.sums()),
        workers=workers,
        at=now,
    )


def with_lost_workers(status: SharedCrawlStatus, names: Collection[str]) -> SharedCrawlStatus:
    """The same where workers of these names are known to have died; ended ones stay so."""
    workers = tuple(
        replace(worker, state=LOST) if worker.name in names and worker.is_at_work else worker
        for worker in status.workers
    )
    state = _final_state(workers, status.at) or status.state
    return replace(status, workers=workers, state=state, reason=_reason(workers, state))


def _final_state(workers: Collection[WorkerEntry], now: float) -> str | None:
    """The state of a crawl that no worker works for any more; None for another."""
    if not workers or any(each.shown_state(now) not in (ENDED, LOST) for each in workers):
        return None
    return ENDED if any(worker.state == ENDED for worker in workers) else LOST


def _reason(workers: Collection[WorkerEntry], state: str) -> str:
    """Why the last worker ended; empty for a crawl that has not ended."""
    ended = [worker for worker in workers if worker.state == ENDED]
    return max(ended, key=lambda worker: worker.heard).reason if state == ENDED else ""
