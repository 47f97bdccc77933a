"""Sitemaps: XML or plain text, packed or not, lists of pages or of further sitemaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scenthound.seeding.xml_reading import child_text, children, name_of, read_xml, unpacked
from scenthound.text.decode import decode

MOST_LINES = 50_000
"""Entries read of one sitemap: as many as the protocol allows."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An address as a sitemap has it, when the page last changed, and a news title if any."""

    url: str
    modified: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Sitemap:
    """What one file lists: ``pages``, and further ``sitemaps``."""

    pages: tuple[Entry, ...] = ()
    sitemaps: tuple[Entry, ...] = ()

    def __bool__(self) -> bool:
        """Does it list anything?"""
        return bool(self.pages or self.sitemaps)


def read_sitemap(body: bytes) -> Sitemap:
    """The sitemap in ``body``; an empty one where it is none.

    See https://www.sitemaps.org/protocol.html. Namespaces are not looked at: sites get them
    wrong. The text form has an address a line.
    """
    content = unpacked(body)
    head = content[:1_000].lstrip(b"\xef\xbb\xbf\xff\xfe\x00 \t\r\n")
    if not head.startswith(b"<"):
        return Sitemap(pages=tuple(_lines(content)))
    root = read_xml(content)
    if root is None:
        return Sitemap()
    is_index = name_of(root) == "sitemapindex"
    entries = tuple(_entries(root, "sitemap" if is_index else "url"))
    if not content.rstrip(b"\x00 \t\r\n").endswith(b">"):  # cut, perhaps within an address
        entries = entries[:-1]
    return Sitemap(sitemaps=entries) if is_index else Sitemap(pages=entries)


def _entries(root: object, name: str) -> Iterator[Entry]:
    for element in children(root, name)[:MOST_LINES]:
        url = child_text(element, "loc")
        if url:
            news = children(element, "news")
            title = child_text(news[0], "title") if news else ""
            yield Entry(url, child_text(element, "lastmod"), title)


def _lines(content: bytes) -> Iterator[Entry]:
    for line in decode(content, "text/plain").splitlines()[:MOST_LINES]:
        url = line.strip()
        if url.lower().startswith(("http://", "https://")):
            yield Entry(url)
