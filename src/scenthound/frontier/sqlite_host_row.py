"""One row of the table of hosts, and whether that host may be asked."""

from __future__ import annotations

from dataclasses import dataclass

from scenthound.frontier.manners import Manners
from scenthound.frontier.sqlite_schema import BUSY, FREE, GREEDY, RESTING


@dataclass(slots=True)
class Host:
    """One row.

    ``ready`` URLs may be leased, ``leased`` ones are, ``busy`` of them still await the host's
    answer; ``had`` pages were fetched. ``delay`` is what the host itself asks for. ``next_at`` is
    when it may be asked again, None if it never was. ``best`` and ``best_id`` are score and number
    of its best ready URL.
    """

    name: str
    ready: int = 0
    had: int = 0
    leased: int = 0
    busy: int = 0
    delay: float = 0.0
    next_at: float | None = None
    turn: int | None = None
    best: float | None = None
    best_id: int | None = None
    id: int = 0

    def offer(self, score: float, number: int) -> None:
        """One more ready URL, or a better score of one: perhaps it is the best."""
        if self.best is None or self.best_id is None or score > self.best:
            self.best, self.best_id = score, number
        elif score == self.best:
            self.best_id = min(self.best_id, number)

    def rest_until(self, time: float) -> None:
        """Not to be asked before ``time``; a longer rest stays."""
        self.next_at = time if self.next_at is None else max(self.next_at, time)


def delay_of(host: Host, manners: Manners) -> float:
    """Seconds between two requests to the host: the longer of the general and its own delay."""
    return max(host.delay, manners.delay)


def is_spent(host: Host, manners: Manners) -> bool:
    """Has the host had all the pages it may have?"""
    return manners.pages_per_host is not None and host.had >= manners.pages_per_host


def is_full(host: Host, manners: Manners) -> bool:
    """Are as many of its URLs leased as may be? One at a time, where it asks for a delay itself."""
    at_once = 1 if host.delay > 0 else manners.per_host
    if at_once is not None and host.busy >= at_once:
        return True
    return manners.pages_per_host is not None and host.had + host.leased >= manners.pages_per_host


def fair_limit(manners: Manners, pages: int) -> float:
    """Pages a host may have had before others go first, when ``pages`` were fetched in all."""
    return float("inf") if manners.share is None else manners.share * pages


def turn_of(host: Host, manners: Manners, now: float, pages: int) -> int | None:
    """Whether the host may be asked at ``now``, and if not, why; None if it offers nothing."""
    if host.best_id is None:
        return None
    if is_full(host, manners):
        return BUSY
    if host.next_at is not None and host.next_at > now:
        return RESTING
    return GREEDY if host.had > fair_limit(manners, pages) else FREE
