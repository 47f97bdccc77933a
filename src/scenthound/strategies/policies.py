"""Policies that need nothing but the frontier: the best one, or any one."""

from __future__ import annotations

import random

from scenthound.core.model import Candidate
from scenthound.core.protocols import Frontier, State


class Greedy:
    """The highest score; among equals the one found first."""

    def __init__(self, rng: random.Random) -> None:
        del rng  # nothing is left to chance

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease the best candidate."""
        leased = frontier.lease(1, now)
        return leased[0] if leased else None

    def state(self) -> State:
        """Nothing is learnt."""
        return {}

    def restore(self, state: State) -> None:
        """Nothing to restore."""


class Uniform:
    """Any waiting candidate, each as likely as another."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, frontier: Frontier, now: float) -> Candidate | None:
        """Lease a candidate at random."""
        return frontier.draw(self._rng, now)

    def state(self) -> State:
        """Where the random generator stands."""
        version, numbers, gauss = self._rng.getstate()
        return {"version": version, "numbers": list(numbers), "gauss": gauss}

    def restore(self, state: State) -> None:
        """Draw on as the saved generator would have."""
        numbers = state["numbers"]
        assert isinstance(numbers, list)
        self._rng.setstate((state["version"], tuple(numbers), state["gauss"]))
