"""The state of a running crawl for its views, and the rules that stop it: limits, signals,
requests of the user.
"""

from __future__ import annotations

import shutil
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Protocol

from scenthound.core.events import Event, PageEvent, Summary
from scenthound.crawler.options import CrawlOptions
from scenthound.storage.journal import DISK_FULL, LOW_HARVEST, OUT_OF_TIME

CRAWLING = "crawling"

READING = "reading the example pages"


@dataclass(frozen=True, slots=True)
class Status:
    """The figures of this moment.

    ``summary`` counts over the whole crawl, ``run_pages`` and ``run_seconds`` over this run of
    it. ``recent_harvest`` is over the last pages (the harvest window).
    """

    summary: Summary
    budget: int
    under_way: int
    hosts: int
    run_pages: int
    run_seconds: float
    seconds: float
    recent_harvest: float | None
    paused: bool = False
    phase: str = CRAWLING


class Watcher(Protocol):
    """Watches a crawl. Both methods are called in the thread of the crawl: be quick."""

    def saw(self, event: Event) -> None:
        """An event was recorded."""

    def look(self, status: Status) -> None:
        """Called a few times a second."""


class SilentWatcher:
    """Does nothing."""

    def saw(self, event: Event) -> None:
        """Do nothing."""

    def look(self, status: Status) -> None:
        """Do nothing."""


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
        self._options = options
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
        """Why to stop after ``seconds`` of crawling; None to go on."""
        limit, floor = self._max_time(), self._options.min_harvest
        if limit is not None and seconds >= limit:
            return OUT_OF_TIME
        full = len(self._recent) == self._recent.maxlen
        if floor is not None and full and (self.recent_harvest or 0.0) < floor:
            return LOW_HARVEST
        if self._free(self._folder) < self._options.min_disk_bytes:
            return DISK_FULL
        return None


# Ctrl-C, SIGTERM or a closed terminal requests the end of the crawl: the page under way is stored
# first. A second signal ends it at once.


_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class Interruption:
    """Has a signal requested the end of the crawl?"""

    def __init__(self) -> None:
        self.requested = False

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        """The first signal requests the end; the second raises KeyboardInterrupt."""
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Handle signals while this lasts; outside the main thread there are none."""
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    handled = [each for each in _SIGNALS if signal.getsignal(each) is not signal.SIG_IGN]  # nohup
    before = [signal.signal(each, interruption.on_signal) for each in handled]
    try:
        yield interruption
    finally:
        for each, handler in zip(handled, before, strict=True):
            signal.signal(each, handler)
