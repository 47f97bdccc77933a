"""Single fetches outside a crawl, one after the other, as polite and as careful as a crawl.

robots.txt is obeyed, hosts rest between two requests, private addresses stay closed, bodies and
times are bounded. What a crawl would request again later counts as missing here.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from scenthound.core.crawl_loop import MAX_REDIRECTS
from scenthound.core.model import Page
from scenthound.core.protocols import Clock
from scenthound.core.urls import host_of
from scenthound.fetch.client import (
    HOST_DOWN,
    TIMEOUT,
    UNREADABLE_PAGE,
    DownloaderClient,
    DownloaderError,
    FetchError,
    FetchRequest,
    FetchResponse,
    Message,
    Purpose,
    unwanted_type,
)
from scenthound.fetch.network import Network
from scenthound.fetch.robots import (
    BY_ROBOTS,
    UNREACHABLE,
    UNREADABLE,
    RobotsRules,
    RobotsRulesCache,
    origin_of,
    robots_url,
)
from scenthound.storage.pages import REDIRECTS

HOST_FAILURES = frozenset({*HOST_DOWN, TIMEOUT, "status 429", "status 503"})
"""After one of these a host gets no more requests."""
_TICK = 0.5


@dataclass(frozen=True, slots=True)
class FetchedUrl:
    """What came: final ``url``, the body with its encodings undone, cut at the body limit.

    ``page`` is there where a page was requested.
    """

    url: str
    content_type: str
    body: bytes
    page: Page | None = None


@dataclass(frozen=True, slots=True)
class FetchFailure:
    """Nothing came, and why."""

    url: str
    reason: str


class Fetcher:
    """Fetches single URLs. Use it as a context manager: it runs a downloader of its own.

    Parameters
    ----------
    network : how requests are made.
    delay : seconds a host rests after a response; its robots.txt may ask for more.
    denied : why the user's rules forbid a URL; None where they allow it.
    clock, sleep : the time, and how to wait.
    downloads : fetch; by default in a process of their own.
    """

    def __init__(
        self,
        network: Network,
        delay: float = 1.0,
        *,
        denied: Callable[[str], str | None] = lambda url: None,
        clock: Clock = time.time,
        sleep: Callable[[float], None] = time.sleep,
        downloads: DownloaderClient | None = None,
    ) -> None:
        self._network = network
        self._delay = delay
        self._denied = denied
        self._clock = clock
        self._sleep = sleep
        # A browser is for crawls: it takes a second request for a page.
        self._downloads = downloads or DownloaderClient(replace(network, javascript=False))
        self._robots = RobotsRulesCache(network.user_agent, clock)
        self._unreadable: dict[str, FetchFailure] = {}
        self._ended: dict[str, float] = {}
        self._host_delays: dict[str, float] = {}
        self._failed_hosts: dict[str, str] = {}

    def __enter__(self) -> Self:
        self._downloads.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._downloads.__exit__(*error)

    def file(self, url: str) -> FetchedUrl | FetchFailure:
        """Fetch the canonical ``url``, whatever its type; redirects are followed."""
        return self._follow(url, Purpose.FILE)

    def page(self, url: str) -> FetchedUrl | FetchFailure:
        """Fetch and read the page at the canonical ``url``; other types stop at their headers."""
        return self._follow(url, Purpose.PAGE)

    def call(self, url: str) -> FetchedUrl | FetchFailure:
        """Fetch the response of a service that the user has named.

        Its robots.txt is not read: it speaks to crawlers. A redirect to another host is not
        followed: the user has named this one.
        """
        return self._follow(url, Purpose.FILE, named=True)

    def sitemaps(self, url: str) -> tuple[str, ...] | FetchFailure:
        """The sitemaps that the robots.txt of this URL's site names.

        A FetchFailure where that cannot be read: then nothing of the site may be fetched.
        """
        rules = self._allowed_rules(url)
        return rules if isinstance(rules, FetchFailure) else rules.sitemaps

    def forbids(self, url: str) -> bool:
        """Does a robots.txt that has been read already forbid the canonical ``url``?"""
        rules = self._robots.state(origin_of(url))
        return rules is not None and not rules.allows(url)

    def _follow(self, url: str, purpose: Purpose, named: bool = False) -> FetchedUrl | FetchFailure:
        first = url
        for _ in range(MAX_REDIRECTS + 1):
            if not named:
                rules = self._allowed_rules(url)
                if isinstance(rules, FetchFailure):
                    return FetchFailure(first, rules.reason)
                if not rules.allows(url):
                    return FetchFailure(first, BY_ROBOTS)
            message = self._send(FetchRequest(url, purpose))
            if isinstance(message, FetchError):
                return FetchFailure(first, message.reason)
            if message.status not in REDIRECTS:
                return self._result(first, message)
            target = message.redirect_target
            if target is None:
                return FetchFailure(first, f"{message.reason} without a usable Location")
            if named and host_of(target) != host_of(first):
                return FetchFailure(first, f"it redirects to {target}")
            url = target
        return FetchFailure(first, "endless redirects")

    def _result(self, first: str, response: FetchResponse) -> FetchedUrl | FetchFailure:
        if not 200 <= response.status < 300:
            return FetchFailure(first, response.reason)
        url, kind = response.request.url, response.header("content-type")
        if response.request.purpose is Purpose.PAGE:
            unwanted = unwanted_type(kind, url, self._network.pdf)
            if unwanted is not None or response.page is None:
                return FetchFailure(first, unwanted or "no page")
        return FetchedUrl(url, kind, response.content(self._network.max_body), response.page)

    def _allowed_rules(self, url: str) -> RobotsRules | FetchFailure:
        """The rules of the URL's site, unless the user's rules forbid the URL.

        A robots.txt that cannot be read is not requested twice.
        """
        denied, origin = self._denied(url), origin_of(url)
        if denied is not None:
            return FetchFailure(url, denied)
        known = self._unreadable.get(origin) or self._robots.state(origin)
        if known is not None:
            return known
        request = FetchRequest(robots_url(origin), Purpose.ROBOTS, origin)
        message = self._send(request)
        for hop in range(1, MAX_REDIRECTS + 1):  # as RFC 9309 wants
            target = message.redirect_target if isinstance(message, FetchResponse) else None
            if target is None:
                break
            message = self._send(FetchRequest(target, Purpose.ROBOTS, origin, hop))
        status, body = UNREACHABLE, b""
        if isinstance(message, FetchResponse):
            status, body = message.status, message.content(self._network.max_body)
        rules = self._robots.learn(origin, status, body)
        if rules.temporary:
            failure = FetchFailure(origin, f"{UNREADABLE}: {message.reason}")
            return self._unreadable.setdefault(origin, failure)
        if rules.delay is not None:
            self._host_delays[host_of(origin + "/")] = rules.delay
        return rules

    def _send(self, request: FetchRequest) -> Message:
        """The response, once the host has rested; a host that fails gets no further request."""
        host = host_of(request.url)
        if host in self._failed_hosts:
            return FetchError(request, self._clock(), self._failed_hosts[host], False)
        delay = max(self._delay, self._host_delays.get(host, 0.0))
        wait = self._ended.get(host, -delay) + delay - self._clock()
        if wait > 0:
            self._sleep(wait)
        self._downloads.fetch([request])
        message = self._receive(request)
        self._ended[host] = message.ended
        if message.reason in HOST_FAILURES:
            self._failed_hosts[host] = message.reason
        return message

    def _receive(self, request: FetchRequest) -> Message:
        """Wait for the response; what the downloader hangs or dies over cannot be read."""
        lost_at = self._clock() + 2 * self._network.timeout
        while self._clock() < lost_at and not self._downloads.hangs():
            try:
                message = self._downloads.inbox.get(timeout=_TICK)
            except queue.Empty:
                continue
            if isinstance(message, DownloaderError):
                break
            # A late response to an earlier request, which was given up, is passed over.
            if message.request == request:
                return message
        self._downloads.restart()
        return FetchError(request, self._clock(), UNREADABLE_PAGE, False)
