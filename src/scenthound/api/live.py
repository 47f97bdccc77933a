"""The live web from Python: crawl it, go on with a crawl, pause it, stop it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path

from scenthound.api.advice import command
from scenthound.api.arguments import (
    check_given_path,
    check_inlinks,
    check_labels,
    check_number,
    check_options,
    check_parameters,
    check_path,
    check_topic,
    check_weights,
    known_recipe,
)
from scenthound.api.going_on import check_files, check_limits, tell_changed_topic, tell_missing_auth
from scenthound.api.shared import (
    DEFAULT_STRATEGY,
    chosen_cache,
    load_lexicon,
    load_weights,
    warn_caller,
)
from scenthound.core.errors import FolderError
from scenthound.core.model import Briefing, Topic
from scenthound.core.parameters import Value
from scenthound.experiments.equipping import equipped
from scenthound.experiments.labels import Labels, read_labels
from scenthound.experiments.result import Run
from scenthound.experiments.topic_reading import Warn
from scenthound.live.job import KIND, LiveJob, changed, labelled_pages
from scenthound.live.options import CrawlOptions
from scenthound.live.scoping import scope_advice
from scenthound.live.status import Watcher
from scenthound.live.stored_job import stored_job
from scenthound.store.folder import CrawlFolder
from scenthound.store.lock import holder
from scenthound.store.requests import PAUSE, STOP, Requests
from scenthound.strategies.equipping import absolute_paths
from scenthound.strategies.given_inlinks import with_inlinks
from scenthound.strategies.ingredients import Recipe
from scenthound.strategies.installed import STRATEGIES
from scenthound.strategies.weights import LinkWeights


def crawl(
    topic: Topic,
    out: str | Path,
    strategy: str | Recipe = DEFAULT_STRATEGY,
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
    strategy : a name from ``scenthound strategies``, or a recipe of your own.
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
    from scenthound.live.session import start_crawl  # Scrapy is loaded by those who need it

    tell = warn or warn_caller
    check_given_path("out", out)
    job = asked_job(
        topic, strategy, options, parameters, labels, wordnet, weights, inlinks, cache, cache_limit,
        tell,
    )  # fmt: skip
    with equipped(job.cache, tell) as equipment:
        job = dataclasses.replace(job, equipment=equipment)
        check_job(job, tell)
        return start_crawl(job, Path(out), watcher, tell)


def asked_job(
    topic: Topic,
    strategy: str | Recipe,
    options: CrawlOptions | None,
    parameters: Mapping[str, Value] | None,
    labels: str | Path | Labels | None,
    wordnet: str | Path | None,
    weights: str | Path | LinkWeights | None,
    inlinks: str | None,
    cache: str | Path | None,
    cache_limit: int | str | None,
    tell: Warn,
) -> LiveJob:
    """The job that the arguments of :func:`crawl` ask for, each of them checked."""
    check_weights(weights)
    check_inlinks(inlinks)
    recipe = _checked(topic, strategy, options, parameters, labels, wordnet)
    found = labels if labels is None or isinstance(labels, Labels) else read_labels(labels)
    return LiveJob(
        topic=topic,
        recipe=with_inlinks(recipe, inlinks),
        parameters=absolute_paths(recipe.check(parameters or {})),
        options=options or CrawlOptions(),
        labels=labelled_pages(found, topic),
        labels_file=Path(labels) if isinstance(labels, str | Path) else None,
        wordnet=load_lexicon(wordnet, tell),
        wordnet_folder=None if wordnet is None else Path(wordnet),
        weights=load_weights(weights),
        cache=chosen_cache(cache, cache_limit),
    )


def check_job(job: LiveJob, tell: Warn) -> None:
    """Bad parameters, a missing extra and odd bounds are told before anything is fetched."""
    _check_parameters(job)
    for advice in scope_advice(job.topic, job.options):
        tell(advice)


def _checked(
    topic: object,
    strategy: object,
    options: object,
    parameters: object,
    labels: object,
    wordnet: object,
) -> Recipe:
    """The recipe, if everything that was given is of the right type."""
    check_topic(topic)
    check_options(options)
    check_parameters(parameters)
    check_labels(labels)
    check_path("wordnet", wordnet)
    return known_recipe(strategy)


def _check_parameters(job: LiveJob) -> None:
    """A value out of range, a missing extra is told before anything is fetched or written."""
    if job.parameters or job.recipe.extra:
        words = job.topic.keywords or (job.topic.name,)
        job.strategy(Briefing(job.topic.name, words, ()), job.analyzer())


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
    strategy: Recipe | None = None,
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
    strategy : the recipe itself, where it is one of your own.
    watcher : sees every event and, a few times a second, how the crawl stands.
    warn : gets what is left out, in words; by default a :class:`ScenthoundWarning`.
    """
    from scenthound.live.session import resume_crawl  # Scrapy is loaded by those who need it

    check_given_path("folder", folder)
    check_number("max_pages", max_pages, whole=True)
    check_number("max_time", max_time)
    tell, opened = warn or warn_caller, CrawlFolder.open(Path(folder))
    if holder(opened.path) is not None:
        raise FolderError(f"the crawl in {folder} is running already; there is nothing to resume.")
    stored = stored_job(opened, STRATEGIES, {}, tell, strategy)
    given = {
        "max_pages": max_pages, "max_time": max_time, "proxy": proxy, "auth": auth,
        "cookie_file": cookie_file, "netrc": netrc,
    }  # fmt: skip
    job = changed(stored, **{key: value for key, value in given.items() if value is not None})
    job = dataclasses.replace(job, cache=chosen_cache(cache, cache_limit, job.cache))
    check_limits(opened, stored.options, job.options)
    check_files(opened, job.options)
    tell_changed_topic(job.topic, tell)
    tell_missing_auth(job, tell)
    with equipped(job.cache, tell) as equipment:
        for request in (PAUSE, STOP):  # meant for the process that is gone
            Requests(opened.path).withdraw(request)
        equipped_job = dataclasses.replace(job, equipment=equipment)
        return resume_crawl(opened.path, equipped_job, watcher, tell)


def pause(folder: str | Path) -> None:
    """Have the process that crawls in ``folder`` fetch nothing new until it is told to go on.

    FolderError where no crawl is running there.
    """
    path = _running(folder)
    Requests(path).leave(PAUSE)


def unpause(folder: str | Path) -> bool:
    """Have a crawl that is paused go on; False where it was not paused.

    FolderError where no crawl is running there.
    """
    path = _running(folder)
    return Requests(path).withdraw(PAUSE)


def stop(folder: str | Path) -> None:
    """Have the process that crawls in ``folder`` end, as Ctrl-C would.

    It keeps what has come and lets go of the folder within seconds; this function does not wait
    for that. FolderError where no crawl is running there.
    """
    path = _running(folder)
    Requests(path).leave(STOP)


def _running(folder: str | Path) -> Path:
    check_given_path("folder", folder)
    opened = CrawlFolder.open(Path(folder))
    path = opened.path
    is_live = opened.order().get("kind") == KIND
    if holder(path) is None and not is_live:
        raise FolderError(f"no replay is running in {path}, and one that has ended cannot go on.")
    if holder(path) is None:
        raise FolderError(
            f"no crawl is running in {path}; to go on with the one that is there: "
            f"{command('resume', path)}"
        )
    return path
