"""The pages of an archive as they are read, where redirects lead, and pages as rows of bytes.

:class:`CachedPages` reads a page once for several replays of an archive.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple, Protocol

from pydantic import TypeAdapter

from scenthound.core.cache import LruCache, RowCache
from scenthound.core.crawl_loop import MAX_REDIRECTS
from scenthound.core.model import Page
from scenthound.storage.archive import Archive
from scenthound.storage.pages import Response, read_page, redirect_target


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

    The page is read as if it had been requested directly, at time 0. ``target`` is where it
    redirects to; None for a page.
    """

    page: Page
    target: str | None = None


class PageSource(Protocol):
    """Pages by their address."""

    def read(self, url: str) -> ReadPage | None:
        """What a canonical URL holds; None where there is nothing."""


class ArchivedPages:
    """Reads each page of an archive again; with ``pdf`` PDFs are pages too."""

    def __init__(self, archive: Archive, pdf: bool = False) -> None:
        self._archive = archive
        self._pdf = pdf

    def read(self, url: str) -> ReadPage | None:
        """What a canonical URL holds; None where the archive holds nothing."""
        response = self._archive.fetch(url)
        if response is None:
            return None
        return ReadPage(read_page(response, (), 0.0, pdf=self._pdf), redirect_target(response))


# A page as a row of bytes, for other processes.

_ROWS: TypeAdapter[ReadPage] = TypeAdapter(ReadPage)


def page_to_row(read: ReadPage) -> bytes | None:
    """A page that was read; None where its text cannot be written as UTF-8."""
    try:
        return _ROWS.dump_json(read)
    except ValueError:
        return None


def page_from_row(row: bytes) -> ReadPage | None:
    """What :func:`page_to_row` wrote; None for anything else."""
    try:
        return _ROWS.validate_json(row)
    except ValueError:
        return None


# Pages that were read before, by this run or by another one, are not read again.


PageMemory = LruCache[bytes, ReadPage]


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
            return known
        row = None if self._rows is None else self._rows.find([key]).get(key)
        found = None if row is None else page_from_row(row)
        if found is None:
            found = self._source.read(url)
            if found is not None and self._rows is not None and (new := page_to_row(found)):
                self._rows.keep(key, new)
        if found is not None:
            self._memory.put(key, found)
        return found


def size_of(read: ReadPage) -> int:
    """Bytes of memory that a page takes, roughly: the text counts twice, as its blocks have it."""
    document, links = read.page.document, read.page.links
    characters = 2 * len(document.text) + len(document.title) + len(document.description)
    characters += sum(map(len, document.groups.values()))
    characters += sum(len(link.url) + len(link.anchor) + len(link.context) for link in links)
    return 2 * characters + 500 * len(links) + 1_500
