"""Loop of a live crawl, in one thread: lease, request, read, store. Read :class:`FetchLoop` first;
:class:`ResponseHandler` maps a response to the outcome of its URL.
"""

from __future__ import annotations

import queue
import random
import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Protocol

from scenthound.core.errors import warn_caller
from scenthound.core.model import Candidate
from scenthound.core.protocols import Clock, PoliteFrontier
from scenthound.core.urls import PRIVATE, host_of
from scenthound.crawler.control import TICK, ControlSignal
from scenthound.fetch.client import (
    HOST_DOWN,
    NO_BROWSER,
    OFFLINE,
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
from scenthound.fetch.robots import (
    BY_ROBOTS,
    UNREADABLE,
    RobotsClearance,
    RobotsRulesCache,
)
from scenthound.storage.pages import REDIRECTS


class CandidateSource(Protocol):
    """A crawl, or the fetching of example pages before it: decides what the loop requests."""

    @property
    def stop_reason(self) -> str | None:
        """Return the reason for stopping; None while it runs."""

    def next(self) -> Candidate | None:
        """Return the next candidate to request; None for nothing now."""

    def candidate(self, url: str) -> Candidate | None:
        """Return the candidate that is leased under this URL, if it still is."""

    def redirected(self, url: str, target: str) -> str:
        """Follow a redirect to ``target``; returns the outcome."""

    def rejected(self, url: str, reason: str) -> None:
        """Close a URL that must not be fetched."""

    def failed(self, url: str, reason: str, retry_at: float | None) -> None:
        """Record a failure; the URL is retried at ``retry_at``, or given up where that is None."""

    def control(self, what: str) -> None:
        """Record a control event, such as an outage."""

    def release(self, url: str) -> None:
        """Release a URL that was leased and never requested."""


class Outage:
    """Detects that the network or the proxy is down.

    An outage begins after ``failures`` in a row on ``hosts`` hosts. A single response ends it.
    """

    def __init__(self, failures: int = 10, hosts: int = 4) -> None:
        self._max_failures, self._max_hosts = failures, hosts
        self._failures = 0
        self._hosts: set[str] = set()
        self.on = False

    def failed(self, host: str) -> bool:
        """Count a host that did not respond; True where that begins an outage."""
        self._failures += 1
        if len(self._hosts) < self._max_hosts:  # bounds memory
            self._hosts.add(host)
        before = self.on
        if self._failures >= self._max_failures and len(self._hosts) >= self._max_hosts:
            self.on = True
        return self.on and not before

    def responded(self) -> bool:
        """Reset after a response; True where that ends an outage."""
        ended = self.on
        self.on, self._failures = False, 0
        self._hosts.clear()
        return ended


@dataclass(frozen=True, slots=True)
class Retries:
    """Retry policy: the number of retries, and the seconds before the first one."""

    most: int
    wait: float
    rng: random.Random

    def at(self, candidate: Candidate, now: float, least: float = 0.0) -> float | None:
        """Return when to retry, after ``least`` seconds or more; None to give the URL up."""
        if candidate.attempts >= self.most:
            return None
        return now + max(least, self.pause(candidate))

    def pause(self, candidate: Candidate) -> float:
        """Return the seconds before the next retry: doubled each time, up to 1 h.

        A random number shortens the wait by up to a half, so that URLs that failed together are
        not retried together.
        """
        longest = min(_LONGEST_RETRY, self.wait * 2.0 ** min(candidate.attempts, 60))
        return longest * (1.0 - self.rng.random() / 2.0)


_LONGEST_RETRY = 3600.0
_OVERLOADED = frozenset({429, 500, 502, 503, 504})  # retried; other errors are stored as pages
_RETRY_AFTER_STATUSES = frozenset({429, 503})  # these concern the whole host, so it rests


LONGEST_RETRY_AFTER = 24 * 3600.0
"""Seconds. A server could otherwise park its URLs for years."""
_SECONDS = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,9})?")


def retry_after(value: str | None, now: float) -> float | None:
    """Return the seconds of a Retry-After header, from 0 to a day; None for none, or junk.

    ``now`` is the time in seconds since 1970; the header may name a date instead of a number.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return min(LONGEST_RETRY_AFTER, float(text))
    try:
        date = parsedate_to_datetime(text)
        if date.tzinfo is None:  # "-0000": UTC, from a sender that does not know its own zone
            date = date.replace(tzinfo=UTC)
        return min(LONGEST_RETRY_AFTER, max(0.0, date.timestamp() - now))
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


class ResponseHandler:
    """Reports the outcome of every message to the source and to the frontier.

    Call :meth:`begin` first: it sets the source.
    """

    _source: CandidateSource
    _on_page: Callable[[FetchResponse], None]
    _on_redirect: Callable[[FetchResponse], None]

    def __init__(self, frontier: PoliteFrontier, retries: Retries, clock: Clock, pdf: bool) -> None:
        self._frontier = frontier
        self._retries = retries
        self._clock = clock
        self._pdf = pdf
        self._outage = Outage()
        self.wait_until = 0.0
        """Time before which nothing is requested: the network is down."""

    @property
    def is_offline(self) -> bool:
        """Whether there is an outage."""
        return self._outage.on

    def begin(
        self,
        source: CandidateSource,
        on_page: Callable[[FetchResponse], None],
        on_redirect: Callable[[FetchResponse], None],
    ) -> None:
        """Set the source, and the callbacks for responses with pages and with redirects."""
        self._source, self._on_page, self._on_redirect = source, on_page, on_redirect

    def read(self, message: Message) -> None:
        """Report the outcome of a message."""
        source, url = self._source, message.request.url
        candidate = source.candidate(url)
        if candidate is None:  # the lease has expired: the URL is requested again
            return
        if isinstance(message, FetchError):
            self._fail(candidate, message.reason, message.may_retry)
        elif message.status in REDIRECTS:
            target = message.redirect_target
            if target is None:
                source.rejected(url, f"{message.reason} without a usable Location")
            else:
                self._on_redirect(message)
                source.redirected(url, target)
        elif message.status in _OVERLOADED:
            self._rest_overloaded(candidate, message)
        elif (rejection := self._rejected_type(message)) is not None:
            source.rejected(url, rejection)
        elif message.cut == "disconnect" and candidate.attempts < self._retries.most:
            self._fail(candidate, "broken answer: the body is cut", True)
        else:
            self._on_page(message)

    def _rejected_type(self, response: FetchResponse) -> str | None:
        """Return the rejection by content type; None for pages, and for errors of any type."""
        if not 200 <= response.status < 300:
            return None
        return unwanted_type(response.header("content-type"), response.request.url, self._pdf)

    def _rest_overloaded(self, candidate: Candidate, response: FetchResponse) -> None:
        """Let an overloaded host rest for its Retry-After, or for a retry wait."""
        now = self._clock()
        least = retry_after(response.header("retry-after") or None, now) or 0.0
        retry_at = self._retries.at(candidate, now, least)
        if response.status in _RETRY_AFTER_STATUSES:
            wait = max(least, self._retries.pause(candidate))
            self._frontier.rest(host_of(candidate.url), now + wait)
        self._source.failed(candidate.url, response.reason, retry_at)

    def reject(self, candidate: Candidate, reason: str, may_retry: bool) -> None:
        """Report a candidate that is not cleared by the robots.txt of its site."""
        if reason == BY_ROBOTS:
            self._source.rejected(candidate.url, BY_ROBOTS)
        elif reason:
            self._fail(candidate, reason, may_retry)
        else:
            self._put_back(candidate.url)

    def _fail(self, candidate: Candidate, reason: str, may_retry: bool) -> None:
        """Retry a candidate later, or give it up."""
        if reason.endswith(PRIVATE):
            self._source.rejected(candidate.url, PRIVATE)
            return
        if reason.endswith(OFFLINE):
            if self._outage.failed(host_of(candidate.url)):
                self._source.control("outage")
            if self._outage.on:
                self._wait_for_network(candidate.url)
                return
        now = self._clock()
        retry_at = self._retries.at(candidate, now) if may_retry else None
        if retry_at is not None and (reason in HOST_DOWN or reason.startswith(UNREADABLE)):
            self._frontier.rest(host_of(candidate.url), retry_at)
        self._source.failed(candidate.url, reason, retry_at)

    def _wait_for_network(self, url: str) -> None:
        """Put the URL back until the network may be up again; it does not count as an attempt."""
        self._put_back(url)
        self.wait_until = self._clock() + self._retries.wait
        self._frontier.rest(host_of(url), self.wait_until)

    def network_is_back(self) -> None:
        """Record a response; it ends an outage."""
        if self._outage.responded():
            self._source.control("network back")

    def put_back(self, urls: Iterable[str]) -> None:
        """Put back those of the URLs that are leased."""
        for url in urls:
            if self._source.candidate(url) is not None:
                self._put_back(url)

    def _put_back(self, url: str) -> None:
        """Return a leased URL to the frontier."""
        self._source.release(url)
        self._frontier.put_back(url)


BROWSER_LOST = "the browser does not start again: from now on pages are read without scripts"
_RECHECK_SECONDS = 0.02
_STALLED_SECONDS = 60.0
"""Seconds without a request after which leases may have expired, as in a pause or an outage."""


class FetchLoop:
    """Requests the candidates of a source and reports what came back.

    The downloader is a process of its own and WARC files are compressed in a thread, so neither
    waits for the other; bounded numbers of pages wait between them. Requests come before reading:
    however slow a page is to score, a free host gets a request before the next page is read.

    Parameters
    ----------
    concurrency : requests in flight at once. As many responses may wait to be read, less one: with
        1 every page is read before the next is chosen.
    delay : seconds a host rests after a response.
    lost_after : seconds after which a request without a response is given up.
    from_local : converts the time of this machine, which the downloader uses, to that of
        ``clock``; None where they are the same.
    pdf : whether PDF documents are pages.
    """

    def __init__(
        self,
        *,
        frontier: PoliteFrontier,
        downloads: DownloaderClient,
        robots: RobotsRulesCache,
        concurrency: int,
        delay: float,
        retries: Retries,
        lost_after: float,
        clock: Clock,
        from_local: Callable[[float], float] | None = None,
        pdf: bool = False,
    ) -> None:
        self._frontier = frontier
        self._has_warned = False
        self._downloads = downloads
        self._concurrency = concurrency
        self._clock = clock
        self._from_local = from_local or (lambda local: local)
        self._handler = ResponseHandler(frontier, retries, clock, pdf)
        self._clearance = RobotsClearance(robots, frontier, delay, self._handler.reject)
        self._requested_at = clock()
        self._lost_after = lost_after
        self._in_flight: dict[FetchRequest, float] = {}
        self._unread: deque[Message] = deque()

    @property
    def in_flight(self) -> int:
        """Number of pages requested and not read yet."""
        return self._pages_in_flight + len(self._unread)

    @property
    def is_idle(self) -> bool:
        """Whether there is no response to read."""
        return not self._unread

    @property
    def _pages_in_flight(self) -> int:
        return sum(request.purpose is Purpose.PAGE for request in self._in_flight)

    def add_response(self, response: FetchResponse) -> None:
        """Add a response that came before the crawl; it is read first."""
        self._unread.append(response)

    def receive_messages(self) -> None:
        """Receive messages during long work, so that hosts rest; they are read later."""
        self._receive(0.0)

    def run(
        self,
        source: CandidateSource,
        on_page: Callable[[FetchResponse], None],
        control: Callable[[], ControlSignal],
        on_redirect: Callable[[FetchResponse], None],
    ) -> None:
        """Work until the source stops or ``control``, called at every turn, returns ``END``.

        ``on_page`` gets every response with a page, ``on_redirect`` every redirect.
        """
        self._handler.begin(source, on_page, on_redirect)
        while source.stop_reason is None and (signal := control()) is not ControlSignal.END:
            if signal is ControlSignal.CONTINUE:
                self._request(source)
            if source.stop_reason is None:
                self._receive(0.0 if self._unread else self._receive_timeout(signal))
                now = self._clock()
                oldest = next(iter(self._in_flight), None)  # a dict keeps the order of sending
                if oldest is not None and now - self._in_flight[oldest] > self._lost_after:
                    self._take(FetchError(oldest, now, "lost by the downloader", True), now)
            if self._unread and source.stop_reason is None:
                if signal is ControlSignal.CONTINUE:  # a robots.txt that just came may clear some
                    self._request_parked()
                self._handler.read(self._unread.popleft())

    def settle(self) -> None:
        """End the crawl: read what has come, and put the rest back into the frontier."""
        self._receive(0.0)
        while self._unread:
            self._handler.read(self._unread.popleft())
        in_flight = [request.url for request in self._in_flight]
        self._handler.put_back((*self._clearance.empty(), *in_flight))
        self._in_flight.clear()

    def _request(self, source: CandidateSource) -> None:
        """Lease candidates while there is room, and request those that are cleared."""
        now = self._clock()
        if now < self._handler.wait_until:
            return
        self._request_parked()
        requests: list[FetchRequest] = []
        while self._has_room() and (candidate := source.next()) is not None:
            request = self._clearance.clear(candidate)
            if request is not None:
                requests.append(request)
                self._in_flight[request] = now
        self._downloads.fetch(requests)

    def _request_parked(self) -> None:
        """Request candidates that waited for a robots.txt, or for the rest of their host."""
        now = self._clock()
        if now < self._handler.wait_until:
            return
        if now - self._requested_at > _STALLED_SECONDS:  # another worker may have leased them
            self._handler.put_back(self._clearance.empty())
        self._requested_at = now
        requests = list(self._clearance.due(now))
        self._in_flight |= dict.fromkeys(requests, now)
        self._downloads.fetch(requests)

    def _has_room(self) -> bool:
        """Whether another page may be requested."""
        in_flight = self._pages_in_flight + self._clearance.parked
        if self._handler.is_offline:  # one at a time, to see whether it is over
            return in_flight == 0 and self._clock() >= self._handler.wait_until
        waiting = in_flight + len(self._unread)
        return in_flight < self._concurrency and waiting < 2 * self._concurrency - 1

    def _receive_timeout(self, signal: ControlSignal) -> float:
        """Return the seconds to wait for a response before there is something else to do."""
        if signal is not ControlSignal.CONTINUE:  # saves a query of a frontier on a server
            return TICK
        now = self._clock()
        times = [self._clearance.next_due()]
        if self._has_room():
            times.append(self._frontier.next_time(now))
        # A time that has passed: the policy waits, or the rest of the budget is leased.
        due = [at if at > now else now + _RECHECK_SECONDS for at in times if at is not None]
        return min([now + TICK, *due]) - now

    def _receive(self, timeout: float) -> None:
        """Receive all messages, and wait up to ``timeout`` seconds for the first."""
        try:
            message = self._downloads.inbox.get(timeout=timeout) if timeout else None
            while True:
                if isinstance(message, DownloaderError):
                    self._restart_downloader()
                elif message is not None:
                    self._take(message, self._from_local(message.ended))
                message = self._downloads.inbox.get_nowait()
        except queue.Empty:
            if self._downloads.hangs():
                self._restart_downloader()

    def _restart_downloader(self) -> None:
        """Restart a downloader that has died or hangs; the page it was reading has failed.

        A page over which it died is retried, since something else may have killed it; one over
        which it hangs is not, since that delays all others.
        """
        hangs = self._downloads.hangs()
        request = self._downloads.restart()
        if request is not None and request in self._in_flight:
            now = self._clock()
            self._take(FetchError(request, now, UNREADABLE_PAGE, not hangs), now)
        self._downloads.fetch(tuple(self._in_flight))  # the new process knows none of them

    def _take(self, message: Message, ended: float) -> None:
        """Add a message to those to read; it was complete at ``ended`` by ``clock``."""
        request = message.request
        if self._in_flight.pop(request, None) is None:
            return  # given up as lost before
        if isinstance(message, FetchResponse):
            self._handler.network_is_back()
        if request.purpose is Purpose.ROBOTS:
            self._clearance.read(message, ended)
            return
        self._frontier.record_response(request.url, ended)  # now, not when read: the host rests
        self._unread.append(message)
        page = message.page if isinstance(message, FetchResponse) else None
        if page is not None and page.problem == NO_BROWSER and not self._has_warned:
            self._has_warned = True
            warn_caller(BROWSER_LOST)
