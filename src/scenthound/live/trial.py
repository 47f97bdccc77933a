"""What would a crawl do with a link to this URL? Answered without a network."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace

from scenthound.core.bounds import Breach
from scenthound.core.crawl import TOO_FAR
from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Topic
from scenthound.core.urls import DEFAULT_PORTS, canonical, tidy
from scenthound.live.link_rules import LiveRules
from scenthound.live.options import CrawlOptions
from scenthound.live.scoping import bounds_of, named_urls
from scenthound.text.links import is_media

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?![0-9]+(?:/|$))")
"""A scheme, and not a host with its port."""
_NAMED = "named by the topic: only deny_host and exclude bind it"
_BY_ADDRESS = "by its address alone"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a link.

    Parameters
    ----------
    url : as it was given.
    follow : would it be queued?
    reason : why not, as the journal has it; empty where it would.
    rule : the rule that decided, in words; empty where none had to.
    queued : the URL as it is queued; None for one that is no URL.
    """

    url: str
    follow: bool
    reason: str = ""
    rule: str = ""
    queued: str | None = None

    def to_json(self) -> dict[str, object]:
        """By name."""
        return asdict(self)


class Trial:
    """Tries URLs against the scope of a crawl.

    Parameters
    ----------
    topic, options : of the crawl.
    year : the present year; calendars far from it are traps.
    """

    def __init__(self, topic: Topic, options: CrawlOptions, year: int) -> None:
        self._bounds = bounds_of(topic, options)
        self._named = frozenset(named_urls(topic))
        self._rules = LiveRules(year, options.allow_private)
        self._max_depth = options.max_depth

    def verdict(self, url: str, depth: int | None = None) -> Verdict:
        """What becomes of a link to ``url``, which then is ``depth`` links from a seed.

        Without a depth it is taken to be near enough.
        """
        try:
            target = canonical(tidy(url))
        except MalformedUrlError as error:
            return _unusable(url, str(error))
        if target in self._named:
            return self._of_named(url, target)
        if is_media(target):
            return Verdict(url, False, "media", "its name ends like a file without links", target)
        queued = self._rules.clean(target)
        cleaned = "" if queued == target else "session id taken out"
        breach = self._bounds.breach(queued) or self._by_address(queued) or self._by_depth(depth)
        if breach is None:
            return Verdict(url, True, "", cleaned, queued)
        return Verdict(url, False, breach.reason, breach.rule, queued)

    def _of_named(self, url: str, target: str) -> Verdict:
        denied = self._bounds.denial(target)
        followed = Verdict(url, True, "", _NAMED, target)
        if denied is None:
            return followed
        return replace(followed, follow=False, reason=denied.reason, rule=denied.rule)

    def _by_address(self, url: str) -> Breach | None:
        reason = self._rules.refusal(url)
        return None if reason is None else Breach(reason, _BY_ADDRESS)

    def _by_depth(self, depth: int | None) -> Breach | None:
        if depth is None or self._max_depth is None or depth <= self._max_depth:
            return None
        return Breach(TOO_FAR, f"max_depth {self._max_depth}, and it is {depth} links away")


def _unusable(url: str, message: str) -> Verdict:
    scheme = _SCHEME.match(tidy(url))
    other = scheme is not None and scheme[1].lower() not in DEFAULT_PORTS
    return Verdict(url, False, "other scheme" if other else "malformed", message)
