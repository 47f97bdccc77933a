"""Control of a running crawl: status, pause and stop, by its user, by a signal, by its limits.

:func:`pause`, :func:`unpause` and :func:`stop` leave a request in the crawl folder; the process
that crawls there checks for it a few times a second (:class:`RunController`).
"""

from __future__ import annotations

import enum
import json
import os
import shlex
import shutil
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Protocol

from scenthound.core.errors import FolderError
from scenthound.core.events import Event, PageEvent, Summary
from scenthound.crawler.argument_checks import command
from scenthound.crawler.options import CrawlOptions
from scenthound.storage.files import os_errors_as
from scenthound.storage.folder import (
    KIND,
    PAUSE,
    STOP,
    WORKER,
    CrawlFolder,
    check_required_path,
    find_crawls,
    lock_holder,
)
from scenthound.storage.journal import (
    DISK_FULL,
    INTERRUPTED,
    LOW_HARVEST,
    OUT_OF_TIME,
    STOPPED,
    last_summary,
)
from scenthound.storage.stored_crawl import KILLED, ending_of

if TYPE_CHECKING:
    from scenthound.crawler.shared.worker import DistributedWorker


class ControlRequests:
    """Requests to pause or stop, as files in a crawl folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def leave(self, name: str) -> None:
        """Leave a request; a second time does nothing."""
        with os_errors_as(FolderError, f"cannot leave a request in {self._folder}"):
            self._path(name).touch()

    def withdraw(self, name: str) -> bool:
        """Remove a request; False where there was none."""
        try:
            self._path(name).unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            problem = f"cannot remove the request from {self._folder}: {error.strerror}."
            raise FolderError(problem) from None
        return True

    def is_left(self, name: str) -> bool:
        """Whether there is such a request."""
        return os.path.exists(self._path(name))

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.request"


def pause(folder: str | Path) -> None:
    """Have the process that crawls in ``folder`` fetch nothing new until :func:`unpause`.

    FolderError where no crawl is running there.
    """
    _running(folder).leave(PAUSE)


def unpause(folder: str | Path) -> bool:
    """Have a paused crawl continue; False where it was not paused.

    FolderError where no crawl is running there.
    """
    return _running(folder).withdraw(PAUSE)


def stop(folder: str | Path) -> None:
    """Have the process that crawls in ``folder`` end, as Ctrl-C would.

    It stores the pages that have come and releases the folder within seconds; this function does
    not wait for that. FolderError where no crawl is running there.
    """
    _running(folder).leave(STOP)


def _running(folder: str | Path) -> ControlRequests:
    """Return the requests of a folder in which a crawl is running."""
    check_required_path("folder", folder)
    opened = CrawlFolder.open(Path(folder))
    path = opened.path
    if lock_holder(path) is not None:
        return ControlRequests(path)
    if opened.crawl_spec().get("kind") != KIND:
        raise FolderError(f"no replay is running in {path}: to repeat it, run it again.")
    raise FolderError(
        f"no crawl is running in {path}; resume the stored one with: {command('resume', path)}"
    )


# In the process that crawls.

TICK = 0.25
"""Seconds between two checks of the folder and the limits."""


class ControlSignal(enum.Enum):
    """State of a run, as its controller sees it; ``WAIT`` is to request nothing new."""

    CONTINUE = "continue"
    WAIT = "wait"
    END = "end"


_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interruption:
    """Whether Ctrl-C, SIGTERM or a closed terminal has requested the end of the crawl.

    Pages that have come are stored first. A second signal ends the crawl at once.
    """

    requested = False

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        """Request the end; a second signal raises KeyboardInterrupt."""
        if self.requested:
            raise KeyboardInterrupt
        # Only a flag: a handler runs between any two bytecodes, also within a commit.
        self.requested = True


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Handle signals while this lasts; outside the main thread there are none."""
    interruption = Interruption()
    in_main = threading.current_thread() is threading.main_thread()
    # A signal that is ignored stays ignored: nohup.
    handled = [each for each in _SIGNALS if in_main and signal.getsignal(each) != signal.SIG_IGN]
    before = [signal.signal(each, interruption.on_signal) for each in handled]
    try:
        yield interruption
    finally:
        for each, handler in zip(handled, before, strict=True):
            signal.signal(each, handler)


class StopRules:
    """Limits at which a crawl stops by itself: time, harvest and disk.

    Parameters
    ----------
    options : the limits.
    folder : of the crawl.
    free : returns the free bytes at a path.
    """

    def __init__(
        self,
        options: CrawlOptions,
        folder: Path,
        free: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free,
    ) -> None:
        self.max_time = options.max_time
        """Seconds that the crawl may take; of a shared crawl this may change."""
        self._min_harvest = options.min_harvest
        self._min_free = options.min_disk * 1024 * 1024
        self._folder = folder
        self._free = free
        self._recent: deque[bool] = deque(maxlen=options.harvest_window)

    def saw(self, event: PageEvent) -> None:
        """Count a page."""
        self._recent.append(event.relevant)

    @property
    def recent_harvest(self) -> float | None:
        """Share of relevant pages in the window; None before the first page."""
        return sum(self._recent) / len(self._recent) if self._recent else None

    def reason(self, seconds: float) -> str | None:
        """Return the reason to stop after ``seconds`` of crawling; None to continue."""
        limit, floor = self.max_time, self._min_harvest
        if limit is not None and seconds >= limit:
            return OUT_OF_TIME
        full = len(self._recent) == self._recent.maxlen
        if floor is not None and full and (self.recent_harvest or 0.0) < floor:
            return LOW_HARVEST
        return DISK_FULL if self._free(self._folder) < self._min_free else None


class RunController:
    """Checks, a few times a second, for Ctrl-C, requests left in the folder and limits.

    Parameters
    ----------
    seconds : time of all earlier runs.
    distributed : has the requests for all workers, and their time, which counts from the beginning
        of the crawl; None for a crawl of one worker.
    """

    def __init__(
        self,
        folder: Path,
        interruption: Interruption,
        rules: StopRules,
        seconds: float,
        distributed: DistributedWorker | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._shared = distributed
        self._began = 0.0 if distributed is None else distributed.began
        self._requests = ControlRequests(folder)
        self._interruption = interruption
        self.rules = rules
        self._monotonic = monotonic
        self._before = seconds
        self.run_seconds = 0.0
        self.paused = False
        self.reason: str | None = None
        self._last = monotonic()

    @property
    def seconds(self) -> float:
        """Time of all runs of the crawl, pauses left out."""
        return self._before + self.run_seconds

    def check(
        self,
        on_pause: Callable[[bool], None] = lambda paused: None,
        on_tick: Callable[[], None] = lambda: None,
    ) -> ControlSignal:
        """Return whether to continue, to wait, or to end, for the ``reason`` that it sets.

        ``on_pause`` is called when a pause begins and ends, ``on_tick`` a few times a second.
        """
        if self._interruption.requested:
            self.reason = self.reason or INTERRUPTED  # the first reason stays
        now = self._monotonic()
        if now - self._last >= TICK:
            if not self.paused:
                self.run_seconds += now - self._last
            self._last = now
            self._look(on_pause)
            on_tick()
        if self.reason is not None:
            return ControlSignal.END
        return ControlSignal.WAIT if self.paused else ControlSignal.CONTINUE

    def _look(self, on_pause: Callable[[bool], None]) -> None:
        """Check for requests to pause or stop, and the limits."""
        shared = self._shared
        if self._requests.withdraw(STOP) or (shared and shared.requests.is_left(STOP)):
            self.reason = self.reason or STOPPED
        paused = self._requests.is_left(PAUSE) or bool(shared and shared.requests.is_left(PAUSE))
        if paused != self.paused:
            self.paused = paused
            on_pause(paused)
        elapsed = self.seconds
        if shared is not None:
            elapsed, self.rules.max_time = shared.clock() - self._began, shared.max_time
        self.reason = self.reason or self.rules.reason(elapsed)


CRAWLING = "crawling"
READING = "reading the example pages"


@dataclass(frozen=True, slots=True)
class Status:
    """Current figures of a running crawl.

    Parameters
    ----------
    summary : counts over the whole crawl.
    budget : pages that may be fetched; of all workers together in a shared crawl.
    in_flight : pages requested and not read yet.
    hosts : that are known.
    run_pages, run_seconds : of this run, pauses left out.
    seconds : over all runs, pauses left out.
    recent_harvest : share of relevant pages over the harvest window; None before the first page.
    phase : :data:`READING` or :data:`CRAWLING`.
    """

    summary: Summary
    budget: int
    in_flight: int
    hosts: int
    run_pages: int
    run_seconds: float
    seconds: float
    recent_harvest: float | None
    paused: bool = False
    phase: str = CRAWLING


class Watcher(Protocol):
    """Callbacks that follow a crawl. They run in the thread of the crawl, so they must be quick."""

    def saw(self, event: Event) -> None:
        """Called with every event that is recorded."""

    def look(self, status: Status) -> None:
        """Called a few times a second."""


class SilentWatcher:
    """Watcher that ignores everything."""

    def saw(self, event: Event) -> None:
        """Ignore an event."""

    def look(self, status: Status) -> None:
        """Ignore a status."""


# Status of a crawl in another process, from its folder.

RUNNING, PAUSED, STOPPING = "running", "paused", "stopping"


@dataclass(frozen=True, slots=True)
class CrawlStatus:
    """Status of a crawl in its folder.

    Parameters
    ----------
    pages, relevant : fetched so far.
    budget : pages that may be fetched; by all workers together in a shared crawl.
    process : the id of the process that crawls; None where the crawl is not running.
    crawl, crawl_id : of a worker's folder, the shared crawl that it belongs to.
    """

    folder: str
    topic: str
    strategy: str
    state: str
    reason: str
    pages: int
    budget: int
    relevant: int
    waiting: int
    process: int | None
    crawl: str | None = None
    crawl_id: str | None = None

    @property
    def harvest(self) -> float | None:
        """Share of relevant pages; None before the first page."""
        return self.relevant / self.pages if self.pages else None

    def to_json(self) -> dict[str, object]:
        """Return the values by name."""
        return {**asdict(self), "harvest": self.harvest}


def crawl_status(folder: str | Path) -> list[CrawlStatus]:
    """Return the status of the crawl in a folder, or of each of those below it.

    FolderError where there is none.
    """
    check_required_path("folder", folder)
    folders = find_crawls(Path(folder)) or [Path(folder)]  # opening what is not a crawl raises
    return [_status(CrawlFolder.open(path)) for path in folders]


def _status(folder: CrawlFolder) -> CrawlStatus:
    """Read the status of one crawl folder."""
    crawl_spec = folder.crawl_spec()
    topic, worker = crawl_spec.get("topic"), stored_worker(folder) or {}
    has_events = folder.journal_path.exists()
    summary = (last_summary(folder.journal_path) if has_events else None) or {}
    process = lock_holder(folder.path)
    state, reason = _state(folder, process)
    return CrawlStatus(
        folder=str(folder.path),
        topic=str(topic.get("name")) if isinstance(topic, dict) else "",
        strategy=str(crawl_spec.get("strategy")),
        state=state,
        reason=reason,
        pages=integer(summary.get("fetched")),
        budget=integer(crawl_spec.get("budget")),
        relevant=integer(summary.get("relevant")),
        waiting=integer(summary.get("waiting")),
        process=process,
        crawl=str(worker["crawl"]) if "crawl" in worker else None,
        crawl_id=str(worker["id"]) if "id" in worker else None,
    )


def _state(folder: CrawlFolder, process: int | None) -> tuple[str, str]:
    """Return the state of a crawl, and the reason why it ended."""
    if process is not None:
        requests = ControlRequests(folder.path)
        if requests.is_left(STOP):
            return STOPPING, ""
        return (PAUSED if requests.is_left(PAUSE) else RUNNING), ""
    reason = last_reason(folder)
    return KILLED if reason is None else ending_of(reason)


def integer(value: object) -> int:
    """Return an integer of a stored file; 0 for anything else."""
    return value if isinstance(value, int) else 0


_TAIL_BYTES = 64 * 1024
"""Bytes read at the end of a journal. A stopped event is far shorter: where the last line does not
fit, it is that of a page, and the crawl was killed."""


def last_reason(folder: CrawlFolder) -> str | None:
    """Return why the crawl ended; None where it was killed, or the journal has no reason."""
    try:
        with folder.journal_path.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - _TAIL_BYTES))
            event = json.loads(file.read().splitlines()[-1])
    except (OSError, ValueError, IndexError):
        return None
    stopped = isinstance(event, dict) and event.get("event") == "stopped"
    return str(event.get("reason")) if stopped else None


def worker_command(folder: CrawlFolder) -> str | None:
    """Return the command by which a worker continues in its folder; None for other folders."""
    stored = stored_worker(folder)
    if stored is None:
        return None
    words = "--redis", "URL", "--crawl", str(stored.get("crawl")), "--out", str(folder.path)
    return shlex.join(["scenthound", "worker", *words])


def stored_worker(folder: CrawlFolder) -> dict[str, object] | None:
    """Return the worker and the shared crawl of a worker's folder; None for other folders."""
    settings = folder.crawl_spec().get("settings")
    stored = settings.get(WORKER) if isinstance(settings, dict) else None
    return stored if isinstance(stored, dict) else None
