"""The frontier of a live crawl: how much waits, and which hosts are asked most."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.dashboard.detail import Recent
from scenthound.dashboard.plain_values import Json
from scenthound.dashboard.watched_crawl import watched_crawl
from scenthound.explanation.rules import options_of
from scenthound.frontier.sqlite_reading import FrontierReading, HostStanding

_HOSTS = 20


def read_frontier(folder: Path, now: float, recent: Recent) -> tuple[Json, list[Json]]:
    """Counts of what waits, and the hosts with most pages; the crawl may be running.

    The frontier counts a host's redirects as pages and knows no relevant ones: where ``recent``
    holds the whole crawl, that is asked instead. FolderError where the frontier cannot be read
    now: nothing was committed yet, say.
    """
    try:
        with watched_crawl(folder) as stored:
            if stored.database is None:
                raise FolderError(f"{folder} holds a replay, which keeps no frontier.")
            reading = FrontierReading(stored.database, options_of(stored).manners(), now)
            counts, hosts = reading.counts(), reading.busiest(_HOSTS)
    except sqlite3.Error as error:
        raise FolderError(f"the frontier in {folder} cannot be read now ({error}).") from None
    told: Json = {
        "waiting": counts.waiting + counts.retrying,  # as the running totals count it
        "retrying": counts.retrying,
        "under_way": counts.under_way,
        "set_aside": counts.set_aside,
    }
    return told, [_host(each, recent) for each in hosts]


def _host(standing: HostStanding, recent: Recent) -> Json:
    return {
        "host": standing.name,
        "pages": recent.hosts[standing.name] if recent.whole else standing.had,
        "relevant": recent.relevant_hosts[standing.name] if recent.whole else None,
        "waiting": standing.waiting,
        "state": standing.state,
    }
