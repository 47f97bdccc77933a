"""Where every URL stands: the steps from waiting to leased to closed, and back."""

from __future__ import annotations

import math
import sqlite3
from dataclasses import dataclass

from scenthound.core.model import Candidate
from scenthound.frontier.manners import Manners
from scenthound.frontier.sqlite_batch import Batch
from scenthound.frontier.sqlite_host_row import Host, is_spent
from scenthound.frontier.sqlite_hosts import Hosts
from scenthound.frontier.sqlite_schema import CLOSED, LEASED, READY, RETRY, create_tables
from scenthound.frontier.sqlite_turns import Turns
from scenthound.frontier.sqlite_url_row import Key, UrlRow, host_name
from scenthound.frontier.sqlite_urls import Urls

_WOKEN_AT_ONCE = 500


@dataclass(slots=True)
class _Lease:
    """A leased URL: its row, its host's row, and whether the host's answer is still awaited."""

    number: int
    host: int
    awaited: bool = True


class Book:
    """Both tables kept in step: when a URL moves, so do the counts and the turn of its host.

    Parameters
    ----------
    connection : an open database; tables that are missing are created.
    manners : delay, limits and budgets of hosts.
    now : the time of opening, on the crawl's clock.
    key : the hash of a URL.
    """

    def __init__(
        self, connection: sqlite3.Connection, manners: Manners, now: float, key: Key
    ) -> None:
        create_tables(connection)
        self.urls = Urls(connection, key)
        self.hosts = Hosts(connection)
        self.count = self.urls.last_number()
        """URLs ever seen: the highest number of a row."""
        self.spent = 0
        """URLs set aside with hosts that are spent."""
        self._manners = manners
        self._leases: dict[str, _Lease] = {}
        self._first_due = -math.inf
        """Nothing is due before; it may be too early, never too late."""
        self._recover(now)
        ready, pages = self.hosts.sums()
        self.waiting = ready + self.urls.retries()
        """URLs that are ready or wait for a retry."""
        opens_at = now + manners.delay if self.count else now
        self.turns = Turns(self.hosts, manners, now, pages, opens_at)
        self._set_spent_aside()

    def wake(self, now: float) -> None:
        """Leases that have expired, retries that are due and hosts that have rested come back."""
        while now >= self._first_due:
            for row in self.urls.due(now, _WOKEN_AT_ONCE):
                self._bring_back(row)
            first = self.urls.first_due()
            self._first_due = math.inf if first is None else first
        self.turns.wake(now)

    def enter(self, batch: Batch) -> None:
        """Write a batch of sightings."""
        self.turns.settle(batch.write())
        self.count += len(batch.fresh)
        self.waiting += len(batch.fresh)

    def lease(self, host: Host, row: UrlRow, until: float) -> Candidate:
        """Lease a ready row of a host that may be asked."""
        self.urls.move(row.id, LEASED, until)
        self.turns.begin(host)
        host.best, host.best_id = self.urls.best(host.id)
        self.turns.settle([host])
        self.waiting -= 1
        self._leases[row.url] = _Lease(row.id, host.id)
        self._first_due = min(self._first_due, until)
        return row.candidate()

    def answered(self, url: str, at: float) -> None:
        """The answer to a leased URL is over; told twice, the first time counts."""
        lease = self._leases.get(url)
        if lease is None or not lease.awaited:
            return
        lease.awaited = False
        host = self.hosts.numbered(lease.host)
        self.turns.answered(host, at)
        self.turns.settle([host])

    def fetched(self, url: str) -> bool:
        """Close a leased URL: its host has had a page. False if it is not leased."""
        lease = self._leases.get(url)
        if lease is None:
            return False
        self.urls.move(lease.number, CLOSED)
        host = self._released(url, lease)
        self.turns.had_page(host)
        if is_spent(host, self._manners):
            self._set_aside(host)
        self.turns.settle([host])
        return True

    def close(self, url: str) -> None:
        """Close a URL that is no page of its host, wherever it stands; unknown ones too."""
        lease = self._leases.get(url)
        if lease is not None:
            self.urls.move(lease.number, CLOSED)
            self.turns.settle([self._released(url, lease)])
            return
        row = self.urls.get(url)
        if row is None:
            host = self.hosts.named([host_name(url)])[host_name(url)]
            self.count += 1
            self.urls.insert([UrlRow(id=self.count, url=url, host=host.id, depth=0, state=CLOSED)])
        elif row.state in (READY, RETRY):
            self._close_waiting(row)

    def retry(self, url: str, at: float) -> None:
        """Let a leased URL wait until ``at``; others stay as they are."""
        lease = self._leases.get(url)
        if lease is None:
            return
        self.urls.move(lease.number, RETRY, at, failed=True)
        self.turns.settle([self._released(url, lease)])
        self.waiting += 1
        self._first_due = min(self._first_due, at)

    def put_back(self, url: str, failed: bool = False) -> None:
        """Let a leased URL be ready again; others stay as they are."""
        lease = self._leases.get(url)
        if lease is None:
            return
        self.urls.move(lease.number, READY, failed=failed)
        self._make_ready(self._released(url, lease))
        self.waiting += 1

    def reopen(self, url: str) -> None:
        """Let a URL that is closed wait again as if never tried; others stay as they are."""
        row = self.urls.get(url)
        if row is None or row.state != CLOSED:
            return
        self.urls.renew(row.id)
        self._make_ready(self.hosts.numbered(row.host))
        self.waiting += 1

    def _bring_back(self, row: UrlRow) -> None:
        if row.state == LEASED:
            self.put_back(row.url, failed=True)
        else:
            self.urls.move(row.id, READY)
            self._make_ready(self.hosts.numbered(row.host))

    def _make_ready(self, host: Host) -> None:
        host.ready += 1
        host.best, host.best_id = self.urls.best(host.id)
        self.turns.settle([host])

    def _released(self, url: str, lease: _Lease) -> Host:
        """The host of a URL that is no longer leased, not yet written."""
        del self._leases[url]
        host = self.hosts.numbered(lease.host)
        host.leased -= 1
        host.busy -= lease.awaited
        return host

    def _close_waiting(self, row: UrlRow) -> None:
        self.urls.move(row.id, CLOSED)
        self.waiting -= 1
        if row.state == READY:
            host = self.hosts.numbered(row.host)
            host.ready -= 1
            host.best, host.best_id = self.urls.best(host.id)
            self.turns.settle([host])

    def _set_aside(self, host: Host) -> None:
        count = self.urls.set_aside(host.id)
        host.ready, host.best, host.best_id = 0, None, None
        self.waiting -= count
        self.spent += count

    def _recover(self, now: float) -> None:
        """What another process had leased waits again, and the hosts it asked rest."""
        self.urls.free_leased()
        self.hosts.forget_leases()
        self.hosts.rest_all(now, self._manners.delay)

    def _set_spent_aside(self) -> None:
        """Hosts may be spent by a budget that is smaller than the other process had."""
        limit = self._manners.pages_per_host
        for host in [] if limit is None else self.hosts.with_at_least(limit):
            self._set_aside(host)
            self.turns.settle([host])
