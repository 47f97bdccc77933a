"""The status of one crawl folder: its files, the end of its journal, its speed, whether it runs
and how it ended.
"""

from __future__ import annotations

import os
import stat
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scenthound.core.errors import FolderError
from scenthound.frontier.redis.crawls import ServerControl
from scenthound.output.dashboard.pages import is_complete
from scenthound.output.dashboard.values import Json, as_int, as_number, as_text
from scenthound.storage.folder import (
    LOCK_NAME,
    PAUSE,
    STOP,
    ControlRequests,
    CrawlFolder,
    lock_holder,
)
from scenthound.storage.journal import MAX_LINE_BYTES, JournalEvent, JournalReader
from scenthound.storage.stored_crawl import KILLED, ending_of

MINUTE = 60.0
_SHORTEST = 1.0
"""Seconds between two looks that say something about the speed."""
_MAX_SAMPLES = 240


def page_rate(samples: Sequence[tuple[float, int]], now: float) -> float | None:
    """Pages a second, from times and the number of pages by then, in order.

    None where nothing, or too little, is known of the last minute; 0 where it saw no page.
    """
    recent = [(at, pages) for at, pages in samples if now - MINUTE <= at <= now]
    if not recent:
        return 0.0 if samples else None
    (begun, before), (_, pages) = recent[0], recent[-1]
    seconds = now - begun
    return (pages - before) / seconds if seconds >= _SHORTEST else None


class RateMeter:
    """Pages by the time at which they were seen, for a replay, whose own clock counts pages."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque(maxlen=_MAX_SAMPLES)

    def saw(self, pages: int, now: float) -> None:
        """Note the number of pages at this time; fewer than before is a journal begun anew."""
        samples = self._samples
        if samples and pages < samples[-1][1]:
            samples.clear()
        if not samples or now - samples[-1][0] >= MINUTE / _MAX_SAMPLES:
            samples.append((now, pages))

    def rate(self, now: float) -> float | None:
        """Pages a second over the last minute, or since the first look; None before a second."""
        return page_rate(self._samples, now)


# The files of a crawl folder, checked before they are opened: opening a named pipe would block.

Stamp = tuple[int, int, int]
_LARGEST_ORDER = 16 * 1024 * 1024


def file_stamp(path: Path) -> Stamp | None:
    """What changes when a file does (inode, size, time); None where there is none."""
    found = _stat(path)
    return None if found is None else (found.st_ino, found.st_size, found.st_mtime_ns)


def check_order(path: Path) -> None:
    """FolderError where ``crawl.json`` is no file, or larger than any that Scenthound writes."""
    found = _stat(path)
    if found is not None and not stat.S_ISREG(found.st_mode):
        raise FolderError(f"{path} cannot be read: it is no file.")
    if found is not None and found.st_size > _LARGEST_ORDER:
        raise FolderError(f"{path} is not what Scenthound writes: it is too large.")


def check_files(folder: Path) -> None:
    """FolderError where something that an explanation reads exists and is no file."""
    paths = CrawlFolder(folder)
    check_order(paths.order_path)
    own = (paths.journal_path.name, paths.database_path.name, paths.state_path.name)
    read = (*own, "topic.json", "concepts.json", "pages-")
    try:
        with os.scandir(folder) as entries:
            names = [each.name for each in entries if not each.is_file()]
    except OSError as error:
        raise FolderError(f"{folder} cannot be read: {error.strerror}.") from None
    for name in names:
        if name.startswith(read):  # SQLite's own files have longer names
            raise FolderError(f"{folder / name} cannot be read: it is no file.")


def _stat(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except OSError:
        return None


# The end of a journal says how the crawl stands; its beginning says when it began.

_STATE_EVENTS = frozenset({"page", "started", "resumed", "paused", "unpaused", "stopped"})
"""Events after which it is known whether the crawl has ended."""
_PAUSE_EVENTS = frozenset({"started", "resumed", "paused", "unpaused"})
"""Events after which it is known whether the crawl is paused; pages under way still come."""
_RATE_BYTES = 128 * 1024
"""Bytes that are enough to measure the speed."""
_MAX_BYTES = 2 * 1024 * 1024
"""Bytes that are searched for a summary."""


@dataclass(frozen=True, slots=True)
class JournalTail:
    """The end of a journal, as :func:`read_tail` reads it.

    ``last`` is the last event of a page, a begin or an end. ``summary`` is the newest one.
    ``times`` are those of the last pages with their numbers, in order, of a minute at most.
    ``strange`` counts lines that no crawl writes, or pages with values of another type.
    ``paused`` says that the last event about pausing was a pause.
    """

    last: JournalEvent | None = None
    summary: Mapping[str, object] | None = None
    times: tuple[tuple[float, int], ...] = ()
    strange: int = 0
    paused: bool = False

    @property
    def problem(self) -> str:
        """What is wrong with it, in a sentence; "" where nothing is."""
        if self.strange and self.last is None:
            return "its journal is damaged: its end is nothing that Scenthound writes."
        return describe_damage(self.strange) if self.strange else ""


def describe_damage(lines: int) -> str:
    """The sentence about so many lines that cannot be read."""
    return f"its journal is damaged: {lines:,} of its last lines cannot be read."


def read_tail(journal: JournalReader) -> JournalTail:
    """Read a journal from its end, no further than needed; an empty one says nothing."""
    last: JournalEvent | None = None
    summary: Mapping[str, object] | None = None
    times: list[tuple[float, int]] = []
    pause = ""
    strange, back = 0, 0
    for line in journal.backward(least=journal.size - _MAX_BYTES - MAX_LINE_BYTES):
        back = journal.size - line.start
        known = last is not None and summary is not None
        is_a_minute = bool(times) and times[0][0] - times[-1][0] > MINUTE
        if (known and (back > _RATE_BYTES or is_a_minute)) or back > _MAX_BYTES:
            break
        event = line.event()
        strange += not is_valid(event)
        if event is None:
            continue
        kind, totals, at = event.get("event"), event.get("summary"), as_number(event.get("at"))
        if last is None and kind in _STATE_EVENTS:
            last = event
        if not pause and kind in _PAUSE_EVENTS:
            pause = str(kind)
        if summary is None and isinstance(totals, dict):
            summary = totals
        if kind == "page" and at is not None:
            times.append((at, as_int(event.get("n"))))
    if back == 0 and journal.size > MAX_LINE_BYTES:
        strange = 1  # a line without end
    return JournalTail(last, summary, tuple(reversed(times)), strange, pause == "paused")


def is_valid(event: JournalEvent | None) -> bool:
    """Is it an event that a crawl writes? Of events, only those of pages are checked further."""
    return event is not None and (event.get("event") != "page" or is_complete(event))


def started_event(journal: JournalReader) -> JournalEvent | None:
    """The event the crawl began with; None where it has not.

    Reading the example pages may be on record before it.
    """
    lines = journal.forward(0, _MAX_BYTES)
    events = (line.event() for line in lines if b'"started"' in line.raw)
    return next((each for each in events if each and each.get("event") == "started"), None)


# Is a crawl running, and if not, how did it end?

RUNNING, PAUSED, STOPPING = "running", "paused", "stopping"
CONTROLLABLE = (RUNNING, PAUSED, STOPPING)
NOT_BEGUN, DAMAGED = "not begun", "damaged"
_NOT_RUNNING = "no process crawls in this folder now"
_NO_WORKER = "no worker is at work now"
_STOPPING_ALREADY = "it is asked to stop already"
_BY_SERVER = "it was paused on its server: scenthound resume --redis URL --crawl NAME"


def state_of(
    folder: Path, last: Mapping[str, object] | None, damaged: bool = False
) -> tuple[str, str]:
    """The state in one word, and why it ended; "" where it has not, or the reason is unknown.

    Parameters
    ----------
    folder : of the crawl; it need not be there.
    last : the last event of the journal about a page, a start or an end; None for none.
    damaged : something of the folder cannot be read, so that its end is unknown.
    """
    lock = _stat(folder / LOCK_NAME)  # asking for the holder of a pipe would block
    if lock is not None and stat.S_ISREG(lock.st_mode) and lock_holder(folder) is not None:
        requests = ControlRequests(folder)
        stopping, paused = requests.is_left(STOP), requests.is_left(PAUSE)
        return (STOPPING if stopping else PAUSED if paused else RUNNING), ""
    if damaged or last is None:
        return (DAMAGED if damaged else NOT_BEGUN), ""
    stopped = last.get("event") == "stopped"
    return ending_of(as_text(last.get("reason"))) if stopped else KILLED


def controls(state: str, many: bool = False) -> Json:
    """Which buttons do something, and why the others do not; ``many`` for several workers."""
    active = state in (RUNNING, PAUSED)
    idle = _NO_WORKER if many else _NOT_RUNNING
    why = "" if active else _STOPPING_ALREADY if state == STOPPING else idle
    return {"pause": state == RUNNING, "resume": state == PAUSED, "stop": active, "why": why}


def apply_control(requests: ControlRequests | ServerControl, action: str) -> None:
    """Ask a crawl to ``pause``, ``resume`` or ``stop``, in its folder or on its server."""
    if action == "resume":
        requests.withdraw(PAUSE)
    else:
        requests.leave(PAUSE if action == "pause" else STOP)


def paused_by_server() -> Json:
    """The buttons of a worker that pauses without a request in its folder."""
    return {**controls(PAUSED), "resume": False, "why": _BY_SERVER}
