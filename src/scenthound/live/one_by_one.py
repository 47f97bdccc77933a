"""One request at a time, each to a host that has rested."""

from __future__ import annotations

import queue
from collections.abc import Callable

from scenthound.core.protocols import Clock
from scenthound.core.urls import host_of
from scenthound.live.downloads import DownloaderError, Downloads
from scenthound.live.messages import Answer, Ask, Message, NoAnswer
from scenthound.live.reasons import HOST_DOWN, TIMEOUT, UNREADABLE_PAGE

LEFT_ALONE = frozenset({*HOST_DOWN, TIMEOUT, "status 429", "status 503"})
"""After one of these a host is not asked again."""
_TICK = 0.5


class OneByOne:
    """Asks for something and waits until it is here.

    Parameters
    ----------
    downloads : fetch.
    timeout : seconds the downloader gives an answer; after twice as many it has lost the ask.
    delay : seconds a host rests after an answer.
    clock, sleep : the time, and how to wait.
    """

    def __init__(
        self,
        downloads: Downloads,
        timeout: float,
        delay: float,
        clock: Clock,
        sleep: Callable[[float], None],
    ) -> None:
        self._downloads = downloads
        self._timeout = timeout
        self._delay = delay
        self._clock = clock
        self._sleep = sleep
        self._answered: dict[str, float] = {}
        self._slow: dict[str, float] = {}
        self._left_alone: dict[str, str] = {}

    def slow_down(self, host: str, delay: float) -> None:
        """The host asks for this many seconds between two requests."""
        self._slow[host] = delay

    def ask(self, ask: Ask) -> Message:
        """The answer, once the host has rested; a host that is down is left alone from then on."""
        host = host_of(ask.url)
        if host in self._left_alone:
            return NoAnswer(ask, self._clock(), self._left_alone[host], False)
        wait = self._free_at(host) - self._clock()
        if wait > 0:
            self._sleep(wait)
        self._downloads.fetch([ask])
        message = self._answer(ask)
        self._answered[host] = message.ended
        reason = f"status {message.status}" if isinstance(message, Answer) else message.reason
        if reason in LEFT_ALONE:
            self._left_alone[host] = reason
        return message

    def _free_at(self, host: str) -> float:
        if host not in self._answered:
            return 0.0
        return self._answered[host] + max(self._delay, self._slow.get(host, 0.0))

    def _answer(self, ask: Ask) -> Message:
        """Wait for it; what the downloader hangs or dies over cannot be read."""
        lost_at = self._clock() + 2 * self._timeout
        while self._clock() < lost_at and not self._downloads.hangs():
            try:
                message = self._downloads.inbox.get(timeout=_TICK)
            except queue.Empty:
                continue
            if isinstance(message, DownloaderError):
                break
            if message.ask == ask:
                return message
        self._downloads.restart()
        return NoAnswer(ask, self._clock(), UNREADABLE_PAGE, False)
