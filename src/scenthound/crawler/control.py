"""Start, resume, pause and stop a live crawl from Python, and read its status."""

from __future__ import annotations

import dataclasses
import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from scenthound.core.errors import FolderError, InputError, SettingsError, warn_caller
from scenthound.core.model import Topic, TopicProfile
from scenthound.core.options import RunOptions
from scenthound.core.parameters import Value
from scenthound.crawler.arguments import (
    check_labels,
    check_options,
    check_parameters,
    check_required_path,
    check_topic,
    check_weights,
    command,
    load_lexicon,
    load_weights,
    strategy_spec,
)
from scenthound.crawler.caches import cache_choice
from scenthound.crawler.job import LiveJob, labelled_pages, stored_job, stored_scope, with_options
from scenthound.crawler.metrics import Labels, read_labels
from scenthound.crawler.options import FILES, CrawlOptions, auth_hosts
from scenthound.crawler.result import Run
from scenthound.crawler.run_caches import open_equipment
from scenthound.crawler.scope import Verdict, scope_advice, try_scope
from scenthound.crawler.status import Watcher
from scenthound.crawler.topic_reading import Warn
from scenthound.similarity.topic_file import read_topic
from scenthound.storage.folder import (
    KIND,
    PAUSE,
    STOP,
    WORKER,
    ControlRequests,
    CrawlFolder,
    find_crawls,
    lock_holder,
)
from scenthound.storage.journal import OUT_OF_TIME, last_summary
from scenthound.storage.merged_journal import MERGED
from scenthound.storage.stored_crawl import KILLED, ending_of
from scenthound.strategies.catalogue import DEFAULT_STRATEGY, STRATEGIES, with_inlink_rule
from scenthound.strategies.spec import LinkWeights, StrategySpec
from scenthound.strategies.vector_models import absolute_paths


def scope_test(
    folder: str | Path,
    urls: Iterable[str],
    *,
    depth: int | None = None,
) -> list[Verdict]:
    """What the crawl in ``folder`` would do with links to these URLs, and by which rule.

    Nothing is fetched: what robots.txt says, and what an address leads to, is not known here.

    Parameters
    ----------
    folder : of a live crawl, running or not.
    urls : to try; none give no verdicts.
    depth : links from a seed to each of them, 1 or more; by default 1.
    """
    check_required_path("folder", folder)
    topic, options = stored_scope(CrawlFolder.open(Path(folder)))
    return try_scope(topic, options, urls, depth=depth)


_TAIL_BYTES = 64 * 1024


def check_resumable(folder: CrawlFolder) -> None:
    """FolderError for a worker's folder, and for a merged one: what waits is not in them."""
    found = folder.order().get("settings")
    settings = found if isinstance(found, dict) else {}
    if MERGED in settings:
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


def worker_command(folder: CrawlFolder) -> str | None:
    """How a worker goes on in its folder; None where it is not one's."""
    settings = folder.order().get("settings")
    mark = settings.get(WORKER) if isinstance(settings, dict) else None
    if not isinstance(mark, dict):
        return None
    words = "--redis", "URL", "--crawl", str(mark.get("crawl")), "--out", str(folder.path)
    return shlex.join(["scenthound", "worker", *words])


def check_limits(folder: CrawlFolder, stored: CrawlOptions, wanted: CrawlOptions) -> None:
    """SettingsError where the crawl would stop at once: its pages or its time are spent.

    FolderError for a folder that cannot go on at all; see :func:`check_whole`.

    Parameters
    ----------
    folder : of the crawl.
    stored : the options it ran with.
    wanted : the options it would go on with.
    """
    check_resumable(folder)
    path, reason, fetched = folder.path, last_reason(folder), _fetched(folder)
    if wanted.max_pages < fetched:
        raise SettingsError(
            f"--max-pages counts over the whole crawl, and the one in {path} has fetched "
            f"{fetched:,} pages; give more than that."
        )
    if reason is not None and wanted.max_pages == fetched:
        raise SettingsError(
            f"the crawl in {path} has fetched all of its {fetched:,} pages; to go on, raise them: "
            f"{command('resume', path, '--max-pages', str(2 * fetched))}"
        )
    used = stored.max_time if reason == OUT_OF_TIME else None
    if used is not None and wanted.max_time is not None and wanted.max_time <= used:
        raise SettingsError(
            f"the crawl in {path} has used up its time of {used:g} s; to go on, raise it: "
            f"{command('resume', path, '--max-time', f'{2 * used:g}')}"
        )


def check_files(folder: CrawlFolder, options: CrawlOptions) -> None:
    """SettingsError where a file that the crawl logs in with is gone."""
    for name in FILES:
        path = getattr(options, name)
        if path is not None and not Path(path).is_file():
            option = f"--{name.replace('_', '-')}"
            raise SettingsError(
                f"there is no file {path}, which the crawl in {folder.path} logs in with; say "
                f"where it is now: {command('resume', folder.path, option, 'FILE')}"
            )


def last_reason(folder: CrawlFolder) -> str | None:
    """Why the crawl ended; None where it was killed, or where nothing is on record."""
    try:
        with folder.journal_path.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - _TAIL_BYTES))
            event = json.loads(file.read().splitlines()[-1])
    except (OSError, ValueError, IndexError):
        return None
    stopped = isinstance(event, dict) and event.get("event") == "stopped"
    return str(event.get("reason")) if stopped else None


def _fetched(folder: CrawlFolder) -> int:
    """Pages so far; after a kill perhaps a few more than were kept."""
    try:
        summary = last_summary(folder.journal_path)
    except FolderError:
        return 0
    found = 0 if summary is None else summary.get("fetched")
    return found if isinstance(found, int) else 0


def warn_changed_topic(topic: Topic, warn: Warn) -> None:
    """Warn where the topic's file says something else by now; one that is gone says nothing."""
    if topic.file is None or not Path(topic.file).exists():
        return
    try:
        same = read_topic(topic.file) == topic
    except InputError:
        same = False
    if not same:
        warn(
            f"topic file {topic.file} has changed since; the crawl goes on with the topic it "
            "began with. For the new one start a new crawl"
        )


def warn_missing_auth(job: LiveJob, warn: Warn) -> None:
    """Warn of hosts that the crawl once had a password for, and has none now."""
    missing = [host for host in job.auth_hosts if host not in auth_hosts(job.options.auth)]
    if missing:
        warn(
            f"the crawl had a password for {', '.join(missing)}, which is not kept in its folder; "
            "to log in there again, stop it and resume it with --auth HOST=USER:PASSWORD"
        )


# The live web from Python: crawl it, go on with a crawl, pause it, stop it.


def crawl(
    topic: Topic,
    out: str | Path,
    strategy: str | StrategySpec = DEFAULT_STRATEGY,
    *,
    options: CrawlOptions | None = None,
    parameters: Mapping[str, Value] | None = None,
    labels: str | Path | Labels | None = None,
    wordnet: str | Path | None = None,
    weights: str | Path | LinkWeights | None = None,
    inlinks: str | None = None,
    cache: str | Path | None = None,
    cache_limit: int | str | None = None,
    watcher: Watcher | None = None,
    warn: Warn | None = None,
) -> Run:
    """Crawl the live web, politely, into a folder from which it can be resumed.

    Parameters
    ----------
    topic : what to look for; see :func:`read_topic` for topic files.
    out : the crawl folder; it must not hold a crawl already.
    strategy : a name from ``scenthound strategies``, or a spec of your own.
    options : how to go about it: pages, time, delay, ...; see :class:`CrawlOptions`.
    parameters : the strategy's, by name.
    labels : human labels, to measure against; strategies never see them.
    wordnet : a WordNet folder to use instead of the one that is shipped.
    weights : what each text of a link weighs, or the file that says so, instead of the strategy's
        own; see :func:`tune`. A strategy that learns weights begins with them. They are kept in
        the folder.
    inlinks : how several links to a page count, "max", "mean" or "last", instead of the strategy's
        own way.
    cache : folder where vectors of words and texts are kept between runs; "none" for none. By
        default ``~/.cache/scenthound``. Strategies without vectors do not touch it.
    cache_limit : how large the cache grows: bytes, or a size such as "2GB".
    watcher : sees every event and, a few times a second, how the crawl stands.
    warn : gets what is left out, in words; by default a :class:`ScenthoundWarning`.

    The reason for stopping is ``stopped`` of the run; ``order`` stays empty, as the journal has
    the pages.
    """
    from scenthound.crawler.session import start_crawl  # Scrapy is loaded by those who need it

    tell = warn or warn_caller
    check_required_path("out", out)
    run = RunOptions.given(wordnet=wordnet, inlinks=inlinks, cache=cache, cache_limit=cache_limit)
    job = build_job(topic, strategy, options, parameters, labels, weights, run, tell)
    with open_equipment(job.cache, tell) as equipment:
        job = dataclasses.replace(job, equipment=equipment)
        check_job(job, tell)
        return start_crawl(job, Path(out), watcher, tell)


def build_job(
    topic: Topic,
    strategy: str | StrategySpec,
    options: CrawlOptions | None,
    parameters: Mapping[str, Value] | None,
    labels: str | Path | Labels | None,
    weights: str | Path | LinkWeights | None,
    run: RunOptions,
    tell: Warn,
) -> LiveJob:
    """The job that the arguments of :func:`crawl` mean, each of them checked.

    ``weights`` are in place of those of ``run``.
    """
    check_topic(topic)
    check_options(options)
    check_parameters(parameters)
    check_labels(labels)
    check_weights(weights)
    spec = strategy_spec(strategy)
    found = labels if labels is None or isinstance(labels, Labels) else read_labels(labels)
    return LiveJob(
        topic=topic,
        spec=with_inlink_rule(spec, run.inlinks),
        parameters=absolute_paths(spec.check(parameters or {})),
        options=options or CrawlOptions(),
        labels=labelled_pages(found, topic),
        labels_file=Path(labels) if isinstance(labels, str | Path) else None,
        wordnet=load_lexicon(run.wordnet, tell),
        wordnet_folder=None if run.wordnet is None else Path(run.wordnet),
        weights=load_weights(run.weights if weights is None else weights),
        cache=cache_choice(run.cache, run.cache_limit),
    )


def check_job(job: LiveJob, tell: Warn) -> None:
    """Bad parameters, a missing extra and odd bounds are reported before anything is fetched."""
    _check_parameters(job)
    for advice in scope_advice(job.topic, job.options):
        tell(advice)


def _check_parameters(job: LiveJob) -> None:
    """A value out of range, a missing extra is reported before anything is fetched or written."""
    if job.parameters or job.spec.extra:
        words = job.topic.keywords or (job.topic.name,)
        job.strategy(TopicProfile(job.topic.name, words, ()), job.analyzer())


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
    warn: Warn | None = None,
) -> Run:
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
    watcher : sees every event and, a few times a second, how the crawl stands.
    warn : gets what is left out, in words; by default a :class:`ScenthoundWarning`.
    """
    from scenthound.crawler.session import resume_crawl  # Scrapy is loaded by those who need it

    check_required_path("folder", folder)
    changes = CrawlOptions.given(
        max_pages=max_pages, max_time=max_time, proxy=proxy, auth=auth, cookie_file=cookie_file,
        netrc=netrc,
    ).model_dump(exclude_unset=True)  # fmt: skip
    tell, opened = warn or warn_caller, CrawlFolder.open(Path(folder))
    if lock_holder(opened.path) is not None:
        raise FolderError(f"the crawl in {folder} is running already; there is nothing to resume.")
    stored = stored_job(opened, STRATEGIES, {}, tell, strategy)
    job = with_options(stored, **changes)
    job = dataclasses.replace(job, cache=cache_choice(cache, cache_limit, job.cache))
    check_limits(opened, stored.options, job.options)
    check_files(opened, job.options)
    warn_changed_topic(job.topic, tell)
    warn_missing_auth(job, tell)
    with open_equipment(job.cache, tell) as equipment:
        for request in (PAUSE, STOP):  # meant for the process that is gone
            ControlRequests(opened.path).withdraw(request)
        equipped_job = dataclasses.replace(job, equipment=equipment)
        return resume_crawl(opened.path, equipped_job, watcher, tell)


def pause(folder: str | Path) -> None:
    """Have the process that crawls in ``folder`` fetch nothing new until it is reported to go on.

    FolderError where no crawl is running there.
    """
    path = _running(folder)
    ControlRequests(path).leave(PAUSE)


def unpause(folder: str | Path) -> bool:
    """Have a crawl that is paused go on; False where it was not paused.

    FolderError where no crawl is running there.
    """
    path = _running(folder)
    return ControlRequests(path).withdraw(PAUSE)


def stop(folder: str | Path) -> None:
    """Have the process that crawls in ``folder`` end, as Ctrl-C would.

    It keeps what has come and lets go of the folder within seconds; this function does not wait
    for that. FolderError where no crawl is running there.
    """
    path = _running(folder)
    ControlRequests(path).leave(STOP)


def _running(folder: str | Path) -> Path:
    check_required_path("folder", folder)
    opened = CrawlFolder.open(Path(folder))
    path = opened.path
    is_live = opened.order().get("kind") == KIND
    if lock_holder(path) is None and not is_live:
        raise FolderError(f"no replay is running in {path}, and one that has ended cannot go on.")
    if lock_holder(path) is None:
        raise FolderError(
            f"no crawl is running in {path}; to go on with the one that is there: "
            f"{command('resume', path)}"
        )
    return path


# How crawls in folders stand, from Python.


RUNNING, PAUSED, STOPPING = "running", "paused", "stopping"


@dataclass(frozen=True, slots=True)
class CrawlStatus:
    """One crawl: ``pages`` of ``budget``, ``relevant`` of them relevant; ``process`` if it runs.

    Of a worker's folder ``crawl`` and ``crawl_id`` are those of the crawl that it works for, whose
    ``budget`` is one for all workers.
    """

    folder: str
    topic: str
    strategy: str
    state: str
    reason: str
    pages: int
    budget: int
    relevant: int
    waiting: int
    process: int | None
    crawl: str | None = None
    crawl_id: str | None = None

    @property
    def harvest(self) -> float | None:
        """Share of relevant pages; None before the first."""
        return self.relevant / self.pages if self.pages else None

    def to_json(self) -> dict[str, object]:
        """By name."""
        return {**asdict(self), "harvest": self.harvest}


def crawl_status(folder: str | Path) -> list[CrawlStatus]:
    """How the crawl in a folder stands, or each of those below it.

    FolderError where there is none.
    """
    check_required_path("folder", folder)
    found = find_crawls(Path(folder))
    if not found:
        CrawlFolder.open(Path(folder))  # says what is amiss
        raise FolderError(f"{folder} holds no crawl.")
    return [_status(CrawlFolder.open(path)) for path in found]


def _status(folder: CrawlFolder) -> CrawlStatus:
    order = folder.order()
    topic = order.get("topic")
    summary = _summary(folder)
    process = lock_holder(folder.path)
    state, reason = _state(folder, process)
    return CrawlStatus(
        folder=str(folder.path),
        topic=str(topic.get("name")) if isinstance(topic, dict) else "",
        strategy=str(order.get("strategy")),
        state=state,
        reason=reason,
        pages=_whole(summary.get("fetched")),
        budget=_whole(order.get("budget")),
        relevant=_whole(summary.get("relevant")),
        waiting=_whole(summary.get("waiting")),
        process=process,
        **_shared(order.get("settings")),
    )


def _shared(settings: object) -> dict[str, str]:
    """Which crawl a worker works for."""
    mark = settings.get(WORKER) if isinstance(settings, dict) else None
    if not isinstance(mark, dict):
        return {}
    return {"crawl": str(mark.get("crawl")), "crawl_id": str(mark.get("id"))}


def _summary(folder: CrawlFolder) -> dict[str, object]:
    if not folder.journal_path.exists():
        return {}
    return last_summary(folder.journal_path) or {}


def _state(folder: CrawlFolder, process: int | None) -> tuple[str, str]:
    if process is not None:
        requests = ControlRequests(folder.path)
        if requests.is_left(STOP):
            return STOPPING, ""
        return (PAUSED if requests.is_left(PAUSE) else RUNNING), ""
    reason = last_reason(folder)
    return KILLED if reason is None else ending_of(reason)


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0
