"""Ctrl-C, a polite kill or a closed terminal asks the crawl to end; a second time ends it at once.

A crawl is never broken off in the middle of a page by the first one: whatever has come is kept.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class Interruption:
    """Has somebody asked to end?"""

    def __init__(self) -> None:
        self.asked = False

    def hear(self, number: int, frame: FrameType | None) -> None:
        """A signal came."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Signals are heard while this lasts; outside the main thread there are none to hear."""
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    heard = [each for each in _SIGNALS if signal.getsignal(each) is not signal.SIG_IGN]  # nohup
    before = [signal.signal(each, interruption.hear) for each in heard]
    try:
        yield interruption
    finally:
        for each, handler in zip(heard, before, strict=True):
            signal.signal(each, handler)
