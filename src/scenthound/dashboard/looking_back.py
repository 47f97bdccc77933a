"""The page some hundred pages before another one, found without reading what lies between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scenthound.store.journal_lines import Page
from scenthound.store.journal_places import JournalPlaces

_JUMPS = 8
_NEAR = 4
"""Pages that are read one after the other sooner than jumped over."""
_REACH = 64 * 1024
"""Bytes that are read so at most, should page numbers be in disorder."""


def pages_back(journal: JournalPlaces, pages: Sequence[Page], back: int) -> Iterator[Page | None]:
    """For each of the pages, the last one that was fetched ``back`` pages before it, or earlier.

    None where the crawl was not that old.

    Parameters
    ----------
    journal : where they are.
    pages : in order, the first page of the crawl among them; none give none.
    back : how many pages.
    """
    place = 0
    for page in pages:
        wanted = page.number - back
        while place + 1 < len(pages) and pages[place + 1].number <= wanted:
            place += 1
        low = pages[place]
        yield None if low.number > wanted else last_up_to(journal, wanted, low, pages[place + 1])


def last_up_to(journal: JournalPlaces, number: int, low: Page, high: Page) -> Page:
    """The last page between two that has this number or a lower one; ``low`` for none.

    Lines are about as long as those around them, so that a jump of so many bytes lands close by.
    """
    end, beyond = high.start, high.number
    for _ in range(_JUMPS):
        if number - low.number <= _NEAR or beyond <= low.number:
            break
        part = (number - 1 - low.number) / (beyond - low.number)
        place = low.end + int((end - low.end) * part)
        found = next(journal.pages(place, end), None)
        if found is None:
            end = place
        elif found.number > number:
            end, beyond = found.start, found.number
        else:
            low = found
    for page in journal.pages(low.end, min(end, low.end + _REACH)):
        if page.number > number:
            break
        low = page
    return low
