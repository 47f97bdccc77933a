"""What is answered about a crawl of several workers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from scenthound.core.errors import FolderError
from scenthound.core.page_numbers import page_in, told_page, worker_of
from scenthound.dashboard.asked import Refused
from scenthound.dashboard.crawl_answers import ask_in, recent_of, settings_of
from scenthound.dashboard.curve import Point
from scenthound.dashboard.detail import (
    BYTES,
    REASONS,
    ROWS,
    Recent,
    frontier_told,
    hosts_told,
)
from scenthound.dashboard.page_answers import PageAnswers
from scenthound.dashboard.page_row import newest_first, worker_row
from scenthound.dashboard.plain_values import Json, number
from scenthound.dashboard.searching import Wanted
from scenthound.dashboard.standing import PAUSED, RUNNING, STOPPING
from scenthound.dashboard.tail import damage_told
from scenthound.dashboard.team import Team
from scenthound.dashboard.team_curve import sampled_together
from scenthound.dashboard.team_pages import Opened, search_team
from scenthound.live.job import WORKER, WorkerMark

_FEWEST_BYTES = 32 * 1024
_STEERED = (RUNNING, PAUSED, STOPPING)

Recents = Sequence[tuple[WorkerMark, Recent]]


class TeamAnswers:
    """Answers from the folders of workers that are here, and from their server.

    Parameters
    ----------
    team : the crawl.
    pages : answers about single pages.
    """

    def __init__(self, team: Team, pages: PageAnswers) -> None:
        self._team = team
        self._pages = pages

    def detail(self, told: Json) -> Json:
        """With its settings, hosts, frontier and last pages; ``told`` is how it stands."""
        members = self._team.members
        most = max(_FEWEST_BYTES, BYTES // max(1, len(members)))
        recents = [(mark, recent_of(reader, most)) for mark, reader in members]
        joint = _joint(recents)
        if joint.strange and not told["problem"]:
            told["problem"] = damage_told(joint.strange)
        first = members[0][1] if members else None
        settings = [] if first is None else settings_of(first)
        begun = {} if first is None else first.started()
        return {
            **told,
            "latest": _rows([(mark, recent.relevant) for mark, recent in recents]),
            "recent": _rows([(mark, recent.last) for mark, recent in recents]),
            "refused": dict(joint.refused.most_common(REASONS)),
            "counted": {"pages": joint.pages, "whole": joint.whole},
            "settings": [row for row in settings if row[0] != WORKER],
            "threshold": number(begun.get("threshold")),
            "hosts": hosts_told(joint),
            "hosts_whole": joint.whole,
            "frontier": self._frontier(told),
        }

    def curve(self, points: int) -> list[Point]:
        """The curve of all; as the server told it since the first look where folders lack."""
        if self._team.is_elsewhere and self._team.server is not None:
            return self._team.server.points()[-points:]
        with self._opened() as opened:
            return sampled_together([journal for _, journal in opened], points)

    def pages(self, wanted: Wanted, before: str, most: int) -> Json:
        """Pages that are wanted, the newest first, of workers whose folders are here."""
        with self._opened() as opened:
            return search_team(opened, wanted, before, most)

    def page(self, page: int) -> Json:
        """One page by its number among all; Refused (404) where there is none here."""
        for mark, reader in self._team.members:
            told = self._pages.of(reader, page_in(page)) if mark.number == worker_of(page) else None
            if told is not None:
                return {**told.answer, "page": worker_row(told.event, mark)}
        raise Refused(404, f"there is no {told_page(page)} here.")

    def order(self, action: str) -> None:
        """Ask all workers, by their server; without one, those whose folders are here.

        Who goes on takes away the requests in folders too: they may have been left one by one.
        """
        if self._team.server is not None:
            self._team.server.ask_for(action)
            if action != "resume":
                return
        for _, reader in self._team.members:
            if reader.overview()["state"] in _STEERED:
                ask_in(reader, action)

    def _frontier(self, told: Json) -> Json:
        server = self._team.server
        if server is None:
            return frontier_told(told)
        return {**frontier_told(told), "under_way": server.stands.leased}

    @contextmanager
    def _opened(self) -> Iterator[Opened]:
        """The journals that can be read, open; the crawl itself tells of the others."""
        with ExitStack() as stack:
            opened = []
            for mark, reader in self._team.members:
                try:
                    journal = stack.enter_context(reader.opened())
                except FolderError:
                    continue
                if journal is not None:
                    opened.append((mark, journal))
            yield opened


def _joint(recents: Recents) -> Recent:
    """The ends of all journals, counted as one."""
    told = [recent for _, recent in recents]
    return Recent(
        pages=sum(each.pages for each in told),
        whole=all(each.whole for each in told),
        strange=sum(each.strange for each in told),
        hosts=sum((each.hosts for each in told), Counter()),
        relevant_hosts=sum((each.relevant_hosts for each in told), Counter()),
        refused=sum((each.refused for each in told), Counter()),
    )


def _rows(found: Sequence[tuple[WorkerMark, Sequence[dict[str, object]]]]) -> list[Json]:
    rows = [worker_row(event, mark) for mark, events in found for event in events]
    return newest_first(rows)[:ROWS]
