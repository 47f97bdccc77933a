"""How a running crawl stands: what a view of it is drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from scenthound.core.events import Event
from scenthound.core.summary import Summary

CRAWLING = "crawling"
READING = "reading the example pages"


@dataclass(frozen=True, slots=True)
class Status:
    """The figures of this moment.

    ``summary`` counts over the whole crawl, ``run_pages`` and ``run_seconds`` over this run of
    it. ``recent_harvest`` is over the last pages (the harvest window).
    """

    summary: Summary
    budget: int
    under_way: int
    hosts: int
    run_pages: int
    run_seconds: float
    seconds: float
    recent_harvest: float | None
    paused: bool = False
    phase: str = CRAWLING


class Watcher(Protocol):
    """Somebody who watches a crawl. Both are called in the thread of the crawl: be quick."""

    def saw(self, event: Event) -> None:
        """Something happened."""

    def look(self, status: Status) -> None:
        """Called a few times a second."""


class Nobody:
    """Watches nothing."""

    def saw(self, event: Event) -> None:
        """Look away."""

    def look(self, status: Status) -> None:
        """Look away."""
