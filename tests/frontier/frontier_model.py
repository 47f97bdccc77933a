"""A frontier that is too simple to be wrong, and a machine that compares another one with it."""

from __future__ import annotations

import random
from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Literal

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from scenthound.core.model import Candidate, Combination, Inlink, Score, ScoredLink
from scenthound.core.protocols import Admission, Frontier, PoliteFrontier
from scenthound.core.urls import host_of
from scenthound.frontier.politeness import PolitenessPolicy

LEASE_SECONDS = 10.0
HOSTS = ["a", "b", "c"]
URLS = [f"http://{host}/{i}" for host in HOSTS for i in range(3)]
urls = st.sampled_from(URLS)
scores = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
links = st.builds(
    ScoredLink,
    urls,
    st.integers(1, 3),
    st.builds(Inlink, st.integers(1, 9), st.builds(Score, scores)),
) | st.builds(ScoredLink, urls, st.just(0))


@dataclass
class Record:
    url: str
    depth: int
    score: float = 1.0
    links: list[Inlink] = field(default_factory=list)
    """All that speak for it, as they came: also those to a URL that redirects here."""
    link_count: int = 0
    attempts: int = 0
    status: Literal["ready", "leased", "retry", "closed", "spent"] = "ready"
    due: float = 0.0
    awaited: bool = False
    """Is it leased, and its host's answer not over?"""
    redirects: tuple[str, ...] = ()

    def candidate(self) -> Candidate:
        best = tuple(sorted(self.links, key=lambda link: -link.score.value)[:5])
        parts = best[0].score.parts if best else ()
        score = Score(self.score, parts)
        return Candidate(
            self.url, score, self.depth, best, self.attempts, self.link_count, self.redirects
        )


class ModelFrontier:
    """Every question is answered by looking through all records, in order of first sighting."""

    def __init__(self, combination: Combination) -> None:
        self._combination = combination
        self._records: dict[str, Record] = {}

    def add(self, scored_link: ScoredLink) -> Admission:
        admission = self.admission(scored_link.url)
        if admission not in (Admission.NEW, Admission.RESCORED):
            return admission
        record = self._records.setdefault(
            scored_link.url, Record(scored_link.url, scored_link.depth)
        )
        record.depth = min(record.depth, scored_link.depth)
        if scored_link.inlink is not None:
            self._combine(record, scored_link.inlink)
        return admission

    def admission(self, url: str) -> Admission:
        """What becomes of a link to this URL."""
        record = self._records.get(url)
        if record is None:
            return Admission.NEW
        if record.status == "spent":
            return Admission.EXHAUSTED
        closed = record.status in ("leased", "closed")
        return Admission.CLOSED if closed else Admission.RESCORED

    def _combine(self, record: Record, link: Inlink) -> None:
        record.links.append(link)
        record.link_count += 1
        new = link.score.value
        if record.link_count == 1 or self._combination is Combination.LAST:
            record.score = new
        elif self._combination is Combination.MAX:
            record.score = max(record.score, new)
        else:
            record.score += (new - record.score) / record.link_count

    def ready(self) -> list[Record]:
        waiting = [r for r in self._records.values() if r.status == "ready"]
        return sorted(waiting, key=lambda record: -record.score)

    def wake(self, now: float) -> None:
        for record in self._records.values():
            if record.status in ("leased", "retry") and record.due <= now:
                record.attempts += record.status == "leased"
                record.status, record.awaited = "ready", False

    def leasable(self, now: float) -> list[Record]:
        """What may be leased now, best first."""
        return self.ready()

    def lease(self, record: Record, now: float) -> Candidate:
        record.status, record.due, record.awaited = "leased", now + LEASE_SECONDS, True
        return record.candidate()

    def take(self, url: str, now: float) -> Candidate | None:
        able = [record for record in self.leasable(now) if record.url == url]
        return self.lease(able[0], now) if able else None

    def leased(self, url: str) -> Record | None:
        record = self._records.get(url)
        return record if record is not None and record.status == "leased" else None

    def ack(self, url: str) -> None:
        self.close(url)

    def close(self, url: str) -> None:
        record = self._records.setdefault(url, Record(url, 0))
        if record.status != "spent":
            record.status, record.awaited = "closed", False

    def retry(self, url: str, at: float) -> None:
        record = self.leased(url)
        if record is not None:
            record.status, record.due, record.awaited = "retry", at, False
            record.attempts += 1

    def redirect(self, url: str, target: str) -> Admission:
        origin = self._records.get(url)
        gone = origin is None or origin.status in ("closed", "spent")
        self.close(url)
        if origin is None or gone:
            return Admission.CLOSED
        admission = self.admission(target)
        if admission not in (Admission.NEW, Admission.RESCORED):
            return admission
        if admission is Admission.RESCORED:
            record = self._records[target]
            record.depth = min(record.depth, origin.depth)
            record.score = max(record.score, origin.score)
            record.links += origin.candidate().inlinks
            return Admission.RESCORED
        record = self._records[target] = Record(target, origin.depth, origin.score)
        record.links, record.redirects = list(origin.links), (*origin.redirects, url)
        record.link_count = origin.link_count
        return Admission.NEW

    def next_time(self, now: float) -> float | None:
        if self.ready():
            return now
        return min(self.due_times()) if len(self) else None

    def due_times(self) -> list[float]:
        """When leases expire and retries are due."""
        return [r.due for r in self._records.values() if r.status in ("leased", "retry")]

    def is_closed(self, url: str) -> bool:
        return self.admission(url) in (Admission.CLOSED, Admission.EXHAUSTED)

    def waits(self, url: str) -> bool:
        return url in self._records and self._records[url].status in ("ready", "retry")

    def __len__(self) -> int:
        return sum(record.status in ("ready", "retry") for record in self._records.values())


class FrontierMachine(RuleBasedStateMachine):
    """Random operations on a frontier and on the model: they must never differ."""

    @abstractmethod
    def make(self, combination: Combination) -> Frontier:
        """An empty frontier with leases of ``LEASE_SECONDS``."""

    @initialize(combination=st.sampled_from(Combination))
    def begin(self, combination: Combination) -> None:
        self.real: Frontier = self.make(combination)
        self.model = ModelFrontier(combination)
        self.now = 0.0

    @rule(seconds=st.sampled_from([1.0, 4.0, 10.0]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule(batch=st.lists(links, max_size=4))
    def add(self, batch: list[ScoredLink]) -> None:
        assert self.real.add(batch) == [self.model.add(scored_link) for scored_link in batch]

    @rule(most=st.integers(0, 3))
    def lease(self, most: int) -> None:
        self.model.wake(self.now)
        expected: list[Candidate] = []
        while len(expected) < most and (able := self.model.leasable(self.now)):
            expected.append(self.model.lease(able[0], self.now))
        assert self.real.lease(most, self.now) == expected

    @rule(url=urls)
    def take(self, url: str) -> None:
        self.model.wake(self.now)
        assert self.real.take(url, self.now) == self.model.take(url, self.now)

    @rule(number=st.integers(0, 99))
    def draw(self, number: int) -> None:
        self.model.wake(self.now)
        drawn = self.real.draw(random.Random(number), self.now)
        if drawn is None:
            assert self.model.leasable(self.now) == []
        else:
            assert drawn == self.model.take(drawn.url, self.now)

    @rule(url=urls)
    def ack(self, url: str) -> None:
        self.real.ack(url)
        self.model.ack(url)

    @rule(url=urls, wait=st.sampled_from([None, 0.0, 3.0, 20.0]))
    def fail(self, url: str, wait: float | None) -> None:
        if wait is None:
            self.real.fail(url, None)
            self.model.close(url)
        else:
            self.real.fail(url, self.now + wait)
            self.model.retry(url, self.now + wait)

    @rule(url=urls, other=urls)
    def redirect(self, url: str, other: str) -> None:
        assert self.real.redirect(url, other) == self.model.redirect(url, other)

    @rule()
    def next_time(self) -> None:
        self.model.wake(self.now)
        assert self.real.next_time(self.now) == self.model.next_time(self.now)

    @invariant()
    def same_answers(self) -> None:
        assert len(self.real) == len(self.model)
        assert self.real.peek(9) == [record.candidate() for record in self.model.ready()]
        assert [self.real.is_closed(u) for u in URLS] == [self.model.is_closed(u) for u in URLS]
        assert [self.real.waits(u) for u in URLS] == [self.model.waits(u) for u in URLS]


# Hosts that are too simple to be wrong.


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
