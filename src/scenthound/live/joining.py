"""A worker finds its place: its folder, its name, the job that all share."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from scenthound.core.errors import FolderError, SettingsError
from scenthound.core.registry import Registry
from scenthound.distributed.clock import ServerClock
from scenthound.distributed.crawls import SharedCrawl
from scenthound.distributed.roll import NameTakenError, Roll, WorkerEntry
from scenthound.experiments.topic_reading import Warn
from scenthound.live.job import WORKER, LiveJob, WorkerMark
from scenthound.live.limits import limits_of
from scenthound.live.stored_job import ordered_job
from scenthound.store.folder import CrawlFolder, folder_name
from scenthound.store.lock import holder
from scenthound.strategies.ingredients import Recipe

_MOST_HERE = 1_000
"""Workers of one crawl on one machine."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a worker writes, and who it is."""

    folder: Path
    entry: WorkerEntry


def find_place(
    crawl: SharedCrawl, out: Path | None, name: str | None, version: str, clock: ServerClock
) -> Place:
    """The place of a worker.

    Parameters
    ----------
    crawl : that it works for.
    out : its folder, new or left by a worker of this crawl. By default ``CRAWL-workers/HOST``, or
        with a number behind it: the first that nobody works in.
    name : its name; by default that in the folder, or that of the machine with a number.
    version : of this program.
    clock : the time of the server.

    Raises
    ------
    FolderError, SettingsError
        The folder is not one of this crawl, or somebody works there; the name is taken.
    """
    host = socket.gethostname() or "worker"
    folder = _free_folder(crawl, host) if out is None else out
    known = mark_in(folder)
    if known is not None:
        refuse_other(folder, known, crawl.name, crawl.id)
        _refuse_name(folder, known, name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(f"cannot make the folder {folder}: {error.strerror}.") from None
    names = _names(known.name if known is not None else name, f"{host}-{folder.name}")
    where = str(folder.resolve())
    for each in names:
        try:
            roll, goes_on = Roll(crawl.client, crawl.name), known is not None
            entry = roll.enter(each, host, where, version, clock(), goes_on)
        except NameTakenError:
            if name is not None or known is not None:
                raise
        else:
            return Place(folder, entry)
    raise SettingsError("every name for this worker is taken; give it one: --name.")


def shared_job(
    crawl: SharedCrawl,
    place: Place,
    catalogue: Registry[Recipe],
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
    mark = WorkerMark(crawl.name, crawl.id, place.entry.name, place.entry.number)
    return replace(job, worker=mark)


def worker_in(folder: Path, crawl_id: str) -> str | None:
    """The name of the worker of this crawl whose folder it is; None where it is not one's."""
    try:
        mark = mark_in(folder)
    except FolderError:
        return None
    return mark.name if mark is not None and mark.id == crawl_id else None


def _names(given: str | None, otherwise: str) -> Iterator[str]:
    if given is not None:
        yield given
        return
    yield otherwise
    for number in range(2, _MOST_HERE):
        yield f"{otherwise}-{number}"


def _free_folder(crawl: SharedCrawl, host: str) -> Path:
    """The first folder of this machine that nobody works in: one left before, or a new one."""
    base = Path(f"{folder_name(crawl.name)}-workers")
    for number in range(1, _MOST_HERE):
        path = base / folder_name(host if number == 1 else f"{host}-{number}")
        try:
            path.mkdir(parents=True)
        except FileExistsError:
            mark = None if holder(path) is not None else mark_in(path)
            if mark is not None and mark.id == crawl.id:
                return path
        except OSError as error:
            raise FolderError(f"cannot make the folder {path}: {error.strerror}.") from None
        else:
            return path
    raise FolderError(f"{base} is full of workers; give a folder: --out.")


def mark_in(folder: Path) -> WorkerMark | None:
    """Whose folder it is; None where it holds no crawl."""
    opened = CrawlFolder(folder)
    try:
        holds_crawl = opened.order_path.exists()
    except OSError as error:  # a name that is too long, a folder that may not be looked into
        raise FolderError(f"cannot use the folder {folder}: {error.strerror}.") from None
    if not holds_crawl:
        opened.refuse_taken()
        return None
    settings = CrawlFolder.open(folder).order().get("settings")
    stored = settings.get(WORKER) if isinstance(settings, dict) else None
    if not isinstance(stored, dict):
        raise FolderError(
            f"{folder} holds a crawl of its own, not a worker's part of one; give another --out."
        )
    try:
        return WorkerMark(**stored)
    except TypeError:
        raise FolderError(f"{opened.order_path} is damaged: {stored!r} is no worker.") from None


def refuse_other(folder: Path, mark: WorkerMark, crawl: str, crawl_id: str | None) -> None:
    """FolderError unless the worker is one of this crawl, and nobody works in its folder.

    ``crawl_id`` is None where the server has no crawl of that name.
    """
    if mark.id != crawl_id:
        earlier = "an earlier crawl of that name"
        whose = earlier if mark.crawl == crawl else f"another crawl ({mark.crawl!r})"
        raise FolderError(f"{folder} belongs to {whose}; give another --out.")
    who = holder(folder)
    if who is not None:
        raise FolderError(f"process {who} works in {folder}; give another --out.")


def _refuse_name(folder: Path, mark: WorkerMark, name: str | None) -> None:
    if name is not None and name != mark.name:
        raise SettingsError(
            f"{folder} belongs to worker {mark.name!r}; leave out --name, or give another --out."
        )
