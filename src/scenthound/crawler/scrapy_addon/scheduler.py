"""The scheduler of the add-on: the best request next, in a frontier as large as the disk. A
second link to a waiting URL adds its evidence instead of being dropped. Hosts that have all
the requests they may have at once are passed over, so a slow one cannot fill the downloader.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Self

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.dupefilters import BaseDupeFilter
from scrapy.utils.misc import load_object

from scenthound.core.model import Candidate, Combination, Inlink, Score, ScoredLink
from scenthound.core.protocols import Clock, SupportsRevision
from scenthound.crawler.scrapy_addon.focus import Focus, address_of, focus_of, is_start, note_of
from scenthound.crawler.scrapy_addon.requests import (
    LostRequestError,
    RequestPriority,
    RequestTable,
    key_of,
    request_address,
)
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.storage.database import open_database

LOST_AFTER = 60.0
"""Seconds after which a request that left the downloader without reaching a callback is done."""


@dataclass(slots=True)
class InFlightRequests:
    """Addresses of requests that are handed out: in the downloader, and behind it."""

    downloading: dict[Request, str] = field(default_factory=dict)
    """By the object itself, since the downloader's ``active`` is a set of the same objects."""
    left: dict[str, float] = field(default_factory=dict)
    """When each one left the downloader, first one first."""

    def leaving(self, active: Collection[Request], now: float) -> list[str]:
        """Those that are no longer in the downloader: a response, a failure, or dropped."""
        gone = [request for request in self.downloading if request not in active]
        addresses = [self.downloading.pop(request) for request in gone]
        self.left.update(dict.fromkeys(addresses, now))
        return addresses

    def lost(self, now: float) -> Iterator[str]:
        """Those that left long ago: an error, a redirect, or something a middleware dropped."""
        while self.left:
            address = next(iter(self.left))
            if self.left[address] > now - LOST_AFTER:
                return
            del self.left[address]
            yield address


DATABASE_FILE = "scenthound.sqlite"
_COMMITTED_EVERY = 1.0
"""Seconds: a commit syncs the disk, and what came after it is fetched again after a kill."""
_NEVER = 1e12
"""Leases do not expire: Scrapy reports the end of every request."""
logger = logging.getLogger(__name__)


class BestFirstScheduler(BaseScheduler):
    """Hands out the best request among the hosts that are free now.

    Parameters
    ----------
    crawler : whose downloader says which requests are under way.
    focus : the topic, and the strategy that chooses.
    per_host : requests to one host at once.
    clock : the time.
    filters : merge requests that are the same; False as if each had ``dont_filter``.
    """

    def __init__(
        self,
        crawler: Crawler,
        focus: Focus,
        per_host: int,
        clock: Clock = time.time,
        filters: bool = True,
    ) -> None:
        self._crawler = crawler
        self._focus = focus
        self._politeness = PolitenessPolicy(per_host=max(1, per_host))
        self._clock = clock
        self._filters = filters
        self._in_flight = InFlightRequests()
        self._opened_at = self._committed_at = clock()
        self._unfiltered = 0
        self._lost = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """As Scrapy makes it."""
        at_once = crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        # Scrapy's shell fetches the same page again and again, and says so in this way.
        filters = load_object(crawler.settings["DUPEFILTER_CLASS"]) is not BaseDupeFilter
        return cls(crawler, focus_of(crawler), at_once, filters=filters)

    def open(self, spider: Spider) -> None:
        """Open the frontier: that of the job folder, or one that ends with the process."""
        if self._focus.job is None:  # a temporary file of SQLite's
            self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        else:
            path = self._focus.job / DATABASE_FILE
            new = not (path.exists() and path.stat().st_size)
            self._database = open_database(path, new)
        self._database.execute("BEGIN")
        # Scores combine in the priorities; the frontier only takes the last value of each.
        self._frontier = SqliteFrontier(
            self._database, Combination.LAST, self._politeness, _NEVER, self._clock()
        )
        self._requests = RequestTable(self._database, spider, writes=self._focus.job is not None)
        scorer = self._focus.strategy.scorer
        if isinstance(scorer, SupportsRevision) and len(self._frontier):
            self._rescore(scorer)  # after a kill they are perhaps those of an earlier page

    def close(self, reason: str) -> None:
        """Scrapy has ended what was under way; what waits is kept for the next run of the job."""
        with closing(self._focus), closing(self._database):
            for address in [*self._in_flight.downloading.values(), *self._in_flight.left]:
                self._ack(address)
            # The frontier first: open() rescores what waits where the saved state is older.
            self._database.execute("COMMIT")
            self._focus.save()

    def has_pending_requests(self) -> bool:
        """Does any request wait?"""
        return len(self._frontier) > 0

    def enqueue_request(self, request: Request) -> bool:
        """Let a request wait, or add its evidence to the same one; False for the latter."""
        key = self._key(request)
        assert self._crawler.engine is not None
        # The slot is part of the address, so it stays that of the first request.
        slot = self._requests.slot(key)
        if slot is None:
            slot = self._crawler.engine.downloader.get_slot_key(request)
        address = request_address(slot, key)
        if self._frontier.is_closed(address):
            self._count("dupefilter/filtered")
            return False
        known = self._requests.priority(key)
        priority = known or RequestPriority(request.priority)
        priority.see(note_of(request), request.priority, self._focus.combination)
        self._frontier.add([ScoredLink(address, 0, Inlink(0, Score(priority.standing)))])
        if known is not None:
            self._requests.set_priority(key, priority)
            self._count("scenthound/rescored")
            return False
        stored = "disk" if self._requests.put(key, slot, priority, request) else "memory"
        self._count("scheduler/enqueued")
        self._count(f"scheduler/enqueued/{stored}")
        return True

    def next_request(self) -> Request | None:
        """The best request; None when none waits whose host is free now."""
        self._settle()
        while (chosen := self._focus.strategy.choose(self._frontier, self._clock())) is not None:
            try:
                return self._hand_out(chosen.url)
            except LostRequestError as error:  # the first one is logged, and all are counted
                self._ack(chosen.url)
                if not self._lost:
                    logger.warning("a waiting request is lost: %s (scenthound/lost counts)", error)
                self._lost += 1
                self._count("scenthound/lost")
        return None

    def done(self, request: Request) -> None:
        """The callback of a request has ended: the request is done for good."""
        address = address_of(request)
        if address is not None:
            self._in_flight.left.pop(address, None)
            self._ack(address)

    def revise(self) -> None:
        """Rescore all that waits, if the strategy has learned other weights."""
        scorer = self._focus.strategy.scorer
        if isinstance(scorer, SupportsRevision) and scorer.revise() is not None:
            self._rescore(scorer)
            self._count("scenthound/revised")

    def _rescore(self, scorer: SupportsRevision) -> None:
        """Rescore all that waits with the weights of now."""

        def standing(candidate: Candidate) -> Score:
            key = key_of(candidate.url)
            priority = self._requests.priority(key)
            if priority is None:  # lost, which is reported when it is chosen
                return candidate.score
            priority.reweight(scorer.reweighed, self._focus.combination)
            self._requests.set_priority(key, priority)
            return Score(priority.standing)

        self._frontier.rescore(standing)

    def _hand_out(self, address: str) -> Request:
        priority, request = self._requests.get(key_of(address))
        if request in self._in_flight.downloading:  # the spider yields the same object twice
            request = request.copy()
        request.priority = priority.priority
        priority.note().write(request, address)
        self._in_flight.downloading[request] = address
        self._count("scheduler/dequeued")
        return request

    def _settle(self) -> None:
        """Take note of what has left the downloader, and write it down now and then."""
        now = self._clock()
        engine = self._crawler.engine
        assert engine is not None
        for address in self._in_flight.leaving(engine.downloader.active, now):
            self._frontier.record_response(address, now)
        for address in self._in_flight.lost(now):
            self._ack(address)
        if now - self._committed_at >= _COMMITTED_EVERY:
            self._database.execute("COMMIT")
            self._database.execute("BEGIN")
            self._committed_at = now

    def _ack(self, address: str) -> None:
        self._frontier.ack(address)
        self._requests.drop(key_of(address))

    def _key(self, request: Request) -> str:
        fingerprinter = self._crawler.request_fingerprinter
        assert fingerprinter is not None
        key = fingerprinter.fingerprint(request).hex()
        if (request.dont_filter or not self._filters) and not is_start(request):
            self._unfiltered += 1  # a number of its own: it is not to be filtered
            return f"{key}-{self._opened_at:.6f}-{self._unfiltered}"
        return key

    def _count(self, what: str) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(what)
