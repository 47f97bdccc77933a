"""The server of a crawl by several workers, asked for its state every few seconds. It is asked in a
thread of its own, so that one that does not answer blocks no request; its last answer is kept.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from scenthound.core.errors import InputError
from scenthound.frontier.redis.crawl_status import (
    ServerControl,
    SharedCrawlStatus,
    shared_crawl_status,
)
from scenthound.frontier.redis.crawls import SharedCrawl, open_crawl
from scenthound.frontier.redis.server import connected, open_server, server_errors, without_password
from scenthound.frontier.redis.workers import WorkerEntry
from scenthound.output.dashboard.crawl_folder import apply_control
from scenthound.output.dashboard.curve import CurvePoint, with_recent
from scenthound.output.dashboard.journal_tail import RateMeter
from scenthound.output.dashboard.values import share

POLL_SECONDS = 2.0
_TRIES = 1
"""One that does not answer is asked again at the next look anyway."""
_MOST_POINTS = 1_000


@dataclass(slots=True)
class WorkerActivity:
    """The pages a second of one worker, and when its number of pages last grew."""

    meter: RateMeter = field(default_factory=RateMeter)
    rate: float | None = None
    pages: int | None = None
    at: float | None = None

    def note(self, pages: int, at: float, now: float) -> None:
        """Note its pages at a time of the server's clock, ``now`` by our own."""
        self.meter.saw(pages, now)
        rate = self.meter.rate(now)
        self.rate = None if rate is None else round(rate, 2)
        if self.pages is not None and pages > self.pages:
            self.at = at
        self.pages = pages


class SharedCrawlMonitor:
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

    def __init__(self, url: str, crawl: str, monotonic: Callable[[], float]) -> None:
        self._url = url
        self.crawl = crawl
        self._monotonic = monotonic
        self._shared: SharedCrawl | None = None
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._keep_looking, daemon=True)
        self.problem = ""
        self.activity: dict[int, WorkerActivity] = {}
        self._points: list[CurvePoint] = []
        self._id = ""
        self.status = self._read_status()

    @property
    def address(self) -> str:
        """Where the server is, without user and password."""
        return without_password(self._url)

    def look(self) -> None:
        """Ask once; a server that does not answer is a problem, and connected anew next time.

        Nothing happens while another thread is asking.
        """
        if not self._lock.acquire(blocking=False):
            return
        try:
            self.status, self.problem = self._read_status(), ""
        except Exception as error:  # noqa: BLE001  a server may hold anything under our keys
            nonsense = f"what the server at {self.address} says makes no sense"
            known = isinstance(error, InputError)
            self.problem = str(error) if known else f"{nonsense} ({type(error).__name__})."
            if self._shared is not None:
                self._shared.client.close()
                self._shared = None
        finally:
            self._lock.release()

    def points(self) -> list[CurvePoint]:
        """The figures at each look that brought pages, since the first one."""
        return with_recent(tuple(self._points))

    def control(self, action: str) -> None:
        """Have all workers pause, resume or stop; ServerError where the server is away."""
        # A connection of its own: the other one belongs to the thread that looks.
        with connected(self._url, _TRIES) as client:
            apply_control(ServerControl(client, self.crawl), action)
        self.look()

    def start(self) -> Self:
        """Look every few seconds from now on."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Look no more."""
        self._over.set()

    def _keep_looking(self) -> None:
        while not self._over.wait(POLL_SECONDS):
            self.look()

    def _read_status(self) -> SharedCrawlStatus:
        with server_errors(self._url):
            if self._shared is None:
                client = open_server(self._url, _TRIES)
                try:
                    self._shared = open_crawl(client, self.crawl)
                except BaseException:
                    client.close()
                    raise
            # Opened again at every look: the crawl may be deleted, and another made by its name.
            status = shared_crawl_status(open_crawl(self._shared.client, self.crawl))
        if not all(map(_is_valid_worker, status.workers)):
            raise ValueError("these are no workers of ours")
        self._note(status)
        return status

    def _note(self, status: SharedCrawlStatus) -> None:
        if status.id != self._id:  # the first, or another crawl of the same name
            self._id, self.activity, self._points = status.id, {}, []
        for worker in status.workers:
            activity = self.activity.setdefault(worker.number, WorkerActivity())
            activity.note(worker.pages, status.at, self._monotonic())
        if status.pages and (not self._points or status.pages > self._points[-1].n):
            harvest = share(status.relevant, status.pages)
            point = CurvePoint(
                status.pages, status.relevant, harvest, None, None, status.waiting, status.at
            )
            # A new list: threads of requests read the old one without a lock.
            self._points = [*self._points, point]
        if len(self._points) > _MOST_POINTS:
            # Half as dense, as often as needed: the curve of weeks stays in bounded memory.
            self._points = self._points[::2]


def _is_valid_worker(worker: WorkerEntry) -> bool:
    """Has it the types that a worker writes? Its folder may be read, if on this machine."""
    texts = (worker.name, worker.host, worker.folder, worker.state, worker.reason)
    numbers = (worker.number, worker.pages, worker.relevant, worker.failed)
    texts_valid = all(isinstance(each, str) for each in texts) and "\0" not in worker.folder
    counted = all(type(each) is int and 0 <= each < 2**53 for each in numbers)
    return texts_valid and counted and isinstance(worker.heard, int | float)
