"""What would a crawl do with a link to this URL? Answered without a network."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from scenthound.core.bounds import Breach
from scenthound.core.crawl import TOO_FAR
from scenthound.core.errors import MalformedUrlError
from scenthound.core.loose_urls import is_of_another_scheme, spellings
from scenthound.core.model import Topic
from scenthound.live.link_rules import LiveRules
from scenthound.live.options import CrawlOptions
from scenthound.live.scoping import bounds_of, named_urls
from scenthound.text.links import is_media

_NAMED = "named by the topic: only deny_host and exclude bind it"
_BY_ADDRESS = "by its address alone"
_FREE = "no rule forbids it"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a link.

    Parameters
    ----------
    url : as it was given.
    follow : would it be queued?
    reason : why not, as the journal has it; empty where it would.
    rule : the rules that keep it out or let it in, in words.
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

        Without a depth it is taken to be a link of a seed; without a scheme the URL is taken for
        the one that the topic names, or for https.
        """
        try:
            spelled = spellings(url)
        except MalformedUrlError as error:
            return _unusable(url, str(error))
        target = next((each for each in spelled if each in self._named), spelled[0])
        if target in self._named:
            return self._of_named(url, target)
        if is_media(target):
            return Verdict(url, False, "media", "its name ends like a file without links", target)
        queued = self._rules.clean(target)
        cleaned = () if queued == target else ("session id taken out",)
        breach = self._bounds.breach(queued) or self._by_address(queued) or self._by_depth(depth)
        if breach is None:
            permits = self._bounds.permits(queued) or (_FREE,)
            return Verdict(url, True, "", ", ".join((*cleaned, *permits)), queued)
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
        away = 1 if depth is None else depth
        if self._max_depth is None or away <= self._max_depth:
            return None
        if not self._max_depth:
            return Breach(TOO_FAR, "max_depth 0: no link is followed")
        return Breach(TOO_FAR, f"max_depth {self._max_depth}, and it is {away} links away")


def _unusable(url: str, message: str) -> Verdict:
    reason = "other scheme" if is_of_another_scheme(url) else "malformed"
    return Verdict(url, False, reason, message)
