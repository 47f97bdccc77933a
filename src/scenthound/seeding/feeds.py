"""What the feeds of the seeds' sites bring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scenthound.core.errors import MalformedUrlError
from scenthound.core.urls import canonical
from scenthound.live.errands import Errands, Unfetched
from scenthound.live.robots import origin_of
from scenthound.seeding.feed_reading import feed_links, read_feed
from scenthound.seeding.found import Found, SearchError, found_at
from scenthound.seeding.telling import Teller
from scenthound.text.decode import decode

NAME = "feeds"
USUAL_PLACES = ("/feed", "/rss.xml", "/atom.xml")
"""Tried in turn on a site whose pages link to no feed."""
MOST_FEEDS = 30
MOST_FEEDS_OF_A_PAGE = 5
MOST_PAGES = 30
"""Seeds that are looked at."""


class Feeds:
    """Finds the entries of the feeds that the seeds link to.

    Parameters
    ----------
    errands : fetch.
    seeds : canonical URLs of pages.
    teller : gets what goes on and what is left out.
    """

    name = NAME

    def __init__(self, errands: Errands, seeds: Sequence[str], teller: Teller) -> None:
        self._errands = errands
        self._seeds = tuple(dict.fromkeys(seeds))[:MOST_PAGES]
        self._teller = teller
        self._read: set[str] = set()
        self._unread: list[Unfetched] = []

    def find(self) -> Iterator[Found]:
        """The entries, feed by feed; SearchError where no seed can be read and there is none."""
        count = 0
        for found in self._found():
            count += 1
            yield found
        self._tell_unread(count)

    def _found(self) -> Iterator[Found]:
        with_feeds = set()
        for seed in self._seeds:
            linked = self._linked(seed)
            if linked:
                with_feeds.add(origin_of(seed))
            for url in linked:
                yield from self._entries(url, told=True)
        for origin in dict.fromkeys(map(origin_of, self._seeds)):
            if origin not in with_feeds:
                yield from self._at_usual_places(origin)

    def _linked(self, seed: str) -> list[str]:
        """The feeds that a page links to."""
        self._teller.doing(f"reading {seed}")
        answer = self._errands.file(seed)
        if isinstance(answer, Unfetched):
            self._unread.append(answer)
            return []
        found = []
        for href in feed_links(decode(answer.body, answer.content_type)):
            try:
                found.append(canonical(href, answer.url))
            except MalformedUrlError:
                continue
        return found[:MOST_FEEDS_OF_A_PAGE]

    def _tell_unread(self, found: int) -> None:
        if not self._unread:
            return
        first = self._unread[0]
        example = f"e.g. {first.url} ({first.reason})"
        if len(self._unread) == len(self._seeds) and not found:
            raise SearchError(f"feeds: no seed can be read, {example}")
        count = f"{len(self._unread)} of {len(self._seeds)} seeds"
        self._teller.warn(f"feeds: {count} cannot be read, {example}")

    def _at_usual_places(self, origin: str) -> Iterator[Found]:
        for place in USUAL_PLACES:
            entries = list(self._entries(origin + place, told=False))
            if entries:
                yield from entries
                return

    def _entries(self, url: str, told: bool) -> Iterator[Found]:
        if url in self._read or len(self._read) >= MOST_FEEDS:
            return
        self._read.add(url)
        self._teller.doing(f"reading {url}")
        answer = self._errands.file(url)
        if isinstance(answer, Unfetched):
            if told:
                self._teller.warn(f"feed {url} cannot be read ({answer.reason})")
            return
        for entry in read_feed(answer.body):
            found = found_at(
                entry.url, NAME, entry.title, entry.summary, 0, entry.modified, answer.url
            )
            if found is not None:
                yield found
