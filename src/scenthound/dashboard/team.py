"""A crawl of several workers, as the dashboard sees it: their folders, their server, or both."""

from __future__ import annotations

import os
from pathlib import Path

from scenthound.dashboard.crawl_reader import CrawlReader
from scenthound.dashboard.plain_values import Json
from scenthound.dashboard.server_figures import server_figures
from scenthound.dashboard.server_watch import ServerWatch
from scenthound.dashboard.team_figures import Member, team_told, worker_told
from scenthound.dashboard.team_following import TeamFollowing
from scenthound.live.job import WorkerMark

Members = tuple[tuple[WorkerMark, CrawlReader], ...]


class Team:
    """All that is shown of one crawl: workers by their numbers.

    Parameters
    ----------
    name : of the crawl.
    server : asks the server; None where only folders are shown.
    """

    def __init__(self, name: str, server: ServerWatch | None = None) -> None:
        self.name = name
        self.server = server
        self.members: Members = ()
        """Workers whose folders are on this machine; others may come to it later."""

    @property
    def path(self) -> Path:
        """The folder that holds those of its workers; an empty path where none is here."""
        folders = [reader.path for _, reader in self.members]
        return Path(os.path.commonpath(folders)) if folders else Path()

    @property
    def is_there(self) -> bool:
        """Is anything of it left?"""
        return self.server is not None or any(reader.is_there for _, reader in self.members)

    @property
    def is_elsewhere(self) -> bool:
        """Are folders of some workers on other machines?"""
        if self.server is None:
            return False
        here = {mark.number for mark, _ in self.members}
        return any(worker.number not in here for worker in self.server.stands.workers)

    def reader(self, number: int) -> CrawlReader | None:
        """The folder of a worker; None where it is not here."""
        return next((reader for mark, reader in self.members if mark.number == number), None)

    def overview(self) -> Json:
        """How the crawl stands, in a few figures, with a row for each worker."""
        members = [Member(mark, reader, reader.overview()) for mark, reader in self.members]
        rows = [worker_told(member) for member in members]
        told: Json = {**team_told(members), "workers": rows}
        if self.server is not None:
            told = server_figures(self.server, told, rows)
        folder = str(self.path) if members else ""
        address = "" if self.server is None else self.server.address
        return {"folder": folder, "server": address, **told}

    def following(self, place: int | None) -> TeamFollowing:
        """Follows all workers; a window that comes back is told to ask for everything again."""
        return TeamFollowing(self, place is not None)


Shown = CrawlReader | Team
"""What is shown as one crawl."""
