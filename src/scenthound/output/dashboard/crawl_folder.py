"""One crawl folder, as the dashboard sees it: read again whenever something in it has changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.core.events import stored_text_representations
from scenthound.crawler.job import WorkerIdentity
from scenthound.output.dashboard.curve import share
from scenthound.output.dashboard.status import (
    PAUSED,
    RUNNING,
    JournalTail,
    RateMeter,
    Stamp,
    check_files,
    check_order,
    controls,
    file_stamp,
    page_rate,
    paused_by_server,
    read_tail,
    started_event,
    state_of,
)
from scenthound.output.dashboard.values import (
    Json,
    as_int,
    as_mapping,
    as_number,
    as_text,
    worker_identity,
)
from scenthound.storage.database import read_database
from scenthound.storage.folder import KIND, CrawlFolder
from scenthound.storage.journal import JournalEvent, JournalReader, open_journal
from scenthound.storage.stored_crawl import StoredCrawl, open_crawl

LIVE, REPLAY, UNKNOWN = "live", "replay", "unknown"
_JOURNAL_MISSING = "its journal is gone or was emptied: put it back, or crawl again."
_MAX_FIGURES = 40
Clock = Callable[[], float]


@contextmanager
def open_watched_crawl(folder: Path) -> Iterator[StoredCrawl]:
    """The crawl in a folder, for as long as the context lasts; FolderError for none."""
    check_files(folder)
    stored = CrawlFolder.open(folder)
    if stored.order().get("kind") == KIND:
        # Whoever opens the database to crawl on gets other advice, so it is checked here first.
        path = stored.database_path
        found = file_stamp(path)
        if found is None or found[1] == 0:
            raise FolderError(f"there is no {path.name} in {path.parent}, or not yet.")
        try:
            read_database(path).close()
        except FolderError:
            raise FolderError(
                f"{path} cannot be read: it is damaged, in use, or no database of this Scenthound."
            ) from None
    with open_crawl(folder) as crawl:
        yield crawl


class CrawlReader:
    """Reads one crawl folder. Nothing in it is changed, and little of it is remembered.

    May be used from several threads.

    Parameters
    ----------
    folder : of the crawl; it need not be there yet.
    now : the time in seconds since 1970, as live crawls have it.
    monotonic : the time, for measuring.
    """

    def __init__(self, folder: Path, now: Clock, monotonic: Clock) -> None:
        self.path = folder
        self._folder = CrawlFolder(folder)
        self._now = now
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._order: tuple[Stamp | None, Mapping[str, object]] = (None, {})
        # The journal at the last look; its first bytes say whether it is still the same one.
        self._stamp: Stamp | None = None
        self._beginning = b""
        self._tail = JournalTail()
        self._begun: JournalEvent = {}
        self._meter = RateMeter()

    @property
    def is_there(self) -> bool:
        """Does the folder hold a crawl?"""
        return file_stamp(self._folder.order_path) is not None

    @contextmanager
    def journal(self) -> Iterator[JournalReader | None]:
        """The journal, open; None where there is none yet. FolderError where it is unreadable."""
        if file_stamp(self._folder.journal_path) is None:
            yield None
            return
        with open_journal(self._folder.journal_path) as journal:
            yield journal

    def order(self) -> Mapping[str, object]:
        """What ``crawl.json`` says; FolderError where it cannot be read."""
        now = file_stamp(self._folder.order_path)
        if now is None or now != self._order[0]:
            check_order(self._folder.order_path)
            self._order = (now, CrawlFolder.open(self.path).order())
        return self._order[1]

    def worker(self) -> WorkerIdentity | None:
        """Which worker of which crawl writes here; None for a crawl of one process."""
        try:
            return worker_identity(self.order())
        except FolderError:
            return None

    @property
    def last_page_at(self) -> float | None:
        """When the last page came that was seen; None before the first."""
        return self._tail.times[-1][0] if self._tail.times else None

    def started(self) -> Mapping[str, object]:
        """The event that the crawl began with; empty before, and where it cannot be read."""
        with self._lock:
            try:
                self._look()
            except FolderError:
                return {}
            return self._begun

    def overview(self) -> Json:
        """How the crawl stands, in a few figures; a folder that cannot be read has a problem."""
        with self._lock:
            problems: list[str] = []
            order: Mapping[str, object] = {}
            if not self.is_there:
                return self._overview(order, JournalTail(), {}, problems)
            try:
                order = self.order()
            except FolderError as error:
                problems.append(str(error))
            try:
                self._look()
            except FolderError as error:
                problems.append(str(error))
                return self._overview(order, JournalTail(), {}, problems)
            tail = self._tail
            # State and results are left only by a crawl that has written to its journal.
            left = (self._folder.state_path, self._folder.results_path)
            if tail.last is None and not tail.strange and any(map(file_stamp, left)):
                problems.append(_JOURNAL_MISSING)
            return self._overview(order, tail, self._begun, problems)

    def _overview(
        self,
        order: Mapping[str, object],
        tail: JournalTail,
        begun: Mapping[str, object],
        problems: list[str],
    ) -> Json:
        kind = UNKNOWN if not order else LIVE if order.get("kind") == KIND else REPLAY
        damaged = bool(problems) or (tail.last is None and tail.strange > 0)
        state, reason = state_of(self.path, tail.last, damaged)
        by_server = state == RUNNING and tail.paused and worker_identity(order) is not None
        state = PAUSED if by_server else state
        totals = tail.summary or {}
        pages = as_int(totals.get("fetched"))
        rate = self._rate(kind, pages, tail)
        representations = stored_text_representations(begun.get("reading"))
        figures = list(totals.items())[:_MAX_FIGURES]
        return {
            "folder": str(self.path),
            "kind": kind,
            "topic": as_text(as_mapping(order.get("topic")).get("name")),
            "strategy": as_text(order.get("strategy")),
            "reading": "" if representations is None else representations.describe(),
            "state": state,
            "reason": reason,
            "budget": as_int(order.get("budget")) or None,
            "summary": None
            if tail.summary is None
            else {as_text(name, 40): as_number(value) for name, value in figures},
            "harvest": share(as_int(totals.get("relevant")), pages),
            "started_at": self._started_at(kind, begun),
            "rate": None if rate is None or state != RUNNING else round(rate, 2),
            "problem": " ".join([*problems, tail.problem]).strip(),
            "controls": paused_by_server() if by_server else controls(state),
        }

    def _look(self) -> None:
        """The journal's end, and how it began: read again once it has changed."""
        now = file_stamp(self._folder.journal_path)
        if now is None:
            self._stamp, self._beginning, self._tail, self._begun = None, b"", JournalTail(), {}
        elif now != self._stamp:
            with open_journal(self._folder.journal_path) as journal:
                beginning = journal.beginning()
                is_same = self._stamp is not None and now[0] == self._stamp[0]
                if not (is_same and beginning.startswith(self._beginning)):
                    self._begun, self._meter = {}, RateMeter()  # begun anew, in the same folder
                self._tail = read_tail(journal)
                self._begun = self._begun or started_event(journal) or {}
            self._stamp, self._beginning = now, beginning

    def _rate(self, kind: str, pages: int, tail: JournalTail) -> float | None:
        """A live crawl's pages have times; a replay's clock counts fetches."""
        if kind == LIVE:
            return page_rate(tail.times, self._now())
        self._meter.saw(pages, self._monotonic())
        return self._meter.rate(self._monotonic())

    def _started_at(self, kind: str, begun: Mapping[str, object]) -> float | None:
        """In seconds since 1970; of a replay its folder says when."""
        if kind == LIVE:
            return as_number(begun.get("at"))
        stamp = file_stamp(self._folder.order_path) if kind == REPLAY else None
        return None if stamp is None else stamp[2] / 1e9
