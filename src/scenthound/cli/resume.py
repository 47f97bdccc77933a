"""``scenthound resume``, ``pause`` and ``stop``: control a crawl in a folder or on a server."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from scenthound.cli.live_view import Heading, run_watched
from scenthound.cli.options import (
    FolderOrNone,
    JsonFile,
    LogLevel,
    Quiet,
    RedisUrl,
    ServerCrawl,
    SharedName,
    named_crawl,
    with_options,
)
from scenthound.cli.results import STDOUT, check_writable, show_end
from scenthound.cli.screen import notices, plain, print_warning
from scenthound.cli.settings import OptionValue, option_values
from scenthound.core.errors import FolderError, SettingsError
from scenthound.crawler import control, shared_crawls
from scenthound.crawler.arguments import command
from scenthound.crawler.control import worker_command
from scenthound.crawler.options import CrawlOptions
from scenthound.frontier.redis.crawls import SharedCrawlStatus
from scenthound.frontier.redis.workers import ERROR, LOST
from scenthound.storage.folder import KIND, CrawlFolder, contains_workers, lock_holder
from scenthound.storage.merged_journal import find_worker_folders

SHARED_STOP_SECONDS = 30.0

_SHARED_POLL_SECONDS = 0.5

_FOR_ALL = ("max_pages", "max_time")


def pause_shared(shared: ServerCrawl) -> None:
    """Have all workers fetch nothing new."""
    shared_crawls.pause_workers(shared.redis, shared.crawl)
    _print_shared_notice(
        f"all workers of {shared.crawl!r} pause; go on with: {shared.command('resume')}"
    )


def stop_shared(
    shared: ServerCrawl, wait: bool, sleep: Callable[[float], None] = time.sleep
) -> None:
    """Have all workers end."""
    shared_crawls.stop_workers(shared.redis, shared.crawl)
    go_on = f"go on with: {shared.command('resume')}, then start workers"
    for _ in range(round(SHARED_STOP_SECONDS / _SHARED_POLL_SECONDS) if wait else 0):
        stands = shared_crawls.shared_overview(shared.redis, shared.crawl)
        if stands.has_ended:
            _warn_failed(stands)
            _print_shared_notice(f"all workers of {shared.crawl!r} have stopped; {go_on}")
            return
        sleep(_SHARED_POLL_SECONDS)
    _print_shared_notice(
        f"all workers of {shared.crawl!r} are asked to stop; each ends when what it has is kept"
    )


def _warn_failed(stands: SharedCrawlStatus) -> None:
    """Which workers did not end because they were asked to."""
    for worker in stands.workers:
        if worker.shown_state(stands.at) == LOST:
            print_warning(f"worker {worker.name!r} ({worker.folder}) was not heard of any more")
        elif worker.reason.startswith(ERROR):
            why = worker.reason.removeprefix(ERROR)
            print_warning(f"worker {worker.name!r} ({worker.folder}) ended with an error: {why}")


def resume_shared(shared: ServerCrawl, changes: Mapping[str, Any], quiet: bool) -> None:
    """Take back a pause or a stop, with more pages or time if given."""
    others = [f"--{key.replace('_', '-')}" for key in changes if key not in _FOR_ALL]
    if others:
        raise SettingsError(
            f"{' and '.join(others)} is for one worker; give it to: {shared.command('worker')}"
        )
    stands = shared_crawls.resume_workers(shared.redis, shared.crawl, **changes)
    if quiet:
        return
    if stands.has_ended or not stands.workers:
        _print_shared_notice(
            f"{shared.crawl!r} may go on; start workers: {shared.command('worker')}"
        )
    else:
        _print_shared_notice(f"{shared.crawl!r} goes on")


def _print_shared_notice(text: str) -> None:
    notices().print(plain(text), soft_wrap=True)


# ``scenthound resume``, ``pause`` and ``stop``: a crawl that is there already.


STOP_SECONDS = 10.0

_POLL_SECONDS = 0.05


@with_options(
    "max_pages", "max_time", "proxy", "auth", "cookie_file", "netrc", "cache", "cache_limit"
)
def resume(
    folder: FolderOrNone = None,
    *,
    redis: RedisUrl = None,
    crawl: SharedName = None,
    given: Mapping[str, OptionValue],
    json_file: JsonFile = None,
    quiet: Quiet = False,
    log_level: LogLevel = None,
) -> None:
    """Go on with a crawl that was stopped, killed or paused.

    All other options are those it began with. Pages and time count over the whole crawl. One on a
    server is set going again for its workers; --max-pages and --max-time may be raised.
    """
    changes = option_values(given)
    named = _named_crawl(folder, redis, crawl)
    if isinstance(named, ServerCrawl):
        resume_shared(named, changes, quiet)
        return
    folder = named
    if json_file is not None and json_file != STDOUT:
        check_writable(json_file)
    if lock_holder(CrawlFolder.open(folder).path) is not None:
        _unpause(folder, changes, quiet)
        return
    work = partial(control.resume, folder, **changes)
    run = run_watched(work, _heading(folder, changes), quiet, log_level)
    show_end(run, folder, _options(folder), json_file, quiet)


def pause(folder: FolderOrNone = None, redis: RedisUrl = None, crawl: SharedName = None) -> None:
    """Have a running crawl fetch nothing new until 'scenthound resume'."""
    named = _named_crawl(folder, redis, crawl)
    if isinstance(named, ServerCrawl):
        pause_shared(named)
        return
    folder = named
    control.pause(folder)
    _print_notice(f"the crawl in {folder} pauses; go on with: {command('resume', folder)}")


def stop(
    folder: FolderOrNone = None,
    redis: RedisUrl = None,
    crawl: SharedName = None,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until it has ended.")] = True,
) -> None:
    """Have a running crawl stop, as Ctrl-C would; it can be resumed, unless it is a replay."""
    named = _named_crawl(folder, redis, crawl)
    if isinstance(named, ServerCrawl):
        stop_shared(named, wait)
        return
    folder = named
    control.stop(folder)
    if wait and _wait_for_end(folder, STOP_SECONDS, time.sleep):
        _print_notice(f"the crawl in {folder} has stopped{_resume_advice(folder)}")
    else:
        _print_notice(f"the crawl in {folder} is asked to stop; it ends when what it has is kept")


def _named_crawl(folder: Path | None, redis: str | None, crawl: str | None) -> Path | ServerCrawl:
    """The one crawl that is meant; of a folder with workers, how to name it is reported."""
    named = named_crawl(folder, redis, crawl)
    if not isinstance(named, ServerCrawl) and contains_workers(named):
        name = find_worker_folders([named])[0].crawl
        raise FolderError(
            f"{named} holds the workers of a crawl on a server; name that with --redis URL --crawl "
            f"{shlex.quote(name)}, or give the folder of one of them."
        )
    return named


def _resume_advice(folder: Path) -> str:
    """Not with a replay; with a worker in its own way."""
    opened = CrawlFolder.open(folder)
    as_worker = worker_command(opened)
    if as_worker is not None:
        return f"; go on with: {as_worker}"
    is_live = opened.order().get("kind") == KIND
    return f"; go on with: {command('resume', folder)}" if is_live else ""


def _unpause(folder: Path, changes: Mapping[str, Any], quiet: bool) -> None:
    """The crawl is running: it can be paused, and nothing about it can be changed."""
    if changes:
        names = " and ".join(f"--{key.replace('_', '-')}" for key in changes)
        raise SettingsError(
            f"the crawl in {folder} is running and {names} cannot be changed; stop it first: "
            f"{command('stop', folder)}"
        )
    if not control.unpause(folder):
        raise FolderError(f"the crawl in {folder} is running already; there is nothing to resume.")
    if not quiet:
        _print_notice(f"the crawl in {folder} was paused and goes on")


def _wait_for_end(folder: Path, seconds: float, sleep: Callable[[float], None]) -> bool:
    """Does the process let go of the folder within so many seconds?"""
    for _ in range(round(seconds / _POLL_SECONDS)):
        if lock_holder(folder) is None:
            return True
        sleep(_POLL_SECONDS)
    return lock_holder(folder) is None


def _heading(folder: Path, changes: Mapping[str, Any]) -> Heading:
    order, options = CrawlFolder.open(folder).order(), _options(folder)
    topic = order.get("topic")
    name = topic.get("name") if isinstance(topic, dict) else ""
    pages, limit = changes.get("max_pages"), changes.get("max_time")
    return Heading(
        topic=str(name),
        strategy=str(order.get("strategy")),
        folder=str(folder),
        budget=pages if isinstance(pages, int) else options.max_pages,
        max_time=limit if isinstance(limit, float) else options.max_time,
    )


def _options(folder: Path) -> CrawlOptions:
    """The options that the folder says the crawl has."""
    stored = CrawlFolder.open(folder).order().get("settings")
    try:
        return CrawlOptions.from_json(stored if isinstance(stored, dict) else {})
    except (TypeError, SettingsError) as error:
        raise FolderError(f"the settings of the crawl in {folder} are damaged: {error}") from None


def _print_notice(text: str) -> None:
    notices().print(plain(text), soft_wrap=True)
