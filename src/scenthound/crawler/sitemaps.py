"""Sitemaps of the seeds' sites: XML or plain text, compressed or not, lists of pages or of further
sitemaps.

The reading of XML comes first; feeds are read by it too. Entities are not resolved and nothing is
loaded, so neither a billion laughs nor a local file comes out of it.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from lxml import etree

from scenthound.core.errors import MalformedUrlError, warn_caller
from scenthound.core.urls import canonical, host_of
from scenthound.crawler.seed_search import OnProgress, SearchError, SearchResult, search_result
from scenthound.fetch.fetcher import Fetcher, FetchFailure
from scenthound.fetch.robots import origin_of
from scenthound.storage.pages import GZIP_MAGIC, decode_body
from scenthound.text.extract import decode

MAX_XML_BYTES = 20 * 1024 * 1024
"""Of a file once unpacked; a sitemap of the most addresses allowed, 50,000, has about half."""

_BARE_AMPERSAND = re.compile(rb"&(?!#?\w{1,20};)")


def decompress(body: bytes, most: int = MAX_XML_BYTES) -> bytes:
    """Return ``body``, or the content of a gzip file, cut at ``most`` bytes."""
    if not body.startswith(GZIP_MAGIC):
        return body[:most]
    return decode_body(iter((body,)), {"content-encoding": "gzip"}, most)[0]


def read_xml(body: bytes) -> Any | None:
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


def name_of(element: Any) -> str:
    """Return the element's name in lower case, without namespace; empty for other nodes."""
    tag = element.tag
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


def text_of(element: Any) -> str:
    """Return all text below an element."""
    # Of elements only: the text of an entity that is not resolved would be its name.
    return "".join(element.itertext(etree.Element)).strip()


def children(element: Any, *names: str) -> list[Any]:
    """Return the children that have one of these names, in any namespace."""
    return [child for child in element if name_of(child) in names]


def child_text(element: Any, *names: str) -> str:
    """Return the text of the first such child that has any; empty where none has."""
    return next(filter(None, map(text_of, children(element, *names))), "")


MAX_LINES = 50_000
"""Entries read of one sitemap: as many as the protocol allows."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A URL as a sitemap or a feed has it, and what it says of the page, without markup."""

    url: str
    title: str = ""
    summary: str = ""
    modified: str = ""

    def result(self, source: str, base: str) -> SearchResult | None:
        """Return it as a result of ``source``, which was read at ``base``; None for no http URL."""
        return search_result(
            self.url, source, self.title, self.summary, modified=self.modified, base=base
        )


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What one file lists: ``pages``, and further ``sitemaps``."""

    pages: tuple[Entry, ...] = ()
    sitemaps: tuple[Entry, ...] = ()

    def __bool__(self) -> bool:
        """Does it list anything?"""
        return bool(self.pages or self.sitemaps)


def read_sitemap(body: bytes) -> Sitemap:
    """Read the sitemap in ``body``; an empty one where it is none.

    See https://www.sitemaps.org/protocol.html. Namespaces are ignored: sites get them
    wrong. The text form has a URL a line.
    """
    content = decompress(body)
    # Byte order marks, and the zero bytes that ASCII characters have in UTF-16.
    head = content[:1_000].lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n")
    if not head.startswith(b"<"):
        lines = map(str.strip, decode(content, "text/plain").splitlines()[:MAX_LINES])
        return Sitemap(pages=tuple(Entry(url) for url in lines if is_http(url)))
    root = read_xml(content)
    if root is None:
        return Sitemap()
    is_index = name_of(root) == "sitemapindex"
    entries = tuple(_entries(root, "sitemap" if is_index else "url"))
    if not content.rstrip(b"\x00 \t\r\n").endswith(b">"):  # cut, perhaps within an address
        entries = entries[:-1]
    return Sitemap(sitemaps=entries) if is_index else Sitemap(pages=entries)


def _entries(root: object, name: str) -> Iterator[Entry]:
    for element in children(root, name)[:MAX_LINES]:
        url = child_text(element, "loc")
        if url:
            news = children(element, "news")
            title = child_text(news[0], "title") if news else ""
            yield Entry(url, title, modified=child_text(element, "lastmod"))


def is_http(url: str) -> bool:
    """Whether a URL, as it is written, is one of the web."""
    return url.lower().startswith(("http://", "https://"))


SITEMAPS = "sitemaps"

MAX_FILES = 50
"""Sitemaps read in all."""

MAX_FILES_PER_SITE = 10
"""One large site cannot use up the files of the others."""

MAX_URLS = 50_000
"""Addresses kept in all."""


class Sitemaps:
    """Finds the pages in the sitemaps of sites.

    A site's robots.txt says where its sitemaps are; where it does not, ``/sitemap.xml`` is tried.
    Only pages of the site itself count, as the protocol has it. ``seeds`` are canonical URLs.
    """

    def __init__(self, fetcher: Fetcher, seeds: Sequence[str], on_progress: OnProgress) -> None:
        self._fetcher = fetcher
        self._origins = tuple(dict.fromkeys(map(origin_of, seeds)))
        self._on_progress = on_progress
        self._files = MAX_FILES
        self._urls = MAX_URLS
        self._failed: list[FetchFailure] = []

    def find(self) -> Iterator[SearchResult]:
        """Yield the pages, site by site; SearchError where no site can be searched."""
        for origin in self._origins:
            if self._files > 0 and self._urls > 0:
                yield from self._of_site(origin)
        if not self._failed:
            return
        first = self._failed[0]
        example = f"e.g. {first.url} ({first.reason})"
        if len(self._failed) == len(self._origins):
            raise SearchError(f"sitemaps: no site can be asked, {example}")
        count = f"{len(self._failed)} of {len(self._origins)} sites"
        warn_caller(f"sitemaps: {count} cannot be asked, {example}")

    def _of_site(self, origin: str) -> Iterator[SearchResult]:
        """Read the sitemaps of one site, the latest first, within the limits."""
        named = self._fetcher.sitemaps(origin + "/")
        if isinstance(named, FetchFailure):
            self._failed.append(named)
            return
        waiting = deque(named or (f"{origin}/sitemap.xml",))
        seen = set(waiting)
        room = min(MAX_FILES_PER_SITE, self._files)
        while waiting and room > 0 and self._urls > 0:
            url = waiting.popleft()
            room -= 1
            sitemap = self._read(url, is_named=bool(named))
            onward = [each for each in _further_sitemaps(sitemap, url) if each not in seen]
            waiting += onward
            seen.update(onward)
            yield from self._pages(sitemap, url, origin)
        if waiting:
            warn_caller(f"sitemaps of {host_of(origin + '/')}: {len(waiting)} are left unread")

    def _read(self, url: str, is_named: bool) -> Sitemap:
        """Fetch and parse one sitemap; an empty one where that fails."""
        self._files -= 1
        self._on_progress(f"reading {url}")
        fetched = self._fetcher.file(url)
        if isinstance(fetched, FetchFailure):
            sitemap, reason = Sitemap(), fetched.reason
        else:
            sitemap, reason = read_sitemap(fetched.body), "it is no sitemap, or an empty one"
        if is_named and not sitemap:  # a site need not have one, but one it names should be there
            warn_caller(f"sitemap {url} cannot be read ({reason})")
        return sitemap

    def _pages(self, sitemap: Sitemap, url: str, origin: str) -> Iterator[SearchResult]:
        """Yield the pages of a sitemap that belong to the site."""
        site = _site(origin + "/")
        for entry in sitemap.pages:
            found = entry.result(SITEMAPS, url)
            if found is not None and _site(found.url) == site and self._urls > 0:
                self._urls -= 1
                yield found


def _further_sitemaps(sitemap: Sitemap, url: str) -> list[str]:
    """Return the further sitemaps, the latest first: there may be more than can be read."""
    latest_first = sorted(sitemap.sitemaps, key=lambda entry: entry.modified, reverse=True)
    return list(dict.fromkeys(canonical_urls((entry.url for entry in latest_first), url)))


def canonical_urls(hrefs: Iterable[str], base: str) -> Iterator[str]:
    """Yield the usable ones of some hrefs, as canonical URLs."""
    for href in hrefs:
        with suppress(MalformedUrlError):
            yield canonical(href, base)


def _site(url: str) -> str:
    """Return the host of a URL; ``www`` makes no difference."""
    return host_of(url).removeprefix("www.")
