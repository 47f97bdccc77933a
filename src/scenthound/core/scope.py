"""The scope of a crawl: which hosts and URLs may be followed.

The rules are checked in this order; the first one that a URL breaks is the reason:

``host denied``               a rule of ``deny_host`` is about its host
``excluded``                  a pattern of ``exclude`` matches it
``host not allowed``          there is ``allow_host``, and no rule of it is about its host
``outside the seeds' hosts``  with ``stay``: its host is no seed's, nor below one
``not included``              there is ``include``, and no pattern of it matches
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from scenthound.core.errors import SettingsError
from scenthound.core.events import MAX_EXAMPLES, DroppedLinks
from scenthound.core.model import Link, Page
from scenthound.core.patterns import (
    HostRule,
    HostRules,
    UrlPatterns,
    escaped_expression,
    host_in,
    host_rules,
    matches_everything,
    matches_nothing,
    site_of,
    site_rules,
    suggest_pattern,
)
from scenthound.core.protocols import LinkRules

HOST_DENIED = "host denied"
EXCLUDED = "excluded"
HOST_NOT_ALLOWED = "host not allowed"
OUTSIDE_SEEDS = "outside the seeds' hosts"
NOT_INCLUDED = "not included"
_FOR_ALL = (HOST_DENIED, EXCLUDED)
"""What binds seeds and example pages as well, though the user named them."""


@dataclass(frozen=True, slots=True)
class ScopeViolation:
    """Why a URL is out of scope: the reason for the journal, and the rule."""

    reason: str
    rule: str


class UrlRules:
    """Which URLs may be followed, by the rules of the user.

    Parameters
    ----------
    allow_host, deny_host : hosts with their subdomains, or patterns of hosts with ``*``.
    include, exclude : patterns of URLs.
    stay_with : canonical URLs; only their hosts and those below are followed. None to go anywhere.

    Without rules everything may be followed.

    Raises
    ------
    SettingsError
        A host or an expression cannot be read.
    """

    def __init__(
        self,
        *,
        allow_host: Sequence[str] = (),
        deny_host: Sequence[str] = (),
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        stay_with: Iterable[str] | None = None,
    ) -> None:
        self._allowed = _read("allow_host", allow_host, host_rules)
        self._denied = _read("deny_host", deny_host, host_rules)
        self._included = _read("include", include, UrlPatterns)
        self._excluded = _read("exclude", exclude, UrlPatterns)
        self._home = None if stay_with is None else site_rules(stay_with)
        rules = (self._allowed, self._denied, self._included, self._excluded)
        self._open = self._home is None and not any(rules)

    def denial(self, url: str) -> ScopeViolation | None:
        """Why a URL is never fetched, not even as a seed; None where it may be."""
        if self._denied and (rule := self._denied.first(url)) is not None:
            return ScopeViolation(HOST_DENIED, f"deny_host {rule.text!r}")
        if self._excluded and (pattern := self._excluded.first(url)) is not None:
            return ScopeViolation(EXCLUDED, f"exclude {pattern!r}")
        return None

    def violation(self, url: str) -> ScopeViolation | None:
        """Why a link to the canonical ``url`` is not followed; None where it may be."""
        if self._open:  # this runs for every link of every page
            return None
        denied = self.denial(url)
        if denied is not None:
            return denied
        if self._allowed and self._allowed.first(url) is None:
            return ScopeViolation(HOST_NOT_ALLOWED, "no allow_host is about its host")
        if self._home is not None and self._home.first(url) is None:
            return ScopeViolation(OUTSIDE_SEEDS, "stay: its host is no seed's, nor below one")
        if self._included and not self._included.match(url):
            return ScopeViolation(NOT_INCLUDED, "no include matches it")
        return None

    def permits(self, url: str) -> tuple[str, ...]:
        """The rules that let a URL in which breaks none, in words; empty where none had to."""
        found = []
        if self._allowed and (rule := self._allowed.first(url)) is not None:
            found.append(f"allow_host {rule.text!r}")
        if self._home is not None and (home := self._home.first(url)) is not None:
            found.append(f"stay: {home.name} is a seed's host")
        if self._included and (pattern := self._included.first(url)) is not None:
            found.append(f"include {pattern!r}")
        return tuple(found)

    def redirect_violation(self, url: str, target: str, is_seed: bool) -> ScopeViolation | None:
        """Why a redirect from ``url`` to ``target`` is not followed.

        A seed may move within its site (``http`` to ``https``, to ``www.``, to its front page):
        the user named it, and it is bound no more than before. A port that ``allow_host``
        names binds it all the same.
        """
        violation = self.violation(target)
        if violation is None or not is_seed or violation.reason in _FOR_ALL:
            return violation
        if violation.reason == HOST_NOT_ALLOWED and self._allowed.name_ports_of(target):
            return violation
        return None if site_of(url) == site_of(target) else violation


_Read = TypeVar("_Read")


def _read(key: str, texts: Sequence[str], read: Callable[[Sequence[str]], _Read]) -> _Read:
    """What the texts of a rule mean; an error says which rule it is about."""
    try:
        return read(texts)
    except SettingsError as error:
        raise SettingsError(f"{key} {error}") from None


# --- the links of a page


class DropCount:
    """Counts links that are not queued, by reason, and keeps a few examples."""

    def __init__(self, start: dict[str, tuple[int, tuple[str, ...]]]) -> None:
        self._counts = start

    def add(self, reason: str, url: str) -> None:
        """One more link for this reason."""
        count, examples = self._counts.get(reason, (0, ()))
        if count < MAX_EXAMPLES:
            examples = (*examples, url)
        self._counts[reason] = (count + 1, examples)

    def total(self) -> DroppedLinks:
        """All of them, for the journal."""
        return DroppedLinks(self._counts)


class Scope:
    """The rules a link must pass before it is scored.

    Parameters
    ----------
    bounds : the part of the web that is wanted; None for all of it.
    rules : further rules for addresses; None for an archive, which holds no trap without end.
    """

    def __init__(self, bounds: UrlRules | None = None, rules: LinkRules | None = None) -> None:
        self._bounds = bounds or UrlRules()
        self._rules = rules

    def follow(self, page: Page, drops: DropCount) -> list[Link]:
        """The links of ``page`` that may be followed; the others are counted in ``drops``."""
        kept = []
        for link in map(self._cleaned, page.links):
            reason = self._refusal(page, link)
            if reason is None:
                kept.append(link)
            else:
                drops.add(reason, link.url)
        return kept

    def violation(self, url: str) -> ScopeViolation | None:
        """Which rule a URL breaks, wherever it was found; None where none."""
        return self._bounds.violation(url)

    def refusal(self, url: str) -> str | None:
        """Why a URL may not be fetched, wherever it was found; None where it may."""
        return self._why(self._bounds.violation(url), url)

    def redirect_refusal(self, url: str, target: str, is_seed: bool) -> str | None:
        """Why a redirect from ``url`` to ``target`` may not be followed; None where it may."""
        return self._why(self._bounds.redirect_violation(url, target, is_seed), target)

    def clean(self, url: str) -> str:
        """The URL as it is queued."""
        return url if self._rules is None else self._rules.clean(url)

    def _why(self, violation: ScopeViolation | None, url: str) -> str | None:
        if violation is not None:
            return violation.reason
        return None if self._rules is None else self._rules.refusal(url)

    def _cleaned(self, link: Link) -> Link:
        url = self.clean(link.url)
        return link if url == link.url else replace(link, url=url)

    def _refusal(self, page: Page, link: Link) -> str | None:
        if page.copy_of is not None:
            return "on a copy"
        if not page.follow or "nofollow" in link.rel:
            return "nofollow"
        if link.url == page.url:
            return "same page"
        return self.refusal(link.url)


def check_url_rules(
    allow_host: Sequence[str],
    deny_host: Sequence[str],
    include: Sequence[str],
    exclude: Sequence[str],
) -> None:
    """SettingsError for bounds that cannot be read, or within which nothing could be fetched."""
    UrlRules(allow_host=allow_host, deny_host=deny_host, include=include, exclude=exclude)
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
        raise SettingsError(next(pattern_warnings("include", include)))
    allowed = host_rules(allow_host)
    if usable and not any(may_be_allowed(text, allowed) for text in usable):
        raise SettingsError(
            f"include {usable[0]!r} matches no host of allow_host, so nothing but seeds would be "
            "fetched; add its host."
        )


def pattern_warnings(key: str, patterns: Sequence[str]) -> Iterator[str]:
    """A sentence for each pattern that can match no URL; ``key`` is what they are called.

    Also for each expression with characters that no URL has.
    """
    for text in filter(matches_nothing, patterns):
        yield (
            f"{key} {text!r} can match no URL, as URLs begin with http:// or https:// and have no "
            f"#; did you mean {suggest_pattern(text)!r}?"
        )
    for text in patterns:
        if (escaped := escaped_expression(text)) is not None:
            yield (
                f"{key} {text!r} has characters that no URL has, as URLs write them escaped; did "
                f"you mean {escaped!r}?"
            )


def include_warnings(patterns: Sequence[str], allow_host: Sequence[str]) -> Iterator[str]:
    """A sentence for each include that changes nothing, or can match nothing that is allowed."""
    yield from pattern_warnings("include", patterns)
    for text in filter(matches_everything, patterns):
        yield f"include {text!r} matches every URL, so include changes nothing; leave it out"
    for text in patterns:
        if not may_be_allowed(text, host_rules(allow_host)):
            yield f"include {text!r} matches no host of allow_host; add its host, or leave it out"


def host_warnings(allow_host: Sequence[str], deny_host: Sequence[str]) -> Iterator[str]:
    """A sentence for each host that is allowed for nothing."""
    for text in allow_host:
        if is_every_host(text):
            yield f"allow_host {text!r} is every host, so it changes nothing; leave it out"
    for text in denied_hosts(allow_host, deny_host):
        yield f"allow_host {text!r} is denied by deny_host, so nothing of it is followed"


def denied_hosts(allow_host: Sequence[str], deny_host: Sequence[str]) -> list[str]:
    """The allowed hosts that are denied as well, so that nothing of them is left."""
    denied = host_rules(deny_host)
    return [rule.text for rule in host_rules(allow_host).rules if _is_covered(rule, denied)]


def is_every_host(text: str) -> bool:
    """Is a rule about every host?"""
    return not text.strip().strip("*") and "*" in text


def may_be_allowed(pattern: str, allowed: HostRules) -> bool:
    """May a pattern match a URL on an allowed host? None allowed is all allowed."""
    host = host_in(pattern)
    return host is None or not allowed or allowed.first(f"http://{host}/") is not None


def _is_covered(rule: HostRule, denied: HostRules) -> bool:
    if rule.is_pattern:
        return any((rule.name, each.port) == (each.name, None) for each in denied.rules)
    port = "" if rule.port is None else f":{rule.port}"
    found = denied.first(f"http://{rule.name}{port}/")
    return found is not None and found.port in (None, rule.port)
