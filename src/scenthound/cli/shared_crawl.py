"""``scenthound crawl --redis``: make a crawl on a server, start workers here, follow them all."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from rich.live import Live

from scenthound import api
from scenthound.api.advice import command
from scenthound.cli.ending import BROKEN_OFF, STDOUT, ToldExit
from scenthound.cli.screen import can_redraw, notices, output, plain, say_error
from scenthound.cli.shared_crawl_options import SharedOptions
from scenthound.cli.shared_options import REDIS_VARIABLE, OnServer
from scenthound.cli.shared_view import draw_overview, figures_text, overview_line, state_text
from scenthound.core.errors import FolderError, InputError
from scenthound.core.model import Topic
from scenthound.distributed.overview import Overview
from scenthound.experiments.topic_reading import Warn
from scenthound.strategies.ingredients import Recipe

_LOOK_SECONDS = 0.5
_LINE_SECONDS = 10.0
_END_SECONDS = 120.0
_WENT_WRONG = 1
Processes = Sequence["subprocess.Popen[bytes]"]


def worker_folders(out: Path, count: int) -> list[Path]:
    """The folders of workers that are started here."""
    return [out / f"worker-{number}" for number in range(1, count + 1)]


def crawl_together(
    topic: Topic,
    strategy: Recipe,
    out: Path,
    shares: SharedOptions,
    how: Mapping[str, Any],
    json_file: Path | None,
    quiet: bool,
    log_level: str | None,
    warn: Warn,
) -> None:
    """Make the crawl, start workers in folders below ``out``, follow it to its end.

    ``how`` is what else :func:`scenthound.api.share_crawl` takes.
    """
    assert shares.redis is not None
    made = api.share_crawl(
        topic, shares.redis, strategy, crawl=shares.crawl, warn=warn,
        max_waiting=shares.max_waiting, partitions=shares.partitions, **how,
    )  # fmt: skip
    shared = OnServer(shares.redis, made.name)
    folders = worker_folders(out, shares.workers)
    if not quiet:
        _tell_begin(shared, folders)
    stands = run_workers(shared, folders, quiet or json_file == STDOUT, log_level)
    told = json.dumps(dataclasses.asdict(stands), ensure_ascii=False)
    if json_file == STDOUT:
        typer.echo(told)
    elif json_file is not None:
        json_file.write_text(told + "\n", encoding="utf-8")


def _tell_begin(shared: OnServer, folders: Sequence[Path]) -> None:
    text = f"crawl {shared.crawl!r} is on the server; more workers join with: "
    text += shared.command("worker")
    if not folders:
        text += " (none is started here)"
    notices().print(plain(text), soft_wrap=True)


def run_workers(
    shared: OnServer, folders: Sequence[Path], quiet: bool, log_level: str | None
) -> Overview:
    """Start a worker in each folder, and follow the crawl until it has ended.

    With no folder it is only followed. ToldExit where the crawl is broken off here, or went wrong.
    """
    with _started(shared, folders, log_level) as processes:
        try:
            stands = _follow(shared, processes, quiet)
        except KeyboardInterrupt:
            _interrupt(processes)
            _tell_interrupted(shared, folders)
            raise ToldExit(BROKEN_OFF) from None
    if any(process.returncode for process in processes):
        say_error("a worker ended with an error; what it fetched is kept.")
        raise ToldExit(_WENT_WRONG)
    if not stands.pages:
        say_error("not one page could be fetched; check the seeds, the network and the proxy.")
        raise ToldExit(_WENT_WRONG)
    if not quiet:
        _tell_end(stands, folders)
    return stands


def _tell_interrupted(shared: OnServer, folders: Sequence[Path]) -> None:
    own = "the workers that were started here have ended; others" if folders else "the workers"
    say_error(f"interrupted; {own} go on. Stop all of them: {shared.command('stop')}")


def _tell_end(stands: Overview, folders: Sequence[Path]) -> None:
    output().print(draw_overview(stands))
    text = f"{state_text(stands)}: {figures_text(stands)}."
    if folders:
        parent = folders[0].parent
        text += f" As one crawl: {command('merge', parent, '--out', f'{parent}-merged')}"
    notices().print(plain(text), style="bold", soft_wrap=True)


@contextmanager
def _started(
    shared: OnServer, folders: Sequence[Path], log_level: str | None
) -> Iterator[Processes]:
    """A worker in each folder; they end with this process."""
    for folder in folders:
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FolderError(f"cannot make the folder {folder}: {error.strerror}.") from None
    processes = [_start(shared, folder, log_level) for folder in folders]
    try:
        yield processes
    finally:
        _interrupt(processes)


def _start(shared: OnServer, folder: Path, log_level: str | None) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "scenthound.cli.main", "worker", "--crawl", shared.crawl]
    words += ["--out", str(folder), "--quiet"]
    words += [] if log_level is None else ["--log-level", log_level]
    # The address may hold a password, which has no place in a list of processes. In a group of its
    # own the worker hears no Ctrl-C that is meant for this one: it is told to end below.
    environment = {**os.environ, REDIS_VARIABLE: shared.redis}
    return subprocess.Popen(words, env=environment, start_new_session=True)


def _interrupt(processes: Processes) -> None:
    """Have the workers end as by Ctrl-C, and wait until they have kept what has come.

    Not by that signal itself: a shell that starts things in the background has them ignore it.
    """
    for process in processes:
        if process.poll() is None:
            process.terminate()
    for process in processes:
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            say_error(f"process {process.pid}, a worker, does not end; it is left alone.")


def _follow(shared: OnServer, processes: Processes, quiet: bool) -> Overview:
    """How the crawl stands at its end."""
    console = notices()
    if quiet:
        return _watch(shared, processes, lambda stands: None)
    if not can_redraw(console):
        lines = _Lines()
        return _watch(shared, processes, lines.show)
    with Live(console=console, auto_refresh=False, transient=True) as live:
        return _watch(
            shared, processes, lambda stands: live.update(draw_overview(stands), refresh=True)
        )


def _watch(shared: OnServer, processes: Processes, show: Callable[[Overview], None]) -> Overview:
    while True:
        ended = all(process.poll() is not None for process in processes)
        try:
            stands = api.shared_overview(shared.redis, shared.crawl)
        except InputError:  # the server is away: workers wait for it, and say so if it stays away
            if ended:
                raise
        else:
            show(stands)
            if ended and (stands.has_ended or any(process.returncode for process in processes)):
                return stands
        time.sleep(_LOOK_SECONDS)


class _Lines:
    """A line now and then."""

    def __init__(self) -> None:
        self._last = 0.0
        self._said_end = False

    def show(self, stands: Overview) -> None:
        now = time.monotonic()
        if now - self._last >= _LINE_SECONDS and not self._said_end:
            self._last, self._said_end = now, stands.has_ended
            notices().print(plain(overview_line(stands)), soft_wrap=True)
