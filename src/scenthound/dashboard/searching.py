"""Looks through the pages of a crawl for words, from the last page back, a portion at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from scenthound.dashboard.page_row import page_row
from scenthound.dashboard.plain_values import Json, address, words
from scenthound.store.journal_lines import LONGEST_LINE, Event, Line, Page, page_of
from scenthound.store.journal_places import JournalPlaces

PORTION = 8 * 1024 * 1024
"""Bytes of a journal that are looked through for one answer."""
_RELEVANT = b'"relevant":true'
_AS_WRITTEN = frozenset("-_.:/~+%=&?#@!,;()")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to look for: ``words`` that all occur in title or URL, in any case; relevant pages only.

    Without words every page is wanted.
    """

    words: tuple[str, ...] = ()
    relevant: bool = False

    @classmethod
    def of(cls, query: str, relevant: bool) -> Wanted:
        """From what somebody typed."""
        return cls(tuple(query.casefold().split()), relevant)

    def may_be(self, line: Line) -> bool:
        """Can the line be of a page that is wanted? Told from its bytes, before it is parsed."""
        if self.relevant and _RELEVANT not in line.raw:
            return False
        if not line.raw.isascii():  # other letters have more cases than bytes tell
            return True
        raw = line.raw.lower()
        return all(word.encode() in raw for word in self.words if _is_as_written(word))

    def fits(self, event: Event) -> bool:
        """Is this the event of a page that is wanted?"""
        if self.relevant and event.get("relevant") is not True:
            return False
        text = f"{words(event.get('title'))} {address(event.get('url'))}".casefold()
        return all(word in text for word in self.words)


def _is_as_written(word: str) -> bool:
    """Does JSON have the word as it is, in this case or another?"""
    return word.isascii() and all(c.isalnum() or c in _AS_WRITTEN for c in word)


class Found(NamedTuple):
    """Pages that are wanted, the newest first, and where to go on: 0 where all is looked through.

    ``searched`` is how many pages were looked at, ``by_then`` the same when each was found.
    """

    pages: list[Page]
    by_then: list[int]
    place: int
    searched: int


def find_pages(
    journal: JournalPlaces, wanted: Wanted, before: int | None, most: int, portion: int = PORTION
) -> Found:
    """The last pages that are wanted; see :func:`search_pages`."""
    found: list[Page] = []
    by_then: list[int] = []
    searched, begin = 0, journal.size if before is None else min(before, journal.size)
    place = begin
    least = begin - portion - LONGEST_LINE
    for line in journal.backward(begin, least):
        if len(found) == most or (begin - line.start > portion and place < begin):
            break
        place = line.start
        if line.is_page:
            searched += 1
            page = page_of(line) if wanted.may_be(line) else None
            if page is not None and wanted.fits(page.event):
                found.append(page)
                by_then.append(searched)
    else:
        place = 0 if least <= 0 else place if place < begin else begin - portion
    return Found(found, by_then, place, searched)


def search_pages(
    journal: JournalPlaces, wanted: Wanted, before: int | None, most: int, portion: int = PORTION
) -> Json:
    """The last pages that are wanted, the newest first, and where to go on.

    Parameters
    ----------
    journal : where to look.
    wanted : for what.
    before : only pages whose lines begin before this byte; None for all.
    most : rows to give.
    portion : bytes to look through at most.
    """
    found = find_pages(journal, wanted, before, most, portion)
    return {
        "pages": [page_row(page.event) for page in found.pages],
        "next": found.place or None,
        "searched": found.searched,
        "complete": found.place == 0,
    }
