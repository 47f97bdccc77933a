"""Waiting requests on disk, as Scrapy's own disk queues keep them: pickled dicts."""

from __future__ import annotations

import pickle
import sqlite3
from urllib.parse import quote

from scrapy import Request, Spider
from scrapy.utils.request import request_from_dict

_TABLE = """
CREATE TABLE IF NOT EXISTS addon_requests (key TEXT PRIMARY KEY, request BLOB NOT NULL)
WITHOUT ROWID
"""
_BLOCKED = (pickle.PicklingError, AttributeError, TypeError, ValueError, RecursionError)
"""What to_dict and pickle raise for a callback without a name, or something odd in the meta."""


class RequestTable:
    """Requests by key.

    A request that cannot be written (its callback is a lambda, its meta holds a socket) waits in
    memory, and is lost with the process.

    Parameters
    ----------
    database : where they are written; transactions are its owner's.
    spider : whose methods the callbacks are.
    """

    def __init__(self, database: sqlite3.Connection, spider: Spider) -> None:
        database.execute(_TABLE)
        self._database = database
        self._spider = spider
        self._in_memory: dict[str, Request] = {}

    def put(self, key: str, request: Request) -> bool:
        """Keep a request; returns whether it is on disk."""
        try:
            written = pickle.dumps(request.to_dict(spider=self._spider), protocol=4)
        except _BLOCKED:
            self._in_memory[key] = request
            return False
        self._database.execute(
            "INSERT OR REPLACE INTO addon_requests VALUES (?, ?)", (key, written)
        )
        return True

    def get(self, key: str) -> Request | None:
        """The request; None for one that is lost."""
        if key in self._in_memory:
            return self._in_memory[key]
        row = self._database.execute(
            "SELECT request FROM addon_requests WHERE key = ?", (key,)
        ).fetchone()
        return None if row is None else request_from_dict(pickle.loads(row[0]), spider=self._spider)

    def drop(self, key: str) -> None:
        """The request has been dealt with."""
        if self._in_memory.pop(key, None) is None:
            self._database.execute("DELETE FROM addon_requests WHERE key = ?", (key,))


def request_key(slot: str, fingerprint: bytes, serial: str = "") -> str:
    """The request as the frontier knows it: an address whose host is the download slot.

    Parameters
    ----------
    slot : what Scrapy's downloader delays and limits together, mostly a host.
    fingerprint : the same for requests that are the same.
    serial : tells requests apart that are not to be filtered.
    """
    return f"request://{quote(slot, safe='')}/{fingerprint.hex()}{serial and '/'}{serial}"
