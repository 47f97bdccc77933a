"""Pages as table rows, and the search for pages in the journals."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scenthound.core.model import global_page_number
from scenthound.crawler.job import WorkerIdentity
from scenthound.output.dashboard.journal_tail import ShownPage, read_page
from scenthound.output.dashboard.values import ApiError, Json
from scenthound.output.explain.score_parts import evidence_of
from scenthound.storage.journal import MAX_LINE_BYTES, JournalLine, JournalReader, page_on_line

_COLUMNS = (
    "n", "at", "url", "title", "relevant", "similarity", "priority", "depth", "status",
    "linked_from", "problem", "language",
)  # fmt: skip


def page_row(page: ShownPage, worker: WorkerIdentity | None = None) -> Json:
    """The row of a page; each part of its priority with its value, its weight and its evidence.

    A page of one of several workers also has its worker, and as ``key`` its number among all.
    """
    row: Json = {
        **{name: getattr(page, name) for name in _COLUMNS},
        "parts": [
            [part.name, part.value, part.weight, evidence_of(part.name)[0]] for part in page.parts
        ],
        "anchor": page.inlinks[0].anchor if page.inlinks else "",
    }
    if worker is not None:
        row["key"] = global_page_number(worker.number, page.n)
        row["worker"] = {"number": worker.number, "name": worker.name}
    return row


SEARCH_BYTES = 8 * 1024 * 1024
"""Bytes of a journal that are looked through for one answer."""
_RELEVANT = b'"relevant":true'
"""As the journal writes it, without spaces. Lines are sorted out by bytes: parsing is slow."""
_UNESCAPED = frozenset("-_.:/~+%=&?#@!,;()")


@dataclass(frozen=True, slots=True)
class PageQuery:
    """What to look for: ``words`` that all occur in title or URL, in any case; relevant pages only.

    Words are case-folded. Without words every page matches.
    """

    words: tuple[str, ...] = ()
    relevant: bool = False

    def may_match(self, line: JournalLine) -> bool:
        """Can the line hold a page that matches? Checked on its bytes, before it is parsed."""
        if self.relevant and _RELEVANT not in line.raw:
            return False
        if not line.raw.isascii():  # other letters have more cases than bytes tell
            return True
        raw = line.raw.lower()
        return all(word.encode() in raw for word in self.words if _is_unescaped(word))

    def fits(self, page: ShownPage) -> bool:
        """Does the page match?"""
        text = f"{page.title} {page.url}".casefold()
        return (page.relevant or not self.relevant) and all(word in text for word in self.words)


def _is_unescaped(word: str) -> bool:
    """Does JSON have the word as it is, in this case or another?"""
    return word.isascii() and all(c.isalnum() or c in _UNESCAPED for c in word)


# The search goes back from the newest page, some megabytes at a time. Where to go on is a place in
# each journal: ``1.4096-2.512`` is byte 4096 of worker 1's journal, and so on; a crawl of one
# process is worker 0.

OpenJournals = Sequence[tuple[WorkerIdentity | None, JournalReader]]
"""Open journals with their workers; None for a crawl of one process."""
_PLACE = re.compile(r"([0-9]{1,4})\.([0-9]{1,18})")


class _Match(NamedTuple):
    """A page that matches, None at the end of the search; where to go on while it is not listed, 0
    at the beginning of the journal; how many pages were passed as far as there."""

    page: ShownPage | None
    place: int
    searched: int

    @property
    def at(self) -> float:
        """When the page was fetched."""
        return -math.inf if self.page is None else self.page.at


def _search_journal(
    journal: JournalReader, query: PageQuery, begin: int, portion: int
) -> Iterator[_Match]:
    """The pages that match in at most so many bytes before ``begin``, the newest first."""
    least, reached, read = begin - portion - MAX_LINE_BYTES, begin, 0
    for line in journal.backward(begin, least):
        if begin - line.start > portion and reached < begin:
            break  # one line is read in any case, however long
        reached = line.start
        read += line.is_page
        found = page_on_line(line) if line.is_page and query.may_match(line) else None
        page = None if found is None else read_page(found.event)
        if page is not None and query.fits(page):
            yield _Match(page, line.end, read - 1)
    else:
        reached = 0 if least <= 0 else min(reached, begin - portion)
    yield _Match(None, reached, read)


def search_pages(
    opened: OpenJournals, query: PageQuery, before: str, most: int, portion: int = SEARCH_BYTES
) -> Json:
    """The newest pages that match, of all workers in the order of time, and where to go on.

    Parameters
    ----------
    opened : the journals; without any there are no pages.
    query : what to look for.
    before : where to go on, as the last answer said; "" for the newest.
    most : rows to give.
    portion : bytes to search at most, of all journals together.

    ApiError (400) for a place that is none.
    """
    places = _parse_places(before) if before else None
    each = portion // max(1, len(opened))
    numbers = [0 if worker is None else worker.number for worker, _ in opened]
    searches = []
    for number, (_, journal) in zip(numbers, opened, strict=True):
        # A worker that is not named in the places is searched already, or joined later.
        begin = journal.size if places is None else min(places.get(number, 0), journal.size)
        searches.append(_search_journal(journal, query, begin, each))
    rows: list[Json] = []
    next_ones = list(map(next, searches))
    # Pages are merged by time. Behind the place where a search was cut there may be a page that is
    # newer than the next one of another journal, so merging ends there.
    while len(rows) < most and not any(found.page is None and found.place for found in next_ones):
        newest = max(range(len(next_ones)), key=lambda place: next_ones[place].at, default=0)
        page = next_ones[newest].page if next_ones else None
        if page is None:
            break
        rows.append(page_row(page, opened[newest][0]))
        next_ones[newest] = next(searches[newest])
    ends = zip(numbers, next_ones, strict=True)
    further = [f"{number}.{found.place}" for number, found in ends if found.place]
    return {
        "pages": rows,
        "next": "-".join(further) or None,
        "searched": sum(found.searched for found in next_ones),
        "complete": not further,
    }


def _parse_places(text: str) -> Mapping[int, int]:
    """The place in each worker's journal; ApiError (400) for another text."""
    found = [_PLACE.fullmatch(each) for each in text.split("-")]
    if not all(found):
        raise ApiError(400, "before takes what the last answer gave as next.")
    return {int(each[1]): int(each[2]) for each in found if each is not None}
