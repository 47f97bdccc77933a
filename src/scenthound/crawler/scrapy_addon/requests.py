"""The requests that wait: each with its priority and the scores of the links to it, in memory or
in a table.
"""

from __future__ import annotations

import io
import pickle
import sqlite3
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from scrapy import Request, Spider
from scrapy.utils.request import request_from_dict

from scenthound.core.errors import ScenthoundError
from scenthound.core.model import Combination, Evidence, Reweight, Score, ScoredLink
from scenthound.crawler.scrapy_addon.focus import Note

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


_MOVED = {
    "Claim": RequestPriority,
    "RequestPriority": RequestPriority,
    "Evidence": _StoredEvidence,
}
"""Classes in job folders, which were in other modules before; of version 0.1, with other names."""


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
        raise LostRequestError("its priority was written by another version")
    return priority
