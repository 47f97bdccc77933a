"""Somebody may pause or stop a replay that writes a crawl folder, as he may a live crawl."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from scenthound.core.crawl import Crawl
from scenthound.store.lock import LOCK_NAME, FolderLock
from scenthound.store.requests import PAUSE, STOP, Requests

STOPPED = "stopped"
_LOOK = 0.2
"""Seconds between two looks for a request."""


class Steering:
    """Heeds requests that were left in the folder of a replay.

    Parameters
    ----------
    folder : where requests are left.
    crawl : what they are about.
    monotonic : the time, for measuring.
    sleep : waits so many seconds.
    """

    def __init__(
        self,
        folder: Path,
        crawl: Crawl,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._requests = Requests(folder)
        self._crawl = crawl
        self._monotonic = monotonic
        self._sleep = sleep
        self._last = monotonic()
        self.paused_s = 0.0
        """Seconds that were spent waiting."""

    def heed(self) -> None:
        """Stop the crawl, or wait here as long as it is paused, where somebody asks for it.

        To be called before every fetch; it looks a few times a second.
        """
        now = self._monotonic()
        if now - self._last < _LOOK:
            return
        self._last = now
        self._look_for_stop()
        if self._crawl.stop_reason is None and self._requests.is_left(PAUSE):
            self._pause()

    def _pause(self) -> None:
        begun = self._monotonic()
        self._crawl.control("paused")
        while self._requests.is_left(PAUSE) and self._crawl.stop_reason is None:
            self._sleep(_LOOK)
            self._look_for_stop()
        self.paused_s += self._monotonic() - begun
        if self._crawl.stop_reason is None:
            self._crawl.control("unpaused")

    def _look_for_stop(self) -> None:
        if self._requests.withdraw(STOP):
            self._crawl.stop(STOPPED)


def let_go(folder: Path, lock: FolderLock) -> None:
    """Release the folder of a replay that has ended, and leave no lock there: none comes back."""
    (folder / LOCK_NAME).unlink(missing_ok=True)
    lock.release()
