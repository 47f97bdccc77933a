"""The frontier on a Redis or Valkey server: one for any number of workers, hosts asked politely."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from scenthound.core.errors import SettingsError
from scenthound.core.model import Candidate, Score, Sighting
from scenthound.core.protocols import Admission
from scenthound.distributed.entering import Claim, Entering, Led, Seen
from scenthound.distributed.keys import host_name
from scenthound.distributed.leasing import Answered, Leasing
from scenthound.distributed.partitions import Partitions
from scenthound.distributed.room import drop_worst
from scenthound.distributed.rows import (
    CLOSED,
    LEASED,
    READY,
    RETRY,
    SPENT,
    Row,
    Rows,
    head_of,
    is_open,
    state_of,
)
from scenthound.distributed.shapes import Shapes
from scenthound.frontier.combination import Combination
from scenthound.frontier.evidence import Weigh
from scenthound.frontier.manners import AS_FAST_AS_IT_GOES, Manners
from scenthound.frontier.memory import LEASE_SECONDS

if TYPE_CHECKING:
    from redis import Redis

_SET_ASIDE_AT_ONCE = 500
_LONGEST_WORKER_NAME = 100
_PLACES = {READY: "waiting", RETRY: "waiting", LEASED: "leased", CLOSED: "closed", SPENT: "spent"}


class RedisFrontier:
    """A polite frontier under the keys of one crawl; see :mod:`scenthound.distributed.keys`.

    Every worker has one of its own over the same keys. Each step is one script on the server, so
    that two workers never lease the same URL, nor ask a host too soon. What a worker has leased
    waits again when the lease expires, or when a worker of the same name opens the frontier: the
    other one died, and the hosts that it was asking rest for one delay.

    Parameters
    ----------
    client : the server; see :func:`scenthound.distributed.server.open_server`.
    crawl : name of the crawl.
    combination : how the scores of several inlinks combine.
    manners : delay, limits and budgets of hosts; the same for all workers.
    lease_seconds : a leased URL that is not answered within this time waits again.
    now : the time of opening, on the crawl's clock, which all workers share.
    worker : whose leases these are.
    partitions : how many slots of a cluster share the hosts; the same for all workers.
    most : how many URLs may wait; beyond that the worst are forgotten. None is no bound.
    """

    def __init__(
        self,
        client: Redis,
        crawl: str,
        combination: Combination = Combination.MAX,
        manners: Manners = AS_FAST_AS_IT_GOES,
        lease_seconds: float = LEASE_SECONDS,
        now: float = 0.0,
        worker: str = "worker",
        partitions: int = 1,
        most: int | None = None,
    ) -> None:
        _check(worker, partitions, most)
        self._combination = combination
        self._manners = manners
        self._worker = worker
        self._most = most
        self._spent = self._dropped = 0
        self.breathe: Callable[[], None] = lambda: None
        """Called now and then while all that waits is valued anew, which may take minutes."""
        self._partitions = Partitions(client, crawl, partitions, manners)
        self._rows = Rows(Shapes(client, self._partitions.shapes_key))
        self._entering = Entering(self._partitions, self._rows)
        self._leasing = Leasing(self._partitions, self._rows, manners, worker, lease_seconds)
        self._recover(now)

    def add(self, sightings: Iterable[Sighting]) -> list[Admission]:
        """Insert or add evidence; see the Frontier protocol."""
        return self._enter([Seen(sighting, self._combination) for sighting in sightings])

    def lease(self, most: int, now: float, answers: Sequence[Answered] = ()) -> list[Candidate]:
        """The best ready candidates of hosts that may be asked, at most ``most``.

        ``answers`` are told before, as by :meth:`answered`, at no further cost.
        """
        return self._leasing.best(most, now, answers)

    @property
    def waited(self) -> int:
        """How many URLs waited when some were last leased."""
        return self._leasing.waiting

    def take(self, url: str, now: float) -> Candidate | None:
        """Lease this URL, if it is ready and its host may be asked."""
        return self._leasing.this(url, now)

    def draw(self, rng: random.Random, now: float) -> Candidate | None:
        """Lease one of the ready URLs of hosts that may be asked, each as likely as another."""
        return self._leasing.drawn(rng, now, leased=True)

    def sample(self, rng: random.Random, now: float) -> Candidate | None:
        """The same, left where it is."""
        return self._leasing.drawn(rng, now, leased=False)

    def ack(self, url: str) -> None:
        """Close the URL for good; a leased one is a page that its host has had.

        One that another worker has leased is left to that.
        """
        self._close(url, fetched=True)

    def fail(self, url: str, retry_at: float | None) -> None:
        """Give a leased URL up, or let it wait until ``retry_at``."""
        if retry_at is None:
            self._close(url, fetched=False)
        else:
            self._partitions.run_on(url, "retry", self._worker, retry_at)

    def redirect(self, url: str, target: str) -> Admission:
        """Close ``url`` and let ``target`` wait in its place; see the Frontier protocol."""
        packed = self._partitions.get(url)
        admission = Admission.CLOSED
        if packed is not None and is_open(packed) and target != url:
            # Before the one is closed: a worker killed in between has lost nothing.
            admission = self._enter([Led(target, self._rows.row(packed))])[0]
        self._close(url, fetched=False)
        return admission

    def close_all(self, closings: Iterable[tuple[str, bool]]) -> None:
        """Close URLs for good, in one round trip; each was fetched, or given up (False)."""
        urls = dict(closings)
        spent = self._partitions.run_on_each(
            [(url, (int(fetched), _unknown(url), self._worker)) for url, fetched in urls.items()],
            "close",
        )
        for host in {host_name(url) for url, is_spent in zip(urls, spent, strict=True) if is_spent}:
            self._set_aside(host)

    def admissions(self, urls: Sequence[str]) -> dict[str, Admission]:
        """What would become of a link to each of these; a spent host shows when it is added."""
        states = self._partitions.states(urls)
        return {url: _admission(states.get(url)) for url in urls}

    def left(self) -> tuple[int, int]:
        """How many URLs wait, and how many are leased by any worker."""
        return self._partitions.left()

    def free(self, worker: str, now: float) -> int:
        """What a worker that has died had leased waits again; how many URLs that were."""
        places = range(len(self._partitions))
        arguments = [(place, (worker, now)) for place in places]
        return sum(self._partitions.run_each(arguments, "recover"))

    def set_aside_spent(self) -> None:
        """Set aside what a worker that has died had to, when a host was spent."""
        for host in self._partitions.spent_hosts():
            self._set_aside(host)

    def next_time(self, now: float) -> float | None:
        """When the next URL can be leased, as far as time alone decides; None if none waits."""
        return self._leasing.next_time(now)

    def rescore(self, worth: Callable[[Candidate], Score]) -> None:
        """Replace every score; later evidence combines with the new one."""
        for rows in self._partitions.scan_rows():
            self._entering.change(rows, lambda row: row.revalue(worth(row.candidate())))
            self.breathe()

    def reweigh(self, weigh: Weigh) -> None:
        """Weigh every link anew, and combine them again."""
        for rows in self._partitions.scan_rows():
            self._entering.change(rows, lambda row: row.reweigh(weigh, self._combination))
            self.breathe()

    def is_closed(self, url: str) -> bool:
        """Leased, dealt with, given up, or set aside with its host?"""
        return state_of(self._partitions.get(url)) in (LEASED, CLOSED, SPENT)

    def waits(self, url: str) -> bool:
        """Ready, or until a retry is due?"""
        return state_of(self._partitions.get(url)) in (READY, RETRY)

    def peek(self, most: int) -> list[Candidate]:
        """The best ready candidates, whether or not their hosts may be asked."""
        places = range(len(self._partitions))
        answers = self._partitions.run_each([(place, (most,)) for place in places], "best")
        rows = [self._rows.row(packed) for answer in answers for packed in answer]
        rows.sort(key=lambda row: (-row.score, row.number))
        return [row.candidate() for row in rows[:most]]

    def __len__(self) -> int:
        return self._partitions.waiting()

    def answered(self, url: str, at: float) -> None:
        """The host's answer to a leased URL is over: it rests from ``at`` on."""
        self._leasing.answered([(url, at)])

    def all_answered(self, answers: Sequence[Answered]) -> None:
        """The same of several, in one round trip."""
        self._leasing.answered(answers)

    def slow_down(self, host: str, delay: float) -> None:
        """The host asks for this delay; a shorter one than it keeps changes nothing."""
        self._partitions.run_on_host(host, "slow_down", delay)

    def rest(self, host: str, until: float) -> None:
        """Ask the host for nothing before ``until``."""
        self._partitions.run_on_host(host, "rest", until)

    def put_back(self, url: str) -> None:
        """Let a leased URL wait again as if never leased."""
        self._partitions.run_on(url, "put_back", self._worker)

    def reopen(self, urls: Iterable[str]) -> None:
        """Let those of these URLs that are closed wait again, as if never tried."""
        for url in urls:
            found, number = self._partitions.find([url], 1)
            if state_of(found.get(url)) == CLOSED:
                row = self._rows.row(found[url], url)
                row.state, row.attempts, row.number = READY, 0, row.number or number
                self._partitions.run_on(url, "reopen", self._rows.packed(row))

    def candidate(self, url: str) -> Candidate | None:
        """Any URL ever seen; a closed one without parts and inlinks. None if never seen."""
        packed = self._partitions.get(url)
        return None if packed is None else self._rows.row(packed, url).candidate()

    def where(self, url: str) -> str | None:
        """``waiting``, ``leased``, ``closed`` or ``spent`` (its host is); None if never seen."""
        state = state_of(self._partitions.get(url))
        return None if state is None else _PLACES[state]

    @property
    def host_count(self) -> int:
        """How many hosts are known."""
        return self._partitions.host_count()

    def spent_urls(self) -> int:
        """How many URLs this worker set aside with spent hosts since this was last asked."""
        count, self._spent = self._spent, 0
        return count

    def dropped_urls(self) -> int:
        """How many URLs this worker forgot for want of room since this was last asked."""
        count, self._dropped = self._dropped, 0
        return count

    def _enter(self, claims: Sequence[Claim]) -> list[Admission]:
        admissions = self._entering.enter(claims)
        if self._most is not None and Admission.NEW in admissions:
            self._dropped += drop_worst(self._partitions, self._most)
        return admissions

    def _close(self, url: str, fetched: bool) -> None:
        if self._partitions.run_on(url, "close", int(fetched), _unknown(url), self._worker):
            self._set_aside(host_name(url))

    def _set_aside(self, host: str) -> None:
        count = _SET_ASIDE_AT_ONCE
        while count >= _SET_ASIDE_AT_ONCE:
            count = int(self._partitions.run_on_host(host, "set_aside", _SET_ASIDE_AT_ONCE))
            self._spent += count

    def _recover(self, now: float) -> None:
        self.free(self._worker, now)
        self.set_aside_spent()


def _unknown(url: str) -> bytes:
    """The row of a URL that is closed before it was ever seen."""
    return head_of(Row(url=url, number=0, depth=0, state=CLOSED))


def _admission(state: int | None) -> Admission:
    if state is None:
        return Admission.NEW
    if state in (READY, RETRY):
        return Admission.RESCORED
    return Admission.SPENT if state == SPENT else Admission.CLOSED


def _check(worker: str, partitions: int, most: int | None) -> None:
    if not 0 < len(worker.encode()) <= _LONGEST_WORKER_NAME:
        raise SettingsError(
            f"a worker cannot be called {worker!r}; give 1 to {_LONGEST_WORKER_NAME} characters."
        )
    if partitions < 1:
        raise SettingsError(f"{partitions} partitions hold nothing; give 1 or more.")
    if most is not None and most < 1:
        raise SettingsError(f"a frontier of {most} URLs holds nothing; give 1 or more.")
