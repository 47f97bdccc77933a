"""Crawls shared by many workers, from Python: create one, join it, follow it, control it.

``share_crawl`` stores the spec of a crawl on a server, and ``join_crawl`` runs one worker for it;
read these two first. The other functions only read or write a few keys. One worker is
:mod:`scenthound.crawler.shared.worker`, and docs/decisions/0016-many-workers.md says why.
"""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from scenthound.core.command_options import RunOptions
from scenthound.core.errors import FolderError, SettingsError, TopicError, warn_caller
from scenthound.core.model import Document, Topic
from scenthound.core.options import takes
from scenthound.core.parameters import Value
from scenthound.crawler.argument_checks import check_number, check_path
from scenthound.crawler.caches import cache_choice, open_equipment
from scenthound.crawler.control import Watcher
from scenthound.crawler.crawl import build_job, check_job
from scenthound.crawler.metrics import Labels, Result
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.shared.worker import (
    DistributedWorker,
    check_same_crawl,
    find_place,
    shared_job,
    worker_identity,
    worker_in,
)
from scenthound.crawler.topics.reading import build_profile
from scenthound.frontier.redis.crawl_status import (
    ServerControl,
    SharedCrawlStatus,
    shared_crawl_status,
)
from scenthound.frontier.redis.crawls import (
    SharedCrawl,
    crawl_id,
    create_crawl,
    delete_crawl,
    open_crawl,
)
from scenthound.frontier.redis.server import TRIES, TRIES_OF_WORKERS, ServerClock, connected
from scenthound.frontier.redis.workers import ENDED, LOST, WorkerEntry, WorkerRegistry
from scenthound.similarity.topic_file import is_file_name
from scenthound.storage.files import os_errors_as
from scenthound.storage.folder import PAUSE, STOP, folder_name
from scenthound.strategies.catalogue import (
    DEFAULT_STRATEGY,
    check_can_share,
    sharing_advice,
)
from scenthound.strategies.spec import LinkWeights, StrategySpec


def check_worker_folders(redis: str, crawl: str, folders: Sequence[Path]) -> None:
    """FolderError where a worker of a crawl cannot begin, or go on, in one of the folders.

    Nothing is written to the server, and nothing stays in the folders.
    """
    marks = {folder: mark for folder in folders if (mark := worker_identity(folder)) is not None}
    for folder in folders:
        nearest = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        if not nearest.is_dir():
            raise FolderError(f"{nearest} is no folder; give another --out.")
        problem = f"nothing can be written to {nearest}"
        with (
            # Tried, since permission bits say nothing of read-only mounts, access lists and quotas.
            os_errors_as(FolderError, problem, "; give another --out"),
            tempfile.TemporaryDirectory(prefix=".scenthound-", dir=nearest),
        ):
            pass
    if marks:
        with connected(redis) as client:
            known = crawl_id(client, crawl)
        for folder, mark in marks.items():
            check_same_crawl(folder, mark, crawl, known)


class CrawlStoppedError(SettingsError):
    """The crawl was stopped: no worker may join until it is resumed."""


@takes(RunOptions)
def share_crawl(
    topic: Topic,
    redis: str,
    strategy: str | StrategySpec = DEFAULT_STRATEGY,
    *,
    crawl: str | None = None,
    options: CrawlOptions | None = None,
    parameters: Mapping[str, Value] | None = None,
    labels: str | Path | Labels | None = None,
    weights: str | Path | LinkWeights | None = None,
    partitions: int | None = None,
    max_waiting: int | None = None,
    **run: Any,
) -> SharedCrawlStatus:
    """Make a crawl on a Redis or Valkey server, for any number of workers; none is started.

    Parameters
    ----------
    topic : what to look for.
    redis : address of the server, as ``redis://user:password@host:6379/0``; ``rediss://`` for an
        encrypted connection.
    strategy : a name from ``scenthound strategies``; one that keeps a map of all links is refused.
    crawl : name of the crawl; by default made from the topic's.
    options, parameters, labels, weights, inlinks, wordnet, cache, cache_limit : as of
        :func:`crawl`. ``max_pages`` and ``max_time`` hold for all workers together.
    partitions : how many slots of a Redis cluster share the hosts; by default four for each of its
        nodes, and 1 where the server is alone.
    max_waiting : how many URLs may wait; beyond that the worst are forgotten, and counted. None is
        no bound.

    A crawl of this name with the same spec is left as it is. Returns its status. InputError
    where the server cannot be used, the name is taken by another crawl, or an argument is wrong.
    """
    check_number("partitions", partitions, whole=True)
    check_number("max_waiting", max_waiting, whole=True)
    job = build_job(topic, strategy, options, parameters, labels, weights, run)
    check_can_share(job.spec)
    with open_equipment(job.cache) as equipment:
        check_job(dataclasses.replace(job, equipment=equipment))
    advice = sharing_advice(job.spec, job.parameters)
    if advice is not None:
        warn_caller(advice)
    crawl_spec = job.crawl_spec()
    with connected(redis) as client:
        made = create_crawl(
            client,
            folder_name(topic.name) if crawl is None else crawl,
            crawl_spec.to_json(),
            version("scenthound"),
            examples=_local_examples(crawl_spec.topic),
            partitions=partitions,
            most_waiting=max_waiting,
        )
        _reject_stopped(made)
        # A crawl that is there keeps its own limits.
        for name, value in made.limits()._asdict().items():
            asked = getattr(job.options, name)
            if asked != value:
                warn_caller(
                    f"the crawl {made.name!r} on the server has {name} {value}, not {asked}; change"
                    f" that with: scenthound resume --crawl {made.name} --redis URL "
                    f"--{name.replace('_', '-')} {asked}"
                )
        return shared_crawl_status(made)


def join_crawl(
    redis: str,
    crawl: str,
    out: str | Path | None = None,
    *,
    name: str | None = None,
    concurrency: int | None = None,
    proxy: str | None = None,
    auth: str | Sequence[str] | None = None,
    cookie_file: str | Path | None = None,
    netrc: str | Path | None = None,
    cache: str | Path | None = None,
    cache_limit: int | str | None = None,
    watcher: Watcher | None = None,
) -> Result:
    """Work for a crawl on a server until it ends, in a folder of one's own.

    Parameters
    ----------
    redis : address of the server.
    crawl : name of the crawl.
    out : the folder of this worker, new or one that it had before. By default
        ``CRAWL-workers/HOST``, with a number behind it where another worker is there.
    name : of this worker; by default made from the machine and the folder.
    concurrency : requests of this worker under way at once; by default as the crawl says.
    proxy, auth, cookie_file, netrc, cache, cache_limit : of this machine, as of :func:`resume`.
    watcher : sees every event of this worker and, a few times a second, its status.

    Returns the figures of this worker alone; :func:`merge` puts all together.
    """
    from scenthound.crawler.session import join_crawl as work

    check_path("out", out)
    changes = CrawlOptions.from_arguments(
        concurrency=concurrency, proxy=proxy, auth=auth, cookie_file=cookie_file, netrc=netrc
    ).model_dump(exclude_unset=True)
    # A worker waits minutes for a server that restarts; other commands report it sooner.
    with _opened(redis, crawl, TRIES_OF_WORKERS) as shared:
        own = version("scenthound")
        shared.check_version(own)
        _reject_stopped(shared)
        clock = ServerClock(shared.client, shared.name)
        folder, entry = find_place(shared, None if out is None else Path(out), name, own, clock)
        job = shared_job(shared, entry, changes)
        job = dataclasses.replace(job, cache=cache_choice(cache, cache_limit, job.cache))
        check_can_share(job.spec)
        with open_equipment(job.cache) as equipment:
            job = dataclasses.replace(job, equipment=equipment)
            join = partial(DistributedWorker, shared, entry, job, clock)
            return work(job, folder, join, watcher)


def shared_overview(redis: str, crawl: str) -> SharedCrawlStatus:
    """Return the status of a crawl on a server, with all its workers."""
    with _opened(redis, crawl) as shared:
        return shared_crawl_status(shared)


def local_worker_folders(redis: str, crawl: str) -> tuple[list[Path], list[WorkerEntry]]:
    """The folders of a crawl's workers that can be read here, and the workers whose cannot."""
    status = shared_overview(redis, crawl)
    found, elsewhere = list[Path](), list[WorkerEntry]()
    for worker in status.workers:
        folder = Path(worker.folder)
        if worker_in(folder, status.id) == worker.name:
            found.append(folder)
        else:
            elsewhere.append(worker)
    return found, elsewhere


def pause_workers(redis: str, crawl: str) -> None:
    """Have all workers of a crawl fetch nothing new until :func:`resume_workers`."""
    _leave_request(redis, crawl, PAUSE)


def stop_workers(redis: str, crawl: str) -> None:
    """Have all workers of a crawl end; each keeps what it has. They may be started again."""
    _leave_request(redis, crawl, STOP)


def _leave_request(redis: str, crawl: str, request: str) -> None:
    """Leave a request for all workers; SettingsError where no worker works for the crawl."""
    with _opened(redis, crawl) as shared:
        status = shared_crawl_status(shared)
        if status.has_ended or not status.workers:
            raise SettingsError(f"no worker of the crawl {status.name!r} is at work.")
        ServerControl(shared.client, crawl).leave(request)


def resume_workers(
    redis: str, crawl: str, *, max_pages: int | None = None, max_time: float | None = None
) -> SharedCrawlStatus:
    """Let a crawl go on that was paused or stopped, with more pages or time if given.

    Workers that are there go on by themselves; where all have ended, start some.
    """
    limits = CrawlOptions.from_arguments(max_pages=max_pages, max_time=max_time).model_dump(
        exclude_unset=True
    )
    with _opened(redis, crawl) as shared:
        status = shared_crawl_status(shared)
        if max_pages is not None and max_pages < status.pages:
            raise SettingsError(
                f"--max-pages counts over the whole crawl, and {crawl!r} has fetched "
                f"{status.pages:,} pages; give more than that."
            )
        for limit, value in limits.items():
            shared.change_limit(limit, value)
        requests = ServerControl(shared.client, crawl)
        for request in (PAUSE, STOP):
            requests.withdraw(request)
        return shared_crawl_status(shared)


def forget_shared(redis: str, crawl: str) -> int:
    """Take a crawl without workers from its server; the folders of its workers stay.

    Returns how many keys it had there.
    """
    with connected(redis) as client:
        now, workers = float(client.time()[0]), WorkerRegistry(client, crawl).entries()
        if any(each.shown_state(now) not in (ENDED, LOST) for each in workers):
            raise SettingsError(
                f"workers of the crawl {crawl!r} are at work; stop them first: scenthound stop "
                f"--crawl {crawl} --redis URL"
            )
        count = delete_crawl(client, crawl)
    if not count:
        raise SettingsError(f"there is no crawl {crawl!r} on the server.")
    return count


@contextmanager
def _opened(redis: str, crawl: str, tries: int = TRIES) -> Iterator[SharedCrawl]:
    """Open a crawl on a server."""
    with connected(redis, tries) as client:
        yield open_crawl(client, crawl)


def _reject_stopped(shared: SharedCrawl) -> None:
    """CrawlStoppedError for a crawl that was stopped."""
    if ServerControl(shared.client, shared.name).is_left(STOP):
        raise CrawlStoppedError(
            f"the crawl {shared.name!r} was stopped; let it go on with: scenthound resume --crawl "
            f"{shared.name} --redis URL"
        )


def _local_examples(topic: Topic) -> dict[str, Document]:
    """Read the example pages in files of this machine: no other can read them."""
    found = {}
    for example in topic.examples:
        if is_file_name(example):
            try:
                profile, _ = build_profile(dataclasses.replace(topic, examples=(example,)), None)
            except TopicError:
                continue  # reported by the worker that reads the topic
            found[example] = profile.examples[0]
    return found
