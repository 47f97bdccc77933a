"""Sitemaps of the seeds' sites, and the feeds that the seeds link to: RSS in all its versions and
Atom.

Strangers write these files. Their size is bounded, XML entities are not resolved and nothing is
loaded, so neither a billion laughs nor a local file comes out of them.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter
from typing import Any

from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from scenthound.core.errors import MalformedUrlError, warn_caller
from scenthound.core.urls import canonical, host_of
from scenthound.crawler.seeds.search import (
    SearchError,
    SearchResources,
    SearchResult,
    checked_result,
)
from scenthound.fetch.fetcher import FetchedUrl, FetchFailure
from scenthound.fetch.robots import origin_of
from scenthound.storage.pages import GZIP_MAGIC, decode_body
from scenthound.text.extract import decode, limit_nesting

SITEMAPS, FEEDS = "sitemaps", "feeds"

MAX_XML_BYTES = 20 * 1024 * 1024
"""Of a file once unpacked; a sitemap of the most addresses allowed, 50,000, has about half."""

MAX_ENTRIES = 50_000
"""Entries read of one sitemap: as many as the protocol allows."""

MAX_FEED_ENTRIES = 1_000

_LONGEST_MARKUP = 20_000
"""Characters of a title or summary that are parsed; feeds may hold whole articles."""

_BARE_AMPERSAND = re.compile(rb"&(?!#?\w{1,20};)")


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What one file lists, as it is written there: ``pages``, and further ``sitemaps``."""

    pages: tuple[SearchResult, ...] = ()
    sitemaps: tuple[SearchResult, ...] = ()


def decompress(body: bytes, most: int = MAX_XML_BYTES) -> bytes:
    """Return ``body``, or the content of a gzip file, cut at ``most`` bytes."""
    if not body.startswith(GZIP_MAGIC):
        return body[:most]
    return decode_body(iter((body,)), {"content-encoding": "gzip"}, most)[0]


def read_sitemap(body: bytes) -> Sitemap:
    """Read the sitemap in ``body``; an empty one where it is none.

    See https://www.sitemaps.org/protocol.html. Namespaces are ignored: sites get them
    wrong. The text form has a URL a line.
    """
    content = decompress(body)
    # Byte order marks, and the zero bytes that ASCII characters have in UTF-16.
    head = content[:1_000].lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n")
    if not head.startswith(b"<"):
        lines = map(str.strip, decode(content, "text/plain").splitlines()[:MAX_ENTRIES])
        return Sitemap(tuple(SearchResult(url, SITEMAPS) for url in lines if _is_http(url)))
    root = _read_xml(content)
    if root is None:
        return Sitemap()
    is_index = _name(root) == "sitemapindex"
    entries = tuple(_sitemap_entries(_children(root, "sitemap" if is_index else "url")))
    if not content.rstrip(b"\x00 \t\r\n").endswith(b">"):  # cut, perhaps within an address
        entries = entries[:-1]
    return Sitemap(sitemaps=entries) if is_index else Sitemap(entries)


def _sitemap_entries(elements: Sequence[Any]) -> Iterator[SearchResult]:
    for element in elements[:MAX_ENTRIES]:
        if url := _child_text(element, "loc"):
            news = [_child_text(each, "title") for each in _children(element, "news")]
            modified = _child_text(element, "lastmod")
            yield SearchResult(url, SITEMAPS, "".join(news), modified=modified)


def read_feed(body: bytes) -> tuple[SearchResult, ...]:
    """Return the entries of a feed that lead somewhere, without markup; none where it is no feed.

    They are below the root (RSS 1.0, Atom) or below its channel (RSS 2.0).
    """
    root = _read_xml(decompress(body))
    if root is None or _name(root) not in ("rss", "rdf", "feed"):
        return ()
    places = [root, *_children(root, "channel")]
    items = [item for place in places for item in _children(place, "item", "entry")]
    return tuple(
        SearchResult(
            url,
            FEEDS,
            without_markup(_child_text(item, "title")),
            without_markup(_child_text(item, "summary", "description", "content", "encoded")),
            modified=_child_text(item, "updated", "pubdate", "date", "published"),
        )
        for item in items[:MAX_FEED_ENTRIES]
        if (url := _link(item))
    )


def _link(item: Any) -> str:
    """RSS writes the address between the tags, Atom into one; a permanent guid will do."""
    links = [
        each for each in _children(item, "link") if each.get("rel", "alternate") == "alternate"
    ]
    addresses = [(link.get("href") or _text(link)).strip() for link in links]
    guid = _child_text(item, "guid")
    return next(filter(None, addresses), guid if _is_http(guid) else "")


def feed_links(html: str) -> tuple[str, ...]:
    """Return the hrefs, as written, of the feeds that a page links to; each once."""
    found: dict[str, None] = {}
    for link in LexborHTMLParser(limit_nesting(html)).css('link[rel~="alternate" i][type][href]'):
        kind, href = link.attributes.get("type") or "", link.attributes.get("href")
        if href and re.match(r"\s*application/(rss|atom|rdf)\+xml\b", kind, re.IGNORECASE):
            found[href] = None
    return tuple(found)


def without_markup(text: str) -> str:
    """Return the words in a bit of HTML."""
    tree = LexborHTMLParser(limit_nesting(text[:_LONGEST_MARKUP]))
    return "" if tree.body is None else tree.body.text(separator=" ", strip=True)


def _read_xml(body: bytes) -> Any | None:
    """Parse XML and return the root element; None where there is none to recover."""
    # Many sites write broken XML, so it is recovered. Hostile XML meets the limits of libxml2 on
    # depth and size, which stay on (huge_tree).
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    if b"\x00" not in body:  # UTF-16 has other ampersands
        body = _BARE_AMPERSAND.sub(b"&amp;", body)  # in queries; recovery would drop what follows
    try:
        return etree.fromstring(body.lstrip(), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def _name(element: Any) -> str:
    """Return the element's name in lower case, without namespace; empty for other nodes."""
    tag = element.tag
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


def _text(element: Any) -> str:
    """Return all text below an element."""
    # Of elements only: the text of an entity that is not resolved would be its name.
    return "".join(element.itertext(etree.Element)).strip()


def _children(element: Any, *names: str) -> list[Any]:
    """Return the children that have one of these names, in any namespace."""
    return [child for child in element if _name(child) in names]


def _child_text(element: Any, *names: str) -> str:
    """Return the text of the first such child that has any; empty where none has."""
    return next(filter(None, map(_text, _children(element, *names))), "")


def _is_http(url: str) -> bool:
    """Whether a URL, as it is written, is one of the web."""
    return url.lower().startswith(("http://", "https://"))


# The files of the seeds' sites.

MAX_FILES = 50
"""Sitemaps read in all."""

MAX_FILES_PER_SITE = 10
"""One large site cannot use up the files of the others."""

MAX_URLS = 50_000
"""Addresses kept of all sitemaps."""

MAX_FEEDS = 30
MAX_FEEDS_PER_PAGE = 5
MAX_SEEDS = 30
"""Seeds that are searched for links to feeds."""

USUAL_PLACES = ("/feed", "/rss.xml", "/atom.xml")
"""Tried in turn on a site whose pages link to no feed."""


def sitemap_results(resources: SearchResources) -> Iterator[SearchResult]:
    """Yield the pages in the sitemaps of the seeds' sites, site by site.

    A site's robots.txt says where its sitemaps are; where it does not, ``/sitemap.xml`` is tried.
    Only pages of the site itself count, as the protocol has it. SearchError where no site can be
    asked.
    """
    origins = list(dict.fromkeys(map(origin_of, resources.sites)))
    failed: list[FetchFailure] = []
    files, urls = MAX_FILES, MAX_URLS
    for origin in origins:
        named = resources.fetcher.sitemaps(origin + "/")
        if isinstance(named, FetchFailure):
            failed.append(named)
            continue
        waiting = deque(named or [f"{origin}/sitemap.xml"])
        known = set(waiting)
        for _ in range(MAX_FILES_PER_SITE):
            if not waiting or not files or not urls:
                break
            files -= 1
            url = waiting.popleft()
            fetched = _file(resources, url, is_named=url in named)
            if fetched is None:
                continue
            sitemap = read_sitemap(fetched.body)
            # The latest first: there may be more than can be read.
            latest = sorted(sitemap.sitemaps, key=attrgetter("modified"), reverse=True)
            for further in _canonical_urls((entry.url for entry in latest), url):
                if further not in known:
                    known.add(further)
                    waiting.append(further)
            of_site = (
                found
                for each in sitemap.pages
                if (found := checked_result(each, url)) is not None
                and _site(found.url) == _site(f"{origin}/")
            )
            for found in islice(of_site, urls):
                urls -= 1
                yield found
    _report_failures(SITEMAPS, failed, len(origins))


def feed_results(resources: SearchResources) -> Iterator[SearchResult]:
    """Yield the entries of the feeds that the seeds link to; SearchError where no seed can be read.

    Where the seeds of a site link to none, the usual places are tried.
    """
    seeds = resources.sites[:MAX_SEEDS]
    linked: dict[str, None] = {}
    failed: list[FetchFailure] = []
    without = dict.fromkeys(map(origin_of, seeds))
    for seed in seeds:
        resources.on_progress(f"reading {seed}")
        page = resources.fetcher.file(seed)
        if isinstance(page, FetchFailure):
            failed.append(page)
            continue
        hrefs = feed_links(decode(page.body, page.content_type))
        feeds = list(_canonical_urls(hrefs, page.url))[:MAX_FEEDS_PER_PAGE]
        linked |= dict.fromkeys(feeds)
        if feeds:
            without.pop(origin_of(seed), None)
    for url in list(linked)[:MAX_FEEDS]:
        yield from _feed(resources, url, is_named=True)
    for origin in without:
        places = (_feed(resources, origin + place, is_named=False) for place in USUAL_PLACES)
        yield from next(filter(None, places), [])
    _report_failures(FEEDS, failed, len(seeds))


def _feed(resources: SearchResources, url: str, is_named: bool) -> list[SearchResult]:
    fetched = _file(resources, url, is_named)
    if fetched is None:
        return []
    entries = (checked_result(each, fetched.url) for each in read_feed(fetched.body))
    return [each for each in entries if each is not None]


def _file(resources: SearchResources, url: str, is_named: bool) -> FetchedUrl | None:
    """Fetch a file; None where that fails, which is a warning for one that the site names."""
    resources.on_progress(f"reading {url}")
    fetched = resources.fetcher.file(url)
    if isinstance(fetched, FetchedUrl):
        return fetched
    if is_named:
        warn_caller(f"{url} cannot be read ({fetched.reason})")
    return None


def _report_failures(source: str, failed: Sequence[FetchFailure], total: int) -> None:
    """Warn of sites that cannot be asked; SearchError where none can."""
    if failed:
        example = f"e.g. {failed[0].url} ({failed[0].reason})"
        problem = f"{source}: {len(failed)} of {total} sites cannot be asked, {example}"
        if len(failed) == total:
            raise SearchError(problem)
        warn_caller(problem)


def _canonical_urls(hrefs: Iterable[str], base: str) -> Iterator[str]:
    """Yield the usable ones of some hrefs, as canonical URLs."""
    for href in hrefs:
        with suppress(MalformedUrlError):
            yield canonical(href, base)


def _site(url: str) -> str:
    """Return the host of a URL; ``www`` makes no difference."""
    return host_of(url).removeprefix("www.")
