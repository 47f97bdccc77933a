"""Addresses that lead nowhere new: session ids, paths that repeat, calendars without end.

The rules read the URL alone. They rather let a trap pass than lose a page: a lone number is
never a date, and old dates are only wrong where a calendar stands around them.
"""

from __future__ import annotations

import re
import zlib
from functools import lru_cache

from scenthound.core.urls import canonical

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
    """Is there a date that no page has, but that a calendar goes on to?"""
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
