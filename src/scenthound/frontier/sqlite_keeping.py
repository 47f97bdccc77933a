"""What waits in a frontier of another kind, written down as tables that are only read later."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from scenthound.core.model import Candidate
from scenthound.frontier.sqlite_hosts import Hosts
from scenthound.frontier.sqlite_schema import FREE, create_tables
from scenthound.frontier.sqlite_url_row import UrlRow, host_name
from scenthound.frontier.sqlite_urls import Urls

_WRITTEN_AT_ONCE = 1_000


def keep_waiting(
    connection: sqlite3.Connection, candidates: Sequence[Candidate], had: Mapping[str, int]
) -> None:
    """Write candidates that wait as the tables of a frontier, in one transaction.

    :class:`~scenthound.frontier.sqlite_reading.FrontierReading` then tells where each stands.

    Parameters
    ----------
    connection : an open database without these tables.
    candidates : best first; of equal scores the first is the one that goes first.
    had : pages that each host has had; a host that is not named had none.
    """
    connection.execute("BEGIN")
    create_tables(connection)
    urls, hosts = Urls(connection), Hosts(connection)
    for start in range(0, len(candidates), _WRITTEN_AT_ONCE):
        some = candidates[start : start + _WRITTEN_AT_ONCE]
        named = hosts.named([host_name(each.url) for each in some])
        rows = [
            _row(number, named[host_name(each.url)].id, each)
            for number, each in enumerate(some, start=start + 1)
        ]
        urls.insert(rows)
        for row, each in zip(rows, some, strict=True):
            host = named[host_name(each.url)]
            host.ready += 1
            host.turn, host.had = FREE, had.get(host.name, 0)
            host.offer(row.score, row.id)
        hosts.write(named.values())
    connection.execute("COMMIT")


def _row(number: int, host: int, candidate: Candidate) -> UrlRow:
    return UrlRow(
        id=number,
        url=candidate.url,
        host=host,
        depth=candidate.depth,
        attempts=candidate.attempts,
        score=candidate.score.value,
        sightings=candidate.linked_from,
        parts=candidate.score.parts,
        inlinks=list(candidate.inlinks),
        redirects=candidate.redirects,
    )
