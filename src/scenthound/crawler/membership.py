"""One worker of a shared crawl: its folder and name, the limits and the budget that all share,
its heartbeat.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from scenthound.core.errors import FolderError, ServerError, SettingsError
from scenthound.core.events import Summary
from scenthound.core.protocols import Clock
from scenthound.core.registry import Registry
from scenthound.crawler.job import LiveJob, WorkerIdentity, ordered_job
from scenthound.crawler.status import Status
from scenthound.crawler.topic_reading import Warn
from scenthound.frontier.redis.crawls import ServerControl, SharedCrawl
from scenthound.frontier.redis.frontier import RedisFrontier
from scenthound.frontier.redis.server import SECONDS_BETWEEN, ServerClock, server_errors
from scenthound.frontier.redis.sharing import ServerRobotsCache
from scenthound.frontier.redis.worker import WorkerFrontier
from scenthound.frontier.redis.workers import (
    ENDED,
    PAUSED,
    WORKING,
    BudgetClaims,
    DeadWorkerDetector,
    LeaderLock,
    NameTakenError,
    WorkerEntry,
    WorkerRegistry,
)
from scenthound.storage.folder import WORKER, CrawlFolder, folder_name, lock_holder
from scenthound.strategies.spec import StrategySpec


@dataclass(frozen=True, slots=True)
class Limits:
    """Of all workers together: pages, and seconds from the beginning (None is no limit)."""

    max_pages: int
    max_time: float | None


def limits_of(crawl: SharedCrawl) -> Limits:
    """The limits on the server."""
    limits = crawl.limits()
    pages = limits["max_pages"]
    assert pages is not None
    return Limits(int(pages), limits["max_time"])


_ASK_AGAIN = 0.5
"""Seconds until the server is asked again whether there are pages left."""


class SharedBudget:
    """One worker's part of the budget of a crawl.

    Parameters
    ----------
    claims : on the server.
    pages : what all workers together may fetch.
    at_once : how many pages are claimed at once.
    clock : the time of the server.
    """

    def __init__(self, claims: BudgetClaims, pages: int, at_once: int, clock: Clock) -> None:
        self.pages = pages
        self._claims = claims
        self._at_once = at_once
        self._clock = clock
        self._allowed = self._kept = 0
        self._claimed_at = 0.0
        self.send_heartbeat()

    def allows(self, spent: int) -> bool:
        """May this worker fetch another page? Where it has none left, more are claimed."""
        if spent >= self._allowed and self._clock() - self._claimed_at >= _ASK_AGAIN:
            self._claim(max(self._at_once, spent + 1 - self._allowed))
        return spent < self._allowed

    def is_exhausted(self, spent: int) -> bool:
        """Have all workers together kept as many pages as they may?"""
        del spent  # others count too
        return self._kept >= self.pages

    def kept(self, pages: int) -> None:
        """This worker has kept so many pages in all."""
        self._claims.keep(pages)

    def send_heartbeat(self) -> None:
        """Read the state of the budget; nothing more is claimed."""
        self._claim(0)

    def close(self, pages: int) -> None:
        """This worker ends with so many pages; others may fetch what it does not."""
        self._claims.give_back(pages)

    def _claim(self, pages: int) -> None:
        now = self._clock()
        allowed, self._kept = self._claims.claim(pages, self.pages)
        if pages and allowed == self._allowed:
            self._claimed_at = now
        self._allowed = allowed


HEARTBEAT_SECONDS = 2.0
"""Seconds between two signs of life."""

SWEEPER_SECONDS = 30.0
"""One of the workers looks for those that have died; if it dies itself, another does after this."""

_CLAIM_HEARTBEATS = 5

_SLOWEST_ANSWER = 240.0


class Membership:
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
        self._roll = WorkerRegistry(crawl.client, crawl.name)
        self.requests = ServerControl(crawl.client, crawl.name)
        options = job.options
        self.on_server = RedisFrontier(
            crawl.client,
            crawl.name,
            job.spec.combination,
            options.politeness(),
            lease_seconds=2 * options.timeout + _SLOWEST_ANSWER,
            now=clock(),
            worker=entry.name,
            partitions=crawl.partitions,
            most=crawl.most_waiting,
        )
        self.frontier = WorkerFrontier(self.on_server, entry.number, clock)
        self.robots = ServerRobotsCache(crawl.client, crawl.name, crawl.partitions)
        claims = BudgetClaims(crawl.client, crawl.name, entry.name)
        at_once = max(1, options.concurrency // 2)
        self.budget = SharedBudget(claims, options.max_pages, at_once, clock)
        self.max_time = options.max_time
        """Seconds that the crawl may take, from its beginning; None is no limit."""
        self._sweeper = LeaderLock(crawl.client, crawl.name, "sweeper", entry.name, SWEEPER_SECONDS)
        self._deaths = DeadWorkerDetector()
        self._beats = 0
        self._last_beat = self._last_time = clock()

    @property
    def worker(self) -> str:
        """The name of this worker."""
        return self._entry.name

    @property
    def began(self) -> float:
        """When the crawl began, by the server's clock."""
        return self.crawl.begin(self.clock())

    def kept(self, pages: int) -> None:
        """The pages so far are in the folder of this worker: publish their links."""
        self.frontier.send()
        self.budget.kept(pages)

    def beat(self, status: Status) -> None:
        """Tell that this worker is there, if it is time to; called a few times a second."""
        self.frontier.send_answers()
        now = self.clock()
        if now - self._last_beat < HEARTBEAT_SECONDS:
            return
        self._last_beat = now
        self._beats += 1
        self.crawl.check_exists()
        self._tell(PAUSED if status.paused else WORKING, status.summary, status)
        if self._beats % _CLAIM_HEARTBEATS == 0:
            self._hear_limits()
            self.budget.send_heartbeat()
            self._sweep(now)
        if now - self._last_time > SECONDS_BETWEEN:
            self._last_time = now
            self.clock.synchronize()

    def send_heartbeat(self) -> None:
        """In the middle of long work: this worker is there, if it is time to say so."""
        now = self.clock()
        if now - self._last_beat >= HEARTBEAT_SECONDS:
            self._last_beat = now
            self._entry = replace(self._entry, heard=now)
            self._roll.update(self._entry)
            self.budget.send_heartbeat()

    def close(self, reason: str, status: Status) -> None:
        """This worker has ended, and why."""
        self._sweeper.release()
        self.budget.close(status.summary.fetched)
        self._tell(ENDED, status.summary, status, reason)

    def abandon(self, reason: str) -> None:
        """This worker ends early: that is published, if the server still responds."""
        with suppress(ServerError), server_errors(""):
            self.on_server.free(self.worker, self.clock())
            ended = replace(self._entry, heard=self.clock(), state=ENDED, reason=reason)
            self._roll.update(ended)

    def _tell(self, state: str, summary: Summary, status: Status, reason: str = "") -> None:
        self._entry = replace(
            self._entry, heard=self.clock(), state=state, pages=summary.fetched,
            relevant=summary.relevant, failed=summary.failed, under_way=status.under_way,
            seconds=status.seconds, reason=reason,
        )  # fmt: skip
        self._roll.update(self._entry)

    def _sweep(self, now: float) -> None:
        """What workers had leased that have died waits again; one worker at a time sees to it."""
        if not self._sweeper.acquire():
            return
        for entry in self._deaths.among(self._roll.entries()):
            self.on_server.free(entry.name, now)
            self._roll.mark_dead(entry)
        self.on_server.set_aside_exhausted()

    def _hear_limits(self) -> None:
        """Somebody may have changed the limits of all workers."""
        limits = limits_of(self.crawl)
        self.budget.pages, self.max_time = limits.max_pages, limits.max_time


_MAX_WORKERS = 1_000
"""Workers of one crawl on one machine."""


@dataclass(frozen=True, slots=True)
class WorkerPlace:
    """Where a worker writes, and who it is."""

    folder: Path
    entry: WorkerEntry


def find_place(
    crawl: SharedCrawl, out: Path | None, name: str | None, version: str, clock: ServerClock
) -> WorkerPlace:
    """The place of a worker.

    Parameters
    ----------
    crawl : that it works for.
    out : its folder, new or left by a worker of this crawl. By default ``CRAWL-workers/HOST``, or
        with a number behind it: the first that is free.
    name : its name; by default that in the folder, or that of the machine with a number.
    version : of this program.
    clock : the time of the server.

    Raises
    ------
    FolderError, SettingsError
        The folder is not one of this crawl, or another process works there; the name is taken.
    """
    host = socket.gethostname() or "worker"
    folder = _free_folder(crawl, host) if out is None else out
    known = worker_identity(folder)
    if known is not None:
        check_same_crawl(folder, known, crawl.name, crawl.id)
        _check_name(folder, known, name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(f"cannot make the folder {folder}: {error.strerror}.") from None
    names = _names(known.name if known is not None else name, f"{host}-{folder.name}")
    where = str(folder.resolve())
    for each in names:
        try:
            roll, goes_on = WorkerRegistry(crawl.client, crawl.name), known is not None
            entry = roll.enter(each, host, where, version, clock(), goes_on)
        except NameTakenError:
            if name is not None or known is not None:
                raise
        else:
            return WorkerPlace(folder, entry)
    raise SettingsError("every name for this worker is taken; give it one: --name.")


def shared_job(
    crawl: SharedCrawl,
    place: WorkerPlace,
    catalogue: Registry[StrategySpec],
    changes: Mapping[str, object],
    warn: Warn,
) -> LiveJob:
    """The job that all workers share with the limits of now, marked as this worker's.

    A labels file that is not on this machine is left out: its figures come with the merged crawl.
    """
    source = dict(crawl.order["source"])
    labels = source["labels"]
    if labels is not None and not os.path.isfile(labels):
        warn(f"there is no labels file {labels} here; measure the merged crawl by it instead")
        source["labels"] = None
    order = {**crawl.order, "source": source}
    changes = {**asdict(limits_of(crawl)), **changes}
    job = ordered_job(order, f"crawl {crawl.name!r} on the server", catalogue, changes, warn)
    mark = WorkerIdentity(crawl.name, crawl.id, place.entry.name, place.entry.number)
    return replace(job, worker=mark)


def worker_in(folder: Path, crawl_id: str) -> str | None:
    """The name of the worker of this crawl whose folder it is; None where it is not one's."""
    try:
        mark = worker_identity(folder)
    except FolderError:
        return None
    return mark.name if mark is not None and mark.id == crawl_id else None


def _names(given: str | None, otherwise: str) -> Iterator[str]:
    if given is not None:
        yield given
        return
    yield otherwise
    for number in range(2, _MAX_WORKERS):
        yield f"{otherwise}-{number}"


def _free_folder(crawl: SharedCrawl, host: str) -> Path:
    """The first free folder of this machine: one left before, or a new one."""
    base = Path(f"{folder_name(crawl.name)}-workers")
    for number in range(1, _MAX_WORKERS):
        path = base / folder_name(host if number == 1 else f"{host}-{number}")
        try:
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
    """Whose folder it is; None where it holds no crawl."""
    opened = CrawlFolder(folder)
    try:
        holds_crawl = opened.order_path.exists()
    except OSError as error:  # a name that is too long, a folder that may not be looked into
        raise FolderError(f"cannot use the folder {folder}: {error.strerror}.") from None
    if not holds_crawl:
        opened.check_free()
        return None
    settings = CrawlFolder.open(folder).order().get("settings")
    stored = settings.get(WORKER) if isinstance(settings, dict) else None
    if not isinstance(stored, dict):
        raise FolderError(
            f"{folder} holds a crawl of its own, not a worker's part of one; give another --out."
        )
    try:
        return WorkerIdentity(**stored)
    except TypeError:
        raise FolderError(f"{opened.order_path} is damaged: {stored!r} is no worker.") from None


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


def _check_name(folder: Path, mark: WorkerIdentity, name: str | None) -> None:
    if name is not None and name != mark.name:
        raise SettingsError(
            f"{folder} belongs to worker {mark.name!r}; leave out --name, or give another --out."
        )
