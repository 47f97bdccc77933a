"""The scheduler of the add-on: the best request next, in a frontier as large as the disk. A
second link to a waiting URL adds its evidence instead of being dropped. Hosts that have all
the requests they may have at once are passed over, so a slow one cannot fill the downloader.
"""

from __future__ import annotations

import io
import logging
import pickle
import sqlite3
import time
from collections.abc import Collection, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import quote

from scrapy import Request, Spider
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.dupefilters import BaseDupeFilter
from scrapy.utils.misc import load_object
from scrapy.utils.request import request_from_dict

from scenthound.core.errors import ScenthoundError
from scenthound.core.model import (
    Candidate,
    Combination,
    Evidence,
    Inlink,
    Reweight,
    Score,
    ScoredLink,
)
from scenthound.core.protocols import Clock, SupportsRevision
from scenthound.crawler.scrapy_addon.focus import (
    Focus,
    Note,
    address_of,
    focus_of,
    is_start,
    note_of,
)
from scenthound.frontier.politeness import PolitenessPolicy
from scenthound.frontier.sqlite import SqliteFrontier
from scenthound.storage.database import open_database

_BAND = 1_000.0
"""What one step of a request's own priority is worth: more than any score."""
_MAX_SCORE = 400.0
"""Scores are cut to this: the lowest of one priority stays above the next lower ``_START``."""
_START = 500.0


@dataclass(slots=True)
class RequestPriority:
    """Priority and scores, apart: scores combine, and a priority is never averaged.

    ``priority`` is the highest of all its requests. ``start`` says that the request came once
    without a score: a start request, or one from elsewhere than a callback.
    """

    priority: int
    start: bool = False
    evidence: Evidence = field(default_factory=lambda: Evidence(depth=0))

    def see(self, note: Note, priority: int, how: Combination) -> None:
        """Count one more request for the same."""
        self.priority = max(self.priority, priority)
        self.start = self.start or note.score is None
        self.evidence.add_link(ScoredLink("", 0, note.inlink()), how)

    @property
    def score(self) -> float | None:
        """The combined score of the links; None where there is none."""
        return self.evidence.score if self.evidence.link_count else None

    @property
    def standing(self) -> float:
        """The place in the queue: by priority, then start requests, then by score."""
        within = _START
        if not self.start and self.score is not None:
            within = max(-_MAX_SCORE, min(_MAX_SCORE, self.score))
        return self.priority * _BAND + within

    def note(self) -> Note:
        """The note for the request when its turn has come."""
        if self.score is None:
            return Note()
        best = self.evidence.inlinks[0]
        score = Score(self.score, self.evidence.parts)
        return Note.of(score, best.anchor, best.source, self.evidence.link_count)

    def reweight(self, weigh: Reweight, how: Combination) -> None:
        """Score every link with other weights; without any it stays as it is."""
        if self.evidence.link_count:
            self.evidence.reweight(weigh, how)


# Waiting requests: the objects themselves, or pickled dicts as in Scrapy's own disk queues. So a
# job folder is trusted like code, as it is in Scrapy: a pickle can call any function.

_TABLE = """
CREATE TABLE IF NOT EXISTS addon_known (
    key TEXT PRIMARY KEY, slot TEXT NOT NULL, claim BLOB, request BLOB
) WITHOUT ROWID
"""
_BLOCKED = (pickle.PicklingError, AttributeError, TypeError, ValueError, RecursionError)
"""What to_dict and pickle raise for a callback without a name, or something odd in the meta."""
_STALE = (
    pickle.UnpicklingError, AttributeError, ImportError, EOFError, LookupError,
    TypeError, ValueError,
)  # fmt: skip
"""What pickle and Scrapy raise where a callback or a class has gone since."""


class LostRequestError(ScenthoundError):
    """A request cannot be had any more; the message says why."""


class RequestTable:
    """Requests by key, each with its priority; a key that was seen once stays known.

    The table has no request for a key that is done or in memory. A request that is not written
    stays the object it was, shared with the spider, and is lost with the process.

    Parameters
    ----------
    database : where they are written; transactions are its owner's.
    spider : whose methods the callbacks are.
    writes : put requests on disk; those that cannot be written (their callback is a lambda,
        their meta holds a socket) still wait in memory.
    """

    def __init__(self, database: sqlite3.Connection, spider: Spider, writes: bool) -> None:
        database.execute(_TABLE)
        self._database = database
        self._spider = spider
        self._writes = writes
        self._in_memory: dict[str, tuple[RequestPriority, Request]] = {}

    def put(self, key: str, slot: str, priority: RequestPriority, request: Request) -> bool:
        """Store a request; returns whether it is on disk."""
        written = None
        if self._writes:
            with suppress(*_BLOCKED):
                written = pickle.dumps(request.to_dict(spider=self._spider), protocol=4)
        if written is None:
            self._in_memory[key] = priority, request
        row = (key, slot, None if written is None else pickle.dumps(priority), written)
        self._database.execute("INSERT OR REPLACE INTO addon_known VALUES (?, ?, ?, ?)", row)
        return written is not None

    def slot(self, key: str) -> str | None:
        """The download slot under which a key was seen first; None for one never seen."""
        return self._row(key)[0]

    def priority(self, key: str) -> RequestPriority | None:
        """The priority of a request so far; None for one that is not here."""
        if key in self._in_memory:
            return self._in_memory[key][0]
        with suppress(LostRequestError):
            return _priority(self._row(key)[1])
        return None

    def set_priority(self, key: str, priority: RequestPriority) -> None:
        """Store the priority of a request."""
        if key in self._in_memory:
            self._in_memory[key] = priority, self._in_memory[key][1]
            return
        row = (pickle.dumps(priority), key)
        self._database.execute("UPDATE addon_known SET claim = ? WHERE key = ?", row)

    def get(self, key: str) -> tuple[RequestPriority, Request]:
        """The request and its priority; LostRequestError where it cannot be read."""
        if key in self._in_memory:
            return self._in_memory[key]
        _, priority, request = self._row(key)
        try:
            return _priority(priority), request_from_dict(_unpickled(request), spider=self._spider)
        except _STALE as error:
            raise LostRequestError(str(error)) from None

    def drop(self, key: str) -> None:
        """The request is done."""
        if self._in_memory.pop(key, None) is None:
            self._database.execute(
                "UPDATE addon_known SET claim = NULL, request = NULL WHERE key = ?", (key,)
            )

    def _row(self, key: str) -> tuple[str | None, bytes | None, bytes | None]:
        found = self._database.execute(
            "SELECT slot, claim, request FROM addon_known WHERE key = ?", (key,)
        ).fetchone()
        return found or (None, None, None)


def request_address(slot: str, key: str) -> str:
    """The request as the frontier knows it: an address whose host is the download slot.

    A slot is what Scrapy's downloader delays and limits together, mostly a host.
    """
    return f"request://{quote(slot, safe='')}/{key}"


def key_of(address: str) -> str:
    """The key in an address."""
    return address.rpartition("/")[2]


class _StoredEvidence(Evidence):
    """Evidence as version 0.1 wrote it, where a field had another name."""

    def __setstate__(self, state: tuple[None, dict[str, Any]]) -> None:
        values = dict(state[1])
        if "sightings" in values:
            values["link_count"] = values.pop("sightings")
        for name, value in values.items():
            setattr(self, name, value)


_MOVED = {"Claim": RequestPriority, "Evidence": _StoredEvidence}
"""Classes in job folders of version 0.1, which were in other modules."""


class _Unpickler(pickle.Unpickler):
    """Reads what any version has written."""

    def find_class(self, module: str, name: str) -> Any:
        """The class of this name, wherever it is now."""
        if module.startswith("scenthound.") and name in _MOVED:
            return _MOVED[name]
        return super().find_class(module, name)


def _unpickled(written: bytes | None) -> Any:
    if written is None:
        raise LostRequestError("it waited in the memory of an earlier run")
    try:
        return _Unpickler(io.BytesIO(written)).load()
    except _STALE as error:
        raise LostRequestError(str(error)) from None


def _priority(written: bytes | None) -> RequestPriority:
    priority = _unpickled(written)
    if not isinstance(priority, RequestPriority):
        raise LostRequestError("what speaks for it was written by another version")
    return priority


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
