"""Pages as table rows, and the search for pages in the journals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scenthound.core.model import global_page_number
from scenthound.crawler.job import WorkerIdentity
from scenthound.output.dashboard.values import (
    ApiError,
    Json,
    as_int,
    as_list,
    as_mapping,
    as_number,
    as_text,
    as_url,
    number_param,
)
from scenthound.output.score_parts import evidence_of
from scenthound.storage.journal import (
    MAX_LINE_BYTES,
    JournalEvent,
    JournalLine,
    JournalPage,
    JournalReader,
    page_on_line,
)

_PARTS = 30


def page_row(event: Mapping[str, object], worker: WorkerIdentity | None = None) -> Json:
    """The row of a page; what its event does not say is None, 0 or "".

    A page of one of several workers also has its worker, and as ``key`` its number among all.
    """
    number = as_int(event.get("n"))
    row: Json = {
        "n": number,
        "at": as_number(event.get("at")),
        "url": as_url(event.get("url")),
        "title": as_text(event.get("title")),
        "relevant": event.get("relevant") is True,
        "similarity": as_number(event.get("similarity")),
        "priority": as_number(event.get("priority")),
        "depth": as_int(event.get("depth")),
        "status": as_int(event.get("status")),
        "parts": _parts(event),
        "linked_from": as_int(event.get("linked_from")),
        "problem": as_text(event.get("problem")),
        "language": as_text(event.get("language")) or None,
        "anchor": best_inlink(event)[2],
    }
    if worker is not None:
        row["key"] = global_page_number(worker.number, number)
        row["worker"] = {"number": worker.number, "name": worker.name}
    return row


def newest_first(rows: Iterable[Json]) -> list[Json]:
    """Rows of several workers in the order of time; those without a time come last."""
    return sorted(rows, key=lambda row: as_number(row["at"]) or 0.0, reverse=True)


def best_inlink(event: Mapping[str, object]) -> tuple[int, float | None, str]:
    """Number of the page with the best link here, its score, its words; 0, None, "" for none."""
    inlinks = as_list(event.get("inlinks"))
    best = as_list(inlinks[0]) if inlinks else []
    if len(best) != 3:
        return 0, None, ""
    return as_int(best[0]), as_number(best[1]), as_text(best[2])


def _parts(event: Mapping[str, object]) -> list[list[object]]:
    """Name, value and weight of each part of its priority, and what it speaks of."""
    parts = list(as_mapping(event.get("parts")).items())[:_PARTS]
    pairs = [(as_text(name), as_list(pair)) for name, pair in parts]
    return [
        [name, *map(as_number, pair), evidence_of(name)[0]]
        for name, pair in pairs
        if len(pair) == 2
    ]


SEARCH_BYTES = 8 * 1024 * 1024
"""Bytes of a journal that are looked through for one answer."""
_RELEVANT = b'"relevant":true'
"""As the journal writes it, without spaces. Lines are sorted out by bytes: parsing is slow."""
_UNESCAPED = frozenset("-_.:/~+%=&?#@!,;()")


@dataclass(frozen=True, slots=True)
class PageQuery:
    """What to look for: ``words`` that all occur in title or URL, in any case; relevant pages only.

    Without words every page matches.
    """

    words: tuple[str, ...] = ()
    relevant: bool = False

    @classmethod
    def of(cls, query: str, relevant: bool) -> PageQuery:
        """From what somebody typed."""
        return cls(tuple(query.casefold().split()), relevant)

    def may_match(self, line: JournalLine) -> bool:
        """Can the line hold a page that matches? Checked on its bytes, before it is parsed."""
        if self.relevant and _RELEVANT not in line.raw:
            return False
        if not line.raw.isascii():  # other letters have more cases than bytes tell
            return True
        raw = line.raw.lower()
        return all(word.encode() in raw for word in self.words if _is_unescaped(word))

    def fits(self, event: JournalEvent) -> bool:
        """Does the page of this event match?"""
        if self.relevant and event.get("relevant") is not True:
            return False
        text = f"{as_text(event.get('title'))} {as_url(event.get('url'))}".casefold()
        return all(word in text for word in self.words)


def _is_unescaped(word: str) -> bool:
    """Does JSON have the word as it is, in this case or another?"""
    return word.isascii() and all(c.isalnum() or c in _UNESCAPED for c in word)


# The search goes back from the newest page, some megabytes at a time. Where to go on is a place in
# each journal: ``1.4096-2.512`` is byte 4096 of worker 1's journal, and so on; for a crawl of one
# process it is the byte alone.

OpenJournals = Sequence[tuple[WorkerIdentity | None, JournalReader]]
"""Open journals with their workers; None for a crawl of one process."""
_PLACE = re.compile(r"([0-9]{1,4})\.([0-9]{1,18})")


@dataclass
class _JournalSearch:
    """What was found in one journal, and how many of these pages are listed already.

    ``place`` is where to go on, 0 where the journal is searched to its beginning. ``searched`` is
    the number of pages that were looked at, ``searched_before`` the same before each page found.
    """

    worker: WorkerIdentity | None
    pages: list[JournalPage]
    searched_before: list[int]
    end: int
    searched_in_all: int
    listed: int = 0

    @property
    def next(self) -> JournalPage | None:
        """The newest page that is not listed yet."""
        return self.pages[self.listed] if self.listed < len(self.pages) else None

    @property
    def is_cut(self) -> bool:
        """Is all listed that was found, and the rest of the journal not searched?"""
        return self.next is None and self.end > 0

    @property
    def at(self) -> float:
        """When the next page came; a page without a time is listed at once."""
        at = None if self.next is None else as_number(self.next.event.get("at"))
        return float("inf") if at is None else at

    @property
    def place(self) -> int:
        """Where to go on: before the next page, or where the search ended."""
        return self.end if self.next is None else self.next.end

    @property
    def searched(self) -> int:
        """How many pages were looked at, as far as that place."""
        return self.searched_in_all if self.next is None else self.searched_before[self.listed]


def _search(
    worker: WorkerIdentity | None,
    journal: JournalReader,
    query: PageQuery,
    before: int | None,
    most: int,
    portion: int,
) -> _JournalSearch:
    """Search one journal backwards, at most ``portion`` bytes of it."""
    found: list[JournalPage] = []
    searched_before: list[int] = []
    searched, begin = 0, journal.size if before is None else min(before, journal.size)
    place = begin
    least = begin - portion - MAX_LINE_BYTES
    for line in journal.backward(begin, least):
        if len(found) == most or (begin - line.start > portion and place < begin):
            break
        place = line.start
        if line.is_page:
            searched += 1
            page = page_on_line(line) if query.may_match(line) else None
            if page is not None and query.fits(page.event):
                found.append(page)
                searched_before.append(searched - 1)
    else:
        place = 0 if least <= 0 else place if place < begin else begin - portion
    return _JournalSearch(worker, found, searched_before, place, searched)


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
    alone = len(opened) == 1 and opened[0][0] is None
    places = _parse_places(before, alone) if before else None
    each = portion // max(1, len(opened))
    parts = []
    for worker, journal in opened:
        # A worker that is not named in the places is searched already, or joined later.
        place = None if places is None else places.get(_number(worker), 0)
        parts.append(_search(worker, journal, query, place, most, each))
    rows: list[Json] = []
    # Pages are merged by time. Behind the place where a search was cut there may be a page that is
    # newer than the next one of another journal, so merging ends there.
    while len(rows) < most and not any(part.is_cut for part in parts):
        newest = max(parts, key=lambda part: (part.next is not None, part.at), default=None)
        if newest is None or newest.next is None:
            break
        rows.append(page_row(newest.next.event, newest.worker))
        newest.listed += 1
    further = [f"{_number(part.worker)}.{part.place}" for part in parts if part.place > 0]
    return {
        "pages": rows,
        "next": (parts[0].place or None) if alone else "-".join(further) or None,
        "searched": sum(part.searched for part in parts),
        "complete": not further,
    }


def _number(worker: WorkerIdentity | None) -> int:
    return 0 if worker is None else worker.number


def _parse_places(text: str, alone: bool) -> Mapping[int, int]:
    """The place in each worker's journal; ApiError (400) for another text."""
    if alone:
        return {0: number_param({"before": text}, "before", 0, 0) or 0}
    found = [_PLACE.fullmatch(each) for each in text.split("-")]
    if not all(found):
        raise ApiError(400, "before takes what the last answer gave as next.")
    return {int(each[1]): int(each[2]) for each in found if each is not None}
