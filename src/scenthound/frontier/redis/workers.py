"""The workers of a crawl: the registry, the detection of dead workers, their claims on the
budget, and the leader lock.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from scenthound.core.errors import SettingsError
from scenthound.core.protocols import Clock
from scenthound.frontier.redis.scripts import Scripts, Step, crawl_prefix

if TYPE_CHECKING:
    from redis import Redis


WORKING, PAUSED, ENDED, LOST = "working", "paused", "ended", "lost"
DEAD_AFTER = 120.0
"""A worker without a heartbeat for so many seconds has died: what it leased waits again."""
ERROR = "error: "
"""The reason of a worker that ended with an error begins so."""
SILENT_AFTER = 10.0
"""Workers send a heartbeat every two seconds; one without it for so long is shown as silent."""
MAX_WORKERS = 4_095
"""Numbers of pages have room for so many, those that have ended included."""


@dataclass(frozen=True, slots=True)
class WorkerEntry:
    """One worker, as of its last heartbeat.

    ``number`` is its own in this crawl. ``folder`` is where it writes, on the machine ``host``.
    ``pages`` are kept, ``relevant`` of them relevant, ``under_way`` being fetched. ``seconds`` is
    how long it has crawled. ``heard`` is the last heartbeat, by the server's clock. ``state`` is
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
        """Was it at work at its last heartbeat?"""
        return self.state not in (ENDED, LOST)

    def shown_state(self, now: float) -> str:
        """Its state, or "lost" where the last heartbeat is too long ago."""
        return LOST if self.is_at_work and now - self.heard > DEAD_AFTER else self.state

    def silent_for(self, now: float) -> float | None:
        """Seconds since the last heartbeat; None where they are few, or it is not at work."""
        seconds = now - self.heard
        at_work = self.shown_state(now) not in (ENDED, LOST)
        return seconds if at_work and seconds > SILENT_AFTER else None


class WorkerRegistry:
    """All workers of one crawl, those included that have ended."""

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
        if known is not None and (not goes_on or (known.host, known.folder) != (host, folder)):
            raise NameTakenError(known)
        if known is None:
            number = int(self._client.hincrby(f"{self._prefix}:crawl", "workers", 1))
            if number > MAX_WORKERS:
                raise SettingsError(
                    f"the crawl has had {MAX_WORKERS:,} workers, which is all it can have; let "
                    "workers go on in the folders that are there."
                )
            known = WorkerEntry(name, number, host, folder, version, now)
            # Of two workers with one name at the same moment the first stays.
            if not self._client.hsetnx(self._key, name, _written(known)):
                raise NameTakenError(self._known(name) or known)
        self.update(begun := replace(known, version=version, heard=now, state=WORKING, reason=""))
        return begun

    def mark_dead(self, entry: WorkerEntry) -> bool:
        """This worker has died: it is lost, and others may claim the pages that it did not keep.

        False where it has sent a heartbeat meanwhile.
        """
        states = _written(entry), _written(replace(entry, state=LOST))
        return bool(Scripts(self._client).run("mark_dead", self._prefix, entry.name, *states))

    def update(self, entry: WorkerEntry) -> None:
        """Store the state of a worker."""
        self._client.hset(self._key, entry.name, _written(entry))

    def entries(self) -> list[WorkerEntry]:
        """All of them, in the order in which they began."""
        found = [WorkerEntry(**json.loads(value)) for value in self._client.hvals(self._key)]
        return sorted(found, key=lambda entry: entry.number)

    def _known(self, name: str) -> WorkerEntry | None:
        value = self._client.hget(self._key, name)
        return None if value is None else WorkerEntry(**json.loads(value))


class NameTakenError(SettingsError):
    """Another worker of the crawl has this name."""

    def __init__(self, by: WorkerEntry) -> None:
        super().__init__(
            f"worker {by.name!r} of this crawl writes to {by.folder} on {by.host}; go on in that "
            "very folder, or give another name: --name."
        )


def _written(entry: WorkerEntry) -> str:
    return json.dumps(asdict(entry))


# --- dead workers


LONGEST_GAP = 60.0
"""After a longer gap nobody counts as silent: the server may have been away."""


class DeadWorkerDetector:
    """Finds workers whose heartbeat has not changed for ``DEAD_AFTER`` seconds of its own clock.

    The server's clock does not decide: after an hour without a server, or when that clock is put
    forward, all heartbeats are long ago, and none of the workers has died.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._looked = -LONGEST_GAP
        self._silent: dict[str, tuple[float, float]] = {}
        """By worker: its last heartbeat, and since when that has been the last."""

    def among(self, entries: Iterable[WorkerEntry]) -> list[WorkerEntry]:
        """Those that have died, of all that were at work at their last heartbeat."""
        now = self._monotonic()
        if now - self._looked > LONGEST_GAP:
            self._silent.clear()
        self._looked = now
        silent: dict[str, tuple[float, float]] = {}
        dead = []
        for entry in entries:
            if not entry.is_at_work:
                continue
            heard, since = self._silent.get(entry.name, (entry.heard, now))
            silent[entry.name] = entry.heard, since if heard == entry.heard else now
            if now - silent[entry.name][1] > DEAD_AFTER:
                dead.append(entry)
        self._silent = silent
        return dead


# --- the budget, shared out: a worker claims pages before it fetches them


_CLAIM_AGAIN = 0.5
"""Seconds until a worker that found no pages left claims again."""


class SharedBudget:
    """One worker's part of the budget of a crawl: what it has claimed, and how much of that it
    has kept.

    Parameters
    ----------
    client, crawl, worker : the server, and the names of the crawl and of this worker.
    pages : what all workers together may fetch.
    at_once : how many pages are claimed at once.
    clock : the time of the server.
    """

    def __init__(
        self, client: Redis, crawl: str, worker: str, pages: int, at_once: int, clock: Clock
    ) -> None:
        self.pages = pages
        self._client = client
        self._prefix = crawl_prefix(crawl)
        self._worker = worker
        self._at_once = at_once
        self._clock = clock
        self._allowed = self._kept = 0
        self._claimed_at = 0.0
        self.refresh()  # a worker that is started again may have claims from before

    def allows(self, spent: int) -> bool:
        """Whether this worker may fetch another page; where it has none left, claim more."""
        now = self._clock()
        if spent >= self._allowed and now - self._claimed_at >= _CLAIM_AGAIN:
            before = self._allowed
            self.refresh(max(self._at_once, spent + 1 - before))
            # Nothing is left now. The loop asks many times a second; the server is asked rarely.
            if self._allowed == before:
                self._claimed_at = now
        return spent < self._allowed

    def is_exhausted(self, spent: int) -> bool:
        """Whether all workers together have stored as many pages as they may."""
        del spent  # others count too
        return self._kept >= self.pages

    def refresh(self, claim: int = 0) -> None:
        """Read the state of the budget, and claim so many pages more, as far as it goes.

        What a dead worker had claimed comes back when it is marked dead.
        """
        arguments = self._worker, claim, self.pages
        allowed, kept = Scripts(self._client).run("claim", self._prefix, *arguments)
        self._allowed, self._kept = int(allowed), int(kept)

    def keep(self, pages: int) -> None:
        """This worker has stored so many pages in all."""
        self._client.hset(f"{self._prefix}:kept", self._worker, pages)

    def close(self, pages: int) -> None:
        """This worker ends with so many pages: what it claimed beyond them others may fetch."""
        Scripts(self._client).run("return_claims", self._prefix, self._worker, pages)


def pages_stored(client: Redis, crawl: str) -> int:
    """How many pages all workers of a crawl have stored."""
    return sum(map(int, client.hvals(f"{crawl_prefix(crawl)}:kept")))


# --- leader locks: one worker of several does what must be done once


class LeaderLock:
    """A lock of a crawl that one worker holds until it expires, by the server's clock.

    The holder keeps it by acquiring it again before that. When the holder dies, or cannot reach
    the server, another worker takes it over. It expires after so many ``seconds``.
    """

    def __init__(self, client: Redis, crawl: str, name: str, worker: str, seconds: float) -> None:
        self._scripts = Scripts(client)
        self.key = f"{crawl_prefix(crawl)}:lock:{name}"
        self.owner = f"{worker}/{secrets.token_hex(8)}"
        """Unique for each process: of two workers of one name only one holds the lock."""
        self._milliseconds = max(1, round(1000 * seconds))

    @property
    def step(self) -> Step:
        """Acquire the lock if it is free, or keep it; the server answers 1 where that worked."""
        return "acquire_lock", self.key, (self.owner, self._milliseconds)

    def acquire(self) -> bool:
        """Acquire the lock if it is free, or keep it; does this worker hold it?"""
        name, key, arguments = self.step
        return bool(self._scripts.run(name, key, *arguments))

    def release(self) -> None:
        """Release the lock at once; one that another holds is left alone."""
        self._scripts.run("release_lock", self.key, self.owner)
