"""Who tells the worker what to do: a decider (a crawl, say), and whoever watches over it."""

from __future__ import annotations

import enum
from typing import Protocol

from scenthound.core.model import Candidate


class Heed(enum.Enum):
    """What whoever watches over the crawl wants of it."""

    GO_ON = "go on"
    WAIT = "ask for nothing new"
    END = "end"


class Decider(Protocol):
    """What the worker works for: a crawl, or the gathering of example pages before it."""

    stop_reason: str | None

    def next(self) -> Candidate | None:
        """The next candidate to ask for; None for nothing now."""

    def candidate(self, url: str) -> Candidate | None:
        """The candidate handed out under this URL and not answered so far."""

    def redirected(self, url: str, target: str) -> str:
        """It leads elsewhere."""

    def refused(self, url: str, reason: str) -> None:
        """It is not to be fetched."""

    def failed(self, url: str, reason: str, retry_at: float | None) -> None:
        """It did not answer."""

    def control(self, what: str) -> None:
        """Something came between: an outage, say."""

    def forget(self, url: str) -> None:
        """It was never asked for."""
