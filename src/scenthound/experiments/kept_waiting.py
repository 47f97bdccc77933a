"""What still waits when a replay is over, kept so that it can be explained."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Iterable
from contextlib import closing

from scenthound.core.errors import FolderError
from scenthound.core.urls import host_of
from scenthound.experiments.topic_reading import Warn
from scenthound.frontier.memory import MemoryFrontier
from scenthound.frontier.sqlite_keeping import keep_waiting
from scenthound.store.database import open_database
from scenthound.store.folder import CrawlFolder

MOST = 50_000
"""URLs that are kept, the best first: some 30 MB."""


def keep_what_waits(
    folder: CrawlFolder, frontier: MemoryFrontier, fetched: Iterable[str], warn: Warn
) -> None:
    """Write what waits to the folder; a disk that is full costs the explanation, not the crawl.

    Parameters
    ----------
    folder : of the replay.
    frontier : as the replay has left it.
    fetched : the URLs of its pages.
    warn : hears why nothing is kept.
    """
    path = folder.waiting_path
    unfinished = path.with_name(f"{path.name}.part")
    try:
        unfinished.unlink(missing_ok=True)
        with closing(open_database(unfinished, new=True, pragmas={"synchronous": "OFF"})) as kept:
            keep_waiting(kept, frontier.peek(MOST), Counter(map(host_of, fetched)))
        os.replace(unfinished, path)
    except (OSError, sqlite3.Error, FolderError) as error:
        warn(f"what waited is not kept in {path}, so explain cannot tell of it: {error}")
