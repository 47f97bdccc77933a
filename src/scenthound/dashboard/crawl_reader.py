"""One crawl folder, as the dashboard sees it: read anew whenever something in it has changed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.core.ways_read import ways_stored
from scenthound.dashboard.curve import share
from scenthound.dashboard.folder_files import Stamp, check_order, has_run, stamp
from scenthound.dashboard.journal_seen import Seen, figures_of
from scenthound.dashboard.plain_values import Json, number, table, whole, words
from scenthound.dashboard.speed import Watched, rate
from scenthound.dashboard.standing import (
    PAUSED,
    RUNNING,
    controls,
    paused_elsewhere,
    signs_in,
    state_of,
)
from scenthound.dashboard.tail import Tail, read_tail, started
from scenthound.dashboard.updates import FolderFollowing
from scenthound.dashboard.worker_marks import mark_in
from scenthound.live.job import KIND, WorkerMark
from scenthound.store.folder import CrawlFolder
from scenthound.store.journal_places import JournalPlaces, open_places

LIVE, REPLAY, UNKNOWN = "live", "replay", "unknown"
_EMPTIED = "its journal is gone or was emptied: put it back, or crawl again."

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

    def __init__(self, folder: Path, now: Clock, monotonic: Clock) -> None:
        self.path = folder
        self._folder = CrawlFolder(folder)
        self._now = now
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._order: tuple[Stamp | None, Mapping[str, object]] = (None, {})
        self._seen = Seen()
        self._watched = Watched()

    @property
    def is_there(self) -> bool:
        """Does the folder hold a crawl?"""
        return stamp(self._folder.order_path) is not None

    @property
    def has_journal(self) -> bool:
        """Has anything been written to its journal?"""
        return stamp(self._folder.journal_path) is not None

    @contextmanager
    def journal(self) -> Iterator[JournalPlaces]:
        """The journal, open; FolderError where there is none or it cannot be read."""
        with open_places(self._folder.journal_path) as places:
            yield places

    @contextmanager
    def opened(self) -> Iterator[JournalPlaces | None]:
        """The journal, open; None where nothing was written yet."""
        if not self.has_journal:
            yield None
            return
        with self.journal() as journal:
            yield journal

    def order(self) -> Mapping[str, object]:
        """What ``crawl.json`` says; FolderError where it cannot be read."""
        now = stamp(self._folder.order_path)
        if now is None or now != self._order[0]:
            check_order(self._folder.order_path)
            order = CrawlFolder.open(self.path).order()
            self._order = (now, order)
        return self._order[1]

    def mark(self) -> WorkerMark | None:
        """Which worker of which crawl writes here; None for a crawl of one process."""
        try:
            return mark_in(self.order())
        except FolderError:
            return None

    def following(self, place: int | None) -> FolderFollowing:
        """Follows the crawl, from a place in its journal on."""
        return FolderFollowing(self, place)

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
                return self._told({}, Seen(), [])
            problems: list[str] = []
            order: Mapping[str, object] = {}
            seen = Seen()
            try:
                order = self.order()
            except FolderError as error:
                problems.append(str(error))
            try:
                seen = self._look()
                if seen.tail.is_empty and has_run(self.path):
                    problems.append(_EMPTIED)
            except FolderError as error:
                problems.append(str(error))
            return self._told(order, seen, problems)

    def _told(self, order: Mapping[str, object], seen: Seen, problems: Sequence[str]) -> Json:
        tail = seen.tail
        kind = UNKNOWN if not order else LIVE if order.get("kind") == KIND else REPLAY
        damaged = bool(problems) or (tail.last is None and tail.strange > 0)
        state, reason = state_of(signs_in(self.path), tail.last, damaged)
        by_server = state == RUNNING and tail.paused and mark_in(order) is not None
        state = PAUSED if by_server else state
        totals = tail.summary or {}
        pages = whole(totals.get("fetched"))
        speed, begun = self._rate(kind, tail, pages), seen.begun or {}
        ways = ways_stored(begun.get("reading"))
        return {
            "folder": str(self.path),
            "kind": kind,
            "topic": words(table(order.get("topic")).get("name")),
            "strategy": words(order.get("strategy")),
            "reading": "" if ways is None else ways.told(),
            "state": state,
            "reason": reason,
            "budget": whole(order.get("budget")) or None,
            "summary": None if tail.summary is None else figures_of(totals),
            "harvest": share(whole(totals.get("relevant")), pages),
            "started_at": self._began(kind, begun),
            "rate": None if speed is None or state != RUNNING else round(speed, 2),
            "problem": " ".join([*problems, tail.problem]).strip(),
            "controls": paused_elsewhere() if by_server else controls(state),
        }

    def _look(self) -> Seen:
        """The journal's end, and how it began: read again once it has changed."""
        now = stamp(self._folder.journal_path)
        if now is None:
            self._seen = Seen()
        elif now != self._seen.stamp:
            with self.journal() as journal:
                self._seen = self._read(journal, now)
        return self._seen

    def _read(self, journal: JournalPlaces, now: Stamp) -> Seen:
        begun, beginning = self._seen.begun, journal.beginning()
        if now[0] != self._seen.file or not beginning.startswith(self._seen.beginning):
            begun, self._watched = None, Watched()  # begun anew, in the same folder
        return Seen(now, now[0], beginning, read_tail(journal), begun or started(journal))

    def _rate(self, kind: str, tail: Tail, pages: int) -> float | None:
        if kind == LIVE:
            return rate(tail.times, self._now())
        self._watched.saw(pages, self._monotonic())
        return self._watched.rate(self._monotonic())

    def _began(self, kind: str, begun: Mapping[str, object]) -> float | None:
        """In seconds since 1970; a replay's clock counts fetches, so its folder says when."""
        if kind == LIVE:
            return number(begun.get("at"))
        if kind == UNKNOWN:
            return None
        try:
            return self._folder.order_path.stat().st_mtime
        except OSError:
            return None
