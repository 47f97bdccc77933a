"""One crawl folder, as the dashboard sees it: its files, whether it runs, how it ended, its totals.
It is read again whenever something in it has changed.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.core.events import stored_text_representations
from scenthound.crawler.control import ControlRequests
from scenthound.crawler.job import WorkerIdentity
from scenthound.frontier.redis.crawl_status import ServerControl
from scenthound.output.dashboard.journal_tail import (
    JournalTail,
    RateMeter,
    page_rate,
    read_tail,
    started_event,
)
from scenthound.output.dashboard.values import (
    Json,
    as_int,
    as_mapping,
    as_number,
    as_text,
    share,
    worker_identity,
)
from scenthound.storage.database import read_database
from scenthound.storage.folder import (
    KIND,
    LOCK_NAME,
    PAUSE,
    STOP,
    CrawlFolder,
    lock_holder,
)
from scenthound.storage.journal import JournalEvent, JournalReader, open_journal
from scenthound.storage.stored_crawl import KILLED, StoredCrawl, ending_of, open_crawl

# The files of a crawl folder, checked before they are opened: opening a named pipe would block.

Stamp = tuple[int, int, int]
_LARGEST_SPEC = 16 * 1024 * 1024


def file_stamp(path: Path) -> Stamp | None:
    """What changes when a file does (inode, size, time); None where there is none."""
    found = _stat(path)
    return None if found is None else (found.st_ino, found.st_size, found.st_mtime_ns)


def check_spec_file(path: Path) -> None:
    """FolderError where ``crawl.json`` is no file, or larger than any that Scenthound writes."""
    found = _stat(path)
    if found is not None and not stat.S_ISREG(found.st_mode):
        raise FolderError(f"{path} cannot be read: it is no file.")
    if found is not None and found.st_size > _LARGEST_SPEC:
        raise FolderError(f"{path} is not what Scenthound writes: it is too large.")


def check_files(folder: Path) -> None:
    """FolderError where something that an explanation reads exists and is no file."""
    paths = CrawlFolder(folder)
    check_spec_file(paths.spec_path)
    own = (paths.journal_path.name, paths.database_path.name, paths.state_path.name)
    read = (*own, "topic.json", "concepts.json", "pages-")
    try:
        with os.scandir(folder) as entries:
            names = [each.name for each in entries if not each.is_file()]
    except OSError as error:
        raise FolderError(f"{folder} cannot be read: {error.strerror}.") from None
    for name in names:
        if name.startswith(read):  # SQLite's own files have longer names
            raise FolderError(f"{folder / name} cannot be read: it is no file.")


def _stat(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


# Is a crawl running, and if not, how did it end?

RUNNING, PAUSED, STOPPING = "running", "paused", "stopping"
CONTROLLABLE = (RUNNING, PAUSED, STOPPING)
NOT_BEGUN, DAMAGED = "not begun", "damaged"
_NOT_RUNNING = "no process crawls in this folder now"
_NO_WORKER = "no worker is at work now"
_STOPPING_ALREADY = "it is asked to stop already"
_BY_SERVER = "it was paused on its server: scenthound resume --redis URL --crawl NAME"


def state_of(
    folder: Path, last: Mapping[str, object] | None, damaged: bool = False
) -> tuple[str, str]:
    """The state in one word, and why it ended; "" where it has not, or the reason is unknown.

    Parameters
    ----------
    folder : of the crawl; it need not be there.
    last : the last event of the journal about a page, a start or an end; None for none.
    damaged : something of the folder cannot be read, so that its end is unknown.
    """
    lock = _stat(folder / LOCK_NAME)  # asking for the holder of a pipe would block
    if lock is not None and stat.S_ISREG(lock.st_mode) and lock_holder(folder) is not None:
        requests = ControlRequests(folder)
        stopping, paused = requests.is_left(STOP), requests.is_left(PAUSE)
        return (STOPPING if stopping else PAUSED if paused else RUNNING), ""
    if damaged or last is None:
        return (DAMAGED if damaged else NOT_BEGUN), ""
    stopped = last.get("event") == "stopped"
    return ending_of(as_text(last.get("reason"))) if stopped else KILLED


def controls(state: str, many: bool = False) -> Json:
    """Which buttons do something, and why the others do not; ``many`` for several workers."""
    active = state in (RUNNING, PAUSED)
    idle = _NO_WORKER if many else _NOT_RUNNING
    why = "" if active else _STOPPING_ALREADY if state == STOPPING else idle
    return {"pause": state == RUNNING, "resume": state == PAUSED, "stop": active, "why": why}


def apply_control(requests: ControlRequests | ServerControl, action: str) -> None:
    """Ask a crawl to ``pause``, ``resume`` or ``stop``, in its folder or on its server."""
    if action == "resume":
        requests.withdraw(PAUSE)
    else:
        requests.leave(PAUSE if action == "pause" else STOP)


def paused_by_server() -> Json:
    """The buttons of a worker that pauses without a request in its folder."""
    return {**controls(PAUSED), "resume": False, "why": _BY_SERVER}


# One crawl folder, as the dashboard sees it: read again whenever something in it has changed.

LIVE, REPLAY, UNKNOWN = "live", "replay", "unknown"
_JOURNAL_MISSING = "its journal is gone or was emptied: put it back, or crawl again."
_MAX_FIGURES = 40
Clock = Callable[[], float]


@contextmanager
def open_watched_crawl(folder: Path) -> Iterator[StoredCrawl]:
    """The crawl in a folder, for as long as the context lasts; FolderError for none."""
    check_files(folder)
    stored = CrawlFolder.open(folder)
    if stored.crawl_spec().get("kind") == KIND:
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
        self._spec: tuple[Stamp | None, Mapping[str, object]] = (None, {})
        # The journal at the last look; its first bytes say whether it is still the same one.
        self._stamp: Stamp | None = None
        self._beginning = b""
        self._tail = JournalTail()
        self._begun: JournalEvent = {}
        self._meter = RateMeter()

    @property
    def is_there(self) -> bool:
        """Does the folder hold a crawl?"""
        return file_stamp(self._folder.spec_path) is not None

    @contextmanager
    def journal(self) -> Iterator[JournalReader | None]:
        """The journal, open; None where there is none yet. FolderError where it is unreadable."""
        if file_stamp(self._folder.journal_path) is None:
            yield None
            return
        with open_journal(self._folder.journal_path) as journal:
            yield journal

    def crawl_spec(self) -> Mapping[str, object]:
        """What ``crawl.json`` says; FolderError where it cannot be read."""
        now = file_stamp(self._folder.spec_path)
        if now is None or now != self._spec[0]:
            check_spec_file(self._folder.spec_path)
            self._spec = (now, CrawlFolder.open(self.path).crawl_spec())
        return self._spec[1]

    def worker(self) -> WorkerIdentity | None:
        """Which worker of which crawl writes here; None for a crawl of one process."""
        try:
            return worker_identity(self.crawl_spec())
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
            crawl_spec: Mapping[str, object] = {}
            tail, begun = JournalTail(), JournalEvent()
            if self.is_there:
                try:
                    crawl_spec = self.crawl_spec()
                except FolderError as error:
                    problems.append(str(error))
                try:
                    self._look()
                    tail, begun = self._tail, self._begun
                    # State and results are left only by a crawl that has written to its journal.
                    left = (self._folder.state_path, self._folder.results_path)
                    if tail.last is None and not tail.strange and any(map(file_stamp, left)):
                        problems.append(_JOURNAL_MISSING)
                except FolderError as error:
                    problems.append(str(error))
            return self._overview(crawl_spec, tail, begun, problems)

    def _overview(
        self,
        crawl_spec: Mapping[str, object],
        tail: JournalTail,
        begun: Mapping[str, object],
        problems: list[str],
    ) -> Json:
        kind = UNKNOWN if not crawl_spec else LIVE if crawl_spec.get("kind") == KIND else REPLAY
        damaged = bool(problems) or (tail.last is None and tail.strange > 0)
        state, reason = state_of(self.path, tail.last, damaged)
        by_server = state == RUNNING and tail.paused and worker_identity(crawl_spec) is not None
        state = PAUSED if by_server else state
        totals = tail.summary or {}
        pages = as_int(totals.get("fetched"))
        rate = self._rate(kind, pages, tail)
        representations = stored_text_representations(begun.get("reading"))
        figures = list(totals.items())[:_MAX_FIGURES]
        return {
            "folder": str(self.path),
            "kind": kind,
            "topic": as_text(as_mapping(crawl_spec.get("topic")).get("name")),
            "strategy": as_text(crawl_spec.get("strategy")),
            "reading": "" if representations is None else representations.describe(),
            "state": state,
            "reason": reason,
            "budget": as_int(crawl_spec.get("budget")) or None,
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
        stamp = file_stamp(self._folder.spec_path) if kind == REPLAY else None
        return None if stamp is None else stamp[2] / 1e9
