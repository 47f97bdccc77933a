"""Follows all workers of a crawl: what has come since the last look, as of one crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenthound.dashboard.curve import RECENT_PAGES, Point
from scenthound.dashboard.following import Follower, News
from scenthound.dashboard.page_row import newest_first, worker_row
from scenthound.dashboard.team_curve import added_up, recently
from scenthound.dashboard.updates import MOST_PAGES, Update, news_of
from scenthound.live.job import WorkerMark

if TYPE_CHECKING:
    from scenthound.dashboard.team import Team

_NEVER = float("-inf")


class TeamFollowing:
    """Follows the journals that are on this machine, or the server where some are on others.

    It keeps a place and a point of each journal, and the points of the last hundred pages of all.

    Parameters
    ----------
    team : the crawl; workers may join it.
    anew : say at the first look that all is to be asked for again.
    """

    def __init__(self, team: Team, anew: bool = False) -> None:
        self._team = team
        self._anew = anew
        self._followers: dict[int, Follower] = {}
        self._known: dict[int, list[Point]] = {}
        self._before: list[Point] = []
        self._last = -1
        self._elsewhere = team.is_elsewhere

    @property
    def place(self) -> int:
        """No byte: there are several journals."""
        return 1

    def look(self) -> Update:
        """What is new since the last look."""
        news = self._news()
        moved = self._elsewhere != self._team.is_elsewhere
        anew = self._anew or moved or any(each.anew for _, each in news)
        self._anew, self._elsewhere = False, self._team.is_elsewhere
        points = self._told_by_server() if self._elsewhere else self._points(news)
        rows = [
            worker_row(page.event, mark) for mark, each in news for page in each.pages[-MOST_PAGES:]
        ]
        return Update(tuple(newest_first(rows)[:MOST_PAGES]), tuple(points), anew)

    def _news(self) -> list[tuple[WorkerMark, News]]:
        """Of each worker; one that joins is followed from its first page on."""
        place = 0 if self._followers else None
        return [
            (mark, news_of(reader, self._followers.setdefault(mark.number, Follower(place))))
            for mark, reader in self._team.members
        ]

    def _points(self, news: list[tuple[WorkerMark, News]]) -> list[Point]:
        """Points of the whole crawl after each new page."""
        if any(each.anew for _, each in news):
            self._known, self._before, self._last = {}, [], -1
        if self._last >= 0 and not any(each.points for _, each in news):
            return []
        begun = max((_first(each) for _, each in news), default=_NEVER)
        for mark, each in news:
            self._known[mark.number] = [*self._known.get(mark.number, each.before), *each.points]
        together = added_up(list(self._known.values()))
        is_first = self._last < 0
        later = [point for point in together if point.n > self._last]
        fresh = recently(later, self._before)
        if is_first:  # only there is known what each of them is reckoned from
            fresh = [point for point in fresh if (point.at or 0.0) >= begun]
        self._before = [*self._before, *later][-RECENT_PAGES - 1 :]
        self._known = {number: known[-1:] for number, known in self._known.items()}
        self._last = together[-1].n if together else self._last
        return fresh

    def _told_by_server(self) -> list[Point]:
        assert self._team.server is not None
        points = self._team.server.points()
        fresh = [point for point in points if point.n > self._last]
        self._last = points[-1].n if points else self._last
        return fresh


def _first(news: News) -> float:
    """When the first of the new pages came; what came before it is known too."""
    return next((point.at for point in news.points if point.at is not None), _NEVER)
