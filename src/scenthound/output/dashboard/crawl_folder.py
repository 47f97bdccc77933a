"""One crawl folder, as the dashboard sees it: read again whenever something in it has changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from scenthound.core.errors import FolderError
from scenthound.core.events import stored_text_representations
from scenthound.crawler.job import WorkerIdentity
from scenthound.output.dashboard.curve import share
from scenthound.output.dashboard.status import (
    PAUSED,
    RUNNING,
    JournalSnapshot,
    JournalTail,
    RateMeter,
    Stamp,
    check_files,
    check_order,
    controls,
    file_stamp,
    has_run,
    page_rate,
    paused_by_server,
    read_tail,
    started_event,
    state_of,
    summary_figures,
)
from scenthound.output.dashboard.updates import FolderUpdates
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
from scenthound.storage.journal import JournalReader, open_journal
from scenthound.storage.stored_crawl import StoredCrawl, open_crawl


@contextmanager
def open_watched_crawl(folder: Path) -> Iterator[StoredCrawl]:
    """The crawl in a folder, for as long as the context lasts; FolderError for none."""
    check_files(folder)
    stored = CrawlFolder.open(folder)
    if stored.order().get("kind") == KIND:
        _check_database(stored.database_path)
    with open_crawl(folder) as crawl:
        yield crawl


def _check_database(path: Path) -> None:
    """Whoever opens it to crawl on gets other advice, so it is looked at here first."""
    found = file_stamp(path)
    if found is None or found[1] == 0:
        raise FolderError(f"there is no {path.name} in {path.parent}, or not yet.")
    try:
        read_database(path).close()
    except FolderError:
        raise FolderError(
            f"{path} cannot be read: it is damaged, in use, or no database of this Scenthound."
        ) from None


if TYPE_CHECKING:
    from scenthound.output.dashboard.shared_crawl import SharedCrawlMonitor

LIVE, REPLAY, UNKNOWN = "live", "replay", "unknown"
_JOURNAL_MISSING = "its journal is gone or was emptied: put it back, or crawl again."
Clock = Callable[[], float]


class CrawlReader:
    """Reads one crawl folder. Nothing in it is changed, and little of it is remembered.

    May be used from several threads.

    Parameters
    ----------
    folder : of the crawl; it need not be there yet.
    now : the time in seconds since 1970, as live crawls have it.
    monotonic : the time, for measuring.
    """

    server: SharedCrawlMonitor | None = None
    has_remote_workers = False

    def __init__(self, folder: Path, now: Clock, monotonic: Clock) -> None:
        self.path = folder
        self._folder = CrawlFolder(folder)
        self._now = now
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._order: tuple[Stamp | None, Mapping[str, object]] = (None, {})
        self._seen = JournalSnapshot()
        self._watched = RateMeter()

    @property
    def members(self) -> tuple[tuple[WorkerIdentity | None, CrawlReader], ...]:
        """The folder itself: a crawl of one process is shown as several workers are."""
        return ((None, self),)

    @property
    def is_there(self) -> bool:
        """Does the folder hold a crawl?"""
        return file_stamp(self._folder.order_path) is not None

    @property
    def has_journal(self) -> bool:
        """Has anything been written to its journal?"""
        return file_stamp(self._folder.journal_path) is not None

    @contextmanager
    def journal(self) -> Iterator[JournalReader]:
        """The journal, open; FolderError where there is none or it cannot be read."""
        with open_journal(self._folder.journal_path) as places:
            yield places

    @contextmanager
    def opened(self) -> Iterator[JournalReader | None]:
        """The journal, open; None where nothing was written yet."""
        if not self.has_journal:
            yield None
            return
        with self.journal() as journal:
            yield journal

    def order(self) -> Mapping[str, object]:
        """What ``crawl.json`` says; FolderError where it cannot be read."""
        now = file_stamp(self._folder.order_path)
        if now is None or now != self._order[0]:
            check_order(self._folder.order_path)
            order = CrawlFolder.open(self.path).order()
            self._order = (now, order)
        return self._order[1]

    def mark(self) -> WorkerIdentity | None:
        """Which worker of which crawl writes here; None for a crawl of one process."""
        try:
            return worker_identity(self.order())
        except FolderError:
            return None

    def following(self, place: int | None) -> FolderUpdates:
        """Follows the crawl, from a place in its journal on."""
        return FolderUpdates(self, place)

    @property
    def last_page_at(self) -> float | None:
        """When the last page came that was seen; None before the first."""
        times = self._seen.tail.times
        return times[-1][0] if times else None

    def started(self) -> Mapping[str, object]:
        """The event that the crawl began with; empty before, and where it cannot be read."""
        with self._lock:
            try:
                return self._look().begun or {}
            except FolderError:
                return {}

    def overview(self) -> Json:
        """How the crawl stands, in a few figures; a folder that cannot be read has a problem."""
        with self._lock:
            if not self.is_there:
                return self._overview({}, JournalSnapshot(), [])
            problems: list[str] = []
            order: Mapping[str, object] = {}
            seen = JournalSnapshot()
            try:
                order = self.order()
            except FolderError as error:
                problems.append(str(error))
            try:
                seen = self._look()
                if seen.tail.is_empty and has_run(self.path):
                    problems.append(_JOURNAL_MISSING)
            except FolderError as error:
                problems.append(str(error))
            return self._overview(order, seen, problems)

    def _overview(
        self, order: Mapping[str, object], seen: JournalSnapshot, problems: Sequence[str]
    ) -> Json:
        tail = seen.tail
        kind = UNKNOWN if not order else LIVE if order.get("kind") == KIND else REPLAY
        damaged = bool(problems) or (tail.last is None and tail.strange > 0)
        state, reason = state_of(self.path, tail.last, damaged)
        by_server = state == RUNNING and tail.paused and worker_identity(order) is not None
        state = PAUSED if by_server else state
        totals = tail.summary or {}
        pages = as_int(totals.get("fetched"))
        speed, begun = self._rate(kind, tail, pages), seen.begun or {}
        ways = stored_text_representations(begun.get("reading"))
        return {
            "folder": str(self.path),
            "kind": kind,
            "topic": as_text(as_mapping(order.get("topic")).get("name")),
            "strategy": as_text(order.get("strategy")),
            "reading": "" if ways is None else ways.describe(),
            "state": state,
            "reason": reason,
            "budget": as_int(order.get("budget")) or None,
            "summary": None if tail.summary is None else summary_figures(totals),
            "harvest": share(as_int(totals.get("relevant")), pages),
            "started_at": self._began(kind, begun),
            "rate": None if speed is None or state != RUNNING else round(speed, 2),
            "problem": " ".join([*problems, tail.problem]).strip(),
            "controls": paused_by_server() if by_server else controls(state),
        }

    def _look(self) -> JournalSnapshot:
        """The journal's end, and how it began: read again once it has changed."""
        now = file_stamp(self._folder.journal_path)
        if now is None:
            self._seen = JournalSnapshot()
        elif now != self._seen.stamp:
            with self.journal() as journal:
                self._seen = self._read(journal, now)
        return self._seen

    def _read(self, journal: JournalReader, now: Stamp) -> JournalSnapshot:
        begun, beginning = self._seen.begun, journal.beginning()
        if now[0] != self._seen.file or not beginning.startswith(self._seen.beginning):
            begun, self._watched = None, RateMeter()  # begun anew, in the same folder
        return JournalSnapshot(
            now, now[0], beginning, read_tail(journal), begun or started_event(journal)
        )

    def _rate(self, kind: str, tail: JournalTail, pages: int) -> float | None:
        if kind == LIVE:
            return page_rate(tail.times, self._now())
        self._watched.saw(pages, self._monotonic())
        return self._watched.rate(self._monotonic())

    def _began(self, kind: str, begun: Mapping[str, object]) -> float | None:
        """In seconds since 1970; a replay's clock counts fetches, so its folder says when."""
        if kind == LIVE:
            return as_number(begun.get("at"))
        if kind == UNKNOWN:
            return None
        try:
            return self._folder.order_path.stat().st_mtime
        except OSError:
            return None
