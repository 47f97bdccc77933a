"""Scrapy's HTTP handler with a bound on the head of an answer.

Scrapy bounds bodies and time; a head that never ends would fill the memory within that time.
"""

from __future__ import annotations

from typing import Any

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler
from twisted.web._newclient import HEADER, STATUS
from twisted.web.client import HTTPConnectionPool

MAX_HEAD = 256 * 1024


class BoundedHandler(HTTP11DownloadHandler):
    """Downloads over HTTP/1.1; a connection whose answer has too long a head is aborted."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._pool.retryAutomatically = False  # a second request at once would be impolite
        _bound_heads(self._pool)


def _bound_heads(pool: HTTPConnectionPool) -> None:
    """Every connection of the pool counts the bytes that come before a body."""
    factory = pool._factory

    class Bounded(factory):  # type: ignore[misc, valid-type]
        """The factory of the pool; its protocols count."""

        def buildProtocol(self, addr: Any) -> Any:  # noqa: N802
            """A protocol that gives up on an endless head."""
            protocol = super().buildProtocol(addr)
            protocol.dataReceived = _HeadCount(protocol).received
            return protocol

    pool._factory = Bounded


class _HeadCount:
    """Counts the bytes of the head of each answer on one connection."""

    def __init__(self, protocol: Any) -> None:
        self._protocol = protocol
        self._receive = protocol.dataReceived
        self._parser: object = None
        self._head = 0

    def received(self, data: bytes) -> None:
        """Pass data on, or end the connection."""
        parser = self._protocol._parser
        if parser is not self._parser:  # each answer has a parser of its own
            self._parser, self._head = parser, 0
            if parser is not None:
                parser.MAX_LENGTH = MAX_HEAD  # of one line; Twisted's own 16 kB loses pages
        if parser is not None and parser.state in (STATUS, HEADER):
            if self._head > MAX_HEAD:
                self._protocol.abort()
                return
            self._head += len(data)
        self._receive(data)
