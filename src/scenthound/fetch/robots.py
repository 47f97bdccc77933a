"""robots.txt as RFC 9309 has it: what a site allows, how long that is cached, and candidates that
wait until the robots.txt of their site is read.

:class:`RobotsRules` reads one file, :class:`RobotsRulesCache` keeps the rules of many sites, and
:class:`RobotsClearance` stands between the frontier and the downloader. Scrapy's middleware is not
used: it requests robots.txt beside the page, and the host would see two requests at once.
"""

from __future__ import annotations

import heapq
import itertools
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from protego import Protego

from scenthound.core.cache import LruCache
from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Candidate
from scenthound.core.protocols import PoliteFrontier, RobotsCache, RobotsFile
from scenthound.core.urls import canonical, host_of
from scenthound.fetch.client import FetchRequest, FetchResponse, Message, Purpose

MAX_ROBOTS_BYTES = 500 * 1024
"""As much of a robots.txt is read; RFC 9309 asks for that much at least."""
LONGEST_DELAY = 120.0
"""Seconds between requests where a site asks for more: that makes 720 requests a day."""
MAX_CACHED_BYTES = 8 * 1024 * 1024
"""Of the files whose rules are cached, all together; parsed they take 10 to 70 times that."""
_OVERHEAD = 400
"""Bytes counted for each origin besides its file."""
DAY = 24 * 3600.0
_MAX_SITEMAPS = 100
_OWN_AGENT = "!!"
"""Placeholder for our own product token in the parsed file: no robot is called so, nor by a part of
it, and it outweighs ``*``."""
_TOKEN = re.compile(r"[A-Za-z_-]+")
_UNDECODED = re.compile("[\udc80-\udcff]")


def origin_of(url: str) -> str:
    """``scheme://host:port`` of a canonical URL: what one robots.txt speaks for."""
    return url[: url.index("/", len("https://"))]


def robots_url(origin: str) -> str:
    """Where the robots.txt of an origin lies."""
    return origin + "/robots.txt"


def product_token(agent: str) -> str:
    """The name in a user agent that robots.txt files use: ``scenthound`` of ``Scenthound/1 (+u)``.

    Empty where the user agent starts with no name: then only the rules for all robots hold.
    """
    token = _TOKEN.match(agent.strip())
    return token[0].lower() if token else ""


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one origin for us.

    Parameters
    ----------
    parsed : the file; None where there is none to follow.
    temporary : the site could not respond: nothing is allowed until the next request.
    delay : seconds between two requests that the site asks for, from 0 to 120; None if none.
    sitemaps : canonical URLs of the sitemaps it names, 100 at most.
    size : length of the file as far as it was read.
    """

    parsed: Protego | None = None
    temporary: bool = False
    delay: float | None = None
    sitemaps: tuple[str, ...] = ()
    size: int = 0

    @classmethod
    def read(cls, status: int, body: bytes, agent: str) -> RobotsRules:
        """The rules in a response to ``/robots.txt``, redirects already followed.

        2xx: as the body says; an empty one allows everything. 4xx, or redirects that do not
        end: there is none, so everything is allowed. 429, 5xx and any other status, such as 0
        for a site that cannot be reached: nothing is allowed for now.
        """
        if 200 <= status < 300:
            text = _text(body)
            parsed = Protego.parse(_with_own_agent(text, product_token(agent)))
            # The longer of crawl-delay and request-rate counts; times of day are ignored.
            rate, crawl_delay = parsed.request_rate(_OWN_AGENT), parsed.crawl_delay(_OWN_AGENT)
            by_rate = None if rate is None else rate.seconds / rate.requests
            wanted = [each for each in (crawl_delay, by_rate) if each is not None]
            delay = min(LONGEST_DELAY, max(0.0, *wanted)) if wanted else None
            sitemaps: dict[str, None] = {}
            for url in parsed.sitemaps:
                with suppress(MalformedUrlError):
                    sitemaps[canonical(url)] = None
            return cls(parsed, False, delay, tuple(sitemaps)[:_MAX_SITEMAPS], len(text))
        if 300 <= status < 500 and status != 429:
            return cls()
        return cls(temporary=True)

    def allows(self, url: str) -> bool:
        """May the canonical ``url`` be fetched? Escapes are compared decoded, so that the rule
        ``/a(b)`` meets ``/a%28b%29``.
        """
        if self.temporary:
            return False
        return self.parsed is None or self.parsed.can_fetch(url, _OWN_AGENT)


class RobotsRulesCache:
    """The rules of the origins used lately.

    Parameters
    ----------
    agent : our user agent, in full.
    clock : the time in seconds.
    keep : seconds that rules are trusted; RFC 9309 says a day at most.
    most_bytes : of all cached files; the least recently used go first.
    shared : the files that other workers of the crawl have read, by the same clock; None for a
        crawl of one worker.
    """

    def __init__(
        self,
        agent: str,
        clock: Callable[[], float],
        keep: float = DAY,
        most_bytes: int = MAX_CACHED_BYTES,
        shared: RobotsCache | None = None,
    ) -> None:
        self.on_delay: Callable[[str, float], None] = lambda origin, delay: None
        """Gets the delay that an origin asks for, whichever worker has read it.

        It is called before other workers can read the file: none may use the rules and not know
        the delay.
        """
        self._agent = agent
        self._shared = shared
        self._clock = clock
        self._keep = keep
        self._known: LruCache[str, tuple[float, RobotsRules]] = LruCache(
            most_bytes, lambda known: known[1].size + _OVERHEAD
        )

    def __len__(self) -> int:
        return len(self._known)

    def state(self, origin: str) -> RobotsRules | None:
        """The rules of ``origin``; None where its robots.txt must be fetched (again)."""
        until, rules = self._known.get(origin) or (0.0, None)
        if self._clock() < until:
            return rules
        found = None if self._shared is None else self._shared.find(origin)
        if found is None or self._clock() >= found.until:
            return None
        # The worker that read it may have died before it reported the delay.
        return self._remember(origin, found)

    def learn(self, origin: str, status: int, body: bytes) -> RobotsRules:
        """Read the response of ``origin``; a temporary failure is not cached."""
        file = RobotsFile(self._clock() + self._keep, status, body)
        rules = self._remember(origin, file)
        if self._shared is not None and not rules.temporary:
            # The body of a 404 says nothing: the status is enough for the other workers.
            self._shared.keep(origin, file if rules.size else file._replace(body=b""))
        return rules

    def _remember(self, origin: str, file: RobotsFile) -> RobotsRules:
        rules = RobotsRules.read(file.status, file.body, self._agent)
        if rules.delay is not None:
            self.on_delay(origin, rules.delay)
        self._known.put(origin, (0.0 if rules.temporary else file.until, rules))
        return rules


def _text(body: bytes) -> str:
    """The lines of a robots.txt in any encoding, without half a line at the end."""
    if len(body) > MAX_ROBOTS_BYTES:
        body = body[:MAX_ROBOTS_BYTES].rpartition(b"\n")[0]
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = body.decode("utf-16", "replace")
    else:
        text = body.decode("utf-8-sig", "surrogateescape")
        # What is no UTF-8 stays the octet it is: in a path that is the escape of this octet.
        text = _UNDECODED.sub(lambda octet: f"%{ord(octet[0]) - 0xDC00:02X}", text)
    return "\n".join(text.replace("\x00", "").splitlines())


def _with_own_agent(text: str, token: str) -> str:
    """``text`` with our name in one spelling, version and comment dropped.

    The parser takes any beginning of our name for us; the RFC wants the whole one.
    """
    if not token:
        return text
    line = rf"^[ \t]*user[ -]?agent(?:[ \t]*:[ \t]*|[ \t]+){re.escape(token)}(?![\w-]).*$"
    return re.sub(line, f"User-agent: {_OWN_AGENT}", text, flags=re.IGNORECASE | re.MULTILINE)


# --- before a page is requested, the robots.txt of its site must have been read


_ROBOTS_HOPS = 5
"""RFC 9309 section 2.3.1.2: at least five redirects are followed."""
BY_ROBOTS = "robots.txt"
UNREADABLE = "robots.txt unreadable"
UNREACHABLE = 503
"""RFC 9309 section 2.3.1.4: no response is treated as a server error is."""


class RobotsClearance:
    """Which of the leased candidates may be requested, and when.

    A candidate whose site is new is parked here while robots.txt is fetched. Then it is rejected,
    or requested once the host has rested. The host stays busy all the while, so nothing else
    reaches it.

    Parameters
    ----------
    robots : the rules of sites that are known.
    frontier : learns the delay that a site asks for.
    delay : seconds a host rests after a response.
    on_rejected : gets every candidate that may not be requested now; the reason, empty where
        another page of its host comes first; and for a robots.txt that could not be read, whether a
        later request may do better.
    """

    def __init__(
        self,
        robots: RobotsRulesCache,
        frontier: PoliteFrontier,
        delay: float,
        on_rejected: Callable[[Candidate, str, bool], None],
    ) -> None:
        self._robots = robots
        robots.on_delay = lambda origin, delay: frontier.slow_down(host_of(f"{origin}/"), delay)
        self._frontier = frontier
        self._delay = delay
        self._on_rejected = on_rejected
        self._parked: dict[str, list[Candidate]] = {}
        self._later: list[tuple[float, int, FetchRequest]] = []
        self._numbers = itertools.count()

    @property
    def parked(self) -> int:
        """Number of candidates that are leased and not requested yet."""
        return sum(map(len, self._parked.values())) + len(self._later)

    def clear(self, candidate: Candidate) -> FetchRequest | None:
        """What to request now: the page, its site's robots.txt, or (None) nothing."""
        origin = origin_of(candidate.url)
        if origin in self._parked:  # its robots.txt is on the way
            self._parked[origin].append(candidate)
            return None
        rules = self._robots.state(origin)
        if rules is not None:
            return self._judged(candidate, rules)
        self._parked[origin] = [candidate]
        return FetchRequest(robots_url(origin), Purpose.ROBOTS, origin)

    def due(self, now: float) -> Iterator[FetchRequest]:
        """What has waited long enough."""
        while self._later and self._later[0][0] <= now:
            yield heapq.heappop(self._later)[2]

    def next_due(self) -> float | None:
        """When the next request is due; None when none waits."""
        return self._later[0][0] if self._later else None

    def read(self, message: Message, ended: float) -> None:
        """Read a robots.txt that has come, or not; ``ended`` is by the clock of the crawl."""
        request = message.request
        if isinstance(message, FetchResponse):
            target = message.redirect_target
            if target is not None and request.hops < _ROBOTS_HOPS:
                onward = FetchRequest(target, Purpose.ROBOTS, request.owner, request.hops + 1)
                self._put_off(onward, ended + self._delay)
                return
            status = message.status
            body = message.content(MAX_ROBOTS_BYTES + 1)  # one more byte shows that it is cut
        else:
            status, body = UNREACHABLE, b""
        rules = self._robots.learn(request.owner, status, body)
        delay = max(self._delay, rules.delay or 0.0)
        taken = self._release(rules, message, ended + delay)
        # The page that was taken goes out after one delay; the host must rest once more after it.
        self._frontier.rest(_host(request), ended + (2 if taken else 1) * delay)

    def empty(self) -> list[str]:
        """Release everything; returns the URLs that were parked.

        Until now their hosts were busy. From now on they rest as long as they were to.
        """
        for at, _, request in self._later:
            self._frontier.rest(_host(request), at)
        urls = [c.url for parked in self._parked.values() for c in parked]
        waiting = [request for _, _, request in self._later]
        urls += [each.url for each in waiting if each.purpose is Purpose.PAGE]
        self._parked.clear()
        self._later.clear()
        return urls

    def _release(self, rules: RobotsRules, message: Message, at: float) -> bool:
        """Request the first parked candidate that may be, at its time; the others wait again.

        Returns whether there was one.
        """
        taken = False
        for candidate in self._parked.pop(message.request.owner, []):
            if rules.temporary:
                again = isinstance(message, FetchResponse) or message.may_retry
                reason = f"{UNREADABLE}: {message.reason}"
                self._on_rejected(candidate, reason, again)
            elif taken:
                self._on_rejected(candidate, "", False)
            elif (request := self._judged(candidate, rules)) is not None:
                taken = True
                self._put_off(request, at)
        return taken

    def _judged(self, candidate: Candidate, rules: RobotsRules) -> FetchRequest | None:
        if rules.allows(candidate.url):
            return FetchRequest(candidate.url, crawl_delay=rules.delay or 0.0)
        self._on_rejected(candidate, BY_ROBOTS, False)
        return None

    def _put_off(self, request: FetchRequest, at: float) -> None:
        # The number keeps requests of the same time in order: requests cannot be compared.
        heapq.heappush(self._later, (at, next(self._numbers), request))


def _host(request: FetchRequest) -> str:
    """The host of the page, or of the site whose robots.txt it is."""
    return host_of(f"{request.owner}/" if request.owner else request.url)
