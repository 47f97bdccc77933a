"""One crawl folder, as the dashboard sees it: read anew whenever something in it has changed."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.dashboard.curve import share
from scenthound.dashboard.plain_values import Json, number, table, whole, words
from scenthound.dashboard.speed import Watched, rate
from scenthound.dashboard.standing import NOT_BEGUN, RUNNING, controls, signs_in, state_of
from scenthound.dashboard.tail import Tail, read_tail, started
from scenthound.live.job import KIND
from scenthound.store.folder import CrawlFolder
from scenthound.store.journal_places import Event, JournalPlaces, open_places

LIVE, REPLAY = "live", "replay"
_EMPTY = Tail(0, None, None, ())

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
        self._order: tuple[object, Mapping[str, object]] = (None, {})
        self._tail: tuple[object, Tail] = (None, _EMPTY)
        self._started: Event | None = None
        self._watched = Watched()

    @property
    def is_there(self) -> bool:
        """Does the folder hold a crawl?"""
        return _stamp(self._folder.order_path) is not None

    @property
    def has_journal(self) -> bool:
        """Has anything been written to its journal?"""
        return _stamp(self._folder.journal_path) is not None

    @contextmanager
    def journal(self) -> Iterator[JournalPlaces]:
        """The journal, open; FolderError where there is none or it cannot be read."""
        with open_places(self._folder.journal_path) as places:
            yield places

    def order(self) -> Mapping[str, object]:
        """What ``crawl.json`` says; FolderError where it cannot be read."""
        stamp = _stamp(self._folder.order_path)
        if stamp is None or stamp != self._order[0]:
            order = CrawlFolder.open(self.path).order()
            self._order = (stamp, order)
        return self._order[1]

    def started(self) -> Mapping[str, object]:
        """The event that the crawl began with; empty before."""
        if self._started is None and self.has_journal:
            with self.journal() as journal:
                self._started = started(journal)
        return self._started or {}

    def overview(self) -> Json:
        """How the crawl stands, in a few figures; a folder that cannot be read has a problem."""
        with self._lock:
            order: Mapping[str, object] = {}
            begun: Mapping[str, object] = {}
            tail, problem = _EMPTY, ""
            if self.is_there:
                try:
                    order = self.order()
                    tail = self._read_tail()
                    begun = self.started()
                except FolderError as error:
                    problem = str(error)
            return self._told(order, tail, begun, problem)

    def _told(
        self, order: Mapping[str, object], tail: Tail, begun: Mapping[str, object], problem: str
    ) -> Json:
        kind = LIVE if order.get("kind") == KIND else REPLAY
        state, reason = state_of(signs_in(self.path), tail.last) if order else (NOT_BEGUN, "")
        totals = tail.summary or {}
        pages = whole(totals.get("fetched"))
        speed = self._rate(kind, tail, pages)
        return {
            "folder": str(self.path),
            "kind": kind,
            "topic": words(table(order.get("topic")).get("name")),
            "strategy": words(order.get("strategy")),
            "state": state,
            "reason": reason,
            "budget": whole(order.get("budget")) or None,
            "summary": None if tail.summary is None else _figures(totals),
            "harvest": share(whole(totals.get("relevant")), pages),
            "started_at": self._began(kind, begun),
            "rate": None if speed is None or state != RUNNING else round(speed, 2),
            "problem": problem,
            "controls": controls(state),
        }

    def _read_tail(self) -> Tail:
        """The end of the journal; an empty one where there is none yet."""
        stamp = _stamp(self._folder.journal_path)
        if stamp is None:
            return _EMPTY
        if stamp != self._tail[0]:
            with self.journal() as journal:
                self._tail = (stamp, read_tail(journal))
        return self._tail[1]

    def _rate(self, kind: str, tail: Tail, pages: int) -> float | None:
        if kind == LIVE:
            return rate(tail.times, self._now())
        self._watched.saw(pages, self._monotonic())
        return self._watched.rate(self._monotonic())

    def _began(self, kind: str, begun: Mapping[str, object]) -> float | None:
        """In seconds since 1970; a replay's clock counts fetches, so its folder says when."""
        if kind == LIVE:
            return number(begun.get("at"))
        try:
            return self._folder.order_path.stat().st_mtime
        except OSError:
            return None


def _figures(summary: Mapping[str, object]) -> Json:
    return {words(name, 40): number(value) for name, value in list(summary.items())[:40]}


def _stamp(path: Path) -> tuple[int, int, int] | None:
    """What changes when a file does; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
