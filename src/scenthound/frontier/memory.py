"""The frontier in memory: a heap with stale entries left behind, a table by URL.

Replays use it. It knows leases and retries but no hosts and no delays: an archive has no
hosts to be polite to. It is also the simplest reading of the ``Frontier`` protocol; start here,
then read ``sqlite``.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterable
from dataclasses import dataclass

from scenthound.core.model import Candidate, Combination, Reweight, ScoredLink, UrlEvidence
from scenthound.core.protocols import Admission

LEASE_SECONDS = 300.0
"""The default; a live crawl sets an hour, as within one process no lease is meant to expire."""
_STALE_ALLOWED = 1_000
"""``heapq`` cannot change an entry, so a new score is pushed beside the old one. The heap is
rebuilt when more than half of it, and more than so many, may be stale."""


@dataclass(slots=True, kw_only=True)
class _Entry(UrlEvidence):
    """A URL that waits, or is leased."""

    number: int
    """Order of arrival: decides between equal scores."""
    place: int = -1
    """Index in the list of those ready; -1 when leased or waiting for a retry."""
    lease: int = 0
    """Grows with every lease, so that the timer of an old lease does not end a new one."""


class MemoryFrontier:
    """All waiting URLs in memory.

    Parameters
    ----------
    combination : how the scores of several inlinks combine.
    lease_seconds : a leased URL that is not answered within this time waits again.
    """

    def __init__(
        self, combination: Combination = Combination.MAX, lease_seconds: float = LEASE_SECONDS
    ) -> None:
        self._combination = combination
        self._lease_seconds = lease_seconds
        self._entries: dict[str, _Entry] = {}
        self._closed: set[str] = set()
        # A list, with each entry's place in it: a uniform draw and a removal take constant time.
        self._ready: list[_Entry] = []
        self._heap: list[tuple[float, int, str]] = []
        self._timers: list[tuple[float, int, str, int]] = []
        self._leased = 0
        self._count = 0

    def add(self, scored_links: Iterable[ScoredLink]) -> list[Admission]:
        """Insert or add evidence; see the Frontier protocol."""
        return [self._add(scored_link) for scored_link in scored_links]

    def lease(self, most: int, now: float) -> list[Candidate]:
        """The best ready candidates, at most ``most``."""
        self._wake(now)
        leased: list[Candidate] = []
        while len(leased) < most:
            entry = self._best()
            if entry is None:
                break
            leased.append(self._lease(entry, now))
        return leased

    def take(self, url: str, now: float) -> Candidate | None:
        """Lease this URL, if it is ready."""
        self._wake(now)
        entry = self._entries.get(url)
        return self._lease(entry, now) if entry is not None and entry.place >= 0 else None

    def draw(self, rng: random.Random, now: float) -> Candidate | None:
        """Lease one of the ready URLs, each as likely as another."""
        entry = self._drawn(rng, now)
        return None if entry is None else self._lease(entry, now)

    def sample(self, rng: random.Random, now: float) -> Candidate | None:
        """One of the ready URLs, each as likely as another, left where it is."""
        entry = self._drawn(rng, now)
        return None if entry is None else entry.candidate()

    def ack(self, url: str) -> None:
        """Close the URL for good."""
        entry = self._entries.pop(url, None)
        self._closed.add(url)
        if entry is None:
            return
        if entry.place >= 0:
            self._unready(entry)
        elif entry.lease:
            self._leased -= 1

    def fail(self, url: str, retry_at: float | None) -> None:
        """Give a leased URL up, or let it wait until ``retry_at``."""
        if retry_at is None:
            self.ack(url)
            return
        entry = self._entries.get(url)
        if entry is None or not entry.lease:
            return
        entry.attempts += 1
        self._leased -= 1
        entry.lease = 0
        self._timer(entry, retry_at)

    def redirect(self, url: str, target: str) -> Admission:
        """Close ``url`` and let ``target`` wait in its place; see the Frontier protocol."""
        origin = self._entries.get(url)
        self.ack(url)
        if origin is None or self.is_closed(target):
            return Admission.CLOSED
        entry = self._entries.get(target)
        if entry is None:
            entry = self._begin(target, origin.depth)
            entry.take_over(origin)
            self._make_ready(entry)
            return Admission.NEW
        before = entry.score
        entry.merge(origin)
        self._reorder(entry, before)
        return Admission.RESCORED

    def next_time(self, now: float) -> float | None:
        """``now`` if a URL is ready, else when the next retry is due or the next lease expires."""
        self._wake(now)
        if self._ready:
            return now
        while self._timers and self._is_over(self._timers[0]):
            heapq.heappop(self._timers)
        return self._timers[0][0] if len(self) else None

    def reweight(self, weigh: Reweight) -> None:
        """Rescore every link, and combine them again."""
        for entry in self._entries.values():
            entry.reweight(weigh, self._combination)
        self._rebuild_heap()

    def is_closed(self, url: str) -> bool:
        """Leased, dealt with or given up?"""
        if url in self._closed:
            return True
        entry = self._entries.get(url)
        return entry is not None and entry.lease > 0

    def waits(self, url: str) -> bool:
        """Ready, or until a retry is due?"""
        return url in self._entries and not self.is_closed(url)

    def peek(self, most: int) -> list[Candidate]:
        """The best ready candidates, left where they are."""
        best = heapq.nsmallest(most, self._ready, key=lambda e: (-e.score, e.number))
        return [entry.candidate() for entry in best]

    def __len__(self) -> int:
        return len(self._entries) - self._leased

    def _add(self, scored_link: ScoredLink) -> Admission:
        if self.is_closed(scored_link.url):
            return Admission.CLOSED
        entry = self._entries.get(scored_link.url)
        is_new = entry is None
        if entry is None:
            entry = self._begin(scored_link.url, scored_link.depth)
        before = entry.score
        entry.add_link(scored_link, self._combination)
        if is_new:
            self._make_ready(entry)
        else:
            self._reorder(entry, before)
        return Admission.NEW if is_new else Admission.RESCORED

    def _begin(self, url: str, depth: int) -> _Entry:
        self._count += 1
        entry = self._entries[url] = _Entry(url=url, number=self._count, depth=depth)
        return entry

    def _reorder(self, entry: _Entry, before: float) -> None:
        if entry.place >= 0 and entry.score != before:
            self._push(entry)

    def _push(self, entry: _Entry) -> None:
        heapq.heappush(self._heap, (-entry.score, entry.number, entry.url))
        if len(self._heap) > 2 * len(self._ready) + _STALE_ALLOWED:
            self._rebuild_heap()

    def _rebuild_heap(self) -> None:
        self._heap = [(-e.score, e.number, e.url) for e in self._ready]
        heapq.heapify(self._heap)

    def _drawn(self, rng: random.Random, now: float) -> _Entry | None:
        self._wake(now)
        return self._ready[rng.randrange(len(self._ready))] if self._ready else None

    def _best(self) -> _Entry | None:
        """Top of the heap, past entries whose score has changed or which are gone."""
        while self._heap:
            negative, _, url = heapq.heappop(self._heap)
            entry = self._entries.get(url)
            if entry is not None and entry.place >= 0 and entry.score == -negative:
                return entry
        return None

    def _make_ready(self, entry: _Entry) -> None:
        entry.place = len(self._ready)
        self._ready.append(entry)
        self._push(entry)

    def _unready(self, entry: _Entry) -> None:
        """Take out of the list of those ready: the last one moves into the gap."""
        last = self._ready.pop()
        if last is not entry:
            self._ready[entry.place] = last
            last.place = entry.place
        entry.place = -1

    def _lease(self, entry: _Entry, now: float) -> Candidate:
        self._unready(entry)
        self._count += 1
        entry.lease = self._count
        self._leased += 1
        self._timer(entry, now + self._lease_seconds)
        return entry.candidate()

    def _timer(self, entry: _Entry, at: float) -> None:
        heapq.heappush(self._timers, (at, entry.number, entry.url, entry.lease))

    def _wake(self, now: float) -> None:
        """Leases that have expired and retries that are due make their URLs ready again."""
        while self._timers and self._timers[0][0] <= now:
            timer = heapq.heappop(self._timers)
            if self._is_over(timer):
                continue
            entry = self._entries[timer[2]]
            if entry.lease:
                self._leased -= 1
                entry.lease = 0
                entry.attempts += 1
            self._make_ready(entry)

    def _is_over(self, timer: tuple[float, int, str, int]) -> bool:
        """Was the lease answered, or the URL closed, before the time came?"""
        _, _, url, lease = timer
        entry = self._entries.get(url)
        return entry is None or entry.lease != lease or entry.place >= 0
