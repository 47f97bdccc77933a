"""Waiting requests: the objects themselves, or pickled dicts as in Scrapy's own disk queues."""

from __future__ import annotations

import pickle
import sqlite3
from typing import Any, NamedTuple
from urllib.parse import quote

from scrapy import Request, Spider
from scrapy.utils.request import request_from_dict

from scenthound.core.errors import ScenthoundError
from scenthound.live.addon_claim import Claim

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


class _Row(NamedTuple):
    """What the table has of a key; a request that is dealt with, or in memory, is not there."""

    slot: str | None = None
    claim: bytes | None = None
    request: bytes | None = None


class RequestTable:
    """Requests by key, with what speaks for each; a key that was seen once stays known.

    A request that is not written stays the object it was, shared with the spider, and is lost
    with the process.

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
        self._in_memory: dict[str, tuple[Claim, Request]] = {}

    def put(self, key: str, slot: str, claim: Claim, request: Request) -> bool:
        """Keep a request; returns whether it is on disk."""
        written = self._written(request) if self._writes else None
        if written is None:
            self._in_memory[key] = claim, request
        speaks = None if written is None else pickle.dumps(claim)
        self._database.execute(
            "INSERT OR REPLACE INTO addon_known VALUES (?, ?, ?, ?)", (key, slot, speaks, written)
        )
        return written is not None

    def slot(self, key: str) -> str | None:
        """The download slot under which a key was seen first; None for one never seen."""
        return self._row(key).slot

    def claim(self, key: str) -> Claim | None:
        """What speaks for a request so far; None for one that is not here."""
        if key in self._in_memory:
            return self._in_memory[key][0]
        try:
            return _claim(self._row(key).claim)
        except LostRequestError:
            return None

    def strengthen(self, key: str, claim: Claim) -> None:
        """Keep what speaks for a request now."""
        if key in self._in_memory:
            self._in_memory[key] = claim, self._in_memory[key][1]
            return
        self._database.execute(
            "UPDATE addon_known SET claim = ? WHERE key = ?", (pickle.dumps(claim), key)
        )

    def get(self, key: str) -> tuple[Claim, Request]:
        """The request and what speaks for it; LostRequestError where it cannot be had."""
        if key in self._in_memory:
            return self._in_memory[key]
        row = self._row(key)
        return _claim(row.claim), self._request(row.request)

    def drop(self, key: str) -> None:
        """The request has been dealt with."""
        if self._in_memory.pop(key, None) is None:
            self._database.execute(
                "UPDATE addon_known SET claim = NULL, request = NULL WHERE key = ?", (key,)
            )

    def _written(self, request: Request) -> bytes | None:
        try:
            return pickle.dumps(request.to_dict(spider=self._spider), protocol=4)
        except _BLOCKED:
            return None

    def _request(self, written: bytes | None) -> Request:
        try:
            return request_from_dict(_unpickled(written), spider=self._spider)
        except _STALE as error:
            raise LostRequestError(str(error)) from None

    def _row(self, key: str) -> _Row:
        found = self._database.execute(
            "SELECT slot, claim, request FROM addon_known WHERE key = ?", (key,)
        ).fetchone()
        return _Row() if found is None else _Row(*found)


def request_key(fingerprint: bytes, serial: str = "") -> str:
    """What requests have in common that are the same.

    Parameters
    ----------
    fingerprint : the same for requests that are the same.
    serial : tells requests apart that are not to be filtered.
    """
    return f"{fingerprint.hex()}{serial and '-'}{serial}"


def request_address(slot: str, key: str) -> str:
    """The request as the frontier knows it: an address whose host is the download slot.

    A slot is what Scrapy's downloader delays and limits together, mostly a host.
    """
    return f"request://{quote(slot, safe='')}/{key}"


def key_of(address: str) -> str:
    """The key in an address."""
    return address.rpartition("/")[2]


def _claim(written: bytes | None) -> Claim:
    claim = _unpickled(written)
    if not isinstance(claim, Claim):
        raise LostRequestError("what speaks for it was written by another version")
    return claim


def _unpickled(written: bytes | None) -> Any:
    if written is None:
        raise LostRequestError("it waited in the memory of an earlier run")
    try:
        return pickle.loads(written)
    except _STALE as error:
        raise LostRequestError(str(error)) from None
