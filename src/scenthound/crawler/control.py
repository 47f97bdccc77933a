"""How a running crawl is paused and stopped: by its user, by a signal, by its limits.

:func:`pause`, :func:`unpause` and :func:`stop` leave a request in the crawl folder; the process
that crawls there looks for it a few times a second (:class:`RunController`).
"""

from __future__ import annotations

import enum
import os
import shutil
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from scenthound.core.errors import FolderError
from scenthound.core.events import PageEvent
from scenthound.crawler.argument_checks import command
from scenthound.crawler.options import CrawlOptions
from scenthound.storage.files import os_errors_as
from scenthound.storage.folder import (
    KIND,
    PAUSE,
    STOP,
    CrawlFolder,
    check_required_path,
    lock_holder,
)
from scenthound.storage.journal import DISK_FULL, INTERRUPTED, LOW_HARVEST, OUT_OF_TIME, STOPPED

if TYPE_CHECKING:
    from scenthound.crawler.distributed_worker import DistributedWorker


class ControlRequests:
    """The requests in one crawl folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def leave(self, name: str) -> None:
        """Leave a request; a second time does nothing."""
        with os_errors_as(FolderError, f"cannot leave a request in {self._folder}"):
            self._path(name).touch()

    def withdraw(self, name: str) -> bool:
        """Take a request away; False where there was none."""
        path = self._path(name)
        with os_errors_as(FolderError, f"cannot take the request out of {self._folder}"):
            was_left = path.exists()
            path.unlink(missing_ok=True)
        return was_left

    def is_left(self, name: str) -> bool:
        """Return whether this is requested."""
        return os.path.exists(self._path(name))

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.request"


def pause(folder: str | Path) -> None:
    """Have the process that crawls in ``folder`` fetch nothing new until :func:`unpause`.

    FolderError where no crawl is running there.
    """
    _running(folder).leave(PAUSE)


def unpause(folder: str | Path) -> bool:
    """Have a crawl that is paused go on; False where it was not paused.

    FolderError where no crawl is running there.
    """
    return _running(folder).withdraw(PAUSE)


def stop(folder: str | Path) -> None:
    """Have the process that crawls in ``folder`` end, as Ctrl-C would.

    It stores what has come and releases the folder within seconds; this function does not wait
    for that. FolderError where no crawl is running there.
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
        raise FolderError(f"no replay is running in {path}, and one that has ended cannot go on.")
    raise FolderError(
        f"no crawl is running in {path}; to go on with the one that is there: "
        f"{command('resume', path)}"
    )


# In the process that crawls.

TICK = 0.25
"""Seconds between two looks at the folder, the limits and the clock."""


class ControlSignal(enum.Enum):
    """What the run controller wants of the crawl."""

    GO_ON = "go on"
    WAIT = "request nothing new"
    END = "end"


# Ctrl-C, SIGTERM or a closed terminal requests the end of the crawl: the page under way is stored
# first. A second signal ends it at once.

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interruption:
    """Has a signal requested the end of the crawl?"""

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
    """When a crawl stops by itself: time, harvest and disk.

    Parameters
    ----------
    options : the limits.
    folder : where the crawl is written.
    free : bytes free at a path.
    max_time : the seconds that it may take, as of now; by default those of the options.
    """

    def __init__(
        self,
        options: CrawlOptions,
        folder: Path,
        free: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free,
        max_time: Callable[[], float | None] | None = None,
    ) -> None:
        self._max_time = max_time or (lambda: options.max_time)
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
        """Return why to stop after ``seconds`` of crawling; None to go on."""
        limit, floor = self._max_time(), self._min_harvest
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
    folder : where requests are left.
    interruption : has the user pressed Ctrl-C?
    rules : the limits.
    seconds : how long the crawl has taken in earlier runs.
    distributed : has the requests for all workers, whose time counts from the beginning of the
        crawl; None for a crawl of one worker.
    monotonic : the time, for measuring.
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
        self._shared = None if distributed is None else distributed.requests
        self._elapsed: Callable[[], float] = lambda: self.seconds
        if distributed is not None:
            clock, began = distributed.clock, distributed.began
            self._elapsed = lambda: clock() - began
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
        """How long the crawl has taken in all its runs, pauses left out."""
        return self._before + self.run_seconds

    def check(
        self,
        on_pause: Callable[[bool], None] = lambda paused: None,
        on_tick: Callable[[], None] = lambda: None,
    ) -> ControlSignal:
        """Return what the crawl is to do now; ``reason`` says why, where it is to end.

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
        return ControlSignal.WAIT if self.paused else ControlSignal.GO_ON

    def _look(self, on_pause: Callable[[bool], None]) -> None:
        """Look for requests to pause or stop, and at the limits."""
        shared = self._shared
        if self._requests.withdraw(STOP) or (shared and shared.is_left(STOP)):
            self.reason = self.reason or STOPPED
        paused = self._requests.is_left(PAUSE) or bool(shared and shared.is_left(PAUSE))
        if paused != self.paused:
            self.paused = paused
            on_pause(paused)
        self.reason = self.reason or self.rules.reason(self._elapsed())
