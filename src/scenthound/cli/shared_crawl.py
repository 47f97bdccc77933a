"""``scenthound crawl --redis``: create a crawl on a server, start workers on this machine, follow
all workers until the crawl ends.
"""

from __future__ import annotations

import dataclasses
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.live import Live

from scenthound.cli.live_view import clock_time
from scenthound.cli.options import REDIS_VARIABLE, WORKERS_PANEL, ServerCrawl, check_crawl_name
from scenthound.cli.results import INTERRUPTED_CODE, STDOUT, CommandExit
from scenthound.cli.screen import (
    can_redraw,
    figure,
    notices,
    output,
    plain,
    print_error,
    print_warning,
    table,
)
from scenthound.core.crawl import BUDGET_EXHAUSTED, FRONTIER_EMPTY
from scenthound.core.errors import FolderError, InputError, SettingsError
from scenthound.core.model import Topic
from scenthound.crawler import shared_crawls
from scenthound.crawler.arguments import command
from scenthound.crawler.shared_crawls import check_worker_folders, default_name
from scenthound.crawler.topic_reading import Warn
from scenthound.frontier.redis.crawls import NOT_BEGUN, SharedCrawlStatus, with_lost_workers
from scenthound.frontier.redis.workers import ENDED, ERROR, LOST, WorkerEntry
from scenthound.storage.folder import lock_holder
from scenthound.storage.journal import OUT_OF_TIME
from scenthound.strategies.spec import StrategySpec

CreateOn = Annotated[
    str | None,
    typer.Option("--redis", metavar="URL", rich_help_panel=WORKERS_PANEL,
                 help="Redis or Valkey server for a crawl by many workers. "
                 f"[env: {REDIS_VARIABLE}, beside another of these]"),
]  # fmt: skip

SharedName = Annotated[
    str | None,
    typer.Option("--crawl", metavar="NAME", rich_help_panel=WORKERS_PANEL,
                 help="Its name there. [default: by the topic]"),
]  # fmt: skip

WorkerCount = Annotated[
    int | None,
    typer.Option("--workers", metavar="N", rich_help_panel=WORKERS_PANEL,
                 help="Workers to start here, in DIR/worker-1, ...; 0: none. [default: 1]"),
]  # fmt: skip

MaxWaiting = Annotated[
    int | None,
    typer.Option("--max-waiting", metavar="N", rich_help_panel=WORKERS_PANEL,
                 help="URLs that may wait; beyond that the worst are dropped."),
]  # fmt: skip

PartitionCount = Annotated[
    int | None,
    typer.Option("--partitions", metavar="N", rich_help_panel=WORKERS_PANEL,
                 help="Hash tags for hosts on a cluster. [default: 4 for each node]"),
]  # fmt: skip


WORKERS_A_CORE = 8
"""Workers that one machine starts, each two processes."""


class SharedOptions:
    """What was given of them; SettingsError where there is no server to use them.

    The address of the server may come from the environment, where one of the others says that the
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
        if workers is not None and workers < 0:
            raise SettingsError(f"{workers} workers cannot be started; give 0 or more.")
        most = WORKERS_A_CORE * (os.cpu_count() or 1)
        if workers is not None and workers > most:
            raise SettingsError(
                f"{workers:,} workers are too many for this machine; give {most} at most, and "
                "start others elsewhere: scenthound worker."
            )
        self.redis = redis
        self.crawl = crawl
        self.workers = 1 if workers is None else workers
        self.max_waiting = max_waiting
        self.partitions = partitions


# How a crawl of many workers looks: a panel for a terminal, a line for a file.


_COLUMNS = ("pages", "relevant", "harvest", "under way", "failed", "time")


def draw_overview(stands: SharedCrawlStatus) -> RenderableType:
    """The crawl, and a row for each of its workers."""
    head = plain(f"{stands.name}: {stands.topic}, {stands.strategy}, {state_text(stands)}")
    head.stylize("bold", 0, len(stands.name))
    return Group(head, plain(figures_text(stands)), _workers(stands))


def overview_line(stands: SharedCrawlStatus) -> str:
    """The same in a line."""
    states = [worker.shown_state(stands.at) for worker in stands.workers]
    at_work = sum(state not in (ENDED, LOST) for state in states)
    described = f"{figures_text(stands)}, workers at work: {at_work}"
    return f"{stands.name}: {described}, {state_text(stands)}"


def state_text(stands: SharedCrawlStatus) -> str:
    """The state, and why it ended."""
    return f"{stands.state} ({stands.reason})" if stands.reason else stands.state


def figures_text(stands: SharedCrawlStatus) -> str:
    """Pages, harvest, what waits."""
    return (
        f"{stands.pages:,} of {stands.budget:,} pages, harvest {figure(stands.harvest)}, "
        f"{stands.waiting:,} URLs wait on {stands.hosts:,} hosts, {stands.leased:,} under way"
    )


def _workers(stands: SharedCrawlStatus) -> RenderableType:
    if not stands.workers:
        return plain("no worker has begun yet")
    made = table("", ("worker", "state", "where"), _COLUMNS, wrapped=("where", "state"))
    for worker in stands.workers:
        made.add_row(
            plain(worker.name),
            plain(_worker_state(worker, stands.at)),
            plain(worker.folder),
            f"{worker.pages:,}",
            f"{worker.relevant:,}",
            figure(worker.relevant / worker.pages if worker.pages else None),
            f"{worker.under_way:,}",
            f"{worker.failed:,}",
            clock_time(worker.seconds),
        )
    return made


def _worker_state(worker: WorkerEntry, now: float) -> str:
    state, silent = worker.shown_state(now), worker.silent_for(now)
    if silent is not None:
        return f"{state}, silent for {silent:.0f} s"
    return f"{state} ({worker.reason})" if worker.reason else state


# Workers that a command starts on this machine: processes that end with it.


_END_SECONDS = 120.0


@dataclass(slots=True)
class StartedWorker:
    """A worker that was started here, in a folder of its own."""

    folder: Path
    process: subprocess.Popen[bytes]
    described: bool = False

    @property
    def has_ended(self) -> bool:
        """Is its process gone?"""
        return self.process.poll() is not None

    @property
    def failed(self) -> bool:
        """Has it ended otherwise than it should?"""
        return bool(self.process.poll())

    @property
    def how(self) -> str:
        """The folder's name, and how the worker failed."""
        code = self.process.returncode
        if code == INTERRUPTED_CODE:
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
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FolderError(f"cannot make the folder {folder}: {error.strerror}.") from None
    workers = [StartedWorker(folder, _start(shared, folder, log_level)) for folder in folders]
    try:
        yield workers
    finally:
        terminate_workers(workers)


def terminate_workers(workers: Sequence[StartedWorker]) -> None:
    """Have the workers end as by Ctrl-C, and wait until they have kept what has come.

    Not by that signal itself: a shell that starts things in the background has them ignore it.
    """
    for worker in workers:
        if not worker.has_ended:
            worker.process.terminate()
    for worker in workers:
        try:
            worker.process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            print_error(f"process {worker.process.pid}, a worker, does not end; it is left alone.")


def warn_failed(workers: Sequence[StartedWorker], shared: ServerCrawl, tell: Warn) -> None:
    """Tell once of each worker that has failed."""
    for worker in workers:
        if worker.failed and not worker.described:
            worker.described = True
            tell(f"{worker.how}; start it again with: {worker.again(shared)}")


def with_dead_workers(
    stands: SharedCrawlStatus, workers: Sequence[StartedWorker]
) -> SharedCrawlStatus:
    """The overview, where workers whose processes have died here are lost at once.

    The server learns that only when they were silent for long.
    """
    dead = {
        str(worker.folder.resolve())
        for worker in workers
        if worker.failed and lock_holder(worker.folder) is None
    }
    host = socket.gethostname() or "worker"
    lost = {each.name for each in stands.workers if each.host == host and each.folder in dead}
    return with_lost_workers(stands, lost)


def _start(shared: ServerCrawl, folder: Path, log_level: str | None) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "scenthound.cli.main", "worker", "--crawl", shared.crawl]
    words += ["--out", str(folder), "--quiet"]
    words += [] if log_level is None else ["--log-level", log_level]
    # The address may hold a password, which has no place in a list of processes. In a group of its
    # own the worker hears no Ctrl-C that is meant for this one: it is reported to end above.
    environment = {**os.environ, REDIS_VARIABLE: shared.redis}
    return subprocess.Popen(words, env=environment, start_new_session=True)


# How a crawl by many workers has ended for the command that followed it, and its exit code.


FAILED = 1

_FOR_ALL = (FRONTIER_EMPTY, OUT_OF_TIME)

_BY_ITSELF = (BUDGET_EXHAUSTED, *_FOR_ALL)


def report_end(
    stands: SharedCrawlStatus, workers: Sequence[StartedWorker], shared: ServerCrawl, quiet: bool
) -> int:
    """The closing table, what went wrong with workers, and how to go on; the exit code."""
    if not quiet:
        _print_figures(stands, [worker.folder for worker in workers])
    failed = [worker for worker in workers if worker.failed]
    if ended_by_itself(stands):
        if failed:
            print_warning(
                f"{_failures_text(failed)}; the crawl ended all the same, what was fetched is kept"
            )
    elif failed:
        print_error(
            f"{_failures_text(failed)}; the crawl has not ended. Go on with the same "
            "command, or with: "
            f"{failed[0].again(shared)}"
        )
        return FAILED
    elif _last_went_wrong(stands):
        print_error(
            "nobody works for the crawl any more, and it has not ended. Go on with: "
            f"{shared.command('worker')}"
        )
        return FAILED
    if not stands.pages:
        print_error("not one page could be fetched; check the seeds, the network and the proxy.")
        return FAILED
    return 0


def ended_by_itself(stands: SharedCrawlStatus) -> bool:
    """Has it had its pages, its time, or all that could be reached, and a worker seen that?"""
    if stands.pages >= stands.budget:
        return any(worker.reason in _BY_ITSELF for worker in stands.workers)
    last = _last(stands)
    return last is not None and last.state == ENDED and last.reason in _FOR_ALL


def _last(stands: SharedCrawlStatus) -> WorkerEntry | None:
    """The worker that was last heard of."""
    return max(stands.workers, key=lambda worker: worker.heard, default=None)


def _last_went_wrong(stands: SharedCrawlStatus) -> bool:
    last = _last(stands)
    if last is None:
        return False
    return last.shown_state(stands.at) == LOST or last.reason.startswith(ERROR)


def _failures_text(failed: Sequence[StartedWorker]) -> str:
    return ", ".join(worker.how for worker in failed)


def _print_figures(stands: SharedCrawlStatus, folders: Sequence[Path]) -> None:
    output().print(draw_overview(stands))
    text = f"{state_text(stands)}: {figures_text(stands)}."
    if folders:
        parent = folders[0].parent
        text += f" As one crawl: {command('merge', parent, '--out', f'{parent}-merged')}"
    notices().print(plain(text), style="bold", soft_wrap=True)


def report_interrupted(shared: ServerCrawl, started_here: bool, others: bool) -> None:
    """What becomes of the crawl when nobody follows it here; are ``others`` at work?"""
    own = "the workers that were started here have ended"
    if others:
        who = f"{own}; others go on" if started_here else "the workers go on"
        text = f"{who}. Stop all of them: {shared.command('stop')}"
    elif started_here:
        text = f"{own}. Go on with the same command."
    else:
        text = f"no worker is at work. Start one: {shared.command('worker')}"
    print_error(f"interrupted; {text}")


# ``scenthound crawl --redis``: make a crawl on a server, start workers here, follow them all.


_LOOK_SECONDS = 0.5

_LINE_SECONDS = 10.0


def worker_folders(out: Path, count: int) -> list[Path]:
    """The folders of workers that are started here."""
    return [out / f"worker-{number}" for number in range(1, count + 1)]


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
    """Make the crawl, start workers in folders below ``out``, follow it to its end.

    ``how`` is what else :func:`scenthound.crawler.shared_crawls.share_crawl` takes.
    """
    assert shares.redis is not None
    name = default_name(topic) if shares.crawl is None else shares.crawl
    folders = worker_folders(out, shares.workers)
    check_worker_folders(shares.redis, name, folders)
    made = shared_crawls.share_crawl(
        topic, shares.redis, strategy, crawl=name,
        max_waiting=shares.max_waiting, partitions=shares.partitions, **how,
    )  # fmt: skip
    shared = ServerCrawl(shares.redis, made.name)
    if not quiet:
        _print_start(shared, folders)
    stands, code = run_workers(shared, folders, quiet or json_file == STDOUT, log_level)
    described = json.dumps(dataclasses.asdict(stands), ensure_ascii=False)
    if json_file == STDOUT:
        typer.echo(described)
    elif json_file is not None:
        json_file.write_text(described + "\n", encoding="utf-8")
    if code:
        raise CommandExit(code)


def _print_start(shared: ServerCrawl, folders: Sequence[Path]) -> None:
    text = f"crawl {shared.crawl!r} is on the server; more workers join with: "
    text += shared.command("worker")
    if not folders:
        text += " (none is started here)"
    notices().print(plain(text), soft_wrap=True)


def run_workers(
    shared: ServerCrawl, folders: Sequence[Path], quiet: bool, log_level: str | None
) -> tuple[SharedCrawlStatus, int]:
    """Start a worker in each folder, and follow the crawl until it has ended.

    With no folder it is only followed. Returns how it stands then, and the exit code; ToldExit
    where the crawl is broken off here.
    """
    with start_workers(shared, folders, log_level) as workers:
        try:
            stands = _follow(shared, workers, quiet)
        except KeyboardInterrupt:
            terminate_workers(workers)
            report_interrupted(shared, bool(workers), _others_work(shared, workers))
            raise CommandExit(INTERRUPTED_CODE) from None
        except InputError as error:  # the crawl had begun: this is no bad input
            print_error(str(error))
            raise CommandExit(FAILED) from None
    return stands, report_end(stands, workers, shared, quiet)


def _others_work(shared: ServerCrawl, workers: Sequence[StartedWorker]) -> bool:
    """Is anybody else at work? Where the server is away, workers wait for it."""
    try:
        stands = shared_crawls.shared_overview(shared.redis, shared.crawl)
    except InputError:
        return True
    stands = with_dead_workers(stands, workers)
    return bool(stands.workers) and not stands.has_ended


def _follow(
    shared: ServerCrawl, workers: Sequence[StartedWorker], quiet: bool
) -> SharedCrawlStatus:
    """How the crawl stands at its end."""
    console = notices()
    if quiet:
        return _watch(shared, workers, lambda stands: None, print_warning)
    if not can_redraw(console):
        lines = _Lines()
        return _watch(shared, workers, lines.show, print_warning)
    with Live(console=console, auto_refresh=False, transient=True) as live:
        return _watch(
            shared,
            workers,
            lambda stands: live.update(draw_overview(stands), refresh=True),
            lambda message: print_warning(message, console),  # above what is drawn
        )


def _watch(
    shared: ServerCrawl,
    workers: Sequence[StartedWorker],
    show: Callable[[SharedCrawlStatus], None],
    tell: Warn,
) -> SharedCrawlStatus:
    while True:
        ended = all(worker.has_ended for worker in workers)
        warn_failed(workers, shared, tell)
        try:
            stands = shared_crawls.shared_overview(shared.redis, shared.crawl)
        except InputError:  # the server is away: workers wait for it, and say so if it stays away
            if ended:
                raise
        else:
            stands = with_dead_workers(stands, workers)
            show(stands)
            if ended and (stands.has_ended or (workers and stands.state == NOT_BEGUN)):
                return stands
        time.sleep(_LOOK_SECONDS)


class _Lines:
    """A line now and then."""

    def __init__(self) -> None:
        self._last = 0.0
        self._said_end = False

    def show(self, stands: SharedCrawlStatus) -> None:
        now = time.monotonic()
        if now - self._last >= _LINE_SECONDS and not self._said_end:
            self._last, self._said_end = now, stands.has_ended
            notices().print(plain(overview_line(stands)), soft_wrap=True)
