"""The URL that a user asks about, and what the journal says of it and of the pages that led to
it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from pydantic import TypeAdapter

from scenthound.core.errors import MalformedUrlError, SettingsError
from scenthound.core.model import Part, worker_of
from scenthound.core.urls import DEFAULT_PORTS, possible_urls
from scenthound.output.explain.explanation import LinkCounts, UrlEvent, WeightsOrigin
from scenthound.storage.journal import JournalReader
from scenthound.storage.stored_crawl import (
    READING_ERRORS,
    PageRecord,
    damaged_line_error,
    page_record,
)

_ROUNDING = 2e-5
"""The journal keeps five decimals."""


@dataclass(frozen=True, slots=True)
class Revision:
    """Weights learned from so many ``links``, in force after page ``n``."""

    n: int = 0
    links: int = 0
    weights: Mapping[str, float] = field(default_factory=dict)


def weights_origin(
    parts: Sequence[Part], revisions: Sequence[Revision], before: int | None = None
) -> WeightsOrigin | None:
    """The revision that a URL's weights come from; None where there is none to tell of.

    A page was perhaps asked for before the last revision, so its weights are looked for among all.

    Parameters
    ----------
    parts : of the URL's score; none, as for a seed, gives None.
    revisions : all of the crawl, the last first; none give None.
    before : number of the page that it became, which later weights had no part in.
    """
    if not parts or not revisions:
        return None
    for place, each in enumerate(revisions):
        far = (abs(each.weights.get(p.name, math.inf) - p.weight) > _ROUNDING for p in parts)
        if (before is None or each.n < before) and not any(far):
            return WeightsOrigin(len(revisions) - place, each.n, each.links)
    return WeightsOrigin(0)


# The URL that a user asks about, however loosely it is written, and those it may be taken for.

_WWW = "www."
_NUMBER = re.compile(r"[0-9]{1,15}")


@dataclass(frozen=True, slots=True)
class UrlQuery:
    """What was asked for.

    ``spellings`` are the canonical URLs that it says, the likeliest first: more than one without
    a scheme, none for a page's number. ``twins`` differ in the scheme, a ``www.`` or a last slash.
    """

    text: str
    number: int | None = None
    spellings: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()


def parse_query(what: str | int) -> UrlQuery:
    """A URL, with or without its scheme, or the number of a page, as a text too.

    Raises
    ------
    SettingsError
        It is neither.
    """
    if isinstance(what, int) and not isinstance(what, bool):
        if what < 1:
            raise SettingsError(f"pages are numbered from 1 on, so there is no page {what}.")
        return UrlQuery(f"page {what}", number=what)
    if not isinstance(what, str):
        raise SettingsError(f"explain takes a URL or the number of a page, not {what!r}.")
    if _NUMBER.fullmatch(what.strip()):
        return parse_query(int(what))
    try:
        found = possible_urls(what)
    except MalformedUrlError as error:
        raise SettingsError(
            f"{what[:200]!r} is not the URL of a page: {error}; give one such as "
            "https://example.org/page."
        ) from None
    twins = dict.fromkeys(twin for url in found for twin in _twins(url))
    return UrlQuery(what, None, found, tuple(url for url in twins if url not in found))


def _twins(url: str) -> Iterator[str]:
    """Itself among them; a host with a port, or an address, has no ``www.``."""
    _, _, rest = url.partition("://")
    host, _, path = rest.partition("/")
    bare = host.removeprefix(_WWW)
    hosts = [host] if bare[-1:].isdigit() or ":" in host else [bare, _WWW + bare]
    paths = [path] if "?" in path or not path else [path.rstrip("/"), path.rstrip("/") + "/"]
    for scheme, name, tail in product(DEFAULT_PORTS, hosts, paths):
        yield f"{scheme}://{name}/{tail}"


def tail_of(url: str) -> str:
    """Path and query of a canonical URL, without the first slash; "" for a front page."""
    return url.partition("://")[2].partition("/")[2]


# The journal is read once, from its end: whatever led to a page comes after it.

SAME_PATH_KEPT = 5
_NO_LINKS = ("other scheme", "malformed", "media", "too many links")
_URL_EVENTS = frozenset({"refused", "failed", "redirect"})
_URL_EVENT, _REVISION = TypeAdapter(UrlEvent), TypeAdapter(Revision)


class JournalSearch:
    """Keeps what the journal says of a few URLs and pages, and of the pages that led there.

    A page links only to pages that are fetched after it, so reading backwards every page that is
    needed is known to be before its event comes: nothing else has to be remembered.

    Parameters
    ----------
    urls : canonical URLs of interest.
    numbers : pages of interest.
    on_way : further pages that are needed with the way to them.
    named : further pages that are needed by themselves.
    """

    def __init__(
        self,
        urls: Iterable[str],
        numbers: Iterable[int] = (),
        on_way: Iterable[int] = (),
        named: Iterable[int] = (),
    ) -> None:
        self._urls = frozenset(urls)
        self._tails = {tail_of(url) for url in self._urls} - {""}
        self._targets = set(numbers)
        self._on_way = set(on_way)
        self._named = set(named)
        self.last = 0
        """The highest number of a page."""
        self.pages: dict[int, PageRecord] = {}
        self.links: dict[int, LinkCounts] = {}
        """Of the pages of interest."""
        self.number_of: dict[str, int] = {}
        """URLs of interest that were fetched: the number of the page."""
        self.led_to: dict[str, int] = {}
        """URLs of interest that redirected to a page: its number."""
        self.other_events: dict[str, list[UrlEvent]] = {}
        """What else happened to URLs of interest, the last event first."""
        self.dropped_on: dict[str, list[tuple[int, str]]] = {}
        """Pages that name a URL of interest among the links they dropped, and the reason."""
        self.revisions: list[Revision] = []
        """Weights that the crawl learned, the last first."""
        self.same_path: list[str] = []
        """Pages of other hosts with the path of a URL of interest."""

    def read(self, events: Iterable[Mapping[str, object]]) -> None:
        """Read the journal, the last event first; FolderError for one that no crawl wrote."""
        for event in events:
            self._add(event)

    def read_numbered(self, journal: JournalReader) -> None:
        """Read only the pages that are needed, which suffices where no URL is of interest."""
        last = next(journal.pages_backward(), None)
        self.last = 0 if last is None else last.number
        done: set[int] = set()
        while left := (self._targets | self._on_way | self._named) - done:
            number = max(left)  # whatever led to a page has a lower number
            done.add(number)
            page = None if worker_of(number) else journal.page(number)
            if page is not None:
                self._add(page.event)

    def _add(self, event: Mapping[str, object]) -> None:
        kind = event.get("event")
        try:
            if kind == "page":
                self._page(event)
            elif kind == "revised":
                self.revisions.append(_REVISION.validate_python(event))
            elif kind in _URL_EVENTS and event.get("url") in self._urls:
                found = _URL_EVENT.validate_python(event)
                self.other_events.setdefault(str(event["url"]), []).append(found)
        except READING_ERRORS as error:
            raise damaged_line_error("a line of the journal", error) from None

    def _page(self, event: Mapping[str, object]) -> None:
        number, url = event.get("n"), event.get("url")
        if not isinstance(number, int) or not isinstance(url, str):
            return
        self.last = max(self.last, number)
        self._look_for_mentions(number, url, event)
        if url in self._urls or number in self._targets:
            self._keep_target(number, url, event)
        elif number in self._on_way or number in self._named:
            record = self.pages[number] = page_record(event)
            if number in self._on_way and record.parent is not None:
                self._on_way.add(record.parent)

    def _keep_target(self, number: int, url: str, event: Mapping[str, object]) -> None:
        record = self.pages[number] = page_record(event)
        self.number_of[url] = number
        self.links[number] = link_counts(event)
        self._named |= {each.source for each in record.inlinks}
        if record.copy_of is not None:
            self._named.add(record.copy_of)
        if record.parent is not None:
            self._on_way.add(record.parent)

    def _look_for_mentions(self, number: int, url: str, event: Mapping[str, object]) -> None:
        redirects = event.get("redirects")
        for hop in redirects if isinstance(redirects, list) else ():
            if hop in self._urls:
                self.led_to[hop] = number
                self._targets.add(number)
        dropped = event.get("dropped")
        for reason, found in dropped.items() if isinstance(dropped, dict) else ():
            for example in self._urls.intersection(found[1]):
                self.dropped_on.setdefault(example, []).append((number, str(reason)))
        if tail_of(url) in self._tails and url not in self._urls:
            self.same_path = [url, *self.same_path][:SAME_PATH_KEPT]


def link_counts(event: Mapping[str, object]) -> LinkCounts:
    """What a page event says of the links of its page; nothing where it does not."""
    links, dropped = event.get("links"), event.get("dropped")
    counts = links if isinstance(links, dict) else {}
    reasons = dropped if isinstance(dropped, dict) else {}
    drops = {str(reason): int(found[0]) for reason, found in reasons.items()}
    new, rescored, closed = (int(counts.get(name, 0)) for name in ("new", "rescored", "closed"))
    # The journal counts apart what can be no link, and what is repeated even where it was dropped.
    found = int(counts.get("found", 0)) + sum(drops.get(reason, 0) for reason in _NO_LINKS)
    accounted = new + rescored + closed + sum(drops.values())
    # Links such as "#top" are counted apart too, under the reason of links to the page itself.
    found = max(found, accounted)
    repeated = min(int(counts.get("repeated", 0)), found - accounted)
    return LinkCounts(found, new, rescored, closed, repeated, drops)
