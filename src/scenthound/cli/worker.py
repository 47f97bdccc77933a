"""``scenthound worker`` and ``scenthound forget``: work for a crawl on a server, and remove a
finished one from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from scenthound.cli.live_view import Heading, run_watched
from scenthound.cli.options import (
    JsonFile,
    LogLevel,
    Quiet,
    RedisUrl,
    ServerCrawl,
    SharedName,
    server_crawl,
    with_options,
)
from scenthound.cli.results import STDOUT, CommandExit, check_writable, exit_code, write_figures
from scenthound.cli.screen import notices, plain
from scenthound.cli.settings import OptionValue, option_values
from scenthound.core.crawl import FRONTIER_EMPTY
from scenthound.crawler import shared_crawls
from scenthound.crawler.result import Run
from scenthound.crawler.shared_crawls import CrawlStoppedError


@with_options("concurrency", "proxy", "auth", "cookie_file", "netrc", "cache", "cache_limit")
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
    given: Mapping[str, OptionValue],
    json_file: JsonFile = None,
    quiet: Quiet = False,
    log_level: LogLevel = None,
) -> None:  # fmt: skip
    """Work for a crawl that 'scenthound crawl --redis URL' has made, beside other workers.

    What it fetches is in its own folder; 'scenthound merge' puts all folders together. Started
    again in its folder, it goes on. Ctrl-C ends this worker; the others go on.
    """
    shared = server_crawl(redis, crawl)
    if json_file is not None and json_file != STDOUT:
        check_writable(json_file)
    changes = option_values(given)
    stands = shared_crawls.shared_overview(shared.redis, shared.crawl)
    where = "a folder of its own" if out is None else str(out)
    heading = Heading(stands.topic, stands.strategy, where, stands.budget, None)
    work = partial(
        shared_crawls.join_crawl,
        shared.redis,
        shared.crawl,
        out,
        name=name,
        **changes,
    )
    try:
        run = run_watched(work, heading, quiet, log_level, resumable=False)
    except (
        CrawlStoppedError
    ) as described:  # as was asked: nobody is to start this worker again and again
        notices().print(plain(str(described)), soft_wrap=True)
        return
    write_figures(run, json_file)
    if not quiet:
        _print_end(run, shared)
    code = exit_code(run)
    if code and run.stopped != FRONTIER_EMPTY:  # others may have fetched all there was
        raise CommandExit(code)


def _print_end(run: Run, shared: ServerCrawl) -> None:
    text = f"this worker stopped: {run.stopped}, after {run.fetched:,} pages. "
    text += f"All workers: {shared.command('status')}"
    notices().print(plain(text), style="bold", soft_wrap=True)


# ``scenthound forget``: take a crawl that nobody works for from its server.


def forget(redis: RedisUrl = None, crawl: SharedName = None) -> None:
    """Take a crawl that nobody works for any more from its server.

    The folders of its workers stay as they are; merge them first or later. It cannot go on then.
    """
    shared = server_crawl(redis, crawl)
    count = shared_crawls.forget_shared(shared.redis, shared.crawl)
    described = f"{shared.crawl!r} is no longer on the server ({count:,} keys); its folders stay"
    notices().print(plain(described), soft_wrap=True)
