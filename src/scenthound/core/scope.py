"""The scope of a crawl: which hosts and URLs may be followed.

The rules are checked in this order; the first one that a URL breaks is the reason:

``host denied``               a rule of ``deny_host`` is about its host
``excluded``                  a pattern of ``exclude`` matches it
``host not allowed``          there is ``allow_host``, and no rule of it is about its host
``outside the seeds' hosts``  with ``stay``: its host is no seed's, nor below one
``not included``              there is ``include``, and no pattern of it matches
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from scenthound.core.errors import SettingsError
from scenthound.core.events import MAX_EXAMPLES, DroppedLinks
from scenthound.core.hosts import HostRule, HostRules, host_rules, site_of, site_rules
from scenthound.core.model import Link, Page
from scenthound.core.patterns import (
    UrlPatterns,
    matches_everything,
    matches_nothing,
    pattern_warnings,
)
from scenthound.core.protocols import State
from scenthound.core.urls import canonical, host_of

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
    """Which URLs may be followed, by the rules of the user; without rules, all.

    Parameters
    ----------
    allow_host, deny_host : hosts with their subdomains, or patterns of hosts with ``*``.
    include, exclude : patterns of URLs.
    stay_with : canonical URLs; only their hosts and those below are followed. None to go anywhere.

    SettingsError where a host or an expression cannot be read.
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

    def __init__(self, bounds: UrlRules | None = None, rules: LiveLinkRules | None = None) -> None:
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
    for text in deny_host:
        if "*" in text and not text.strip().strip("*"):
            raise SettingsError(
                f"deny_host {text!r} is every host, so nothing would be fetched; name the hosts."
            )
    denied = host_rules(deny_host)
    if allow_host and all(_is_covered(rule, denied) for rule in host_rules(allow_host).rules):
        raise SettingsError(
            "every host of allow_host is denied by deny_host, so nothing but seeds would be "
            "fetched; drop one of them."
        )
    if include and all(map(matches_nothing, include)):
        raise SettingsError(next(pattern_warnings("include", include)))


def _is_covered(rule: HostRule, denied: HostRules) -> bool:
    if rule.is_pattern:
        return any((rule.name, each.port) == (each.name, None) for each in denied.rules)
    port = "" if rule.port is None else f":{rule.port}"
    found = denied.first(f"http://{rule.name}{port}/")
    return found is not None and found.port in (None, rule.port)


MAX_SEGMENTS = 25
MAX_PARAMETERS = 20
EARLIEST_YEAR = 1900
YEARS_AHEAD = 2
_SESSION_NAMES = r"jsessionid|phpsessid|aspsessionid[a-z]*|cfid|cftoken|oscsid|xtcsid|zenid"
_PERHAPS_SESSION = r"s|sid|_sid|sess|sessid|session|session_?id|phpsid|sess_?key"
_IN_PATH = re.compile(
    rf";(?:{_SESSION_NAMES}|sid|session_?id)=[^/;?]*"
    r"|/%28(?:[AFX]%28[\w-]+%29)*[SF]%28[\w-]{16,}%29(?:[A-Z]%28[\w-]+%29)*%29(?=/)",
    re.IGNORECASE,
)
"""``;jsessionid=...`` and the ``/(S(...))/`` of ASP.NET, in their canonical spelling."""
_IN_QUERY = re.compile(
    rf"(?:{_SESSION_NAMES})=.*"
    # An id has both letters and digits and is long: ``sid=introduction`` names a page.
    rf"|(?:{_PERHAPS_SESSION})=(?=[^0-9]*[0-9])(?=[^a-z]*[a-z])(?:[\w.~!*+/=-]|%[0-9a-f]{{2}}){{16,}}",
    re.IGNORECASE,
)
_MAY_HOLD_SESSION = re.compile(
    rf"[;?&](?:{_SESSION_NAMES}|{_PERHAPS_SESSION})=|/%28", re.IGNORECASE
)
_DATE = re.compile(
    # Not within a longer number, a UUID or an ISSN: 1478-3975/7/1 is a journal's volume.
    r"(?<![0-9a-z])(?<![0-9]-)(?P<year>[0-9]{4})(?P<mark>[/-])(?:0?[1-9]|1[0-2])"
    r"(?:(?P=mark)(?P<day>0?[1-9]|[12][0-9]|3[01]))?(?![0-9a-z])",
    re.IGNORECASE,
)
"""A year and a month, perhaps a day: ``2024/05``, ``2024-05-17``."""
_DATE_ALONE = re.compile(
    r"/(?P<year>[0-9]{4})/(?:0?[1-9]|1[0-2])(?:/(?:0?[1-9]|[12][0-9]|3[01]))?/?\Z"
)
"""A path that ends with its date, so that it shows a whole month or day: ``/2049/1/``."""
_YEAR_KEY = re.compile(r"[?&](?:\w*year|yr|jahr|annee|anno)=(?P<year>[0-9]{4})(?![0-9])", re.I)
_MONTH_KEY = re.compile(r"[?&](?:\w*month|mon|mo|monat|mois|mes)=[0-9]", re.I)
_CALENDAR_WORD = re.compile(
    r"(?<![a-z])(?:calend[ae]r|kalender|calendrier|calendario|agenda|tribe-bar-date|ical)(?![a-z])",
    re.I,
)
_EVENT_WORD = re.compile(r"(?<![a-z])(?:events?|veranstaltungen|eventos|month|week)(?![a-z])", re.I)
_LAST_DATED_YEAR = 2200
_FOUR_DIGITS = re.compile(r"[0-9]{4}")
_DIGITS = re.compile(r"[0-9]+")
_LONGEST_SHAPE = 200


def without_session(url: str) -> str:
    """The canonical ``url`` without the ids that a server gives to each visitor.

    Everything else stays as it is; a URL without such an id is given back unchanged.
    """
    may_hold_one = "?" in url or ";" in url or "%28" in url
    if not may_hold_one or not _MAY_HOLD_SESSION.search(url):
        return url
    address, mark, query = url.partition("?")
    path = _IN_PATH.sub("", address)
    kept = "&".join(part for part in query.split("&") if not _IN_QUERY.fullmatch(part))
    if path == address and kept == query:
        return url
    return canonical(path + mark + kept)


@lru_cache(maxsize=16_384)  # the same menu stands on every page of a site
def trap(url: str, year: int) -> str | None:
    """Why the canonical ``url`` is taken for a trap, or None; ``year`` is the present one."""
    address, _, query = url.partition("?")
    if query.count("&") >= MAX_PARAMETERS:
        return "too many parameters"
    segments = address.split("/")[3:]
    if len(segments) > MAX_SEGMENTS:
        return "too deep"
    # Three equal segments at least: with fewer, which is nearly always, there is nothing to see.
    if len(segments) > 2 and len(segments) - len(set(segments)) > 1 and _repeats(segments):
        return "path repetition"
    if _FOUR_DIGITS.search(url) and _is_out_of_time(url, year):
        return "calendar"
    return None


def is_dated(url: str) -> bool:
    """Does the canonical ``url`` carry a date: a year and a month, or a calendar's parameters?"""
    if not _FOUR_DIGITS.search(url):
        return False
    return _DATE.search(url) is not None or _year_in_query(url) is not None


class SeriesLimit:
    """Ends calendars without end: counts the dates under which a host shows the same page.

    URLs that differ in their digits only have one shape. Of a shape with a date about ``most``
    URLs are admitted; an article of a dated path has a name of its own, so it is a shape of its
    own. Numbers that are no dates are never counted.

    Parameters
    ----------
    most : URLs of one shape; slightly more pass, since they are counted by their hashes.
    kept : shapes remembered; those met longest ago are forgotten first.
    """

    def __init__(self, most: int = 400, kept: int = 20_000) -> None:
        self._most = most
        self._kept = kept
        self._slots = 8 * most
        self._seen: dict[str, int] = {}

    def admit(self, url: str) -> str | None:
        """Why the canonical ``url`` is one too many; None where it may pass.

        A URL met again counts once. Beyond the limit no URL of the shape passes, not even one
        that did before: it is in the frontier already.
        """
        if not is_dated(url):
            return None
        shape = _DIGITS.sub("0", url)[:_LONGEST_SHAPE]
        seen = self._seen.pop(shape, 0)
        slot = 1 << zlib.crc32(url.encode()) % self._slots
        full = seen.bit_count() >= self._most
        self._seen[shape] = seen if full else seen | slot
        if len(self._seen) > self._kept:
            del self._seen[next(iter(self._seen))]
        return "endless calendar" if full else None

    def state(self) -> list[list[str]]:
        """What must be saved to go on later; JSON can hold it."""
        return [[shape, f"{seen:x}"] for shape, seen in self._seen.items()]

    def restore(self, state: list[list[str]]) -> None:
        """Go on from what :meth:`state` gave, with the same ``most``."""
        self._seen = {shape: int(seen, 16) for shape, seen in state}


class LiveLinkRules:
    """Which addresses a live crawl may follow.

    Parameters
    ----------
    year : the present year; calendars far from it are not followed.
    host_rejection : why a host may not be visited, None where it may; None to allow every host.
    """

    def __init__(self, year: int, host_rejection: Callable[[str], str | None] | None) -> None:
        self._year = year
        self._host_rejection = host_rejection
        self._series = SeriesLimit()

    def clean(self, url: str) -> str:
        """Return the URL without a session id."""
        return without_session(url)

    def refusal(self, url: str) -> str | None:
        """Return why a URL is not followed; None where it is."""
        if self._host_rejection is not None:
            reason = self._host_rejection(host_of(url))
            if reason is not None:
                return reason
        return trap(url, self._year) or self._series.admit(url)

    def state(self) -> State:
        """Return the counts of calendars."""
        return {"series": self._series.state()}

    def restore(self, state: State) -> None:
        """Continue from what :meth:`state` returned."""
        self._series.restore(state["series"])


def _repeats(path: list[str]) -> bool:
    """Does a segment, or a run of them, stand three times in a row, or a word four times?"""
    segments = [segment for segment in path if segment]
    if any(_is_word(s) and segments.count(s) >= 4 for s in set(segments)):
        return True
    for length in range(1, len(segments) // 3 + 1):
        for start in range(len(segments) - 3 * length + 1):
            group = segments[start : start + length]
            # "/1/1/1" are coordinates or pages, "/a/a/a" initials: those need five in a row.
            times = 3 if any(map(_is_word, group)) else 5
            if segments[start : start + times * length] == group * times:
                return True
    return False


def _is_word(segment: str) -> bool:
    return len(segment) > 2 and not segment.isdecimal()


def _is_out_of_time(url: str, year: int) -> bool:
    """Is there a date that only a calendar without end has?"""
    by_key = _year_in_query(url)
    if by_key is not None and not EARLIEST_YEAR <= by_key <= year + YEARS_AHEAD:
        return True
    alone = _DATE_ALONE.search(url.partition("?")[0])
    if alone is not None and year + YEARS_AHEAD < int(alone["year"]) < _LAST_DATED_YEAR:
        return True
    date = _DATE.search(url)
    if date is None:
        return False
    if int(date["year"]) < EARLIEST_YEAR:
        return _CALENDAR_WORD.search(url) is not None
    if int(date["year"]) <= year + YEARS_AHEAD:
        return False
    if _CALENDAR_WORD.search(url) or _EVENT_WORD.search(url):
        return True
    # Without such a word a large number may count articles; a calendar comes by the near years.
    return date["day"] is not None and int(date["year"]) < _LAST_DATED_YEAR


def _year_in_query(url: str) -> int | None:
    """The year of a query that names a year and a month."""
    key = _YEAR_KEY.search(url)
    return int(key["year"]) if key is not None and _MONTH_KEY.search(url) else None
