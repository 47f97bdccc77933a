"""Feeds that the seeds link to: RSS in all its versions, Atom and JSON Feed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from scenthound.core.errors import warn_caller
from scenthound.crawler.seed_search import OnProgress, SearchError, SearchResult
from scenthound.crawler.sitemaps import (
    Entry,
    canonical_urls,
    child_text,
    children,
    decompress,
    is_http,
    name_of,
    read_xml,
    text_of,
)
from scenthound.fetch.fetcher import Fetcher, FetchFailure
from scenthound.fetch.robots import origin_of
from scenthound.text.extract import decode, limit_nesting

MAX_ENTRIES = 1_000

_LONGEST_MARKUP = 20_000
"""Characters of a title or summary that are parsed; feeds may hold whole articles."""

_SUMMARIES = ("summary", "description", "content", "encoded")

_DATES = ("updated", "pubdate", "date", "published")

_TYPES = frozenset(
    {"application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"}
)


def read_feed(body: bytes) -> tuple[Entry, ...]:
    """Return the entries of a feed that lead somewhere; none where it is no feed."""
    content = decompress(body)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return tuple(_json_entries(content))
    root = read_xml(content)
    return () if root is None else tuple(_xml_entries(root))


def feed_links(html: str) -> tuple[str, ...]:
    """Return the hrefs, as written, of the feeds that a page links to; each once."""
    tree = LexborHTMLParser(limit_nesting(html))
    found: dict[str, None] = {}
    for link in tree.css('link[rel~="alternate" i][type][href]'):
        kind, href = link.attributes.get("type") or "", link.attributes.get("href")
        if href and kind.partition(";")[0].strip().lower() in _TYPES:
            found[href] = None
    return tuple(found)


def _xml_entries(root: Any) -> Iterator[Entry]:
    """Yield the items below the root (RSS 1.0, Atom) or below its channel (RSS 2.0)."""
    if name_of(root) not in ("rss", "rdf", "feed"):
        return
    places = [root, *children(root, "channel")]
    items = [item for place in places for item in children(place, "item", "entry")]
    for item in items[:MAX_ENTRIES]:
        url = _link(item)
        if url:
            yield Entry(
                url,
                without_markup(child_text(item, "title")),
                without_markup(child_text(item, *_SUMMARIES)),
                child_text(item, *_DATES),
            )


def _link(item: Any) -> str:
    """RSS writes the address between the tags, Atom into one; a permanent guid will do."""
    for link in children(item, "link"):
        if link.get("rel", "alternate") == "alternate":
            url = (link.get("href") or text_of(link)).strip()
            if url:
                return str(url)
    guid = child_text(item, "guid")
    return guid if is_http(guid) else ""


def _json_entries(content: bytes) -> Iterator[Entry]:
    """See https://www.jsonfeed.org/version/1.1/."""
    try:
        feed = json.loads(content)
    except (ValueError, RecursionError):  # the latter for nesting made to fill the stack
        return
    items = feed.get("items") if isinstance(feed, dict) else None
    for item in items[:MAX_ENTRIES] if isinstance(items, list) else ():
        if isinstance(item, dict) and isinstance(item.get("url"), str):
            texts = ("summary", "content_text", "content_html")
            summary = next((item[key] for key in texts if isinstance(item.get(key), str)), "")
            date = str(item.get("date_modified") or item.get("date_published") or "")
            title = without_markup(item.get("title"))
            yield Entry(item["url"], title, without_markup(summary), date)


def without_markup(text: object) -> str:
    """Return the words in a bit of HTML; empty for anything but a text."""
    if not isinstance(text, str):
        return ""
    text = text[:_LONGEST_MARKUP]
    if "<" not in text and "&" not in text:
        return text.strip()
    tree = LexborHTMLParser(limit_nesting(text))
    return "" if tree.body is None else tree.body.text(separator=" ", strip=True)


FEEDS = "feeds"

USUAL_PLACES = ("/feed", "/rss.xml", "/atom.xml")
"""Tried in turn on a site whose pages link to no feed."""

MAX_FEEDS = 30

MAX_FEEDS_PER_PAGE = 5

MAX_PAGES = 30
"""Seeds that are looked at."""


class Feeds:
    """Finds the entries of the feeds that the seeds, given as canonical URLs, link to."""

    def __init__(self, fetcher: Fetcher, seeds: Sequence[str], on_progress: OnProgress) -> None:
        self._fetcher = fetcher
        self._seeds = tuple(dict.fromkeys(seeds))[:MAX_PAGES]
        self._on_progress = on_progress
        self._read: set[str] = set()
        self._unread: list[FetchFailure] = []

    def find(self) -> Iterator[SearchResult]:
        """Yield the entries, feed by feed; SearchError where no seed can be read."""
        count = 0
        with_feeds = set()
        for seed in self._seeds:
            linked = self._linked(seed)
            if linked:
                with_feeds.add(origin_of(seed))
            for url in linked:
                for entry in self._entries(url, is_named=True):
                    count += 1
                    yield entry
        for origin in dict.fromkeys(map(origin_of, self._seeds)):
            if origin not in with_feeds:
                places = (self._entries(origin + place, is_named=False) for place in USUAL_PLACES)
                entries = next(filter(None, map(list, places)), [])
                count += len(entries)
                yield from entries
        if self._unread:
            first = self._unread[0]
            example = f"e.g. {first.url} ({first.reason})"
            if len(self._unread) == len(self._seeds) and not count:
                raise SearchError(f"feeds: no seed can be read, {example}")
            share = f"{len(self._unread)} of {len(self._seeds)} seeds"
            warn_caller(f"feeds: {share} cannot be read, {example}")

    def _linked(self, seed: str) -> list[str]:
        """Return the feeds that a page links to."""
        self._on_progress(f"reading {seed}")
        fetched = self._fetcher.file(seed)
        if isinstance(fetched, FetchFailure):
            self._unread.append(fetched)
            return []
        hrefs = feed_links(decode(fetched.body, fetched.content_type))
        return list(canonical_urls(hrefs, fetched.url))[:MAX_FEEDS_PER_PAGE]

    def _entries(self, url: str, is_named: bool) -> Iterator[SearchResult]:
        if url in self._read or len(self._read) >= MAX_FEEDS:
            return
        self._read.add(url)
        self._on_progress(f"reading {url}")
        fetched = self._fetcher.file(url)
        if isinstance(fetched, FetchFailure):
            if is_named:
                warn_caller(f"feed {url} cannot be read ({fetched.reason})")
            return
        for entry in read_feed(fetched.body):
            found = entry.result(FEEDS, fetched.url)
            if found is not None:
                yield found
