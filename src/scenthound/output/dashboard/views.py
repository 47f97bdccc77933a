"""The crawls that the dashboard shows, and its JSON views of them. Everything here reads files
and may take a while, so it is called in threads.
"""

from __future__ import annotations

import socket
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from scenthound.crawler.job import WorkerIdentity
from scenthound.output.dashboard.crawl_folder import Clock, CrawlReader
from scenthound.output.dashboard.crawl_views import CrawlView
from scenthound.output.dashboard.curve import as_lists
from scenthound.output.dashboard.page_details import PageDetailReader, PageExplainer
from scenthound.output.dashboard.pages import PageQuery
from scenthound.output.dashboard.shared_crawl import SharedCrawlMonitor
from scenthound.output.dashboard.status import CONTROLLABLE
from scenthound.output.dashboard.values import ApiError, Json, crawl_id, distributed_id
from scenthound.output.dashboard.workers import DisplayedCrawl, DistributedCrawl
from scenthound.storage.folder import MAX_CRAWLS, find_crawls

_REFRESH_SECONDS = 2.0
"""Seconds after which crawls that have come since are looked for."""


class CrawlList:
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
        servers: Sequence[SharedCrawlMonitor] = (),
    ) -> None:
        self._roots = list(dict.fromkeys(folder.resolve() for folder in folders))
        self._now = now
        self._monotonic = monotonic
        self._servers = servers
        self._lock = threading.Lock()
        self._readers: dict[Path, CrawlReader] = {}
        self._distributed: dict[str, DistributedCrawl] = {}
        self._of: dict[Path, tuple[str, WorkerIdentity]] = {}
        self._names: Mapping[str, str] = {}
        self._shown: dict[str, DisplayedCrawl] = {}
        self._looked: float | None = None

    def crawls(self) -> list[Json]:
        """How each crawl stands, in the order of the folders; the workers of a crawl after it."""
        with self._lock:
            self._look()
            shown = list(self._shown.values())
        return [self.overview(each) for each in shown]

    def find(self, name: str) -> DisplayedCrawl | None:
        """The crawl with this id; None where there is none, or none any more."""
        with self._lock:
            if self._looked is None:
                self._look()
            return self._shown.get(name)

    def distributed_of(self, crawl: DisplayedCrawl) -> DistributedCrawl | None:
        """The crawl of several workers that this is, or is a part of; None for one process."""
        if isinstance(crawl, DistributedCrawl):
            return crawl
        id_, _ = self._of.get(crawl.path, ("", None))
        return self._distributed.get(id_)

    def overview(self, crawl: DisplayedCrawl) -> Json:
        """How a crawl stands, with its id and its name."""
        if isinstance(crawl, DistributedCrawl):
            id_ = next((id_ for id_, each in self._distributed.items() if each is crawl), "")
            return {"id": id_, "name": self._names.get(id_, crawl.name), **crawl.overview()}
        id_ = crawl_id(crawl.path)
        overview = {"id": id_, "name": self._names.get(id_, crawl.path.name), **crawl.overview()}
        whole, mark = self._of.get(crawl.path, ("", None))
        if mark is None:
            return overview
        about = {"id": whole, "name": self._names.get(whole, mark.crawl), "number": mark.number}
        return {**overview, "name": mark.name, "team": about}

    def _look(self) -> None:
        now = self._monotonic()
        if self._looked is not None and now - self._looked < _REFRESH_SECONDS:
            return
        self._looked = now
        names: dict[Path, str] = {}
        for root in self._roots:
            for path in find_crawls(root) or [root]:
                names.setdefault(path, _name(path, root))
        for path in self._server_folders():
            names.setdefault(path, path.name)
        paths = list(names)[:MAX_CRAWLS]
        self._readers = {path: self._readers.get(path) or self._new(path) for path in paths}
        self._gather()
        self._shown = self._in_order()
        own = {crawl_id(path): (names[path], str(path)) for path in paths if path not in self._of}
        crawls = {id_: (crawl.name, _location(crawl)) for id_, crawl in self._distributed.items()}
        self._names = distinct_names({**own, **crawls})

    def _gather(self) -> None:
        """Workers of one crawl together; of two folders of one worker, the first counts."""
        found: dict[str, dict[int, tuple[WorkerIdentity, CrawlReader]]] = {}
        servers = {distributed_id(each.stands.id): each for each in self._servers}
        self._of = {}
        for reader in self._readers.values():
            mark = reader.mark()
            if mark is None:
                continue
            id_ = distributed_id(mark.id)
            if found.setdefault(id_, {}).setdefault(mark.number, (mark, reader))[1] is reader:
                self._of[reader.path] = (id_, mark)
        crawls = {}
        for id_ in [*servers, *found]:
            members = found.get(id_, {})
            server = servers.get(id_)
            names = [server.crawl] if server else [mark.crawl for mark, _ in members.values()]
            crawl = self._distributed.get(id_) or DistributedCrawl(names[0], server)
            crawl.server = server
            crawl.members = tuple(members[number] for number in sorted(members))
            crawls[id_] = crawl
        self._distributed = crawls

    def _in_order(self) -> dict[str, DisplayedCrawl]:
        shown: dict[str, DisplayedCrawl] = {
            id_: crawl for id_, crawl in self._distributed.items() if crawl.server is not None
        }
        for path, reader in self._readers.items():
            if path in self._of:
                id_, _ = self._of[path]
                shown.setdefault(id_, self._distributed[id_])
            shown[crawl_id(path)] = reader
        return shown

    def _server_folders(self) -> Iterable[Path]:
        """Folders on this machine that workers reported to their server, where they are theirs."""
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


def _location(crawl: DistributedCrawl) -> str:
    return str(crawl.path) if crawl.members else crawl.server.address if crawl.server else ""


def _name(path: Path, root: Path) -> str:
    return (path.name or str(path)) if path == root else path.relative_to(root).as_posix()


def distinct_names(names: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """The names by id; those that several have, with the place behind them."""
    counts = Counter(name for name, _ in names.values())
    return {
        id_: name if counts[name] == 1 else f"{name} ({place})"
        for id_, (name, place) in names.items()
    }


ACTIONS = ("pause", "resume", "stop")


class Views:
    """JSON by the id of a crawl; ApiError (404) for an unknown id.

    Parameters
    ----------
    crawls : the crawls.
    now : the time in seconds since 1970.
    """

    def __init__(self, crawls: CrawlList, now: Clock) -> None:
        self._crawls = crawls
        self._now = now
        self._reasons = PageExplainer(now)

    def crawls(self) -> Json:
        """All crawls, in a few figures each."""
        return {"crawls": self._crawls.crawls()}

    def crawl(self, name: str) -> Json:
        """One crawl, with its settings, hosts, frontier and last pages."""
        return self._view(name).detail(self.overview(self.find(name)))

    def curve(self, name: str, points: int) -> Json:
        """The curve; no points for a crawl without a page."""
        return {"points": as_lists(self._view(name).curve(points))}

    def pages(self, name: str, query: PageQuery, before: str | None, most: int) -> Json:
        """Pages that match, the newest first; ``before`` is what was given as next."""
        return self._view(name).pages(query, before or "", most)

    def page(self, name: str, page: int) -> Json:
        """One page, the way to it, and why it was fetched; ApiError (404) where there is none."""
        return self._view(name).page(page)

    def order(self, name: str, action: str) -> Json:
        """Pause, resume or stop a crawl; ApiError (409) for one that is not running."""
        crawl = self.find(name)
        if self.overview(crawl)["state"] not in CONTROLLABLE:
            raise ApiError(409, "this crawl is not running, so there is nothing to steer.")
        self._view(name).order(action)
        return self.overview(crawl)

    def find(self, name: str) -> DisplayedCrawl:
        """The crawl with this id."""
        found = self._crawls.find(name)
        if found is None:
            raise ApiError(404, "there is no such crawl.")
        return found

    def overview(self, crawl: DisplayedCrawl) -> Json:
        """How a crawl stands."""
        return self._crawls.overview(crawl)

    def _view(self, name: str) -> CrawlView:
        crawl = self.find(name)
        whole = self._crawls.distributed_of(crawl)
        pages = PageDetailReader(self._reasons, _no_folder if whole is None else whole.reader)
        return CrawlView(crawl, self._now, pages)


def _no_folder(number: int) -> CrawlReader | None:
    """The crawl has no other workers that are shown."""
    return None
