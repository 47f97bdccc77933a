"""A web on loopback that sees when responses are over, where some hosts are slow to answer."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "tests"))  # the scripted web is theirs

from crawler.live_replies import no
from crawler.live_web import LiveWeb, place_of
from scenthound.sample.server import Reply, Step


@dataclass(slots=True)
class WatchedRequest:
    """A request: when it was seen to come, and when the last of its response was about to be sent.

    The first is never too early and the second never too late, however busy this process is: a rest
    that is measured too short was too short. One may have been shorter by what a thread waits here.
    """

    began: float
    ended: float = field(default=float("inf"))


class WatchedWeb(LiveWeb):
    """Every ``each``-th host takes its time for a response, robots.txt included.

    Parameters
    ----------
    hosts : how many.
    slow : seconds that a slow host takes.
    each : of so many hosts one is slow.
    """

    def __init__(self, hosts: int, slow: float, each: int) -> None:
        super().__init__(hosts=hosts)
        self._pauses = {f"127.0.0.{number}": slow for number in range(each, hosts + 1, each)}
        self._requests: dict[str, list[WatchedRequest]] = {}

    def requests(self) -> list[list[WatchedRequest]]:
        """The requests to each host that had one, in the order they began."""
        return list(self._requests.values())

    def _answer(self, url: str) -> Reply:
        host = place_of(url)[0]
        reply = super()._answer(url) or no(404)
        request = WatchedRequest(time.monotonic())
        self._requests.setdefault(host, []).append(request)
        return Reply(_Watched(reply.steps, self._pauses.get(host, 0.0), request), reply.close)


@dataclass(frozen=True, slots=True)
class _Watched:
    """Steps after a pause; the request is over with the last of them, or when it is broken off."""

    steps: Iterable[Step]
    pause: float
    request: WatchedRequest

    def __iter__(self) -> Iterator[Step]:
        try:
            if self.pause:
                yield self.pause
            for step in self.steps:
                self.request.ended = time.monotonic()
                yield step
        finally:
            self.request.ended = min(self.request.ended, time.monotonic())


def gaps(requests: Sequence[WatchedRequest]) -> list[float]:
    """Seconds from one request to the next."""
    return [later.began - sooner.began for sooner, later in pairwise(requests)]


def rests(requests: Sequence[WatchedRequest]) -> list[float]:
    """Seconds from the end of all responses so far to the next request; below 0: two at once."""
    found, over = [], float("-inf")
    for sooner, later in pairwise(requests):
        over = max(over, sooner.ended)
        found.append(later.began - over)
    return found
