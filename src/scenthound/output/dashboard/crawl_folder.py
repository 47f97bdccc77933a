"""One crawl folder, as the dashboard sees it: its settings, whether it runs, how it ended, its
totals. It is read again whenever something in it has changed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from scenthound.core.errors import FolderError
from scenthound.core.events import stored_text_representations
from scenthound.crawler.control import ControlRequests
from scenthound.crawler.job import WorkerIdentity
from scenthound.frontier.redis.crawl_status import ServerControl
from scenthound.output.dashboard.journal_tail import (
    RATE_BYTES,
    AnyEvent,
    JournalTail,
    RateMeter,
    ShownEvent,
    Totals,
    describe_damage,
    page_rate,
    read_event,
    read_tail,
)
from scenthound.output.dashboard.values import Json, share
from scenthound.storage.folder import KIND, PAUSE, STOP, CrawlFolder, lock_holder
from scenthound.storage.journal import MAX_LINE_BYTES, JournalReader, open_journal
from scenthound.storage.stored_crawl import KILLED, ending_of

RUNNING, PAUSED, STOPPING = "running", "paused", "stopping"
CONTROLLABLE = (RUNNING, PAUSED, STOPPING)
NOT_BEGUN, DAMAGED = "not begun", "damaged"
LIVE, REPLAY, UNKNOWN = "live", "replay", "unknown"
_NOT_RUNNING = "no process crawls in this folder now"
_STOPPING_ALREADY = "it is asked to stop already"
_BY_SERVER = "it was paused on its server: scenthound resume --redis URL --crawl NAME"
Clock = Callable[[], float]


def controls(state: str, idle: str = _NOT_RUNNING) -> Json:
    """Which buttons do something, and why the others do not; ``idle`` where nothing runs."""
    active = state in (RUNNING, PAUSED)
    why = "" if active else _STOPPING_ALREADY if state == STOPPING else idle
    return {"pause": state == RUNNING, "resume": state == PAUSED, "stop": active, "why": why}


def paused_by_server() -> Json:
    """The buttons of a worker that pauses without a request in its folder."""
    return {**controls(PAUSED), "resume": False, "why": _BY_SERVER}


def apply_control(requests: ControlRequests | ServerControl, action: str) -> None:
    """Ask a crawl to ``pause``, ``resume`` or ``stop``, in its folder or on its server."""
    if action == "resume":
        requests.withdraw(PAUSE)
    else:
        requests.leave(PAUSE if action == "pause" else STOP)


@dataclass(frozen=True, slots=True)
class Overview:
    """How a crawl stands, in a few figures. ``rate`` is in pages a second."""

    folder: str = ""
    kind: str = UNKNOWN
    topic: str = ""
    strategy: str = ""
    reading: str = ""
    state: str = NOT_BEGUN
    reason: str = ""
    budget: int | None = None
    summary: Totals | None = None
    started_at: float | None = None
    rate: float | None = None
    problem: str = ""
    controls: Json = field(default_factory=lambda: controls(NOT_BEGUN))

    def total(self, name: str) -> int:
        """A running total; 0 before the first."""
        return int((self.summary or {}).get(name, 0))

    def to_json(self) -> Json:
        """All figures, and the share of relevant pages."""
        return {**asdict(self), "harvest": share(self.total("relevant"), self.total("fetched"))}


# What was asked for, and what is new in the journal.


class _Settings(BaseModel):
    model_config = ConfigDict(extra="allow")

    worker: WorkerIdentity | None = None


class CrawlSettings(BaseModel):
    """What ``crawl.json`` says; empty where there is none."""

    kind: str = ""
    strategy: str = ""
    budget: int | None = None
    seed: int = 0
    topic: dict[str, Any] = {}
    parameters: dict[str, Any] = {}
    source: dict[str, Any] = {}
    settings: _Settings = _Settings()
    versions: dict[str, Any] = {}


Stamp = tuple[int, int, int]


def file_stamp(path: Path) -> Stamp | None:
    """What changes when a file does (inode, size, time); None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


class Growing(Protocol):
    """What was read of a journal, and how it is after what was written since."""

    def later(self, events: Sequence[AnyEvent]) -> Self:
        """After these events too, in order."""


GrowingT = TypeVar("GrowingT", bound=Growing)
_GROWTH = 1024 * 1024
"""Bytes after which a journal is read again as if for the first time, so that what is remembered
of it stays small."""
_MARK = 256
"""Bytes by which a journal is known again: one that was cut and written on has others there."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """What was read of a journal: ``first`` bytes at first, ``end`` bytes by now, with the last
    bytes before there."""

    stamp: Stamp | None
    first: int
    end: int
    mark: bytes
    value: Any

    def can_go_on(self, journal: JournalReader) -> bool:
        """Has the journal only grown since, and not too much?"""
        is_near = self.end <= journal.size <= self.first + _GROWTH
        return is_near and journal.bytes_before(self.end, _MARK) == self.mark


class CrawlReader:
    """Reads one crawl folder. Nothing in it is changed, and little of it is remembered.

    May be used from several threads: what is remembered is never changed, but replaced.

    Parameters
    ----------
    folder : of the crawl; it need not be there yet.
    now : the time in seconds since 1970, as live crawls have it.
    monotonic : the time, for measuring.
    """

    def __init__(self, folder: Path, now: Clock, monotonic: Clock) -> None:
        self.path = folder
        self._folder = CrawlFolder(folder)
        self._now = now
        self._monotonic = monotonic
        # What was read, and the stamp of the file that it was read of.
        self._settings: tuple[Stamp | None, CrawlSettings] = (None, CrawlSettings())
        self._readings: dict[tuple[object, int], _Reading] = {}
        self._tail = JournalTail()
        self._meter = RateMeter()

    @contextmanager
    def journal(self) -> Iterator[JournalReader | None]:
        """The journal, open; None where there is none yet. FolderError where it is unreadable."""
        if file_stamp(self._folder.journal_path) is None:
            yield None
            return
        with open_journal(self._folder.journal_path) as journal:
            yield journal

    def follow(self, read: Callable[[JournalReader, int], GrowingT], most: int) -> GrowingT | None:
        """What ``read`` finds in the journal; None where there is none yet.

        The browser asks every two seconds, so it is remembered, and of a journal that has grown
        since only what is new is read. FolderError where the journal cannot be read.

        Parameters
        ----------
        read : reads a journal for the first time.
        most : how much of it; passed on to ``read``.
        """
        stamp = file_stamp(self._folder.journal_path)
        known = self._readings.get((read, most))
        if known is not None and known.stamp == stamp:
            found: GrowingT = known.value
            return found
        with self.journal() as journal:
            if journal is None:
                return None
            if known is not None and known.can_go_on(journal):
                lines = list(journal.forward(known.end))
                found = known.value.later([read_event(line.event()) for line in lines])
                first, end = known.first, lines[-1].end if lines else known.end
            else:
                found = read(journal, most)
                first = end = journal.size
                if journal.ends_within_a_line:  # which is read once it is whole
                    last = journal.backward(least=journal.size - MAX_LINE_BYTES)
                    first = end = next((line.end for line in last), 0)
            mark = journal.bytes_before(end, _MARK)
        self._readings[read, most] = _Reading(stamp, first, end, mark, found)
        return found

    def settings(self) -> CrawlSettings:
        """What ``crawl.json`` says; FolderError where it cannot be read."""
        now = file_stamp(self._folder.spec_path)
        if now is None or now != self._settings[0]:
            try:
                spec = CrawlFolder.open(self.path).crawl_spec()
                self._settings = now, CrawlSettings.model_validate(spec)
            except ValidationError:
                path = self._folder.spec_path
                raise FolderError(f"{path} is not what Scenthound writes.") from None
        return self._settings[1]

    def worker(self) -> WorkerIdentity | None:
        """Which worker of which crawl writes here; None for a crawl of one process."""
        try:
            return self.settings().settings.worker
        except FolderError:
            return None

    @property
    def last_page_at(self) -> float | None:
        """When the last page came that was seen; None before the first."""
        return self._tail.times[-1][0] if self._tail.times else None

    def started(self) -> ShownEvent | None:
        """The event that the crawl began with; None before, and where it cannot be read."""
        try:
            return self._look().started
        except FolderError:
            return None

    def overview(self) -> Overview:
        """How the crawl stands; a folder that cannot be read has a problem."""
        problems: list[str] = []
        settings, tail = CrawlSettings(), JournalTail()
        if file_stamp(self._folder.spec_path) is not None:
            try:
                settings = self.settings()
            except FolderError as error:
                problems.append(str(error))
            try:
                tail = self._look()
            except FolderError as error:
                problems.append(str(error))
        kind = LIVE if settings.kind == KIND else REPLAY if settings.kind else UNKNOWN
        state, reason = self._state(tail, bool(problems))
        by_server = state == RUNNING and tail.paused and settings.settings.worker is not None
        state = PAUSED if by_server else state
        rate = self._rate(kind, tail)
        reading = stored_text_representations(tail.started.reading if tail.started else None)
        return Overview(
            folder=str(self.path),
            kind=kind,
            topic=str(settings.topic.get("name", "")),
            strategy=settings.strategy,
            reading=reading.describe() if reading else "",
            state=state,
            reason=reason,
            budget=settings.budget,
            summary=tail.summary,
            started_at=self._started_at(kind, tail.started),
            rate=None if rate is None or state != RUNNING else round(rate, 2),
            problem=" ".join([*problems, describe_damage(tail.strange)]).strip(),
            controls=paused_by_server() if by_server else controls(state),
        )

    def _state(self, tail: JournalTail, damaged: bool) -> tuple[str, str]:
        """The state in one word, and why it ended; "" where it has not, or that is unknown."""
        if lock_holder(self.path) is not None:
            requests = ControlRequests(self.path)
            stopping, paused = requests.is_left(STOP), requests.is_left(PAUSE)
            return (STOPPING if stopping else PAUSED if paused else RUNNING), ""
        if damaged or not tail.is_begun:
            return (DAMAGED if damaged or tail.strange else NOT_BEGUN), ""
        return KILLED if tail.stopped is None else ending_of(tail.stopped)

    def _look(self) -> JournalTail:
        """The journal's end, and how it began."""
        self._tail = self.follow(read_tail, RATE_BYTES) or JournalTail()
        return self._tail

    def _rate(self, kind: str, tail: JournalTail) -> float | None:
        """A live crawl's pages have times; a replay's clock counts fetches."""
        if kind == LIVE:
            return page_rate(tail.times, self._now())
        return self._meter.rate(int((tail.summary or {}).get("fetched", 0)), self._monotonic())

    def _started_at(self, kind: str, begun: ShownEvent | None) -> float | None:
        """In seconds since 1970; of a replay its folder says when."""
        if kind == LIVE:
            return begun.at if begun else None
        stamp = file_stamp(self._folder.spec_path) if kind == REPLAY else None
        return None if stamp is None else stamp[2] / 1e9
