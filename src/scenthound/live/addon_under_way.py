"""Requests that the scheduler of the add-on has handed out and not heard the last of."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from scrapy import Request

FORGOTTEN_AFTER = 60.0
"""Seconds after which a request that left the downloader without reaching a callback is done."""


@dataclass(slots=True)
class UnderWay:
    """Addresses of requests, in the downloader and behind it."""

    downloading: dict[Request, str] = field(default_factory=dict)
    left: dict[str, float] = field(default_factory=dict)
    """When each one left the downloader, first one first."""

    def begin(self, request: Request, address: str) -> None:
        """A request goes to the downloader."""
        self.downloading[request] = address

    def has(self, request: Request) -> bool:
        """Is this very object in the downloader?"""
        return request in self.downloading

    def leaving(self, active: Collection[Request], now: float) -> list[str]:
        """Those that are no longer in the downloader: answered, failed, or dropped on the way."""
        gone = [request for request in self.downloading if request not in active]
        addresses = [self.downloading.pop(request) for request in gone]
        self.left.update(dict.fromkeys(addresses, now))
        return addresses

    def forgotten(self, now: float) -> Iterator[str]:
        """Those that left long ago: an error, a redirect, or something a middleware dropped."""
        while self.left:
            address = next(iter(self.left))
            if self.left[address] > now - FORGOTTEN_AFTER:
                return
            del self.left[address]
            yield address

    def end(self, address: str) -> None:
        """The callback has had its say."""
        self.left.pop(address, None)

    def all(self) -> list[str]:
        """Everything, and nothing is under way any more."""
        addresses = [*self.downloading.values(), *self.left]
        self.downloading.clear()
        self.left.clear()
        return addresses
