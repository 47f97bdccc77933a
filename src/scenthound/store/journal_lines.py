"""A line of a journal with the place where it stands, and the page that it tells of."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

LONGEST_LINE = 4 * 1024 * 1024
"""Bytes; what is longer is no journal line."""
_MOST_PAGES = 10**12
_KIND = re.compile(rb'\{"event":"([a-z ]+)"')

Event = dict[str, object]


class Line(NamedTuple):
    """A whole line: where it begins, where the next one does, and the bytes before the newline."""

    start: int
    end: int
    raw: bytes

    @property
    def is_page(self) -> bool:
        """May it tell of a page? Told from its first bytes; certain once it is parsed."""
        kind = _KIND.match(self.raw)
        return kind is None or kind[1] == b"page"

    def event(self) -> Event | None:
        """What it says; None for what is no journal line."""
        try:
            event = json.loads(self.raw)
        except (ValueError, RecursionError):
            return None
        return event if isinstance(event, dict) else None


class Page(NamedTuple):
    """A page event: its number, where its line begins and ends, and what it says."""

    number: int
    start: int
    end: int
    event: Event


def page_of(line: Line) -> Page | None:
    """The page that a line tells of; None for another event, and for what is none."""
    event = line.event() if line.is_page else None
    number = None if event is None or event.get("event") != "page" else event.get("n")
    if event is None or not isinstance(number, int) or isinstance(number, bool):
        return None
    if not 0 < number <= _MOST_PAGES:
        return None
    return Page(number, line.start, line.end, event)
