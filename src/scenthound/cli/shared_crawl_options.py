"""The options of ``scenthound crawl`` for a crawl by many workers."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from scenthound.cli.shared_options import REDIS_VARIABLE, WORKERS_PANEL, refuse_no_name
from scenthound.core.errors import SettingsError

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
    """What was given of them; SettingsError where there is no server to heed them.

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
        refuse_no_name(crawl)
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
