"""The crawls that are shown: each with an id and a name of its own."""

from __future__ import annotations

import socket
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from scenthound.corpus.finding import MOST_CRAWLS, crawls_in
from scenthound.dashboard.crawl_reader import Clock, CrawlReader
from scenthound.dashboard.plain_values import Json
from scenthound.dashboard.server_watch import ServerWatch
from scenthound.dashboard.team import Shown, Team
from scenthound.dashboard.worker_marks import crawl_id as crawl_id
from scenthound.dashboard.worker_marks import team_id
from scenthound.live.job import WorkerMark

_LOOK_AGAIN = 2.0
"""Seconds after which crawls that have come since are looked for."""


class Roster:
    """The crawls in some folders and on servers, those included that come later.

    A crawl's id comes from its folder, so that an address that somebody keeps never leads to
    another crawl, also after a restart. Folders of the workers of one crawl are shown as one, by
    the id that the crawl has. May be used from several threads.

    Parameters
    ----------
    folders : crawl folders, or folders of crawls; one that is empty is a crawl not begun.
    now : the time in seconds since 1970.
    monotonic : the time, for measuring.
    servers : crawls on servers.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        now: Clock,
        monotonic: Clock,
        servers: Sequence[ServerWatch] = (),
    ) -> None:
        self._roots = list(dict.fromkeys(folder.resolve() for folder in folders))
        self._now = now
        self._monotonic = monotonic
        self._servers = servers
        self._lock = threading.Lock()
        self._readers: dict[Path, CrawlReader] = {}
        self._teams: dict[str, Team] = {}
        self._of: dict[Path, tuple[str, WorkerMark]] = {}
        self._names: Mapping[str, str] = {}
        self._shown: dict[str, Shown] = {}
        self._looked: float | None = None

    def crawls(self) -> list[Json]:
        """How each crawl stands, in the order of the folders; a team before its workers."""
        with self._lock:
            self._look()
            shown = list(self._shown.values())
        return [self.told(each) for each in shown]

    def shown(self, name: str) -> Shown | None:
        """The crawl with this id; None where there is none, or none any more."""
        with self._lock:
            if self._looked is None:
                self._look()
            return self._shown.get(name)

    def team_of(self, reader: CrawlReader) -> Team | None:
        """The crawl that a folder is a worker's part of; None for a crawl of one process."""
        team, _ = self._of.get(reader.path, ("", None))
        return self._teams.get(team)

    def told(self, crawl: Shown) -> Json:
        """How a crawl stands, with its id and its name."""
        if isinstance(crawl, Team):
            id_ = next((id_ for id_, each in self._teams.items() if each is crawl), "")
            return {"id": id_, "name": self._names.get(id_, crawl.name), **crawl.overview()}
        id_ = crawl_id(crawl.path)
        told = {"id": id_, "name": self._names.get(id_, crawl.path.name), **crawl.overview()}
        team, mark = self._of.get(crawl.path, ("", None))
        if mark is None:
            return told
        about = {"id": team, "name": self._names.get(team, mark.crawl), "number": mark.number}
        return {**told, "name": mark.name, "team": about}

    def _look(self) -> None:
        now = self._monotonic()
        if self._looked is not None and now - self._looked < _LOOK_AGAIN:
            return
        self._looked = now
        names: dict[Path, str] = {}
        for root in self._roots:
            for path in crawls_in(root) or [root]:
                names.setdefault(path, _name(path, root))
        for path in self._told_by_servers():
            names.setdefault(path, path.name)
        paths = list(names)[:MOST_CRAWLS]
        self._readers = {path: self._readers.get(path) or self._new(path) for path in paths}
        self._gather()
        self._shown = self._in_order()
        own = {crawl_id(path): (names[path], str(path)) for path in paths if path not in self._of}
        teams = {id_: (team.name, _place(team)) for id_, team in self._teams.items()}
        self._names = distinct({**own, **teams})

    def _gather(self) -> None:
        """Workers of one crawl together; of two folders of one worker, the first counts."""
        found: dict[str, dict[int, tuple[WorkerMark, CrawlReader]]] = {}
        servers = {team_id(each.stands.id): each for each in self._servers}
        self._of = {}
        for reader in self._readers.values():
            mark = reader.mark()
            if mark is None:
                continue
            id_ = team_id(mark.id)
            if found.setdefault(id_, {}).setdefault(mark.number, (mark, reader))[1] is reader:
                self._of[reader.path] = (id_, mark)
        teams = {}
        for id_ in [*servers, *found]:
            members = found.get(id_, {})
            server = servers.get(id_)
            team = self._teams.get(id_) or Team(_crawl(server, members.values()), server)
            team.server = server
            team.members = tuple(members[number] for number in sorted(members))
            teams[id_] = team
        self._teams = teams

    def _in_order(self) -> dict[str, Shown]:
        shown: dict[str, Shown] = {
            id_: team for id_, team in self._teams.items() if team.server is not None
        }
        for path, reader in self._readers.items():
            if path in self._of:
                id_, _ = self._of[path]
                shown.setdefault(id_, self._teams[id_])
            shown[crawl_id(path)] = reader
        return shown

    def _told_by_servers(self) -> Iterable[Path]:
        """Folders on this machine that workers told their server of, where they are theirs."""
        here = socket.gethostname()
        for server in self._servers:
            for worker in server.stands.workers:
                path = Path(worker.folder)
                if worker.host == here and path.is_absolute():
                    mark = (self._readers.get(path) or self._new(path)).mark()
                    if mark and (mark.id, mark.number) == (server.stands.id, worker.number):
                        yield path

    def _new(self, path: Path) -> CrawlReader:
        return CrawlReader(path, self._now, self._monotonic)


def _crawl(server: ServerWatch | None, members: Iterable[tuple[WorkerMark, CrawlReader]]) -> str:
    return next((mark.crawl for mark, _ in members), "") if server is None else server.crawl


def _place(team: Team) -> str:
    return str(team.path) if team.members else team.server.address if team.server else ""


def _name(path: Path, root: Path) -> str:
    return (path.name or str(path)) if path == root else path.relative_to(root).as_posix()


def distinct(names: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """The names by id; those that several have, with the place behind them."""
    counts = Counter(name for name, _ in names.values())
    return {
        id_: name if counts[name] == 1 else f"{name} ({place})"
        for id_, (name, place) in names.items()
    }
