"""One crawl that the dashboard shows, by one process or by several workers: overview, settings,
hosts, frontier, curve and pages.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path

from scenthound.core.errors import FolderError, InputError
from scenthound.core.model import format_page_number, local_page_number, worker_of
from scenthound.crawler.control import ControlRequests
from scenthound.crawler.job import WorkerIdentity
from scenthound.output.dashboard.crawl_folder import (
    CONTROLLABLE,
    LIVE,
    CrawlReader,
    CrawlSettings,
    GrowingT,
    apply_control,
)
from scenthound.output.dashboard.curve import (
    MIN_POINTS,
    POINTS,
    curve_rows,
    join_curves,
    sample_curve,
    thin_points,
)
from scenthound.output.dashboard.journal_tail import ShownPage, describe_damage
from scenthound.output.dashboard.page_details import PageExplainer, read_page_details
from scenthound.output.dashboard.pages import (
    OpenJournals,
    PageQuery,
    page_row,
    search_pages,
)
from scenthound.output.dashboard.recent_pages import (
    RECENT,
    RELEVANT,
    join_recent,
    read_frontier,
    read_recent,
)
from scenthound.output.dashboard.server_monitor import SharedCrawlMonitor
from scenthound.output.dashboard.shared_crawl import WorkerFolder, folders_overview, server_overview
from scenthound.output.dashboard.values import ApiError, Json, describe_setting
from scenthound.storage.folder import WORKER
from scenthound.storage.journal import JournalReader

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

    def reader(self, number: int) -> CrawlReader | None:
        """The folder of the worker with this number; None where it is not here."""
        found = (reader for worker, reader in self.members if worker and worker.number == number)
        return next(found, None)

    def overview(self) -> Json:
        """How the crawl stands, in a few figures; with a row for each of several workers."""
        about: Json = {"id": self.id, "name": self.name}
        if self.is_single:
            (_, reader), whole = self.members[0], self.whole
            worker = None if whole is None else reader.worker()
            if whole is not None and worker is not None:
                about["team"] = {"id": whole.id, "name": whole.name, "number": worker.number}
            return about | reader.overview().to_json()
        members = [
            WorkerFolder(worker, reader, reader.overview())
            for worker, reader in self.members
            if worker is not None
        ]
        rows = [member.row for member in members]
        overview = folders_overview(members, str(self.path) if members else "")
        if self.server is not None:
            overview, rows = server_overview(self.server, overview, rows)
        address = "" if self.server is None else self.server.address
        about |= {"workers": list(map(asdict, rows)), "server": address}
        return about | overview.to_json()

    def detail(self, now: float) -> Json:
        """The overview with settings, hosts, frontier and last pages."""
        overview = self.overview()
        most = max(_MIN_BYTES, BYTES // max(1, len(self.members)))
        recents = self._follow(read_recent, most)
        recent = join_recent([each for _, each in recents])
        overview["problem"] = overview["problem"] or describe_damage(recent.strange)
        frontier: Json = {
            "waiting": (overview["summary"] or {}).get("waiting"),
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
        started = self.members[0][1].started() if self.members else None
        return {
            **overview,
            "latest": self._rows([(w, each.relevant) for w, each in recents], RELEVANT),
            "recent": self._rows([(w, each.last) for w, each in recents], RECENT),
            "refused": dict(recent.refused.most_common(REASONS)),
            "counted": {"pages": recent.pages, "whole": recent.whole},
            "settings": self._settings(),
            "threshold": started.threshold if started else None,
            "hosts": hosts,
            "hosts_whole": whole,
            "frontier": frontier,
        }

    def _rows(
        self, found: Sequence[tuple[WorkerIdentity | None, Sequence[ShownPage]]], most: int
    ) -> list[Json]:
        rows = [page_row(page, worker) for worker, pages in found for page in pages]
        if self.is_single:
            return rows
        return sorted(rows, key=lambda row: float(row["at"]), reverse=True)[:most]

    def _settings(self) -> list[list[str]]:
        """Names and values of all that was asked for; empty where they cannot be read."""
        try:
            asked = self.members[0][1].settings() if self.members else CrawlSettings()
        except FolderError:
            return []
        topic = {name: asked.topic.get(name) for name in ("keywords", "seeds", "examples")}
        left_out = None if self.is_single else {WORKER}
        settings = asked.settings.model_dump(exclude=left_out, exclude_unset=True)
        parts: list[tuple[str, Mapping[str, object]]] = [
            ("", {**topic, "random seed": asked.seed}),
            ("parameter ", asked.parameters),
            ("", {**asked.source, **settings}),
            ("version of ", asked.versions),
        ]
        return [
            [f"{before}{name}".replace("_", " "), describe_setting(value)]
            for before, values in (parts if asked.kind else [])
            for name, value in values.items()
        ]

    def curve(self) -> Json:
        """The curve; where folders are on other machines, as the server reported it."""
        if self.server is not None and any(
            self.reader(worker.number) is None for worker in self.server.status.workers
        ):
            return {"points": curve_rows(thin_points(self.server.points, POINTS))}
        each = max(MIN_POINTS, -(-POINTS // max(1, len(self.members))))
        curves = [curve for _, curve in self._follow(sample_curve, each)]
        return {"points": curve_rows(join_curves(curves, POINTS))}

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
                details = read_page_details(self._explainer, find, reader, number, worker)
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
                if reader.overview().state in CONTROLLABLE:
                    apply_control(ControlRequests(reader.path), action)
        return self.overview()

    def _follow(
        self, read: Callable[[JournalReader, int], GrowingT], most: int
    ) -> list[tuple[WorkerIdentity | None, GrowingT]]:
        """What there is to read in the journals that have been begun.

        One that cannot be read is left out: the overview says what is wrong with it.
        """
        found = []
        for worker, reader in self.members:
            with suppress(FolderError):
                value = reader.follow(read, most)
                if value is not None:
                    found.append((worker, value))
        return found

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
