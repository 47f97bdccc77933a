"""The crawls that the dashboard shows: those in some folders and on servers. Everything here reads
files and may take a while, so it is called in threads.
"""

from __future__ import annotations

import socket
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from scenthound.crawler.job import WorkerIdentity
from scenthound.output.dashboard.crawl_folder import Clock, CrawlReader
from scenthound.output.dashboard.page_details import PageExplainer
from scenthound.output.dashboard.server_monitor import SharedCrawlMonitor
from scenthound.output.dashboard.values import ApiError, Json, crawl_id, distributed_id
from scenthound.output.dashboard.watched_crawl import WatchedCrawl
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
        self.now = now
        self._monotonic = monotonic
        self._servers = servers
        self._explainer = PageExplainer(now)
        self._lock = threading.Lock()
        self._readers: dict[Path, CrawlReader] = {}
        self._shown: dict[str, WatchedCrawl] = {}
        self._looked: float | None = None

    def overviews(self) -> Json:
        """How each crawl stands, in the order of the folders; the workers of a crawl after it."""
        with self._lock:
            self._look()
            shown = list(self._shown.values())
        # Outside the lock: reading folders takes time, and find() must not wait for it.
        return {"crawls": [crawl.overview() for crawl in shown]}

    def find(self, id_: str) -> WatchedCrawl:
        """The crawl with this id; ApiError (404) where there is none, or none any more."""
        with self._lock:
            if self._looked is None:
                self._look()
            found = self._shown.get(id_)
        if found is None:
            raise ApiError(404, "there is no such crawl.")
        return found

    def _look(self) -> None:
        now = self._monotonic()
        if self._looked is not None and now - self._looked < _REFRESH_SECONDS:
            return
        self._looked = now
        names: dict[Path, str] = {}
        for root in self._roots:
            for path in find_crawls(root) or [root]:
                at_root = path == root
                name = (path.name or str(path)) if at_root else path.relative_to(root).as_posix()
                names.setdefault(path, name)
        for path in self._server_folders():
            names.setdefault(path, path.name)
        paths = list(names)[:MAX_CRAWLS]
        self._readers = {path: self._readers.get(path) or self._new(path) for path in paths}
        self._shown = self._gather({path: names[path] for path in paths})

    def _gather(self, names: Mapping[Path, str]) -> dict[str, WatchedCrawl]:
        """All crawls in the order in which they are shown; crawls that were there are kept."""
        workers = self._workers()
        servers = {distributed_id(each.status.id): each for each in self._servers}
        shown: dict[str, WatchedCrawl] = {}
        for id_, server in servers.items():
            self._add(shown, id_, workers.get(id_, {}), server).name = server.crawl
        for path, reader in self._readers.items():
            worker = reader.worker()
            id_ = "" if worker is None else distributed_id(worker.id)
            # Of two folders of one worker the first counts; the other is shown by itself.
            is_part = worker is not None and workers[id_][worker.number][1] is reader
            if worker is not None and is_part and id_ not in shown:
                self._add(shown, id_, workers[id_]).name = worker.crawl
            crawl = self._add(shown, crawl_id(path), {0: (None, reader)})
            crawl.whole = shown[id_] if is_part else None
            crawl.name = worker.name if worker is not None and is_part else names[path]
        whole = [crawl for crawl in shown.values() if crawl.whole is None]
        counts = Counter(crawl.name for crawl in whole)
        for crawl in whole:
            if counts[crawl.name] > 1:  # two of one name are distinguished by their place
                crawl.name = f"{crawl.name} ({crawl.location})"
        return shown

    def _workers(self) -> dict[str, dict[int, tuple[WorkerIdentity, CrawlReader]]]:
        """The workers by the id of their crawl and by their number."""
        found: dict[str, dict[int, tuple[WorkerIdentity, CrawlReader]]] = {}
        for reader in self._readers.values():
            worker = reader.worker()
            if worker is not None:
                members = found.setdefault(distributed_id(worker.id), {})
                members.setdefault(worker.number, (worker, reader))
        return found

    def _add(
        self,
        shown: dict[str, WatchedCrawl],
        id_: str,
        members: Mapping[int, tuple[WorkerIdentity | None, CrawlReader]],
        server: SharedCrawlMonitor | None = None,
    ) -> WatchedCrawl:
        """Add the crawl with this id, the one that was there where it was: streams follow it."""
        crawl = self._shown.get(id_) or WatchedCrawl(id_, self._explainer)
        crawl.members = tuple(members[number] for number in sorted(members))
        crawl.server = server
        shown[id_] = crawl
        return crawl

    def _server_folders(self) -> Iterable[Path]:
        """Folders on this machine that workers reported to their server, where they are theirs."""
        here = socket.gethostname()
        for server in self._servers:
            for entry in server.status.workers:
                path = Path(entry.folder)
                if entry.host == here and path.is_absolute():
                    # The server may name any folder of this machine. One is read only if its own
                    # crawl.json names this worker.
                    worker = (self._readers.get(path) or self._new(path)).worker()
                    own = (server.status.id, entry.number)
                    if worker and (worker.id, worker.number) == own:
                        yield path

    def _new(self, path: Path) -> CrawlReader:
        return CrawlReader(path, self.now, self._monotonic)
