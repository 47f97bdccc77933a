"""The roll of a crawl: who works on it, where, and when it was last heard of."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from scenthound.core.errors import SettingsError
from scenthound.distributed.keys import crawl_prefix

if TYPE_CHECKING:
    from redis import Redis

WORKING, PAUSED, ENDED, LOST = "working", "paused", "ended", "lost"
DEAD_AFTER = 120.0
"""A worker that was not heard of for so many seconds has died: what it leased waits again."""
MOST_WORKERS = 4_095
"""Numbers of pages have room for so many, those that have ended included."""


@dataclass(frozen=True, slots=True)
class WorkerEntry:
    """One worker, as it last told of itself.

    ``number`` is its own in this crawl. ``folder`` is where it writes, on the machine ``host``.
    ``pages`` are kept, ``relevant`` of them relevant, ``under_way`` being fetched. ``seconds`` is
    how long it has crawled. ``heard`` is when it last told, by the server's clock. ``state`` is
    "working", "paused" or "ended" (why: ``reason``).
    """

    name: str
    number: int
    host: str
    folder: str
    version: str
    heard: float
    state: str = WORKING
    reason: str = ""
    pages: int = 0
    relevant: int = 0
    failed: int = 0
    under_way: int = 0
    seconds: float = 0.0

    def is_dead(self, now: float) -> bool:
        """Was it at work when it was last heard of, too long ago?"""
        return self.state != ENDED and now - self.heard > DEAD_AFTER

    def shown_state(self, now: float) -> str:
        """Its state, or "lost" where it was not heard of for too long."""
        return LOST if self.is_dead(now) else self.state


class Roll:
    """All workers of one crawl, those included that have ended.

    Parameters
    ----------
    client : the server.
    crawl : name of the crawl.
    """

    def __init__(self, client: Redis, crawl: str) -> None:
        self._client = client
        self._prefix = crawl_prefix(crawl)
        self._key = f"{self._prefix}:workers"

    def enter(self, name: str, host: str, folder: str, version: str, now: float) -> WorkerEntry:
        """A worker begins, or goes on in the folder that it had.

        SettingsError where the name is that of a worker with another folder: two workers would
        count their pages alike.
        """
        entry = WorkerEntry(name, 0, host, folder, version, now)
        known = self._known(name) or self._begin(entry)
        if (known.host, known.folder) != (host, folder):
            raise NameTakenError(
                f"worker {name!r} of this crawl writes to {known.folder} on {known.host}; go on "
                "there, or give another name: --name."
            )
        self.tell(begun := replace(known, version=version, heard=now, state=WORKING, reason=""))
        return begun

    def _begin(self, entry: WorkerEntry) -> WorkerEntry:
        """A new worker gets a number; of two with one name at the same moment the first stays."""
        number = int(self._client.hincrby(f"{self._prefix}:crawl", "workers", 1))
        if number > MOST_WORKERS:
            raise SettingsError(
                f"the crawl has had {MOST_WORKERS:,} workers, which is all it can have; let "
                "workers go on in the folders that are there."
            )
        self._client.hsetnx(self._key, entry.name, _written(replace(entry, number=number)))
        return self._known(entry.name) or entry

    def may_sweep(self, worker: str, seconds: float) -> bool:
        """May this worker look for dead ones now? One of all may, once in so many seconds."""
        key = f"{self._prefix}:sweeper"
        return bool(self._client.set(key, worker, nx=True, px=round(seconds * 1_000)))

    def tell(self, entry: WorkerEntry) -> None:
        """How a worker stands now."""
        self._client.hset(self._key, entry.name, _written(entry))

    def entries(self) -> list[WorkerEntry]:
        """All of them, in the order in which they began."""
        found = [_read(value) for value in self._client.hvals(self._key)]
        return sorted(found, key=lambda entry: entry.number)

    def _known(self, name: str) -> WorkerEntry | None:
        value = self._client.hget(self._key, name)
        return None if value is None else _read(value)


class NameTakenError(SettingsError):
    """Another worker of the crawl has this name."""


def _written(entry: WorkerEntry) -> str:
    return json.dumps(asdict(entry))


def _read(value: bytes | str) -> WorkerEntry:
    return WorkerEntry(**json.loads(value))
