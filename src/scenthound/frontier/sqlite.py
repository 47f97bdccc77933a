"""The frontier in an SQLite database: as many URLs as the disk holds, hosts asked politely."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterable

from scenthound.core.model import Candidate, Score, Sighting
from scenthound.core.protocols import Admission
from scenthound.frontier.combination import Combination
from scenthound.frontier.evidence import Weigh
from scenthound.frontier.manners import AS_FAST_AS_IT_GOES, Manners
from scenthound.frontier.memory import LEASE_SECONDS
from scenthound.frontier.sqlite_batch import Batch
from scenthound.frontier.sqlite_book import Book
from scenthound.frontier.sqlite_schema import CLOSED, LEASED, PRAGMAS, READY, RETRY, SPENT
from scenthound.frontier.sqlite_search import best_numbers, drawn
from scenthound.frontier.sqlite_url_row import Key, UrlRow, url_key

__all__ = ["PRAGMAS", "SqliteFrontier"]

_RESCORED_AT_ONCE = 1_000
_PLACES = {READY: "waiting", RETRY: "waiting", LEASED: "leased", CLOSED: "closed", SPENT: "spent"}


class SqliteFrontier:
    """A polite frontier in the tables ``frontier_*`` of a database.

    It never begins or commits a transaction: the owner of the connection does, so that what is
    stored besides is committed together with what the frontier knows. Over a database that was
    used before it goes on where the other one was, but for what was leased: that waits again,
    and as its requests may have been sent a moment ago, nothing is leased for one delay.

    Parameters
    ----------
    connection : an open database; see ``PRAGMAS`` for what it should be told first.
    combination : how the scores of several inlinks combine.
    manners : delay, limits and budgets of hosts.
    lease_seconds : a leased URL that is not answered within this time waits again.
    now : the time of opening, on the crawl's clock.
    key : the hash of a URL.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        combination: Combination = Combination.MAX,
        manners: Manners = AS_FAST_AS_IT_GOES,
        lease_seconds: float = LEASE_SECONDS,
        now: float = 0.0,
        key: Key = url_key,
    ) -> None:
        self._combination = combination
        self._manners = manners
        self._lease_seconds = lease_seconds
        self._book = Book(connection, manners, now, key)
        self._urls = self._book.urls
        self._hosts = self._book.hosts
        self._turns = self._book.turns

    def add(self, sightings: Iterable[Sighting]) -> list[Admission]:
        """Insert or add evidence; see the Frontier protocol."""
        seen = list(sightings)
        batch = self._batch([sighting.url for sighting in seen])
        admissions = [batch.admit(one, self._combination, self._manners) for one in seen]
        self._book.enter(batch)
        return admissions

    def lease(self, most: int, now: float) -> list[Candidate]:
        """The best ready candidates of hosts that may be asked, at most ``most``."""
        self._book.wake(now)
        leased: list[Candidate] = []
        while len(leased) < most:
            candidate = self._lease_best(now)
            if candidate is None:
                break
            leased.append(candidate)
        return leased

    def take(self, url: str, now: float) -> Candidate | None:
        """Lease this URL, if it is ready and its host may be asked."""
        self._book.wake(now)
        row = self._urls.get(url)
        if row is None or row.state != READY:
            return None
        host = self._hosts.numbered(row.host)
        if not self._turns.may_ask(host):
            return None
        return self._book.lease(host, row, now + self._lease_seconds)

    def draw(self, rng: random.Random, now: float) -> Candidate | None:
        """Lease one of the ready URLs of hosts that may be asked, each as likely as another."""
        row = self._drawn(rng, now)
        if row is None:
            return None
        host = self._hosts.numbered(row.host)
        return self._book.lease(host, row, now + self._lease_seconds)

    def sample(self, rng: random.Random, now: float) -> Candidate | None:
        """The same, left where it is."""
        row = self._drawn(rng, now)
        return None if row is None else row.candidate()

    def ack(self, url: str) -> None:
        """Close the URL for good; a leased one is a page that its host has had."""
        if not self._book.fetched(url):
            self._book.close(url)

    def fail(self, url: str, retry_at: float | None) -> None:
        """Give a leased URL up, or let it wait until ``retry_at``."""
        if retry_at is None:
            self._book.close(url)
        else:
            self._book.retry(url, retry_at)

    def redirect(self, url: str, target: str) -> Admission:
        """Close ``url`` and let ``target`` wait in its place; see the Frontier protocol."""
        origin = self._urls.get(url)
        self._book.close(url)
        if origin is None or origin.state in (CLOSED, SPENT):
            return Admission.CLOSED
        batch = self._batch([target])
        admission = batch.take_over(target, origin, self._manners)
        self._book.enter(batch)
        return admission

    def next_time(self, now: float) -> float | None:
        """When the next URL can be leased, as far as time alone decides; None if none waits."""
        self._book.wake(now)
        if not self._book.waiting:
            return None
        return self._turns.next_time(self._urls.first_due())

    def rescore(self, worth: Callable[[Candidate], Score]) -> None:
        """Replace every score; later evidence combines with the new one."""
        self._change(lambda row: row.revalue(worth(row.candidate())))

    def reweigh(self, weigh: Weigh) -> None:
        """Weigh every link anew, and combine them again."""
        self._change(lambda row: row.reweigh(weigh, self._combination))

    def is_closed(self, url: str) -> bool:
        """Leased, dealt with, given up, or set aside with its host?"""
        return self._urls.state_of(url) in (LEASED, CLOSED, SPENT)

    def waits(self, url: str) -> bool:
        """Ready, or until a retry is due?"""
        return self._urls.state_of(url) in (READY, RETRY)

    def peek(self, most: int) -> list[Candidate]:
        """The best ready candidates, whether or not their hosts may be asked."""
        numbers = best_numbers(self._urls, self._hosts, most)
        return [self._urls.numbered(number).candidate() for number in numbers]

    def __len__(self) -> int:
        return self._book.waiting

    def answered(self, url: str, at: float) -> None:
        """The host's answer to a leased URL is over: it rests from ``at`` on."""
        self._book.answered(url, at)

    def slow_down(self, host: str, delay: float) -> None:
        """The host asks for this delay; a shorter one than it keeps changes nothing."""
        row = self._hosts.named([host])[host]
        self._turns.slow_down(row, delay)
        self._turns.settle([row])

    def rest(self, host: str, until: float) -> None:
        """Ask the host for nothing before ``until``."""
        row = self._hosts.named([host])[host]
        row.rest_until(until)
        self._turns.settle([row])

    def put_back(self, url: str) -> None:
        """Let a leased URL wait again as if never leased."""
        self._book.put_back(url)

    def reopen(self, urls: Iterable[str]) -> None:
        """Let those of these URLs that are closed wait again, as if never tried."""
        for url in urls:
            self._book.reopen(url)

    def candidate(self, url: str) -> Candidate | None:
        """Any URL ever seen, closed ones too, with what spoke for it; None if never seen."""
        row = self._urls.get(url)
        return None if row is None else row.candidate()

    def where(self, url: str) -> str | None:
        """``waiting``, ``leased``, ``closed`` or ``spent`` (its host is); None if never seen."""
        state = self._urls.state_of(url)
        return None if state is None else _PLACES[state]

    @property
    def host_count(self) -> int:
        """How many hosts are known."""
        return self._hosts.count

    def spent_urls(self) -> int:
        """How many URLs were set aside with spent hosts since this was last asked."""
        count, self._book.spent = self._book.spent, 0
        return count

    def _change(self, change: Callable[[UrlRow], None]) -> None:
        """Change the evidence of every URL that is not closed, a bounded number at a time."""
        for start in range(1, self._book.count + 1, _RESCORED_AT_ONCE):
            rows = self._urls.open_in(start, start + _RESCORED_AT_ONCE)
            for row in rows:
                change(row)
            self._urls.rewrite(rows)
        self._hosts.find_best()

    def _batch(self, urls: list[str]) -> Batch:
        return Batch(self._urls, self._hosts, urls, self._book.count)

    def _drawn(self, rng: random.Random, now: float) -> UrlRow | None:
        """One of the ready rows of hosts that may be asked; None where there is none."""
        self._book.wake(now)
        turn = self._turns.turn_to_ask()
        if turn is None:
            return None
        return drawn(self._urls, self._hosts, turn, self._book.count, rng)

    def _lease_best(self, now: float) -> Candidate | None:
        host = self._turns.next_host()
        if host is None or host.best_id is None:
            return None
        row = self._urls.numbered(host.best_id)
        return self._book.lease(host, row, now + self._lease_seconds)
