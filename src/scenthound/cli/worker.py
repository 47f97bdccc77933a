"""``scenthound worker``: one of several workers of a crawl on a server."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from scenthound import api
from scenthound.api.sharing import CrawlStoppedError
from scenthound.cli.crawl_options import JsonFile, LogLevel, Quiet, with_crawl_options
from scenthound.cli.ending import STDOUT, ToldExit, exit_code, write_figures
from scenthound.cli.live_run import run_watched
from scenthound.cli.live_state import Heading
from scenthound.cli.results import check_writable
from scenthound.cli.screen import notices, plain
from scenthound.cli.shared_options import OnServer, RedisUrl, SharedName, on_server
from scenthound.core.crawl import FRONTIER_EMPTY
from scenthound.experiments.result import Run
from scenthound.settings import Given, option_values


@with_crawl_options("concurrency", "proxy", "auth", "cookie_file", "netrc", "cache", "cache_limit")
def worker(
    *,
    redis: RedisUrl = None,
    crawl: SharedName = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="DIR", help="Folder of this worker, new or left by it. "
                     "[default: NAME-workers/HOST]"),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="W", help="Name of this worker. [default: by machine and "
                     "folder]"),
    ] = None,
    given: Mapping[str, Given],
    json_file: JsonFile = None,
    quiet: Quiet = False,
    log_level: LogLevel = None,
) -> None:  # fmt: skip
    """Work for a crawl that 'scenthound crawl --redis URL' has made, beside other workers.

    What it fetches is in its own folder; 'scenthound merge' puts all folders together. Started
    again in its folder, it goes on. Ctrl-C ends this worker; the others go on.
    """
    shared = on_server(redis, crawl)
    if json_file is not None and json_file != STDOUT:
        check_writable(json_file)
    changes = option_values(given)
    stands = api.shared_overview(shared.redis, shared.crawl)
    where = "a folder of its own" if out is None else str(out)
    heading = Heading(stands.topic, stands.strategy, where, stands.budget, None)
    work = partial(
        api.join_crawl,
        shared.redis,
        shared.crawl,
        out,
        name=name,
        **changes,  # type: ignore[arg-type]
    )
    try:
        run = run_watched(work, heading, quiet, log_level, resumable=False)
    except (
        CrawlStoppedError
    ) as told:  # as was asked: nobody is to start this worker again and again
        notices().print(plain(str(told)), soft_wrap=True)
        return
    write_figures(run, json_file)
    if not quiet:
        _tell_end(run, shared)
    code = exit_code(run)
    if code and run.stopped != FRONTIER_EMPTY:  # others may have fetched all there was
        raise ToldExit(code)


def _tell_end(run: Run, shared: OnServer) -> None:
    text = f"this worker stopped: {run.stopped}, after {run.fetched:,} pages. "
    text += f"All workers: {shared.command('status')}"
    notices().print(plain(text), style="bold", soft_wrap=True)
