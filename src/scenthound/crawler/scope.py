"""The scope of a live crawl: its bounds, its rules for addresses, and a dry run that says what it
would do with a URL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

from scenthound.core.crawl import TOO_FAR
from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.model import Topic
from scenthound.core.patterns import host_rule, site_of, site_rules
from scenthound.core.protocols import State
from scenthound.core.scope import (
    ScopeViolation,
    SeriesLimit,
    UrlRules,
    pattern_warnings,
    trap,
    without_session,
)
from scenthound.core.urls import canonical, host_of, is_of_another_scheme, possible_urls
from scenthound.crawler.arguments import check_number, check_options, check_topic
from scenthound.crawler.options import CrawlOptions
from scenthound.fetch.addresses import rejection_reason
from scenthound.text.extract import is_media


class LiveLinkRules:
    """Which addresses may be followed.

    Parameters
    ----------
    year : the present year; calendars far from it are not followed.
    allow_private : may private addresses be followed?
    """

    def __init__(self, year: int, allow_private: bool) -> None:
        self._year = year
        self._allow_private = allow_private
        self._series = SeriesLimit()

    def clean(self, url: str) -> str:
        """The URL without a session id."""
        return without_session(url)

    def refusal(self, url: str) -> str | None:
        """Why a URL is not followed."""
        if not self._allow_private and (reason := rejection_reason(host_of(url))) is not None:
            return reason
        return trap(url, self._year) or self._series.admit(url)

    def state(self) -> State:
        """The counts of calendars."""
        return {"series": [list(pair) for pair in self._series.state()]}

    def restore(self, state: State) -> None:
        """Count on."""
        series = state["series"]
        assert isinstance(series, list)
        self._series.restore([[str(item) for item in pair] for pair in series])


def bounds_of(topic: Topic, options: CrawlOptions) -> UrlRules:
    """The bounds of a crawl: its options, with the topic's ``exclude`` joined in.

    SettingsError for a pattern of the topic that cannot be read.
    """
    try:
        return UrlRules(
            allow_host=options.allow_host,
            deny_host=options.deny_host,
            include=options.include,
            exclude=(*options.exclude, *topic.exclude),
            stay_with=named_urls(topic) if options.stay else None,
        )
    except SettingsError as error:
        raise SettingsError(f"{topic}: {error}") from None


def named_urls(topic: Topic) -> tuple[str, ...]:
    """The URLs that a person named: seeds, and example pages that are addresses."""
    examples = (_address(example) for example in topic.examples)
    return tuple(dict.fromkeys((*topic.seeds, *filter(None, examples))))


def scope_advice(topic: Topic, options: CrawlOptions) -> Iterator[str]:
    """What the scope of a crawl cannot mean, and which seeds it leaves out, a sentence each."""
    yield from pattern_warnings("include", options.include)
    yield from pattern_warnings("exclude", options.exclude)
    yield from exclude_advice(topic)
    if options.stay:
        yield from _same_site_advice(topic, options)
    for url, violation in denied_urls(topic, bounds_of(topic, options)):
        yield f"{topic}: {url} is left out: {violation.reason} ({violation.rule})"


def exclude_advice(topic: Topic) -> Iterator[str]:
    """What the topic's own ``exclude`` cannot mean, a sentence each."""
    for advice in pattern_warnings("exclude", topic.exclude):
        yield f"{topic}: {advice}"


def denied_urls(topic: Topic, bounds: UrlRules) -> Iterator[tuple[str, ScopeViolation]]:
    """The named URLs that are denied or excluded all the same: they are left out."""
    for url in named_urls(topic):
        if (violation := bounds.denial(url)) is not None:
            yield url, violation


def check_seeds(topic: Topic, bounds: UrlRules) -> None:
    """SettingsError where nothing would be fetched: every named URL is denied or excluded."""
    named, denied = named_urls(topic), list(denied_urls(topic, bounds))
    if named and len(denied) == len(named):
        url, violation = denied[0]
        raise SettingsError(
            f"{topic}: every seed is denied or excluded, {url} by {violation.rule}; "
            "change that, or "
            "give another seed."
        )


def _same_site_advice(topic: Topic, options: CrawlOptions) -> Iterator[str]:
    home = site_rules(named_urls(topic))
    below = [site_of(url) for url in named_urls(topic)]
    for text in options.allow_host:
        rule = host_rule(text)
        near = any(site == rule.name or site.endswith(f".{rule.name}") for site in below)
        if not rule.is_pattern and not near and home.first(f"http://{rule.name}/") is None:
            yield f"allow_host {text!r} is no seed's host, so with stay nothing of it is followed"


def _address(example: str) -> str | None:
    if not example.strip().lower().startswith(("http://", "https://")):
        return None
    try:
        return canonical(example)
    except MalformedUrlError:
        return None


# A dry run: what would a crawl do with a link to this URL? No network is used.

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


class ScopeTrial:
    """Tries URLs against the scope of a crawl.

    Parameters
    ----------
    topic, options : of the crawl.
    year : the present year; calendars far from it are traps.
    """

    def __init__(self, topic: Topic, options: CrawlOptions, year: int) -> None:
        self._bounds = bounds_of(topic, options)
        self._named = frozenset(named_urls(topic))
        self._rules = LiveLinkRules(year, options.allow_private)
        self._max_depth = options.max_depth

    def verdict(self, url: str, depth: int | None = None) -> Verdict:
        """What becomes of a link to ``url``, which then is ``depth`` links from a seed.

        Without a depth it is taken to be a link of a seed; without a scheme the URL is taken for
        the one that the topic names, or for https.
        """
        try:
            spelled = possible_urls(url)
        except MalformedUrlError as error:
            return _unusable(url, str(error))
        target = next((each for each in spelled if each in self._named), spelled[0])
        if target in self._named:
            return self._of_named(url, target)
        if is_media(target):
            return Verdict(url, False, "media", "its name ends like a file without links", target)
        queued = self._rules.clean(target)
        cleaned = () if queued == target else ("session id taken out",)
        violation = (
            self._bounds.violation(queued) or self._by_address(queued) or self._by_depth(depth)
        )
        if violation is None:
            permits = self._bounds.permits(queued) or (_FREE,)
            return Verdict(url, True, "", ", ".join((*cleaned, *permits)), queued)
        return Verdict(url, False, violation.reason, violation.rule, queued)

    def _of_named(self, url: str, target: str) -> Verdict:
        denied = self._bounds.denial(target)
        followed = Verdict(url, True, "", _NAMED, target)
        if denied is None:
            return followed
        return replace(followed, follow=False, reason=denied.reason, rule=denied.rule)

    def _by_address(self, url: str) -> ScopeViolation | None:
        reason = self._rules.refusal(url)
        return None if reason is None else ScopeViolation(reason, _BY_ADDRESS)

    def _by_depth(self, depth: int | None) -> ScopeViolation | None:
        away = 1 if depth is None else depth
        if self._max_depth is None or away <= self._max_depth:
            return None
        if not self._max_depth:
            return ScopeViolation(TOO_FAR, "max_depth 0: no link is followed")
        return ScopeViolation(TOO_FAR, f"max_depth {self._max_depth}, and it is {away} links away")


def _unusable(url: str, message: str) -> Verdict:
    reason = "other scheme" if is_of_another_scheme(url) else "malformed"
    return Verdict(url, False, reason, message)


def try_scope(
    topic: Topic,
    options: CrawlOptions | None,
    urls: Iterable[str],
    *,
    depth: int | None = None,
) -> list[Verdict]:
    """What a crawl for ``topic`` with these options would do with links to these URLs.

    Parameters
    ----------
    topic : of the crawl.
    options : of the crawl; None for the default ones.
    urls : to try; none give no verdicts.
    depth : links from a seed to each of them, 1 or more; by default 1.

    Raises
    ------
    SettingsError
        An argument is of another kind, or every seed is denied or excluded.
    """
    check_topic(topic)
    check_options(options)
    check_number("depth", depth, whole=True)
    if depth is not None and depth < 1:
        raise SettingsError(f"depth is 1 or more, not {depth}: a link leads away from its page.")
    wanted = _checked_urls(urls)
    options = options or CrawlOptions()
    check_seeds(topic, bounds_of(topic, options))
    trial = ScopeTrial(topic, options, datetime.now(UTC).year)
    return [trial.verdict(url, depth) for url in wanted]


def _checked_urls(urls: object) -> list[str]:
    if isinstance(urls, str):
        raise SettingsError("urls takes a list of URLs, not a text; put it in brackets.")
    if isinstance(urls, bytes) or not isinstance(urls, Iterable):
        raise SettingsError(
            f"urls takes a list of URLs, not a value of type {type(urls).__name__}."
        )
    found = list(urls)
    for each in found:
        if not isinstance(each, str):
            raise SettingsError(f"urls takes a list of URLs, and {each!r} is not a text.")
    return found
