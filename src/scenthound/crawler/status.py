"""The state of a running crawl for its views, and the signals that ask it to end."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Protocol

from scenthound.core.events import Event, Summary

CRAWLING = "crawling"
READING = "reading the example pages"


@dataclass(frozen=True, slots=True)
class Status:
    """The figures of this moment.

    Parameters
    ----------
    summary : counts over the whole crawl.
    budget : pages that may be fetched; of all workers together in a shared crawl.
    under_way : pages requested and not read yet.
    hosts : that are known.
    run_pages, run_seconds : of this run, pauses left out.
    seconds : over all runs, pauses left out.
    recent_harvest : share of relevant pages over the harvest window; None before the first page.
    paused : is nothing requested until somebody says so?
    phase : what the crawl is doing: :data:`READING` or :data:`CRAWLING`.
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
        """Called with every event that is recorded."""

    def look(self, status: Status) -> None:
        """Called a few times a second."""


class SilentWatcher:
    """Does nothing."""

    def saw(self, event: Event) -> None:
        """Do nothing."""

    def look(self, status: Status) -> None:
        """Do nothing."""


# Ctrl-C, SIGTERM or a closed terminal requests the end of the crawl: the page under way is stored
# first. A second signal ends it at once.

_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


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
