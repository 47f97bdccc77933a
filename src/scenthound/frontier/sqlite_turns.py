"""Whose turn it is: the hosts together with the time, the manners and the pages had so far."""

from __future__ import annotations

import math
from collections.abc import Collection

from scenthound.frontier.manners import Manners
from scenthound.frontier.sqlite_host_row import Host, delay_of, fair_limit, turn_of
from scenthound.frontier.sqlite_hosts import Hosts
from scenthound.frontier.sqlite_schema import FREE, GREEDY, RESTING


class Turns:
    """Keeps the turn of every host right as time passes and pages are fetched.

    Parameters
    ----------
    hosts : the table; no host in it is busy yet.
    manners : delay, limits and budgets.
    now : the time on the crawl's clock.
    pages : how many pages all hosts have had.
    opens_at : no host is asked before.
    """

    def __init__(
        self, hosts: Hosts, manners: Manners, now: float, pages: int, opens_at: float
    ) -> None:
        self._hosts = hosts
        self._manners = manners
        self._now = now
        self._pages = pages
        self._opens_at = opens_at
        self._first_free = -math.inf
        """No host that rests is free before; it may be too early, never too late."""
        hosts.turn_all(now, self._limit())

    def settle(self, hosts: Collection[Host]) -> None:
        """Find the turn of hosts that have changed, and write them."""
        for host in hosts:
            host.turn = turn_of(host, self._manners, self._now, self._pages)
            if host.turn == RESTING and host.next_at is not None:
                self._first_free = min(self._first_free, host.next_at)
        self._hosts.write(hosts)

    def wake(self, now: float) -> None:
        """It is ``now``: who has rested enough, or is no longer greedy, may be asked."""
        self._now = max(self._now, now)
        if self._now >= self._first_free:
            self._hosts.wake(self._now, self._limit())
            first = self._hosts.first_free()
            self._first_free = math.inf if first is None else first
        if self._manners.share is not None:
            self._hosts.forgive(self._limit())

    def begin(self, host: Host) -> None:
        """A URL of the host is leased: it is being asked."""
        host.ready -= 1
        host.leased += 1
        host.busy += 1
        host.rest_until(self._now + delay_of(host, self._manners))

    def answered(self, host: Host, at: float) -> None:
        """One of the host's answers is over."""
        host.busy -= 1
        if self._manners.rests_after_answer or host.delay > 0:
            host.rest_until(at + delay_of(host, self._manners))

    def had_page(self, host: Host) -> None:
        """One more page of the host was fetched."""
        host.had += 1
        self._pages += 1

    def slow_down(self, host: Host, delay: float) -> None:
        """The host asks for a delay; the rest it takes now grows with it."""
        before = delay_of(host, self._manners)
        host.delay = max(host.delay, delay)
        if host.next_at is not None:
            host.next_at += delay_of(host, self._manners) - before

    def turn_to_ask(self) -> int | None:
        """Hosts with this turn may be asked now: free ones, else greedy ones; None for neither."""
        if self._now < self._opens_at:
            return None
        if self._hosts.top_exists(FREE):
            return FREE
        if self._manners.share is None or not self._hosts.top_exists(GREEDY):
            return None
        soon = self._now + self._manners.delay
        return None if self._hosts.fair_one_is_due(soon, self._limit()) else GREEDY

    def next_host(self) -> Host | None:
        """The host with the best URL among those that may be asked now."""
        if self._now < self._opens_at:
            return None
        free = self._hosts.top(FREE)
        if free is not None:
            return free
        turn = self.turn_to_ask()
        return None if turn is None else self._hosts.top(turn)

    def may_ask(self, host: Host) -> bool:
        """May this very host be asked now?"""
        if self._now < self._opens_at:
            return False
        return host.turn == FREE or (host.turn == GREEDY and self.turn_to_ask() == GREEDY)

    def next_time(self, first_due: float | None) -> float:
        """When the next host can be asked: the time of the last waking if one can be now.

        ``first_due`` is when the next URL comes back, if any does.
        """
        if self.turn_to_ask() is not None:
            return self._now
        if self._hosts.top_exists(FREE):
            return self._opens_at
        times = [time for time in (self._hosts.first_free(), first_due) if time is not None]
        return max(min(times, default=self._now), self._opens_at)

    def _limit(self) -> float:
        return fair_limit(self._manners, self._pages)
