"""A frontier in a database that is only read: where a URL stands, and how many go before it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scenthound.core.model import Candidate
from scenthound.frontier.politeness import (
    HostRow,
    HostState,
    HostTable,
    PolitenessPolicy,
    host_state,
    is_exhausted,
)
from scenthound.frontier.sqlite import create_tables
from scenthound.frontier.sqlite_urls import UrlRow, UrlState, UrlTable, host_name

WAITING, RETRYING, UNDER_WAY, DEALT_WITH, SET_ASIDE = (
    "waiting", "retrying", "under way", "dealt with", "set aside",
)  # fmt: skip
"""States of a URL: may be leased; is tried again later; is leased; closed; host is exhausted."""
FREE_NOW, AT_REST, IS_BUSY, HAD_ITS_SHARE, HAS_NOTHING, IS_SPENT = (
    "free", "resting", "busy", "had its share", "nothing waits", "spent",
)  # fmt: skip
"""States of a host: see :class:`HostStatus`."""
_PLACES = dict(zip(UrlState, (WAITING, RETRYING, UNDER_WAY, DEALT_WITH, SET_ASIDE), strict=True))
_HOST_STATES: dict[int | None, str] = {
    None: HAS_NOTHING,
    HostState.FREE: FREE_NOW,
    HostState.RESTING: AT_REST,
    HostState.BUSY: IS_BUSY,
    HostState.OVER_SHARE: HAD_ITS_SHARE,
}
_BETTER = f"""
    SELECT COUNT(*) FROM frontier_urls
    WHERE state = {UrlState.READY} AND (score > :score OR (score = :score AND id < :id))
"""
_BETTER_OF_HOST = f"{_BETTER} AND host = :host"
_LEASES = "SELECT COALESCE(SUM(leased), 0) FROM frontier_hosts"
_SET_ASIDE = f"SELECT COUNT(*) FROM frontier_urls WHERE state = {UrlState.EXHAUSTED}"


@dataclass(frozen=True, slots=True)
class HostStatus:
    """A host: how many of its URLs wait, how many pages it has had, and whether it may be asked.

    ``state`` is ``free``, ``resting`` (until ``until``), ``busy`` (as many requests as it may have
    are under way), ``had its share`` (others go first), ``nothing waits`` or ``spent``.
    """

    name: str
    waiting: int
    had: int
    state: str
    until: float | None


@dataclass(frozen=True, slots=True)
class UrlStatus:
    """A URL in the frontier.

    ``better`` counts the URLs that would be leased before it if no host had to rest,
    ``better_on_host`` those of its own host; None for a URL that does not wait. ``due`` is when it
    is tried again. ``waiting`` is how many wait in all.
    """

    candidate: Candidate
    place: str
    host: HostStatus
    waiting: int
    better: int | None = None
    better_on_host: int | None = None
    due: float | None = None


@dataclass(frozen=True, slots=True)
class FrontierCounts:
    """How many URLs may be leased, are tried again later, are leased, and are set aside."""

    waiting: int
    retrying: int
    under_way: int
    set_aside: int


class FrontierReader:
    """Reads the tables of an SQLite frontier and writes nothing.

    Parameters
    ----------
    connection : where the tables are; may be open to read only.
    politeness : delays and limits of hosts, as the crawl has them.
    now : the time on the crawl's clock.
    """

    def __init__(
        self, connection: sqlite3.Connection, politeness: PolitenessPolicy, now: float
    ) -> None:
        self._connection = connection
        self._politeness = politeness
        self._now = now
        self._urls = UrlTable(connection)
        self._hosts = HostTable(connection)

    def place(self, url: str) -> str | None:
        """The state of the URL; None if it was never seen."""
        state = self._urls.state_of(url)
        return None if state is None else _PLACES[UrlState(state)]

    def candidate(self, url: str) -> Candidate | None:
        """Any URL ever seen, with its evidence; None if it was never seen."""
        row = self._urls.get(url)
        return None if row is None else row.candidate()

    def status(self, url: str) -> UrlStatus | None:
        """The full status of the URL; None if it was never seen."""
        row = self._urls.get(url)
        if row is None:
            return None
        place = _PLACES[UrlState(row.state)]
        ready, pages = self._hosts.sums()
        host = self._host(self._hosts.numbered(row.host), pages)
        waiting = ready + self._urls.retries()
        if place not in (WAITING, RETRYING):
            return UrlStatus(row.candidate(), place, host, waiting)
        order = {"score": row.score, "id": row.id, "host": row.host}
        better, on_host = self._value(_BETTER, order), self._value(_BETTER_OF_HOST, order)
        due = self._value("SELECT due FROM frontier_urls WHERE id = :id", order)
        return UrlStatus(row.candidate(), place, host, waiting, better, on_host, due)

    def counts(self) -> FrontierCounts:
        """How much there is; only where hosts have a limit, rows are looked through for it."""
        limited = self._politeness.pages_per_host is not None
        return FrontierCounts(
            waiting=self._hosts.sums()[0],
            retrying=self._urls.retries(),
            under_way=self._value(_LEASES),
            set_aside=self._value(_SET_ASIDE) if limited else 0,
        )

    def busiest(self, most: int) -> list[HostStatus]:
        """The hosts that have had most pages, at most so many; of equals those with most to ask."""
        _, pages = self._hosts.sums()
        return [
            self._host(host, pages)
            for host in self._hosts.select("ORDER BY had DESC, ready DESC, id LIMIT ?", most)
        ]

    def _host(self, host: HostRow, pages: int) -> HostStatus:
        state = _HOST_STATES[host_state(host, self._politeness, self._now, pages)]
        if is_exhausted(host, self._politeness):
            state = IS_SPENT
        rests = host.next_at is not None and host.next_at > self._now
        return HostStatus(host.name, host.ready, host.had, state, host.next_at if rests else None)

    def _value(self, query: str, values: Mapping[str, float] | None = None) -> Any:
        return self._connection.execute(query, values or {}).fetchone()[0]


# What waits in a frontier of another kind, written down as tables that are only read later.


_WRITTEN_AT_ONCE = 1_000


def write_waiting(
    connection: sqlite3.Connection, candidates: Sequence[Candidate], had: Mapping[str, int]
) -> None:
    """Write candidates that wait as the tables of a frontier, in one transaction.

    :class:`~scenthound.frontier.sqlite_reader.FrontierReader` then reads the state of each.

    Parameters
    ----------
    connection : an open database without these tables.
    candidates : best first; of equal scores the first is the one that goes first.
    had : pages that each host has had; a host that is not named had none.
    """
    connection.execute("BEGIN")
    create_tables(connection)
    urls, hosts = UrlTable(connection), HostTable(connection)
    for start in range(0, len(candidates), _WRITTEN_AT_ONCE):
        some = candidates[start : start + _WRITTEN_AT_ONCE]
        named = hosts.named([host_name(each.url) for each in some])
        rows = []
        for number, each in enumerate(some, start=start + 1):
            host = named[host_name(each.url)]
            row = UrlRow(
                id=number, url=each.url, host=host.id, depth=each.depth, attempts=each.attempts,
                score=each.score.value, link_count=each.linked_from, parts=each.score.parts,
                inlinks=list(each.inlinks), redirects=each.redirects,
            )  # fmt: skip
            rows.append(row)
            host.ready += 1
            host.state, host.had = HostState.FREE, had.get(host.name, 0)
            host.offer(row.score, row.id)
        urls.insert(rows)
        hosts.write(named.values())
    connection.execute("COMMIT")
