"""Politeness: the limits that hold for every host, and whether a host may be asked now."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass

from scenthound.core.errors import SettingsError


class HostState(enum.IntEnum):
    """Whether a host with a URL to offer may be asked; the column ``turn`` stores the number."""

    FREE = 0
    RESTING = 1
    BUSY = 2
    GREEDY = 3
    """It has had more than its share: others go first."""


@dataclass(frozen=True, slots=True)
class PolitenessPolicy:
    """What holds for every host alike.

    Parameters
    ----------
    delay : seconds that a host rests between two requests; 0 is no rest.
    per_host : requests to one host at once; None is no limit.
    pages_per_host : pages that one host may have in all; None is no limit.
    share : a host that has had more than this share of all pages fetched waits while another
        host has something to offer; None is no such rule.
    """

    delay: float = 0.0
    per_host: int | None = None
    pages_per_host: int | None = None
    share: float | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.delay < math.inf:
            raise SettingsError(
                f"a delay of {self.delay} seconds cannot be kept; give 0 or more seconds."
            )
        if self.per_host is not None and self.per_host < 1:
            raise SettingsError(
                f"{self.per_host} requests at once to a host fetch nothing; give 1 or more."
            )
        if self.pages_per_host is not None and self.pages_per_host < 1:
            raise SettingsError(
                f"{self.pages_per_host} pages of a host fetch nothing; give 1 or more."
            )
        if self.share is not None and not 0.0 < self.share <= 1.0:
            raise SettingsError(
                f"a host's share of {self.share} is no share; give a number above 0, at most 1."
            )

    @property
    def rests_after_answer(self) -> bool:
        """Does a host rest from the end of an answer on? (Else from the start of a request on.)"""
        return self.per_host is None or self.per_host == 1


NO_LIMITS = PolitenessPolicy()
"""No delay and no limits."""


@dataclass(slots=True)
class HostRow:
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


def delay_of(host: HostRow, politeness: PolitenessPolicy) -> float:
    """Seconds between two requests to the host: the longer of the general and its own delay."""
    return max(host.delay, politeness.delay)


def is_exhausted(host: HostRow, politeness: PolitenessPolicy) -> bool:
    """Has the host had all the pages it may have?"""
    return politeness.pages_per_host is not None and host.had >= politeness.pages_per_host


def is_full(host: HostRow, politeness: PolitenessPolicy) -> bool:
    """Are as many of its URLs leased as may be? One at a time, where it asks for a delay itself."""
    at_once = 1 if host.delay > 0 else politeness.per_host
    if at_once is not None and host.busy >= at_once:
        return True
    return (
        politeness.pages_per_host is not None
        and host.had + host.leased >= politeness.pages_per_host
    )


def fair_limit(politeness: PolitenessPolicy, pages: int) -> float:
    """Pages a host may have had before others go first, when ``pages`` were fetched in all."""
    return float("inf") if politeness.share is None else politeness.share * pages


def host_state(host: HostRow, politeness: PolitenessPolicy, now: float, pages: int) -> int | None:
    """Whether the host may be asked at ``now``, and if not, why; None if it offers nothing."""
    if host.best_id is None:
        return None
    if is_full(host, politeness):
        return HostState.BUSY
    if host.next_at is not None and host.next_at > now:
        return HostState.RESTING
    return HostState.GREEDY if host.had > fair_limit(politeness, pages) else HostState.FREE
