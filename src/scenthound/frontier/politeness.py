"""Politeness: the limits that hold for every host, and the schedule of hosts in SQLite: which host
may be requested from next.

Read :func:`host_state` first: it is the whole rule, and ``redis/lua/hosts.lua`` repeats it.
:class:`HostTable` stores the state in the column ``turn``, with an index by best URL, so that the
next host is one look-up. :class:`HostSchedule` updates it as time passes and pages come.
"""

from __future__ import annotations

import enum
import math
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, fields
from operator import attrgetter

from scenthound.frontier.sqlite_urls import UrlState


class HostState(enum.IntEnum):
    """Whether a host with a URL to offer may be requested from; the column ``turn`` stores it."""

    FREE = 0
    RESTING = 1
    BUSY = 2
    OVER_SHARE = 3
    """It has had more than its share: others go first."""


@dataclass(frozen=True, slots=True)
class PolitenessPolicy:
    """What holds for every host alike.

    Parameters
    ----------
    delay : seconds that a host rests between two requests; 0 is no rest.
    per_host : requests to one host at once; None is no limit.
    pages_per_host : pages that one host may have in all; None is no limit.
    share : a host that has had more than this share of all pages fetched waits while another
        host has something to offer; None is no such rule.
    """

    delay: float = 0.0
    per_host: int | None = None
    pages_per_host: int | None = None
    share: float | None = None

    @property
    def rests_after_response(self) -> bool:
        """Does a host rest from the end of a response on? (Else from the start of a request on.)"""
        return self.per_host is None or self.per_host == 1


NO_LIMITS = PolitenessPolicy()
"""No delay and no limits."""


@dataclass(slots=True)
class HostRow:
    """One row.

    ``ready`` URLs may be leased, ``leased`` ones are, ``busy`` of them still await the host's
    response; ``had`` pages were fetched. ``delay`` is what the host itself asks for. ``next_at`` is
    when it may be requested from again, None if it never was. ``best`` and ``best_id`` are score
    and number of its best ready URL.
    """

    name: str
    ready: int = 0
    had: int = 0
    leased: int = 0
    busy: int = 0
    delay: float = 0.0
    next_at: float | None = None
    state: int | None = None
    best: float | None = None
    best_id: int | None = None
    id: int = 0

    def offer(self, score: float, number: int) -> None:
        """One more ready URL, or a better score of one: perhaps it is the best."""
        if self.best is None or self.best_id is None or score > self.best:
            self.best, self.best_id = score, number
        elif score == self.best:
            self.best_id = min(self.best_id, number)

    def rest_until(self, time: float) -> None:
        """Not to be requested from before ``time``; a longer rest stays."""
        self.next_at = time if self.next_at is None else max(self.next_at, time)


def is_exhausted(host: HostRow, politeness: PolitenessPolicy) -> bool:
    """Has the host had all the pages it may have?"""
    return politeness.pages_per_host is not None and host.had >= politeness.pages_per_host


def host_state(host: HostRow, politeness: PolitenessPolicy, now: float, pages: int) -> int | None:
    """Whether the host may be requested from at ``now``, or why not; None if it offers nothing.

    ``pages`` were fetched in all.
    """
    if host.best_id is None:
        return None
    at_once = 1 if host.delay > 0 else politeness.per_host  # one, where it asks for a delay itself
    most = politeness.pages_per_host
    if at_once is not None and host.busy >= at_once:
        return HostState.BUSY
    # What is leased may still fail, so the host is busy until then, and not exhausted.
    if most is not None and host.had + host.leased >= most:
        return HostState.BUSY
    if host.next_at is not None and host.next_at > now:
        return HostState.RESTING
    return HostState.OVER_SHARE if host.had > _fair_limit(politeness, pages) else HostState.FREE


def _fair_limit(politeness: PolitenessPolicy, pages: int) -> float:
    """Pages a host may have had before others go first, when ``pages`` were fetched in all."""
    return math.inf if politeness.share is None else politeness.share * pages


# --- the table of hosts


HOST_TABLES = (
    """
    CREATE TABLE IF NOT EXISTS frontier_hosts (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        ready INTEGER NOT NULL DEFAULT 0,
        had INTEGER NOT NULL DEFAULT 0,
        leased INTEGER NOT NULL DEFAULT 0,
        busy INTEGER NOT NULL DEFAULT 0,
        delay REAL NOT NULL DEFAULT 0,
        next_at REAL,
        turn INTEGER,
        best REAL,
        best_id INTEGER
    )
    """,
    """
    CREATE INDEX IF NOT EXISTS frontier_turns ON frontier_hosts (turn, best DESC, best_id)
    WHERE turn IS NOT NULL
    """,
    f"""
    CREATE INDEX IF NOT EXISTS frontier_resting ON frontier_hosts (next_at)
    WHERE turn = {HostState.RESTING}
    """,
    f"""
    CREATE INDEX IF NOT EXISTS frontier_greedy ON frontier_hosts (had)
    WHERE turn = {HostState.OVER_SHARE}
    """,
)
_FIELDS = tuple(field.name for field in fields(HostRow))
# The column is called ``turn`` in the crawl folders of version 0.1, which must open.
_COLUMNS = tuple("turn" if name == "state" else name for name in _FIELDS)
_ROW = f"SELECT {', '.join(_COLUMNS)} FROM frontier_hosts"
_WRITTEN = attrgetter(*_FIELDS[1:])
_LOOKED_UP_AT_ONCE = 8
"""Names in one query, which is prepared once: the links of a page lead to few hosts."""
_FIND = f"{_ROW} WHERE name IN ({', '.join('?' * _LOOKED_UP_AT_ONCE)})"
_INSERT = "INSERT INTO frontier_hosts (name) VALUES (?)"
_WRITE = f"""
    UPDATE frontier_hosts SET {", ".join(f"{name} = ?" for name in _COLUMNS[1:-1])} WHERE id = ?
"""
_BEST = f"""(best, best_id) = (
        SELECT score, frontier_urls.id FROM frontier_urls
        WHERE frontier_urls.host = frontier_hosts.id AND state = {UrlState.READY}
        ORDER BY score DESC, frontier_urls.id LIMIT 1
    )"""


class HostTable:
    """Rows by name and number."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    @property
    def count(self) -> int:
        """How many hosts are known; rows are never deleted, so the last one's number says it."""
        ((last,),) = self.connection.execute("SELECT MAX(id) FROM frontier_hosts")
        return int(last or 0)

    def named(self, names: Iterable[str]) -> dict[str, HostRow]:
        """The rows of these hosts; those unknown so far are created."""
        wanted = list(dict.fromkeys(names))
        found: dict[str, HostRow] = {}
        for start in range(0, len(wanted), _LOOKED_UP_AT_ONCE):
            some = wanted[start : start + _LOOKED_UP_AT_ONCE]
            padded = some + some[-1:] * (_LOOKED_UP_AT_ONCE - len(some))
            for row in self.connection.execute(_FIND, padded):
                found[row[0]] = HostRow(*row)
        for name in wanted:
            if name not in found:
                number = self.connection.execute(_INSERT, (name,)).lastrowid
                found[name] = HostRow(name, id=int(number or 0))
        return found

    def numbered(self, number: int) -> HostRow:
        """The row with this number, which must exist."""
        return HostRow(*self.connection.execute(f"{_ROW} WHERE id = ?", (number,)).fetchone())

    def select(self, condition: str, *values: float) -> list[HostRow]:
        """The rows that an SQL condition, or an order, selects."""
        rows = self.connection.execute(f"{_ROW} {condition}", values).fetchall()
        return [HostRow(*row) for row in rows]

    def write(self, hosts: Iterable[HostRow]) -> None:
        """Write rows that are there."""
        self.connection.executemany(_WRITE, map(_WRITTEN, hosts))

    def in_order(self, state: int) -> Iterator[tuple[float, int, int, int]]:
        """Hosts in this state, best first: negative best score, its URL's number, host, ready."""
        return self.connection.execute(
            "SELECT -best, best_id, id, ready FROM frontier_hosts WHERE turn = ?"
            " ORDER BY best DESC, best_id",
            (state,),
        )

    def find_best(self) -> None:
        """Look up the best URL of every host that has one again."""
        self.connection.execute(f"UPDATE frontier_hosts SET {_BEST} WHERE turn IS NOT NULL")

    def sums(self) -> tuple[int, int]:
        """Ready URLs and pages had, over all hosts."""
        query = "SELECT COALESCE(SUM(ready), 0), COALESCE(SUM(had), 0) FROM frontier_hosts"
        ready, had = self.connection.execute(query).fetchone()
        return ready, had


# --- the schedule: which host may be requested from next


_FORGET_LEASES = f"""
    UPDATE frontier_hosts SET ready = ready + leased, leased = 0, busy = 0, {_BEST}
    WHERE leased > 0
"""
_REST_ALL = """
    UPDATE frontier_hosts SET next_at = MAX(next_at, ? + MAX(delay, ?)) WHERE next_at IS NOT NULL
"""
_STATE = f"""
    CASE WHEN best_id IS NULL THEN NULL WHEN next_at > :now THEN {HostState.RESTING}
    WHEN had > :limit THEN {HostState.OVER_SHARE} ELSE {HostState.FREE} END
"""
_SET_STATES = f"UPDATE frontier_hosts SET turn = {_STATE} WHERE turn IS NOT {_STATE}"
_ANY = "SELECT 1 FROM frontier_hosts WHERE turn = ? LIMIT 1"
# The planner would take the index of states, and go through all hosts that rest or are over share.
_WAKE = f"""
    UPDATE frontier_hosts INDEXED BY frontier_resting
    SET turn = CASE WHEN had > ? THEN {HostState.OVER_SHARE} ELSE {HostState.FREE} END
    WHERE turn = {HostState.RESTING} AND next_at <= ?
"""
_RELEASE_FROM_SHARE_LIMIT = f"""
    UPDATE frontier_hosts INDEXED BY frontier_greedy SET turn = {HostState.FREE}
    WHERE turn = {HostState.OVER_SHARE} AND had <= ?
"""
_FIRST_FREE = f"""
    SELECT next_at FROM frontier_hosts INDEXED BY frontier_resting
    WHERE turn = {HostState.RESTING} AND next_at IS NOT NULL ORDER BY next_at LIMIT 1
"""
_FAIR_RESTING = f"""
    SELECT 1 FROM frontier_hosts INDEXED BY frontier_resting
    WHERE turn = {HostState.RESTING} AND next_at <= ? AND had <= ? LIMIT 1
"""
_FAIR_BUSY = f"SELECT 1 FROM frontier_hosts WHERE turn = {HostState.BUSY} AND had <= ? LIMIT 1"


class HostSchedule:
    """Updates the state of every host as time passes and pages are fetched.

    What an earlier process had leased is ready again, and every host that was ever requested from
    rests: a request may have been sent a moment ago.

    Parameters
    ----------
    hosts : the table.
    politeness : delay, limits and budgets.
    now : the time on the crawl's clock.
    opens_at : no host is requested from before.
    """

    def __init__(
        self, hosts: HostTable, politeness: PolitenessPolicy, now: float, opens_at: float
    ) -> None:
        self._hosts = hosts
        self._execute = hosts.connection.execute
        self._politeness = politeness
        self._now = now
        self._opens_at = opens_at
        self._first_free = -math.inf
        """No host that rests is free before; it may be too early, never too late."""
        self._execute(_FORGET_LEASES)
        self._execute(_REST_ALL, (now, politeness.delay))
        self._pages = hosts.sums()[1]
        """How many pages all hosts have had."""
        self._execute(_SET_STATES, {"now": now, "limit": self._limit()})

    def settle(self, hosts: Collection[HostRow]) -> None:
        """Find the state of hosts that have changed, and write them."""
        for host in hosts:
            host.state = host_state(host, self._politeness, self._now, self._pages)
            if host.state == HostState.RESTING and host.next_at is not None:
                self._first_free = min(self._first_free, host.next_at)
        self._hosts.write(hosts)

    def wake(self, now: float) -> None:
        """Free the hosts that have rested enough by ``now``, or are no longer over their share."""
        self._now = max(self._now, now)
        if self._now >= self._first_free:
            self._execute(_WAKE, (self._limit(), self._now))
            first = self._next_rested()
            self._first_free = math.inf if first is None else first
        if self._politeness.share is not None:
            self._execute(_RELEASE_FROM_SHARE_LIMIT, (self._limit(),))

    def begin(self, host: HostRow) -> None:
        """A URL of the host is leased: it is being requested."""
        host.ready -= 1
        host.leased += 1
        host.busy += 1
        host.rest_until(self._now + max(host.delay, self._politeness.delay))

    def record_response(self, host: HostRow, at: float) -> None:
        """One of the host's responses is complete."""
        host.busy -= 1
        if self._politeness.rests_after_response or host.delay > 0:
            host.rest_until(at + max(host.delay, self._politeness.delay))

    def had_page(self, host: HostRow) -> None:
        """One more page of the host was fetched."""
        host.had += 1
        self._pages += 1

    def slow_down(self, host: HostRow, delay: float) -> None:
        """The host asks for a delay; the rest it takes now grows with it."""
        before = max(host.delay, self._politeness.delay)
        host.delay = max(host.delay, delay)
        if host.next_at is not None:
            host.next_at += max(host.delay, self._politeness.delay) - before

    def leasable_state(self) -> int | None:
        """Hosts in this state may be requested from now: free, else over share; None for none."""
        if self._now < self._opens_at:
            return None
        if self._any(_ANY, HostState.FREE):
            return HostState.FREE
        if self._politeness.share is None or not self._any(_ANY, HostState.OVER_SHARE):
            return None
        soon, limit = self._now + self._politeness.delay, self._limit()
        # A host over its share waits for a fair one that is busy, or rests for one delay at most.
        fair_one_is_due = self._any(_FAIR_RESTING, soon, limit) or self._any(_FAIR_BUSY, limit)
        return None if fair_one_is_due else HostState.OVER_SHARE

    def next_host(self) -> HostRow | None:
        """The host with the best URL among those that may be requested from now."""
        state = self.leasable_state()
        if state is None:
            return None
        return self._hosts.select("WHERE turn = ? ORDER BY best DESC, best_id LIMIT 1", state)[0]

    def is_leasable(self, host: HostRow) -> bool:
        """May this very host be requested from now?"""
        if self._now < self._opens_at:
            return False
        return host.state == HostState.FREE or (
            host.state == HostState.OVER_SHARE and self.leasable_state() == HostState.OVER_SHARE
        )

    def next_time(self, first_due: float | None) -> float:
        """When the next host can be requested from: the time of the last waking if one can be now.

        ``first_due`` is when the next URL comes back, if any does.
        """
        if self.leasable_state() is not None:
            return self._now
        if self._any(_ANY, HostState.FREE):
            return self._opens_at
        times = [time for time in (self._next_rested(), first_due) if time is not None]
        return max(min(times, default=self._now), self._opens_at)

    def _next_rested(self) -> float | None:
        row: tuple[float] | None = self._execute(_FIRST_FREE).fetchone()
        return None if row is None else row[0]

    def _any(self, query: str, *values: float) -> bool:
        return self._execute(query, values).fetchone() is not None

    def _limit(self) -> float:
        return _fair_limit(self._politeness, self._pages)
