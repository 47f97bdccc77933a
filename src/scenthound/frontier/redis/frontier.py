"""The frontier on a Redis or Valkey server: one for any number of workers, hosts asked politely.

What must be one step is a Lua script (``lua/``, run by ``scripts``); how evidence combines is the
Python that all frontiers share (``rows``). ``partitions`` sends each step to the slot of its host.
A worker does not use this class directly but ``worker.WorkerFrontier``, which holds changes back
until the page is stored. See ``docs/decisions/0016-many-workers.md``.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from scenthound.core.errors import SettingsError
from scenthound.core.model import Candidate, Combination, Reweight, ScoredLink
from scenthound.core.protocols import Admission
from scenthound.frontier.memory import LEASE_SECONDS
from scenthound.frontier.politeness import NO_LIMITS, PolitenessPolicy
from scenthound.frontier.redis.partitions import (
    FREE,
    OVER_SHARE,
    PartitionChoice,
    Partitions,
    PartitionStatus,
    check_size,
    drop_worst,
    leasable_state,
    next_choice,
)
from scenthound.frontier.redis.rows import (
    Row,
    RowCodec,
    RowWriter,
    Update,
    admission_of,
    is_open,
    state_of,
)
from scenthound.frontier.redis.scripts import Step
from scenthound.frontier.sqlite_urls import UrlState, host_name

if TYPE_CHECKING:
    from redis import Redis

HostResponse = tuple[str, float]
"""A leased URL, and when the answer to it was over."""
_SET_ASIDE_AT_ONCE = 500
"""URLs in one script: while a script runs, the server serves no other worker."""
_MAX_WORKER_NAME = 100


class RedisFrontier:
    """A polite frontier under the keys of one crawl; see :mod:`scenthound.frontier.redis.scripts`.

    Every worker has one of its own over the same keys. Each step is one script on the server, so
    that two workers never lease the same URL, nor ask a host too soon. What a worker has leased
    waits again when the lease expires, or when a worker of the same name opens the frontier: the
    other one died, and the hosts that it was asking rest for one delay.

    Parameters
    ----------
    client : the server; see :func:`scenthound.frontier.redis.server.open_server`.
    crawl : name of the crawl.
    combination : how the scores of several inlinks combine.
    politeness : delay, limits and budgets of hosts; the same for all workers.
    lease_seconds : a leased URL that is not answered within this time waits again.
    now : the time of opening, on the crawl's clock, which all workers share.
    worker : whose leases these are.
    partitions : how many slots of a cluster share the hosts; the same for all workers.
    most : how many URLs may wait; beyond that the worst are dropped. None is no bound.
    """

    def __init__(
        self,
        client: Redis,
        crawl: str,
        combination: Combination = Combination.MAX,
        politeness: PolitenessPolicy = NO_LIMITS,
        lease_seconds: float = LEASE_SECONDS,
        now: float = 0.0,
        worker: str = "worker",
        partitions: int = 1,
        most: int | None = None,
    ) -> None:
        if not 0 < len(worker.encode()) <= _MAX_WORKER_NAME:
            raise SettingsError(
                f"a worker cannot be called {worker!r}; give 1 to {_MAX_WORKER_NAME} characters."
            )
        check_size(partitions, most)
        self._combination = combination
        self._politeness = politeness
        self._lease_seconds = lease_seconds
        self._worker = worker
        self._most = most
        self._set_aside_count = self._dropped = 0
        self._session, self._requests = secrets.token_bytes(6), 0
        """Name every request for leases, so that one sent twice is answered once."""
        self.on_progress: Callable[[], None] = lambda: None
        """Called now and then while all that waits is rescored, which may take minutes."""
        self.waited = 0
        """How many URLs waited when some were last leased."""
        self._partitions = Partitions(client, crawl, partitions, politeness)
        self._codec = RowCodec(client, self._partitions.shapes_key)
        self._writer = RowWriter(self._partitions, self._codec)
        self.free(worker, now)
        self.set_aside_exhausted()

    # --- links in

    def add(self, scored_links: Iterable[ScoredLink]) -> list[Admission]:
        """Insert or add evidence; see the Frontier protocol."""
        how = self._combination

        def update(link: ScoredLink) -> Update:
            return link.url, link.depth, lambda row, is_new: row.add_link(link, how)

        return self._enter(list(map(update, scored_links)))

    def redirect(self, url: str, target: str) -> Admission:
        """Close ``url`` and let ``target`` wait in its place; see the Frontier protocol."""
        packed = self._partitions.get(url)
        admission = Admission.CLOSED
        if packed is not None and is_open(packed) and target != url:
            # Before the one is closed: a worker killed in between has lost nothing.
            origin = self._codec.row(packed)

            def take_over(row: Row, is_new: bool) -> None:
                (row.take_over if is_new else row.merge)(origin)

            (admission,) = self._enter([(target, origin.depth, take_over)])
        self.close_all([(url, False)])
        return admission

    def admissions(self, urls: Sequence[str]) -> dict[str, Admission]:
        """What would become of a link to each of these; exhausted hosts show when it is added."""
        states = self._partitions.states(urls)
        return {url: admission_of(states.get(url)) for url in urls}

    def reweight(self, weigh: Reweight) -> None:
        """Rescore every link, and combine them again."""
        for rows in self._partitions.scan_rows():
            self._writer.change(rows, lambda row: row.reweight(weigh, self._combination))
            self.on_progress()

    def _enter(self, updates: Sequence[Update]) -> list[Admission]:
        admissions = self._writer.enter(updates)
        if self._most is not None and Admission.NEW in admissions:
            self._dropped += drop_worst(self._partitions, self._most)
        return admissions

    # --- candidates out

    def lease(self, most: int, now: float, answers: Sequence[HostResponse] = ()) -> list[Candidate]:
        """The best ready candidates of hosts that may be asked; of one partition in one round trip.

        ``answers`` are reported before, as by :meth:`record_response`, at no further cost: their
        hosts may be asked again.
        """
        before = self._response_steps(answers)
        choice: PartitionChoice | None = PartitionChoice(0, FREE, None)
        statuses: list[PartitionStatus] = []
        if len(self._partitions) > 1:
            self._partitions.run_all(before)
            before, statuses = [], self._partitions.wake(now)
            choice = next_choice(statuses, self._politeness)
        leased: list[Candidate] = []
        while choice is not None and len(leased) < most:
            self._requests += 1
            request = self._session + self._requests.to_bytes(6, "big")
            limits = now, now + self._lease_seconds, self._worker, most - len(leased), choice.state
            # This partition stops where the next best one has a better URL: the order of leases
            # is that of all partitions together.
            bound = choice.bound or ("", b"")
            step = self._partitions.step(choice.place, "lease", *limits, *bound, request)
            answer, rows = self._partitions.run_all([*before, step])[-1]
            before = []
            status = self._partitions.read_status(choice.place, answer)
            # A slice, as the list is still empty where there is one partition.
            statuses[choice.place : choice.place + 1] = [status]
            leased += [self._codec.row(row).candidate() for row in rows]
            choice = next_choice(statuses, self._politeness)
        self.waited = sum(status.waiting for status in statuses)
        return leased

    def take(self, url: str, now: float) -> Candidate | None:
        """Lease this URL, if it is ready and its host may be asked."""
        state = leasable_state(self._partitions.wake(now), self._politeness)
        until = now + self._lease_seconds
        step = self._partitions.step_on(url, "take", until, self._worker, int(state == OVER_SHARE))
        return self._candidate(self._partitions.run(step))

    def draw(self, rng: random.Random, now: float) -> Candidate | None:
        """Lease one of the ready URLs of hosts that may be asked, each as likely as another."""
        return self._drawn(rng, now, leased=True)

    def sample(self, rng: random.Random, now: float) -> Candidate | None:
        """The same, left where it is."""
        return self._drawn(rng, now, leased=False)

    def _drawn(self, rng: random.Random, now: float, leased: bool) -> Candidate | None:
        statuses = self._partitions.wake(now)
        state = leasable_state(statuses, self._politeness)
        if state is None:
            return None
        weights = [s.free_urls if state == FREE else s.greedy_urls for s in statuses]
        (place,) = rng.choices(range(len(weights)), weights)
        until, chance = now + self._lease_seconds, rng.getrandbits(31)
        arguments = state, chance, int(leased), until, self._worker
        return self._candidate(
            self._partitions.run(self._partitions.step(place, "draw", *arguments))
        )

    def _candidate(self, packed: bytes | None) -> Candidate | None:
        return None if packed is None else self._codec.row(packed).candidate()

    def peek(self, most: int) -> list[Candidate]:
        """The best ready candidates, whether or not their hosts may be asked."""
        answers = self._partitions.run_everywhere("peek", most)
        rows = [self._codec.row(packed) for answer in answers for packed in answer]
        rows.sort(key=lambda row: (-row.score, row.number))
        return [row.candidate() for row in rows[:most]]

    def next_time(self, now: float) -> float | None:
        """When the next URL can be leased, as far as time alone decides; None if none waits."""
        statuses = self._partitions.wake(now)
        if not any(status.waiting for status in statuses):
            return None
        if leasable_state(statuses, self._politeness) is not None:
            return now
        times = [time for s in statuses for time in (s.rested_at, s.due_at) if time is not None]
        return max(now, min(times, default=now))

    # --- what became of them

    def ack(self, url: str) -> None:
        """Close the URL for good; a leased one is a page that its host has had.

        One that another worker has leased is left to that.
        """
        self.close_all([(url, True)])

    def fail(self, url: str, retry_at: float | None) -> None:
        """Give a leased URL up, or let it wait until ``retry_at``."""
        if retry_at is None:
            self.close_all([(url, False)])
        else:
            step = self._partitions.step_on(url, "retry", self._worker, retry_at)
            self._partitions.run(step)

    def close_all(self, closings: Iterable[tuple[str, bool]]) -> None:
        """Close URLs for good, in one round trip; each was fetched, or given up (False)."""
        urls = dict(closings)
        steps = []
        for url, fetched in urls.items():
            unseen = Row(url=url, number=0, depth=0, state=UrlState.CLOSED).head
            step = self._partitions.step_on(url, "close", int(fetched), unseen, self._worker)
            steps.append(step)
        exhausted = zip(urls, self._partitions.run_all(steps), strict=True)
        for host in {host_name(url) for url, is_so in exhausted if is_so}:
            self._set_aside(host)

    def record_response(self, url: str, at: float) -> None:
        """The host's answer to a leased URL is over: it rests from ``at`` on."""
        self.record_responses([(url, at)])

    def record_responses(self, answers: Sequence[HostResponse]) -> None:
        """The same of several, in one round trip."""
        self._partitions.run_all(self._response_steps(answers))

    def _response_steps(self, answers: Sequence[HostResponse]) -> list[Step]:
        rests = int(self._politeness.rests_after_response)
        step_on = self._partitions.step_on
        return [step_on(url, "answered", self._worker, at, rests) for url, at in answers]

    def put_back(self, url: str) -> None:
        """Let a leased URL wait again as if never leased."""
        self._partitions.run(self._partitions.step_on(url, "put_back", self._worker))

    def free(self, worker: str, now: float) -> int:
        """What a worker that has died had leased waits again; how many URLs that were."""
        return sum(self._partitions.run_everywhere("recover", worker, now))

    # --- hosts

    def slow_down(self, host: str, delay: float) -> None:
        """The host asks for this delay; a shorter one than it keeps changes nothing."""
        self._partitions.run(self._partitions.step_on_host(host, "slow_down", delay))

    def rest(self, host: str, until: float) -> None:
        """Ask the host for nothing before ``until``."""
        self._partitions.run(self._partitions.step_on_host(host, "rest", until))

    @property
    def host_count(self) -> int:
        """How many hosts are known."""
        return sum(hosts for _, _, hosts in self._partitions.sums())

    def set_aside_exhausted(self) -> None:
        """Set aside what a worker that has died had to, when a host was exhausted."""
        for host in self._partitions.exhausted_hosts():
            self._set_aside(host)

    def _set_aside(self, host: str) -> None:
        step = self._partitions.step_on_host(host, "set_aside", _SET_ASIDE_AT_ONCE)
        count = _SET_ASIDE_AT_ONCE
        while count >= _SET_ASIDE_AT_ONCE:
            count = int(self._partitions.run(step))
            self._set_aside_count += count

    def exhausted_urls(self) -> int:
        """How many URLs this worker set aside with exhausted hosts since this was last called."""
        count, self._set_aside_count = self._set_aside_count, 0
        return count

    def dropped_urls(self) -> int:
        """How many URLs this worker dropped for want of room since this was last called."""
        count, self._dropped = self._dropped, 0
        return count

    # --- questions

    def is_closed(self, url: str) -> bool:
        """Leased, dealt with, given up, or set aside with its host?"""
        state = state_of(self._partitions.get(url))
        return state in (UrlState.LEASED, UrlState.CLOSED, UrlState.EXHAUSTED)

    def waits(self, url: str) -> bool:
        """Ready, or until a retry is due?"""
        return state_of(self._partitions.get(url)) in (UrlState.READY, UrlState.RETRY)

    def left(self) -> tuple[int, int]:
        """How many URLs wait, and how many are leased by any worker."""
        return self._partitions.left()

    def __len__(self) -> int:
        return sum(waiting for waiting, _, _ in self._partitions.sums())
