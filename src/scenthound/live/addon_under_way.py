"""Requests that the scheduler of the add-on has handed out and not heard the last of."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from scrapy import Request

FORGOTTEN_AFTER = 60.0
"""Seconds after which a request that left the downloader without reaching a callback is done."""


@dataclass(slots=True)
class UnderWay:
    """Keys of requests, in the downloader and behind it."""

    downloading: dict[Request, str] = field(default_factory=dict)
    left: dict[str, float] = field(default_factory=dict)
    """When each one left the downloader, first one first."""

    def begin(self, request: Request, key: str) -> None:
        """A request goes to the downloader."""
        self.downloading[request] = key

    def leaving(self, active: Collection[Request], now: float) -> list[str]:
        """Those that are no longer in the downloader: answered, failed, or dropped on the way."""
        gone = [request for request in self.downloading if request not in active]
        keys = [self.downloading.pop(request) for request in gone]
        self.left.update(dict.fromkeys(keys, now))
        return keys

    def forgotten(self, now: float) -> Iterator[str]:
        """Those that left long ago: an error, a redirect, or something a middleware dropped."""
        while self.left:
            key = next(iter(self.left))
            if self.left[key] > now - FORGOTTEN_AFTER:
                return
            del self.left[key]
            yield key

    def end(self, key: str) -> None:
        """The callback has had its say."""
        self.left.pop(key, None)

    def all(self) -> list[str]:
        """Everything, and nothing is under way any more."""
        keys = [*self.downloading.values(), *self.left]
        self.downloading.clear()
        self.left.clear()
        return keys
