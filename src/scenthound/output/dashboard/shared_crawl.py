"""A crawl on the server that its workers share, asked for its state every few seconds. The server
is asked in a thread of its own, so that one that does not answer blocks nobody; its last
answer is kept.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from scenthound.core.errors import InputError
from scenthound.frontier.redis.crawls import (
    ServerControl,
    SharedCrawl,
    SharedCrawlStatus,
    open_crawl,
    shared_crawl_status,
)
from scenthound.frontier.redis.server import connected, open_server, server_errors, without_password
from scenthound.frontier.redis.workers import ENDED, LOST, WORKING, WorkerEntry
from scenthound.output.dashboard.curve import CurvePoint, share, with_recent
from scenthound.output.dashboard.status import PAUSED, RUNNING, RateMeter, controls
from scenthound.output.dashboard.values import Json, as_mapping, as_number, as_text
from scenthound.storage.folder import PAUSE, STOP
from scenthound.storage.stored_crawl import INTERRUPTED, ending_of

if TYPE_CHECKING:
    from scenthound.output.dashboard.crawl_folder import Clock


POLL_SECONDS = 2.0
_TRIES = 1
"""One that does not answer is asked again at the next look anyway."""
_MOST_POINTS = 1_000


@dataclass(slots=True)
class WorkerActivity:
    """What was heard of one worker: its pages a second, and when its pages last became more."""

    seen: RateMeter = field(default_factory=RateMeter)
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

    def __init__(self, url: str, crawl: str, monotonic: Clock) -> None:
        self._url = url
        self.crawl = crawl
        self._monotonic = monotonic
        self._shared: SharedCrawl | None = None
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._keep_looking, daemon=True)
        self.problem = ""
        self.heard: dict[int, WorkerActivity] = {}
        self._points: list[CurvePoint] = []
        self._id = ""
        self.stands = self._ask()

    @property
    def address(self) -> str:
        """Where the server is, without user and password."""
        return without_password(self._url)

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
            self._part(
                f"what the server at {self.address} says makes no sense ({_error_name(error)})."
            )
        finally:
            self._lock.release()

    def points(self) -> list[CurvePoint]:
        """The figures at each look that brought pages, since the first one."""
        return with_recent(tuple(self._points))

    def request_action(self, action: str) -> None:
        """Have all workers pause, resume or stop; ServerError where the server is away."""
        with connected(self._url, _TRIES) as client:
            requests = ServerControl(client, self.crawl)
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
        while not self._over.wait(POLL_SECONDS):
            self.look()

    def _ask(self) -> SharedCrawlStatus:
        with server_errors(self._url):
            if self._shared is None:
                client = open_server(self._url, _TRIES)
                try:
                    self._shared = open_crawl(client, self.crawl)
                except BaseException:
                    client.close()
                    raise
            stands = shared_crawl_status(open_crawl(self._shared.client, self.crawl))
        if not all(map(_is_valid_worker, stands.workers)):
            raise ValueError("these are no workers of ours")
        self._note(stands)
        return stands

    def _part(self, problem: str) -> None:
        self.problem = problem
        if self._shared is not None:
            self._shared.client.close()
            self._shared = None

    def _note(self, stands: SharedCrawlStatus) -> None:
        if stands.id != self._id:  # the first, or another crawl of the same name
            self._id, self.heard, self._points = stands.id, {}, []
        for worker in stands.workers:
            heard = self.heard.setdefault(worker.number, WorkerActivity())
            heard.tell(worker.pages, stands.at, self._monotonic())
        if stands.pages and (not self._points or stands.pages > self._points[-1].n):
            self._points = [*self._points, _point(stands)]
        if len(self._points) > _MOST_POINTS:
            self._points = self._points[::2]


def _point(stands: SharedCrawlStatus) -> CurvePoint:
    return CurvePoint(
        n=stands.pages,
        relevant=stands.relevant,
        harvest=share(stands.relevant, stands.pages),
        recent=None,
        similarity=None,
        waiting=stands.waiting,
        at=stands.at,
    )


def _is_valid_worker(worker: WorkerEntry) -> bool:
    """Is it what a worker tells? Its folder may be looked at, where that is on this machine."""
    texts = (worker.name, worker.host, worker.folder, worker.state, worker.reason)
    numbers = (worker.number, worker.pages, worker.relevant, worker.failed)
    texts_valid = all(isinstance(each, str) for each in texts) and "\0" not in worker.folder
    counted = all(type(each) is int and 0 <= each < 2**53 for each in numbers)
    return texts_valid and counted and isinstance(worker.heard, int | float)


def _error_name(error: Exception) -> str:
    return type(error).__name__


# The figures of a crawl as its server tells them, with what folders on this machine add.

SERVER_AWAY = "server away"
_NO_CONTROL = "the server does not answer, so nothing can be asked of the workers"
_RETRY_NOTE = " It is asked again every few seconds; what it said last is shown."
_LOST_REASON = "not heard of any more"
_STATE_NAMES = {WORKING: RUNNING}


def shared_overview(watch: SharedCrawlMonitor, here_overview: Json, here: Sequence[Json]) -> Json:
    """How the crawl stands by its server.

    Parameters
    ----------
    watch : asks the server.
    here_overview : its overview by the folders on this machine.
    here : the rows of the workers that have these.
    """
    stands = watch.stands
    away = f"{watch.problem}{_RETRY_NOTE}" if watch.problem else ""
    rows = worker_rows(watch, here)
    state, reason = (SERVER_AWAY, "") if watch.problem else _state(stands, rows)
    summary = _summary(stands, here_overview, all(row["id"] for row in rows))
    rates = [rate for row in rows if (rate := as_number(row["rate"])) is not None]
    return {
        **here_overview,
        "topic": as_text(stands.topic),
        "strategy": as_text(stands.strategy),
        "state": state,
        "reason": reason,
        "budget": stands.budget or None,
        "summary": summary,
        "harvest": share(
            as_number(summary.get("relevant")) or 0, int(as_number(summary["fetched"]) or 0)
        ),
        "rate": round(sum(rates), 2) if rates and state == RUNNING else None,
        "problem": " ".join(filter(None, (away, str(here_overview["problem"])))),
        "controls": {
            **controls(state, many=True),
            **({"why": _NO_CONTROL} if watch.problem else {}),
        },
        "workers": rows,
    }


def worker_rows(watch: SharedCrawlMonitor, here: Sequence[Json]) -> list[Json]:
    """All workers, those on other machines too; a folder that is here knows more than the roll."""
    stands = watch.stands
    known = {row["number"]: row for row in here}
    return [
        _merge_row(
            _row(entry, stands.at, watch.heard.get(entry.number, WorkerActivity())), known, watch
        )
        for entry in stands.workers
    ]


def _merge_row(row: Json, known: Mapping[object, Json], watch: SharedCrawlMonitor) -> Json:
    found = known.get(row["number"])
    if found is None:
        return row
    paused = found["state"] == RUNNING and row["state"] == PAUSED and not watch.problem
    return {**row, **found, "host": row["host"], **({"state": PAUSED} if paused else {})}


def _row(entry: WorkerEntry, now: float, heard: WorkerActivity) -> Json:
    """A worker by what it reported to the server."""
    state, reason = _worker_state(entry, now)
    return {
        "id": None,
        "number": entry.number,
        "name": as_text(entry.name),
        "state": state,
        "reason": reason,
        "fetched": entry.pages,
        "relevant": entry.relevant,
        "harvest": share(entry.relevant, entry.pages),
        "rate": heard.rate if state == RUNNING else None,
        "last_at": heard.at,
        "folder": as_text(entry.folder, 1_000),
        "host": as_text(entry.host),
    }


def _worker_state(entry: WorkerEntry, now: float) -> tuple[str, str]:
    state = entry.shown_state(now)
    if state == ENDED:
        return ending_of(as_text(entry.reason))
    return (INTERRUPTED, _LOST_REASON) if state == LOST else (_STATE_NAMES.get(state, state), "")


def _state(stands: SharedCrawlStatus, rows: Sequence[Json]) -> tuple[str, str]:
    """In the words of crawls in folders; workers may also be paused one by one."""
    at_work = {row["state"] for row in rows} & {RUNNING, PAUSED}
    if stands.state == RUNNING and at_work == {PAUSED}:
        return PAUSED, ""
    if stands.state == ENDED:
        return ending_of(as_text(stands.reason))
    return (INTERRUPTED, _LOST_REASON) if stands.state == LOST else (stands.state, "")


def _summary(stands: SharedCrawlStatus, here_overview: Json, all_here: bool) -> Json:
    """By the folders where all are here: they tell more, and first."""
    if all_here and here_overview["summary"] is not None:
        return {**as_mapping(here_overview["summary"]), "waiting": stands.waiting}
    return {
        "fetched": stands.pages,
        "relevant": stands.relevant,
        "failed": sum(worker.failed for worker in stands.workers),
        "waiting": stands.waiting,
    }
