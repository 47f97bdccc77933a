"""What a site's robots.txt allows, as RFC 9309 has it, and for how long that is known."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from protego import Protego

from scenthound.core.errors import MalformedUrlError
from scenthound.core.sharing import RobotsFile, RobotsFiles
from scenthound.core.urls import canonical

MOST_BYTES = 500 * 1024
"""As much of a robots.txt is read; RFC 9309 asks for that much at least."""
LONGEST_DELAY = 120.0
"""A site that asks for more seconds between requests is asked this often: a day has 720."""
MOST_KEPT_BYTES = 4 * 1024 * 1024
"""Of the files whose rules are remembered, all together; parsed they take 10 to 70 times that."""
DAY = 24 * 3600.0

_MOST_SITEMAPS = 100
_US = "!!"
"""Stands for our own name: no robot is called so, nor by a part of it, and it outweighs ``*``."""
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
    temporary : the site could not answer: nothing is allowed until it is asked again.
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
        """The rules in an answer to ``/robots.txt``, redirects already followed.

        2xx: as the body says; an empty one allows everything. 4xx, or redirects that do not
        end: there is none, so everything is allowed. 429, 5xx and any other status, such as 0
        for a site that cannot be reached: nothing is allowed for now.
        """
        if 200 <= status < 300:
            return cls._of_text(_text(body), product_token(agent))
        if 300 <= status < 500 and status != 429:
            return cls()
        return cls(temporary=True)

    @classmethod
    def _of_text(cls, text: str, token: str) -> RobotsRules:
        parsed = Protego.parse(_with_us_named(text, token))
        return cls(parsed, False, _delay(parsed), _sitemaps(parsed), len(text))

    def allows(self, url: str) -> bool:
        """May the canonical ``url`` be fetched? Escapes are compared decoded, so that the rule
        ``/a(b)`` meets ``/a%28b%29``.
        """
        if self.temporary:
            return False
        return self.parsed is None or self.parsed.can_fetch(url, _US)


class RobotsCache:
    """The rules of the origins met lately.

    Parameters
    ----------
    agent : our user agent, in full.
    clock : the time in seconds.
    keep : seconds that rules are trusted; RFC 9309 says a day at most.
    most : origins remembered, and ``most_bytes`` of their files; those not asked for the
        longest time are forgotten.
    shared : the files that other workers of the crawl have read, by the same clock; None for a
        crawl that is alone.
    """

    def __init__(
        self,
        agent: str,
        clock: Callable[[], float],
        keep: float = DAY,
        most: int = 10_000,
        most_bytes: int = MOST_KEPT_BYTES,
        shared: RobotsFiles | None = None,
    ) -> None:
        self.on_delay: Callable[[str, float], None] = lambda origin, delay: None
        """Told how slowly an origin wants to be asked, whoever has read that.

        That is before other workers can read the file: none must trust it and not know that.
        """
        self._agent = agent
        self._shared = shared
        self._clock = clock
        self._keep = keep
        self._most = most
        self._most_bytes = most_bytes
        self._bytes = 0
        self._known: OrderedDict[str, tuple[float, RobotsRules]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._known)

    def state(self, origin: str) -> RobotsRules | None:
        """The rules of ``origin``; None where its robots.txt must be fetched (again)."""
        until, rules = self._known.get(origin, (0.0, None))
        if rules is None or self._clock() >= until:
            self._forget(origin)
            return self._read_elsewhere(origin)
        self._known.move_to_end(origin)
        return rules

    def learn(self, origin: str, status: int, body: bytes) -> RobotsRules:
        """Read the answer of ``origin``; one that holds for the time being only is not kept."""
        rules = RobotsRules.read(status, body, self._agent)
        self._forget(origin)
        self._tell_delay(origin, rules)
        if not rules.temporary:
            until = self._clock() + self._keep
            self._remember(origin, until, rules)
            if self._shared is not None:
                self._shared.keep(origin, RobotsFile(until, status, body if rules.size else b""))
        return rules

    def _read_elsewhere(self, origin: str) -> RobotsRules | None:
        found = None if self._shared is None else self._shared.find(origin)
        if found is None or self._clock() >= found.until:
            return None
        rules = RobotsRules.read(found.status, found.body, self._agent)
        self._tell_delay(origin, rules)  # who read it may have died before
        self._remember(origin, found.until, rules)
        return rules

    def _tell_delay(self, origin: str, rules: RobotsRules) -> None:
        if rules.delay is not None:
            self.on_delay(origin, rules.delay)

    def _remember(self, origin: str, until: float, rules: RobotsRules) -> None:
        self._known[origin] = (until, rules)
        self._bytes += rules.size
        while len(self._known) > 1 and self._is_too_much():  # the latest one is waited for
            self._forget(next(iter(self._known)))

    def _is_too_much(self) -> bool:
        return len(self._known) > self._most or self._bytes > self._most_bytes

    def _forget(self, origin: str) -> None:
        _, rules = self._known.pop(origin, (0.0, RobotsRules()))
        self._bytes -= rules.size


def _text(body: bytes) -> str:
    """The lines of a robots.txt in any encoding, without half a line at the end."""
    if len(body) > MOST_BYTES:
        body = body[:MOST_BYTES].rpartition(b"\n")[0]
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = body.decode("utf-16", "replace")
    else:
        text = body.decode("utf-8-sig", "surrogateescape")
        # What is no UTF-8 stays the octet it is: in a path that is the escape of this octet.
        text = _UNDECODED.sub(lambda octet: f"%{ord(octet[0]) - 0xDC00:02X}", text)
    return "\n".join(text.replace("\x00", "").splitlines())


def _with_us_named(text: str, token: str) -> str:
    """``text`` with our name in one spelling, version and comment dropped.

    The parser takes any beginning of our name for us; the RFC wants the whole one.
    """
    if not token:
        return text
    line = rf"^[ \t]*user[ -]?agent(?:[ \t]*:[ \t]*|[ \t]+){re.escape(token)}(?![\w-]).*$"
    return re.sub(line, f"User-agent: {_US}", text, flags=re.IGNORECASE | re.MULTILINE)


def _delay(parsed: Protego) -> float | None:
    """The longer of crawl-delay and request-rate, within bounds; times of day are not looked at."""
    rate = parsed.request_rate(_US)
    asked = [parsed.crawl_delay(_US), None if rate is None else rate.seconds / rate.requests]
    delays = [delay for delay in asked if delay is not None]
    return min(LONGEST_DELAY, max(0.0, *delays)) if delays else None


def _sitemaps(parsed: Protego) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for url in parsed.sitemaps:
        try:
            found[canonical(url)] = None
        except MalformedUrlError:
            continue
        if len(found) == _MOST_SITEMAPS:
            break
    return tuple(found)
