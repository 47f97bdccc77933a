"""Hosts that are too simple to be wrong, and a machine that compares a frontier with them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from frontier.frontier_model import HOSTS, FrontierMachine, ModelFrontier, Record, urls
from scenthound.core.model import Candidate, Combination
from scenthound.core.protocols import Admission, Frontier, PoliteFrontier
from scenthound.core.urls import host_of
from scenthound.frontier.politeness import PolitenessPolicy

hosts = st.sampled_from(HOSTS)
politeness = st.builds(
    PolitenessPolicy,
    st.sampled_from([0.0, 2.0]),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, 0.3, 0.5]),
)


@dataclass
class HostModel:
    delay: float = 0.0
    next_at: float | None = None
    had: int = 0

    def rest(self, until: float) -> None:
        self.next_at = until if self.next_at is None else max(self.next_at, until)

    def rests(self, now: float) -> bool:
        return self.next_at is not None and self.next_at > now


class PoliteModel(ModelFrontier):
    """Every question is answered by looking at every host and every URL."""

    def __init__(self, politeness: PolitenessPolicy) -> None:
        super().__init__(Combination.MAX)
        self.politeness = politeness
        self.hosts = {name: HostModel() for name in HOSTS}
        self.opens_at = 0.0

    def count(self, name: str, *statuses: str) -> int:
        found = (r for r in self._records.values() if host_of(r.url) == name)
        return sum(record.status in statuses for record in found)

    def host(self, record: Record) -> HostModel:
        return self.hosts[host_of(record.url)]

    def admission(self, url: str) -> Admission:
        admission = super().admission(url)
        if admission is Admission.NEW and self._spent(self.hosts[host_of(url)]):
            return Admission.EXHAUSTED
        return admission

    def is_closed(self, url: str) -> bool:
        return url in self._records and super().is_closed(url)

    def leasable(self, now: float) -> list[Record]:
        """Ready URLs of the hosts that may be asked, best first."""
        if now < self.opens_at:
            return []
        awake = [name for name in self._able() if not self.hosts[name].rests(now)]
        asked = [name for name in awake if self._fair(self.hosts[name])]
        if not asked and not self._fair_one_is_due(now):
            asked = awake
        return [record for record in self.ready() if host_of(record.url) in asked]

    def lease(self, record: Record, now: float) -> Candidate:
        self.host(record).rest(now + self._delay(self.host(record)))
        return super().lease(record, now)

    def record_response(self, url: str, at: float) -> None:
        record = self.leased(url)
        if record is None or not record.awaited:
            return
        record.awaited = False
        if self.politeness.per_host in (None, 1) or self.host(record).delay > 0:
            self.host(record).rest(at + self._delay(self.host(record)))

    def ack(self, url: str) -> None:
        record = self.leased(url)
        self.close(url)
        if record is None:
            return
        host = self.host(record)
        host.had += 1
        if self._spent(host):
            for other in self._records.values():
                if self.host(other) is host and other.status in ("ready", "retry"):
                    other.status = "spent"

    def put_back(self, url: str) -> None:
        record = self.leased(url)
        if record is not None:
            record.status, record.awaited = "ready", False

    def slow_down(self, name: str, delay: float) -> None:
        host = self.hosts[name]
        before = self._delay(host)
        host.delay = max(host.delay, delay)
        if host.next_at is not None:
            host.next_at += self._delay(host) - before

    def next_time(self, now: float) -> float | None:
        if not len(self):
            return None
        if self.leasable(now):
            return now
        able = [self.hosts[name] for name in self._able()]
        if now < self.opens_at and any(self._fair(h) and not h.rests(now) for h in able):
            return self.opens_at
        times = [*self.due_times(), *(h.next_at or 0.0 for h in able if h.rests(now))]
        return max(self.opens_at, min(times, default=now))

    def reopen(self, now: float) -> None:
        """The process was killed: what was leased waits, and hosts that were asked rest."""
        for record in self._records.values():
            self.put_back(record.url)
        for host in self.hosts.values():
            if host.next_at is not None:
                host.rest(now + self._delay(host))
        self.opens_at = now + self.politeness.delay if self._records else now

    def _delay(self, host: HostModel) -> float:
        return max(host.delay, self.politeness.delay)

    def _spent(self, host: HostModel) -> bool:
        most = self.politeness.pages_per_host
        return most is not None and host.had >= most

    def _able(self) -> list[str]:
        """Hosts that have a URL to offer, and may have one more request."""
        return [name for name in HOSTS if self.count(name, "ready") and not self._full(name)]

    def _full(self, name: str) -> bool:
        host, most = self.hosts[name], self.politeness.pages_per_host
        at_once = 1 if host.delay > 0 else self.politeness.per_host
        awaited = sum(r.awaited for r in self._records.values() if host_of(r.url) == name)
        if at_once is not None and awaited >= at_once:
            return True
        return most is not None and host.had + self.count(name, "leased") >= most

    def _fair(self, host: HostModel) -> bool:
        pages = sum(h.had for h in self.hosts.values())
        return self.politeness.share is None or host.had <= self.politeness.share * pages

    def _fair_one_is_due(self, now: float) -> bool:
        """Is a host that is not greedy busy, or does it rest no longer than the delay?"""
        soon = now + self.politeness.delay
        fair = [n for n, h in self.hosts.items() if self.count(n, "ready") and self._fair(h)]
        return any(self._full(n) or (self.hosts[n].next_at or 0.0) <= soon for n in fair)


class PoliteMachine(FrontierMachine):
    """The same operations and those on hosts: frontier and model must never differ."""

    real: PoliteFrontier
    model: PoliteModel

    def make(self, combination: Combination) -> Frontier:
        raise NotImplementedError("hosts matter here: see make_polite")

    @abstractmethod
    def make_polite(self, politeness: PolitenessPolicy) -> PoliteFrontier:
        """An empty frontier with leases of ``LEASE_SECONDS``."""

    @abstractmethod
    def make_again(self, politeness: PolitenessPolicy, now: float) -> PoliteFrontier:
        """The same frontier, in a new process."""

    @initialize(politeness=politeness)
    def begin(self, politeness: PolitenessPolicy) -> None:
        self.real = self.make_polite(politeness)
        self.model = PoliteModel(politeness)
        self.now = 1.0

    @rule(url=urls)
    def record_response(self, url: str) -> None:
        self.real.record_response(url, self.now)
        self.model.record_response(url, self.now)

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
    def reopen(self) -> None:
        self.real = self.make_again(self.model.politeness, self.now)
        self.model.reopen(self.now)
