"""Bounds that cannot do what was meant by them, told before a crawl begins.

Those within which nothing could be fetched are errors; of the others a sentence says what is
amiss, and the crawl goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scenthound.core.bounds import Bounds
from scenthound.core.errors import SettingsError
from scenthound.core.hosts import HostRule, Hosts, hosts
from scenthound.core.patterns import (
    escaped_expression,
    host_in,
    likely_meant,
    matches_everything,
    matches_nothing,
)


def check_bounds(
    allow_host: Sequence[str],
    deny_host: Sequence[str],
    include: Sequence[str],
    exclude: Sequence[str],
) -> None:
    """SettingsError for bounds that cannot be read, or within which nothing could be fetched."""
    Bounds(allow_host=allow_host, deny_host=deny_host, include=include, exclude=exclude)
    for text in filter(matches_everything, exclude):
        raise SettingsError(
            f"exclude {text!r} matches every URL, so nothing would be fetched; write what is to "
            "be left out, such as '*/login*'."
        )
    for text in filter(is_every_host, deny_host):
        raise SettingsError(
            f"deny_host {text!r} is every host, so nothing would be fetched; name the hosts."
        )
    if allow_host and len(denied_hosts(allow_host, deny_host)) == len(allow_host):
        raise SettingsError(
            "every host of allow_host is denied by deny_host, so nothing but seeds would be "
            "fetched; drop one of them."
        )
    _check_include(include, allow_host)


def _check_include(include: Sequence[str], allow_host: Sequence[str]) -> None:
    usable = [text for text in include if not matches_nothing(text)]
    if include and not usable:
        raise SettingsError(next(nothing_advice("include", include)))
    allowed = hosts(allow_host)
    if usable and not any(may_be_allowed(text, allowed) for text in usable):
        raise SettingsError(
            f"include {usable[0]!r} matches no host of allow_host, so nothing but seeds would be "
            "fetched; add its host."
        )


def nothing_advice(key: str, patterns: Sequence[str]) -> Iterator[str]:
    """A sentence for each pattern that can match no URL; ``key`` is what they are called.

    Also for each expression with characters that no URL has.
    """
    for text in filter(matches_nothing, patterns):
        yield (
            f"{key} {text!r} can match no URL, as URLs begin with http:// or https:// and have no "
            f"#; did you mean {likely_meant(text)!r}?"
        )
    for text in patterns:
        if (escaped := escaped_expression(text)) is not None:
            yield (
                f"{key} {text!r} has characters that no URL has, as URLs write them escaped; did "
                f"you mean {escaped!r}?"
            )


def include_advice(patterns: Sequence[str], allow_host: Sequence[str]) -> Iterator[str]:
    """A sentence for each include that changes nothing, or can match nothing that is allowed."""
    yield from nothing_advice("include", patterns)
    for text in filter(matches_everything, patterns):
        yield f"include {text!r} matches every URL, so include changes nothing; leave it out"
    for text in patterns:
        if not may_be_allowed(text, hosts(allow_host)):
            yield f"include {text!r} matches no host of allow_host; add its host, or leave it out"


def host_advice(allow_host: Sequence[str], deny_host: Sequence[str]) -> Iterator[str]:
    """A sentence for each host that is allowed for nothing."""
    for text in allow_host:
        if is_every_host(text):
            yield f"allow_host {text!r} is every host, so it changes nothing; leave it out"
    for text in denied_hosts(allow_host, deny_host):
        yield f"allow_host {text!r} is denied by deny_host, so nothing of it is followed"


def denied_hosts(allow_host: Sequence[str], deny_host: Sequence[str]) -> list[str]:
    """The allowed hosts that are denied as well, so that nothing of them is left."""
    denied = hosts(deny_host)
    return [rule.text for rule in hosts(allow_host).rules if _is_covered(rule, denied)]


def is_every_host(text: str) -> bool:
    """Is a rule about every host?"""
    return not text.strip().strip("*") and "*" in text


def may_be_allowed(pattern: str, allowed: Hosts) -> bool:
    """May a pattern match a URL on an allowed host? None allowed is all allowed."""
    host = host_in(pattern)
    return host is None or not allowed or allowed.first(f"http://{host}/") is not None


def _is_covered(rule: HostRule, denied: Hosts) -> bool:
    if rule.is_pattern:
        return any((rule.name, each.port) == (each.name, None) for each in denied.rules)
    port = "" if rule.port is None else f":{rule.port}"
    found = denied.first(f"http://{rule.name}{port}/")
    return found is not None and found.port in (None, rule.port)
