"""What has been written to a journal since the last look."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from scenthound.dashboard.curve import RECENT_PAGES, Point, bare_point, with_recent
from scenthound.store.journal_lines import Page, page_of
from scenthound.store.journal_places import JournalPlaces

AT_ONCE = 1024 * 1024
"""Bytes that one look reads at most."""
_BEHIND = 4 * AT_ONCE
"""Who is further behind begins again at the end: the curve is sampled faster than read."""
_BEGIN = 64 * 1024


@dataclass(frozen=True, slots=True)
class News:
    """The new pages and the points of the curve after them.

    ``anew`` says that what was told before does not hold any more, or that a piece was left out:
    the curve is to be asked for again.
    """

    pages: tuple[Page, ...] = ()
    points: tuple[Point, ...] = ()
    anew: bool = False
    before: tuple[Point, ...] = field(default=(), compare=False)
    """Points of pages that came before, a hundred at most."""


class Follower:
    """Follows one journal. It keeps a place in it, and the points of the last hundred pages.

    Parameters
    ----------
    place : where to go on; None, or a place that is none, begins a little before the end.
    """

    def __init__(self, place: int | None = None) -> None:
        self.place = -1 if place is None else place
        self._last = 0
        self._before: deque[Point] = deque(maxlen=RECENT_PAGES + 1)

    def look(self, journal: JournalPlaces) -> News:
        """What is new; nothing in most looks."""
        lost = self._is_lost(journal)
        anew = lost and self.place >= 0
        if lost:
            self._begin(journal, max(0, journal.size - _BEGIN))
        elif not self._before and self.place > 0:
            self._begin(journal, self.place)
        pages = self._read(journal) if self.place >= 0 else []
        if pages and pages[0].number <= self._last:  # cut, and written anew beyond our place
            anew = True
            self._before.clear()
        before = tuple(self._before)
        points = with_recent([bare_point(page.event) for page in pages], before)
        self._before.extend(points)
        self._last = pages[-1].number if pages else self._last
        return News(tuple(pages), tuple(points), anew, before)

    def _is_lost(self, journal: JournalPlaces) -> bool:
        behind = journal.size - self.place
        return self.place < 0 or not 0 <= behind <= _BEHIND or not journal.begins_line(self.place)

    def _begin(self, journal: JournalPlaces, place: int) -> None:
        """Set out from a place; the pages before it say how the harvest was lately."""
        self._before.clear()
        last = journal.size if journal.begins_line(journal.size) else _last_end(journal)
        self.place = next((line.start for line in journal.forward(place)), last)
        earlier = journal.pages_backward(self.place)
        for _, page in zip(range(RECENT_PAGES + 1), earlier, strict=False):
            self._before.appendleft(bare_point(page.event))
        self._last = self._before[-1].n if self._before else 0

    def _read(self, journal: JournalPlaces) -> list[Page]:
        pages, stop = [], self.place + AT_ONCE
        for line in journal.forward(self.place, stop):
            self.place = line.end
            page = page_of(line)
            if page is not None:
                pages.append(page)
        return pages


def _last_end(journal: JournalPlaces) -> int:
    """Where the last whole line ends; -1 where none lies near the end."""
    lines = journal.backward(least=journal.size - _BEHIND)
    return next((line.end for line in lines), -1 if journal.size > _BEHIND else 0)
