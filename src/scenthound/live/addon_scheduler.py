"""The scheduler of the add-on: the best request next, in a frontier as large as the disk.

A second link to a waiting URL adds its evidence instead of being dropped. Hosts that have all the
requests they may have at once are passed over, so a slow one cannot fill the downloader.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Self

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler

from scenthound.core.model import Candidate, Sighting
from scenthound.core.protocols import Admission, Clock
from scenthound.frontier.manners import Manners
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.live.addon_focus import Focus, focus_of
from scenthound.live.addon_notes import META, note_of, noted
from scenthound.live.addon_requests import RequestTable, request_key
from scenthound.live.addon_under_way import UnderWay
from scenthound.store.database import open_database

DATABASE_FILE = "scenthound.sqlite"
_COMMITTED_EVERY = 1.0
_NEVER = 1e12
"""Leases do not expire: Scrapy answers for every request."""


class BestFirstScheduler(BaseScheduler):
    """Hands out the best request among the hosts that may be asked now.

    Parameters
    ----------
    crawler : whose downloader says which requests are under way.
    focus : the topic, and the strategy that chooses.
    per_host : requests to one host at once.
    clock : the time.
    """

    def __init__(
        self, crawler: Crawler, focus: Focus, per_host: int, clock: Clock = time.time
    ) -> None:
        self._crawler = crawler
        self._focus = focus
        self._manners = Manners(per_host=max(1, per_host))
        self._clock = clock
        self._under_way = UnderWay()
        self._opened_at = self._committed_at = clock()
        self._unfiltered = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """As Scrapy makes it."""
        at_once = crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        return cls(crawler, focus_of(crawler), at_once)

    def open(self, spider: Spider) -> None:
        """Open the frontier: that of the job folder, or one that ends with the process."""
        self._database = _opened(self._focus.job)
        self._database.execute("BEGIN")
        self._frontier = SqliteFrontier(
            self._database, self._focus.combination, self._manners, _NEVER, self._clock()
        )
        self._requests = RequestTable(self._database, spider)

    def close(self, reason: str) -> None:
        """Scrapy has ended what was under way; what waits is kept for the next run of the job."""
        with closing(self._database):
            for key in self._under_way.all():
                self._ack(key)
            self._database.execute("COMMIT")
            self._focus.save()

    def has_pending_requests(self) -> bool:
        """Does any request wait?"""
        return len(self._frontier) > 0

    def enqueue_request(self, request: Request) -> bool:
        """Let a request wait, or add its evidence to the same one; False for the latter."""
        key = self._key(request)
        inlink = note_of(request).inlink(request.priority)
        depth = int(request.meta.get("depth", 0))
        (admission,) = self._frontier.add([Sighting(key, depth, inlink)])
        if admission is Admission.NEW:
            kept = "disk" if self._requests.put(key, request) else "memory"
            self._count("scheduler/enqueued")
            self._count(f"scheduler/enqueued/{kept}")
            return True
        self._count(
            "scenthound/rescored" if admission is Admission.RESCORED else "dupefilter/filtered"
        )
        return False

    def next_request(self) -> Request | None:
        """The best request; None when none waits whose host may be asked now."""
        self._settle()
        while (candidate := self._choose()) is not None:
            request = self._requests.get(candidate.url)
            if request is not None:
                self._hand_out(request, candidate)
                return request
            self._frontier.ack(candidate.url)  # it waited in the memory of an earlier run
            self._count("scenthound/lost")
        return None

    def done(self, request: Request) -> None:
        """The callback of a request has had its say: the request is dealt with for good."""
        about = request.meta.get(META)
        key = about.get("key") if isinstance(about, dict) else None
        if isinstance(key, str):
            self._under_way.end(key)
            self._ack(key)

    def _choose(self) -> Candidate | None:
        return self._focus.strategy.policy.choose(self._frontier, self._clock())

    def _hand_out(self, request: Request, candidate: Candidate) -> None:
        note = noted(candidate, request.priority)
        note.write(request, key=candidate.url, linked_from=candidate.linked_from)
        self._under_way.begin(request, candidate.url)
        self._count("scheduler/dequeued")

    def _settle(self) -> None:
        """Take note of what has left the downloader, and write it down now and then."""
        now = self._clock()
        engine = self._crawler.engine
        assert engine is not None
        for key in self._under_way.leaving(engine.downloader.active, now):
            self._frontier.answered(key, now)
        for key in self._under_way.forgotten(now):
            self._ack(key)
        if now - self._committed_at >= _COMMITTED_EVERY:
            self._database.execute("COMMIT")
            self._database.execute("BEGIN")
            self._committed_at = now

    def _ack(self, key: str) -> None:
        self._frontier.ack(key)
        self._requests.drop(key)

    def _key(self, request: Request) -> str:
        engine, fingerprinter = self._crawler.engine, self._crawler.request_fingerprinter
        assert engine is not None and fingerprinter is not None
        serial = ""
        if request.dont_filter and not _starts(request):
            self._unfiltered += 1
            serial = f"{self._opened_at:.6f}-{self._unfiltered}"
        slot = engine.downloader.get_slot_key(request)
        return request_key(slot, fingerprinter.fingerprint(request), serial)

    def _count(self, what: str) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(what)


def _starts(request: Request) -> bool:
    """Is it a start request, which Scrapy marks as not to be filtered, at its first try?

    A start page is fetched once, also when the job goes on.
    """
    meta = request.meta
    return bool(meta.get("is_start_request")) and not (
        "redirect_times" in meta or "retry_times" in meta
    )


def _opened(job: Path | None) -> sqlite3.Connection:
    """The database of a job; without one a temporary file of SQLite's."""
    if job is None:
        return sqlite3.connect("", isolation_level=None)
    path = job / DATABASE_FILE
    return open_database(path, new=not (path.exists() and path.stat().st_size))
