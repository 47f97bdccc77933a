"""The scope of a live crawl: its bounds, and a dry run that says what it would do with a URL."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from scenthound.core.crawl_loop import TOO_FAR
from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.hosts import host_rule, site_of, site_rules
from scenthound.core.model import Topic
from scenthound.core.patterns import pattern_warnings
from scenthound.core.scope import LiveLinkRules, ScopeViolation, UrlRules
from scenthound.core.urls import (
    canonical,
    is_media,
    is_of_another_scheme,
    possible_urls,
    rejection_reason,
)
from scenthound.crawler.argument_checks import check_number, check_options, check_topic
from scenthound.crawler.options import CrawlOptions
from scenthound.similarity.topic_file import is_url


def bounds_of(topic: Topic, options: CrawlOptions) -> UrlRules:
    """Return the bounds of a crawl: its options, with the topic's ``exclude`` joined in.

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
    """Return the URLs that the user named: seeds, and example pages that are addresses."""
    return tuple(dict.fromkeys((*topic.seeds, *example_urls(topic).values())))


def example_urls(topic: Topic) -> dict[str, str]:
    """Return the canonical URLs of the example pages that are addresses, as the topic has them.

    A malformed one is reported when the topic is read, as any example that cannot be read.
    """
    urls = {}
    for example in filter(is_url, topic.examples):
        with suppress(MalformedUrlError):
            urls[example] = canonical(example)
    return urls


def scope_advice(topic: Topic, options: CrawlOptions) -> Iterator[str]:
    """Yield a sentence for each odd rule of a scope, and for each seed that it leaves out."""
    yield from pattern_warnings("include", options.include)
    yield from pattern_warnings("exclude", options.exclude)
    yield from exclude_advice(topic)
    if options.stay:
        named = named_urls(topic)
        home, sites = site_rules(named), [site_of(url) for url in named]
        for text in options.allow_host:
            rule = host_rule(text)
            near = any(site == rule.name or site.endswith(f".{rule.name}") for site in sites)
            if not rule.is_pattern and not near and home.first(f"http://{rule.name}/") is None:
                yield (
                    f"allow_host {text!r} is no seed's host, so with stay nothing of it is followed"
                )
    for url, violation in denied_urls(topic, bounds_of(topic, options)):
        yield f"{topic}: {url} is left out: {violation.reason} ({violation.rule})"


def exclude_advice(topic: Topic) -> Iterator[str]:
    """Yield a sentence for each odd pattern of the topic's own ``exclude``."""
    for advice in pattern_warnings("exclude", topic.exclude):
        yield f"{topic}: {advice}"


def denied_urls(topic: Topic, bounds: UrlRules) -> Iterator[tuple[str, ScopeViolation]]:
    """Yield the named URLs that are denied or excluded."""
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
            "change that, or give another seed."
        )


# A dry run: what would a crawl do with a link to this URL? No network is used.

_NAMED = "named by the topic: only deny_host and exclude bind it"

_BY_ADDRESS = "by its address alone"

_FREE = "no rule forbids it"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a crawl would do with a link.

    Parameters
    ----------
    url : as it was given.
    follow : would it be queued?
    reason : why not, as the journal has it; empty where it would.
    rule : the rules that decide.
    queued : the URL as it is queued; None for one that is no URL.
    """

    url: str
    follow: bool
    reason: str = ""
    rule: str = ""
    queued: str | None = None

    def to_json(self) -> dict[str, object]:
        """Return the values by name."""
        return asdict(self)


class ScopeTrial:
    """Tries URLs against the scope of a crawl; calendars far from ``year`` are traps."""

    def __init__(self, topic: Topic, options: CrawlOptions, year: int) -> None:
        self._bounds = bounds_of(topic, options)
        self._named = frozenset(named_urls(topic))
        self._rules = LiveLinkRules(year, None if options.allow_private else rejection_reason)
        self._max_depth = options.max_depth

    def verdict(self, url: str, depth: int | None = None) -> Verdict:
        """Return the verdict on a link to ``url``, which then is ``depth`` links from a seed.

        Without a depth it is taken to be a link of a seed; without a scheme the URL is taken for
        the one that the topic names, or for https.
        """
        try:
            spelled = possible_urls(url)
        except MalformedUrlError as error:
            reason = "other scheme" if is_of_another_scheme(url) else "malformed"
            return Verdict(url, False, reason, str(error))
        target = next((each for each in spelled if each in self._named), spelled[0])
        if target in self._named:
            denied = self._bounds.denial(target)
            if denied is None:
                return Verdict(url, True, "", _NAMED, target)
            return Verdict(url, False, denied.reason, denied.rule, target)
        if is_media(target):
            return Verdict(url, False, "media", "its name ends like a file without links", target)
        queued = self._rules.clean(target)
        cleaned = () if queued == target else ("session id taken out",)
        violation = self._bounds.violation(queued)
        if violation is None and (refused := self._rules.refusal(queued)) is not None:
            violation = ScopeViolation(refused, _BY_ADDRESS)
        violation = violation or self._by_depth(depth)
        if violation is None:
            permits = self._bounds.permits(queued) or (_FREE,)
            return Verdict(url, True, "", ", ".join((*cleaned, *permits)), queued)
        return Verdict(url, False, violation.reason, violation.rule, queued)

    def _by_depth(self, depth: int | None) -> ScopeViolation | None:
        """Return the violation of a link that is too far from the seeds."""
        away = 1 if depth is None else depth
        if self._max_depth is None or away <= self._max_depth:
            return None
        if not self._max_depth:
            return ScopeViolation(TOO_FAR, "max_depth 0: no link is followed")
        return ScopeViolation(TOO_FAR, f"max_depth {self._max_depth}, and it is {away} links away")


def try_scope(
    topic: Topic,
    options: CrawlOptions | None,
    urls: Iterable[str],
    *,
    depth: int | None = None,
) -> list[Verdict]:
    """Return what a crawl for ``topic`` with these options would do with links to these URLs.

    ``depth`` is how many links away from a seed each of them is, 1 or more; by default 1.
    SettingsError where an argument is of another type, or every seed is denied or excluded.
    """
    check_topic(topic)
    check_options(options)
    check_number("depth", depth, whole=True)
    if depth is not None and depth < 1:
        raise SettingsError(f"depth is 1 or more, not {depth}: a link leads away from its page.")
    if isinstance(urls, str | bytes) or not isinstance(urls, Iterable):
        raise SettingsError("urls takes a list of URLs, not a single value; put it in brackets.")
    wanted = list(urls)
    for each in wanted:
        if not isinstance(each, str):
            raise SettingsError(f"urls takes a list of URLs, and {each!r} is not a text.")
    options = options or CrawlOptions()
    check_seeds(topic, bounds_of(topic, options))
    trial = ScopeTrial(topic, options, datetime.now(UTC).year)
    return [trial.verdict(url, depth) for url in wanted]
