"""Feeds: RSS in all its versions, Atom and JSON Feed; and where a page says it has one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from scenthound.seeding.xml_reading import (
    child_text,
    children,
    name_of,
    read_xml,
    text_of,
    unpacked,
)
from scenthound.text.nesting import bounded

MOST_ENTRIES = 1_000
_LONGEST_MARKUP = 20_000
_ENTRIES = ("item", "entry")
_SUMMARIES = ("summary", "description", "content", "encoded")
_DATES = ("updated", "pubdate", "date", "published")
_TYPES = frozenset(
    {"application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml"}
)


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """An entry as the feed has it, with its markup taken off."""

    url: str
    title: str = ""
    summary: str = ""
    modified: str = ""


def read_feed(body: bytes) -> tuple[FeedEntry, ...]:
    """The entries of a feed that lead somewhere; none where it is no feed."""
    content = unpacked(body)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return tuple(_json_entries(content))
    root = read_xml(content)
    return () if root is None else tuple(_xml_entries(root))


def feed_links(html: str) -> tuple[str, ...]:
    """The hrefs, as written, of the feeds that a page links to; each once."""
    tree = LexborHTMLParser(bounded(html))
    links = tree.css('link[rel~="alternate" i][type][href]')
    return tuple(
        dict.fromkeys(
            str(link.attributes["href"])
            for link in links
            if (link.attributes.get("type") or "").partition(";")[0].strip().lower() in _TYPES
            and link.attributes.get("href")
        )
    )


def _xml_entries(root: Any) -> Iterator[FeedEntry]:
    """Items lie below the root (RSS 1.0, Atom) or below its channel (RSS 2.0)."""
    if name_of(root) not in ("rss", "rdf", "feed"):
        return
    places = [root, *children(root, "channel")]
    items = [item for place in places for item in children(place, *_ENTRIES)]
    for item in items[:MOST_ENTRIES]:
        url = _link(item)
        if url:
            yield FeedEntry(
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
    return guid if guid.lower().startswith(("http://", "https://")) else ""


def _json_entries(content: bytes) -> Iterator[FeedEntry]:
    """See https://www.jsonfeed.org/version/1.1/."""
    try:
        feed = json.loads(content)
    except (ValueError, RecursionError):
        return
    items = feed.get("items") if isinstance(feed, dict) else None
    for item in items[:MOST_ENTRIES] if isinstance(items, list) else ():
        if isinstance(item, dict) and isinstance(item.get("url"), str):
            texts = ("summary", "content_text", "content_html")
            summary = next((item[key] for key in texts if isinstance(item.get(key), str)), "")
            date = str(item.get("date_modified") or item.get("date_published") or "")
            title = without_markup(item.get("title"))
            yield FeedEntry(item["url"], title, without_markup(summary), date)


def without_markup(text: object) -> str:
    """The words in a bit of HTML; empty for anything but a text."""
    if not isinstance(text, str):
        return ""
    text = text[:_LONGEST_MARKUP]
    if "<" not in text and "&" not in text:
        return text.strip()
    tree = LexborHTMLParser(bounded(text))
    return "" if tree.body is None else tree.body.text(separator=" ", strip=True)
