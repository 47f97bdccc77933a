"""The crawls that the dashboard shows, each by one process or by several workers: overview,
settings, hosts, frontier, curve and pages.
"""

from __future__ import annotations

import os
import socket
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from scenthound.core.errors import FolderError, InputError
from scenthound.core.model import format_page_number, local_page_number, worker_of
from scenthound.crawler.control import ControlRequests
from scenthound.crawler.job import WorkerIdentity
from scenthound.frontier.sqlite_reader import FrontierReader
from scenthound.output.dashboard.crawl_folder import (
    CONTROLLABLE,
    LIVE,
    Clock,
    CrawlReader,
    apply_control,
    describe_damage,
    is_valid,
    open_watched_crawl,
)
from scenthound.output.dashboard.curve import CrawlUpdates, CurvePoint, sample_curve
from scenthound.output.dashboard.pages import (
    OpenJournals,
    PageExplainer,
    PageQuery,
    newest_first,
    page_row,
    read_page,
    search_pages,
)
from scenthound.output.dashboard.shared_crawl import (
    SharedCrawlMonitor,
    WorkerFolder,
    folders_overview,
    server_overview,
)
from scenthound.output.dashboard.values import (
    ApiError,
    Json,
    as_mapping,
    as_number,
    as_text,
    as_url,
    crawl_id,
    describe_setting,
    distributed_id,
)
from scenthound.output.link_search import options_of
from scenthound.storage.folder import MAX_CRAWLS, WORKER, find_crawls
from scenthound.storage.journal import JournalEvent

BYTES = 512 * 1024
"""Of the end of a journal: some hundred pages."""
_MIN_BYTES = 32 * 1024
"""Of each worker's journal, however many workers there are."""
_REACH = 16 * 1024 * 1024
"""How far back a page is looked for, whatever was written since."""
ROWS = 20
_HOSTS = 20
REASONS = 20
_FROM_JOURNAL = "What waits, and the hosts, are those that the journal tells of."
Members = tuple[tuple[WorkerIdentity | None, CrawlReader], ...]


class WatchedCrawl:
    """One crawl: a folder, or the folders and the server of several workers.

    Parameters
    ----------
    id_ : under which the dashboard shows it.
    explainer : explains single pages.
    """

    def __init__(self, id_: str, explainer: PageExplainer) -> None:
        self.id = id_
        self._explainer = explainer
        self.name = ""
        self.members: Members = ()
        """Folders on this machine, with their workers; a crawl of one process has one, by None."""
        self.server: SharedCrawlMonitor | None = None
        self.whole: WatchedCrawl | None = None
        """The crawl of several workers that this one is a worker of."""

    @property
    def is_single(self) -> bool:
        """Is it one folder, rather than several workers?"""
        return len(self.members) == 1 and self.members[0][0] is None

    @property
    def path(self) -> Path:
        """The folder, or the one that holds those of its workers; an empty path for none here."""
        folders = [reader.path for _, reader in self.members]
        return Path(os.path.commonpath(folders)) if folders else Path()

    @property
    def location(self) -> str:
        """The folder, or the address of its server; "" for neither."""
        if self.members:
            return str(self.path)
        return "" if self.server is None else self.server.address

    @property
    def is_there(self) -> bool:
        """Is anything of it left?"""
        return self.server is not None or any(reader.is_there for _, reader in self.members)

    @property
    def has_remote_workers(self) -> bool:
        """Are folders of some workers on other machines?"""
        return self.server is not None and any(
            self.reader(worker.number) is None for worker in self.server.status.workers
        )

    def reader(self, number: int) -> CrawlReader | None:
        """The folder of the worker with this number; None where it is not here."""
        found = (reader for worker, reader in self.members if worker and worker.number == number)
        return next(found, None)

    def overview(self) -> Json:
        """How the crawl stands, in a few figures; with a row for each of several workers."""
        about: Json = {"id": self.id, "name": self.name}
        if self.is_single:
            (_, reader), whole = self.members[0], self.whole
            about |= reader.overview()
            worker = None if whole is None else reader.worker()
            if whole is not None and worker is not None:
                about["team"] = {"id": whole.id, "name": whole.name, "number": worker.number}
            return about
        members = [
            WorkerFolder(worker, reader, reader.overview())
            for worker, reader in self.members
            if worker is not None
        ]
        about |= {"folder": str(self.path) if members else "", **folders_overview(members)}
        if self.server is not None:
            about = server_overview(self.server, about)
        return {**about, "server": "" if self.server is None else self.server.address}

    def detail(self, now: float) -> Json:
        """The overview with settings, hosts, frontier and last pages."""
        overview = self.overview()
        most = max(_MIN_BYTES, BYTES // max(1, len(self.members)))
        recents = [(worker, _read_recent(reader, most)) for worker, reader in self.members]
        recent = _join_recent([each for _, each in recents])
        if recent.strange and not overview["problem"]:
            overview["problem"] = describe_damage(recent.strange)
        frontier: Json = {
            "waiting": as_number(as_mapping(overview["summary"]).get("waiting")),
            "retrying": None,
            "under_way": None if self.server is None else self.server.status.leased,
            "set_aside": None,
        }
        hosts, whole = recent.host_rows(), recent.whole
        # Only one process has the frontier in its folder: that of workers is on their server.
        has_frontier = overview["kind"] == LIVE and bool(overview["summary"]) and self.is_single
        if has_frontier and self.members[0][1].worker() is None:
            try:
                frontier, hosts = _read_frontier(self.path, now, recent)
                whole = True
            except InputError as error:
                overview["problem"] = overview["problem"] or f"{error} {_FROM_JOURNAL}"
        started = self.members[0][1].started() if self.members else {}
        return {
            **overview,
            "latest": self._rows([(worker, each.relevant) for worker, each in recents]),
            "recent": self._rows([(worker, each.last) for worker, each in recents]),
            "refused": dict(recent.refused.most_common(REASONS)),
            "counted": {"pages": recent.pages, "whole": recent.whole},
            "settings": self._settings(),
            "threshold": as_number(started.get("threshold")),
            "hosts": hosts,
            "hosts_whole": whole,
            "frontier": frontier,
        }

    def _rows(
        self, found: Sequence[tuple[WorkerIdentity | None, Sequence[JournalEvent]]]
    ) -> list[Json]:
        rows = [page_row(event, worker) for worker, events in found for event in events]
        return rows if self.is_single else newest_first(rows)[:ROWS]

    def _settings(self) -> list[list[str]]:
        """Names and values of all that was asked for; empty where they cannot be read."""
        try:
            order = self.members[0][1].order() if self.members else {}
        except FolderError:
            return []
        topic = as_mapping(order.get("topic"))
        parts: list[tuple[str, Mapping[str, object]]] = [
            ("", {name: topic.get(name) for name in ("keywords", "seeds", "examples")}),
            ("", {"random seed": order.get("seed")}),
            ("parameter ", as_mapping(order.get("parameters"))),
            ("", as_mapping(order.get("source"))),
            ("", as_mapping(order.get("settings"))),
            ("version of ", as_mapping(order.get("versions"))),
        ]
        return [
            [f"{before}{as_text(name)}".replace("_", " "), describe_setting(value)]
            for before, values in (parts if order else [])
            for name, value in values.items()
            if self.is_single or name != WORKER
        ]

    def curve(self, points: int) -> list[CurvePoint]:
        """The curve; where folders are on other machines, as the server reported it."""
        if self.server is not None and self.has_remote_workers:
            return self.server.points()[-points:]
        with self._journals() as opened:
            return sample_curve([journal for _, journal in opened], points)

    def pages(self, query: PageQuery, before: str, most: int) -> Json:
        """Pages that match, the newest first; ``before`` is what the last answer gave as next."""
        with self._journals() as opened:
            return search_pages(opened, query, before, most)

    def page(self, page: int) -> Json:
        """One page, by its number among those of all workers; ApiError (404) for none."""
        find = (self.whole or self).reader  # pages of other workers may have led to it
        for worker, reader in self.members:
            number = page if worker is None else local_page_number(page)
            if worker is None or worker.number == worker_of(page):
                details = read_page(self._explainer, find, reader, number, worker)
                if details is not None:
                    return details
        raise ApiError(404, f"this crawl has no {format_page_number(page)}.")

    def control(self, action: str) -> Json:
        """Pause, resume or stop all workers, by their server or by their folders.

        Resuming withdraws the requests in folders too: workers may have been paused one by one.
        Returns the overview; ApiError (409) for a crawl that is not running.
        """
        if self.overview()["state"] not in CONTROLLABLE:
            raise ApiError(409, "this crawl is not running, so there is nothing to steer.")
        if self.server is not None:
            self.server.control(action)
        if self.server is None or action == "resume":
            for _, reader in self.members:
                if reader.overview()["state"] in CONTROLLABLE:
                    apply_control(ControlRequests(reader.path), action)
        return self.overview()

    def updates(self, place: int | None) -> CrawlUpdates:
        """Follows the crawl, from a place in its journal on."""
        return CrawlUpdates(self, place)

    @contextmanager
    def _journals(self) -> Iterator[OpenJournals]:
        """The journals that have been begun, open.

        One of several that cannot be read is left out: the overview says what is wrong with it.
        """
        with ExitStack() as stack:
            opened = []
            for worker, reader in self.members:
                try:
                    journal = stack.enter_context(reader.journal())
                except FolderError:
                    if worker is None:
                        raise
                    continue
                if journal is not None:
                    opened.append((worker, journal))
            yield opened


@dataclass
class _RecentPages:
    """What the last few hundred pages were.

    ``whole`` says that these are all pages of the crawl. ``strange`` lines are none that a crawl
    writes.
    """

    pages: int = 0
    whole: bool = True
    strange: int = 0
    last: list[JournalEvent] = field(default_factory=list)
    relevant: list[JournalEvent] = field(default_factory=list)
    hosts: Counter[str] = field(default_factory=Counter)
    relevant_hosts: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def add(self, event: JournalEvent) -> None:
        """Add an event, of an earlier time than those before."""
        if event.get("event") == "refused":
            self.refused[as_text(event.get("reason"))] += 1
        elif event.get("event") == "page":
            self.pages += 1
            pieces = as_url(event.get("url")).split("/", 3)
            host = pieces[2] if len(pieces) > 2 else ""
            self.hosts[host] += 1
            if len(self.last) < ROWS:
                self.last.append(event)
            if event.get("relevant") is True:
                self.relevant_hosts[host] += 1
                if len(self.relevant) < ROWS:
                    self.relevant.append(event)

    def host_rows(self) -> list[Json]:
        """The busiest hosts of the last pages; what waits of each is not known."""
        return [
            {
                "host": host,
                "pages": pages,
                "relevant": self.relevant_hosts[host],
                "waiting": None,
                "state": None,
            }
            for host, pages in self.hosts.most_common(_HOSTS)
        ]


def _read_recent(reader: CrawlReader, most: int) -> _RecentPages:
    """The last pages in at most so many bytes; none where the journal cannot be read, which the
    overview says."""
    recent = _RecentPages()
    try:
        with reader.journal() as journal:
            if journal is None:
                return recent
            for line in journal.backward(least=journal.size - _REACH):
                if journal.size - line.start > most and recent.pages:
                    recent.whole = False
                    break
                event = line.event()
                recent.strange += not is_valid(event)
                if event is not None:
                    recent.add(event)
            return recent
    except FolderError:
        return _RecentPages()


def _join_recent(recents: Sequence[_RecentPages]) -> _RecentPages:
    """The ends of all journals, counted as one."""
    return _RecentPages(
        pages=sum(each.pages for each in recents),
        whole=all(each.whole for each in recents),
        strange=sum(each.strange for each in recents),
        hosts=sum((each.hosts for each in recents), Counter()),
        relevant_hosts=sum((each.relevant_hosts for each in recents), Counter()),
        refused=sum((each.refused for each in recents), Counter()),
    )


def _read_frontier(folder: Path, now: float, recent: _RecentPages) -> tuple[Json, list[Json]]:
    """Counts of what waits, and the hosts with most pages; the crawl may be running.

    The frontier counts a host's redirects as pages and knows no relevant ones: where ``recent``
    holds the whole crawl, that is asked instead. FolderError where the frontier cannot be read
    now: nothing was committed yet, say.
    """
    try:
        with open_watched_crawl(folder) as stored:
            if stored.database is None:
                raise FolderError(f"{folder} holds a replay, which keeps no frontier.")
            reading = FrontierReader(stored.database, options_of(stored).politeness(), now)
            counts, hosts = reading.counts(), reading.busiest(_HOSTS)
    except sqlite3.Error as error:
        raise FolderError(f"the frontier in {folder} cannot be read now ({error}).") from None
    waiting: Json = {
        "waiting": counts.waiting + counts.retrying,  # as the running totals count it
        "retrying": counts.retrying,
        "under_way": counts.under_way,
        "set_aside": counts.set_aside,
    }
    rows = []
    for host in hosts:
        pages = recent.hosts[host.name] if recent.whole else host.had
        relevant = recent.relevant_hosts[host.name] if recent.whole else None
        row: Json = {"host": host.name, "pages": pages, "relevant": relevant}
        rows.append({**row, "waiting": host.waiting, "state": host.state})
    return waiting, rows


# The crawls that the dashboard shows: those in some folders and on servers. Everything here reads
# files and may take a while, so it is called in threads.

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
