"""``scenthound crawl --redis``: create a crawl on a server, start workers on this machine, follow
all workers until the crawl ends.
"""

from __future__ import annotations

import dataclasses
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.live import Live

from scenthound.cli import screen as ui
from scenthound.cli.live_view import LINE_SECONDS, clock_time
from scenthound.cli.options import (
    REDIS_VARIABLE,
    ServerCrawl,
    check_crawl_name,
    option,
    option_name,
)
from scenthound.cli.results import write_figures
from scenthound.core.crawl_loop import BUDGET_EXHAUSTED, FRONTIER_EMPTY
from scenthound.core.errors import FolderError, InputError, SettingsError
from scenthound.core.model import Topic
from scenthound.crawler.argument_checks import command
from scenthound.crawler.shared import crawls as shared_crawls
from scenthound.crawler.shared.crawls import check_worker_folders
from scenthound.frontier.redis.crawl_status import NOT_BEGUN, SharedCrawlStatus, with_lost_workers
from scenthound.frontier.redis.workers import ENDED, ERROR, LOST, WorkerEntry
from scenthound.storage.files import STDOUT, os_errors_as
from scenthound.storage.folder import folder_name, lock_holder
from scenthound.storage.journal import OUT_OF_TIME
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
_POLL_SECONDS = 0.5
_GLOBAL_END_REASONS = (FRONTIER_EMPTY, OUT_OF_TIME)
_NORMAL_END_REASONS = (BUDGET_EXHAUSTED, *_GLOBAL_END_REASONS)
_END_SECONDS = 120.0
"""A worker that ends reads and stores the pages that have come, and may wait for the server."""


@dataclass
class SharedOptions:
    """The options of a crawl on a server; SettingsError where there is no server to use them.

    The address of the server may come from the environment, where another option says that the
    crawl is meant for a server: it may hold a password, which every user of a machine can see in
    the list of processes.
    """

    redis: str | None
    crawl: str | None
    workers: int | None
    max_waiting: int | None
    partitions: int | None

    def __post_init__(self) -> None:
        check_crawl_name(self.crawl)
        given = (each.name for each in dataclasses.fields(self) if each.name != "redis")
        asked = [option_name(name) for name in given if getattr(self, name) is not None]
        if asked and self.redis is None:
            self.redis = os.environ.get(REDIS_VARIABLE)
        if asked and not self.redis:
            raise SettingsError(
                f"{asked[0]} is for a crawl on a server; give --redis URL too, or {REDIS_VARIABLE}."
            )
        most = WORKERS_A_CORE * (os.cpu_count() or 1)
        if not 0 <= self.count <= most:
            raise SettingsError(
                f"{self.count:,} workers are too many for this machine, or too few; give 0 to "
                f"{most}, and start others elsewhere: scenthound worker."
            )

    @property
    def count(self) -> int:
        """How many workers are started here."""
        return 1 if self.workers is None else self.workers


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
    how : the other options of :func:`scenthound.crawler.shared.crawls.share_crawl`.
    json_file : gets the last overview; None for no file, ``-`` for stdout.
    quiet, log_level : print nothing but errors; the log of the workers, None for none.
    """
    assert shares.redis is not None
    name = folder_name(topic.name) if shares.crawl is None else shares.crawl
    folders = [out / f"worker-{number}" for number in range(1, shares.count + 1)]
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
    status, code = run_workers(shared, folders, quiet or json_file == STDOUT, log_level)
    write_figures(dataclasses.asdict(status), json_file)
    if code:
        raise ui.CommandExit(code)


def run_workers(
    shared: ServerCrawl, folders: Sequence[Path], quiet: bool, log_level: str | None
) -> tuple[SharedCrawlStatus, int]:
    """Start a worker in each folder, and follow the crawl until it has ended.

    With no folder it is only followed. Returns the last overview and the exit code; CommandExit
    where the crawl is interrupted here.
    """
    with start_workers(shared, folders, log_level) as workers:
        try:
            status = _follow(shared, workers, quiet)
        except KeyboardInterrupt:
            terminate_workers(workers)
            own = "the workers that were started here have ended; " if workers else ""
            ui.print_error(
                f"interrupted; {own}others go on. Stop them: {shared.command('stop')}. "
                f"Start another: {shared.command('worker')}"
            )
            raise ui.CommandExit(ui.INTERRUPTED_CODE) from None
        except InputError as error:  # the crawl had begun: this is no bad input
            ui.print_error(str(error))
            raise ui.CommandExit(ui.FAILED) from None
    return status, report_end(status, workers, shared, quiet)


def _follow(
    shared: ServerCrawl, workers: Sequence[StartedWorker], quiet: bool
) -> SharedCrawlStatus:
    """The overview at the end of the crawl; until then it is drawn, or printed now and then."""
    console = ui.notices()
    drawn = not quiet and ui.can_redraw(console)
    last = 0.0
    with (
        Live(console=console, auto_refresh=False, transient=True)
        if drawn
        else nullcontext() as live
    ):
        while True:
            ended = all(worker.has_ended for worker in workers)
            for worker in workers:
                if worker.failed and not worker.reported:
                    worker.reported = True
                    again = worker.again(shared)
                    ui.print_warning(f"{worker.how}; start it again with: {again}", console)
            try:
                status = shared_crawls.shared_overview(shared.redis, shared.crawl)
            except InputError:  # the server is away: workers wait, and say so if it stays away
                if ended:
                    raise
            else:
                status = with_dead_workers(status, workers)
                if live is not None:
                    live.update(draw_overview(status), refresh=True)
                elif not quiet and time.monotonic() - last >= LINE_SECONDS:
                    last = time.monotonic()
                    ui.say(overview_line(status))
                # Workers elsewhere may go on when those started here have ended. Where these ended
                # before they could join and no other has begun, there is nothing to wait for.
                if ended and (status.has_ended or (workers and status.state == NOT_BEGUN)):
                    return status
            time.sleep(_POLL_SECONDS)


# The processes of workers that are started on this machine; they end with the command.


@dataclass(slots=True)
class StartedWorker:
    """A worker that was started here, in a folder of its own."""

    folder: Path
    process: subprocess.Popen[bytes]
    reported: bool = False

    @property
    def has_ended(self) -> bool:
        """Is its process gone?"""
        return self.process.poll() is not None

    @property
    def failed(self) -> bool:
        """Has it ended with an error?"""
        return bool(self.process.poll())

    @property
    def how(self) -> str:
        """The folder's name, and how the worker failed."""
        code = self.process.returncode
        if code == ui.INTERRUPTED_CODE:
            return f"{self.folder.name} was interrupted"
        if code < 0:
            return f"{self.folder.name} was killed by signal {-code}"
        return f"{self.folder.name} ended with exit code {code}"

    def again(self, shared: ServerCrawl) -> str:
        """The command that starts it again."""
        return shared.command("worker", "--out", str(self.folder))


@contextmanager
def start_workers(
    shared: ServerCrawl, folders: Sequence[Path], log_level: str | None
) -> Iterator[list[StartedWorker]]:
    """A worker in each folder; they end with this process."""
    for folder in folders:
        with os_errors_as(FolderError, f"cannot make the folder {folder}"):
            folder.parent.mkdir(parents=True, exist_ok=True)
    workers = [StartedWorker(folder, _start(shared, folder, log_level)) for folder in folders]
    try:
        yield workers
    finally:
        terminate_workers(workers)


def terminate_workers(workers: Sequence[StartedWorker]) -> None:
    """End the workers as by Ctrl-C, and wait until they have saved their pages.

    Not by that signal itself: a shell that starts processes in the background has them ignore it.
    """
    for worker in workers:
        if not worker.has_ended:
            worker.process.terminate()
    for worker in workers:
        try:
            worker.process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            ui.print_error(
                f"process {worker.process.pid}, a worker, does not end; it is left alone."
            )


def with_dead_workers(
    status: SharedCrawlStatus, workers: Sequence[StartedWorker]
) -> SharedCrawlStatus:
    """The overview, where workers whose processes have died here are lost at once.

    The server notices that only when they were silent for long.
    """
    dead = {
        str(worker.folder.resolve())
        for worker in workers
        if worker.failed and lock_holder(worker.folder) is None
    }
    host = socket.gethostname() or "worker"
    lost = {each.name for each in status.workers if each.host == host and each.folder in dead}
    return with_lost_workers(status, lost)


def _start(shared: ServerCrawl, folder: Path, log_level: str | None) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "scenthound.cli.main", "worker", "--crawl", shared.crawl]
    words += ["--out", str(folder), "--quiet"]
    words += [] if log_level is None else ["--log-level", log_level]
    # The address may hold a password, which has no place in a list of processes. In a group of its
    # own the worker gets no Ctrl-C that is meant for this process: terminate_workers ends it.
    environment = {**os.environ, REDIS_VARIABLE: shared.redis}
    return subprocess.Popen(words, env=environment, start_new_session=True)


# How a crawl of many workers looks: a panel for a terminal, a line for a file.


def draw_overview(status: SharedCrawlStatus) -> RenderableType:
    """The crawl, and a row for each of its workers."""
    head = ui.plain(f"{status.name}: {status.topic}, {status.strategy}, {state_text(status)}")
    head.stylize("bold", 0, len(status.name))
    if not status.workers:
        return Group(head, ui.plain(figures_text(status)), ui.plain("no worker has begun yet"))
    columns = ("pages", "relevant", "harvest", "under way", "failed", "time")
    made = ui.table("", ("worker", "state", "where"), columns, wrapped=("where", "state"))
    for worker in status.workers:
        state, silent = worker.shown_state(status.at), worker.silent_for(status.at)
        if silent is not None:
            state += f", silent for {silent:.0f} s"
        elif worker.reason:
            state += f" ({worker.reason})"
        made.add_row(
            *map(ui.plain, (worker.name, state, worker.folder)),
            f"{worker.pages:,}",
            f"{worker.relevant:,}",
            ui.figure(worker.relevant / worker.pages if worker.pages else None),
            f"{worker.under_way:,}",
            f"{worker.failed:,}",
            clock_time(worker.seconds),
        )
    return Group(head, ui.plain(figures_text(status)), made)


def overview_line(status: SharedCrawlStatus) -> str:
    """The same in a line."""
    states = [worker.shown_state(status.at) for worker in status.workers]
    at_work = sum(state not in (ENDED, LOST) for state in states)
    figures = f"{figures_text(status)}, workers at work: {at_work}"
    return f"{status.name}: {figures}, {state_text(status)}"


def state_text(status: SharedCrawlStatus) -> str:
    """The state, and why it ended."""
    return f"{status.state} ({status.reason})" if status.reason else status.state


def figures_text(status: SharedCrawlStatus) -> str:
    """Pages, harvest, what waits."""
    return (
        f"{status.pages:,} of {status.budget:,} pages, harvest {ui.figure(status.harvest)}, "
        f"{status.waiting:,} URLs wait on {status.hosts:,} hosts, {status.leased:,} under way"
    )


# How a crawl by many workers has ended for the command that followed it, and its exit code.


def report_end(
    status: SharedCrawlStatus, workers: Sequence[StartedWorker], shared: ServerCrawl, quiet: bool
) -> int:
    """Print the closing table, what went wrong with workers, how to go on; return the exit code."""
    if not quiet:
        ui.output().print(draw_overview(status))
        text = f"{state_text(status)}: {figures_text(status)}."
        if workers:
            parent = workers[0].folder.parent
            text += f" As one crawl: {command('merge', parent, '--out', f'{parent}-merged')}"
        ui.say(text, style="bold")
    failed = [worker for worker in workers if worker.failed]
    failures = ", ".join(worker.how for worker in failed)
    last = _last(status)
    if ended_by_itself(status):
        if failed:
            ui.print_warning(f"{failures}; the crawl ended all the same, what was fetched is kept")
    elif failed:
        ui.print_error(
            f"{failures}; the crawl has not ended. Go on with the same command, or with: "
            f"{failed[0].again(shared)}"
        )
        return ui.FAILED
    elif last and (last.shown_state(status.at) == LOST or last.reason.startswith(ERROR)):
        ui.print_error(
            "no worker is left, and the crawl has not ended. Go on with: "
            f"{shared.command('worker')}"
        )
        return ui.FAILED
    if not status.pages:
        ui.print_error("not one page could be fetched; check the seeds, the network and the proxy.")
        return ui.FAILED
    return 0


def ended_by_itself(status: SharedCrawlStatus) -> bool:
    """Are the pages or the time used up, or is the frontier empty, and has a worker seen that?"""
    if status.pages >= status.budget:
        return any(worker.reason in _NORMAL_END_REASONS for worker in status.workers)
    last = _last(status)
    return last is not None and last.state == ENDED and last.reason in _GLOBAL_END_REASONS


def _last(status: SharedCrawlStatus) -> WorkerEntry | None:
    """The worker that was heard from last."""
    return max(status.workers, key=lambda worker: worker.heard, default=None)
