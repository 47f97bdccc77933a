"""``scenthound resume``, ``pause`` and ``stop``: a crawl that is there already."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from scenthound import api
from scenthound.api.advice import command
from scenthound.api.going_on import worker_command
from scenthound.cli.crawl_options import (
    JsonFile,
    LogLevel,
    Quiet,
    with_crawl_options,
)
from scenthound.cli.ending import STDOUT, show_end
from scenthound.cli.live_run import run_watched
from scenthound.cli.live_state import Heading
from scenthound.cli.results import check_writable
from scenthound.cli.screen import notices, plain
from scenthound.cli.shared_options import (
    FolderOrNone,
    OnServer,
    RedisUrl,
    SharedName,
    named_crawl,
)
from scenthound.cli.shared_steering import pause_shared, resume_shared, stop_shared
from scenthound.core.errors import FolderError, SettingsError
from scenthound.corpus.worker_finding import holds_workers, worker_folders
from scenthound.live.job import KIND
from scenthound.live.options import CrawlOptions
from scenthound.settings import CrawlValue, Given, option_values
from scenthound.store.folder import CrawlFolder
from scenthound.store.lock import holder

STOP_SECONDS = 10.0
_POLL_SECONDS = 0.05


@with_crawl_options(
    "max_pages", "max_time", "proxy", "auth", "cookie_file", "netrc", "cache", "cache_limit"
)
def resume(
    folder: FolderOrNone = None,
    *,
    redis: RedisUrl = None,
    crawl: SharedName = None,
    given: Mapping[str, Given],
    json_file: JsonFile = None,
    quiet: Quiet = False,
    log_level: LogLevel = None,
) -> None:
    """Go on with a crawl that was stopped, killed or paused.

    All other options are those it began with. Pages and time count over the whole crawl. One on a
    server is set going again for its workers; --max-pages and --max-time may be raised.
    """
    changes = option_values(given)
    named = _named(folder, redis, crawl)
    if isinstance(named, OnServer):
        resume_shared(named, changes, quiet)
        return
    folder = named
    if json_file is not None and json_file != STDOUT:
        check_writable(json_file)
    if holder(CrawlFolder.open(folder).path) is not None:
        _unpause(folder, changes, quiet)
        return
    work = partial(api.resume, folder, **changes)  # type: ignore[arg-type]
    run = run_watched(work, _heading(folder, changes), quiet, log_level)
    show_end(run, folder, _options(folder), json_file, quiet)


def pause(folder: FolderOrNone = None, redis: RedisUrl = None, crawl: SharedName = None) -> None:
    """Have a running crawl fetch nothing new until 'scenthound resume'."""
    named = _named(folder, redis, crawl)
    if isinstance(named, OnServer):
        pause_shared(named)
        return
    folder = named
    api.pause(folder)
    _say(f"the crawl in {folder} pauses; go on with: {command('resume', folder)}")


def stop(
    folder: FolderOrNone = None,
    redis: RedisUrl = None,
    crawl: SharedName = None,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until it has ended.")] = True,
) -> None:
    """Have a running crawl stop, as Ctrl-C would; it can be resumed, unless it is a replay."""
    named = _named(folder, redis, crawl)
    if isinstance(named, OnServer):
        stop_shared(named, wait)
        return
    folder = named
    api.stop(folder)
    if wait and _ends(folder, STOP_SECONDS, time.sleep):
        _say(f"the crawl in {folder} has stopped{_how_to_go_on(folder)}")
    else:
        _say(f"the crawl in {folder} is asked to stop; it ends when what it has is kept")


def _named(folder: Path | None, redis: str | None, crawl: str | None) -> Path | OnServer:
    """The one crawl that is meant; of a folder with workers, how to name it is told."""
    named = named_crawl(folder, redis, crawl)
    if not isinstance(named, OnServer) and holds_workers(named):
        name = worker_folders([named])[0].crawl
        raise FolderError(
            f"{named} holds the workers of a crawl on a server; name that with --redis URL --crawl "
            f"{shlex.quote(name)}, or give the folder of one of them."
        )
    return named


def _how_to_go_on(folder: Path) -> str:
    """Not with a replay; with a worker in its own way."""
    opened = CrawlFolder.open(folder)
    as_worker = worker_command(opened)
    if as_worker is not None:
        return f"; go on with: {as_worker}"
    is_live = opened.order().get("kind") == KIND
    return f"; go on with: {command('resume', folder)}" if is_live else ""


def _unpause(folder: Path, changes: Mapping[str, CrawlValue], quiet: bool) -> None:
    """The crawl is running: it can be paused, and nothing about it can be changed."""
    if changes:
        names = " and ".join(f"--{key.replace('_', '-')}" for key in changes)
        raise SettingsError(
            f"the crawl in {folder} is running and {names} cannot be changed; stop it first: "
            f"{command('stop', folder)}"
        )
    if not api.unpause(folder):
        raise FolderError(f"the crawl in {folder} is running already; there is nothing to resume.")
    if not quiet:
        _say(f"the crawl in {folder} was paused and goes on")


def _ends(folder: Path, seconds: float, sleep: Callable[[float], None]) -> bool:
    """Does the process let go of the folder within so many seconds?"""
    for _ in range(round(seconds / _POLL_SECONDS)):
        if holder(folder) is None:
            return True
        sleep(_POLL_SECONDS)
    return holder(folder) is None


def _heading(folder: Path, changes: Mapping[str, CrawlValue]) -> Heading:
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


def _say(text: str) -> None:
    notices().print(plain(text), soft_wrap=True)
