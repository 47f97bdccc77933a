"""The scope of a live crawl: its bounds, what contradicts them, and what they cannot mean."""

from __future__ import annotations

from collections.abc import Iterator

from scenthound.core.bounds import Bounds, Breach
from scenthound.core.bounds_advice import host_advice, include_advice, nothing_advice
from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.hosts import host_rule, site_of, sites
from scenthound.core.model import Topic
from scenthound.core.urls import canonical
from scenthound.live.options import CrawlOptions


def bounds_of(topic: Topic, options: CrawlOptions) -> Bounds:
    """The bounds of a crawl: its options, with the topic's ``exclude`` joined in.

    SettingsError for a pattern of the topic that cannot be read.
    """
    try:
        return Bounds(
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
    yield from include_advice(options.include, options.allow_host)
    yield from nothing_advice("exclude", options.exclude)
    yield from exclude_advice(topic)
    yield from host_advice(options.allow_host, options.deny_host)
    if options.stay:
        yield from _stay_advice(topic, options)
    for url, breach in denied_urls(topic, bounds_of(topic, options)):
        yield f"{topic}: {url} is left out: {breach.reason} ({breach.rule})"


def exclude_advice(topic: Topic) -> Iterator[str]:
    """What the topic's own ``exclude`` cannot mean, a sentence each."""
    for advice in nothing_advice("exclude", topic.exclude):
        yield f"{topic}: {advice}"


def denied_urls(topic: Topic, bounds: Bounds) -> Iterator[tuple[str, Breach]]:
    """The named URLs that are denied or excluded all the same: they are left out."""
    for url in named_urls(topic):
        if (breach := bounds.denial(url)) is not None:
            yield url, breach


def check_seeds(topic: Topic, bounds: Bounds) -> None:
    """SettingsError where nothing would be fetched: every named URL is denied or excluded."""
    named, denied = named_urls(topic), list(denied_urls(topic, bounds))
    if named and len(denied) == len(named):
        url, breach = denied[0]
        raise SettingsError(
            f"{topic}: every seed is denied or excluded, {url} by {breach.rule}; change that, or "
            "give another seed."
        )


def _stay_advice(topic: Topic, options: CrawlOptions) -> Iterator[str]:
    home = sites(named_urls(topic))
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
