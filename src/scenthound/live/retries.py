"""When a URL that failed is tried again."""

from __future__ import annotations

import random
from dataclasses import dataclass

from scenthound.core.model import Candidate
from scenthound.live.answers import retry_delay


@dataclass(frozen=True, slots=True)
class Retries:
    """How often a URL that fails is tried again, and how long it waits before the first time."""

    most: int
    wait: float
    rng: random.Random

    def at(self, candidate: Candidate, now: float, again: bool, least: float = 0.0) -> float | None:
        """When to try again; None to give it up."""
        if not again or candidate.attempts >= self.most:
            return None
        return now + max(least, self.pause(candidate))

    def pause(self, candidate: Candidate) -> float:
        """Seconds to wait after one more failure of the candidate."""
        return retry_delay(candidate.attempts + 1, self.wait, jitter=self.rng.random())
