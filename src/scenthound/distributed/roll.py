"""The roll of a crawl: who works on it, where, and when it was last heard of."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from scenthound.core.errors import SettingsError
from scenthound.distributed.keys import crawl_prefix
from scenthound.distributed.scripts import Scripts

if TYPE_CHECKING:
    from redis import Redis

WORKING, PAUSED, ENDED, LOST = "working", "paused", "ended", "lost"
DEAD_AFTER = 120.0
"""A worker that was not heard of for so many seconds has died: what it leased waits again."""
ERROR = "error: "
"""What the reason of a worker begins with that did not end as it should."""
SILENT_AFTER = 10.0
"""Workers tell of themselves every two seconds; one that was not heard of for so long is silent."""
MOST_WORKERS = 4_095
"""Numbers of pages have room for so many, those that have ended included."""


@dataclass(frozen=True, slots=True)
class WorkerEntry:
    """One worker, as it last told of itself.

    ``number`` is its own in this crawl. ``folder`` is where it writes, on the machine ``host``.
    ``pages`` are kept, ``relevant`` of them relevant, ``under_way`` being fetched. ``seconds`` is
    how long it has crawled. ``heard`` is when it last told, by the server's clock. ``state`` is
    "working", "paused", "ended" (why: ``reason``), or "lost" where others found that it has died.
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

    @property
    def is_at_work(self) -> bool:
        """Was it, when it was last heard of?"""
        return self.state not in (ENDED, LOST)

    def shown_state(self, now: float) -> str:
        """Its state, or "lost" where it was not heard of for too long."""
        return LOST if self.is_at_work and now - self.heard > DEAD_AFTER else self.state

    def silent_for(self, now: float) -> float | None:
        """Seconds since it was heard of; None where they are few, or it is not at work."""
        seconds = now - self.heard
        at_work = self.shown_state(now) not in (ENDED, LOST)
        return seconds if at_work and seconds > SILENT_AFTER else None


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

    def enter(
        self, name: str, host: str, folder: str, version: str, now: float, goes_on: bool = False
    ) -> WorkerEntry:
        """A worker begins, or goes on in the folder that it had: ``goes_on`` says that it does.

        NameTakenError where the name is that of a worker with another folder: two workers would
        count their pages alike. Two machines may have one name, and folders of the same name on
        them: a worker that begins never takes the place of one that has begun.
        """
        known = self._known(name)
        if known is None:
            known = self._begin(WorkerEntry(name, 0, host, folder, version, now))
        elif not goes_on or (known.host, known.folder) != (host, folder):
            raise _taken(known)
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
        numbered = replace(entry, number=number)
        if not self._client.hsetnx(self._key, entry.name, _written(numbered)):
            raise _taken(self._known(entry.name) or numbered)
        return numbered

    def bury(self, entry: WorkerEntry) -> bool:
        """This worker has died: it is lost, and others may claim the pages that it did not keep.

        False where it was heard of meanwhile.
        """
        told = entry.name, _written(entry), _written(replace(entry, state=LOST))
        return bool(Scripts(self._client).run("bury", self._prefix, *told))

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


def _taken(by: WorkerEntry) -> NameTakenError:
    return NameTakenError(
        f"worker {by.name!r} of this crawl writes to {by.folder} on {by.host}; go on in that very "
        "folder, or give another name: --name."
    )


def _written(entry: WorkerEntry) -> str:
    return json.dumps(asdict(entry))


def _read(value: bytes | str) -> WorkerEntry:
    return WorkerEntry(**json.loads(value))
