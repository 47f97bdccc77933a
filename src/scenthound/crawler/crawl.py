"""Where a live crawl starts: :func:`crawl` begins one, :func:`resume` goes on with it.

Both check what the user gave, and end in :mod:`scenthound.crawler.session`, which runs the crawl.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from scenthound.core.command_options import RunOptions
from scenthound.core.errors import FolderError, InputError, SettingsError, warn_caller
from scenthound.core.model import Topic, TopicProfile
from scenthound.core.options import takes
from scenthound.core.parameters import Value
from scenthound.crawler.argument_checks import (
    check_options,
    check_parameters,
    check_topic,
    command,
    load_labels,
    load_lexicon,
    load_weights,
    strategy_spec,
)
from scenthound.crawler.caches import cache_choice, open_equipment
from scenthound.crawler.control import (
    ControlRequests,
    Watcher,
    integer,
    last_reason,
    worker_command,
)
from scenthound.crawler.job import LiveJob, stored_job
from scenthound.crawler.metrics import Labels, Result
from scenthound.crawler.options import FILES, CrawlOptions, auth_hosts
from scenthound.crawler.scope import scope_advice
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.folder import PAUSE, STOP, CrawlFolder, check_required_path, lock_holder
from scenthound.storage.journal import OUT_OF_TIME, last_summary
from scenthound.storage.worker_folders import MERGED
from scenthound.strategies.catalogue import DEFAULT_STRATEGY, with_inlink_rule
from scenthound.strategies.spec import LinkWeights, StrategySpec
from scenthound.strategies.vector_models import absolute_paths


@takes(RunOptions)
def crawl(
    topic: Topic,
    out: str | Path,
    strategy: str | StrategySpec = DEFAULT_STRATEGY,
    *,
    options: CrawlOptions | None = None,
    parameters: Mapping[str, Value] | None = None,
    labels: str | Path | Labels | None = None,
    weights: str | Path | LinkWeights | None = None,
    watcher: Watcher | None = None,
    **run: Any,
) -> Result:
    """Crawl the live web, politely, into a folder from which it can be resumed.

    Parameters
    ----------
    topic : what to look for; see :func:`read_topic` for topic files.
    out : the crawl folder; it must not hold a crawl already.
    strategy : a name from ``scenthound strategies``, or a spec of your own.
    options : pages, time, delay, ...; see :class:`CrawlOptions`.
    parameters : the strategy's, by name.
    labels : human labels, to measure against; strategies never see them.
    weights : link weights, or their file, instead of the strategy's own; see :func:`tune`. A
        strategy that learns weights begins with them. They are kept in the folder.
    watcher : sees every event and, a few times a second, the status of the crawl.
    inlinks, wordnet, cache, cache_limit : see :class:`RunOptions`.

    The reason for stopping is ``stopped`` of the run; ``order`` stays empty, as the journal has
    the pages. What is left out is a :class:`ScenthoundWarning`.
    """
    from scenthound.crawler.session import start_crawl  # Scrapy is loaded by those who need it

    check_required_path("out", out)
    job = build_job(topic, strategy, options, parameters, labels, weights, run)
    with open_equipment(job.cache) as equipment:
        job = dataclasses.replace(job, equipment=equipment)
        check_job(job)
        return start_crawl(job, Path(out), watcher)


def build_job(
    topic: Topic,
    strategy: str | StrategySpec,
    options: CrawlOptions | None,
    parameters: Mapping[str, Value] | None,
    labels: str | Path | Labels | None,
    weights: str | Path | LinkWeights | None,
    run: Mapping[str, object],
) -> LiveJob:
    """Return the job of the arguments of :func:`crawl`, each of them checked.

    ``run`` are :class:`RunOptions`; ``weights`` are in place of theirs.
    """
    for name in CrawlOptions.model_fields.keys() & run.keys():
        raise SettingsError(f"{name} is one of the crawl's options; give CrawlOptions({name}=...).")
    chosen = RunOptions.from_arguments(**run)
    check_topic(topic)
    check_options(options)
    check_parameters(parameters)
    spec = strategy_spec(strategy)
    measured = load_labels(labels)
    return LiveJob(
        topic=topic,
        spec=with_inlink_rule(spec, chosen.inlinks),
        parameters=absolute_paths(spec.check(parameters or {})),
        options=options or CrawlOptions(),
        labels=None if measured is None else measured.of(topic.name),
        labels_file=Path(labels) if isinstance(labels, str | Path) else None,
        wordnet=load_lexicon(chosen.wordnet),
        wordnet_folder=None if chosen.wordnet is None else Path(chosen.wordnet),
        weights=load_weights(chosen.weights if weights is None else weights),
        cache=cache_choice(chosen.cache, chosen.cache_limit),
    )


def check_job(job: LiveJob) -> None:
    """Check parameters, extras and bounds before anything is fetched."""
    if job.parameters or job.spec.extra:  # finds a value out of range, or a missing extra
        words = job.topic.keywords or (job.topic.name,)
        job.strategy(TopicProfile(job.topic.name, words, ()), job.analyzer())
    for advice in scope_advice(job.topic, job.options):
        warn_caller(advice)


def resume(
    folder: str | Path,
    *,
    max_pages: int | None = None,
    max_time: float | None = None,
    proxy: str | None = None,
    auth: str | Sequence[str] | None = None,
    cookie_file: str | Path | None = None,
    netrc: str | Path | None = None,
    cache: str | Path | None = None,
    cache_limit: int | str | None = None,
    strategy: StrategySpec | None = None,
    watcher: Watcher | None = None,
) -> Result:
    """Go on with a crawl that was stopped, interrupted or killed.

    Parameters
    ----------
    folder : of the crawl; everything that is not given here is taken from it.
    max_pages : pages to fetch over the whole crawl, those before included.
    max_time : seconds to crawl, those before included.
    proxy : for every request; its password is not kept in the folder.
    auth : names and passwords of hosts, each as ``HOST=USER:PASSWORD``; they are not kept in the
        folder either.
    cookie_file, netrc : these files, where they lie at other places by now.
    cache, cache_limit : another folder for vectors, or "none", and how large it grows.
    strategy : the spec itself, where it is one of your own.
    watcher : sees every event and, a few times a second, the status of the crawl.
    """
    from scenthound.crawler.session import resume_crawl  # Scrapy is loaded by those who need it

    check_required_path("folder", folder)
    changes = CrawlOptions.from_arguments(
        max_pages=max_pages, max_time=max_time, proxy=proxy, auth=auth, cookie_file=cookie_file,
        netrc=netrc,
    ).model_dump(exclude_unset=True)  # fmt: skip
    opened = CrawlFolder.open(Path(folder))
    # For the message only: session takes the lock itself, which decides.
    if lock_holder(opened.path) is not None:
        raise FolderError(
            f"the crawl in {folder} is running already; if it is paused, continue it with "
            "Crawl.unpause()."
        )
    stored = stored_job(opened, strategy)
    job = dataclasses.replace(
        stored,
        options=stored.options.changed(**changes),
        cache=cache_choice(cache, cache_limit, stored.cache),
    )
    check_limits(opened, stored.options, job.options)
    check_files(opened, job.options)
    warn_changed_topic(job.topic)
    warn_missing_auth(job)
    with open_equipment(job.cache) as equipment:
        for request in (PAUSE, STOP):  # meant for the process that is gone
            ControlRequests(opened.path).withdraw(request)
        return resume_crawl(opened.path, dataclasses.replace(job, equipment=equipment), watcher)


# Checks before a crawl goes on.


def check_resumable(folder: CrawlFolder) -> None:
    """FolderError for a worker's folder, and for a merged one: they have no frontier."""
    settings = folder.crawl_spec().get("settings")
    if isinstance(settings, dict) and MERGED in settings:
        raise FolderError(
            f"{folder.path} was merged from the folders of workers and has no frontier, so it "
            "cannot be resumed; go on with the crawl on its server, and merge again."
        )
    as_worker = worker_command(folder)
    if as_worker is not None:
        raise FolderError(
            f"{folder.path} is the folder of one worker, whose frontier is on a server; go on "
            f"with: {as_worker}"
        )


def check_limits(folder: CrawlFolder, stored: CrawlOptions, wanted: CrawlOptions) -> None:
    """SettingsError where the crawl would stop at once: its pages or its time are used up.

    ``stored`` are the options it ran with, ``wanted`` those it would continue with. FolderError for
    a folder that cannot be resumed at all.
    """
    check_resumable(folder)
    path, reason = folder.path, last_reason(folder)
    fetched = 0  # after a kill perhaps a few more than were kept
    with suppress(FolderError):
        fetched = integer((last_summary(folder.journal_path) or {}).get("fetched"))
    used = stored.max_time if reason == OUT_OF_TIME else None
    if wanted.max_pages < fetched + (reason is not None):
        limit, value = "--max-pages", str(2 * fetched)
    elif used is not None and wanted.max_time is not None and wanted.max_time <= used:
        limit, value = "--max-time", f"{2 * used:g}"
    else:
        return
    raise SettingsError(
        f"the crawl in {path} has fetched {fetched:,} pages and reached {limit}, which counts over "
        f"all its runs; to go on, raise it: {command('resume', path, limit, value)}"
    )


def check_files(folder: CrawlFolder, options: CrawlOptions) -> None:
    """SettingsError where a file with logins is gone."""
    for name in FILES:
        path = getattr(options, name)
        if path is not None and not Path(path).is_file():
            option = f"--{name.replace('_', '-')}"
            raise SettingsError(
                f"there is no file {path}, which the crawl in {folder.path} logs in with; say "
                f"where it is now: {command('resume', folder.path, option, 'FILE')}"
            )


def warn_changed_topic(topic: Topic) -> None:
    """Warn where the topic's file has changed; one that is gone says nothing."""
    if topic.file is None or not Path(topic.file).exists():
        return
    try:
        same = read_topic(topic.file) == topic
    except InputError:
        same = False
    if not same:
        warn_caller(
            f"topic file {topic.file} has changed since; the crawl goes on with the topic it "
            "began with. For the new one start a new crawl"
        )


def warn_missing_auth(job: LiveJob) -> None:
    """Warn of hosts that the crawl once had a password for, and has none now."""
    missing = [host for host in job.auth_hosts if host not in auth_hosts(job.options.auth)]
    if missing:
        warn_caller(
            f"the crawl had a password for {', '.join(missing)}, which is not kept in its folder; "
            "to log in there again, stop it and resume it with --auth HOST=USER:PASSWORD"
        )
