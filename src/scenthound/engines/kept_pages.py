"""Pages that were read before, by this run or by another one, are not read again."""

from __future__ import annotations

import hashlib
import sys
from enum import Enum

from scenthound.core.keeping import KeptRows, Remembered
from scenthound.engines.archived_pages import PageSource, ReadPage
from scenthound.engines.page_row import page_of, row_of


class Nothing(Enum):
    """What an address outside of an archive leads to."""

    HERE = "nothing"


PageMemory = Remembered[bytes, ReadPage | Nothing]
_BESIDE_NOTHING = 150
_BESIDE_PAGE = 1_500
"""Bytes of memory that a page takes besides its texts."""
_BESIDE_LINK = 100


class KeptPages:
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
        self, source: PageSource, version: str, memory: PageMemory, rows: KeptRows | None
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
            return None if known is Nothing.HERE else known
        found = self._look_up(key)
        if found is None:
            found = self._source.read(url)
            if found is not None and self._rows is not None:
                self._rows.keep(key, row_of(found))
        self._memory.put(key, found or Nothing.HERE)
        return found

    def _look_up(self, key: bytes) -> ReadPage | None:
        row = None if self._rows is None else self._rows.find([key]).get(key)
        return None if row is None else page_of(row)


def size_of(read: ReadPage | Nothing) -> int:
    """Bytes of memory that a page takes, about; its full text counts as one more."""
    if isinstance(read, Nothing):
        return _BESIDE_NOTHING
    page, document = read.page, read.page.document
    texts = [document.title, document.text, document.text, document.description]
    texts += document.groups.values()
    for link in page.links:
        texts += (link.url, link.anchor, link.context)
    return sum(map(sys.getsizeof, texts)) + _BESIDE_LINK * len(page.links) + _BESIDE_PAGE
