"""The server of a crawl by several workers, asked for its state every few seconds. It is asked in a
thread of its own, so that one that does not answer blocks no request; its last answer is kept.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from scenthound.core.errors import InputError
from scenthound.frontier.redis.crawl_status import (
    ServerControl,
    SharedCrawlStatus,
    shared_crawl_status,
)
from scenthound.frontier.redis.crawls import open_crawl
from scenthound.frontier.redis.server import connected, without_password
from scenthound.output.dashboard.crawl_folder import apply_control
from scenthound.output.dashboard.curve import CurvePoint
from scenthound.output.dashboard.journal_tail import RateMeter

POLL_SECONDS = 2.0
_TRIES = 1
"""One that does not answer is asked again at the next look anyway."""
_MOST_POINTS = 1_000


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
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._keep_looking, daemon=True)
        self._meters: dict[int, RateMeter] = {}
        self._id = ""
        self.problem = ""
        self.rates: dict[int, float | None] = {}
        """Pages a second of each worker."""
        self.points: list[CurvePoint] = []
        """The figures at each look that brought pages, since the first one."""
        self.status = self._read_status()

    @property
    def address(self) -> str:
        """Where the server is, without user and password."""
        return without_password(self._url)

    def look(self) -> None:
        """Ask once; a server that does not answer is a problem, and asked again next time."""
        with self._lock:
            try:
                self.status, self.problem = self._read_status(), ""
            except InputError as error:
                self.problem = str(error)
            except Exception as error:  # noqa: BLE001  a server may hold anything under our keys
                name = type(error).__name__
                self.problem = f"what the server at {self.address} says makes no sense ({name})."

    def control(self, action: str) -> None:
        """Have all workers pause, resume or stop; ServerError where the server is away."""
        with connected(self._url, _TRIES) as client:
            apply_control(ServerControl(client, self.crawl), action)
        self.look()

    def start(self) -> None:
        """Look every few seconds from now on."""
        self._thread.start()

    def close(self) -> None:
        """Look no more."""
        self._over.set()

    def _keep_looking(self) -> None:
        while not self._over.wait(POLL_SECONDS):
            self.look()

    def _read_status(self) -> SharedCrawlStatus:
        # Opened again at every look: the crawl may be deleted, and another made by its name.
        with connected(self._url, _TRIES) as client:
            status = shared_crawl_status(open_crawl(client, self.crawl))
        if status.id != self._id:  # the first, or another crawl of the same name
            self._id, self._meters, self.points = status.id, {}, []
        now = self._monotonic()
        for worker in status.workers:
            rate = self._meters.setdefault(worker.number, RateMeter()).rate(worker.pages, now)
            self.rates[worker.number] = None if rate is None else round(rate, 2)
        if status.pages and (not self.points or status.pages > self.points[-1].n):
            point = CurvePoint(status.pages, status.relevant, None, status.waiting, status.at)
            # A new list: threads of requests read the old one without a lock.
            self.points = [*self.points, point]
        if len(self.points) > _MOST_POINTS:
            # Half as dense, as often as needed: the curve of weeks stays in bounded memory.
            self.points = self.points[::2]
        return status
