"""A frontier in a database that is only read: where a URL stands, and how many go before it."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from scenthound.core.model import Candidate
from scenthound.frontier.manners import Manners
from scenthound.frontier.sqlite_host_row import Host, is_spent, turn_of
from scenthound.frontier.sqlite_hosts import Hosts
from scenthound.frontier.sqlite_schema import BUSY, GREEDY, LEASED, READY, RESTING, RETRY, SPENT
from scenthound.frontier.sqlite_urls import Urls

WAITING, RETRYING, UNDER_WAY, DEALT_WITH, SET_ASIDE = (
    "waiting", "retrying", "under way", "dealt with", "set aside",
)  # fmt: skip
"""Where a URL stands: may be asked for; is tried again later; is leased; closed; host is spent."""
FREE_NOW, AT_REST, IS_BUSY, HAD_ITS_SHARE, HAS_NOTHING, IS_SPENT = (
    "free", "resting", "busy", "had its share", "nothing waits", "spent",
)  # fmt: skip
"""How a host stands: see :class:`HostStanding`."""

_PLACES = {READY: WAITING, RETRY: RETRYING, LEASED: UNDER_WAY, SPENT: SET_ASIDE}
_TURNS = {RESTING: AT_REST, BUSY: IS_BUSY, GREEDY: HAD_ITS_SHARE}
_DUE = "SELECT due FROM frontier_urls WHERE id = ?"
_BETTER = f"""
    SELECT COUNT(*) FROM frontier_urls
    WHERE state = {READY} AND (score > :score OR (score = :score AND id < :id))
"""
_BETTER_OF_HOST = f"{_BETTER} AND host = :host"
_LEASES = "SELECT COALESCE(SUM(leased), 0) FROM frontier_hosts"
_SET_ASIDE = f"SELECT COUNT(*) FROM frontier_urls WHERE state = {SPENT}"


@dataclass(frozen=True, slots=True)
class HostStanding:
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
class Standing:
    """A URL in the frontier.

    ``better`` counts the URLs that would be asked for before it if no host had to rest,
    ``better_on_host`` those of its own host; None for a URL that does not wait. ``due`` is when it
    is tried again. ``waiting`` is how many wait in all.
    """

    candidate: Candidate
    place: str
    host: HostStanding
    waiting: int
    better: int | None = None
    better_on_host: int | None = None
    due: float | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """How many URLs may be asked for, are tried again later, are leased, and are set aside."""

    waiting: int
    retrying: int
    under_way: int
    set_aside: int


class FrontierReading:
    """Reads the tables of an SQLite frontier and writes nothing.

    Parameters
    ----------
    connection : where the tables are; may be open to read only.
    manners : delays and limits of hosts, as the crawl has them.
    now : the time on the crawl's clock.
    """

    def __init__(self, connection: sqlite3.Connection, manners: Manners, now: float) -> None:
        self._connection = connection
        self._manners = manners
        self._now = now
        self._urls = Urls(connection)
        self._hosts = Hosts(connection)

    def place(self, url: str) -> str | None:
        """Where the URL stands; None if it was never seen."""
        state = self._urls.state_of(url)
        return None if state is None else _PLACES.get(state, DEALT_WITH)

    def candidate(self, url: str) -> Candidate | None:
        """Any URL ever seen, with what spoke for it; None if it was never seen."""
        row = self._urls.get(url)
        return None if row is None else row.candidate()

    def standing(self, url: str) -> Standing | None:
        """All that is known of the URL's place; None if it was never seen."""
        row = self._urls.get(url)
        if row is None:
            return None
        place = _PLACES.get(row.state, DEALT_WITH)
        ready, pages = self._hosts.sums()
        host = self._host(self._hosts.numbered(row.host), pages)
        waiting = ready + self._urls.retries()
        if place not in (WAITING, RETRYING):
            return Standing(row.candidate(), place, host, waiting)
        order = {"score": row.score, "id": row.id, "host": row.host}
        return Standing(
            row.candidate(),
            place,
            host,
            waiting,
            self._counted(_BETTER, order),
            self._counted(_BETTER_OF_HOST, order),
            self._due(row.id),
        )

    def counts(self) -> Counts:
        """How much there is; only where hosts have a limit, rows are looked through for it."""
        limited = self._manners.pages_per_host is not None
        return Counts(
            waiting=self._hosts.sums()[0],
            retrying=self._urls.retries(),
            under_way=self._counted(_LEASES, {}),
            set_aside=self._counted(_SET_ASIDE, {}) if limited else 0,
        )

    def busiest(self, most: int) -> list[HostStanding]:
        """The hosts that have had most pages, at most so many; of equals those with most to ask."""
        _, pages = self._hosts.sums()
        return [self._host(host, pages) for host in self._hosts.busiest(most)]

    def _host(self, host: Host, pages: int) -> HostStanding:
        turn = turn_of(host, self._manners, self._now, pages)
        if is_spent(host, self._manners):
            state = IS_SPENT
        elif turn is None:
            state = HAS_NOTHING
        else:
            state = _TURNS.get(turn, FREE_NOW)
        rests = host.next_at is not None and host.next_at > self._now
        return HostStanding(host.name, host.ready, host.had, state, host.next_at if rests else None)

    def _counted(self, query: str, values: dict[str, float | int]) -> int:
        return int(self._connection.execute(query, values).fetchone()[0])

    def _due(self, number: int) -> float | None:
        due: float | None = self._connection.execute(_DUE, (number,)).fetchone()[0]
        return due
