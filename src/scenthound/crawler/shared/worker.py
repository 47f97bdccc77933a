"""One worker of a shared crawl: its folder and name, the shared limits and budget, its
heartbeat.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from scenthound.core.errors import FolderError, ServerError, SettingsError, warn_caller
from scenthound.crawler.control import Status, stored_worker
from scenthound.crawler.job import LiveJob, WorkerIdentity, job_from_spec
from scenthound.frontier.redis.crawl_status import ServerControl
from scenthound.frontier.redis.crawls import SharedCrawl
from scenthound.frontier.redis.frontier import RedisFrontier
from scenthound.frontier.redis.server import SECONDS_BETWEEN, ServerClock, server_errors
from scenthound.frontier.redis.sharing import ServerRobotsCache
from scenthound.frontier.redis.worker import WorkerFrontier
from scenthound.frontier.redis.workers import (
    ENDED,
    PAUSED,
    WORKING,
    DeadWorkerDetector,
    LeaderLock,
    NameTakenError,
    SharedBudget,
    WorkerEntry,
    WorkerRegistry,
)
from scenthound.storage.files import os_errors_as
from scenthound.storage.folder import CrawlFolder, folder_name, lock_holder

HEARTBEAT_SECONDS = 2.0
"""Seconds between two signs of life."""

SWEEPER_SECONDS = 30.0
"""One of the workers looks for those that have died; if it dies itself, another does after this."""

_CLAIM_HEARTBEATS = 5
"""Every so many heartbeats (10 s) limits are read and dead workers looked for: both cost more."""

_LEASE_MARGIN = 120.0
"""Seconds that a lease lasts after its worker has given the request up: none expires before."""


class DistributedWorker:
    """One worker's place in a crawl.

    Parameters
    ----------
    crawl : what all share.
    entry : who this is.
    job : what all do.
    clock : the time of the server.
    """

    def __init__(
        self, crawl: SharedCrawl, entry: WorkerEntry, job: LiveJob, clock: ServerClock
    ) -> None:
        self.crawl = crawl
        self.clock = clock
        self._entry = entry
        self.worker = entry.name
        self._registry = WorkerRegistry(crawl.client, crawl.name)
        self.requests = ServerControl(crawl.client, crawl.name)
        options = job.options
        self.on_server = RedisFrontier(
            crawl.client,
            crawl.name,
            job.spec.combination,
            options.politeness(),
            lease_seconds=job.lost_after + _LEASE_MARGIN,
            now=clock(),
            worker=entry.name,
            partitions=crawl.partitions,
            most=crawl.most_waiting,
        )
        self.frontier = WorkerFrontier(self.on_server, entry.number, clock)
        self.robots = ServerRobotsCache(crawl.client, crawl.name, crawl.partitions)
        # Small blocks: other workers cannot fetch what this one has claimed and not used.
        at_once = max(1, options.concurrency // 2)
        self.budget = SharedBudget(
            crawl.client, crawl.name, entry.name, options.max_pages, at_once, clock
        )
        self.max_time = options.max_time
        """Seconds that the crawl may take, from its beginning; None is no limit."""
        self._sweeper = LeaderLock(crawl.client, crawl.name, "sweeper", entry.name, SWEEPER_SECONDS)
        self._deaths = DeadWorkerDetector()
        self._beats = 0
        self._last_beat = self._last_time = clock()

    @property
    def began(self) -> float:
        """When the crawl began, by the server's clock."""
        return self.crawl.begin(self.clock())

    def record_stored(self, pages: int) -> None:
        """Publish the links of the pages so far: they are in the folder of this worker."""
        self.frontier.send()
        self.budget.keep(pages)

    def beat(self, status: Status) -> None:
        """Send a heartbeat if it is time to; called a few times a second."""
        self.frontier.send_responses()
        now = self.clock()
        if now - self._last_beat < HEARTBEAT_SECONDS:
            return
        self._last_beat = now
        self._beats += 1
        # A worker of a crawl that was deleted, or lost with its server, ends with that reason.
        self.crawl.check_exists()
        self._update_entry(PAUSED if status.paused else WORKING, status)
        if self._beats % _CLAIM_HEARTBEATS == 0:
            self.budget.pages, self.max_time = self.crawl.limits()  # they may have changed
            self.budget.refresh()
            self._free_dead_workers(now)
        if now - self._last_time > SECONDS_BETWEEN:
            self._last_time = now
            self.clock.synchronize()

    def send_heartbeat(self) -> None:
        """Send a heartbeat during long work, if it is time to."""
        now = self.clock()
        if now - self._last_beat >= HEARTBEAT_SECONDS:
            self._last_beat = now
            self._entry = replace(self._entry, heard=now)
            self._registry.update(self._entry)
            self.budget.refresh()

    def close(self, reason: str, status: Status) -> None:
        """Record that this worker has ended, and why."""
        self._sweeper.release()
        self.budget.close(status.summary.fetched)
        self._update_entry(ENDED, status, reason)

    def abandon(self, reason: str) -> None:
        """Record that this worker ends early, if the server still responds."""
        # The error that ends the worker is the one to raise. Without a server the leases expire.
        with suppress(ServerError), server_errors(""):
            self.on_server.free(self.worker, self.clock())
            ended = replace(self._entry, heard=self.clock(), state=ENDED, reason=reason)
            self._registry.update(ended)

    def _update_entry(self, state: str, status: Status, reason: str = "") -> None:
        """Write the state of this worker to the registry."""
        summary = status.summary
        self._entry = replace(
            self._entry, heard=self.clock(), state=state, pages=summary.fetched,
            relevant=summary.relevant, failed=summary.failed, under_way=status.in_flight,
            seconds=status.seconds, reason=reason,
        )  # fmt: skip
        self._registry.update(self._entry)

    def _free_dead_workers(self, now: float) -> None:
        """Put back what dead workers had leased; one worker at a time does it."""
        if not self._sweeper.acquire():
            return
        for entry in self._deaths.among(self._registry.entries()):
            # Leases first: if this worker dies in between, another finds the dead one again.
            self.on_server.free(entry.name, now)
            self._registry.mark_dead(entry)
        self.on_server.set_aside_exhausted()


_MAX_WORKERS = 1_000
"""Workers of one crawl on one machine."""


def find_place(
    crawl: SharedCrawl, out: Path | None, name: str | None, version: str, clock: ServerClock
) -> tuple[Path, WorkerEntry]:
    """Enter a worker on the server; return its folder, as it is given, and its entry.

    Parameters
    ----------
    crawl : that it works for.
    out : its folder, new or left by a worker of this crawl. By default ``CRAWL-workers/HOST``, or
        with a number behind it: the first that is free.
    name : its name; by default that in the folder, or that of the machine with a number.
    version : of this program.
    clock : the time of the server.

    FolderError or SettingsError where the folder is not one of this crawl, another process works
    there, or the name is taken.
    """
    host = socket.gethostname() or "worker"
    folder = _free_folder(crawl, host) if out is None else out
    known = worker_identity(folder)
    if known is not None:
        check_same_crawl(folder, known, crawl.name, crawl.id)
        if name is not None and name != known.name:
            raise SettingsError(
                f"{folder} belongs to worker {known.name!r}; leave out --name, or give another "
                "--out."
            )
    with os_errors_as(FolderError, f"cannot make the folder {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
    own, where = known.name if known is not None else name, str(folder.resolve())
    registry = WorkerRegistry(crawl.client, crawl.name)
    for number in range(1, _MAX_WORKERS):
        numbered = f"{host}-{folder.name}" if number == 1 else f"{host}-{folder.name}-{number}"
        try:
            resumes = known is not None
            entry = registry.enter(own or numbered, host, where, version, clock(), resumes)
        except NameTakenError:
            if own is not None:
                raise
        else:
            return folder, entry
    raise SettingsError("every name for this worker is taken; give it one: --name.")


def shared_job(crawl: SharedCrawl, entry: WorkerEntry, changes: Mapping[str, object]) -> LiveJob:
    """Return the job that all workers share with the limits of now, marked as this worker's.

    A labels file that is not on this machine is left out: its figures come with the merged crawl.
    """
    source = dict(crawl.spec["source"])
    labels = source["labels"]
    if labels is not None and not os.path.isfile(labels):
        warn_caller(
            f"there is no labels file {labels} here; measure the merged crawl by it instead"
        )
        source["labels"] = None
    crawl_spec = {**crawl.spec, "source": source}
    changes = {**crawl.limits()._asdict(), **changes}
    job = job_from_spec(crawl_spec, f"crawl {crawl.name!r} on the server", changes)
    mark = WorkerIdentity(crawl.name, crawl.id, entry.name, entry.number)
    return replace(job, worker=mark)


def worker_in(folder: Path, crawl_id: str) -> str | None:
    """Return the name of the worker of this crawl that a folder belongs to; None for others."""
    try:
        mark = worker_identity(folder)
    except FolderError:
        return None
    return mark.name if mark is not None and mark.id == crawl_id else None


def _free_folder(crawl: SharedCrawl, host: str) -> Path:
    """Return the first free folder of this machine: one left before, or a new one."""
    base = Path(f"{folder_name(crawl.name)}-workers")
    for number in range(1, _MAX_WORKERS):
        path = base / folder_name(host if number == 1 else f"{host}-{number}")
        try:
            # mkdir decides between workers that start together: it succeeds for one of them.
            path.mkdir(parents=True)
        except FileExistsError:
            mark = None if lock_holder(path) is not None else worker_identity(path)
            if mark is not None and mark.id == crawl.id:
                return path
        except OSError as error:
            raise FolderError(f"cannot make the folder {path}: {error.strerror}.") from None
        else:
            return path
    raise FolderError(f"{base} is full of workers; give a folder: --out.")


def worker_identity(folder: Path) -> WorkerIdentity | None:
    """Return which worker a folder belongs to; None where it holds no crawl."""
    opened = CrawlFolder(folder)
    # A name may be too long, or a folder may not be looked into.
    with os_errors_as(FolderError, f"cannot use the folder {folder}"):
        holds_crawl = opened.spec_path.exists()
    if not holds_crawl:
        opened.check_free()
        return None
    stored = stored_worker(CrawlFolder.open(folder))
    if stored is None:
        raise FolderError(
            f"{folder} holds a crawl of its own, not a worker's part of one; give another --out."
        )
    try:
        return WorkerIdentity(**stored)  # type: ignore[arg-type]
    except TypeError:
        raise FolderError(f"{opened.spec_path} is damaged: {stored!r} is no worker.") from None


def check_same_crawl(folder: Path, mark: WorkerIdentity, crawl: str, crawl_id: str | None) -> None:
    """FolderError unless the worker is one of this crawl, and no process works in its folder.

    ``crawl_id`` is None where the server has no crawl of that name.
    """
    if mark.id != crawl_id:
        earlier = "an earlier crawl of that name"
        whose = earlier if mark.crawl == crawl else f"another crawl ({mark.crawl!r})"
        raise FolderError(f"{folder} belongs to {whose}; give another --out.")
    who = lock_holder(folder)
    if who is not None:
        raise FolderError(f"process {who} works in {folder}; give another --out.")
