"""Looks through the pages of several workers, the newest of all first, a portion at a time.

Where to go on is a place in each journal: ``1.4096-2.512`` is byte 4096 of worker 1's, and so on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scenthound.dashboard.asked import Refused
from scenthound.dashboard.page_row import worker_row
from scenthound.dashboard.plain_values import Json, number
from scenthound.dashboard.searching import PORTION, Found, Wanted, find_pages
from scenthound.live.job import WorkerMark
from scenthound.store.journal_lines import Page
from scenthound.store.journal_places import JournalPlaces

Opened = Sequence[tuple[WorkerMark, JournalPlaces]]
_PLACE = re.compile(r"([0-9]{1,4})\.([0-9]{1,18})")
_LATEST = float("inf")


@dataclass
class _Portion:
    """What was found of one worker, and how many of it are given."""

    mark: WorkerMark
    found: Found
    given: int = 0

    @property
    def next(self) -> Page | None:
        """The newest page that is not given yet."""
        return self.found.pages[self.given] if self.given < len(self.found.pages) else None

    @property
    def is_cut(self) -> bool:
        """Is all given that was found, and more to be looked through?"""
        return self.next is None and self.found.place > 0

    @property
    def at(self) -> float:
        """When the next page came; one without a time is given at once."""
        assert self.next is not None
        at = number(self.next.event.get("at"))
        return _LATEST if at is None else at

    @property
    def place(self) -> int:
        """Where to go on: before the next page, or where the search ended."""
        return self.found.place if self.next is None else self.next.end

    @property
    def searched(self) -> int:
        """How many pages were looked at, as far as that place."""
        return self.found.searched if self.next is None else self.found.by_then[self.given] - 1

    def give(self) -> Json:
        """The row of the next page."""
        page = self.next
        assert page is not None
        self.given += 1
        return worker_row(page.event, self.mark)


def search_team(
    opened: Opened, wanted: Wanted, before: str, most: int, portion: int = PORTION
) -> Json:
    """The last pages that are wanted, of all workers in the order of time, and where to go on.

    Parameters
    ----------
    opened : the journals; none give none.
    wanted : what to look for.
    before : where to go on, as the last answer said; "" for the newest.
    most : rows to give.
    portion : bytes to look through at most, of all together.

    Refused (400) for a place that is none.
    """
    places = places_in(before) if before else None
    each = portion // max(1, len(opened))
    portions = [
        _Portion(mark, find_pages(journal, wanted, _place(places, mark), most, each))
        for mark, journal in opened
    ]
    rows: list[Json] = []
    while len(rows) < most and not any(part.is_cut for part in portions):
        left = [part for part in portions if part.next is not None]
        if not left:
            break
        rows.append(max(left, key=lambda part: part.at).give())
    further = [f"{part.mark.number}.{part.place}" for part in portions if part.place > 0]
    return {
        "pages": rows,
        "next": "-".join(further) or None,
        "searched": sum(part.searched for part in portions),
        "complete": not further,
    }


def places_in(text: str) -> Mapping[int, int]:
    """The place in each worker's journal; Refused (400) for another text."""
    found = [_PLACE.fullmatch(each) for each in text.split("-")]
    if not all(found):
        raise Refused(400, "before takes what the last answer gave as next.")
    return {int(each[1]): int(each[2]) for each in found if each is not None}


def _place(places: Mapping[int, int] | None, mark: WorkerMark) -> int | None:
    """A worker that is not named is looked through already, or came later."""
    return None if places is None else places.get(mark.number, 0)
