"""Hosts that are too simple to be wrong, and a machine that compares a frontier with them."""

from __future__ import annotations

import random
from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Literal

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from frontier.frontier_contract import seen
from scenthound.core.protocols import Admission, PoliteFrontier
from scenthound.core.urls import host_of
from scenthound.frontier.politeness import PolitenessPolicy

LEASE_SECONDS = 10.0
HOSTS = ["a", "b", "c"]
URLS = [f"http://{host}/{i}" for host in HOSTS for i in range(3)]
urls = st.sampled_from(URLS)
hosts = st.sampled_from(HOSTS)
scores = st.sampled_from([0.25, 0.5, 0.75])
politeness = st.builds(
    PolitenessPolicy,
    st.sampled_from([0.0, 2.0]),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, 0.3, 0.5]),
)


@dataclass
class Url:
    url: str
    score: float
    status: Literal["ready", "leased", "retry", "closed", "spent"] = "ready"
    due: float = 0.0
    awaited: bool = False
    attempts: int = 0


@dataclass
class HostModel:
    delay: float = 0.0
    next_at: float | None = None
    had: int = 0
    urls: list[Url] = field(default_factory=list)

    def count(self, *statuses: str) -> int:
        return sum(u.status in statuses for u in self.urls)

    def rest(self, until: float) -> None:
        self.next_at = until if self.next_at is None else max(self.next_at, until)


class PoliteModel:
    """Every question is answered by looking at every host and every URL."""

    def __init__(self, politeness: PolitenessPolicy) -> None:
        self.politeness = politeness
        self.hosts = {name: HostModel() for name in HOSTS}
        self.order: list[Url] = []
        self.opens_at = 0.0

    def find(self, url: str) -> Url | None:
        return next((u for u in self.order if u.url == url), None)

    def host(self, url: Url) -> HostModel:
        return self.hosts[host_of(url.url)]

    def leased(self, url: str) -> Url | None:
        found = self.find(url)
        return found if found is not None and found.status == "leased" else None

    def waiting(self) -> int:
        return sum(host.count("ready", "retry") for host in self.hosts.values())

    def ready(self) -> list[Url]:
        found = [u for u in self.order if u.status == "ready"]
        return sorted(found, key=lambda u: -u.score)

    def add(self, url: str, score: float) -> Admission:
        found = self.find(url)
        if found is None:
            host = self.hosts[host_of(url)]
            if self._spent(host):
                return Admission.EXHAUSTED
            self._begin(url, score)
            return Admission.NEW
        if found.status in ("leased", "closed"):
            return Admission.CLOSED
        if found.status == "spent":
            return Admission.EXHAUSTED
        found.score = max(found.score, score)
        return Admission.RESCORED

    def wake(self, now: float) -> None:
        for u in self.order:
            if u.status in ("leased", "retry") and u.due <= now:
                u.attempts += u.status == "leased"
                u.status, u.awaited = "ready", False

    def may_lease(self, now: float) -> list[Url]:
        """Ready URLs of the hosts that may be asked, best first."""
        if now < self.opens_at:
            return []
        able = [h for h in self.hosts.values() if h.count("ready") and not self._full(h)]
        awake = [h for h in able if h.next_at is None or h.next_at <= now]
        asked = [h for h in awake if self._fair(h)]
        if not asked and not self._fair_one_is_due(now):
            asked = awake
        return [u for u in self.ready() if self.host(u) in asked]

    def lease(self, u: Url, now: float) -> None:
        host = self.host(u)
        u.status, u.due, u.awaited = "leased", now + LEASE_SECONDS, True
        host.rest(now + max(host.delay, self.politeness.delay))

    def record_response(self, url: str, at: float) -> None:
        u = self.leased(url)
        if u is None or not u.awaited:
            return
        u.awaited = False
        if self.politeness.per_host in (None, 1) or self.host(u).delay > 0:
            self.host(u).rest(at + max(self.host(u).delay, self.politeness.delay))

    def ack(self, url: str) -> None:
        u = self.leased(url)
        if u is None:
            self.close(url)
            return
        self._end(u, "closed")
        self.host(u).had += 1
        if self._spent(self.host(u)):
            for other in self.host(u).urls:
                if other.status in ("ready", "retry"):
                    other.status = "spent"

    def close(self, url: str) -> None:
        u = self.find(url) or self._begin(url, 1.0)
        if u.status != "spent":
            self._end(u, "closed")

    def retry(self, url: str, at: float) -> None:
        u = self.leased(url)
        if u is not None:
            self._end(u, "retry")
            u.due = at
            u.attempts += 1

    def put_back(self, url: str) -> None:
        u = self.leased(url)
        if u is not None:
            self._end(u, "ready")

    def redirect(self, url: str, target: str) -> Admission:
        u = self.find(url)
        known = u is not None and u.status not in ("closed", "spent")
        self.close(url)
        return self.add(target, u.score) if u is not None and known else Admission.CLOSED

    def slow_down(self, name: str, delay: float) -> None:
        host = self.hosts[name]
        before = max(host.delay, self.politeness.delay)
        host.delay = max(host.delay, delay)
        if host.next_at is not None:
            host.next_at += max(host.delay, self.politeness.delay) - before

    def next_time(self, now: float) -> float | None:
        if not self.waiting():
            return None
        if self.may_lease(now):
            return now
        if now < self.opens_at and self._would_lease(now):
            return self.opens_at
        times = [u.due for u in self.order if u.status in ("leased", "retry")]
        for host in self.hosts.values():
            if host.count("ready") and not self._full(host) and (host.next_at or 0.0) > now:
                times.append(host.next_at or 0.0)
        return max(self.opens_at, min(times, default=now))

    def _would_lease(self, now: float) -> bool:
        """Is a fair host able and awake, whether or not the frontier is open?"""
        return any(
            host.count("ready")
            and not self._full(host)
            and (host.next_at is None or host.next_at <= now)
            and self._fair(host)
            for host in self.hosts.values()
        )

    def reopen(self, now: float) -> None:
        for u in self.order:
            if u.status == "leased":
                self._end(u, "ready")
        for host in self.hosts.values():
            if host.next_at is not None:
                host.rest(now + max(host.delay, self.politeness.delay))
        self.opens_at = now + self.politeness.delay if self.order else now

    def _begin(self, url: str, score: float) -> Url:
        u = Url(url, score)
        self.order.append(u)
        self.host(u).urls.append(u)
        return u

    def _end(self, u: Url, status: Literal["ready", "retry", "closed"]) -> None:
        u.status, u.awaited = status, False

    def _spent(self, host: HostModel) -> bool:
        most = self.politeness.pages_per_host
        return most is not None and host.had >= most

    def _full(self, host: HostModel) -> bool:
        at_once = 1 if host.delay > 0 else self.politeness.per_host
        most = self.politeness.pages_per_host
        if at_once is not None and sum(u.awaited for u in host.urls) >= at_once:
            return True
        return most is not None and host.had + host.count("leased") >= most

    def _fair(self, host: HostModel) -> bool:
        pages = sum(h.had for h in self.hosts.values())
        return self.politeness.share is None or host.had <= self.politeness.share * pages

    def _fair_one_is_due(self, now: float) -> bool:
        """Is a host that is not greedy busy, or does it rest no longer than the delay?"""
        soon = now + self.politeness.delay
        fair = [h for h in self.hosts.values() if h.count("ready") and self._fair(h)]
        return any(self._full(h) or (h.next_at or 0.0) <= soon for h in fair)


class PoliteMachine(RuleBasedStateMachine):
    """Random operations on a frontier and on the model: they must never differ."""

    @abstractmethod
    def make(self, politeness: PolitenessPolicy) -> PoliteFrontier:
        """An empty frontier with leases of ``LEASE_SECONDS``."""

    @abstractmethod
    def make_again(self, politeness: PolitenessPolicy, now: float) -> PoliteFrontier:
        """The same frontier, in a new process."""

    @initialize(politeness=politeness)
    def begin(self, politeness: PolitenessPolicy) -> None:
        self.real: PoliteFrontier = self.make(politeness)
        self.model = PoliteModel(politeness)
        self.now = 1.0

    @rule(seconds=st.sampled_from([0.5, 1.0, 2.0, 10.0]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(batch=st.lists(st.tuples(urls, scores), max_size=5))
    def add(self, batch: list[tuple[str, float]]) -> None:
        real = self.real.add([seen(url, score) for url, score in batch])
        assert real == [self.model.add(url, score) for url, score in batch]

    @rule(most=st.integers(1, 3))
    def lease(self, most: int) -> None:
        self.model.wake(self.now)
        expected: list[tuple[str, float, int]] = []
        while len(expected) < most and (able := self.model.may_lease(self.now)):
            self.model.lease(able[0], self.now)
            expected.append((able[0].url, able[0].score, able[0].attempts))
        real = self.real.lease(most, self.now)
        assert [(c.url, c.score.value, c.attempts) for c in real] == expected

    @rule(url=urls)
    def take(self, url: str) -> None:
        self.model.wake(self.now)
        able = [u for u in self.model.may_lease(self.now) if u.url == url]
        real = self.real.take(url, self.now)
        assert (real is not None) == bool(able)
        for u in able:
            self.model.lease(u, self.now)

    @rule(number=st.integers(0, 99))
    def draw(self, number: int) -> None:
        self.model.wake(self.now)
        able = {u.url: u for u in self.model.may_lease(self.now)}
        real = self.real.draw(random.Random(number), self.now)
        if real is None:
            assert able == {}
        else:
            self.model.lease(able[real.url], self.now)

    @rule(url=urls)
    def answered(self, url: str) -> None:
        self.real.record_response(url, self.now)
        self.model.record_response(url, self.now)

    @rule(url=urls)
    def ack(self, url: str) -> None:
        self.real.ack(url)
        self.model.ack(url)

    @rule(url=urls, wait=st.sampled_from([None, 0.0, 3.0]))
    def fail(self, url: str, wait: float | None) -> None:
        self.real.fail(url, None if wait is None else self.now + wait)
        if wait is None:
            self.model.close(url)
        else:
            self.model.retry(url, self.now + wait)

    @rule(url=urls, other=urls)
    def redirect(self, url: str, other: str) -> None:
        assert self.real.redirect(url, other) == self.model.redirect(url, other)

    @rule(url=urls)
    def put_back(self, url: str) -> None:
        self.real.put_back(url)
        self.model.put_back(url)

    @rule(host=hosts, delay=st.sampled_from([1.0, 4.0]))
    def slow_down(self, host: str, delay: float) -> None:
        self.real.slow_down(host, delay)
        self.model.slow_down(host, delay)

    @rule(host=hosts, seconds=st.sampled_from([1.0, 6.0]))
    def rest(self, host: str, seconds: float) -> None:
        self.real.rest(host, self.now + seconds)
        self.model.hosts[host].rest(self.now + seconds)

    @rule()
    def next_time(self) -> None:
        self.model.wake(self.now)
        assert self.real.next_time(self.now) == self.model.next_time(self.now)

    @rule()
    def reopen(self) -> None:
        self.real = self.make_again(self.model.politeness, self.now)
        self.model.reopen(self.now)

    @invariant()
    def same_answers(self) -> None:
        assert len(self.real) == self.model.waiting()
        assert [c.url for c in self.real.peek(9)] == [u.url for u in self.model.ready()]
