"""The end of a journal, which says how the crawl stands; its beginning says when it began."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scenthound.dashboard.page_row import is_sound
from scenthound.dashboard.plain_values import number, whole
from scenthound.dashboard.speed import MINUTE
from scenthound.store.journal_lines import LONGEST_LINE, Event
from scenthound.store.journal_places import JournalPlaces

_TURNS = frozenset({"page", "started", "resumed", "paused", "unpaused", "stopped"})
"""Events after which it is known whether the crawl has ended."""
_PAUSES = frozenset({"started", "resumed", "paused", "unpaused"})
"""Events after which it is known whether the crawl is paused; pages under way still come."""
_ENOUGH = 128 * 1024
_MOST = 2 * 1024 * 1024
"""Bytes: enough to tell the speed; all that is looked through for a summary."""


@dataclass(frozen=True, slots=True)
class Tail:
    """What the end says; made by :func:`read_tail`.

    ``last`` is the last event of a page, a begin or an end. ``summary`` is the newest one.
    ``times`` are those of the last pages with their numbers, in order, of a minute at most.
    ``strange`` lines are none that a crawl writes, or tell of pages in other values than it does.
    ``paused`` says that its last word on it was that it pauses.
    """

    size: int
    last: Event | None
    summary: Mapping[str, object] | None
    times: tuple[tuple[float, int], ...]
    strange: int = 0
    paused: bool = False

    @property
    def is_empty(self) -> bool:
        """Does it say nothing, and nothing strange either?"""
        return self.last is None and not self.strange

    @property
    def problem(self) -> str:
        """What is wrong with it, in a sentence; "" where nothing is."""
        if not self.strange:
            return ""
        if self.last is None:
            return "its journal is damaged: its end is nothing that Scenthound writes."
        return damage_told(self.strange)


def damage_told(lines: int) -> str:
    """That so many of the lines that were looked at make no sense."""
    return f"its journal is damaged: {lines:,} of its last lines cannot be read."


def read_tail(journal: JournalPlaces) -> Tail:
    """Read a journal from its end, no further than needed; an empty one says nothing."""
    last: Event | None = None
    summary: Mapping[str, object] | None = None
    times: list[tuple[float, int]] = []
    pause = ""
    strange, back = 0, 0
    for line in journal.backward(least=journal.size - _MOST - LONGEST_LINE):
        back = journal.size - line.start
        known = last is not None and summary is not None
        if (known and (back > _ENOUGH or _is_a_minute(times))) or back > _MOST:
            break
        event = line.event()
        if event is None or not is_told_well(event):
            strange += 1
        if event is None:
            continue
        if last is None and event.get("event") in _TURNS:
            last = event
        if not pause and event.get("event") in _PAUSES:
            pause = str(event["event"])
        told = event.get("summary")
        if summary is None and isinstance(told, dict):
            summary = told
        at = number(event.get("at"))
        if event.get("event") == "page" and at is not None:
            times.append((at, whole(event.get("n"))))
    if back == 0 and journal.size > LONGEST_LINE:
        strange = 1  # a line without end
    return Tail(journal.size, last, summary, tuple(reversed(times)), strange, pause == "paused")


def is_told_well(event: Event) -> bool:
    """Is it what a crawl writes, as far as pages go?"""
    return event.get("event") != "page" or is_sound(event)


def _is_a_minute(times: list[tuple[float, int]]) -> bool:
    return bool(times) and times[0][0] - times[-1][0] > MINUTE


def started(journal: JournalPlaces) -> Event | None:
    """The event the crawl began with; None where it has not.

    Reading the example pages may be on record before it.
    """
    lines = journal.forward(0, _MOST)
    told = (line.event() for line in lines if b'"started"' in line.raw)
    return next((each for each in told if each and each.get("event") == "started"), None)
