"""What a window is sent of a crawl that goes on: rows of new pages, points of its curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from scenthound.core.errors import FolderError
from scenthound.dashboard.curve import Point
from scenthound.dashboard.following import Follower, News
from scenthound.dashboard.page_row import page_row
from scenthound.dashboard.plain_values import Json

if TYPE_CHECKING:
    from scenthound.dashboard.crawl_reader import CrawlReader

MOST_PAGES = 50


@dataclass(frozen=True, slots=True)
class Update:
    """Rows, the newest first, and points in order; ``anew`` as of :class:`News`."""

    rows: tuple[Json, ...] = ()
    points: tuple[Point, ...] = ()
    anew: bool = False

    @property
    def is_empty(self) -> bool:
        """Is nothing new?"""
        return not (self.rows or self.points or self.anew)


class Following(Protocol):
    """Follows a crawl."""

    @property
    def place(self) -> int:
        """What a window names that comes back."""
        ...

    def look(self) -> Update:
        """What is new since the last look; nothing where the crawl cannot be read now."""
        ...


class FolderFollowing:
    """Follows the crawl in one folder.

    Parameters
    ----------
    reader : of the folder.
    place : where to go on in its journal; None for a little before the end.
    """

    def __init__(self, reader: CrawlReader, place: int | None) -> None:
        self._reader = reader
        self._follower = Follower(place)

    @property
    def place(self) -> int:
        """A byte of the journal."""
        return max(0, self._follower.place)

    def look(self) -> Update:
        """What is new since the last look."""
        news = news_of(self._reader, self._follower)
        rows = [page_row(page.event) for page in reversed(news.pages[-MOST_PAGES:])]
        return Update(tuple(rows), news.points, news.anew)


def news_of(reader: CrawlReader, follower: Follower) -> News:
    """What is new in a journal; what is wrong with it, the crawl itself says."""
    if not reader.has_journal:
        return News()
    try:
        with reader.journal() as journal:
            return follower.look(journal)
    except FolderError:
        return News()
