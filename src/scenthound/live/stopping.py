"""When a crawl stops by itself, apart from its pages and an empty frontier."""

from __future__ import annotations

import shutil
from collections import deque
from collections.abc import Callable
from pathlib import Path

from scenthound.core.events import PageEvent
from scenthound.live.options import CrawlOptions

OUT_OF_TIME = "time is up"
LOW_HARVEST = "harvest below the floor"
DISK_FULL = "disk nearly full"
STOPPED = "stopped"
INTERRUPTED = "interrupted"


class StopRules:
    """Time, harvest and disk.

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
        """One more page."""
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
