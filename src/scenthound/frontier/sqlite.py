"""The frontier in an SQLite database: as many URLs as the disk holds, hosts asked politely.

A lease takes the best URL of the best host that may be asked, so that no query scans all URLs.
``politeness`` has the table of hosts and decides which may be asked, ``sqlite_urls`` has the table
of URLs. Here both are changed together; :class:`LinkBatch` at the end admits the links of a page.
"""

from __future__ import annotations

import heapq
import math
import random
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from scenthound.core.model import Candidate, Combination, Reweight, Score, ScoredLink
from scenthound.core.protocols import Admission
from scenthound.frontier.memory import LEASE_SECONDS
from scenthound.frontier.politeness import (
    HOST_TABLES,
    NO_LIMITS,
    HostRow,
    HostSchedule,
    HostState,
    HostTable,
    PolitenessPolicy,
    is_exhausted,
)
from scenthound.frontier.sqlite_urls import (
    URL_TABLES,
    UrlRow,
    UrlState,
    UrlTable,
    host_name,
)

_RESCORED_AT_ONCE = 1_000
_WOKEN_AT_ONCE = 500
_DRAWS = 40
"""How often a number is drawn blindly before the hosts are counted."""


def create_tables(connection: sqlite3.Connection) -> None:
    """Create what is missing; tables that are there stay as they are."""
    for statement in (*URL_TABLES, *HOST_TABLES):
        connection.execute(statement)


@dataclass(slots=True)
class _Lease:
    """A leased URL: its row, its host's row, and whether the host's answer is still awaited."""

    number: int
    host: int
    awaited: bool = True


class SqliteFrontier:
    """A polite frontier in the tables ``frontier_*`` of a database.

    It never begins or commits a transaction: the owner of the connection does, so that what is
    stored besides is committed together with what the frontier knows. Over a database that was
    used before it goes on where the other one was, but for what was leased: that waits again,
    and as its requests may have been sent a moment ago, nothing is leased for one delay.

    Both tables are changed together: when a URL changes its state, so do the counts of its host.

    Parameters
    ----------
    connection : an open database; see :func:`scenthound.storage.database.open_database`.
    combination : how the scores of several inlinks combine.
    politeness : delay, limits and budgets of hosts.
    lease_seconds : a leased URL that is not answered within this time waits again.
    now : the time of opening, on the crawl's clock.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        combination: Combination = Combination.MAX,
        politeness: PolitenessPolicy = NO_LIMITS,
        lease_seconds: float = LEASE_SECONDS,
        now: float = 0.0,
    ) -> None:
        create_tables(connection)
        self._combination = combination
        self._politeness = politeness
        self._lease_seconds = lease_seconds
        self._urls = UrlTable(connection)
        self._hosts = HostTable(connection)
        self._count = self._urls.last_number()
        """URLs ever seen: the highest number of a row."""
        self._set_aside_count = 0
        """URLs set aside with exhausted hosts since :meth:`exhausted_urls` was last called."""
        # In memory alone: no lease outlives the process, and free_leased() below ends the others.
        self._leases: dict[str, _Lease] = {}
        self._first_due = -math.inf
        """Nothing is due before; it may be too early, never too late."""
        self._urls.free_leased()
        opens_at = now + politeness.delay if self._count else now
        self._schedule = HostSchedule(self._hosts, politeness, now, opens_at)
        self._waiting = self._hosts.sums()[0] + self._urls.retries()
        """URLs that are ready or wait for a retry."""
        # The budget of hosts may be smaller than the other process had.
        limit = politeness.pages_per_host
        exhausted = "WHERE had >= ? AND ready > 0"
        for host in [] if limit is None else self._hosts.select(exhausted, limit):
            self._set_aside(host)
            self._schedule.settle([host])

    # --- links in

    def add(self, scored_links: Iterable[ScoredLink]) -> list[Admission]:
        """Insert or add evidence; see the Frontier protocol."""
        links = list(scored_links)
        batch = self._batch([link.url for link in links])
        admissions = [batch.admit(link, self._combination) for link in links]
        self._write(batch)
        return admissions

    def redirect(self, url: str, target: str) -> Admission:
        """Close ``url`` and let ``target`` wait in its place; see the Frontier protocol."""
        origin = self._urls.get(url)
        self._close(url)
        if origin is None or origin.state in (UrlState.CLOSED, UrlState.EXHAUSTED):
            return Admission.CLOSED
        batch = self._batch([target])
        admission = batch.redirect(target, origin)
        self._write(batch)
        return admission

    def rescore(self, worth: Callable[[Candidate], Score]) -> None:
        """Replace every score; later evidence combines with the new one."""
        self._change(lambda row: row.set_score(worth(row.candidate())))

    def reweight(self, weigh: Reweight) -> None:
        """Rescore every link, and combine them again."""
        self._change(lambda row: row.reweight(weigh, self._combination))

    # --- candidates out

    def lease(self, most: int, now: float) -> list[Candidate]:
        """The best ready candidates of hosts that may be asked, at most ``most``."""
        self._wake(now)
        leased: list[Candidate] = []
        while len(leased) < most:
            host = self._schedule.next_host()
            if host is None or host.best_id is None:
                break
            leased.append(self._lease(host, self._urls.numbered(host.best_id), now))
        return leased

    def take(self, url: str, now: float) -> Candidate | None:
        """Lease this URL, if it is ready and its host may be asked."""
        self._wake(now)
        row = self._urls.get(url)
        if row is None or row.state != UrlState.READY:
            return None
        host = self._hosts.numbered(row.host)
        return self._lease(host, row, now) if self._schedule.is_leasable(host) else None

    def draw(self, rng: random.Random, now: float) -> Candidate | None:
        """Lease one of the ready URLs of hosts that may be asked, each as likely as another."""
        row = self._drawn(rng, now)
        return None if row is None else self._lease(self._hosts.numbered(row.host), row, now)

    def sample(self, rng: random.Random, now: float) -> Candidate | None:
        """The same, left where it is."""
        row = self._drawn(rng, now)
        return None if row is None else row.candidate()

    def peek(self, most: int) -> list[Candidate]:
        """The best ready candidates, whether or not their hosts may be asked."""
        numbers = _best_numbers(self._urls, self._hosts, most)
        return [self._urls.numbered(number).candidate() for number in numbers]

    def next_time(self, now: float) -> float | None:
        """When the next URL can be leased, as far as time alone decides; None if none waits."""
        self._wake(now)
        return self._schedule.next_time(self._urls.first_due()) if self._waiting else None

    # --- what became of them

    def ack(self, url: str) -> None:
        """Close the URL for good; a leased one is a page that its host has had."""
        lease = self._leases.get(url)
        if lease is None:
            self._close(url)
            return
        self._urls.move(lease.number, UrlState.CLOSED)
        host = self._released(url, lease)
        self._schedule.had_page(host)
        if is_exhausted(host, self._politeness):
            self._set_aside(host)
        self._schedule.settle([host])

    def fail(self, url: str, retry_at: float | None) -> None:
        """Give a leased URL up, or let it wait until ``retry_at``."""
        if retry_at is None:
            self._close(url)
            return
        lease = self._leases.get(url)
        if lease is not None:
            self._urls.move(lease.number, UrlState.RETRY, retry_at, failed=True)
            self._schedule.settle([self._released(url, lease)])
            self._waiting += 1
            self._first_due = min(self._first_due, retry_at)

    def record_response(self, url: str, at: float) -> None:
        """The host's answer to a leased URL is over: it rests from ``at`` on.

        Reported twice, the first time counts.
        """
        lease = self._leases.get(url)
        if lease is not None and lease.awaited:
            lease.awaited = False
            host = self._hosts.numbered(lease.host)
            self._schedule.record_response(host, at)
            self._schedule.settle([host])

    def put_back(self, url: str, failed: bool = False) -> None:
        """Let a leased URL wait again as if never leased; ``failed`` counts an attempt."""
        lease = self._leases.get(url)
        if lease is not None:
            self._urls.move(lease.number, UrlState.READY, failed=failed)
            self._make_ready(self._released(url, lease))
            self._waiting += 1

    def reopen(self, urls: Iterable[str]) -> None:
        """Let those of these URLs that are closed wait again, as if never tried."""
        for row in filter(None, map(self._urls.get, urls)):
            if row.state == UrlState.CLOSED:
                self._urls.renew(row.id)
                self._make_ready(self._hosts.numbered(row.host))
                self._waiting += 1

    # --- hosts

    def slow_down(self, host: str, delay: float) -> None:
        """The host asks for this delay; a shorter one than it keeps changes nothing."""
        row = self._hosts.named([host])[host]
        self._schedule.slow_down(row, delay)
        self._schedule.settle([row])

    def rest(self, host: str, until: float) -> None:
        """Ask the host for nothing before ``until``."""
        row = self._hosts.named([host])[host]
        row.rest_until(until)
        self._schedule.settle([row])

    @property
    def host_count(self) -> int:
        """How many hosts are known."""
        return self._hosts.count

    def exhausted_urls(self) -> int:
        """How many URLs were set aside with exhausted hosts since this was last called."""
        count, self._set_aside_count = self._set_aside_count, 0
        return count

    # --- questions about one URL

    def is_closed(self, url: str) -> bool:
        """Leased, dealt with, given up, or set aside with its host?"""
        return self._urls.state_of(url) in (UrlState.LEASED, UrlState.CLOSED, UrlState.EXHAUSTED)

    def waits(self, url: str) -> bool:
        """Ready, or until a retry is due?"""
        return self._urls.state_of(url) in (UrlState.READY, UrlState.RETRY)

    def candidate(self, url: str) -> Candidate | None:
        """Any URL ever seen, closed ones too, with its evidence; None if never seen."""
        row = self._urls.get(url)
        return None if row is None else row.candidate()

    def __len__(self) -> int:
        return self._waiting

    # --- steps between the states

    def _wake(self, now: float) -> None:
        """Leases that have expired, retries that are due and hosts that have rested come back."""
        while now >= self._first_due:
            for row in self._urls.due(now, _WOKEN_AT_ONCE):
                if row.state == UrlState.LEASED:
                    self.put_back(row.url, failed=True)
                else:
                    self._urls.move(row.id, UrlState.READY)
                    self._make_ready(self._hosts.numbered(row.host))
            first = self._urls.first_due()
            self._first_due = math.inf if first is None else first
        self._schedule.wake(now)

    def _lease(self, host: HostRow, row: UrlRow, now: float) -> Candidate:
        """Lease a ready row of a host that may be asked."""
        until = now + self._lease_seconds
        self._urls.move(row.id, UrlState.LEASED, until)
        self._schedule.begin(host)
        host.best, host.best_id = self._urls.best(host.id)
        self._schedule.settle([host])
        self._waiting -= 1
        self._leases[row.url] = _Lease(row.id, host.id)
        self._first_due = min(self._first_due, until)
        return row.candidate()

    def _close(self, url: str) -> None:
        """Close a URL that is no page of its host, whatever its state; unknown ones too."""
        lease = self._leases.get(url)
        if lease is not None:
            self._urls.move(lease.number, UrlState.CLOSED)
            self._schedule.settle([self._released(url, lease)])
            return
        row = self._urls.get(url)
        if row is None:
            host = self._hosts.named([host_name(url)])[host_name(url)]
            self._count += 1
            closed = UrlRow(id=self._count, url=url, host=host.id, depth=0, state=UrlState.CLOSED)
            # Inserted all the same, so that a later link to it is not taken for a new URL.
            self._urls.insert([closed])
        elif row.state in (UrlState.READY, UrlState.RETRY):
            self._urls.move(row.id, UrlState.CLOSED)
            self._waiting -= 1
            if row.state == UrlState.READY:
                self._make_ready(self._hosts.numbered(row.host), -1)

    def _make_ready(self, host: HostRow, more: int = 1) -> None:
        """The host has one ready URL more, or less."""
        host.ready += more
        host.best, host.best_id = self._urls.best(host.id)
        self._schedule.settle([host])

    def _released(self, url: str, lease: _Lease) -> HostRow:
        """The host of a URL that is no longer leased, not yet written."""
        del self._leases[url]
        host = self._hosts.numbered(lease.host)
        host.leased -= 1
        host.busy -= lease.awaited
        return host

    def _set_aside(self, host: HostRow) -> None:
        """The host has had all its pages: none of its URLs waits any more."""
        count = self._urls.set_aside(host.id)
        host.ready, host.best, host.best_id = 0, None, None
        self._waiting -= count
        self._set_aside_count += count

    def _batch(self, urls: list[str]) -> LinkBatch:
        hosts = self._hosts.named(map(host_name, urls))
        return LinkBatch(self._urls, hosts, urls, self._count, self._politeness)

    def _write(self, batch: LinkBatch) -> None:
        self._schedule.settle(batch.write())
        self._count += len(batch.fresh)
        self._waiting += len(batch.fresh)

    def _change(self, change: Callable[[UrlRow], None]) -> None:
        """Change the evidence of every URL that is not closed, a bounded number at a time."""
        # By ranges of numbers, not by one cursor: rows that are updated could be met again.
        for start in range(1, self._count + 1, _RESCORED_AT_ONCE):
            rows = self._urls.open_in(start, start + _RESCORED_AT_ONCE)
            for row in rows:
                change(row)
            self._urls.rewrite(rows)
        self._hosts.find_best()

    def _drawn(self, rng: random.Random, now: float) -> UrlRow | None:
        """One of the ready rows of hosts that may be asked; None where there is none.

        Numbers are drawn blindly until one fits. Where few do, the hosts' counts say which URL it
        is: slower, and just as fair.
        """
        self._wake(now)
        state = self._schedule.leasable_state()
        if state is None:
            return None
        for _ in range(_DRAWS):
            row = self._urls.numbered(rng.randint(1, self._count))
            if row.state == UrlState.READY and self._hosts.numbered(row.host).state == state:
                return row
        place = rng.randrange(sum(ready for *_, ready in self._hosts.in_order(state)))
        for _, _, host, ready in self._hosts.in_order(state):
            if place < ready:
                return self._urls.numbered(self._urls.placed(host, place))
            place -= ready
        raise AssertionError("the counts were summed a moment ago")


def _best_numbers(urls: UrlTable, hosts: HostTable, most: int) -> list[int]:
    """Numbers of the best ready rows, best first, whether or not their hosts may be asked.

    The rows of a host are read only when its best URL is the next of all.
    """
    found: list[int] = []
    tops = heapq.merge(*map(hosts.in_order, HostState))
    top = next(tops, None)
    opened: list[tuple[float, int, Iterator[tuple[float, int]]]] = []
    while len(found) < most and (top is not None or opened):
        if top is not None and (not opened or top[:2] < opened[0][:2]):
            rows = urls.in_order(top[2])
            top = next(tops, None)
        else:
            _, number, rows = heapq.heappop(opened)
            found.append(number)
        first = next(rows, None)
        if first is not None:
            heapq.heappush(opened, (*first, rows))
    return found


# --- the links of one page, read and written together


class LinkBatch:
    """What becomes of links, held back until :meth:`write`.

    Parameters
    ----------
    urls : the table.
    hosts : the hosts of ``addresses``, by name.
    addresses : the URLs that the links lead to.
    count : the highest number given so far; new rows count on from it.
    politeness : the budget of hosts.
    """

    def __init__(
        self,
        urls: UrlTable,
        hosts: dict[str, HostRow],
        addresses: Collection[str],
        count: int,
        politeness: PolitenessPolicy,
    ) -> None:
        self._urls = urls
        self._count = count
        self._politeness = politeness
        self._rows = urls.find(addresses)
        self._hosts = hosts
        self._changed: dict[int, tuple[UrlRow, float]] = {}
        """Rows that have new evidence, and their scores before."""
        self.fresh: list[UrlRow] = []
        """The rows that are new."""

    def admit(self, link: ScoredLink, how: Combination) -> Admission:
        """Insert the URL or add to its evidence."""
        admission, row = self._open(link.url, link.depth)
        if row is not None:
            row.add_link(link, how)
        return admission

    def redirect(self, target: str, origin: UrlRow) -> Admission:
        """Let ``target`` wait in the place of ``origin``, which redirects to it."""
        admission, row = self._open(target, origin.depth)
        if row is not None and admission is Admission.NEW:
            row.take_over(origin)
        elif row is not None:
            row.merge(origin)
        return admission

    def write(self) -> Collection[HostRow]:
        """Write all rows; the hosts whose counts or best URLs have changed, not yet written."""
        self._urls.insert(self.fresh)
        moved = [row for row, before in self._changed.values() if row.score != before]
        self._urls.rewrite(moved)
        # Most links change no score; without that column the index by score is left alone.
        unmoved = [row for row, before in self._changed.values() if row.score == before]
        self._urls.rewrite(unmoved, moved=False)
        ready = [row for row in moved if row.state == UrlState.READY]
        by_number = {host.id: host for host in self._hosts.values()}
        hosts = {row.host: by_number[row.host] for row in (*self.fresh, *ready)}
        # The best URL of a host may have become worse: only a query finds what is the best now.
        fallen = [hosts[row.host] for row in ready if hosts[row.host].best_id == row.id]
        for row in self.fresh:
            hosts[row.host].ready += 1
        for row in (*self.fresh, *ready):
            hosts[row.host].offer(row.score, row.id)
        for host in fallen:
            host.best, host.best_id = self._urls.best(host.id)
        return hosts.values()

    def _open(self, url: str, depth: int) -> tuple[Admission, UrlRow | None]:
        """What becomes of a link to the URL, and its row where that takes evidence."""
        row = self._rows.get(url)
        if row is None:
            host = self._hosts[host_name(url)]
            if is_exhausted(host, self._politeness):
                return Admission.EXHAUSTED, None
            number = self._count + len(self.fresh) + 1
            row = self._rows[url] = UrlRow(id=number, url=url, host=host.id, depth=depth)
            self.fresh.append(row)
            return Admission.NEW, row
        if row.state == UrlState.EXHAUSTED:
            return Admission.EXHAUSTED, None
        if row.state in (UrlState.LEASED, UrlState.CLOSED):
            return Admission.CLOSED, None
        if row.id <= self._count:
            self._changed.setdefault(row.id, (row, row.score))
        return Admission.RESCORED, row
