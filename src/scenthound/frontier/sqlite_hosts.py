"""The table of hosts and the host schedule: which host may be asked next."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields
from operator import attrgetter

from scenthound.frontier.codec import UrlState
from scenthound.frontier.politeness import (
    HostRow,
    HostState,
    PolitenessPolicy,
    delay_of,
    fair_limit,
    host_state,
)

_FIELDS = tuple(field.name for field in fields(HostRow))
_ROW = f"SELECT {', '.join(_FIELDS)} FROM frontier_hosts"
_WRITTEN = attrgetter(*_FIELDS[1:])
_LOOKED_UP_AT_ONCE = 8
_FIND = f"{_ROW} WHERE name IN ({', '.join('?' * _LOOKED_UP_AT_ONCE)})"
_INSERT = "INSERT INTO frontier_hosts (name) VALUES (?)"
_WRITE = f"""
    UPDATE frontier_hosts SET {", ".join(f"{name} = ?" for name in _FIELDS[1:-1])} WHERE id = ?
"""
_TOP = f"{_ROW} WHERE turn = ? ORDER BY best DESC, best_id LIMIT 1"
_ANY = "SELECT 1 FROM frontier_hosts WHERE turn = ? LIMIT 1"
_TOPS = """
    SELECT -best, best_id, id FROM frontier_hosts WHERE turn = ? ORDER BY best DESC, best_id
"""

# The planner would take the index of turns, and go through all hosts that rest or are greedy.
_WAKE = f"""
    UPDATE frontier_hosts INDEXED BY frontier_resting
    SET turn = CASE WHEN had > ? THEN {HostState.GREEDY} ELSE {HostState.FREE} END
    WHERE turn = {HostState.RESTING} AND next_at <= ?
"""
_FORGIVE = f"""
    UPDATE frontier_hosts INDEXED BY frontier_greedy SET turn = {HostState.FREE}
    WHERE turn = {HostState.GREEDY} AND had <= ?
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
_BEST = f"""(best, best_id) = (
        SELECT score, frontier_urls.id FROM frontier_urls
        WHERE frontier_urls.host = frontier_hosts.id AND state = {UrlState.READY}
        ORDER BY score DESC, frontier_urls.id LIMIT 1
    )"""
_FIND_BEST = f"UPDATE frontier_hosts SET {_BEST} WHERE turn IS NOT NULL"
_FORGET_LEASES = f"""
    UPDATE frontier_hosts SET ready = ready + leased, leased = 0, busy = 0, {_BEST}
    WHERE leased > 0
"""
_REST_ALL = """
    UPDATE frontier_hosts SET next_at = MAX(next_at, ? + MAX(delay, ?)) WHERE next_at IS NOT NULL
"""
_TURN = f"""
    CASE WHEN best_id IS NULL THEN NULL WHEN next_at > :now THEN {HostState.RESTING}
    WHEN had > :limit THEN {HostState.GREEDY} ELSE {HostState.FREE} END
"""
_TURN_ALL = f"UPDATE frontier_hosts SET turn = {_TURN} WHERE turn IS NOT {_TURN}"


class HostTable:
    """Rows by name and number, and the best host in each state."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @property
    def count(self) -> int:
        """How many hosts are known; rows are never deleted, so the last one's number says it."""
        ((last,),) = self._connection.execute("SELECT MAX(id) FROM frontier_hosts")
        return int(last or 0)

    def named(self, names: Iterable[str]) -> dict[str, HostRow]:
        """The rows of these hosts; those unknown so far are created."""
        wanted = list(dict.fromkeys(names))
        found: dict[str, HostRow] = {}
        for start in range(0, len(wanted), _LOOKED_UP_AT_ONCE):
            some = wanted[start : start + _LOOKED_UP_AT_ONCE]
            padded = some + some[-1:] * (_LOOKED_UP_AT_ONCE - len(some))
            for row in self._connection.execute(_FIND, padded):
                found[row[0]] = HostRow(*row)
        for name in wanted:
            if name not in found:
                number = self._connection.execute(_INSERT, (name,)).lastrowid
                found[name] = HostRow(name, id=int(number or 0))
        return found

    def numbered(self, number: int) -> HostRow:
        """The row with this number, which must exist."""
        return HostRow(*self._connection.execute(f"{_ROW} WHERE id = ?", (number,)).fetchone())

    def write(self, hosts: Iterable[HostRow]) -> None:
        """Write rows that are there."""
        self._connection.executemany(_WRITE, map(_WRITTEN, hosts))

    def top(self, turn: int) -> HostRow | None:
        """The host with the best URL among those in this state."""
        row = self._connection.execute(_TOP, (turn,)).fetchone()
        return None if row is None else HostRow(*row)

    def top_exists(self, turn: int) -> bool:
        """Is there a host in this state?"""
        return self._connection.execute(_ANY, (turn,)).fetchone() is not None

    def tops(self, turn: int) -> Iterator[tuple[float, int, int]]:
        """Negative best score, its URL's number and the host's number, best first."""
        return self._connection.execute(_TOPS, (turn,))

    def ready_counts(self, turn: int) -> Iterator[tuple[int, int]]:
        """Number and count of ready URLs of all hosts in this state, in a fixed order."""
        query = """
            SELECT id, ready FROM frontier_hosts WHERE turn = ? ORDER BY best DESC, best_id
        """
        return self._connection.execute(query, (turn,))

    def wake(self, now: float, limit: float) -> None:
        """Those that have rested enough may be asked, unless they had more than ``limit`` pages."""
        self._connection.execute(_WAKE, (limit, now))

    def forgive(self, limit: float) -> None:
        """Those that have had no more than ``limit`` pages are no longer greedy."""
        self._connection.execute(_FORGIVE, (limit,))

    def first_free(self) -> float | None:
        """When the first of the resting hosts may be asked; None where none rests."""
        row: tuple[float] | None = self._connection.execute(_FIRST_FREE).fetchone()
        return None if row is None else row[0]

    def find_best(self) -> None:
        """Look up the best URL of every host that has one again."""
        self._connection.execute(_FIND_BEST)

    def forget_leases(self) -> None:
        """What was leased is ready again, as the table of URLs says already."""
        self._connection.execute(_FORGET_LEASES)

    def rest_all(self, now: float, delay: float) -> None:
        """Every host that was ever asked rests from ``now`` on."""
        self._connection.execute(_REST_ALL, (now, delay))

    def turn_all(self, now: float, limit: float) -> None:
        """Find the state of every host; none is busy."""
        self._connection.execute(_TURN_ALL, {"now": now, "limit": limit})

    def fair_one_is_due(self, until: float, limit: float) -> bool:
        """Is there one that had at most ``limit`` pages, busy or resting no longer than that?"""
        if self._connection.execute(_FAIR_RESTING, (until, limit)).fetchone() is not None:
            return True
        return self._connection.execute(_FAIR_BUSY, (limit,)).fetchone() is not None

    def with_at_least(self, had: int) -> list[HostRow]:
        """The hosts that have had as many pages and still have something to offer."""
        query = f"{_ROW} WHERE had >= ? AND ready > 0"
        return [HostRow(*row) for row in self._connection.execute(query, (had,)).fetchall()]

    def busiest(self, most: int) -> list[HostRow]:
        """Those that have had most pages, at most so many; of equals those with most that waits."""
        query = f"{_ROW} ORDER BY had DESC, ready DESC, id LIMIT ?"
        return [HostRow(*row) for row in self._connection.execute(query, (most,)).fetchall()]

    def sums(self) -> tuple[int, int]:
        """Ready URLs and pages had, over all hosts."""
        query = "SELECT COALESCE(SUM(ready), 0), COALESCE(SUM(had), 0) FROM frontier_hosts"
        ready, had = self._connection.execute(query).fetchone()
        return ready, had


# --- the schedule: which host may be asked next


class HostSchedule:
    """Updates the state of every host as time passes and pages are fetched.

    Parameters
    ----------
    hosts : the table; no host in it is busy yet.
    politeness : delay, limits and budgets.
    now : the time on the crawl's clock.
    pages : how many pages all hosts have had.
    opens_at : no host is asked before.
    """

    def __init__(
        self,
        hosts: HostTable,
        politeness: PolitenessPolicy,
        now: float,
        pages: int,
        opens_at: float,
    ) -> None:
        self._hosts = hosts
        self._politeness = politeness
        self._now = now
        self._pages = pages
        self._opens_at = opens_at
        self._first_free = -math.inf
        """No host that rests is free before; it may be too early, never too late."""
        hosts.turn_all(now, self._limit())

    def settle(self, hosts: Collection[HostRow]) -> None:
        """Find the state of hosts that have changed, and write them."""
        for host in hosts:
            host.turn = host_state(host, self._politeness, self._now, self._pages)
            if host.turn == HostState.RESTING and host.next_at is not None:
                self._first_free = min(self._first_free, host.next_at)
        self._hosts.write(hosts)

    def wake(self, now: float) -> None:
        """Free the hosts that have rested enough by ``now``, or are no longer greedy."""
        self._now = max(self._now, now)
        if self._now >= self._first_free:
            self._hosts.wake(self._now, self._limit())
            first = self._hosts.first_free()
            self._first_free = math.inf if first is None else first
        if self._politeness.share is not None:
            self._hosts.forgive(self._limit())

    def begin(self, host: HostRow) -> None:
        """A URL of the host is leased: it is being asked."""
        host.ready -= 1
        host.leased += 1
        host.busy += 1
        host.rest_until(self._now + delay_of(host, self._politeness))

    def answered(self, host: HostRow, at: float) -> None:
        """One of the host's answers is over."""
        host.busy -= 1
        if self._politeness.rests_after_answer or host.delay > 0:
            host.rest_until(at + delay_of(host, self._politeness))

    def had_page(self, host: HostRow) -> None:
        """One more page of the host was fetched."""
        host.had += 1
        self._pages += 1

    def slow_down(self, host: HostRow, delay: float) -> None:
        """The host asks for a delay; the rest it takes now grows with it."""
        before = delay_of(host, self._politeness)
        host.delay = max(host.delay, delay)
        if host.next_at is not None:
            host.next_at += delay_of(host, self._politeness) - before

    def turn_to_ask(self) -> int | None:
        """Hosts in this state may be asked now: free ones, else greedy ones; None for neither."""
        if self._now < self._opens_at:
            return None
        if self._hosts.top_exists(HostState.FREE):
            return HostState.FREE
        if self._politeness.share is None or not self._hosts.top_exists(HostState.GREEDY):
            return None
        soon = self._now + self._politeness.delay
        return None if self._hosts.fair_one_is_due(soon, self._limit()) else HostState.GREEDY

    def next_host(self) -> HostRow | None:
        """The host with the best URL among those that may be asked now."""
        if self._now < self._opens_at:
            return None
        free = self._hosts.top(HostState.FREE)
        if free is not None:
            return free
        turn = self.turn_to_ask()
        return None if turn is None else self._hosts.top(turn)

    def may_ask(self, host: HostRow) -> bool:
        """May this very host be asked now?"""
        if self._now < self._opens_at:
            return False
        return host.turn == HostState.FREE or (
            host.turn == HostState.GREEDY and self.turn_to_ask() == HostState.GREEDY
        )

    def next_time(self, first_due: float | None) -> float:
        """When the next host can be asked: the time of the last waking if one can be now.

        ``first_due`` is when the next URL comes back, if any does.
        """
        if self.turn_to_ask() is not None:
            return self._now
        if self._hosts.top_exists(HostState.FREE):
            return self._opens_at
        times = [time for time in (self._hosts.first_free(), first_due) if time is not None]
        return max(min(times, default=self._now), self._opens_at)

    def _limit(self) -> float:
        return fair_limit(self._politeness, self._pages)
