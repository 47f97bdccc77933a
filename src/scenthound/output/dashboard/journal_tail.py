"""How a crawl stands by the end of its journal: its last event, its totals, its speed."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scenthound.output.dashboard.values import as_int, as_number
from scenthound.storage.journal import MAX_LINE_BYTES, JournalEvent, JournalReader

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


# The end of a journal says how the crawl stands; its beginning says when it began.

_STATE_EVENTS = frozenset({"page", "started", "resumed", "paused", "unpaused", "stopped"})
"""Events after which it is known whether the crawl has ended."""
_PAUSE_EVENTS = frozenset({"started", "resumed", "paused", "unpaused"})
"""Events after which it is known whether the crawl is paused; pages under way still come."""
_FIGURES = ("n", "at", "status", "depth", "similarity")
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
    """Is it an event that a crawl writes? A page must have all figures that every page has."""
    if event is None or event.get("event") != "page":
        return event is not None
    figures = all(as_number(event.get(name)) is not None for name in _FIGURES)
    return figures and isinstance(event.get("url"), str) and isinstance(event.get("relevant"), bool)


def started_event(journal: JournalReader) -> JournalEvent | None:
    """The event the crawl began with; None where it has not.

    Reading the example pages may be on record before it.
    """
    lines = journal.forward(0, _MAX_BYTES)
    events = (line.event() for line in lines if b'"started"' in line.raw)
    return next((each for each in events if each and each.get("event") == "started"), None)
