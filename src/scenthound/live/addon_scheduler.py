"""The scheduler of the add-on: the best request next, in a frontier as large as the disk.

A second link to a waiting URL adds its evidence instead of being dropped. Hosts that have all the
requests they may have at once are passed over, so a slow one cannot fill the downloader.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Self

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.dupefilters import BaseDupeFilter
from scrapy.utils.misc import load_object

from scenthound.core.model import Candidate, Inlink, Score, Sighting
from scenthound.core.protocols import Clock, Revising
from scenthound.frontier.combination import Combination
from scenthound.frontier.manners import Manners
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.live.addon_claim import Claim
from scenthound.live.addon_focus import Focus, focus_of
from scenthound.live.addon_notes import address_of, is_start, note_of
from scenthound.live.addon_requests import (
    LostRequestError,
    RequestTable,
    key_of,
    request_address,
    request_key,
)
from scenthound.live.addon_under_way import UnderWay
from scenthound.store.database import open_database

DATABASE_FILE = "scenthound.sqlite"
_COMMITTED_EVERY = 1.0
_NEVER = 1e12
"""Leases do not expire: Scrapy answers for every request."""

logger = logging.getLogger(__name__)


class BestFirstScheduler(BaseScheduler):
    """Hands out the best request among the hosts that may be asked now.

    Parameters
    ----------
    crawler : whose downloader says which requests are under way.
    focus : the topic, and the strategy that chooses.
    per_host : requests to one host at once.
    clock : the time.
    filters : merge requests that are the same; False as if each said ``dont_filter``.
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
        self._manners = Manners(per_host=max(1, per_host))
        self._clock = clock
        self._filters = filters
        self._under_way = UnderWay()
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
        self._database = _opened(self._focus.job)
        self._database.execute("BEGIN")
        # Scores combine in the claims; to the frontier a request stands where the last one says.
        self._frontier = SqliteFrontier(
            self._database, Combination.LAST, self._manners, _NEVER, self._clock()
        )
        self._requests = RequestTable(self._database, spider, writes=self._focus.job is not None)
        scorer = self._focus.strategy.scorer
        if isinstance(scorer, Revising) and len(self._frontier):
            self._reweigh(scorer)  # after a kill they are perhaps those of an earlier page

    def close(self, reason: str) -> None:
        """Scrapy has ended what was under way; what waits is kept for the next run of the job."""
        with closing(self._focus), closing(self._database):
            for address in self._under_way.all():
                self._ack(address)
            self._database.execute("COMMIT")
            self._focus.save()

    def has_pending_requests(self) -> bool:
        """Does any request wait?"""
        return len(self._frontier) > 0

    def enqueue_request(self, request: Request) -> bool:
        """Let a request wait, or add its evidence to the same one; False for the latter."""
        key = self._key(request)
        known_slot = self._requests.slot(key)
        slot = self._slot(request) if known_slot is None else known_slot
        address = request_address(slot, key)
        if self._frontier.is_closed(address):
            self._count("dupefilter/filtered")
            return False
        known = self._requests.claim(key)
        claim = known or Claim(request.priority)
        claim.see(note_of(request), request.priority, self._focus.combination)
        self._frontier.add([Sighting(address, 0, Inlink(0, Score(claim.standing)))])
        if known is None:
            self._let_wait(key, slot, claim, request)
            return True
        self._requests.strengthen(key, claim)
        self._count("scenthound/rescored")
        return False

    def next_request(self) -> Request | None:
        """The best request; None when none waits whose host may be asked now."""
        self._settle()
        while (address := self._choose()) is not None:
            try:
                return self._hand_out(address)
            except LostRequestError as error:
                self._lose(address, error)
        return None

    def done(self, request: Request) -> None:
        """The callback of a request has had its say: the request is dealt with for good."""
        address = address_of(request)
        if address is not None:
            self._under_way.end(address)
            self._ack(address)

    def revise(self) -> None:
        """Value all that waits anew, if the strategy has learnt to weigh in another way."""
        scorer = self._focus.strategy.scorer
        if isinstance(scorer, Revising) and scorer.revise() is not None:
            self._reweigh(scorer)
            self._count("scenthound/revised")

    def _reweigh(self, scorer: Revising) -> None:
        """Let all that waits stand where the weights of now put it."""

        def standing(candidate: Candidate) -> Score:
            key = key_of(candidate.url)
            claim = self._requests.claim(key)
            if claim is None:  # lost, which is told when its turn has come
                return candidate.score
            claim.reweigh(scorer.reweighed, self._focus.combination)
            self._requests.strengthen(key, claim)
            return Score(claim.standing)

        self._frontier.rescore(standing)

    def _let_wait(self, key: str, slot: str, claim: Claim, request: Request) -> None:
        kept = "disk" if self._requests.put(key, slot, claim, request) else "memory"
        self._count("scheduler/enqueued")
        self._count(f"scheduler/enqueued/{kept}")

    def _choose(self) -> str | None:
        candidate = self._focus.strategy.choose(self._frontier, self._clock())
        return None if candidate is None else candidate.url

    def _hand_out(self, address: str) -> Request:
        claim, request = self._requests.get(key_of(address))
        if self._under_way.has(request):  # the spider asks for one and the same object twice
            request = request.copy()
        request.priority = claim.priority
        claim.note().write(request, address)
        self._under_way.begin(request, address)
        self._count("scheduler/dequeued")
        return request

    def _lose(self, address: str, error: LostRequestError) -> None:
        """Go on without a request; the first one is told, and all are counted."""
        self._ack(address)
        if not self._lost:
            logger.warning("a waiting request is lost: %s (scenthound/lost counts them)", error)
        self._lost += 1
        self._count("scenthound/lost")

    def _settle(self) -> None:
        """Take note of what has left the downloader, and write it down now and then."""
        now = self._clock()
        engine = self._crawler.engine
        assert engine is not None
        for address in self._under_way.leaving(engine.downloader.active, now):
            self._frontier.answered(address, now)
        for address in self._under_way.forgotten(now):
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
        serial = ""
        if (request.dont_filter or not self._filters) and not is_start(request):
            self._unfiltered += 1
            serial = f"{self._opened_at:.6f}-{self._unfiltered}"
        return request_key(fingerprinter.fingerprint(request), serial)

    def _slot(self, request: Request) -> str:
        engine = self._crawler.engine
        assert engine is not None
        return engine.downloader.get_slot_key(request)

    def _count(self, what: str) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(what)


def _opened(job: Path | None) -> sqlite3.Connection:
    """The database of a job; without one a temporary file of SQLite's."""
    if job is None:
        return sqlite3.connect("", isolation_level=None, check_same_thread=False)
    path = job / DATABASE_FILE
    return open_database(path, new=not (path.exists() and path.stat().st_size))
