"""Pages of an archive: where redirects lead, how a stored response is read, and the cache rows
that keep what was read.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import accumulate, chain, pairwise
from typing import Any, NamedTuple, Protocol

from scenthound.core.cache import LruCache, RowCache
from scenthound.core.crawl import MAX_REDIRECTS
from scenthound.core.errors import MalformedUrlError
from scenthound.core.model import Document, Link, Page
from scenthound.core.urls import canonical
from scenthound.storage.archive import Archive
from scenthound.storage.archive_index import Response
from scenthound.storage.page_reading import read_page

REDIRECTS = frozenset({301, 302, 303, 307, 308})


def redirect_target(response: Response) -> str | None:
    """Canonical URL a response sends on to; None where it does not, or to no URL."""
    if response.status not in REDIRECTS or not response.headers.get("location"):
        return None
    try:
        return canonical(response.headers["location"], response.url)
    except MalformedUrlError:
        return None


def final_response(archive: Archive, url: str) -> Response | None:
    """What ``url`` leads to in the end; None where the archive has no such page, or a loop."""
    for _ in range(MAX_REDIRECTS + 1):
        response = archive.fetch(url)
        target = None if response is None else redirect_target(response)
        if target is None:
            return response
        url = target
    return None


# The pages of an archive as they are read, and where redirects lead.


class ReadPage(NamedTuple):
    """What an address holds.

    Parameters
    ----------
    page : as if it had been come to at once, and at time 0.
    target : where it redirects to; None for a page.
    """

    page: Page
    target: str | None = None


class PageSource(Protocol):
    """Pages by their address."""

    def read(self, url: str) -> ReadPage | None:
        """What a canonical URL holds; None where there is nothing."""
        ...


class ArchivedPages:
    """Reads each page anew.

    Parameters
    ----------
    archive : where they lie.
    pdf : are PDFs pages too?
    """

    def __init__(self, archive: Archive, pdf: bool = False) -> None:
        self._archive = archive
        self._pdf = pdf

    def read(self, url: str) -> ReadPage | None:
        """What a canonical URL holds; None where the archive holds nothing."""
        response = self._archive.fetch(url)
        if response is None:
            return None
        return ReadPage(read_page(response, (), 0.0, pdf=self._pdf), redirect_target(response))


# A page as a row of bytes: a line of JSON with what is short, then all its texts end to end.


_LINE = b"\n"

_OF_A_DOCUMENT, _OF_A_LINK = 3, 3
"""Texts of a document besides its groups, and of each link."""


def row_of(read: ReadPage) -> bytes:
    """A page that was read, for other processes."""
    page, document = read.page, read.page.document
    texts = [document.title, document.text, document.description, *document.groups.values()]
    texts += chain.from_iterable((link.url, link.anchor, link.context) for link in page.links)
    head = {
        "url": page.url, "status": page.status, "follow": page.follow, "size": page.size,
        "problem": page.problem, "index": page.index, "canonical": page.canonical,
        "target": read.target, "unusable": page.unusable, "language": document.language,
        "groups": list(document.groups),
        "rel": {n: sorted(link.rel) for n, link in enumerate(page.links) if link.rel},
        "sizes": [len(text) for text in texts],
    }  # fmt: skip
    line = json.dumps(head, separators=(",", ":")).encode()
    return line + _LINE + "".join(texts).encode("utf-8", "surrogatepass")


def page_of(row: bytes) -> ReadPage | None:
    """What :func:`row_of` wrote; None for anything else."""
    line, _, content = row.partition(_LINE)
    try:
        head = json.loads(line)
        texts = _texts(content.decode("utf-8", "surrogatepass"), head["sizes"])
        return ReadPage(_page(head, texts), head["target"])
    except (ValueError, KeyError, TypeError, AttributeError, StopIteration):
        return None


def _texts(whole: str, sizes: list[int]) -> list[str]:
    bounds = list(accumulate(sizes, initial=0))
    if bounds[-1] != len(whole) or min(sizes) < 0:
        raise ValueError("the texts are not as long as the row says")
    return [whole[start:end] for start, end in pairwise(bounds)]


def _page(head: Mapping[str, Any], texts: list[str]) -> Page:
    title, text, description = texts[:_OF_A_DOCUMENT]
    links_from = _OF_A_DOCUMENT + len(head["groups"])
    groups = dict(zip(head["groups"], texts[_OF_A_DOCUMENT:links_from], strict=True))
    return Page(
        url=head["url"],
        status=head["status"],
        document=Document(title, text, description, groups, head["language"]),
        links=tuple(_links(texts[links_from:], head["rel"])),
        unusable={reason: (n, tuple(some)) for reason, (n, some) in head["unusable"].items()},
        follow=head["follow"],
        size=head["size"],
        problem=head["problem"],
        index=head["index"],
        canonical=head["canonical"],
    )


def _links(texts: list[str], rel: Mapping[str, list[str]]) -> Iterator[Link]:
    rels = {int(number): frozenset(words) for number, words in rel.items()}
    none: frozenset[str] = frozenset()
    triples = zip(*(texts[of::_OF_A_LINK] for of in range(_OF_A_LINK)), strict=True)
    for number, (url, anchor, context) in enumerate(triples):
        yield Link(url, anchor, context, rels.get(number, none))


# Pages that were read before, by this run or by another one, are not read again.


class NoPage(Enum):
    """What an address outside of an archive leads to."""

    HERE = "nothing"


PageMemory = LruCache[bytes, ReadPage | NoPage]

_BYTES_PER_MISS = 150

_BYTES_PER_PAGE = 1_500
"""Bytes of memory that a page takes besides its texts."""

_BYTES_PER_LINK = 100


class CachedPages:
    """A source of pages that remembers them.

    Parameters
    ----------
    source : reads what is not known yet.
    version : of the source and of all that reads it, as a text: the same version and the same
        address are the same page.
    memory : of several sources.
    rows : what is kept beyond the process; None for nothing.
    """

    def __init__(
        self, source: PageSource, version: str, memory: PageMemory, rows: RowCache | None
    ) -> None:
        self._source = source
        self._key = hashlib.blake2b(version.encode(), digest_size=32).digest()
        self._memory = memory
        self._rows = rows

    def read(self, url: str) -> ReadPage | None:
        """What a canonical URL holds; None where there is nothing."""
        address = url.encode("utf-8", "surrogatepass")
        key = hashlib.blake2b(address, digest_size=16, key=self._key).digest()
        known = self._memory.get(key)
        if known is not None:
            return None if known is NoPage.HERE else known
        found = self._look_up(key)
        if found is None:
            found = self._source.read(url)
            if found is not None and self._rows is not None:
                self._rows.keep(key, row_of(found))
        self._memory.put(key, found or NoPage.HERE)
        return found

    def _look_up(self, key: bytes) -> ReadPage | None:
        row = None if self._rows is None else self._rows.find([key]).get(key)
        return None if row is None else page_of(row)


def size_of(read: ReadPage | NoPage) -> int:
    """Bytes of memory that a page takes, about; its full text counts as one more."""
    if isinstance(read, NoPage):
        return _BYTES_PER_MISS
    page, document = read.page, read.page.document
    texts = [document.title, document.text, document.text, document.description]
    texts += document.groups.values()
    for link in page.links:
        texts += (link.url, link.anchor, link.context)
    return sum(map(sys.getsizeof, texts)) + _BYTES_PER_LINK * len(page.links) + _BYTES_PER_PAGE
