"""``scenthound status``, ``resume``, ``pause`` and ``stop``: look at a crawl in a folder or on a
server, and control it. ``scenthound worker`` and ``forget``: work for a crawl on a server, and
remove a finished one from it.
"""

from __future__ import annotations

import dataclasses
import shlex
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from scenthound.cli import options as opt
from scenthound.cli import screen as ui
from scenthound.cli.live_view import Heading, run_watched
from scenthound.cli.options import Given, option, with_options
from scenthound.cli.results import exit_code, figures, show_end, write_figures
from scenthound.cli.shared_crawl import draw_overview
from scenthound.core.crawl_loop import FRONTIER_EMPTY
from scenthound.core.errors import FolderError, SettingsError
from scenthound.crawler import control
from scenthound.crawler import crawl as crawling
from scenthound.crawler.argument_checks import command
from scenthound.crawler.control import CrawlStatus, crawl_status, worker_command
from scenthound.crawler.options import CrawlOptions
from scenthound.crawler.shared import crawls as shared_crawls
from scenthound.crawler.shared.crawls import CrawlStoppedError
from scenthound.frontier.redis.crawl_status import SharedCrawlStatus
from scenthound.frontier.redis.workers import ERROR, LOST
from scenthound.storage.files import check_target
from scenthound.storage.folder import KIND, CrawlFolder, contains_workers, lock_holder
from scenthound.storage.worker_folders import find_worker_folders

STOP_SECONDS, SHARED_STOP_SECONDS = 10.0, 30.0
"""Workers get longer: they look for requests on the server once a second, then store pages."""
_POLL_SECONDS, _SHARED_POLL_SECONDS = 0.05, 0.5
_FOR_ALL = ("max_pages", "max_time")
"""Options that may be changed for all workers of a crawl."""
_ASKED_TO_STOP = "is asked to stop; it ends when its pages are saved"


# ``scenthound status``.


def status(
    folder: Path | None = opt.FOLDER_OR_NONE,
    redis: str | None = opt.REDIS_URL,
    crawl: str | None = opt.SHARED_NAME,
    as_json: bool = opt.AS_JSON,
) -> None:
    """Show the state of a crawl: running or not, pages, harvest, workers."""
    named = opt.named_crawl(folder, redis, crawl)
    if isinstance(named, opt.ServerCrawl):
        overview = shared_crawls.shared_overview(named.redis, named.crawl)
        if as_json:
            ui.print_json(dataclasses.asdict(overview), ensure_ascii=False)
        else:
            ui.output().print(draw_overview(overview))
        return
    statuses = crawl_status(named)
    if as_json:
        crawls = [each.to_json() for each in statuses]
        ui.print_json({"crawls": crawls}, ensure_ascii=False)
        return
    shared = defaultdict[str, list[CrawlStatus]](list)
    for each in statuses:
        ui.say(_line(each), ui.output())
        if each.crawl_id is not None:
            shared[each.crawl_id].append(each)
    for workers in shared.values():
        ui.say(_total(workers), ui.output())


def _line(crawl: CrawlStatus) -> str:
    reason = f" ({crawl.reason})" if crawl.reason else ""
    budget = "" if crawl.crawl_id is not None else f" of {crawl.budget:,}"
    process = "" if crawl.process is None else f", process {crawl.process}"
    return (
        f"{crawl.folder}: {crawl.topic}, {crawl.strategy}, {crawl.state}{reason}{process}: "
        f"{crawl.pages:,}{budget} pages, harvest {ui.figure(crawl.harvest)}, "
        f"{crawl.waiting:,} URLs wait"
    )


def _total(workers: Sequence[CrawlStatus]) -> str:
    """The workers of one crawl together; each has the budget of all."""
    pages, relevant = sum(each.pages for each in workers), sum(each.relevant for each in workers)
    states = dict.fromkeys(each.state for each in workers)
    return (
        f"{workers[0].crawl}: {pages:,} of {max(each.budget for each in workers):,} pages, "
        f"harvest {ui.figure(relevant / pages if pages else None)}, "
        f"{ui.counted(len(workers), 'worker')} here, {', '.join(states)}"
    )


# ``scenthound resume``, ``pause`` and ``stop``.


@with_options(
    "max_pages", "max_time", "proxy", "auth", "cookie_file", "netrc", "cache", "cache_limit"
)
def resume(
    folder: Path | None = opt.FOLDER_OR_NONE,
    *,
    redis: str | None = opt.REDIS_URL,
    crawl: str | None = opt.SHARED_NAME,
    given: Given,
    json_file: Path | None = opt.JSON_FILE,
    quiet: bool = opt.QUIET,
    log_level: str | None = opt.LOG_LEVEL,
) -> None:
    """Go on with a crawl that was stopped, killed or paused.

    All other options are those it began with. Pages and time count over the whole crawl. The
    workers of a crawl on a server may go on; --max-pages and --max-time may be raised.
    """
    named = _named_crawl(folder, redis, crawl)
    if isinstance(named, opt.ServerCrawl):
        _resume_shared(named, given, quiet)
        return
    check_target(json_file, "--json")
    opened = CrawlFolder.open(named)
    if lock_holder(opened.path) is not None:
        _unpause(named, given, quiet)
        return
    crawl_spec, options = opened.crawl_spec(), _options(opened)
    topic = crawl_spec.get("topic")
    heading = Heading(
        topic=str(topic.get("name") if isinstance(topic, dict) else ""),
        strategy=str(crawl_spec.get("strategy")),
        folder=str(named),
        budget=given.get("max_pages", options.max_pages),
        max_time=given.get("max_time", options.max_time),
    )
    run = run_watched(partial(crawling.resume, named, **given), heading, quiet, log_level)
    show_end(run, named, _options(opened), json_file, quiet)


def _options(folder: CrawlFolder) -> CrawlOptions:
    """The options that the folder says the crawl has."""
    stored = folder.crawl_spec().get("settings")
    try:
        return CrawlOptions.from_json(stored if isinstance(stored, dict) else {})
    except (TypeError, SettingsError) as error:
        raise FolderError(
            f"the settings of the crawl in {folder.path} are damaged: {error}"
        ) from None


def _unpause(folder: Path, changes: Mapping[str, Any], quiet: bool) -> None:
    """A running crawl can be paused, and none of its options can be changed."""
    if changes:
        names = " and ".join(map(opt.option_name, changes))
        raise SettingsError(
            f"the crawl in {folder} is running and {names} cannot be changed; stop it first: "
            f"{command('stop', folder)}"
        )
    if not control.unpause(folder):
        raise FolderError(f"the crawl in {folder} is running already; there is nothing to resume.")
    if not quiet:
        ui.say(f"the crawl in {folder} was paused and goes on")


def _resume_shared(shared: opt.ServerCrawl, changes: Mapping[str, Any], quiet: bool) -> None:
    """Take back a pause or a stop, with more pages or time if given."""
    others = [opt.option_name(key) for key in changes if key not in _FOR_ALL]
    if others:
        raise SettingsError(
            f"{' and '.join(others)} is for one worker; give it to: {shared.command('worker')}"
        )
    overview = shared_crawls.resume_workers(shared.redis, shared.crawl, **changes)
    if quiet:
        return
    if overview.has_ended or not overview.workers:
        ui.say(f"{shared.crawl!r} may go on; start workers: {shared.command('worker')}")
    else:
        ui.say(f"{shared.crawl!r} goes on")


def pause(
    folder: Path | None = opt.FOLDER_OR_NONE,
    redis: str | None = opt.REDIS_URL,
    crawl: str | None = opt.SHARED_NAME,
) -> None:
    """Pause a running crawl: it fetches nothing new until 'scenthound resume'."""
    named = _named_crawl(folder, redis, crawl)
    if isinstance(named, opt.ServerCrawl):
        shared_crawls.pause_workers(named.redis, named.crawl)
        ui.say(f"all workers of {named.crawl!r} pause; go on with: {named.command('resume')}")
    else:
        control.pause(named)
        ui.say(f"the crawl in {named} pauses; go on with: {command('resume', named)}")


def stop(
    folder: Path | None = opt.FOLDER_OR_NONE,
    redis: str | None = opt.REDIS_URL,
    crawl: str | None = opt.SHARED_NAME,
    wait: bool = option("", "Wait until it has ended.", "--wait/--no-wait", default=True),
) -> None:
    """Stop a running crawl, as Ctrl-C does; it can be resumed, unless it is a replay."""
    named = _named_crawl(folder, redis, crawl)
    if isinstance(named, opt.ServerCrawl):
        _stop_shared(named, wait)
        return
    control.stop(named)
    polls = round(STOP_SECONDS / _POLL_SECONDS)
    if not wait or not _wait_until(lambda: lock_holder(named) is None, polls, _POLL_SECONDS):
        ui.say(f"the crawl in {named} {_ASKED_TO_STOP}")
        return
    opened = CrawlFolder.open(named)
    again = worker_command(opened)
    if again is None and opened.crawl_spec().get("kind") == KIND:  # a replay cannot go on
        again = command("resume", named)
    ui.say(f"the crawl in {named} has stopped" + (f"; go on with: {again}" if again else ""))


def _stop_shared(shared: opt.ServerCrawl, wait: bool) -> None:
    shared_crawls.stop_workers(shared.redis, shared.crawl)

    def overview() -> SharedCrawlStatus:
        return shared_crawls.shared_overview(shared.redis, shared.crawl)

    polls = round(SHARED_STOP_SECONDS / _SHARED_POLL_SECONDS)
    if not wait or not _wait_until(lambda: overview().has_ended, polls, _SHARED_POLL_SECONDS):
        ui.say(f"each worker of {shared.crawl!r} {_ASKED_TO_STOP}")
        return
    final = overview()
    for worker in final.workers:
        name = f"worker {worker.name!r} ({worker.folder})"
        if worker.shown_state(final.at) == LOST:
            ui.print_warning(f"{name} was not heard from any more")
        elif worker.reason.startswith(ERROR):
            ui.print_warning(f"{name} ended with an error: {worker.reason.removeprefix(ERROR)}")
    go_on = f"go on with: {shared.command('resume')}, then start workers"
    ui.say(f"all workers of {shared.crawl!r} have stopped; {go_on}")


def _wait_until(holds: Callable[[], bool], polls: int, seconds: float) -> bool:
    """Does the condition hold within so many polls?"""
    for _ in range(polls):
        if holds():
            return True
        time.sleep(seconds)
    return holds()


def _named_crawl(
    folder: Path | None, redis: str | None, crawl: str | None
) -> Path | opt.ServerCrawl:
    """The crawl to control; FolderError for a folder with several workers of a crawl."""
    named = opt.named_crawl(folder, redis, crawl)
    if not isinstance(named, opt.ServerCrawl) and contains_workers(named):
        name = find_worker_folders([named])[0].crawl
        raise FolderError(
            f"{named} holds the workers of a crawl on a server; name that with --redis URL --crawl "
            f"{shlex.quote(name)}, or give the folder of one of them."
        )
    return named


# ``scenthound worker`` and ``scenthound forget``.


@with_options("concurrency", "proxy", "auth", "cookie_file", "netrc", "cache", "cache_limit")
def worker(
    *,
    redis: str | None = opt.REDIS_URL,
    crawl: str | None = opt.SHARED_NAME,
    out: Path | None = option(
        "DIR", "Folder of this worker, new or its own. [default: NAME-workers/HOST]", "--out -o"
    ),
    name: str | None = option(
        "W", "Name of this worker. [default: made of machine and folder]", "--name"
    ),
    given: Given,
    json_file: Path | None = opt.JSON_FILE,
    quiet: bool = opt.QUIET,
    log_level: str | None = opt.LOG_LEVEL,
) -> None:
    """Join a crawl that 'scenthound crawl --redis URL' has created, as one of its workers.

    Its pages go to its own folder; 'scenthound merge' puts all folders together. Started again
    in its folder, it goes on. Ctrl-C ends this worker; the others go on.
    """
    shared = opt.server_crawl(redis, crawl)
    check_target(json_file, "--json")
    overview = shared_crawls.shared_overview(shared.redis, shared.crawl)
    where = "a folder of its own" if out is None else str(out)
    heading = Heading(overview.topic, overview.strategy, where, overview.budget)
    join = partial(shared_crawls.join_crawl, shared.redis, shared.crawl, out, name=name, **given)
    try:
        run = run_watched(join, heading, quiet, log_level, resumable=False)
    except CrawlStoppedError as stopped:  # exit code 0: no service is to start it again and again
        ui.say(str(stopped))
        return
    write_figures(figures([run]), json_file)
    if not quiet:
        why = f"this worker stopped: {run.stopped}, after {run.fetched:,} pages."
        ui.say(f"{why} All workers: {shared.command('status')}", style="bold")
    code = exit_code(run)
    if code and run.stopped != FRONTIER_EMPTY:  # others may have fetched all there was
        raise ui.CommandExit(code)


def forget(redis: str | None = opt.REDIS_URL, crawl: str | None = opt.SHARED_NAME) -> None:
    """Remove a crawl without running workers from its server.

    The folders of its workers stay; merge them before or after. The crawl cannot be resumed then.
    """
    shared = opt.server_crawl(redis, crawl)
    count = shared_crawls.forget_shared(shared.redis, shared.crawl)
    ui.say(f"{shared.crawl!r} is no longer on the server ({count:,} keys); its folders stay")
