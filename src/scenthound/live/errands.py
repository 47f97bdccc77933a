"""Single fetches outside a crawl, one after the other, as polite and as careful as a crawl.

robots.txt is obeyed, hosts rest between two requests, private addresses stay closed, bodies and
times are bounded. What a crawl would ask for again later is here simply not there.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from scenthound.core.crawl import MOST_REDIRECTS
from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Page
from scenthound.core.protocols import Clock
from scenthound.core.urls import canonical, host_of
from scenthound.engines.redirects import REDIRECTS
from scenthound.live.answers import wanted_type
from scenthound.live.clearance import BY_ROBOTS, UNREADABLE
from scenthound.live.downloads import Downloads
from scenthound.live.messages import Answer, Ask, Message, NoAnswer, Purpose
from scenthound.live.network import Network
from scenthound.live.one_by_one import OneByOne
from scenthound.live.robots import RobotsCache, RobotsRules, origin_of, robots_url

_UNREACHABLE = 503
"""RFC 9309 section 2.3.1.4: no answer is treated as a server error is."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came: final ``url``, the body with its encodings undone, cut at the body limit.

    ``page`` is there where a page was asked for.
    """

    url: str
    content_type: str
    body: bytes
    page: Page | None = None


@dataclass(frozen=True, slots=True)
class Unfetched:
    """Nothing came, and why."""

    url: str
    reason: str


class Errands:
    """Fetches single URLs. Use it as a context manager: it runs a downloader of its own.

    Parameters
    ----------
    network : how requests are made.
    delay : seconds a host rests after an answer; its robots.txt may ask for more.
    denied : why a URL is never to be fetched, by the rules that a person gave; None where it may.
    warn : gets what the user should know of passwords and cookies.
    clock, sleep : the time, and how to wait.
    downloads : fetch; by default in a process of their own.
    """

    def __init__(
        self,
        network: Network,
        delay: float = 1.0,
        *,
        denied: Callable[[str], str | None] = lambda url: None,
        warn: Callable[[str], None] = lambda message: None,
        clock: Clock = time.time,
        sleep: Callable[[float], None] = time.sleep,
        downloads: Downloads | None = None,
    ) -> None:
        self._max_body = network.max_body
        self._pdf = network.pdf
        self._denied = denied
        # A browser is for crawls: it takes a second request for a page.
        self._downloads = downloads or Downloads(replace(network, javascript=False), warn)
        self._one_by_one = OneByOne(self._downloads, network.timeout, delay, clock, sleep)
        self._robots = RobotsCache(network.user_agent, clock)
        self._unreadable: dict[str, Unfetched] = {}

    def __enter__(self) -> Self:
        self._downloads.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._downloads.__exit__(*error)

    def file(self, url: str) -> Fetched | Unfetched:
        """Whatever is at the canonical ``url``, of any type; redirects are followed."""
        return self._follow(url, Purpose.FILE)

    def page(self, url: str) -> Fetched | Unfetched:
        """The page at the canonical ``url``, read; other types are refused at their headers."""
        return self._follow(url, Purpose.PAGE)

    def call(self, url: str) -> Fetched | Unfetched:
        """The answer of a service that a person has named.

        Its robots.txt is not asked for: it speaks to crawlers. A redirect to another host is not
        followed: the person has named this one.
        """
        return self._follow(url, Purpose.FILE, named=True)

    def sitemaps(self, url: str) -> tuple[str, ...] | Unfetched:
        """The sitemaps that the robots.txt of this URL's site names.

        Unfetched where that cannot be read: then nothing of the site may be asked for.
        """
        refused = self._denied(url)
        rules = Unfetched(url, refused) if refused else self._rules(origin_of(url))
        return rules if isinstance(rules, Unfetched) else rules.sitemaps

    def forbids(self, url: str) -> bool:
        """Does a robots.txt that has been read already forbid the canonical ``url``?"""
        rules = self._robots.state(origin_of(url))
        return rules is not None and not rules.allows(url)

    def _follow(self, url: str, purpose: Purpose, named: bool = False) -> Fetched | Unfetched:
        first = url
        for _ in range(MOST_REDIRECTS + 1):
            refused = None if named else self._refusal(url)
            if refused is not None:
                return Unfetched(first, refused)
            message = self._one_by_one.ask(Ask(url, purpose))
            if isinstance(message, NoAnswer):
                return Unfetched(first, message.reason)
            if message.status not in REDIRECTS:
                return self._read(first, message)
            target = _target(message)
            if target is None:
                return Unfetched(first, f"status {message.status} without a usable Location")
            if named and host_of(target) != host_of(first):
                return Unfetched(first, f"it redirects to {target}")
            url = target
        return Unfetched(first, "endless redirects")

    def _refusal(self, url: str) -> str | None:
        denied = self._denied(url)
        if denied is not None:
            return denied
        rules = self._rules(origin_of(url))
        if isinstance(rules, Unfetched):
            return rules.reason
        return None if rules.allows(url) else BY_ROBOTS

    def _rules(self, origin: str) -> RobotsRules | Unfetched:
        """The rules of a site; one whose robots.txt cannot be read is not asked twice."""
        known = self._unreadable.get(origin) or self._robots.state(origin)
        if known is not None:
            return known
        message = self._asked_robots(origin)
        if isinstance(message, Answer):
            what, status, body = (
                f"status {message.status}",
                message.status,
                message.content(self._max_body),
            )
        else:
            what, status, body = message.reason, _UNREACHABLE, b""
        rules = self._robots.learn(origin, status, body)
        if rules.temporary:
            return self._unreadable.setdefault(origin, Unfetched(origin, f"{UNREADABLE}: {what}"))
        if rules.delay is not None:
            self._one_by_one.slow_down(host_of(origin + "/"), rules.delay)
        return rules

    def _asked_robots(self, origin: str) -> Message:
        """The answer to ``/robots.txt``, redirects followed as RFC 9309 wants."""
        ask = Ask(robots_url(origin), Purpose.ROBOTS, origin)
        while True:
            message = self._one_by_one.ask(ask)
            target = _target(message) if isinstance(message, Answer) else None
            if target is None or ask.hops >= MOST_REDIRECTS:
                return message
            ask = Ask(target, Purpose.ROBOTS, origin, ask.hops + 1)

    def _read(self, first: str, answer: Answer) -> Fetched | Unfetched:
        if not 200 <= answer.status < 300:
            return Unfetched(first, f"status {answer.status}")
        kind = answer.header("content-type")
        if answer.ask.purpose is Purpose.PAGE:
            unwanted = wanted_type(kind, answer.ask.url, self._pdf)
            if unwanted is not None or answer.page is None:
                return Unfetched(first, unwanted or "no page")
        return Fetched(answer.ask.url, kind, answer.content(self._max_body), answer.page)


def _target(answer: Answer) -> str | None:
    """Where a redirect leads; None for no redirect, or one without a usable Location."""
    location = answer.header("location").strip()
    if answer.status not in REDIRECTS or not location:
        return None
    try:
        return canonical(location, answer.ask.url)
    except MalformedUrlError:
        return None
