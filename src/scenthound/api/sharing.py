"""Many workers from Python: make a crawl on a server, work for it, see how it stands, steer it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from scenthound.api.arguments import check_number, check_path
from scenthound.api.live import asked_job, check_job
from scenthound.api.shared import DEFAULT_STRATEGY, chosen_cache, warn_caller
from scenthound.core.errors import SettingsError, TopicError
from scenthound.core.model import Document, Topic
from scenthound.core.parameters import Value
from scenthound.distributed.clock import ServerClock
from scenthound.distributed.crawls import SharedCrawl, create_crawl, forget_crawl, open_crawl
from scenthound.distributed.overview import Overview, overview
from scenthound.distributed.roll import ENDED, LOST, Roll, WorkerEntry
from scenthound.distributed.server import TRIES, TRIES_OF_WORKERS, at_server
from scenthound.distributed.server_requests import ServerRequests
from scenthound.engines.briefing import brief
from scenthound.experiments.equipping import equipped
from scenthound.experiments.labels import Labels
from scenthound.experiments.result import Run
from scenthound.experiments.topic_reading import Warn
from scenthound.live.joining import find_place, shared_job, worker_in
from scenthound.live.membership import Membership
from scenthound.live.options import CrawlOptions
from scenthound.live.status import Watcher
from scenthound.store.folder import folder_name
from scenthound.store.requests import PAUSE, STOP
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.installed import STRATEGIES
from scenthound.strategies.sharing import refuse_sharing, sharing_advice
from scenthound.strategies.weights import LinkWeights
from scenthound.topics.file import is_file_name, is_url


class CrawlStoppedError(SettingsError):
    """The crawl was stopped: nobody works for it until it is let go on."""


def share_crawl(
    topic: Topic,
    redis: str,
    strategy: str | Recipe = DEFAULT_STRATEGY,
    *,
    crawl: str | None = None,
    options: CrawlOptions | None = None,
    parameters: Mapping[str, Value] | None = None,
    labels: str | Path | Labels | None = None,
    wordnet: str | Path | None = None,
    weights: str | Path | LinkWeights | None = None,
    inlinks: str | None = None,
    cache: str | Path | None = None,
    cache_limit: int | str | None = None,
    partitions: int | None = None,
    max_waiting: int | None = None,
    warn: Warn | None = None,
) -> Overview:
    """Make a crawl on a Redis or Valkey server, for any number of workers; none is started.

    Parameters
    ----------
    topic : what to look for.
    redis : address of the server, as ``redis://user:password@host:6379/0``; ``rediss://`` for an
        encrypted connection.
    strategy : a name from ``scenthound strategies``; one that keeps a map of all links is refused.
    crawl : name of the crawl; by default made from the topic's.
    options, parameters, labels, wordnet, weights, inlinks, cache, cache_limit : as of
        :func:`crawl`. ``max_pages`` and ``max_time`` hold for all workers together.
    partitions : how many slots of a Redis cluster share the hosts; by default four for each of its
        nodes, and 1 where the server is alone.
    max_waiting : how many URLs may wait; beyond that the worst are forgotten, and counted. None is
        no bound.
    warn : gets what is left out, in words.

    A crawl of this name that was asked for the same is left as it is. Returns how it stands.

    Raises
    ------
    InputError
        The server cannot be used, the name is taken by another crawl, or something given is wrong.
    """
    tell = warn or warn_caller
    check_number("partitions", partitions, whole=True)
    check_number("max_waiting", max_waiting, whole=True)
    job = asked_job(
        topic, strategy, options, parameters, labels, wordnet, weights, inlinks, cache, cache_limit,
        tell,
    )  # fmt: skip
    refuse_sharing(job.recipe)
    with equipped(job.cache, tell) as equipment:
        check_job(dataclasses.replace(job, equipment=equipment), tell)
    advice = sharing_advice(job.recipe, job.parameters)
    if advice is not None:
        tell(advice)
    order = job.order()
    with at_server(redis) as client:
        made = create_crawl(
            client,
            default_name(topic) if crawl is None else crawl,
            order.to_json(),
            version("scenthound"),
            examples=_local_examples(order.topic),
            partitions=partitions,
            most_waiting=max_waiting,
        )
        _refuse_stopped(made)
        _tell_other_limits(made, job.options, tell)
        return overview(made)


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
    warn: Warn | None = None,
) -> Run:
    """Work for a crawl on a server until it ends, in a folder of one's own.

    Parameters
    ----------
    redis : address of the server.
    crawl : name of the crawl.
    out : the folder of this worker, new or one that it had before. By default
        ``CRAWL-workers/HOST``, with a number behind it where somebody works there.
    name : of this worker; by default made from the machine and the folder.
    concurrency : requests of this worker under way at once; by default as the crawl says.
    proxy, auth, cookie_file, netrc, cache, cache_limit : of this machine, as of :func:`resume`.
    watcher : sees every event of this worker and, a few times a second, how it stands.
    warn : gets what is left out, in words.

    Returns the figures of this worker alone; :func:`merge` puts all together.
    """
    from scenthound.live.session import join_crawl as work  # Scrapy is loaded by those who need it

    check_path("out", out)
    tell = warn or warn_caller
    given = {
        "concurrency": concurrency, "proxy": proxy, "auth": auth, "cookie_file": cookie_file,
        "netrc": netrc,
    }  # fmt: skip
    changes = {key: value for key, value in given.items() if value is not None}
    with _opened(redis, crawl, TRIES_OF_WORKERS) as shared:
        own = version("scenthound")
        shared.refuse_version(own)
        _refuse_stopped(shared)
        clock = ServerClock(shared.client, shared.name)
        place = find_place(shared, None if out is None else Path(out), name, own, clock)
        job = shared_job(shared, place, STRATEGIES, changes, tell)
        job = dataclasses.replace(job, cache=chosen_cache(cache, cache_limit, job.cache))
        refuse_sharing(job.recipe)
        with equipped(job.cache, tell) as equipment:
            job = dataclasses.replace(job, equipment=equipment)

            def join() -> Membership:
                return Membership(shared, place.entry, job, clock)

            return work(job, place.folder, join, watcher, tell)


def shared_overview(redis: str, crawl: str) -> Overview:
    """How a crawl on a server stands, with all its workers."""
    with _opened(redis, crawl) as shared:
        return overview(shared)


def worker_places(redis: str, crawl: str) -> tuple[list[Path], list[WorkerEntry]]:
    """The folders of a crawl's workers that can be read here, and the workers whose cannot."""
    stands = shared_overview(redis, crawl)
    found, elsewhere = list[Path](), list[WorkerEntry]()
    for worker in stands.workers:
        folder = Path(worker.folder)
        if worker_in(folder, stands.id) == worker.name:
            found.append(folder)
        else:
            elsewhere.append(worker)
    return found, elsewhere


def pause_workers(redis: str, crawl: str) -> None:
    """Have all workers of a crawl fetch nothing new until :func:`resume_workers`."""
    with _opened(redis, crawl) as shared:
        _refuse_idle(overview(shared))
        ServerRequests(shared.client, crawl).leave(PAUSE)


def stop_workers(redis: str, crawl: str) -> None:
    """Have all workers of a crawl end; each keeps what it has. They may be started again."""
    with _opened(redis, crawl) as shared:
        _refuse_idle(overview(shared))
        ServerRequests(shared.client, crawl).leave(STOP)


def resume_workers(
    redis: str, crawl: str, *, max_pages: int | None = None, max_time: float | None = None
) -> Overview:
    """Let a crawl go on that was paused or stopped, with more pages or time if given.

    Workers that are there go on by themselves; where all have ended, start some.
    """
    check_number("max_pages", max_pages, whole=True)
    check_number("max_time", max_time)
    with _opened(redis, crawl) as shared:
        stands = overview(shared)
        if max_pages is not None and max_pages < stands.pages:
            raise SettingsError(
                f"--max-pages counts over the whole crawl, and {crawl!r} has fetched "
                f"{stands.pages:,} pages; give more than that."
            )
        for limit, value in (("max_pages", max_pages), ("max_time", max_time)):
            if value is not None:
                shared.change_limit(limit, value)
        requests = ServerRequests(shared.client, crawl)
        for request in (PAUSE, STOP):
            requests.withdraw(request)
        return overview(shared)


def forget_shared(redis: str, crawl: str) -> int:
    """Take a crawl that nobody works for from its server; the folders of its workers stay.

    Returns how many keys it had there.
    """
    with at_server(redis) as client:
        now, workers = float(client.time()[0]), Roll(client, crawl).entries()
        if any(each.shown_state(now) not in (ENDED, LOST) for each in workers):
            raise SettingsError(
                f"workers of the crawl {crawl!r} are at work; stop them first: scenthound stop "
                f"--crawl {crawl} --redis URL"
            )
        count = forget_crawl(client, crawl)
    if not count:
        raise SettingsError(f"there is no crawl {crawl!r} on the server.")
    return count


def default_name(topic: Topic) -> str:
    """The name of a crawl about a topic, where none is given."""
    return folder_name(topic.name)


@contextmanager
def _opened(redis: str, crawl: str, tries: int = TRIES) -> Iterator[SharedCrawl]:
    with at_server(redis, tries) as client:
        yield open_crawl(client, crawl)


def _refuse_stopped(shared: SharedCrawl) -> None:
    if ServerRequests(shared.client, shared.name).is_left(STOP):
        raise CrawlStoppedError(
            f"the crawl {shared.name!r} was stopped; let it go on with: scenthound resume --crawl "
            f"{shared.name} --redis URL"
        )


def _refuse_idle(stands: Overview) -> None:
    if stands.has_ended or not stands.workers:
        raise SettingsError(f"no worker of the crawl {stands.name!r} is at work.")


def _tell_other_limits(shared: SharedCrawl, options: CrawlOptions, tell: Warn) -> None:
    """A crawl that is there goes on with its own limits."""
    for name, value in shared.limits().items():
        asked = getattr(options, name)
        if asked != value:
            tell(
                f"the crawl {shared.name!r} on the server has {name} {value}, not {asked}; change "
                f"that with: scenthound resume --crawl {shared.name} --redis URL "
                f"--{name.replace('_', '-')} {asked}"
            )


def _local_examples(topic: Topic) -> dict[str, Document]:
    """Example pages in files of this machine: no other can read them."""
    found = {}
    for example in topic.examples:
        if not is_url(example) and is_file_name(example):
            try:
                briefed = brief(dataclasses.replace(topic, examples=(example,)), None)
            except TopicError:
                continue  # told by the worker that reads the topic
            found.update(dict.fromkeys([example], briefed.briefing.examples[0]))
    return found
