"""How a crawl stands by the end of its journal: its last event, its totals, its speed. Events are
validated here, when they are read; the other modules rely on their types.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from pydantic import AllowInfNan, TypeAdapter

from scenthound.storage.journal import MAX_LINE_BYTES, JournalEvent, JournalReader
from scenthound.storage.stored_crawl import READING_ERRORS, PageRecord

Number = int | Annotated[float, AllowInfNan(False)]
Totals = Mapping[str, Number]


@dataclass(frozen=True, slots=True)
class ShownPage(PageRecord):
    """A fetched page, and the running totals of the crawl after it."""

    summary: Totals = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ShownEvent:
    """Another event of the journal; ``at`` is None for one without a time."""

    event: str
    at: Number | None = None
    reason: str = ""
    summary: Totals | None = None
    threshold: Number | None = None
    reading: object = None


AnyEvent = ShownPage | ShownEvent | None
"""None for what no crawl writes."""
_PAGES, _OTHERS = TypeAdapter(ShownPage), TypeAdapter(ShownEvent)


def read_event(event: JournalEvent | None) -> AnyEvent:
    """What an event says."""
    try:
        if event is not None and event.get("event") == "page":
            return _PAGES.validate_python(event)
        return _OTHERS.validate_python(event)
    except READING_ERRORS:
        return None


def read_page(event: JournalEvent) -> ShownPage | None:
    """The page of a page event; None for one that no crawl writes."""
    found = read_event(event)
    return found if isinstance(found, ShownPage) else None


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

    def rate(self, pages: int, now: float) -> float | None:
        """Note the number of pages now; pages a second since the first look, or the last minute.

        None before a second. Fewer pages than before are those of a journal that was replaced.
        """
        samples = self._samples
        if samples and pages < samples[-1][1]:
            samples.clear()
        if not samples or now - samples[-1][0] >= MINUTE / _MAX_SAMPLES:
            samples.append((now, pages))
        return page_rate(samples, now)


# The end of a journal says how the crawl stands; its beginning says when it began.

_PAUSE_EVENTS = frozenset({"started", "resumed", "paused", "unpaused"})
"""Events after which it is known whether the crawl is paused; pages under way still come."""
RATE_BYTES = 128 * 1024
"""Bytes that are enough to measure the speed."""
_MAX_BYTES = 2 * 1024 * 1024
"""Bytes that are searched for a summary."""


@dataclass(frozen=True, slots=True)
class JournalTail:
    """The end of a journal, as :func:`read_tail` reads it.

    ``started`` is the event that the crawl began with. ``is_begun`` says that a page, a start, a
    pause or an end is on record; ``stopped`` is why the crawl ended, None for one that is not on
    record as stopped. ``summary`` is the newest one. ``times`` are those of the last pages with
    their numbers, in order. ``strange`` counts lines that no crawl writes. ``paused`` says that the
    last event about pausing was a pause.
    """

    started: ShownEvent | None = None
    is_begun: bool = False
    stopped: str | None = None
    summary: Totals | None = None
    times: tuple[tuple[float, int], ...] = ()
    strange: int = 0
    paused: bool = False

    def later(self, events: Sequence[AnyEvent]) -> JournalTail:
        """The end after these events too, in order."""
        started, is_begun, stopped = self.started, self.is_begun, self.stopped
        summary, paused, times = self.summary, self.paused, list(self.times)
        for event in events:
            if event is None:
                continue
            summary = event.summary or summary
            if isinstance(event, ShownPage):
                times.append((event.at, event.n))
            if _says_state(event):
                is_begun, stopped = True, None
            if isinstance(event, ShownEvent) and event.event in _PAUSE_EVENTS:
                paused = event.event == "paused"
                started = started or (event if event.event == "started" else None)
            elif isinstance(event, ShownEvent) and event.event == "stopped":
                stopped = event.reason
        strange = self.strange + sum(event is None for event in events)
        return JournalTail(started, is_begun, stopped, summary, tuple(times), strange, paused)


def describe_damage(lines: int) -> str:
    """The sentence about so many lines that cannot be read; "" for none."""
    if not lines:
        return ""
    return f"its journal is damaged: {lines:,} of its last lines cannot be read."


def _says_state(event: ShownPage | ShownEvent) -> bool:
    """Does it say whether the crawl runs?"""
    return isinstance(event, ShownPage) or event.event in {*_PAUSE_EVENTS, "stopped"}


def read_tail(journal: JournalReader, most: int = RATE_BYTES) -> JournalTail:
    """Read a journal from its end, no further than needed; an empty one says nothing."""
    events: list[AnyEvent] = []
    newest: ShownPage | None = None
    has_state, has_summary, back = False, False, 0
    for line in journal.backward(least=journal.size - _MAX_BYTES - MAX_LINE_BYTES):
        back = journal.size - line.start
        if back > _MAX_BYTES:
            break
        event = read_event(line.event())
        events.append(event)
        if event is None:
            continue
        has_state, has_summary = has_state or _says_state(event), has_summary or bool(event.summary)
        is_enough = back > most
        if isinstance(event, ShownPage):
            newest = newest or event
            is_enough |= newest.at - event.at > MINUTE
        if is_enough and has_state and has_summary:
            break
    if back == 0 and journal.size > MAX_LINE_BYTES:
        events.append(None)  # a line without end
    # Reading the example pages may be on record before the start.
    first = (line for line in journal.forward(0, _MAX_BYTES) if b'"started"' in line.raw)
    known = (read_event(line.event()) for line in first)
    started = next((e for e in known if isinstance(e, ShownEvent) and e.event == "started"), None)
    return replace(JournalTail().later(events[::-1]), started=started)
