"""One crawl that the dashboard shows, by one process or by several workers: overview, settings,
hosts, frontier, curve and pages.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from scenthound.core.errors import FolderError, InputError
from scenthound.core.model import format_page_number, local_page_number, worker_of
from scenthound.crawler.control import ControlRequests
from scenthound.crawler.job import WorkerIdentity
from scenthound.output.dashboard.crawl_folder import CONTROLLABLE, LIVE, CrawlReader, apply_control
from scenthound.output.dashboard.curve import CurvePoint, sample_curve
from scenthound.output.dashboard.journal_tail import describe_damage
from scenthound.output.dashboard.page_details import PageExplainer, read_page
from scenthound.output.dashboard.pages import (
    OpenJournals,
    PageQuery,
    newest_first,
    page_row,
    search_pages,
)
from scenthound.output.dashboard.recent_pages import ROWS, join_recent, read_frontier, read_recent
from scenthound.output.dashboard.server_monitor import SharedCrawlMonitor
from scenthound.output.dashboard.shared_crawl import WorkerFolder, folders_overview, server_overview
from scenthound.output.dashboard.values import (
    ApiError,
    Json,
    as_mapping,
    as_number,
    as_text,
    describe_setting,
)
from scenthound.storage.folder import WORKER
from scenthound.storage.journal import JournalEvent

BYTES = 512 * 1024
"""Of the end of a journal: some hundred pages."""
_MIN_BYTES = 32 * 1024
"""Of each worker's journal, however many workers there are."""
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
        recents = [(worker, read_recent(reader, most)) for worker, reader in self.members]
        recent = join_recent([each for _, each in recents])
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
                frontier, hosts = read_frontier(self.path, now, recent)
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
            crawl_spec = self.members[0][1].crawl_spec() if self.members else {}
        except FolderError:
            return []
        topic = as_mapping(crawl_spec.get("topic"))
        parts: list[tuple[str, Mapping[str, object]]] = [
            ("", {name: topic.get(name) for name in ("keywords", "seeds", "examples")}),
            ("", {"random seed": crawl_spec.get("seed")}),
            ("parameter ", as_mapping(crawl_spec.get("parameters"))),
            ("", as_mapping(crawl_spec.get("source"))),
            ("", as_mapping(crawl_spec.get("settings"))),
            ("version of ", as_mapping(crawl_spec.get("versions"))),
        ]
        return [
            [f"{before}{as_text(name)}".replace("_", " "), describe_setting(value)]
            for before, values in (parts if crawl_spec else [])
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
