"""The frontier of one worker: what a page changes is sent when the page is stored.

A worker stores pages in its own folder, some at a time. Until then nobody else knows their links,
and their URLs stay leased: if the worker dies, they are fetched again and nothing is lost. When
the pages are stored the links go first, the closed URLs after them, so that at no moment a page is
done whose links are not there. A server that forgets its last second (its log was not on the disk)
forgets both, or the closing alone.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from scenthound.core.model import Candidate, Inlink, Reweight, ScoredLink, global_page_number
from scenthound.core.protocols import Admission
from scenthound.frontier.redis.frontier import HostResponse, RedisFrontier
from scenthound.frontier.redis.server import ServerClock

WORKERS = 4_096
"""Pages are numbered on the server as ``n * WORKERS + worker``: small numbers take few bytes."""
LOOK_AGAIN = 0.05
"""Seconds after which others may have added something to lease."""
_LONGEST_PAUSE = 0.25
"""The same for a worker that has found nothing several times: many idle workers share a server."""
_SHORTEST_PAUSE = 0.02
"""Seconds between two attempts to lease, however soon a host has rested: others may be quicker."""
_SEED_AGAIN, _READY_AGAIN = 0.25, 0.25
_COUNT_AGAIN, _HOSTS_AGAIN = 0.5, 5.0
_REMEMBERED = 100_000
_CLOSED = (Admission.CLOSED, Admission.EXHAUSTED)


class WorkerFrontier:
    """A polite frontier; see :class:`scenthound.core.protocols.PoliteFrontier`.

    Leases and rests are sent at once, responses with the next lease or by :meth:`send_responses`,
    which is to be called a few times a second. :meth:`send` sends the rest.

    Parameters
    ----------
    frontier : on the server.
    worker : the number of this worker.
    clock : the time of the server.
    """

    def __init__(self, frontier: RedisFrontier, worker: int, clock: ServerClock) -> None:
        self._frontier = frontier
        self._worker = worker
        self._clock = clock
        self._scored_links: list[ScoredLink] = []
        self._redirects: list[tuple[str, str]] = []
        self._closings: dict[str, bool] = {}
        self._known: dict[str, Admission] = {}
        """What became of links lately: most links of a page are those of the page before."""
        self._pause_seconds = LOOK_AGAIN
        self._lease_after = 0.0
        """Before this there is nothing to lease."""
        self._not_yet: dict[str, float] = {}
        self._ready_until = 0.0
        self._counted: tuple[float, int] = (0.0, 0)
        self._hosts: tuple[float, int] = (0.0, 0)
        self._answers: list[HostResponse] = []
        self._set_aside_count = 0

    def send(self) -> None:
        """The pages so far are stored: send their links, then close their URLs."""
        if not (self._scored_links or self._redirects or self._closings):
            return
        self.send_responses()
        scored_links, self._scored_links = self._scored_links, []
        admissions = self._frontier.add(scored_links)
        self._set_aside_count += admissions.count(Admission.EXHAUSTED)
        redirects, self._redirects = self._redirects, []
        for url, target in redirects:
            self._frontier.redirect(url, target)
        closings, self._closings = self._closings, {}
        # Last: a worker killed before this has its pages fetched again, and loses no link.
        self._frontier.close_all(closings.items())
        self._known.update(dict.fromkeys(closings, Admission.CLOSED))
        self._lease_after = 0.0

    def send_responses(self) -> None:
        """Report which hosts have answered: other workers may ask them when they have rested."""
        answers, self._answers = self._answers, []
        self._frontier.record_responses(answers)

    def add(self, scored_links: Iterable[ScoredLink]) -> list[Admission]:
        """What will become of each link, as far as is known now; sent later."""
        links = list(scored_links)
        if len(self._known) > _REMEMBERED:  # forget the older half
            self._known = dict(islice(self._known.items(), _REMEMBERED // 2, None))
        unknown = [s.url for s in links if s.url not in self._closings and s.url not in self._known]
        self._known.update(self._frontier.admissions(unknown))
        admissions = [self._admitted(link.url) for link in links]
        # One that was closed lately is sent all the same: the server may have forgotten its last
        # second.
        self._scored_links += [self._outgoing(s) for s in links if s.url not in self._closings]
        return admissions

    def lease(self, most: int, now: float) -> list[Candidate]:
        """The best ready candidates of hosts that may be asked.

        The server may offer one that is done here and not closed there yet, as a page has named it
        as its canonical URL. It stays leased, and is closed with the others.
        """
        if now < self._lease_after:
            return []
        leased: list[Candidate] = []
        came = most
        while came and len(leased) < most:
            answers, self._answers = self._answers, []
            found = self._frontier.lease(most - len(leased), now, answers)
            leased += [candidate for candidate in found if not self._is_done(candidate.url)]
            came = len(found)
        self._counted = now, self._frontier.waited
        if leased:
            self._pause_seconds = LOOK_AGAIN
        if len(leased) < most:
            self._pause(now)
        return [self._incoming(candidate) for candidate in leased]

    def take(self, url: str, now: float) -> Candidate | None:
        """Lease this URL, if it is ready and its host may be asked."""
        if url in self._closings or now < self._not_yet.get(url, now):
            return None
        self.send_responses()
        found = self._frontier.take(url, now)
        if found is None:
            self._not_yet[url] = now + _SEED_AGAIN
            return None
        self._not_yet.pop(url, None)
        return self._incoming(found)

    def draw(self, rng: random.Random, now: float) -> Candidate | None:
        """Lease one drawn from all that may be leased."""
        if now < self._lease_after:
            return None
        self.send_responses()
        found = self._frontier.draw(rng, now)
        while found is not None and self._is_done(found.url):
            found = self._frontier.draw(rng, now)
        if found is None:
            self._pause(now)
            return None
        return self._incoming(found)

    def sample(self, rng: random.Random, now: float) -> Candidate | None:
        """The same, left where it is."""
        found = self._frontier.sample(rng, now)
        return None if found is None else self._incoming(found)

    def ack(self, url: str) -> None:
        """The URL will be closed for good."""
        self._closings[url] = True

    def fail(self, url: str, retry_at: float | None) -> None:
        """Give a leased URL up, or let it wait until ``retry_at``."""
        if retry_at is None:
            self._closings[url] = False
        else:
            self.send_responses()
            self._frontier.fail(url, retry_at)
            self._lease_after = 0.0

    def redirect(self, url: str, target: str) -> Admission:
        """``url`` will be closed, and ``target`` wait in its place."""
        if target == url or target in self._closings:
            self._closings[url] = False
            return Admission.CLOSED
        admission = self._frontier.admissions([target])[target]
        if admission in _CLOSED:
            self._closings[url] = False
        else:
            self._redirects.append((url, target))
            self._known.pop(target, None)
        return admission

    def next_time(self, now: float) -> float | None:
        """When to look for the next URL; None when none waits.

        Where one was ready a moment ago and is not leased (the budget is out), one is so still.
        """
        if now < self._lease_after:
            return self._lease_after
        if now < self._ready_until:
            return now
        self.send_responses()
        at = self._frontier.next_time(now)
        if at is not None and at <= now:
            self._ready_until = now + _READY_AGAIN
        return at

    def reweight(self, weigh: Reweight) -> None:
        """Rescore every link, those that are not sent yet too."""
        self._frontier.reweight(weigh)
        for place, link in enumerate(self._scored_links):
            if link.inlink is not None:
                inlink = replace(link.inlink, score=weigh(link.inlink.score))
                self._scored_links[place] = replace(link, inlink=inlink)

    def is_closed(self, url: str) -> bool:
        """Leased, dealt with, given up, or set aside with its host?"""
        if url in self._closings:
            return True
        if url in self._not_yet and self._clock() < self._not_yet[url]:
            return False
        return self._frontier.admissions([url])[url] in _CLOSED

    def waits(self, url: str) -> bool:
        """Ready, or until a retry is due?"""
        return url not in self._closings and self._frontier.waits(url)

    def peek(self, most: int) -> list[Candidate]:
        """The best ready candidates of all workers."""
        return [self._incoming(candidate) for candidate in self._frontier.peek(most)]

    def __len__(self) -> int:
        """How many URLs wait, now or a moment ago.

        While none does, those count that any worker has leased: their links may wait soon.
        """
        counted_at, waiting = self._counted
        if not waiting or self._clock() - counted_at > _COUNT_AGAIN:
            waiting, leased = self._frontier.left()
            self._counted = self._clock(), waiting
            return waiting or leased
        return waiting

    def record_response(self, url: str, at: float) -> None:
        """The host's answer to a leased URL is over: it rests from ``at`` on."""
        self._answers.append((url, at))
        self._lease_after = 0.0

    def slow_down(self, host: str, delay: float) -> None:
        """The host asks for this delay."""
        self._frontier.slow_down(host, delay)

    def rest(self, host: str, until: float) -> None:
        """Ask the host for nothing before ``until``."""
        self._frontier.rest(host, until)

    def put_back(self, url: str) -> None:
        """Let a leased URL wait again as if never leased."""
        self.send_responses()
        self._frontier.put_back(url)
        self._lease_after = 0.0

    def reopen(self, urls: Iterable[str]) -> None:
        """Nothing: what one worker gave up may have answered another."""

    @property
    def host_count(self) -> int:
        """How many hosts are known, now or a moment ago."""
        now = self._clock()
        if now - self._hosts[0] > _HOSTS_AGAIN:
            self._hosts = now, self._frontier.host_count
        return self._hosts[1]

    def exhausted_urls(self) -> int:
        """How many URLs this worker set aside with spent hosts since this was last asked."""
        count, self._set_aside_count = self._set_aside_count + self._frontier.exhausted_urls(), 0
        return count

    def dropped_urls(self) -> int:
        """How many URLs this worker forgot for want of room since this was last asked."""
        return self._frontier.dropped_urls()

    def _pause(self, now: float) -> None:
        """There is nothing more to lease until a host has rested, or others have added a URL."""
        soon, rested_at = now + self._pause_seconds, self._frontier.next_time(now)
        self._pause_seconds = min(_LONGEST_PAUSE, 2 * self._pause_seconds)
        at = soon if rested_at is None else min(soon, rested_at)
        self._lease_after = max(now + _SHORTEST_PAUSE, at)

    def _is_done(self, url: str) -> bool:
        """Is a URL that was just leased to be closed? Then its host is not asked for it."""
        if url in self._closings:
            self._closings[url] = False
        return url in self._closings

    def _admitted(self, url: str) -> Admission:
        """What becomes of a link to this URL; a further one adds to the first."""
        if url in self._closings:
            return Admission.CLOSED
        admission = self._known.get(url, Admission.RESCORED)
        if admission is Admission.NEW:
            self._known[url] = Admission.RESCORED
        return admission

    # Page n of this worker is n to itself; those of others have their number above.

    def _outgoing(self, link: ScoredLink) -> ScoredLink:
        """The link as all workers know it."""
        inlink = link.inlink
        if inlink is None:
            return link
        source = inlink.source * WORKERS + self._worker
        # dataclasses.replace takes six times as long.
        return ScoredLink(link.url, link.depth, Inlink(source, inlink.score, inlink.anchor))

    def _incoming(self, candidate: Candidate) -> Candidate:
        """The candidate as this worker names pages."""
        inlinks = []
        for inlink in candidate.inlinks:
            number, worker = divmod(inlink.source, WORKERS)
            source = number if worker == self._worker else global_page_number(worker, number)
            inlinks.append(Inlink(source, inlink.score, inlink.anchor))
        return replace(candidate, inlinks=tuple(inlinks))
