"""``scenthound crawl --redis``: make a crawl on a server, start workers here, follow them all."""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer
from rich.live import Live

from scenthound import api
from scenthound.api.sharing import default_name
from scenthound.api.worker_folders import check_worker_folders
from scenthound.cli.ending import BROKEN_OFF, STDOUT, ToldExit
from scenthound.cli.screen import can_redraw, notices, plain, say_error, say_warning
from scenthound.cli.shared_crawl_options import SharedOptions
from scenthound.cli.shared_ending import WENT_WRONG, tell_end, tell_interrupted
from scenthound.cli.shared_options import OnServer
from scenthound.cli.shared_view import draw_overview, overview_line
from scenthound.cli.started_workers import (
    StartedWorker,
    as_seen_here,
    interrupt,
    started,
    tell_failed,
)
from scenthound.core.errors import InputError
from scenthound.core.model import Topic
from scenthound.distributed.overview import NOT_BEGUN, Overview
from scenthound.experiments.topic_reading import Warn
from scenthound.strategies.ingredients import Recipe

_LOOK_SECONDS = 0.5
_LINE_SECONDS = 10.0


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
    name = default_name(topic) if shares.crawl is None else shares.crawl
    folders = worker_folders(out, shares.workers)
    check_worker_folders(shares.redis, name, folders)
    made = api.share_crawl(
        topic, shares.redis, strategy, crawl=name, warn=warn,
        max_waiting=shares.max_waiting, partitions=shares.partitions, **how,
    )  # fmt: skip
    shared = OnServer(shares.redis, made.name)
    if not quiet:
        _tell_begin(shared, folders)
    stands, code = run_workers(shared, folders, quiet or json_file == STDOUT, log_level)
    told = json.dumps(dataclasses.asdict(stands), ensure_ascii=False)
    if json_file == STDOUT:
        typer.echo(told)
    elif json_file is not None:
        json_file.write_text(told + "\n", encoding="utf-8")
    if code:
        raise ToldExit(code)


def _tell_begin(shared: OnServer, folders: Sequence[Path]) -> None:
    text = f"crawl {shared.crawl!r} is on the server; more workers join with: "
    text += shared.command("worker")
    if not folders:
        text += " (none is started here)"
    notices().print(plain(text), soft_wrap=True)


def run_workers(
    shared: OnServer, folders: Sequence[Path], quiet: bool, log_level: str | None
) -> tuple[Overview, int]:
    """Start a worker in each folder, and follow the crawl until it has ended.

    With no folder it is only followed. Returns how it stands then, and the exit code; ToldExit
    where the crawl is broken off here.
    """
    with started(shared, folders, log_level) as workers:
        try:
            stands = _follow(shared, workers, quiet)
        except KeyboardInterrupt:
            interrupt(workers)
            tell_interrupted(shared, bool(workers), _others_work(shared, workers))
            raise ToldExit(BROKEN_OFF) from None
        except InputError as error:  # the crawl had begun: this is no bad input
            say_error(str(error))
            raise ToldExit(WENT_WRONG) from None
    return stands, tell_end(stands, workers, shared, quiet)


def _others_work(shared: OnServer, workers: Sequence[StartedWorker]) -> bool:
    """Is anybody else at work? Where the server is away, workers wait for it."""
    try:
        stands = api.shared_overview(shared.redis, shared.crawl)
    except InputError:
        return True
    stands = as_seen_here(stands, workers)
    return bool(stands.workers) and not stands.has_ended


def _follow(shared: OnServer, workers: Sequence[StartedWorker], quiet: bool) -> Overview:
    """How the crawl stands at its end."""
    console = notices()
    if quiet:
        return _watch(shared, workers, lambda stands: None, say_warning)
    if not can_redraw(console):
        lines = _Lines()
        return _watch(shared, workers, lines.show, say_warning)
    with Live(console=console, auto_refresh=False, transient=True) as live:
        return _watch(
            shared,
            workers,
            lambda stands: live.update(draw_overview(stands), refresh=True),
            lambda message: say_warning(message, console),  # above what is drawn
        )


def _watch(
    shared: OnServer,
    workers: Sequence[StartedWorker],
    show: Callable[[Overview], None],
    tell: Warn,
) -> Overview:
    while True:
        ended = all(worker.has_ended for worker in workers)
        tell_failed(workers, shared, tell)
        try:
            stands = api.shared_overview(shared.redis, shared.crawl)
        except InputError:  # the server is away: workers wait for it, and say so if it stays away
            if ended:
                raise
        else:
            stands = as_seen_here(stands, workers)
            show(stands)
            if ended and (stands.has_ended or (workers and stands.state == NOT_BEGUN)):
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
