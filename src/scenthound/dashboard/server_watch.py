"""Watches a crawl on the server that its workers share: asks every few seconds how it stands.

The server is asked in a thread of its own, so that one that is away keeps nobody waiting. What it
said last is kept until it answers again.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from scenthound.core.errors import InputError
from scenthound.dashboard.curve import Point, share, with_recent
from scenthound.dashboard.speed import Watched
from scenthound.distributed.crawls import SharedCrawl, open_crawl
from scenthound.distributed.overview import Overview, overview
from scenthound.distributed.roll import WorkerEntry
from scenthound.distributed.server import at_server, open_server, server_told, shown
from scenthound.distributed.server_requests import ServerRequests
from scenthound.store.requests import PAUSE, STOP

if TYPE_CHECKING:
    from scenthound.dashboard.crawl_reader import Clock

LOOK_EVERY = 2.0
_TRIES = 1
"""One that does not answer is asked again at the next look anyway."""
_MOST_POINTS = 1_000


@dataclass(slots=True)
class Heard:
    """What was heard of one worker: its pages a second, and when its pages last became more."""

    seen: Watched = field(default_factory=Watched)
    rate: float | None = None
    pages: int | None = None
    at: float | None = None

    def tell(self, pages: int, at: float, now: float) -> None:
        """So many pages at a time of the server's clock, ``now`` by our own."""
        self.seen.saw(pages, now)
        rate = self.seen.rate(now)
        self.rate = None if rate is None else round(rate, 2)
        if self.pages is not None and pages > self.pages:
            self.at = at
        self.pages = pages


class ServerWatch:
    """One crawl on a server. No message has the password that the address may hold.

    Parameters
    ----------
    url : address of the server.
    crawl : name of the crawl.
    monotonic : the time, for measuring.

    Raises
    ------
    InputError
        The server cannot be used now, or has no such crawl.
    """

    def __init__(self, url: str, crawl: str, monotonic: Clock) -> None:
        self._url = url
        self.crawl = crawl
        self._monotonic = monotonic
        self._shared: SharedCrawl | None = None
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._keep_looking, daemon=True)
        self.problem = ""
        self.heard: dict[int, Heard] = {}
        self._points: list[Point] = []
        self._id = ""
        self.stands = self._ask()

    @property
    def address(self) -> str:
        """Where the server is, without user and password."""
        return shown(self._url)

    def look(self) -> None:
        """Ask once; a server that does not answer is a problem, and asked anew next time.

        Nothing happens where somebody else is asking.
        """
        if not self._lock.acquire(blocking=False):
            return
        try:
            self.stands, self.problem = self._ask(), ""
        except InputError as error:
            self._part(str(error))
        except Exception as error:  # noqa: BLE001  a server may hold anything under our keys
            self._part(f"what the server at {self.address} says makes no sense ({_kind(error)}).")
        finally:
            self._lock.release()

    def points(self) -> list[Point]:
        """The figures at each look that brought pages, since the first one."""
        return with_recent(tuple(self._points))

    def ask_for(self, action: str) -> None:
        """Have all workers pause, resume or stop; ServerError where the server is away."""
        with at_server(self._url, _TRIES) as client:
            requests = ServerRequests(client, self.crawl)
            if action == "resume":
                requests.withdraw(PAUSE)
            else:
                requests.leave(PAUSE if action == "pause" else STOP)
        self.look()

    def start(self) -> Self:
        """Look every few seconds from now on."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Look no more."""
        self._over.set()

    def _keep_looking(self) -> None:
        while not self._over.wait(LOOK_EVERY):
            self.look()

    def _ask(self) -> Overview:
        with server_told(self._url):
            if self._shared is None:
                client = open_server(self._url, _TRIES)
                try:
                    self._shared = open_crawl(client, self.crawl)
                except BaseException:
                    client.close()
                    raise
            stands = overview(open_crawl(self._shared.client, self.crawl))
        if not all(map(_is_sound, stands.workers)):
            raise ValueError("these are no workers of ours")
        self._note(stands)
        return stands

    def _part(self, problem: str) -> None:
        self.problem = problem
        if self._shared is not None:
            self._shared.client.close()
            self._shared = None

    def _note(self, stands: Overview) -> None:
        if stands.id != self._id:  # the first, or another crawl of the same name
            self._id, self.heard, self._points = stands.id, {}, []
        for worker in stands.workers:
            heard = self.heard.setdefault(worker.number, Heard())
            heard.tell(worker.pages, stands.at, self._monotonic())
        if stands.pages and (not self._points or stands.pages > self._points[-1].n):
            self._points = [*self._points, _point(stands)]
        if len(self._points) > _MOST_POINTS:
            self._points = self._points[::2]


def _point(stands: Overview) -> Point:
    return Point(
        n=stands.pages,
        relevant=stands.relevant,
        harvest=share(stands.relevant, stands.pages),
        recent=None,
        similarity=None,
        waiting=stands.waiting,
        at=stands.at,
    )


def _is_sound(worker: WorkerEntry) -> bool:
    """Is it what a worker tells? Its folder may be looked at, where that is on this machine."""
    texts = (worker.name, worker.host, worker.folder, worker.state, worker.reason)
    numbers = (worker.number, worker.pages, worker.relevant, worker.failed)
    told = all(isinstance(each, str) for each in texts) and "\0" not in worker.folder
    counted = all(type(each) is int and 0 <= each < 2**53 for each in numbers)
    return told and counted and isinstance(worker.heard, int | float)


def _kind(error: Exception) -> str:
    return type(error).__name__
