"""``scenthound crawl --redis``: create a crawl on a server, start workers on this machine, follow
all workers until the crawl ends.
"""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.live import Live

from scenthound.cli import screen as ui
from scenthound.cli import worker_processes as processes
from scenthound.cli.live_watchers import LINE_SECONDS
from scenthound.cli.options import REDIS_VARIABLE, ServerCrawl, check_crawl_name, option
from scenthound.cli.results import write_figures
from scenthound.cli.shared_crawl_view import draw_overview, overview_line, report_end
from scenthound.core.errors import InputError, SettingsError
from scenthound.core.model import Topic
from scenthound.crawler import shared_crawls
from scenthound.crawler.shared_crawls import check_worker_folders, default_name
from scenthound.frontier.redis.crawl_status import NOT_BEGUN, SharedCrawlStatus
from scenthound.strategies.spec import StrategySpec

_PANEL: Mapping[str, Any] = {"rich_help_panel": "Many workers"}
CREATE_ON = option(
    "URL",
    f"Redis or Valkey server. [env: {REDIS_VARIABLE}, with another of these]",
    "--redis",
    **_PANEL,
)
NEW_NAME = option(
    "NAME", "Name of the crawl there. [default: made of the topic]", "--crawl", **_PANEL
)
WORKER_COUNT = option(
    "N", "Workers to start here, in DIR/worker-1, ...; 0: none. [default: 1]", "--workers", **_PANEL
)
MAX_WAITING = option("N", "Most URLs that may wait; beyond that the worst are dropped.", **_PANEL)
PARTITION_COUNT = option(
    "N", "Hash tags for hosts on a cluster. [default: 4 for each node]", **_PANEL
)
WORKERS_A_CORE = 8
"""Most workers for each core of a machine; each is two processes."""
_LOOK_SECONDS = 0.5


class SharedOptions:
    """The options of a crawl on a server; SettingsError where there is no server to use them.

    The address of the server may come from the environment, where another option says that the
    crawl is meant for a server: it may hold a password, which every user of a machine can see in
    the list of processes.
    """

    def __init__(
        self,
        redis: str | None,
        crawl: str | None,
        workers: int | None,
        max_waiting: int | None,
        partitions: int | None,
    ) -> None:
        check_crawl_name(crawl)
        given = {
            "--crawl": crawl, "--workers": workers, "--max-waiting": max_waiting,
            "--partitions": partitions,
        }  # fmt: skip
        asked = [name for name, value in given.items() if value is not None]
        if asked and redis is None:
            redis = os.environ.get(REDIS_VARIABLE)
        if asked and not redis:
            raise SettingsError(
                f"{asked[0]} is for a crawl on a server; give --redis URL too, or {REDIS_VARIABLE}."
            )
        self.workers = 1 if workers is None else workers
        most = WORKERS_A_CORE * (os.cpu_count() or 1)
        if self.workers < 0:
            raise SettingsError(f"{workers} workers cannot be started; give 0 or more.")
        if self.workers > most:
            raise SettingsError(
                f"{workers:,} workers are too many for this machine; give {most} at most, and "
                "start others elsewhere: scenthound worker."
            )
        self.redis, self.crawl = redis, crawl
        self.max_waiting, self.partitions = max_waiting, partitions


def crawl_distributed(
    topic: Topic,
    strategy: StrategySpec,
    out: Path,
    shares: SharedOptions,
    how: Mapping[str, Any],
    json_file: Path | None,
    quiet: bool,
    log_level: str | None,
) -> None:
    """Create the crawl, start workers in folders below ``out``, follow it to its end.

    Parameters
    ----------
    topic, strategy : what is crawled for, and how URLs are ordered.
    out : holds a folder for each worker that is started here.
    shares : server, name, workers and bounds; it must name a server.
    how : the other options of :func:`scenthound.crawler.shared_crawls.share_crawl`.
    json_file : gets the last overview; None for no file, ``-`` for stdout.
    quiet, log_level : print nothing but errors; the log of the workers, None for none.
    """
    assert shares.redis is not None
    name = default_name(topic) if shares.crawl is None else shares.crawl
    folders = [out / f"worker-{number}" for number in range(1, shares.workers + 1)]
    check_worker_folders(shares.redis, name, folders)
    made = shared_crawls.share_crawl(
        topic, shares.redis, strategy, crawl=name,
        max_waiting=shares.max_waiting, partitions=shares.partitions, **how,
    )  # fmt: skip
    shared = ServerCrawl(shares.redis, made.name)
    if not quiet:
        none = "" if folders else " (none is started here)"
        joining = f"more workers join with: {shared.command('worker')}{none}"
        ui.say(f"crawl {shared.crawl!r} is on the server; {joining}")
    stands, code = run_workers(shared, folders, quiet or json_file == ui.STDOUT, log_level)
    write_figures(dataclasses.asdict(stands), json_file)
    if code:
        raise ui.CommandExit(code)


def run_workers(
    shared: ServerCrawl, folders: Sequence[Path], quiet: bool, log_level: str | None
) -> tuple[SharedCrawlStatus, int]:
    """Start a worker in each folder, and follow the crawl until it has ended.

    With no folder it is only followed. Returns the last overview and the exit code; CommandExit
    where the crawl is interrupted here.
    """
    with processes.start_workers(shared, folders, log_level) as workers:
        try:
            stands = _follow(shared, workers, quiet)
        except KeyboardInterrupt:
            processes.terminate_workers(workers)
            _report_interrupted(shared, workers)
            raise ui.CommandExit(ui.INTERRUPTED_CODE) from None
        except InputError as error:  # the crawl had begun: this is no bad input
            ui.print_error(str(error))
            raise ui.CommandExit(ui.FAILED) from None
    return stands, report_end(stands, workers, shared, quiet)


def _report_interrupted(shared: ServerCrawl, workers: Sequence[processes.StartedWorker]) -> None:
    """Print what becomes of the crawl when it is not followed here any more."""
    try:
        overview = shared_crawls.shared_overview(shared.redis, shared.crawl)
        stands = processes.with_dead_workers(overview, workers)
        others = bool(stands.workers) and not stands.has_ended
    except InputError:  # the server is away: workers wait for it
        others = True
    own = "the workers that were started here have ended"
    if others:
        who = f"{own}; others go on" if workers else "the workers go on"
        text = f"{who}. Stop all of them: {shared.command('stop')}"
    elif workers:
        text = f"{own}. Go on with the same command."
    else:
        text = f"no worker is at work. Start one: {shared.command('worker')}"
    ui.print_error(f"interrupted; {text}")


def _follow(
    shared: ServerCrawl, workers: Sequence[processes.StartedWorker], quiet: bool
) -> SharedCrawlStatus:
    """The overview at the end of the crawl; until then it is drawn, or printed now and then."""
    console = ui.notices()
    if quiet:
        return _watch(shared, workers, lambda stands: None)
    if ui.can_redraw(console):
        with Live(console=console, auto_refresh=False, transient=True) as live:
            return _watch(
                shared,
                workers,
                lambda stands: live.update(draw_overview(stands), refresh=True),
                lambda message: ui.print_warning(message, console),  # above what is drawn
            )
    last, said_end = 0.0, False

    def show(stands: SharedCrawlStatus) -> None:
        nonlocal last, said_end
        now = time.monotonic()
        if now - last >= LINE_SECONDS and not said_end:
            last, said_end = now, stands.has_ended
            ui.say(overview_line(stands))

    return _watch(shared, workers, show)


def _watch(
    shared: ServerCrawl,
    workers: Sequence[processes.StartedWorker],
    show: Callable[[SharedCrawlStatus], None],
    warn: Callable[[str], None] = ui.print_warning,
) -> SharedCrawlStatus:
    while True:
        ended = all(worker.has_ended for worker in workers)
        for worker in workers:
            if worker.failed and not worker.reported:
                worker.reported = True
                warn(f"{worker.how}; start it again with: {worker.again(shared)}")
        try:
            stands = shared_crawls.shared_overview(shared.redis, shared.crawl)
        except InputError:  # the server is away: workers wait for it, and say so if it stays away
            if ended:
                raise
        else:
            stands = processes.with_dead_workers(stands, workers)
            show(stands)
            # Workers elsewhere may go on when those started here have ended. Where these ended
            # before they could join and no other has begun, there is nothing to wait for.
            if ended and (stands.has_ended or (workers and stands.state == NOT_BEGUN)):
                return stands
        time.sleep(_LOOK_SECONDS)
