"""How a crawl of many workers stands, as the server tells."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from scenthound.distributed.claims import Claims
from scenthound.distributed.clock import server_time
from scenthound.distributed.crawls import SharedCrawl
from scenthound.distributed.partitions import Partitions
from scenthound.distributed.roll import ENDED, LOST, PAUSED, Roll, WorkerEntry
from scenthound.distributed.server_requests import ServerRequests
from scenthound.frontier.manners import AS_FAST_AS_IT_GOES
from scenthound.store.requests import PAUSE, STOP

NOT_BEGUN, RUNNING, STOPPING = "not begun", "running", "stopping"
_NOBODY = "an onlooker"


@dataclass(frozen=True, slots=True)
class Overview:
    """One crawl and its workers.

    ``state`` is "not begun" (no worker yet), "running", "paused", "stopping", "ended", or "lost"
    where the last workers were not heard of any more; ``reason`` is why it ended. ``pages`` of
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
        """Share of relevant pages, as the workers last told; None before the first."""
        told = sum(worker.pages for worker in self.workers)
        return self.relevant / told if told else None


def overview(crawl: SharedCrawl) -> Overview:
    """How the crawl stands now."""
    client, name = crawl.client, crawl.name
    now = server_time(client, name)
    workers = tuple(Roll(client, name).entries())
    partitions = Partitions(client, name, crawl.partitions, AS_FAST_AS_IT_GOES)
    waiting, leased = partitions.left()
    state = _state(workers, ServerRequests(client, name), now)
    pages = Claims(client, name, _NOBODY).kept()
    return Overview(
        name=name,
        id=crawl.id,
        topic=str(crawl.order["topic"]["name"]),
        strategy=str(crawl.order["strategy"]),
        version=crawl.version,
        state=state,
        reason=_reason(workers) if state == ENDED else "",
        budget=int(crawl.limits()["max_pages"] or 0),
        pages=max(pages, sum(worker.pages for worker in workers if worker.state == ENDED)),
        relevant=sum(worker.relevant for worker in workers),
        waiting=waiting,
        leased=leased,
        hosts=partitions.host_count(),
        workers=workers,
        at=now,
    )


def with_lost(stands: Overview, names: Collection[str]) -> Overview:
    """The same, by somebody who knows that workers of these names have died.

    Those that have told of their end stay as they are.
    """
    workers = tuple(
        replace(worker, state=LOST) if worker.name in names and worker.is_at_work else worker
        for worker in stands.workers
    )
    known = replace(stands, workers=workers)
    if not workers or _at_work(workers, stands.at):
        return known
    state = _last_state(workers)
    return replace(known, state=state, reason=_reason(workers) if state == ENDED else "")


def _state(workers: tuple[WorkerEntry, ...], requests: ServerRequests, now: float) -> str:
    if not workers:
        return NOT_BEGUN
    if not _at_work(workers, now):
        return _last_state(workers)
    if requests.is_left(STOP):
        return STOPPING
    return PAUSED if requests.is_left(PAUSE) else RUNNING


def _at_work(workers: tuple[WorkerEntry, ...], now: float) -> bool:
    return any(worker.shown_state(now) not in (ENDED, LOST) for worker in workers)


def _last_state(workers: tuple[WorkerEntry, ...]) -> str:
    """The state of a crawl that nobody works for any more."""
    return ENDED if any(worker.state == ENDED for worker in workers) else LOST


def _reason(workers: tuple[WorkerEntry, ...]) -> str:
    """Why the last one ended."""
    ended = [worker for worker in workers if worker.state == ENDED]
    return max(ended, key=lambda worker: worker.heard).reason
