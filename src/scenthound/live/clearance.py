"""Before a page is asked for, the robots.txt of its site must have been read.

A candidate whose site is new is parked here while robots.txt is fetched; then it is refused, or
asked for once the host has rested. The host stays busy all the while, so nothing else reaches it.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Candidate
from scenthound.core.protocols import PoliteFrontier
from scenthound.core.urls import canonical, host_of
from scenthound.engines.redirects import REDIRECTS
from scenthound.live.messages import Answer, Ask, Message, Purpose
from scenthound.live.network import SHOWN_AT_ONCE
from scenthound.live.robots import (
    MOST_BYTES,
    RobotsCache,
    RobotsRules,
    origin_of,
    robots_url,
)

_ROBOTS_HOPS = 5
"""RFC 9309 section 2.3.1.2: at least five redirects are followed."""
BY_ROBOTS = "robots.txt"
UNREADABLE = "robots.txt unreadable"
_UNREACHABLE = 503
"""RFC 9309 section 2.3.1.4: no answer is treated as a server error is."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A candidate cannot be cleared now: its site's robots.txt could not be read."""

    candidate: Candidate
    reason: str
    again: bool


@dataclass(frozen=True, slots=True)
class Forbidden:
    """A candidate that robots.txt forbids."""

    candidate: Candidate


@dataclass(frozen=True, slots=True)
class TooSoon:
    """A candidate that may be asked for, but another one of its host comes first."""

    candidate: Candidate


Verdict = Unreadable | Forbidden | TooSoon


@dataclass(order=True, slots=True)
class _Later:
    at: float
    number: int
    ask: Ask = field(compare=False)


class Clearance:
    """Which of the leased candidates may be asked for, and when.

    Parameters
    ----------
    robots : what is known of sites' robots.txt.
    frontier : is told how slowly a site wants to be asked.
    delay : seconds a host rests after an answer.
    look : gets what a candidate came to where it may not be asked for.
    """

    def __init__(
        self,
        robots: RobotsCache,
        frontier: PoliteFrontier,
        delay: float,
        look: Callable[[Verdict], None],
    ) -> None:
        self._robots = robots
        robots.on_delay = lambda origin, delay: frontier.slow_down(host_of(f"{origin}/"), delay)
        self._frontier = frontier
        self._delay = delay
        self._look = look
        self._parked: dict[str, list[Candidate]] = {}
        self._later: list[_Later] = []
        self._to_render: deque[Ask] = deque()
        self._count = 0

    @property
    def parked(self) -> int:
        """Candidates that are leased and not asked for yet."""
        parked = sum(map(len, self._parked.values()))
        return parked + len(self._later) + len(self._to_render)

    def clear(self, candidate: Candidate) -> Ask | None:
        """What to ask for now: the page, its site's robots.txt, or (None) nothing."""
        origin = origin_of(candidate.url)
        if origin in self._parked:  # its robots.txt is on the way
            self._parked[origin].append(candidate)
            return None
        rules = self._robots.state(origin)
        if rules is not None:
            return self._judged(candidate, rules)
        self._parked[origin] = [candidate]
        return Ask(robots_url(origin), Purpose.ROBOTS, origin)

    def due(self, now: float, places: int = SHOWN_AT_ONCE) -> Iterator[Ask]:
        """What has waited long enough; of the pages for the browser as many as it has places.

        The others stay here: whatever is asked for is soon answered, or lost.
        """
        while self._later and self._later[0].at <= now:
            ask = heapq.heappop(self._later).ask
            if ask.render:
                self._to_render.append(ask)
            else:
                yield ask
        for _ in range(min(places, len(self._to_render))):
            yield self._to_render.popleft()

    def next_due(self) -> float | None:
        """When the next ask is due; None when none waits, unless for a place at the browser."""
        return self._later[0].at if self._later else None

    def read(self, message: Message, ended: float) -> None:
        """A site's robots.txt has come, or not; that was over at ``ended`` by the crawl's clock."""
        rest = ended + self._delay
        if isinstance(message, Answer):
            onward = _onward(message)
            if onward is not None:
                self._put_off(onward, rest)
                return
        rules = self._rules(message)
        parked = self._parked.pop(message.ask.owner, [])
        host = _host(message.ask)
        delay = max(self._delay, rules.delay or 0.0)
        at = ended + delay
        asked = self._free(parked, rules, message, at)
        self._frontier.rest(host, at + delay if asked else at)

    def _rules(self, message: Message) -> RobotsRules:
        if isinstance(message, Answer):
            body = message.content(MOST_BYTES + 1)  # one more tells that it is cut
            return self._robots.learn(message.ask.owner, message.status, body)
        return self._robots.learn(message.ask.owner, _UNREACHABLE, b"")

    def put_off_rendering(self, ask: Ask, ended: float) -> None:
        """A page came that is to be shown by a browser: that waits until its host has rested."""
        rules = self._robots.state(origin_of(ask.url))
        delay = self._delay if rules is None else max(self._delay, rules.delay or 0.0)
        self._put_off(replace(ask, render=True), ended + delay)

    def empty(self) -> list[str]:
        """Let go of everything; returns the URLs that were parked.

        Until now their hosts were busy. From now on they rest as long as they were to.
        """
        for later in self._later:
            self._frontier.rest(_host(later.ask), later.at)
        urls = [c.url for parked in self._parked.values() for c in parked]
        urls += [later.ask.url for later in self._later if later.ask.purpose is Purpose.PAGE]
        urls += [ask.url for ask in self._to_render]
        self._parked.clear()
        self._later.clear()
        self._to_render.clear()
        return urls

    def _free(
        self, parked: list[Candidate], rules: RobotsRules, message: Message, at: float
    ) -> bool:
        """The first one that may be asked for is, at its time; the others wait again.

        Returns whether there was one.
        """
        taken = False
        for candidate in parked:
            if rules.temporary:
                self._look(Unreadable(candidate, _unreadable(message), _again(message)))
            elif taken:
                self._look(TooSoon(candidate))
            elif (ask := self._judged(candidate, rules)) is not None:
                taken = True
                self._put_off(ask, at)
        return taken

    def _judged(self, candidate: Candidate, rules: RobotsRules) -> Ask | None:
        if rules.allows(candidate.url):
            return Ask(candidate.url)
        self._look(Forbidden(candidate))
        return None

    def _put_off(self, ask: Ask, at: float) -> None:
        self._count += 1
        heapq.heappush(self._later, _Later(at, self._count, ask))


def _host(ask: Ask) -> str:
    """The host of the page, or of the site whose robots.txt it is."""
    return host_of(f"{ask.owner}/" if ask.owner else ask.url)


def _onward(answer: Answer) -> Ask | None:
    """The next place to look for a robots.txt that has moved."""
    location = answer.header("location").strip()
    if answer.status not in REDIRECTS or not location or answer.ask.hops >= _ROBOTS_HOPS:
        return None
    try:
        target = canonical(location, answer.ask.url)
    except MalformedUrlError:
        return None
    return Ask(target, Purpose.ROBOTS, answer.ask.owner, answer.ask.hops + 1)


def _unreadable(message: Message) -> str:
    what = f"status {message.status}" if isinstance(message, Answer) else message.reason
    return f"{UNREADABLE}: {what}"


def _again(message: Message) -> bool:
    return True if isinstance(message, Answer) else message.again
